"""Curves of ratings as SVG, sized for telephones and coloured by the style sheet; pages also show a table."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from math import ceil, floor, log10
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

MOST = 360
"""Largest number of points of a curve."""
CURVES = 8
"""Largest number of curves in one picture: the number of colours and dashes in the style sheet."""

APART = 12
"""Least distance of two marked days in units: of closer days, only the later one is marked."""

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 420, 170, 48, 10, 16, 24
_LINE = 15
"""Height of a line of text."""
_NAMED = 8.5
"""Approximate width of a letter."""
_CAPTION = 20
"""Height of the line above a picture in which a dot is described."""
_HIDDEN = ' aria-hidden="true"'
_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
_DAYS = 62
"""Days up to which a time axis has days rather than months."""


Points = NDArray[np.float64]
"""Points of a curve, a row each: an instant in microseconds since 1970 or a number of games, and a rating."""


class Mark(NamedTuple):
    """A vertical line across a picture, with its label."""

    at: float
    label: str


class Dot(NamedTuple):
    """A point of a curve that is a link, with a text shown while it is hovered over or focused."""

    at: float
    rating: float
    address: str
    label: str


def thinned(points: Points, most: int = MOST) -> Points:
    """Thins out a long curve: keeps the first and the last point, and the lowest and highest of each stretch.

    Examples
    --------
    >>> curve = np.array([*enumerate([0, 1, 9, 1, 0, 1, -9, 1, 0, 1])], dtype=np.float64)
    >>> thinned(curve, 4)[:, 1].tolist()
    [0.0, 9.0, 1.0, -9.0, 1.0]
    """
    if len(points) <= most:
        return points
    stretches = max(most // 2, 1)
    ends = [round(n * len(points) / stretches) for n in range(stretches + 1)]
    rating, kept = points[:, 1], {0, len(points) - 1}
    for first, last in pairwise(ends):
        stretch = rating[first:last]
        kept |= {first + int(stretch.argmin()), first + int(stretch.argmax())}
    return points[sorted(kept)]


def ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Returns round numbers between two ends of an axis.

    Examples
    --------
    >>> ticks(1483.0, 1702.0)
    [1500.0, 1550.0, 1600.0, 1650.0, 1700.0]
    """
    power = 10.0 ** floor(log10(max(high - low, 1e-9) / about))
    step = next((power * factor for factor in (1, 2, 5) if (high - low) / (power * factor) <= about + 1), power * 10)
    return [step * n for n in range(ceil(low / step), floor(high / step) + 1)]


def curves(
    series: Sequence[Points],
    marks: Sequence[Mark] = (),
    *,
    by_game: bool = False,
    band: Points | None = None,
    peak: tuple[float, float] | None = None,
    dots: Sequence[Dot] = (),
    places: bool = False,
    numbered: bool = False,
) -> Markup:
    """Draws step curves in one picture, distinguished by colour and dash; empty if no curve has two points.

    Parameters
    ----------
    series : sequence of (n, 2) float64
        At most `CURVES`, each in order of its instants or games.
    marks : sequence of Mark
        Days to mark; those outside the curves, or less than `APART` before a later one, are left out.
    by_game : bool
        Whether the horizontal axis counts games; otherwise it is time.
    band : (n, 3) float64 or None
        The lower and the upper end of a band at instants.
    peak : (float, float) or None
        The instant and the rating of a point to ring.
    dots : sequence of Dot
        Points that are links.
    places : bool
        Whether the values are places, with the first at the top.
    numbered : bool
        Whether each curve has its number, from 1, at its end.
    """
    if places:
        series = [points * (1.0, -1.0) for points in series]
    every = [points for points in series if len(points)]
    if sum(map(len, every)) < 2:
        return Markup()
    wide = [] if band is None or not len(band) else [band[:, :2], band[:, ::2]]
    (first, low), (last, high) = (
        of([of(points, axis=0) for points in [*every, *wide]], axis=0).tolist() for of in (np.min, np.max)
    )
    room = max((high - low) * 0.06, abs(high) * 1e-3, 1e-3)
    frame = _Frame(first, max(last, first + 1), low - room, high + room)
    labels = [(n, f"{n:g}") for n in ticks(first, last)] if by_game else list(_days(frame))
    top = -_CAPTION if dots else 0
    parts = [
        f'<svg class="chart" viewBox="0 {top} {_WIDTH} {_HEIGHT - top}" focusable="false"'
        f"{'' if dots else _HIDDEN}><g{_HIDDEN}>",
        *(_grid(frame, _places(frame), -1) if places else _grid(frame, ticks(frame.low, frame.high))),
        *_axis(frame, labels),
        *_marked(frame, marks),
        *(_band(frame, *wide) if wide else ()),
        *(_curve(frame, points, number) for number, points in enumerate(series[:CURVES]) if len(points)),
        f'<circle class="peak" r="4" cx="{frame.x(peak[0])}" cy="{frame.y(peak[1])}"/>' if peak else "",
        *(_numbers(frame, series[:CURVES]) if numbered else ()),
        "</g>",
        *(_dot(frame, dot) for dot in dots),
        "</svg>",
    ]
    return Markup("".join(parts))  # only our own numbers and escaped labels


def bars(heights: Sequence[tuple[str, int]], across: float = 0.5) -> Markup:
    """Draws counts as bars from left to right, each with its label at a share of its width; empty without counts.

    Examples
    --------
    >>> str(bars([("1400", 3), ("1500", 5)])).count("<rect")
    2
    """
    if not heights:
        return Markup()
    frame = _Frame(0.0, float(len(heights)), 0.0, max(max(height for _, height in heights), 1) * 1.06)
    labels = [(n + across, str(escape(label))) for n, (label, _) in enumerate(heights) if label]
    wide, low = frame.x(1) - frame.x(0), frame.y(0.0)
    drawn = (
        f'<rect class="bar" x="{frame.x(n + 0.1)}" width="{round(wide * 0.8, 1)}" y="{frame.y(height)}" '
        f'height="{round(low - frame.y(height), 1)}"/>'
        for n, (_, height) in enumerate(heights)
    )
    head = f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" focusable="false"{_HIDDEN}>'
    whole = [level for level in ticks(frame.low, frame.high) if level == round(level)]
    return Markup("".join([head, *_grid(frame, whole), *_axis(frame, labels), *drawn, "</svg>"]))  # escaped labels


def spark(levels: Sequence[float], most: int) -> Markup:
    """Draws a curve of the size of a word through some levels, newest at the right; empty for fewer than two.

    Examples
    --------
    >>> print(spark([1500.0, 1520.0], 3))
    <svg class="spark" viewBox="0 0 60 16" aria-hidden="true"><path d="M30 14l30-12"/></svg>
    """
    if len(levels) < 2:
        return Markup()
    low, high = min(levels), max(levels)
    step, first = 60 / (most - 1), most - len(levels)
    heights = [round(14 - 12 * ((level - low) / (high - low) if high > low else 0.5)) for level in levels]
    places = [round((first + n) * step) for n in range(len(levels))]
    steps = zip(np.diff(places).tolist(), np.diff(heights).tolist(), strict=True)
    path = " ".join(f"{x} {y}" for x, y in steps).replace(" -", "-")
    drawn = f'<path d="M{places[0]} {heights[0]}l{path}"/>'
    return Markup(f'<svg class="spark" viewBox="0 0 60 16" aria-hidden="true">{drawn}</svg>')  # only our own numbers


class _Frame(NamedTuple):
    """The range of the axes of a picture, and the places of numbers or arrays on it."""

    first: float
    last: float
    low: float
    high: float

    def across(self, at: Any) -> Any:
        return _LEFT + (at - self.first) / (self.last - self.first) * (_WIDTH - _LEFT - _RIGHT)

    def down(self, rating: Any) -> Any:
        return _HEIGHT - _BOTTOM - (rating - self.low) / (self.high - self.low) * (_HEIGHT - _TOP - _BOTTOM)

    def x(self, at: float) -> float:
        return round(float(self.across(at)), 1)

    def y(self, rating: float) -> float:
        return round(float(self.down(rating)), 1)

    def placed(self, points: Points) -> Points:
        return np.column_stack([self.across(points[:, 0]), self.down(points[:, 1])]).round(1)


def _grid(frame: _Frame, levels: Iterable[float], sign: int = 1) -> Iterator[str]:
    for level in levels:
        y = frame.y(level)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{_LEFT - 4}" y="{y + 3:g}" class="end">{sign * level:g}</text>'


def _places(frame: _Frame) -> list[float]:
    """Returns the levels of the first place and of some others; they are below 0, so that the first is at the top."""
    levels = {-1.0, *ticks(frame.low, frame.high)}
    return [level for level in levels if frame.low < level <= min(-1.0, frame.high) and level == round(level)]


def _dot(frame: _Frame, dot: Dot) -> str:
    """Draws a link on a point; its text shows while it is hovered over or focused."""
    x, y = frame.x(dot.at), frame.y(dot.rating)
    return (
        f'<a class="at" href="{escape(dot.address)}"><circle r="6" cx="{x}" cy="{y}"/>'
        f'<text y="{6 - _CAPTION}">{escape(dot.label)}</text></a>'
    )


def _axis(frame: _Frame, labels: Sequence[tuple[float, str]]) -> Iterator[str]:
    low = _HEIGHT - _BOTTOM
    for at, label in labels:
        x = frame.x(at)
        yield f'<line class="tick" x1="{x}" x2="{x}" y1="{low}" y2="{low + 3}"/>'
        whole = min(x, _WIDTH - _NAMED * len(label) / 2)
        yield f'<text x="{whole:g}" y="{_HEIGHT - 5}" class="middle">{label}</text>'


def _marked(frame: _Frame, marks: Sequence[Mark]) -> Iterator[str]:
    left = named = float(_WIDTH + APART)
    within = [mark for mark in marks if frame.first <= mark.at <= frame.last]
    for mark in sorted(within, key=lambda mark: -mark.at):
        x = frame.x(mark.at)
        if x <= left - APART:
            left = x
            yield f'<line class="mark" x1="{x}" x2="{x}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}">'
            yield f"<title>{escape(mark.label)}</title></line>"
            half = _NAMED * len(mark.label) / 2
            if x + half <= min(named, _WIDTH) and x - half >= _LEFT:
                named = x - half - _NAMED
                yield f'<text class="middle name" x="{x}" y="{_TOP - 4}">{escape(mark.label)}</text>'


def _band(frame: _Frame, low: Points, high: Points) -> Iterator[str]:
    """Draws a band between two curves, from a sample of their points."""
    some = np.unique(np.linspace(0, len(low) - 1, min(len(low), MOST // 2)).round().astype(np.int64))
    upper, lower = (frame.placed(of[some]) for of in (high, low))
    back = _steps(lower[::-1, ::-1], "v%gh%g")
    yield f'<path class="band" d="M{upper[0, 0]} {upper[0, 1]}{_steps(upper)}V{lower[-1, 1]}{back}Z"/>'


def _curve(frame: _Frame, points: Points, number: int) -> str:
    placed = frame.placed(thinned(points))
    (left, first), (right, last) = placed[[0, -1]].tolist()
    path, end = f"M{left} {first}{_steps(placed)}", f'cx="{right}" cy="{last}"'
    return f'<path class="curve c{number}" d="{path}"/><circle class="dot c{number}" r="2.5" {end}/>'


def _steps(placed: Points, form: str = "h%gv%g") -> str:
    """Returns the steps of a path from place to place; tenths, so that no error adds up."""
    steps = np.diff(placed, axis=0).round(1) + 0.0  # no minus zeros
    return form * len(steps) % tuple(steps.ravel().tolist())


def _numbers(frame: _Frame, series: Sequence[Points]) -> Iterator[str]:
    """Draws the number of each curve at the right, as close to its end as possible (least squares) without overlap."""
    ends = sorted((frame.y(float(points[-1, 1])), n) for n, points in enumerate(series, 1) if len(points))
    blocks = list[list[float]]()
    for place, (y, _) in enumerate(ends):
        blocks.append([y - place * _LINE])
        while len(blocks) > 1 and fmean(blocks[-2]) > fmean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    lowest = _HEIGHT - _BOTTOM - (len(ends) - 1) * _LINE
    tops = [min(max(fmean(block), _TOP), lowest) for block in blocks for _ in block]
    for place, (top, (_, n)) in enumerate(zip(tops, ends, strict=True)):
        yield f'<text x="{_WIDTH - 1}" y="{top + place * _LINE + 4:.1f}" class="end">{n}</text>'


def month_step(months: int) -> int:
    """Returns the number of months from label to label of an axis that is some months long."""
    return next((step for step in (1, 2, 3, 6, 12, 24, 60, 120, 240) if months / step <= 5), 600)


def _days(frame: _Frame) -> Iterator[tuple[float, str]]:
    """Yields about four days, or first days of months or years, along a time axis, with labels."""
    first, last = (datetime.fromtimestamp(at / _SECOND, UTC) for at in (frame.first, frame.last))
    if (last - first).days < _DAYS:
        start, end = ceil(frame.first / _DAY), floor(frame.last / _DAY)
        for day in range(start, end + 1, (end - start) // 4 + 1):
            yield float(day * _DAY), f"{datetime.fromtimestamp(day * _DAY / _SECOND, UTC):%Y-%m-%d}"
        return
    months = (last.year - first.year) * 12 + last.month - first.month
    step = month_step(months)
    for month in range(first.year * 12 // step * step, last.year * 12 + 12, step):
        year, of_year = divmod(month, 12)
        at = datetime(max(year, 1), of_year + 1, 1, tzinfo=UTC).timestamp() * _SECOND
        if frame.first <= at <= frame.last:
            yield at, str(year) if step >= 12 else f"{year}-{of_year + 1:02d}"
