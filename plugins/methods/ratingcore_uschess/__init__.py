"""The plugin uschess: the ratings of the US Chess Federation, an event at a time."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_uschess.uschess import EarlierUsChess, UsChess

__all__ = ["EarlierUsChess", "UsChess"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [UsChess, EarlierUsChess]
