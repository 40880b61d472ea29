"""Clusters of games: their sums against sums done one by one."""

import numpy as np
import pytest

from ratingcore.errors import BadValue
from tests.compare.making import random_clusters


def test_numbers_that_are_not_one_a_game_are_refused() -> None:
    with pytest.raises(BadValue, match="not one for each of 60 games"):
        random_clusters(60, 9, 4).sums(np.zeros(59))


def test_a_game_counts_for_both_players_its_pair_and_its_month() -> None:
    clusters = random_clusters(60, 9, 4)
    values = np.random.default_rng(1).normal(size=60)
    sums = clusters.sums(values)
    for player, total in enumerate(sums.player.tolist()):
        assert total == pytest.approx(values[(clusters.a == player) | (clusters.b == player)].sum())
    for pair, total in enumerate(sums.pair.tolist()):
        assert total == pytest.approx(values[clusters.pair == pair].sum())
    assert sums.period.sum() == pytest.approx(values.sum())
    assert clusters.sizes.player.sum() == 120
