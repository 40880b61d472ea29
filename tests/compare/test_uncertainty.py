"""Uncertainty: blocks of players and months, against sums done by hand, statsmodels, and simulation."""

from itertools import product
from math import nan, sqrt

import numpy as np
import pytest

from ratingcore.compare.scores import losses
from ratingcore.compare.uncertainty import (
    Blocks,
    Estimate,
    Interval,
    Paired,
    bootstrap,
    estimate,
    every_pair,
    paired,
    score_estimates,
)
from ratingcore.errors import BadValue
from tests.compare.making import games_of, league, told
from tests.tables.making import engine, game


def blocks_of(a: list[int], b: list[int], period: list[int]) -> Blocks:
    pair = np.unique(np.sort(np.column_stack([a, b]), axis=1), axis=0, return_inverse=True)[1].ravel()
    return Blocks(np.array(a), np.array(b), pair, np.array(period))


def random_blocks(n: int, players: int, periods: int, seed: int = 0) -> Blocks:
    random = np.random.default_rng(seed)
    a = random.integers(players, size=n)
    b = (a + random.integers(1, players, size=n)) % players
    return blocks_of(a.tolist(), b.tolist(), np.sort(random.integers(periods, size=n)).tolist())


def test_games_that_share_a_player_are_added_up_two_by_two() -> None:
    blocks, n = random_blocks(60, 9, 4), 60
    values = np.random.default_rng(1).normal(0.1, 1.0, n)
    found, off = estimate(values, blocks), values - values.mean()
    shared = sum(
        off[g] * off[h]
        for g, h in product(range(n), repeat=2)
        if {blocks.a[g], blocks.b[g]} & {blocks.a[h], blocks.b[h]}
    )
    by_pairs = float(np.square(np.bincount(blocks.pair, off)).sum())
    assert found.mean == pytest.approx(values.mean())
    assert found.by_players == pytest.approx(sqrt(max(shared, by_pairs) * 9 / 8) / n)
    assert (found.n, found.players, found.periods) == (n, 9, 4)


def test_statsmodels_gives_the_same_error_by_periods() -> None:
    import statsmodels.api as sm

    blocks = random_blocks(400, 20, 15)
    values = np.random.default_rng(2).normal(0.0, 1.0, 15)[blocks.period] + np.random.default_rng(3).normal(size=400)
    fitted = sm.OLS(values, np.ones(400)).fit(cov_type="cluster", cov_kwds={"groups": blocks.period})
    assert estimate(values, blocks).by_periods == pytest.approx(float(fitted.bse[0]), rel=1e-10)


def test_statsmodels_gives_the_same_error_by_players_where_a_and_b_are_never_the_same() -> None:
    """Then the formula for games that share a player is the two-way one, but for the correction for few blocks."""
    from statsmodels.regression.linear_model import OLS
    from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

    random = np.random.default_rng(4)
    a, b = random.integers(0, 10, 500), random.integers(10, 22, 500)
    blocks = blocks_of(a.tolist(), b.tolist(), [0] * 500)
    values = random.normal(size=22)[a] + random.normal(size=22)[b] + random.normal(size=500)
    fitted = OLS(values, np.ones(500)).fit()
    both = cov_cluster_2groups(fitted, a, b - 10, use_correction=False)[0]
    assert estimate(values, blocks).by_players == pytest.approx(sqrt(both[0, 0] * 22 / 21), rel=1e-9)


@pytest.mark.parametrize("blocky", ["players", "periods"])
def test_intervals_hold_the_truth_about_as_often_as_they_say(blocky: str) -> None:
    random, inside, rounds = np.random.default_rng(5), 0, 300
    for _ in range(rounds):
        a = random.integers(40, size=800)
        b = (a + random.integers(1, 40, size=800)) % 40
        period = np.arange(800) // 20
        effect = random.normal(size=40)
        shared = effect[a] + effect[b] if blocky == "players" else 2 * effect[period]
        low_high = estimate(
            shared + random.normal(size=800), Blocks(a, b, np.minimum(a, b) * 40 + np.maximum(a, b), period)
        ).interval
        assert low_high is not None
        inside += low_high[0] <= 0.0 <= low_high[1]
    assert 0.88 <= inside / rounds <= 1.0


def test_intervals_that_took_games_for_independent_would_not() -> None:
    random, inside = np.random.default_rng(5), 0
    for _ in range(200):
        period = np.arange(800) // 20
        values = 2 * random.normal(size=40)[period] + random.normal(size=800)
        inside += abs(values.mean()) <= 1.96 * values.std() / sqrt(800)
    assert inside / 200 < 0.6


def test_bootstrap_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    random, inside = np.random.default_rng(6), 0
    for _ in range(200):
        size = random.integers(5, 40, size=40).astype(float)
        total = size * random.normal(size=40) + random.normal(size=40) * np.sqrt(size)
        found = bootstrap(total, size, seed=1, rounds=400)
        assert found is not None
        inside += found.low <= 0.0 <= found.high
    assert 0.86 <= inside / 200 <= 1.0


def test_a_bootstrap_is_the_same_from_the_same_seed_and_draws_whole_blocks() -> None:
    total, size = np.array([1.0, 5.0, 3.0, 0.0]), np.array([2.0, 4.0, 3.0, 0.0])
    one = bootstrap(total, size, seed=7, rounds=3000)
    assert one == bootstrap(total, size, seed=7, rounds=3000)
    assert one != bootstrap(total, size, seed=8, rounds=3000)
    assert one is not None
    assert one.blocks == 3, "the empty one is not drawn"
    assert (one.low, one.high) == (0.5, 1.25), "three times the worst, three times the best"
    assert bootstrap(total[:1], size[:1]) is None


def test_a_bootstrap_in_pieces_is_one_bootstrap(monkeypatch: pytest.MonkeyPatch) -> None:
    total, size = np.arange(50.0), np.full(50, 10.0)
    whole = bootstrap(total, size, rounds=500)
    monkeypatch.setattr("ratingcore.compare.uncertainty._CELLS", 1000)
    assert bootstrap(total, size, rounds=500) == whole


# verdicts


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
    played = games_of(league(300))
    one, other = told(np.full(300, 0.6), "one"), told(np.full(300, 0.6), "other")
    found = paired(one, other, played)
    assert found.better is None
    assert str(found) == "one and other are not distinguishable: +0.0000 ± 0.0000 nats a game"


def test_noise_is_not_distinguishable() -> None:
    played, random = games_of(league(400)), np.random.default_rng(9)
    one, other = (told(np.full(400, 0.5) + random.normal(0, 0.02, 400), name) for name in ("one", "other"))
    assert "not distinguishable" in str(paired(one, other, played))


def test_a_bootstrap_that_holds_zero_keeps_a_difference_from_being_one() -> None:
    found = Estimate(100, 1.0, 0.1, 0.1, 50, 50)
    assert Paired("one", "other", found, Interval(0.5, 1.5, 10, 0, 50)).better == "one"
    assert Paired("one", "other", found, Interval(-0.1, 1.5, 10, 0, 50)).better is None


def test_a_small_margin_is_told_to_its_first_digit() -> None:
    found = Paired("one", "other", Estimate(10**6, 0.00081234, 0.00001, None, 10**4, 1), None)
    assert str(found) == "one is better than other by 0.00081 ± 0.00002 nats a game"


def test_the_most_cautious_blocks_are_used() -> None:
    assert Estimate(100, 1.0, 0.1, 0.2, 50, 50).used == "periods"
    assert Estimate(100, 1.0, 0.1, 0.09, 50, 2).used == "periods", "two months are few"
    assert Estimate(100, 1.0, 0.1, None, 50, 1).standard_error == 0.1


@pytest.mark.parametrize("which", [0, 1])
def test_too_few_games_tell_nothing(which: int) -> None:
    played = games_of(engine(game(1, "a", "b")))
    one, other = told([0.5], "one"), told([0.5 if which else nan], "other")
    found = paired(one, other, played)
    said = ["one and other have no game in common", "one and other are not distinguishable: too few games"]
    assert str(found) == said[which]
    assert (found.better, found.bootstrap) == (None, None)


def test_games_of_one_pair_in_one_month_are_one_witness() -> None:
    eng = engine(*(game(day, "a", "b", day % 2) for day in range(1, 20)))
    found = paired(told(np.full(19, 0.6), "one"), told(np.full(19, 0.5), "other"), games_of(eng))
    assert found.estimate.margin is None


def test_every_two_are_compared_on_the_games_that_all_forecast() -> None:
    played = games_of(league(200))
    p = np.random.default_rng(1).uniform(0.3, 0.7, (3, 200))
    p[2, :50] = nan
    methods = [told(row, name) for row, name in zip(p, "abc", strict=True)]
    found = every_pair(methods, played, rounds=0)
    assert [(each.one, each.other) for each in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert {each.estimate.n for each in found} == {150}
    y = played.score[50:]
    for each, (i, j) in zip(found, [(0, 1), (0, 2), (1, 2)], strict=True):
        direct = estimate(losses(p[j, 50:], y) - losses(p[i, 50:], y), Blocks.of(played, np.arange(200) >= 50))
        assert each.estimate.mean == pytest.approx(direct.mean, abs=1e-14)
        assert each.estimate.by_players == pytest.approx(direct.by_players, rel=1e-9)
        assert each.estimate.by_periods == pytest.approx(direct.by_periods, rel=1e-9)
    alone = score_estimates(methods, played)
    assert [each.mean for each in alone] == pytest.approx([losses(row[50:], y).mean() for row in p])


def test_a_method_without_a_forecast_does_not_keep_the_others_from_being_compared() -> None:
    played = games_of(league(50))
    methods = [told(np.full(50, p), name) for p, name in ((0.6, "a"), (nan, "none"), (0.5, "b"))]
    found = every_pair(methods, played)
    assert [each.estimate.n for each in found] == [0, 50, 0]
    assert str(found[0]) == "a and none have no game in common"
    assert [each.n for each in score_estimates(methods, played)] == [50, 0, 50]


def test_numbers_that_are_not_one_a_game_are_refused() -> None:
    with pytest.raises(BadValue, match="not one for each of 60 games"):
        random_blocks(60, 9, 4).sums(np.zeros(59))
