"""Many settings of Elo in one pass: the log losses of the formula, written out game by game."""

from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import pytest
from ratingcore_elo import Elo
from ratingcore_elo import sweep as sweeping

from ratingcore.methods.kernels import has_numba
from ratingcore.plugin import Floats, Games

PLAYERS = 12
COMPILED = pytest.param("compiled", marks=pytest.mark.skipif(not has_numba(), reason="needs the extra fast"))
SETTINGS = [Elo(k=k, first_move=home, scale=scale) for k in (0.0, 16.0, 64.0) for home, scale in ((0, 400), (60, 200))]


def games(n: int = 400, draws: float = 0.3) -> Games:
    random = np.random.default_rng(7)
    a = random.integers(PLAYERS, size=n)
    b = (a + random.integers(1, PLAYERS, size=n)) % PLAYERS
    score = np.where(random.random(n) < draws, random.choice([0.5, 0.25, 0.7], n), random.integers(2, size=n))
    home = {"home": random.choice([1.0, 0.0, -1.0], n)}
    return Games(a.astype(np.int32), b.astype(np.int32), score, np.arange(n), np.arange(n), (0, n), home)  # type: ignore[arg-type]  # a span


def by_hand(elo: Elo, played: Games, given: Floats, cuts: list[int]) -> list[float]:
    """The log losses of one setting between the cuts, straight from the formula."""
    rating = [elo.initial if x != x else x for x in given.tolist()]
    losses = []
    rows = zip(played.a.tolist(), played.b.tolist(), played.score.tolist(), played["home"].tolist(), strict=True)
    for a, b, score, home in rows:
        gap = rating[a] - rating[b] + home * elo.first_move
        expected = 1.0 / (1.0 + 10.0 ** (-gap / elo.scale))
        losses.append(-score * log(expected) - (1.0 - score) * log(1.0 - expected))
        rating[a] += elo.k * (score - expected)
        rating[b] -= elo.k * (score - expected)
    return [sum(losses[start:stop]) for start, stop in pairwise(cuts)]


@pytest.fixture(params=["plain", COMPILED])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sweeping, "REPAYS_COMPILING", 0 if request.param == "compiled" else 10**9)
    return str(request.param)


def close(told: Any, wanted: Any, tolerance: float = 1e-11) -> None:
    np.testing.assert_allclose(told, wanted, rtol=tolerance)


def test_a_pass_has_the_losses_of_the_formula(way: str) -> None:
    played, given, cuts = games(), np.full(PLAYERS, np.nan), [0, 130, 131, 131, 400]
    told = Elo.sweep(SETTINGS, played, given, np.array(cuts))
    close(told, [by_hand(elo, played, given, cuts) for elo in SETTINGS])


def test_first_ratings_from_outside_are_where_players_begin(way: str) -> None:
    given = np.full(PLAYERS, np.nan)
    given[3], given[5] = 1900.0, 1200.0
    settings = [*SETTINGS, Elo(initial=1300.0)]
    told = Elo.sweep(settings, games(), given, np.array([0, 400]))
    close(told, [by_hand(elo, games(), given, [0, 400]) for elo in settings])


def test_settings_that_are_bounded_or_rated_otherwise_are_left_alone(way: str) -> None:
    others = [Elo(cap=400.0), Elo(curve="normal"), Elo(floor=1000.0), Elo(rule="2024")]
    told = Elo.sweep([others[0], Elo(), *others[1:]], games(), np.full(PLAYERS, np.nan), np.array([0, 400]))
    assert told is not None
    assert np.isnan(told[:, 0]).tolist() == [True, False, True, True, True]
    assert Elo.sweep(others, games(), np.full(PLAYERS, np.nan), np.array([0, 400])) is None


def test_more_settings_than_one_pass_holds_are_swept_in_several(way: str) -> None:
    settings = [Elo(k=float(k)) for k in range(sweeping.ABREAST + 5)]
    played, given = games(50), np.full(PLAYERS, np.nan)
    told = Elo.sweep(settings, played, given, np.array([0, 50]))
    close(told, [by_hand(elo, played, given, [0, 50]) for elo in settings])


def test_no_games_lose_nothing(way: str) -> None:
    told = Elo.sweep(SETTINGS, games(0), np.full(PLAYERS, np.nan), np.array([0]))
    assert told is not None
    assert told.shape == (6, 0)


@pytest.mark.skipif(not has_numba(), reason="needs the extra fast")
def test_single_precision_is_right_to_a_millionth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "REPAYS_COMPILING", 0)
    played, given = games(20_000), np.full(PLAYERS, np.nan)
    one, other = (Elo.sweep(SETTINGS, played, given, np.array([0, 9_000, 20_000]), single=s) for s in (False, True))
    assert one is not None
    close(other, one, 1e-6)
    assert (other != one).any()


def test_without_numba_the_numbers_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "REPAYS_COMPILING", 0)
    monkeypatch.setitem(__import__("sys").modules, "ratingcore_elo.sweep.compiled", None)
    monkeypatch.delattr("ratingcore_elo.sweep.compiled", raising=False)
    given = np.full(PLAYERS, np.nan)
    told = Elo.sweep(SETTINGS, games(), given, np.array([0, 400]), single=True)
    close(told, [by_hand(elo, games(), given, [0, 400]) for elo in SETTINGS])


def test_a_gap_beyond_all_odds_costs_what_a_clipped_forecast_costs(way: str) -> None:
    """A loss against odds of 1e15 and more is 34.54 nats, as log losses are defined."""
    given = np.array([90_000.0, 0.0])
    one = Games(*(np.array([x]) for x in (0, 1, 0.0, 0, 1)), span=(0, 1))  # type: ignore[arg-type]  # a span
    told = Elo.sweep([Elo(), Elo(k=0.0)], one, given, np.array([0, 1]))
    close(told, [[34.538776394910684]] * 2, 1e-9)
