"""Pictures of the difference of each method from the reference, cohort by cohort."""

from collections.abc import Sequence
from typing import Any

from ratingcore.report.style import FEW, INK, QUIET, Picture, library, numbers, padded, series, values
from ratingcore.report.table import Table

MOST, ROW = 12, 12
"""Cohorts in a panel at most, and the pixels of a method in each."""


def cohorts(table: Table, methods: Sequence[str], reference: str, what: str = "game") -> list[Picture]:
    """A panel for each kind of cohort: how much the best methods are better than the reference.

    Parameters
    ----------
    table : Table
    methods : sequence of str
        Best first; if there is only the reference, its log loss is drawn.
    reference : str
    what : {"game", "session"}
        What the rows count, in a column of the same name with an s.
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


def _are_years(rows: Sequence[dict[str, Any]]) -> bool:
    names = {str(row["cohort"]) for row in rows}
    return len(names) > MOST and all(name.isdecimal() and len(name) == 4 for name in names)


def _heading(by: str, what: str) -> str:
    return f"By {by}" if what == "game" else f"Sessions by {by}"


def _title(column: str, reference: str, what: str) -> str:
    return f"better than {reference}, nats a {what}" if column == "better_by" else f"log loss, nats a {what}"


def _described(by: str, rows: Sequence[dict[str, Any]], column: str, reference: str, what: str) -> str:
    text = ", ".join(
        f"{row['cohort']}: {row['method']} {row[column]:.3g} ({row[f'{what}s']} {what}s)" for row in rows[:4]
    )
    return f"By {by}, {_title(column, reference, what)}: {text}{', ...' if len(rows) > 4 else ''}."


def _over_years(
    by: str, rows: Sequence[dict[str, Any]], shown: Sequence[str], column: str, reference: str, what: str
) -> Picture:
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


def _side_by_side(
    by: str, rows: Sequence[dict[str, Any]], shown: Sequence[str], column: str, reference: str, what: str
) -> Picture:
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
    bars = base.mark_rule(strokeWidth=1.6).encode(x=alt.X("low:Q", scale=scale, title=title), x2="high:Q")
    dots = base.mark_point(filled=True, opacity=1, size=42).encode(
        x=alt.X("point:Q", scale=scale, title=title, axis=alt.Axis(tickCount=5)),
        shape=channels["shape"],
        tooltip=["cohort:N", "method:N", alt.Tooltip("point:Q", title=title), alt.Tooltip("many:Q", title=f"{what}s")],
    )
    heads = alt.Chart(values({"place": [place[name] - 0.9 for name in order], "cohort": order}))
    heads = heads.mark_text(align="left", color=INK, fontSize=12, limit=alt.ExprRef("width"))
    heads = heads.encode(y=y, x=alt.value(0), text="cohort:N")
    chart = alt.layer(*_nought("x", column), bars, dots, heads).properties(height=(down + 1.5) * ROW)
    more = f", the {MOST} with most {what}s" if len(games) > MOST else ""
    return Picture(_heading(by, what) + more, _described(by, rows, column, reference, what), chart)


def _spans(rows: Sequence[dict[str, Any]], column: str, what: str) -> tuple[dict[str, Any], Any]:
    """Points with their intervals, and the axis that has room for them."""
    point, nought = numbers(rows, column), column == "better_by"
    low, high = (_ends(rows, point, f"better_by_{end}") if nought else point for end in ("low", "high"))
    ends = padded(min([*low, *[0.0] * nought]), max([*high, *[0.0] * nought]))
    cells: dict[str, Any] = {"point": point, "low": low, "high": high}
    cells |= {name: [str(row[name]) for row in rows] for name in ("cohort", "method")}
    cells["many"] = [row[f"{what}s"] for row in rows]
    return cells, library().Scale(domain=ends, nice=False, zero=False)


def _ends(rows: Sequence[dict[str, Any]], point: Sequence[float], end: str) -> list[float]:
    """Ends of the intervals; the point itself where there is none."""
    return [e if e == e else p for p, e in zip(point, numbers(rows, end), strict=True)]


def _nought(channel: str, column: str) -> list[Any]:
    """A dashed line at no difference."""
    if column != "better_by":
        return []
    line = library().Chart(values({"nought": [0.0]})).mark_rule(color=QUIET, strokeDash=[4, 3])
    return [line.encode(**{channel: "nought:Q"})]
