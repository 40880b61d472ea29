"""The plugin football: ratings of national teams, as FIFA publishes them and as the World Football Elo Ratings do."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_football.fifa import Fifa
from ratingcore_football.world import WorldFootballElo

__all__ = ["Fifa", "WorldFootballElo"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Fifa, WorldFootballElo]
