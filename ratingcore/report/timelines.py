"""Numbers of a pool over time as curves, thinned to what a picture can show."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ratingcore.report.style import Picture, dates, library, series, values
from ratingcore.report.thinning import spread

PERIODS, MARKS = 90, 8
"""Periods of a picture, and how many of them carry a mark."""


def over_time(
    title: str, rows: Sequence[Mapping[str, Any]], names: Mapping[str, str], y: str, from_zero: bool
) -> list[Picture]:
    """One picture with a curve for each column of `names`; none if the rows have no number to draw.

    Parameters
    ----------
    rows : sequence of rows with a time `at`
        One row a period, in order.
    names : mapping of str to str
        What the legend calls each column.
    y : str
        Title of the axis.
    from_zero : bool
        Whether the axis begins at 0.
    """
    alt = library()
    rows = [rows[n] for n in spread(len(rows), PERIODS).tolist()]
    drawn = {column: name for column, name in names.items() if any(row.get(column) is not None for row in rows)}
    if not drawn:
        return []
    marked = set(spread(len(rows), MARKS).tolist())
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


def _spelt(cell: Any) -> str:
    return "unknown" if cell is None else f"{cell:.5g}"
