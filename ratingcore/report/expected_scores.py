"""The picture of expected score against gap: a curve a method, in one panel."""

from typing import Any

import numpy as np

from ratingcore.report.style import FEW, Picture, library, listed, series, values
from ratingcore.report.table import Table

MARKS = 8
"""Marks on a curve that carry its shape."""
READ_AT = 200.0
"""Gap whose expected scores the description tells, in rating points."""


def expected_scores(table: Table) -> list[Picture]:
    """One panel with a curve a method, the first few methods only; none for a table without rows.

    Parameters
    ----------
    table : Table
        Columns `method`, `gap` (rating points) and `expected` (share of the point), methods one after the other.
    """
    if not len(table):
        return []
    alt = library()
    method = np.array(table["method"], dtype=object)
    gap, expected = (np.array(table[name], dtype=np.float64) for name in ("gap", "expected"))
    named = [str(name) for name in dict.fromkeys(method)][:FEW]
    cells: dict[str, list[Any]] = {"method": [], "gap": [], "expected": [], "mark": []}
    read = []
    for number, name in enumerate(named):
        rows = np.flatnonzero(method == name)
        read.append(float(expected[rows[np.argmin(np.abs(gap[rows] - READ_AT))]]))
        # curves lie close together: marks of different methods stand at different gaps
        marked = set((np.linspace(0, len(rows) - 1, MARKS * FEW + 1).astype(int)[number::FEW]).tolist())
        cells["method"] += [name] * len(rows)
        cells["gap"] += gap[rows].tolist()
        cells["expected"] += expected[rows].tolist()
        cells["mark"] += [n in marked or None for n in range(len(rows))]
    channels = series("method", named)
    base = alt.Chart(values(cells)).encode(
        x=alt.X("gap:Q", title="own rating less the opponent's, points"),
        y=alt.Y("expected:Q", title="expected score, share of the point", scale=alt.Scale(domain=[0, 1])),
        color=channels["color"],
    )
    lines = base.mark_line(strokeWidth=1.6).encode(strokeDash=channels["strokeDash"])
    marks = base.mark_point(filled=True, opacity=1, size=45).encode(shape=channels["shape"])
    text = f"Expected score against gap; at {READ_AT:g} points: {listed(named, read)}."
    alone = f": {named[0]}" if len(named) == 1 else ""  # a lone curve has no legend
    return [Picture(f"expected score against gap{alone}", text, alt.layer(lines, marks.transform_filter("datum.mark")))]
