"""The pictures of a comparison: scores, calibration, cohorts, movers, and the health of a pool."""

from collections.abc import Sequence
from typing import Any

from ratingcore.plugin.reports import (
    COLOURS,
    FEW,
    INK,
    QUIET,
    STEP,
    Picture,
    Table,
    first_few,
    forest,
    library,
    numbers,
    over_time,
    padded,
    series,
    values,
)

Rows = list[dict[str, Any]]
"""Some rows of a table, each with its cells by the name of the column."""


def scores(table: Table) -> list[Picture]:
    """Draws the log loss of every method with its interval, best on top."""
    rows = [row for row in table if row["log_loss"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "log_loss")
    low, high = numbers(rows, "log_loss_low"), numbers(rows, "log_loss_high")
    title = "Log loss of sessions" if "session" in table.unit else "Log loss"
    text = f"Log loss {_each(table)}, less is better: {first_few(names, point)}."
    return [Picture(title, text, forest(names, point, low, high, f"log loss, {table.unit} (less is better)"))]


def differences(table: Table, pairs: Table | None, reference: str) -> list[Picture]:
    """Draws the gain of every other method over the reference with its interval, and of the best over the second."""
    rows = [row for row in table if row["method"] != reference and row["better_by"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "better_by")
    low, high = numbers(rows, "better_by_low"), numbers(rows, "better_by_high")
    text = f"Nats {_each(table)} by which each method is better than {reference}: {first_few(names, point)}."
    for row in pairs or ():
        if row["used"] and row["against"] != reference and row["better_by"] is not None:  # the two best
            names.insert(0, f"{row['method']}, against {row['against']}")
            for ends, column in ((point, "better_by"), (low, "low"), (high, "high")):
                ends[:0] = numbers([row], column)
    sessions = " on sessions" if "session" in table.unit else ""
    chart = forest(names, point, low, high, f"better by, {table.unit} (right of 0 is better)", zero=True)
    return [Picture(f"Against {reference}{sessions}", text, chart)]


def _each(table: Table) -> str:
    """Returns the unit of a score: a game or a session."""
    return table.unit.partition(" ")[2]


def calibration(table: Table, what: str = "games") -> list[Picture]:
    """Draws a panel for each method: mean score against mean forecast by bin, with Wilson intervals and the diagonal.

    Parameters
    ----------
    what : {"games", "pairs"}
        The column with the size of a bin: games, or pairs of sides of sessions.
    """
    rows = [row for row in table if row[what]]
    return [
        _calibrated(method, [row for row in rows if row["method"] == method], what)
        for method in dict.fromkeys(str(row["method"]) for row in rows)
    ]


def _calibrated(method: str, rows: Rows, what: str) -> Picture:
    alt = library()
    expected, scored, games = numbers(rows, "expected"), numbers(rows, "scored"), [int(row[what]) for row in rows]
    of_games = what == "games"
    title = "expected score, share of the point" if of_games else "chance to come in ahead of another side"
    many = what if of_games else "pairs of sides, seen from both sides"
    low, high = numbers(rows, "scored_low"), numbers(rows, "scored_high")
    scale, ticks = alt.Scale(domain=[0, 1]), alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    base = alt.Chart(values({"expected": expected, "scored": scored, "games": games, "low": low, "high": high}))
    base = base.encode(x=alt.X("expected:Q", scale=scale, axis=ticks, title=title))
    y = alt.Y("scored:Q", scale=scale, axis=ticks, title="mean score")
    line = base.mark_line(color=COLOURS[0], strokeWidth=1.2).encode(y=y)
    bars = base.mark_rule(color=COLOURS[0], strokeWidth=2).encode(y=alt.Y("low:Q", title="mean score"), y2="high:Q")
    area = alt.Size("games:Q", scale=alt.Scale(domain=[0, max(games)], range=[15, 170]), legend=None)
    cells = ["expected:Q", "scored:Q", "games:Q"]
    dots = base.mark_point(filled=True, opacity=1, color=COLOURS[0]).encode(y=y, size=area, tooltip=cells)
    ideal = alt.Chart(values({"expected": [0.0, 1.0], "scored": [0.0, 1.0]})).mark_line(color=QUIET, strokeDash=[4, 3])
    ideal = ideal.encode(x="expected:Q", y="scored:Q")
    widest = max(range(len(rows)), key=lambda n: abs(scored[n] - expected[n]))
    text = (
        f"Calibration of {method} over {sum(games)} {many}: the bin furthest from the diagonal has a mean forecast of "
        f"{expected[widest]:.2f} and a mean score of {scored[widest]:.2f}, over {games[widest]} {what}."
    )
    return Picture(method, text, alt.layer(ideal, line, bars, dots))


MOST, ROW = 16, 12
"""Largest number of cohorts in a panel, and the height in pixels of a method in each."""


def cohorts(table: Table, methods: Sequence[str], reference: str, what: str = "game") -> list[Picture]:
    """Draws a panel for each kind of cohort: the gains of the best methods over the reference.

    Parameters
    ----------
    table : Table
    methods : sequence of str
        Best first; if there is only the reference, its log loss is drawn.
    reference : str
    what : {"game", "session"}
        The unit of the rows; its plural is the name of the column with their number.
    """
    others = [method for method in methods if method != reference][: FEW - 1]
    shown, column = (others, "better_by") if others else ([reference], "log_loss")
    rows = [row for row in table if row["method"] in shown and row[column] is not None and row[f"{what}s"]]
    pictures = []
    for by in dict.fromkeys(str(row["by"]) for row in rows):
        of_kind = [row for row in rows if row["by"] == by]
        draw = _over_years if _are_years(of_kind) else _side_by_side
        pictures.append(draw(by, of_kind, shown, column, reference, what))
    return pictures


def _are_years(rows: Rows) -> bool:
    names = {str(row["cohort"]) for row in rows}
    return len(names) > MOST and all(name.isdecimal() and len(name) == 4 for name in names)


def _heading(by: str, what: str) -> str:
    return f"By {by}" if what == "game" else f"Sessions by {by}"


def _title(column: str, reference: str, what: str) -> str:
    return f"better than {reference}, nats a {what}" if column == "better_by" else f"log loss, nats a {what}"


def _described(by: str, rows: Rows, column: str, reference: str, what: str) -> str:
    text = ", ".join(
        f"{row['cohort']}: {row['method']} {row[column]:.3g} ({row[f'{what}s']} {what}s)" for row in rows[:4]
    )
    more = f", and {len(rows) - 4} more" if len(rows) > 4 else ""
    return f"By {by}, {_title(column, reference, what)}: {text}{more}."


def _over_years(by: str, rows: Rows, shown: Sequence[str], column: str, reference: str, what: str) -> Picture:
    alt = library()
    rows = sorted(rows, key=lambda row: str(row["cohort"]))
    methods, years = [str(row["method"]) for row in rows], [int(row["cohort"]) for row in rows]
    channels = series("method", shown)
    base = alt.Chart(values({"year": years, "method": methods, "amount": numbers(rows, column)})).encode(
        x=alt.X("year:Q", title=by, scale=alt.Scale(zero=False), axis=alt.Axis(format="d", tickMinStep=1)),
        y=alt.Y("amount:Q", title=_title(column, reference, what), scale=alt.Scale(zero=column == "better_by")),
        color=channels["color"],
    )
    lines = base.mark_line(strokeWidth=1.4).encode(strokeDash=channels["strokeDash"])
    dots = base.mark_point(filled=True, opacity=1, size=32).encode(shape=channels["shape"])
    chart = alt.layer(*_nought("y", column), lines, dots)
    return Picture(_heading(by, what), _described(by, rows, column, reference, what), chart)


def _side_by_side(by: str, rows: Rows, shown: Sequence[str], column: str, reference: str, what: str) -> Picture:
    alt = library()
    games: dict[str, int] = {}
    for row in rows:
        games[str(row["cohort"])] = max(games.get(str(row["cohort"]), 0), int(row[f"{what}s"]))
    drawn = set(sorted(games, key=games.__getitem__, reverse=True)[:MOST])
    order = [name for name in games if name in drawn]
    rows = [row for row in rows if str(row["cohort"]) in drawn]
    place = {name: n * (len(shown) + 1.7) for n, name in enumerate(order)}
    down = max(place.values()) + len(shown) - 0.3
    cells, scale = _spans(rows, column, what)
    cells["place"] = [place[str(row["cohort"])] + shown.index(row["method"]) for row in rows]
    y = alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[-1.5, down], reverse=True, nice=False, zero=False))
    channels, title = series("method", shown), _title(column, reference, what)
    base = alt.Chart(values(cells)).encode(y=y, color=channels["color"])
    bars = base.mark_rule(strokeWidth=1.6, clip=True).encode(x=alt.X("low:Q", scale=scale, title=title), x2="high:Q")
    beyond = base.transform_filter("datum.beyond").mark_text(align="right", dy=-7, fontSize=10)
    beyond = beyond.encode(x=alt.value("width"), text="beyond:N")
    dots = base.mark_point(filled=True, opacity=1, size=42, clip=True).encode(
        x=alt.X("point:Q", scale=scale, title=title, axis=alt.Axis(tickCount=5)),
        shape=channels["shape"],
        tooltip=["cohort:N", "method:N", alt.Tooltip("point:Q", title=title), alt.Tooltip("many:Q", title=f"{what}s")],
    )
    heads = alt.Chart(values({"place": [place[name] - 0.9 for name in order], "cohort": order}))
    heads = heads.mark_text(align="left", color=INK, fontSize=12, limit=alt.ExprRef("width"))
    heads = heads.encode(y=y, x=alt.value(0), text="cohort:N")
    chart = alt.layer(*_nought("x", column), bars, dots, heads, beyond).properties(height=(down + 1.5) * ROW)
    more = f", the {MOST} with most {what}s" if len(games) > MOST else ""
    return Picture(_heading(by, what) + more, _described(by, rows, column, reference, what), chart)


def _spans(rows: Rows, column: str, what: str) -> tuple[dict[str, Any], Any]:
    """Returns the points with their intervals, and the scale of the axis; `room` describes which intervals are cut."""
    point, nought = numbers(rows, column), column == "better_by"
    low, high = (_ends(rows, point, f"better_by_{end}") if nought else point for end in ("low", "high"))
    names = [str(row["cohort"]) for row in rows]
    least, most = room(names, low, high, 0.0 if nought else sorted(point)[len(point) // 2])
    cells: dict[str, Any] = {"point": point, "low": low, "high": high, "cohort": names}
    cells["method"] = [str(row["method"]) for row in rows]
    cells["many"] = [row[f"{what}s"] for row in rows]
    cells["beyond"] = [_beyond(*span, least, most) for span in zip(point, low, high, strict=True)]
    return cells, library().Scale(domain=padded(least, most), nice=False, zero=False)


FAR, ROOM = 3.0, 1.3
"""A cohort is cut if it reaches `FAR` times as far as all others; the axis then ends at `ROOM` times their reach."""


def room(names: Sequence[str], low: Sequence[float], high: Sequence[float], middle: float) -> tuple[float, float]:
    """Returns the ends of an axis for intervals around a middle; a cohort much wider than all others is cut.

    Examples
    --------
    >>> room(["1870s", "1880s", "1890s"], [-1.0, -2.0, -90.0], [1.0, 10.0, 80.0], 0.0)
    (-13.0, 13.0)
    >>> room(["1870s", "1880s"], [-1.0, -2.0], [1.0, 3.0], 0.0)
    (-2.0, 3.0)
    """
    reach: dict[str, float] = {}
    for name, first, last in zip(names, low, high, strict=True):
        reach[name] = max(reach.get(name, 0.0), abs(first - middle), abs(last - middle))
    *others, most = sorted(reach.values())
    limit = ROOM * others[-1] if len(others) > 1 and most > FAR * others[-1] > 0 else most
    return max(min(*low, middle), middle - limit), min(max(*high, middle), middle + limit)


def _beyond(point: float, low: float, high: float, least: float, most: float) -> str | None:
    """Returns the text at the end of an interval that is cut; None if it is whole."""
    if low >= least and high <= most:
        return None
    return f"cut: {point:.2g}, from {low:.2g} to {high:.2g}"


def _ends(rows: Rows, point: Sequence[float], end: str) -> list[float]:
    """Returns one end of each interval; the point itself if there is no interval."""
    return [e if e == e else p for p, e in zip(point, numbers(rows, end), strict=True)]


def _nought(channel: str, column: str) -> list[Any]:
    """Draws a dashed line at zero, for differences."""
    if column != "better_by":
        return []
    line = library().Chart(values({"nought": [0.0]})).mark_rule(color=QUIET, strokeDash=[4, 3])
    return [line.encode(**{channel: "nought:Q"})]


LEVELS = {"mean": "all active", "top_mean": "the top", "panel_mean": "the same players"}
PLAY = {"active": "active players", "newcomers": "newcomers"}
TIES = {"components": "components", "bridges": "bridges"}
WHOLE = {"largest_share": "share in the largest component"}


def health(table: Table) -> list[Picture]:
    """Draws a panel of levels for each method, then activity and connectedness, which do not depend on the method."""
    methods = list(dict.fromkeys(str(row["method"]) for row in table))
    rows = {method: [row for row in table if row["method"] == method] for method in methods}
    panels = [(f"Level: {method}", rows[method], LEVELS, "mean rating", False) for method in methods]
    if methods:
        pool = rows[methods[0]]
        panels += [("Activity", pool, PLAY, "players", True), ("Components and bridges", pool, TIES, "number", True)]
        panels += [("Connectedness", pool, WHOLE, "share of the active players", True)]
    return [picture for panel in panels for picture in over_time(*panel)]


PLAYERS = 10
"""Number of movers in a panel."""


def movers(table: Table) -> list[Picture]:
    """Draws a panel for each pair of lists: the ranks that differ most."""
    pairs: dict[tuple[str, str], Rows] = {}
    for row in table:
        if row["rank"] is not None and row["rank_against"] is not None:
            pairs.setdefault((str(row["method"]), str(row["against"])), []).append(row)
    return [_moved(method, against, rows) for (method, against), rows in pairs.items()]


def _moved(method: str, against: str, rows: Rows) -> Picture:
    alt = library()
    rows = sorted(rows, key=lambda row: -abs(row["rank"] - row["rank_against"]))[:PLAYERS]
    rows.sort(key=lambda row: row["rank_against"] - row["rank"], reverse=True)
    names, now, then = [str(row["player"]) for row in rows], numbers(rows, "rank"), numbers(rows, "rank_against")
    low, high = padded(min(*now, *then), max(*now, *then))
    scale = alt.Scale(domain=[max(low, 0.5), high], nice=False, zero=False, reverse=True)
    base = alt.Chart(values({"place": range(len(rows)), "player": names, "now": now, "then": then}))
    base = base.encode(y=alt.Y("place:O", axis=None, scale=alt.Scale(paddingOuter=0.35)))

    def across(field: str) -> Any:
        ticks = alt.Axis(tickMinStep=1, tickCount=5)
        return alt.X(f"{field}:Q", title="rank (right is better)", scale=scale, axis=ticks)

    line = base.mark_rule(strokeWidth=2, color=QUIET).encode(x=across("then"), x2="now:Q")
    old = base.mark_point(size=70, filled=True, fill="#ffffff", stroke=COLOURS[0], strokeWidth=1.8, opacity=1)
    new = base.mark_point(size=75, filled=True, color=COLOURS[0], opacity=1)
    label = base.mark_text(align="left", dy=-13, color=INK, fontSize=12, limit=alt.ExprRef("width"))
    chart = alt.layer(
        line, old.encode(x=across("then")), new.encode(x=across("now")), label.encode(x=alt.value(0), text="player:N")
    )
    moved = ", ".join(f"{n} {b:.0f} to {a:.0f}" for n, a, b in zip(names, now, then, strict=True))
    text = f"Ranks that differ most, from {against} (hollow) to {method} (filled): {moved}."
    return Picture(f"{against} (hollow) to {method} (filled)", text, chart.properties(height=STEP * (len(rows) + 0.5)))
