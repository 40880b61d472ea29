"""Solving the balance: every way against the dense solution, spanning trees, and fields that hardly hang together."""

import numpy as np
import pytest
import ratingcore_berkin as berkin
from ratingcore_berkin import stationary as solving
from ratingcore_berkin.field import Field, first_seen, numbered
from ratingcore_berkin.stationary import BALANCE, balance, stationary

from ratingcore.errors import BadResult
from ratingcore.plugin import Floats
from tests.golden.playing import games


def table(players: int, met: int, seed: int = 0, spread: float = 1.0) -> Floats:
    """Points of a random field in which everybody drew with the next one, so that it is strongly connected."""
    rng = np.random.default_rng(seed)
    points = np.zeros((players, players))
    strength = rng.normal(0.0, spread, players)
    for _ in range(met):
        i, j = rng.choice(players, 2, replace=False)
        first = rng.random() < 1 / (1 + np.exp(strength[j] - strength[i]))
        points[i, j] += first
        points[j, i] += not first
    for i in range(players):
        points[i, i - 1] += 0.5
        points[i - 1, i] += 0.5
    return points


def dense(points: Floats) -> Floats:
    """One row of `diag(L) - W` replaced by ones."""
    a = np.diag(points.sum(axis=0)) - points
    a[0] = 1.0
    return np.asarray(np.linalg.solve(a, np.eye(len(points))[0]))


def clubs(count: int, size: int, met: int, seed: int = 1) -> Field:
    """Clubs in a line, each joined to the next by one draw."""
    rng = np.random.default_rng(seed)
    points = np.zeros((count * size, count * size))
    for c in range(count):
        inside = slice(c * size, (c + 1) * size)
        points[inside, inside] = table(size, met, seed=int(rng.integers(1000)))
        if c:
            points[c * size, (c - 1) * size] = points[(c - 1) * size, c * size] = 0.5
    return Field.of_points(points)


def chain(up: Floats, down: Floats) -> Field:
    """Players in a line who met their neighbours only."""
    from scipy import sparse  # type: ignore[import-untyped]  # scipy has no types

    points = sparse.diags([up, down], [1, -1]).tocsr()
    return Field(points, np.asarray(points.sum(axis=0)).ravel())


def normed(ratio: Floats) -> Floats:
    return ratio / ratio.sum()


@pytest.mark.parametrize("players", [2, 3, 10, 120])
def test_the_elimination_agrees_with_the_dense_solution(players: int) -> None:
    points = table(players, 5 * players)
    ratio = stationary(Field.of_points(points), "here")
    assert normed(ratio) == pytest.approx(normed(dense(points)), rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_ratings_are_the_cofactors_of_the_balance(seed: int) -> None:
    """The Markov chain tree theorem."""
    points = table(6, 15, seed)
    a = np.diag(points.sum(axis=0)) - points
    keep = [[k for k in range(6) if k != i] for i in range(6)]
    cofactor = np.array([np.linalg.det(a[np.ix_(rows, rows)]) for rows in keep])
    assert normed(berkin.solve(points).rating) == pytest.approx(normed(cofactor), rel=1e-10)


@pytest.mark.parametrize("players", [400, 700])
def test_the_iteration_agrees_with_the_elimination(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field.of_points(table(players, 15 * players))
    ratio = stationary(field, "here")
    monkeypatch.setattr(solving, "DENSE", players)
    assert normed(ratio) == pytest.approx(normed(stationary(field, "here")), rel=1e-9)


@pytest.mark.parametrize("spread", [0.5, 2.0])
def test_clubs_that_hardly_met_are_balanced(spread: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Power steps stop here with small changes and large errors."""
    field = clubs(8, 60, 1500)
    ratio = stationary(field, "here")
    assert balance(field, ratio) <= BALANCE
    monkeypatch.setattr(solving, "DENSE", len(field))
    assert normed(ratio) == pytest.approx(normed(stationary(field, "here")), rel=1e-7)


def test_groups_are_weighed_where_nothing_else_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    field = clubs(40, 12, 60)
    monkeypatch.setattr(solving, "FILL", 0)
    monkeypatch.setattr(solving, "STEPS", 20)
    monkeypatch.setattr(solving, "ROUNDS", 100)
    ratio = stationary(field, "here")
    monkeypatch.setattr(solving, "DENSE", len(field))
    assert normed(ratio) == pytest.approx(normed(stationary(field, "here")), rel=1e-7)


def test_a_small_change_in_the_last_step_is_no_solution() -> None:
    field = clubs(20, 60, 2000)
    ratio = np.ones(len(field))
    for _ in range(2000):
        last, ratio = ratio, 0.5 * (ratio + (field.points @ ratio) / field.lost)
    assert np.abs(ratio / last - 1).max() < 1e-3
    assert balance(field, ratio) > 1e6 * BALANCE


def test_a_chain_of_ten_thousand_is_solved_directly() -> None:
    """In a chain the ratio of neighbours is that of their points."""
    rng = np.random.default_rng(2)
    up, down = rng.integers(1, 6, 9999) * 0.5, rng.integers(1, 6, 9999) * 0.5
    field = chain(up, down)
    ratio = stationary(field, "here")
    exact = np.concatenate([[0.0], np.cumsum(np.log(down / up))])
    assert np.log(ratio) - np.log(ratio[0]) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("players", [200, 2000])
def test_ratings_further_apart_than_numbers_reach_are_refused(players: int) -> None:
    steep = chain(np.full(players - 1, 1000.0), np.ones(players - 1))
    with pytest.raises(BadResult, match="position 9: the ratings are further apart than numbers reach"):
        stationary(steep, "position 9")


def test_a_balance_that_does_not_close_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "ROUNDS", 1)
    monkeypatch.setattr(solving, "STEPS", 2)
    with pytest.raises(BadResult, match=r"the balance of the field does not close: \d"):
        stationary(clubs(8, 60, 1500), "here")


def test_the_balance_of_nonsense_is_infinite() -> None:
    assert balance(Field.of_points(table(3, 5)), np.array([1.0, np.nan, 1.0])) == np.inf


def test_a_field_of_games_is_that_of_its_points() -> None:
    made = Field.of_games(games([0, 1, 0], [1, 0, 1], [1.0, 0.5, 0.25]), np.arange(2), 2)
    assert made.points.toarray().tolist() == [[0.0, 1.75], [1.25, 0.0]]
    assert made.lost.tolist() == [1.25, 1.75]
    assert made.won.tolist() == [1.75, 1.25]


def test_parts_are_numbered_by_their_first_game_the_winner_first() -> None:
    late = games([2, 0, 1], [3, 1, 0], [0.0, 1.0, 1.0])
    turned = games([3, 1, 0], [2, 0, 1], [1.0, 0.0, 0.0])
    for season in (late, turned):
        seen = first_seen(season, np.arange(4), 4)
        assert numbered(np.array([0, 0, 1, 2]), seen).tolist() == [2, 2, 1, 0]
