"""The plugin elo: Elo's rating, game by game or period by period, by the rules of federations."""

from collections.abc import Callable, Mapping

from ratingcore.plugin import Method, hookimpl
from ratingcore.plugin.rules import KRule
from ratingcore_elo.elo import Elo
from ratingcore_elo.federation.grades import TABLES
from ratingcore_elo.federation.list_rules import ListFloor
from ratingcore_elo.federation.players import UnratedPolicy

__all__ = ["Elo", "KRule", "ListFloor", "UnratedPolicy"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [Elo]


@hookimpl
def ratingcore_grades() -> Mapping[str, Callable[[float], str | int | None]]:
    """Functions from a rating to its grade, by table."""
    return TABLES
