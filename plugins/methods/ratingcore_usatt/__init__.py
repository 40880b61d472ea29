"""The plugin usatt: ratings of USA Table Tennis."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_usatt.usatt import Usatt

__all__ = ["Usatt"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Usatt]
