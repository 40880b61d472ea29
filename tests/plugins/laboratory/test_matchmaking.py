"""Who meets whom."""

import numpy as np
import pytest
from ratingcore_laboratory.matchmaking import Pairings, _match, groups_of, pairings

from ratingcore.methods.kernels import has_numba

RATINGS = np.random.default_rng(5).normal(1100.0, 400.0, 300)
QUOTA = np.random.default_rng(6).integers(0, 30, 300)


def met(ratings: np.ndarray, quota: np.ndarray, seed: int = 1, **how: float) -> Pairings:
    asked = {"width": 100.0, "groups": 24, "reach": 1, "tries": 6, **how}
    return pairings(ratings, quota, np.random.default_rng(seed), **asked)  # type: ignore[arg-type]  # all four


def test_everybody_gets_his_games_and_nobody_without_appetite_asks_for_one() -> None:
    found = met(RATINGS, QUOTA)
    played = np.bincount(found.a, minlength=300) + np.bincount(found.b, minlength=300)
    assert (played >= QUOTA).all()
    assert (QUOTA[found.a] > 0).all()
    assert (found.a != found.b).all()


def test_most_games_are_between_two_who_want_them() -> None:
    found = met(RATINGS, QUOTA)
    assert 2 * len(found.a) < 1.15 * QUOTA.sum()


def test_opponents_are_of_neighbouring_groups_where_there_are_any() -> None:
    found = met(np.repeat([150.0, 250.0, 950.0], 50), np.full(150, 5))
    assert {tuple(sorted((x // 50, y // 50))) for x, y in zip(found.a.tolist(), found.b.tolist(), strict=True)} == {
        (0, 0), (0, 1), (1, 1), (2, 2),
    }  # fmt: skip


def test_the_search_widens_until_there_is_somebody() -> None:
    found = met(np.array([50.0, 2350.0]), np.array([3, 0]))
    assert (found.a.tolist(), found.b.tolist()) == ([0, 0, 0], [1, 1, 1])


def test_the_games_before_are_counted_for_both_sides() -> None:
    found = met(RATINGS, QUOTA)
    count = [0] * 300
    for a, b, before_a, before_b in zip(*(column.tolist() for column in found), strict=True):
        assert (count[a], count[b]) == (before_a, before_b)
        count[a] += 1
        count[b] += 1


@pytest.mark.parametrize("players", [0, 1])
def test_nobody_plays_alone(players: int) -> None:
    assert len(met(np.full(players, 1100.0), np.full(players, 9)).a) == 0


def test_opponents_are_drawn_evenly_and_never_oneself() -> None:
    found = met(np.full(4, 1100.0), np.array([30_000, 0, 0, 0]), tries=1)
    counts = np.bincount(found.b, minlength=4)
    assert counts[0] == 0
    assert (np.abs(counts[1:] - 10_000) < 500).all()  # five standard deviations


def test_open_groups_take_what_lies_beyond() -> None:
    assert groups_of(np.array([-1e9, 0.0, 2399.9, 1e9]), 100.0, 24).tolist() == [0, 0, 23, 23]


@pytest.mark.skipif(not has_numba(), reason="numba is not installed")
def test_compiled_and_on_lists_the_same_games_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = met(RATINGS, 50 * QUOTA)  # enough to be compiled, or compiled by now
    _match.compiled  # noqa: B018  # from here on it is
    again = met(RATINGS, 50 * QUOTA)
    monkeypatch.delitem(_match.__dict__, "compiled")
    monkeypatch.setattr("ratingcore.methods.kernels.has_numba", lambda: False)
    plain = met(RATINGS, 50 * QUOTA)
    for one, other, third in zip(compiled, again, plain, strict=True):
        assert one.tolist() == other.tolist() == third.tolist()
