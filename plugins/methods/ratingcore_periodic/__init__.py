"""The plugin periodic: at the end of every period the performance rating replaces the rating."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_periodic.periodic import Periodic

__all__ = ["Periodic"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Periodic]
