"""The plugin dwz: the Deutsche Wertungszahl, the German federation's chess rating."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_dwz.dwz import Dwz, EarlierDwz

__all__ = ["Dwz", "EarlierDwz"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Dwz, EarlierDwz]
