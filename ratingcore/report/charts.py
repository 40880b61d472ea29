"""Draws the charts that reports share: curves of players, timelines, histograms, forest plots, ranks."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ratingcore.columns.games import Floats, Ints
from ratingcore.report.style import (
    COLOURS,
    FEW,
    INK,
    QUIET,
    Picture,
    dates,
    evenly,
    library,
    numbers,
    padded,
    series,
    thinned,
    values,
)
from ratingcore.report.table import Cell, Table

if TYPE_CHECKING:
    from ratingcore.report.style import Chart

BAND = 2
"""Half the width of a band, in deviations."""
POINTS, MARKS = 120, 8
"""Largest numbers of points of a curve, and of the marks that show its shape."""


def curves(table: Table) -> list[Picture]:
    """Draws a panel per method with a curve per player, for the first few players.

    If the table has deviations, each curve has a band that reaches two deviations either way.
    """
    if not len(table):
        return []
    method, player = np.array(table["method"], dtype=object), np.array(table["player"], dtype=object)
    at, rating = np.array(table.columns["at"], dtype="M8[ms]"), np.array(table["rating"], dtype=np.float64)
    deviation = (
        np.array(table["deviation"], np.float64) if "deviation" in table.columns else np.full(len(rating), np.nan)
    )
    named = [str(name) for name in dict.fromkeys(player)][:FEW]
    pictures = []
    for one in dict.fromkeys(method):
        parts = [(name, np.flatnonzero((method == one) & (player == name) & np.isfinite(rating))) for name in named]
        drawn = [(name, rows) for name, rows in parts if len(rows)]
        if drawn:
            pictures.append(_followed(str(one), named, drawn, at, rating, deviation))
    return pictures


def _followed(
    method: str, named: Sequence[str], drawn: Sequence[tuple[str, Ints]], at: Any, rating: Floats, deviation: Floats
) -> Picture:
    alt = library()
    cells: dict[str, list[Any]] = {"player": [], "at": [], "rating": [], "mark": [], "low": [], "high": []}
    for name, rows in drawn:
        points = rows[thinned(rating[rows], POINTS)]
        marked = set(evenly(len(points), MARKS).tolist())
        cells["player"] += [name] * len(points)
        cells["at"] += list(at[points])
        cells["rating"] += rating[points].tolist()
        cells["mark"] += [n in marked or None for n in range(len(points))]
        for edge, way in (("low", -BAND), ("high", BAND)):
            cells[edge] += [None if x != x else x for x in (rating[points] + way * deviation[points]).tolist()]
    banded = any(cell is not None for cell in cells["low"])
    if not banded:
        del cells["low"], cells["high"]
    channels = series("player", named)
    base = alt.Chart(values({**cells, "at": np.array(cells["at"])}))
    base = base.encode(x=dates(), y=alt.Y("rating:Q", title="rating", scale=alt.Scale(zero=False)))
    base = base.encode(color=channels["color"])
    lines = base.mark_line(strokeWidth=1.6).encode(strokeDash=channels["strokeDash"])
    marks = base.mark_point(filled=True, opacity=1, size=45).encode(shape=channels["shape"])
    last = ", ".join(f"{name} {rating[rows[-1]]:.4g}" for name, rows in drawn)
    text = f"Ratings over time under {method}; the last of each: {last}."
    layers = [lines, marks.transform_filter("datum.mark")]
    if banded:
        text = f"{text} Bands reach {BAND} deviations either way."
        band = base.transform_filter("datum.low != null").mark_area(opacity=0.12, line=False)
        layers.insert(0, band.encode(y=alt.Y("low:Q", title="rating", scale=alt.Scale(zero=False)), y2="high:Q"))
    return Picture(method, text, alt.layer(*layers))


PERIODS = 90
"""Largest number of periods in a picture."""


def over_time(
    title: str, rows: Sequence[Mapping[str, Any]], names: Mapping[str, str], y: str, from_zero: bool
) -> list[Picture]:
    """Draws one picture with a curve for each column of `names`; an empty list if the rows have no number to draw.

    Parameters
    ----------
    rows : sequence of rows with a time `at`
        One row per period, in order.
    names : mapping of str to str
        Name of each column in the legend.
    y : str
        Title of the axis.
    from_zero : bool
        Whether the axis begins at 0.
    """
    alt = library()
    rows = [rows[n] for n in evenly(len(rows), PERIODS).tolist()]
    drawn = {column: name for column, name in names.items() if any(row.get(column) is not None for row in rows)}
    if not drawn:
        return []
    marked = set(evenly(len(rows), MARKS).tolist())
    cells = [
        (row["at"], name, float(row[column]), n in marked or None)
        for column, name in drawn.items()
        for n, row in enumerate(rows)
        if row[column] is not None
    ]
    at, name, amount, mark = (list(column) for column in zip(*cells, strict=True))
    channels = series("name", list(drawn.values()))
    ticks = alt.Axis(tickMinStep=1) if y in ("number", "players") else alt.Axis()
    base = alt.Chart(values({"at": np.array(at, dtype="M8[ms]"), "name": name, "amount": amount, "mark": mark}))
    base = base.encode(x=dates(), y=alt.Y("amount:Q", title=y, scale=alt.Scale(zero=from_zero), axis=ticks))
    base = base.encode(color=channels["color"])
    lines = base.mark_line(strokeWidth=1.6).encode(strokeDash=channels["strokeDash"])
    marks = base.mark_point(filled=True, opacity=1, size=45).encode(shape=channels["shape"])
    first, last = rows[0], rows[-1]
    changes = "; ".join(f"{drawn[column]} {_spelt(first[column])} to {_spelt(last[column])}" for column in drawn)
    text = f"{title}, from {first['at']} to {last['at']}: {changes}."
    return [Picture(title, text, alt.layer(lines, marks.transform_filter("datum.mark")))]


def _spelt(cell: object) -> str:
    return "unknown" if cell is None else f"{cell:.5g}"


def distributions(table: Table) -> list[Picture]:
    """Draws one histogram per method."""
    rows = [row for row in table if row["low"] is not None and row["high"] is not None]
    return [
        _histogram(method, [row for row in rows if row["method"] == method])
        for method in dict.fromkeys(str(row["method"]) for row in rows)
    ]


def _histogram(method: str, rows: list[dict[str, Cell]]) -> Picture:
    alt = library()
    low, high, players = numbers(rows, "low"), numbers(rows, "high"), numbers(rows, "players")
    base = alt.Chart(values({"low": low, "high": high, "players": players, "nobody": [0] * len(rows)}))
    chart = base.mark_rect(color=COLOURS[0], opacity=0.8, stroke="#ffffff", strokeWidth=0.7).encode(
        x=alt.X("low:Q", title="rating", scale=alt.Scale(zero=False)),
        x2="high:Q",
        y=alt.Y("players:Q", title="players", scale=alt.Scale(zero=True), axis=alt.Axis(tickMinStep=1)),
        y2="nobody:Q",
    )
    top = max(range(len(rows)), key=players.__getitem__)
    text = (
        f"Ratings of {sum(players):.0f} players under {method}, from {min(low):.4g} to {max(high):.4g}; "
        f"most, {players[top]:.0f}, are between {low[top]:.4g} and {high[top]:.4g}."
    )
    return Picture(method, text, chart)


STEP = 38
"""Height of a row in pixels; the name is above its interval, so that long names have room on a narrow page."""


def forest(
    names: Sequence[str],
    point: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    title: str,
    *,
    zero: bool = False,
) -> "Chart":
    """Draws a chart with a dot and a bar for each name, from top to bottom; with `zero`, also a dashed line at 0."""
    alt = library()
    ends = [end for end in (*low, *high, *point, *([0.0] if zero else ())) if end == end]
    scale = alt.Scale(domain=padded(min(ends), max(ends)), nice=False, zero=False)
    data = values({"place": range(len(names)), "name": names, "point": point, "low": low, "high": high})
    base = alt.Chart(data).encode(y=alt.Y("place:O", axis=None, scale=alt.Scale(paddingOuter=0.35)))

    def across(field: str) -> Any:
        return alt.X(f"{field}:Q", title=title, scale=scale, axis=alt.Axis(tickCount=5))

    bars = base.mark_rule(strokeWidth=2.5, color=COLOURS[0]).encode(x=across("low"), x2="high:Q")
    dots = base.mark_point(size=75, filled=True, opacity=1, color=COLOURS[0]).encode(x=across("point"))
    label = base.mark_text(align="left", dy=-13, color=INK, fontSize=12, limit=alt.ExprRef("width"))
    layers = [bars, dots, label.encode(x=alt.value(0), text="name:N")]
    if zero:
        nought = alt.Chart(values({"at": [0.0]})).mark_rule(color=QUIET, strokeDash=[4, 3])
        layers.insert(0, nought.encode(x=across("at")))
    chart: Chart = alt.layer(*layers).properties(height=STEP * (len(names) + 0.5))
    return chart


DOTS = 400
"""Largest number of players in a scatter plot."""


def ranks(table: Table, reference: str) -> list[Picture]:
    """Draws a panel per method: its ranks against those of the reference, one dot per player."""
    if reference not in table.columns:
        return []
    others = [name for name in table.columns if name not in ("player", reference)]
    return [picture for method in others for picture in _scatter(table, method, reference)]


def _scatter(table: Table, method: str, reference: str) -> list[Picture]:
    alt = library()
    columns = (table[name] for name in ("player", reference, method))
    both = [row for row in zip(*columns, strict=True) if row[1] is not None and row[2] is not None]
    if not both:
        return []
    drawn = [both[n] for n in evenly(len(both), DOTS).tolist()]
    names, x, y = (list(column) for column in zip(*drawn, strict=True))
    end = max(map(float, [*x, *y, 2.0]))
    scale = alt.Scale(domain=[1, end], nice=False, zero=False)
    line = alt.Chart(values({"x": [1.0, end], "y": [1.0, end]})).mark_line(color=QUIET, strokeDash=[4, 3])
    line = line.encode(x=alt.X("x:Q", scale=scale), y=alt.Y("y:Q", scale=scale))
    dots = alt.Chart(values({"x": x, "y": y, "player": names})).mark_circle(size=22, opacity=0.6, color=COLOURS[0])
    dots = dots.encode(
        x=alt.X("x:Q", scale=scale, title=f"rank under {reference}", axis=alt.Axis(tickMinStep=1)),
        y=alt.Y("y:Q", scale=scale, title="rank under this method", axis=alt.Axis(tickMinStep=1)),
        tooltip=["player:N", alt.Tooltip("x:Q", title=reference), alt.Tooltip("y:Q", title=method)],
    )
    text = f"Rank of {len(drawn)} of {len(both)} players under {method} against their rank under {reference}."
    return [Picture(f"Ranks: {method} against {reference}", text, alt.layer(line, dots))]
