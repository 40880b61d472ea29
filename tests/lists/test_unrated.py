"""A list on which everybody is unrated says why."""

import pytest

import ratingcore as rc
from tests.log.making import game


@pytest.mark.parametrize(
    ("method", "word"), [("elo:entry=trial(5)", "entry=trial(5,"), ("elo:preset=fide", "unrated=skip")]
)
def test_a_list_on_which_everybody_is_unrated_says_why(method: str, word: str) -> None:
    with rc.open(":memory:") as engine:
        engine.record(game("g-1"))
        made = engine.rating_list("rapid", method).provenance
        assert word in made.unrated
        assert "no seed gives one" in made.unrated
        assert any(line.startswith("nobody is rated: elo") for line in made.lines())
        assert engine.rating_list("rapid", "elo").provenance.unrated == ""
        rated = rc.RatingSeeded(pool="rapid", played="2024-01-01", player="ann", values={"rating": 1700.0})
        engine.record(rated)
        assert engine.rating_list("rapid", method).provenance.unrated == ""


def test_a_pool_that_is_rated_as_a_whole_is_said_not_to_suffice() -> None:
    """The sentence spoke of first ratings and of seeds, which these methods do not have."""
    with rc.open(":memory:") as engine:
        engine.record(game("g-1"))
        made = engine.rating_list("rapid", "bradley-terry").provenance
        assert made.unrated == (
            "bradley-terry rates a pool as a whole, and the results of this one do not suffice; 2 of status reducible"
        )


def test_a_rule_with_a_history_says_once_what_all_its_steps_have() -> None:
    with rc.open(":memory:") as engine:
        engine.record(game("g-1"))
        why = engine.rating_list("rapid", "book:fide-standard").provenance.unrated
        assert why.startswith("elo (unrated=skip) gives a first rating")
