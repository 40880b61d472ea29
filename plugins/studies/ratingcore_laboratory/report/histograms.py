"""Histograms of true and estimated ratings, a panel for each contender."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Any

from ratingcore.plugin.reports import COLOURS, INK, Picture, Table, library, numbers, values


def histograms(table: Table, contenders: Sequence[str]) -> list[Picture]:
    """Estimated ratings as bars, true ones as the line over them."""
    panels = []
    for name in contenders:
        rows = [row for row in table if row["contender"] == name]
        if rows:
            panels.append(_panel(name, rows))
    return panels


def _panel(name: str, rows: Sequence[dict[str, Any]]) -> Picture:
    alt = library()
    low, high = numbers(rows, "low"), numbers(rows, "high")
    estimated, true = numbers(rows, "estimated"), numbers(rows, "true")
    kinds = ["estimated", "true"]
    colours = alt.Scale(domain=kinds, range=[COLOURS[0], INK])
    colour = alt.Color("kind:N", scale=colours, legend=alt.Legend(symbolType="square", symbolOpacity=1))
    y = alt.Y("players:Q", title="players", scale=alt.Scale(zero=True), axis=alt.Axis(tickMinStep=1))
    scale = alt.Scale(domain=[low[0], high[-1]], nice=False, zero=False)
    x = alt.X("low:Q", title="rating, points", scale=scale, axis=alt.Axis(values=_ticks(low[0], high[-1])))
    bars = alt.Chart(
        values(
            {"low": low, "high": high, "players": estimated, "none": [0] * len(rows), "kind": ["estimated"] * len(rows)}
        )
    ).mark_rect(opacity=0.45, stroke="#ffffff", strokeWidth=0.5)
    bars = bars.encode(x=x, x2="high:Q", y=y, y2="none:Q", color=colour)
    steps = {"low": [low[0], *low, high[-1]], "players": [0.0, *true, 0.0], "kind": ["true"] * (len(rows) + 2)}
    steps["n"] = list(range(len(rows) + 2))
    line = alt.Chart(values(steps)).mark_line(interpolate="step-after", strokeWidth=1.6)
    line = line.encode(x=x, y=y, color=colour, order="n:Q")
    text = (
        f"Ratings of {sum(estimated):.0f} players under {name}: estimated from {_span(low, high, estimated)}, "
        f"true from {_span(low, high, true)}."
    )
    return Picture(name, text, alt.layer(bars, line))


def _span(low: Sequence[float], high: Sequence[float], count: Sequence[float]) -> str:
    used = [n for n, x in enumerate(count) if x]
    return f"{low[used[0]]:.0f} to {high[used[-1]]:.0f}" if used else "nowhere"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers along an axis, none so near its end that it would be cut off."""
    power = 10.0 ** floor(log10(high - low))
    step = next(power * part for part in (0.2, 0.5, 1, 2) if (high - low) / (power * part) <= 6)
    return [step * n for n in range(ceil(low / step), floor((high - 0.08 * (high - low)) / step) + 1)]
