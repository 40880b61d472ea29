"""The plugin ingo: the Ingo numbers of German chess before 1993, and of xiangqi since."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_ingo.ingo import Ingo

__all__ = ["Ingo"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Ingo]
