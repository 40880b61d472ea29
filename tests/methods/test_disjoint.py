"""Stretches of games without a player twice."""

import numpy as np
import pytest

from ratingcore.columns.arrays import Ints
from ratingcore.methods.disjoint import STRETCH, disjoint


def stretches(a: Ints, b: Ints, players: int) -> list[tuple[int, int]]:
    """Where each stretch begins and ends."""
    seen = np.zeros(players, dtype=np.int64)
    found, start = [], 0
    while start < len(a):
        stop = disjoint(a, b, start, seen)
        found.append((start, stop))
        start = stop
    return found


@pytest.mark.parametrize("players", [2, 3, 10, 1000])
def test_a_stretch_ends_before_a_player_plays_again_and_not_sooner(players: int) -> None:
    rng = np.random.default_rng(players)
    a = rng.integers(0, players, 1000)
    b = (a + rng.integers(1, players, 1000)) % players
    for start, stop in stretches(a, b, players):
        who = np.concatenate([a[start:stop], b[start:stop]])
        assert len(set(who.tolist())) == 2 * (stop - start)
        if stop < 1000 and stop - start < STRETCH:
            assert {int(a[stop]), int(b[stop])} & set(who.tolist())


def test_stretches_follow_each_other_and_are_no_longer_than_a_stretch() -> None:
    a = np.arange(0, 400, 2)
    assert stretches(a, a + 1, 400) == [(0, 64), (64, 128), (128, 192), (192, 200)]
