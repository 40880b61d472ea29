"""Standard errors: against sums done by hand, statsmodels, and simulation."""

from itertools import product
from math import sqrt

import numpy as np
import pytest

from ratingcore.compare.clusters import Clusters
from ratingcore.compare.uncertainty import Estimate, estimate
from tests.compare.making import clusters_of, random_clusters


def test_games_that_share_a_player_are_added_up_two_by_two() -> None:
    clusters, n = random_clusters(60, 9, 4), 60
    values = np.random.default_rng(1).normal(0.1, 1.0, n)
    found, off = estimate(values, clusters), values - values.mean()
    shared = sum(
        off[g] * off[h]
        for g, h in product(range(n), repeat=2)
        if {clusters.a[g], clusters.b[g]} & {clusters.a[h], clusters.b[h]}
    )
    by_pairs = float(np.square(np.bincount(clusters.pair, off)).sum())
    assert found.mean == pytest.approx(values.mean())
    assert found.by_players == pytest.approx(sqrt(max(shared, by_pairs) * 9 / 8) / n)
    assert (found.n, found.players, found.periods) == (n, 9, 4)


def test_statsmodels_gives_the_same_error_by_periods() -> None:
    import statsmodels.api as sm

    clusters = random_clusters(400, 20, 15)
    values = np.random.default_rng(2).normal(0.0, 1.0, 15)[clusters.period] + np.random.default_rng(3).normal(size=400)
    fitted = sm.OLS(values, np.ones(400)).fit(cov_type="cluster", cov_kwds={"groups": clusters.period})
    assert estimate(values, clusters).by_periods == pytest.approx(float(fitted.bse[0]), rel=1e-10)


def test_statsmodels_gives_the_same_error_by_players_where_a_and_b_are_never_the_same() -> None:
    """Then the formula for games that share a player is the two-way one, but for the correction for few clusters."""
    from statsmodels.regression.linear_model import OLS
    from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

    random = np.random.default_rng(4)
    a, b = random.integers(0, 10, 500), random.integers(10, 22, 500)
    clusters = clusters_of(a.tolist(), b.tolist(), [0] * 500)
    values = random.normal(size=22)[a] + random.normal(size=22)[b] + random.normal(size=500)
    fitted = OLS(values, np.ones(500)).fit()
    both = cov_cluster_2groups(fitted, a, b - 10, use_correction=False)[0]
    assert estimate(values, clusters).by_players == pytest.approx(sqrt(both[0, 0] * 22 / 21), rel=1e-9)


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
            shared + random.normal(size=800), Clusters(a, b, np.minimum(a, b) * 40 + np.maximum(a, b), period)
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


def test_the_most_cautious_blocks_are_used() -> None:
    assert Estimate(100, 1.0, 0.1, 0.2, 50, 50).used == "periods"
    assert Estimate(100, 1.0, 0.1, 0.09, 50, 2).used == "periods", "two months are few"
    assert Estimate(100, 1.0, 0.1, None, 50, 1).standard_error == 0.1
