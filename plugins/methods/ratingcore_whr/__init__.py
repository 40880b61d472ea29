"""The plugin whr: Whole-History Rating, the strength of each player on every day they played."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_whr.whr import EarlierWhr, Whr

__all__ = ["EarlierWhr", "Whr"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Whr, EarlierWhr]
