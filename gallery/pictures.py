"""The chart of an archive, as SVG: how far each method is behind the best."""

from collections.abc import Iterator
from statistics import median

from markupsafe import Markup, escape
from ratingcore_pages.curves import ticks

from gallery.comparing import Result, Row

_WIDTH, _LEFT, _RIGHT, _TOP, _LINE, _BOTTOM = 360, 128, 14, 6, 15, 20


def behind(result: Result) -> Markup:
    """Draws how far each method is behind the best, with intervals; those not significantly worse in another colour."""
    axis = _Axis(result)
    height = _TOP + _LINE * len(result.rows) + _BOTTOM
    parts = [
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" aria-hidden="true" focusable="false">',
        *_grid(axis, height),
        *(part for n, row in enumerate(result.rows) for part in _row(axis, row, _TOP + _LINE * n + _LINE / 2, n == 0)),
        "</svg>",
    ]
    return Markup("".join(parts))  # only our own numbers, and escaped names


class _Axis:
    """The axis: from a little below zero to where most methods are; a method beyond it becomes an arrow."""

    def __init__(self, result: Result) -> None:
        others = result.rows[1:]
        ends = [row.behind + row.behind_margin for row in others]
        self.high = max(min(max(ends), 3.0 * median(ends)), 1e-3) if ends else 1.0
        self.low = max(min([row.behind - row.behind_margin for row in others] + [0.0]), -self.high) - 0.02 * self.high

    def x(self, behind: float) -> float:
        """Returns the horizontal place of a number, limited to the chart."""
        share = (min(max(behind, self.low), self.high) - self.low) / (self.high - self.low)
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)


def _grid(axis: _Axis, height: int) -> Iterator[str]:
    low = height - _BOTTOM
    for tick in ticks(axis.low, axis.high):
        x, mark = axis.x(tick), "zero" if abs(tick) < 1e-12 else "grid"
        yield f'<line class="{mark}" x1="{x}" x2="{x}" y1="{_TOP}" y2="{low}"/>'
        yield f'<text class="middle" x="{x}" y="{height - 6}">{0.0 if mark == "zero" else tick:g}</text>'


def _row(axis: _Axis, row: Row, y: float, best: bool) -> Iterator[str]:
    yield f'<text class="name" x="{_LEFT - 5}" y="{y + 3:g}">{escape(row.label)}</text>'
    if best:
        yield f'<circle class="first" cx="{axis.x(0.0)}" cy="{y:g}" r="3"/>'
        return
    tone = "" if row.apart else " level"
    if row.behind > axis.high:
        x = _WIDTH - _RIGHT
        yield f'<path class="point{tone}" d="M{x} {y - 4:g}l7 4l-7 4z"/>'
        return
    ends = (axis.x(row.behind - row.behind_margin), axis.x(row.behind + row.behind_margin))
    yield f'<line class="bar{tone}" x1="{ends[0]}" x2="{ends[1]}" y1="{y:g}" y2="{y:g}"/>'
    yield f'<circle class="point{tone}" cx="{axis.x(row.behind)}" cy="{y:g}" r="2.5"/>'
