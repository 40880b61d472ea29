"""Does a pool inflate, and does it hold together? The level of ratings over time, who is active, how all are tied."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ratingcore.report.style import Picture, dates, library, series, values
from ratingcore.report.table import Table
from ratingcore.report.thinning import spread

PERIODS, MARKS = 90, 8
"""Periods of a picture, and how many of them carry a mark."""

LEVELS = {"mean": "all active", "top_mean": "the top", "panel_mean": "the same players"}
BALANCE = {
    "brought": "brought by newcomers",
    "carried": "brought back",
    "taken": "taken by leavers",
    "made": "made by results and rules",
}
PLAY = {"active": "active players", "newcomers": "newcomers"}
TIES = {"components": "components", "bridges": "bridges"}
WHOLE = {"largest_share": "share in the largest component", "connectivity": "algebraic connectivity"}


def health(table: Table) -> list[Picture]:
    """Levels and balance, a panel a method each; then what is the pool's own, whatever the method."""
    methods = list(dict.fromkeys(str(row["method"]) for row in table))
    rows = {method: [row for row in table if row["method"] == method] for method in methods}
    told = [(f"Level: {method}", rows[method], LEVELS, "mean rating", False) for method in methods]
    told += [(f"In and out: {method}", rows[method], BALANCE, "rating points a period", False) for method in methods]
    if methods:
        pool = rows[methods[0]]
        told += [("Activity", pool, PLAY, "players", True), ("Components and bridges", pool, TIES, "number", True)]
        told += [("Connectedness", pool, WHOLE, "share, and eigenvalue", True)]
    return [picture for panel in told for picture in over_time(*panel)]


def over_time(
    title: str, rows: Sequence[Mapping[str, Any]], told: Mapping[str, str], y: str, from_zero: bool
) -> list[Picture]:
    alt = library()
    rows = [rows[n] for n in spread(len(rows), PERIODS).tolist()]
    there = {column: name for column, name in told.items() if any(row.get(column) is not None for row in rows)}
    if not there:
        return []
    marked = set(spread(len(rows), MARKS).tolist())
    cells = [
        (row["at"], name, float(row[column]), n in marked or None)
        for column, name in there.items()
        for n, row in enumerate(rows)
        if row[column] is not None
    ]
    at, name, amount, mark = (list(column) for column in zip(*cells, strict=True))
    channels = series("name", list(there.values()))
    ticks = alt.Axis(tickMinStep=1) if y in ("number", "players") else alt.Axis()
    base = alt.Chart(values({"at": np.array(at, dtype="M8[ms]"), "name": name, "amount": amount, "mark": mark}))
    base = base.encode(x=dates(), y=alt.Y("amount:Q", title=y, scale=alt.Scale(zero=from_zero), axis=ticks))
    base = base.encode(color=channels["color"])
    lines = base.mark_line(strokeWidth=1.6).encode(strokeDash=channels["strokeDash"])
    marks = base.mark_point(filled=True, opacity=1, size=45).encode(shape=channels["shape"])
    first, last = rows[0], rows[-1]
    changes = "; ".join(f"{there[column]} {_said(first[column])} to {_said(last[column])}" for column in there)
    said = f"{title}, from {first['at']} to {last['at']}: {changes}."
    return [Picture(title, said, alt.layer(lines, marks.transform_filter("datum.mark")))]


def _said(cell: Any) -> str:
    return "unknown" if cell is None else f"{cell:.5g}"
