"""The plugin elo: Elo's rating, game by game or period by period."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_elo.elo import Elo

__all__ = ["Elo"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    """The methods of this plugin."""
    return [Elo]
