"""What methods whose deviations grow by the day promise alike: from the day of a seed on, and through the last day."""

from typing import Any

import pytest

from ratingcore.engine import Engine
from ratingcore.events import Event
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import POOL, game, seed, session

INSTALLED = Registry.installed()
GROWING = [
    "glicko:period=none,days=1,c=2", "chess-bayes:drift_var=4", "chess-bayes:model=davidson,drift_var=4",
    "bridge-bayes:drift_var=4", "bridge-bayes:drift_var=4,tracking=full",
]  # fmt: skip
"""Methods of which a variance grows by 4 a day, and which a seed begins anew."""

Listed = dict[str, tuple[Any, Any]]


def listed(text: str, *events: Event, through: str | None = None) -> Listed:
    """Rating and deviation of every player."""
    with Engine(SqliteLog(":memory:"), INSTALLED) as engine:
        engine.record(*events)
        rows = list(engine.rating_list(POOL, text, through=through))
    return {str(row["player"]): (row["rating"], row["deviation"]) for row in rows}


def beaten(text: str, day: float, pairs: str = "ab cd", score: float = 0.55) -> Event:
    """A result of the day: of one pair against another, or of the first player against the next."""
    if text.startswith("bridge"):
        one, other = pairs.split()
        return session(day, (one, 100.0 * score), (other, 100.0 - 100.0 * score))
    return game(day, pairs[0], pairs[1], 1.0 if score > 0.5 else 0.0)


def seeds(day: float, deviation: float) -> list[Event]:
    return [seed(day, player, values={"rating": 1500.0, "deviation": deviation}) for player in "abcd"]


@pytest.mark.parametrize("text", GROWING)
def test_a_deviation_from_a_seed_grows_from_its_own_day(text: str) -> None:
    """It stayed at 60 on a list of seeds alone and until the first result, and again after a seed between results."""
    grown = (60.0**2 + 4.0 * 50.0) ** 0.5
    for earlier in ((), (beaten(text, -10), beaten(text, -5, "ac bd", 0.48))):
        idle = listed(text, *earlier, *seeds(0, 60.0), through="1970-02-20")
        assert [deviation for _, deviation in idle.values()] == pytest.approx([grown] * 4, abs=1e-4)
        early, late = (listed(text, *earlier, *given, beaten(text, 50)) for given in (seeds(0, 60.0), seeds(50, grown)))
        assert early == late


@pytest.mark.parametrize("text", [*GROWING, "glicko2:period=none,days=1", "whr", "trueskill-through-time"])
def test_the_list_through_the_last_day_is_the_list_of_everything(text: str) -> None:
    """It had nearly a day's growth more in every deviation."""
    results = [beaten(text, 0.25), beaten(text, 9.5)]
    everything, last, next_day = (listed(text, *results, through=day) for day in (None, "1970-01-10", "1970-01-11"))
    assert everything == last
    assert next_day["a"][1] > last["a"][1]
