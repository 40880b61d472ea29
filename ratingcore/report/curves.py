"""Pictures of the ratings of players over time, a panel a method, because methods have different scales."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ratingcore.columns.arrays import Floats, Ints
from ratingcore.report.style import FEW, Picture, dates, library, series, values
from ratingcore.report.table import Table
from ratingcore.report.thinning import spread, thinned

BAND = 2
"""Deviations that a band reaches, either way."""
POINTS, MARKS = 120, 8
"""Points of a curve, and how many of them carry its shape."""


def curves(table: Table) -> list[Picture]:
    """A panel a method with a curve a player, the first few players only.

    Where the table has deviations each curve stands in a band of two of them either way.
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
            pictures.append(_panel(str(one), named, drawn, at, rating, deviation))
    return pictures


def _panel(
    method: str, named: Sequence[str], drawn: Sequence[tuple[str, Ints]], at: Any, rating: Floats, deviation: Floats
) -> Picture:
    alt = library()
    cells: dict[str, list[Any]] = {"player": [], "at": [], "rating": [], "mark": [], "low": [], "high": []}
    for name, rows in drawn:
        points = rows[thinned(rating[rows], POINTS)]
        marked = set(spread(len(points), MARKS).tolist())
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
