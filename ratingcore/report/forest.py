"""Forest plots: numbers with their intervals, one below the other."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ratingcore.report.style import COLOURS, INK, QUIET, library, padded, values

if TYPE_CHECKING:
    from ratingcore.report.style import Chart

STEP = 38
"""Pixels of a row: the name stands over its interval, so that long names have room on a narrow page."""


def forest(
    names: Sequence[str],
    point: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    title: str,
    *,
    zero: bool = False,
) -> "Chart":
    """A chart with a dot and a bar for each name, top down; with `zero`, a dashed line at 0."""
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
