"""Lists of small pools, made from their results."""

from typing import Any

from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.lists import RatingList
from ratingcore.registry import Registry
from tests.columns.making import POOL, engine, seed

REGISTRY = Registry.installed()


def listed(eng: Engine, method: Any = None, **cuts: Any) -> RatingList:
    return eng.rating_list(POOL, REGISTRY.method(method or Elo()), **cuts)


def seeded(**values: float) -> Engine:
    """An engine on a log of seeds, a day each."""
    return engine(*(seed(day, player, rating) for day, (player, rating) in enumerate(values.items())))
