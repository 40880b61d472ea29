"""Pictures of measures by round: a curve for each contender, with a band over the seeds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ratingcore.plugin.reports import COLOURS, FEW, Picture, Table, evenly, library, series, values

POINTS, MARKS = 120, 8
"""Rounds of a curve, and how many of them carry its shape."""


def banded(
    title: str, table: Table, measure: str, y: str, contenders: Sequence[str], dots: Sequence[Mapping[str, Any]] = ()
) -> list[Picture]:
    """One measure of the first few contenders; no picture if it is undefined throughout.

    Parameters
    ----------
    title : str
    table : Table
        The rounds of a study.
    measure : str
        Column of the measure.
    y : str
        Title of the axis, with the unit.
    contenders : sequence of str
    dots : sequence of mapping
        Published numbers to compare the curves with: contender, round, said.
    """
    alt, named = library(), list(contenders[:FEW])
    cells: dict[str, list[Any]] = {"round": [], "who": [], "value": [], "low": [], "high": [], "mark": []}
    who = np.array(table["contender"], dtype=object)
    column, low, high = (np.array(table[f"{measure}{end}"], dtype=np.float64) for end in ("", "_low", "_high"))
    number = np.array(table["round"])
    ends = []
    for place, name in enumerate(named):
        rows = np.flatnonzero((who == name) & np.isfinite(column))
        if not len(rows):
            continue
        rows = rows[evenly(len(rows), POINTS)]
        offset = place / len(named)  # marks of neighbours do not cover one another
        marked = {min(int((n + offset) * len(rows) / MARKS), len(rows) - 1) for n in range(MARKS)}
        cells["round"] += number[rows].tolist()
        cells["who"] += [name] * len(rows)
        for key, x in (("value", column), ("low", low), ("high", high)):
            cells[key] += x[rows].tolist()
        cells["mark"] += [n in marked or None for n in range(len(rows))]
        ends.append(f"{name} {column[rows[0]]:.4g} to {column[rows[-1]]:.4g}")
    if not ends:
        return []
    channels = _channels(named)
    base = alt.Chart(values(cells)).encode(x=round_axis(), color=channels["color"])
    up = alt.Y("value:Q", title=y, scale=alt.Scale(zero=False))
    layers = []
    if cells["low"] != cells["high"]:
        layers.append(base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", title=y), y2="high:Q"))
    layers.append(base.mark_line(strokeWidth=1.7).encode(y=up, strokeDash=channels["strokeDash"]))
    marks = base.mark_point(filled=True, opacity=1, size=45).encode(y=up, shape=channels["shape"])
    layers.append(marks.transform_filter("datum.mark"))
    if dots:
        printed = {"round": [row["round"] for row in dots], "value": [row["said"] for row in dots]}
        marked_numbers = alt.Chart(values({**printed, "who": [row["contender"] for row in dots]}))
        layers.append(
            marked_numbers.mark_point(filled=False, opacity=1, size=130, strokeWidth=1.6).encode(
                x=round_axis(), y=up, color=channels["color"], shape=channels["shape"]
            )
        )
    last = int(max(cells["round"]))
    text = f"{title}, from round {int(min(cells['round']))} to {last}: {', '.join(ends)}."
    return [Picture(title, text, alt.layer(*layers))]


def _channels(names: Sequence[str]) -> dict[str, Any]:
    """Channels with a legend as dark as the curves, not as pale as the bands."""
    channels = series("who", names)
    for channel in channels.values():
        if channel["legend"] is not None:
            channel["legend"]["symbolOpacity"] = 1
            if max(map(len, names)) <= 6:
                channel["legend"]["columns"] = len(names)
    return channels


def round_axis() -> Any:
    """An axis of rounds."""
    alt = library()
    return alt.X("round:Q", title="round", scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickMinStep=1))


def people(table: Table, contenders: Sequence[str]) -> list[Picture]:
    """Active players by round, the same for all contenders."""
    alt = library()
    rows = [row for row in table if row["contender"] == contenders[0] and row["active"] is not None]
    rows = [rows[n] for n in evenly(len(rows), POINTS).tolist()]
    if not rows:
        return []
    cells = {"round": [row["round"] for row in rows], "active": [row["active"] for row in rows]}
    chart = alt.Chart(values(cells)).mark_line(color=COLOURS[0], strokeWidth=1.7)
    chart = chart.encode(x=round_axis(), y=alt.Y("active:Q", title="players", scale=alt.Scale(zero=True)))
    text = f"Active players, from {cells['active'][0]:.0f} after round 1 to {cells['active'][-1]:.0f} at the end."
    return [Picture("Active players", text, chart)]
