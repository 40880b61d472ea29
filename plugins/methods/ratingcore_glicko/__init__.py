"""The plugin glicko: Glickman's ratings with deviations, Glicko and Glicko-2, by period and game by game."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_glicko.glicko import Glicko
from ratingcore_glicko.glicko2 import Glicko2

__all__ = ["Glicko", "Glicko2"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Glicko, Glicko2]
