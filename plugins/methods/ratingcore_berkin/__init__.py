"""The plugin berkin: ratio ratings of a whole pool at once, and the formulas that change them result by result."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_berkin.berkin import Berkin, EarlierBerkin
from ratingcore_berkin.change_formulas import BerkinChange
from ratingcore_berkin.formulas import Performance, change, performance, points
from ratingcore_berkin.gauge import Level, Pinned
from ratingcore_berkin.solution import Solution, solve

__all__ = [
    "Berkin",
    "BerkinChange",
    "EarlierBerkin",
    "Level",
    "Performance",
    "Pinned",
    "Solution",
    "change",
    "performance",
    "points",
    "solve",
]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Berkin, EarlierBerkin, BerkinChange]
