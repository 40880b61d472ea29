"""Two methods on the same games, and the answer of a comparison."""

from math import nan

import numpy as np
import pytest

from ratingcore.compare.clusters import Clusters
from ratingcore.compare.losses import losses
from ratingcore.compare.pairs import Paired, answer, first_sentence, indistinct, paired
from ratingcore.compare.uncertainty import Interval, MeanEstimate, estimate
from tests.columns.making import engine, game
from tests.compare.making import games_of, league, told


def test_the_better_of_two_methods_is_named_with_its_margin() -> None:
    eng = league(1500, 30)
    played, random = games_of(eng), np.random.default_rng(8)
    good = np.where(played.score == 1.0, 0.7, 0.3) + random.normal(0, 0.05, len(played))
    found = paired(told(good, "good"), told(np.full(len(played), 0.5), "even"), played)
    mean, margin = found.estimate.mean, found.estimate.margin
    assert mean is not None
    assert margin is not None
    assert mean == pytest.approx(np.log(2) - losses(good, played.score).mean())
    assert found.better == "good"
    assert str(found) == f"good is better than even by {mean:.4f} ± {margin:.4f} nats a game"
    turned = paired(told(np.full(len(played), 0.5), "even"), told(good, "good"), played)
    assert str(turned) == str(found)


def test_methods_that_say_the_same_are_not_distinguishable() -> None:
    played = games_of(league(300, days=1.5))
    one, other = told(np.full(300, 0.6), "one"), told(np.full(300, 0.6), "other")
    found = paired(one, other, played)
    assert found.better is None
    assert str(found) == "one and other are not distinguishable: +0.0000 ± 0.0000 nats a game"


def test_noise_is_not_distinguishable() -> None:
    played, random = games_of(league(400)), np.random.default_rng(9)
    one, other = (told(np.full(400, 0.5) + random.normal(0, 0.02, 400), name) for name in ("one", "other"))
    assert "not distinguishable" in str(paired(one, other, played))


def test_a_bootstrap_that_holds_zero_keeps_a_difference_from_being_one() -> None:
    found = MeanEstimate(100, 1.0, 0.1, 0.1, 0.1, 50, 50, 50.0, 50.0)
    assert Paired("one", "other", found, Interval(0.5, 1.5, 10, 0, 50)).better == "one"
    assert Paired("one", "other", found, Interval(-0.1, 1.5, 10, 0, 50)).better is None


def test_a_small_margin_is_told_to_its_first_digit() -> None:
    found = Paired(
        "one", "other", MeanEstimate(10**6, 0.00081234, 0.00001, 0.00001, 0.00001, 10**4, 90, 1e4, 90.0), None
    )
    assert str(found) == "one is better than other by 0.00081 ± 0.00002 nats a game"


@pytest.mark.parametrize("which", [0, 1])
def test_too_few_games_tell_nothing(which: int) -> None:
    played = games_of(engine(game(1, "a", "b")))
    one, other = told([0.5], "one"), told([0.5 if which else nan], "other")
    found = paired(one, other, played)
    said = ["one and other have no game in common", f"one and other are not distinguishable: {FEW}"]
    assert str(found) == said[which]
    assert (found.better, found.bootstrap) == (None, None)


FEW = "an interval needs ten players and ten months"


def test_games_of_one_pair_in_one_month_are_one_witness() -> None:
    eng = engine(*(game(day, "a", "b", day % 2) for day in range(1, 20)))
    found = paired(told(np.full(19, 0.6), "one"), told(np.full(19, 0.5), "other"), games_of(eng))
    assert found.estimate.margin is None


def test_two_are_compared_on_the_games_that_both_forecast() -> None:
    played = games_of(league(200, days=2.0))
    p = np.random.default_rng(1).uniform(0.3, 0.7, (2, 200))
    p[1, :50] = nan
    one, other = (told(row, name) for row, name in zip(p, "ab", strict=True))
    found, y = paired(one, other, played, rounds=0).estimate, played.score[50:]
    direct = estimate(losses(p[1, 50:], y) - losses(p[0, 50:], y), Clusters.of(played, np.arange(200) >= 50))
    assert found.n == 150
    assert found.mean == pytest.approx(direct.mean, abs=1e-14)
    assert found.by_players == pytest.approx(direct.by_players, rel=1e-9)
    assert found.by_both == pytest.approx(direct.by_both, rel=1e-9)


def against(other: str, mean: float, error: float = 0.01) -> Paired:
    return Paired("one", other, MeanEstimate(900, mean, error, error, error, 60, 60, 60.0, 60.0), None)


def test_the_best_of_two_is_named_with_its_margin() -> None:
    told = answer("one", 0.59, [against("two", 0.05)], "two", "900 games")
    assert told == "one forecasts best: log loss 0.5900 over 900 games; better than two by 0.0500 ± 0.0200 nats a game"


def test_nothing_is_best_where_an_interval_holds_zero() -> None:
    told = answer("one", 0.59, [against("two", 0.001), against("three", 0.2)], "three", "900 games")
    assert told == (
        "no difference can be seen in 900 games: one has the least log loss, 0.5900, but one and two are not "
        "distinguishable: +0.0010 ± 0.0200 nats a game"
    )
    assert "best" not in told
    assert answer("one", 0.59, [against("two", 0.001), against("three", 0.002)], "two", "900 games").endswith(
        "; nor can it be distinguished from three"
    )
    several = ["two", "three", "four"]
    assert first_sentence(["one", *several], several, "three") == (
        "one, three and 2 others: nothing to choose between them"
    )
    assert first_sentence(["one", "two"], ["two"], "one") == "one and two: nothing to choose between them"


@pytest.mark.parametrize(
    ("gap", "sentence"),
    [
        (0.03, "Of 100 games one names the winner in 3 more than two"),
        (0.004, "The chances of one are closer to what happened than those of two"),
        (-0.001, "The chances of one are closer to what happened than those of two"),
        (
            -0.02,
            "The chances of one are closer to what happened than those of two, "
            "though of 100 games it names the winner in 2 fewer",
        ),
    ],
)  # fmt: skip
def test_the_winner_is_named_more_often_only_where_the_interval_of_that_excludes_0(gap: float, sentence: str) -> None:
    """A lead in the log loss was told as games in which the winner was named, chance or not."""
    estimated = against("two", gap, 0.003).estimate
    assert first_sentence(["one", "two"], [], "two", lambda one, other: estimated) == sentence
    few = MeanEstimate(90, gap, None, None, None, 5, 60, 5.0, 60.0)
    assert first_sentence(["one", "two"], [], "two", lambda one, other: few).startswith("The chances of one")


def test_the_best_of_several_is_said_to_be_chosen_by_looking() -> None:
    told = answer("one", 0.59, [against("two", 0.05), against("three", 0.2)], "two", "900 games")
    assert told.endswith("nats a game, and better than each of the 2 others (with Holm's correction)")


def test_what_would_tell_two_apart_does_not_tell_the_best_of_many() -> None:
    several = [against(str(number), 0.0215) for number in range(5)]
    assert indistinct("one", several[:1]) == []
    assert indistinct("one", several) == several
    assert "too little for the best of several" in answer("one", 0.59, several, "0", "900 games")


@pytest.mark.parametrize("p", [(0.01, 0.02, 0.03), (0.04, 0.001, 0.02), (0.012, 0.016, 0.04), (0.2, 0.2, 0.2)])
def test_statsmodels_adjusts_for_several_in_the_same_way(p: tuple[float, ...]) -> None:
    from scipy.special import stdtrit
    from statsmodels.stats.multitest import multipletests

    pairs = [against(str(number), -float(stdtrit(59, value / 2)) * 0.01) for number, value in enumerate(p)]
    rejected = multipletests(p, alpha=0.05, method="holm")[0].tolist()
    assert [pair not in indistinct("one", pairs) for pair in pairs] == rejected


def test_too_few_players_tell_nothing() -> None:
    few = Paired("one", "two", MeanEstimate(90, 0.5, None, None, None, 5, 60, 5.0, 60.0), None)
    assert "an interval needs ten players and ten months" in answer("one", 0.59, [few], "two", "90 games")
