"""The plugin elo-points: Elo's formula on points, won against expectation."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_elo_points.elo_points import EloPoints

__all__ = ["EloPoints"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [EloPoints]
