"""A club with a season of results, whose lists are published."""

from typing import Any

import pytest

from ratingcore.engine import Engine
from ratingcore.events import Event
from ratingcore.lists import RatingList
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import game, seed

REGISTRY = Registry.installed()


def engine(*events: Event, registry: Registry = REGISTRY) -> Engine:
    made = Engine(SqliteLog(":memory:"), registry)
    if events:
        made.record(*events)
    return made


@pytest.fixture
def eng() -> Engine:
    return engine(
        game(1, "ann", "bo", uid="g-1"), game(20, "bo", "cy", 0.5, uid="g-2"), game(50, "cy", "ann", 0.0, uid="g-3"),
        seed(0, "bo", 1600.0, uid="s-1"), game(51, "bobby", "dee", uid="g-4"),
    )  # fmt: skip


def told(found: RatingList) -> tuple[Any, ...]:
    """Everything a list says, byte for byte."""
    return found.provenance, list(found), found.digest, found.seal, [found.document(f) for f in ("csv", "json")]
