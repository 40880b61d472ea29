"""Clusters of games: of players, of pairs and of months, and sums over them."""

import numpy as np
import pytest

from ratingcore.errors import BadValue
from tests.compare.making import random_clusters


def test_numbers_that_are_not_one_a_game_are_refused() -> None:
    with pytest.raises(BadValue, match="must be one for each of 60 games"):
        random_clusters(60, 9, 4).sums(np.zeros(59))


def test_a_game_counts_for_both_players_its_pair_and_its_month() -> None:
    clusters = random_clusters(60, 9, 4)
    values = np.random.default_rng(1).normal(size=60)
    sums = clusters.sums(values)
    for player, total in enumerate(sums.player.tolist()):
        assert total == pytest.approx(values[(clusters.a == player) | (clusters.b == player)].sum())
    for pair, total in enumerate(sums.pair.tolist()):
        assert total == pytest.approx(values[clusters.pair == pair].sum())
    for period, total in enumerate(sums.period.tolist()):
        assert total == pytest.approx(values[clusters.period == period].sum())
    assert clusters.sizes.player.sum() == 120


def test_seats_and_matches_are_players_and_pairs_parted_by_month() -> None:
    clusters = random_clusters(200, 9, 4)
    seats, matches = clusters.seats, clusters.matches
    both = np.column_stack([clusters.a, clusters.b]).ravel()
    assert len(seats) == len({*zip(both.tolist(), np.repeat(clusters.period, 2).tolist(), strict=True)})
    np.testing.assert_array_equal(seats.cluster[seats.number], both)
    np.testing.assert_array_equal(matches.cluster[matches.number], clusters.pair)
    np.testing.assert_array_equal(matches.period[matches.number], clusters.period)


def test_a_month_without_games_has_a_sum_of_nothing() -> None:
    some = random_clusters(200, 9, 4)
    without = some.take(np.flatnonzero(some.period != 1))
    assert without.sums(np.ones(len(without))).period.tolist() == np.bincount(without.period).tolist()
    assert without.sizes.period[1] == 0.0


def test_games_in_any_order_have_the_same_clusters() -> None:
    ordered = random_clusters(200, 9, 4)
    order = np.random.default_rng(3).permutation(200)
    mixed = ordered.take(order)
    values = np.random.default_rng(1).normal(size=200)
    one, other = ordered.sums(values), mixed.sums(values[order])
    assert sorted(other.seat.tolist()) == pytest.approx(sorted(one.seat.tolist()))
    np.testing.assert_allclose(other.pair, one.pair)
    np.testing.assert_allclose(other.period, one.period)
