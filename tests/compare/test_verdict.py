"""The first line of a comparison follows the intervals, and says how the best was chosen."""

import pytest

from ratingcore.compare.pairs import Paired
from ratingcore.compare.uncertainty import Estimate
from ratingcore.compare.verdict import answer, not_told_apart


def against(other: str, mean: float, error: float = 0.01) -> Paired:
    return Paired("one", other, Estimate(900, mean, error, error, error, 60, 60, 60.0, 60.0), None)


def test_the_best_of_two_is_named_with_its_margin() -> None:
    told = answer("one", 0.59, [against("two", 0.05)], "two", "900 games")
    assert told == "one forecasts best: log loss 0.5900 over 900 games; better than two by 0.0500 ± 0.0200 nats a game"


def test_nothing_is_best_where_an_interval_holds_zero() -> None:
    told = answer("one", 0.59, [against("two", 0.001), against("three", 0.2)], "three", "900 games")
    assert told == (
        "no difference can be told from 900 games: one has the least log loss, 0.5900, but one and two are not "
        "distinguishable: +0.0010 ± 0.0200 nats a game"
    )
    assert "best" not in told


def test_the_best_of_several_is_said_to_be_chosen_by_looking() -> None:
    told = answer("one", 0.59, [against("two", 0.05), against("three", 0.2)], "two", "900 games")
    assert told.endswith("nats a game, and better than each of the 2 others, all taken together (Holm)")


def test_what_would_tell_two_apart_does_not_tell_the_best_of_many() -> None:
    several = [against(str(number), 0.0215) for number in range(5)]
    assert not_told_apart("one", several[:1]) == []
    assert not_told_apart("one", several) == several
    assert "too little for the best of several" in answer("one", 0.59, several, "0", "900 games")


@pytest.mark.parametrize("p", [(0.01, 0.02, 0.03), (0.04, 0.001, 0.02), (0.012, 0.016, 0.04), (0.2, 0.2, 0.2)])
def test_statsmodels_adjusts_for_several_in_the_same_way(p: tuple[float, ...]) -> None:
    from scipy.special import stdtrit
    from statsmodels.stats.multitest import multipletests

    pairs = [against(str(number), -float(stdtrit(59, value / 2)) * 0.01) for number, value in enumerate(p)]
    rejected = multipletests(p, alpha=0.05, method="holm")[0].tolist()
    assert [pair not in not_told_apart("one", pairs) for pair in pairs] == rejected


def test_too_few_players_tell_nothing() -> None:
    few = Paired("one", "two", Estimate(90, 0.5, None, None, None, 5, 60, 5.0, 60.0), None)
    assert "an interval needs ten players and ten months" in answer("one", 0.59, [few], "two", "90 games")
