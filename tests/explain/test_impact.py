"""What an impact says of two replays: who moved, in which order, and what it comes to."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.explain.impact import COLUMNS, Impact
from ratingcore.methods.state import State
from ratingcore.replay import Replay
from tests.columns.making import POOL, engine, game

PLAYERS = ("ann", "bo", "cy", "dee")


@pytest.fixture
def pool() -> Engine:
    """Four players, who appeared in this order."""
    return engine(game(1, "ann", "bo"), game(2, "cy", "dee"))


def rated(pool: Engine, *rating: float, at: int | None = None) -> Replay:
    """A replay that ended with these ratings."""
    replay = pool.core.replay(POOL, Elo())
    return evolve(replay, state=State({"rating": np.array(rating)}), at=replay.at if at is None else at)


def between(pool: Engine, without: Replay | None, with_it: Replay | None) -> Impact:
    return Impact.between("g", POOL, without, with_it, lambda ids: pool.log.book.keys(ids.tolist()))


def test_one_bit_is_enough_to_have_moved(pool: Engine) -> None:
    least = float(np.nextafter(1500.0, 2000.0))
    found = between(pool, rated(pool, 1500.0, 1500.0, 1490.0, 1480.0), rated(pool, 1500.0, least, 1490.0, 1480.0))
    assert (found.player, found.change.tolist(), found.same) == (("bo",), [least - 1500.0], 3)
    assert found.listed == 0  # no digit of the list shows it
    assert found.lines()[0] == "g moves 1 of 4 players in pool club, as of 1970-01-03, 0 of them as listed"


def test_the_largest_change_comes_first_and_equal_ones_by_name(pool: Engine) -> None:
    found = between(pool, rated(pool, 1500.0, 1500.0, 1500.0, 1500.0), rated(pool, 1504.0, 1496.0, 1510.0, 1504.0))
    assert found.player == ("cy", "ann", "bo", "dee")
    assert found.change.tolist() == [10.0, 4.0, -4.0, 4.0]
    assert (found.total, found.mean, found.mean_size, found.listed) == (14.0, 3.5, 5.5, 4)


def test_ranks_are_shared_and_counted_over_all_players(pool: Engine) -> None:
    found = between(pool, rated(pool, 1600.0, 1500.0, 1500.0, 1400.0), rated(pool, 1600.0, 1500.0, 1650.0, 1600.0))
    assert found.player == ("dee", "cy")
    assert (found.rank_without.tolist(), found.rank_with.tolist()) == ([4, 2], [2, 1])


def test_who_has_no_rating_on_one_side_comes_first_and_has_no_change(pool: Engine) -> None:
    nan = float("nan")
    found = between(pool, rated(pool, nan, 1500.0, nan, 1480.0), rated(pool, 1400.0, nan, nan, 1490.0))
    assert [dict(row) for row in found] == [
        dict(zip(COLUMNS, row, strict=True))
        for row in (
            ("ann", None, 2, None, 1400.0, None),
            ("bo", 1, None, 1500.0, None, None),
            ("dee", 2, 1, 1480.0, 1490.0, 10.0),
        )
    ]
    assert (found.total, found.mean, found.listed, found.same) == (10.0, 10.0, 3, 1)


def test_a_pool_that_was_not_there_is_nobody(pool: Engine) -> None:
    here = rated(pool, 1500.0, 1500.0, 1490.0, 1480.0)
    assert between(pool, None, here).rating_without.tolist() == pytest.approx([np.nan] * 4, nan_ok=True)
    assert between(pool, here, None).rank_with.tolist() == [0] * 4
    assert between(pool, here, here).lines() == [
        "g moves nobody of 4 players in pool club", f"method {between(pool, here, here).method}",
    ]  # fmt: skip


def test_both_sides_are_shown_on_the_later_day(pool: Engine) -> None:
    days: list[int] = []

    class Dated(Elo):
        def show(self, state: State, at: int) -> Any:
            days.append(at)
            return {"rating": state["rating"]}

    one, other = (evolve(rated(pool, 1.0, 2.0, 3.0, 4.0, at=at), method=Dated()) for at in (5, 9))
    assert between(pool, one, other).at == 9
    assert days == [9, 9]


def test_the_text_shows_the_first_and_counts_the_others() -> None:
    many = engine(*(game(1, f"p{n:02}", "zoe") for n in range(20)))
    before = many.core.replay(POOL, Elo())
    after = evolve(before, state=State({"rating": before.state["rating"] + np.arange(21.0)}))
    text = str(between(many, before, after)).splitlines()
    assert text[0].split() == list(COLUMNS)
    assert text[11] == "... and 10 more"
    assert text[12].startswith("g moves 20 of 21 players")
    assert text[13] == "sum 210, mean 10.5, mean size 10.5"
    assert len(text) == 15


def test_an_impact_that_cannot_be_says_why() -> None:
    none = Impact.none("g", "", "elo@1()", "it counts as never recorded")
    assert str(none) == "g moves nobody: it counts as never recorded"
    assert (list(none), len(none), none.total, none.mean, none.mean_size, none.listed) == ([], 0, 0.0, 0.0, 0.0, 0)
