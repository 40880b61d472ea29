"""Burn-in: which games it leaves out, and how it is spelt."""

import pytest

from ratingcore.compare.burn_in import BurnIn
from ratingcore.compare.forecasts import forecast
from ratingcore.compare.scores import binary, scores
from ratingcore.errors import BadValue
from tests.columns.making import POOL, engine, game
from tests.compare.making import games_of, league
from tests.compare.test_forecasts import eng_method


@pytest.mark.parametrize(
    ("text", "scored"),
    [("none", 5), ("games(2)", 3), ("games(9)", 0), ("each(1)", 3), ("each(2)", 1), ("days(3)", 2), ("days(0)", 5)],
)
def test_burn_in_leaves_games_out_of_the_scores(text: str, scored: int) -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"), game(3, "b", "c"), game(4, "c", "a"), game(5, "a", "b"))
    played, which = games_of(eng), BurnIn.parse(text).scored(games_of(eng))
    found = scores(forecast(eng_method("elo"), eng.view(POOL)), played, which)
    assert (found.n, found.left_out, found.unrated) == (scored, 5 - scored, 0)


def test_what_burns_in_is_rated_all_the_same() -> None:
    eng = league(100)
    played, found = games_of(eng), forecast(eng_method("elo"), eng.view(POOL))
    which = BurnIn.parse("games(60)").scored(played)
    assert scores(found, played, which)._replace(left_out=0) == binary(found.expected[60:], played.score[60:])


@pytest.mark.parametrize("text", ["", "games", "games(x)", "weeks(3)", "none(1)", "days(-1)", "each(1.5)"])
def test_a_burn_in_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="burn-in"):
        BurnIn.parse(text)


@pytest.mark.parametrize("text", ["none", "games(10)", "each(3)", "days(365)"])
def test_a_burn_in_is_spelt_as_it_is_read(text: str) -> None:
    assert str(BurnIn.parse(text)) == text
