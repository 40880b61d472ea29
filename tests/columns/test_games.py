"""Games as columns: parts, copies and replacements, and the same of sides."""

from typing import Any

import numpy as np
import pytest

from ratingcore.columns.games import Blanks, Games, Span
from ratingcore.columns.sides import Sides


def three(blanks: Blanks | None = None) -> Games:
    return Games(
        np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([1.0, 0.5, 0.0]), np.arange(3), np.arange(1, 4), Span(0, 3),
        {"k": np.array([1.0, 2.0, 3.0])}, {"born": np.array([1990.0, 1991.0, 1992.0])}, blanks=blanks,
    )  # fmt: skip


@pytest.mark.parametrize("results", [three(), Sides.of(three())], ids=["games", "sides"])
def test_what_is_replaced_is_new_and_all_else_the_same(results: Any) -> None:
    other = results.replaced(facts={"k": np.zeros(3)})
    assert other["k"].tolist() == [0.0, 0.0, 0.0]
    assert results["k"].tolist() == [1.0, 2.0, 3.0]
    assert other["born"] is results["born"]
    assert other.score is results.score
    assert type(other) is type(results)


@pytest.mark.parametrize("results", [three(), Sides.of(three())], ids=["games", "sides"])
def test_results_apart_share_no_memory_with_the_others(results: Any) -> None:
    some = results.apart(1, 3)
    assert len(some) == 2
    assert some["k"].tolist() == [2.0, 3.0]
    for name in ("score", "played", "position"):
        assert not np.shares_memory(getattr(some, name), getattr(results, name))
    assert not np.shares_memory(some["k"], results["k"])


def test_withheld_games_are_given_no_scratch_that_a_later_call_fills_again() -> None:
    blanks = Blanks(3)
    games = three(blanks)
    first = games.blank()
    blanks.rewind()
    assert np.shares_memory(games.apart(0, 3).blank(), first)
    blanks.rewind()
    assert not np.shares_memory(games.withheld().blank(), first)
