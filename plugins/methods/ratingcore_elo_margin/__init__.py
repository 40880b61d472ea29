"""The plugin elo-margin: Elo that looks at margins of victory, home advantage and seasons."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_elo_margin.elo_margin import EloMargin

__all__ = ["EloMargin"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [EloMargin]
