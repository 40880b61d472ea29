"""Connectedness of a stretch of results, against graphs whose eigenvalues are known and against dense algebra."""

from itertools import combinations
from math import cos, pi

import numpy as np
import pytest
from scipy.sparse.csgraph import laplacian  # type: ignore[import-untyped]  # scipy has no types

from ratingcore.network import summary as module
from ratingcore.network.connectedness import connectedness
from ratingcore.network.summary import Network, Seats, network
from tests.columns.making import POOL, engine, game, session

NOBODY = np.empty(0, dtype=np.int64)


def of(*pairs: tuple[int, int]) -> Network:
    a, b = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return network(a, b, NOBODY, NOBODY)


def gap_of(pairs: list[tuple[int, int]]) -> float:
    """The second smallest eigenvalue of the normalised Laplacian, by scipy and dense algebra."""
    n = max(map(max, pairs)) + 1
    weight = np.zeros((n, n))
    for i, j in pairs:
        weight[i, j] += 1.0
        weight[j, i] += 1.0
    return float(np.sort(np.linalg.eigvalsh(laplacian(weight, normed=True)))[1])


@pytest.mark.parametrize("n", [2, 3, 10, 80])
def test_when_all_play_all_the_algebraic_connectivity_is_n_over_n_less_1(n: int) -> None:
    found = of(*combinations(range(n), 2))
    assert found.algebraic == pytest.approx(n / (n - 1))
    assert (found.players, found.components, found.largest) == (n, 1, 1.0)


@pytest.mark.parametrize("n", [3, 10, 100, 300])
def test_a_chain_and_a_ring_have_the_eigenvalues_of_textbooks(n: int) -> None:
    chain = [(i, i + 1) for i in range(n - 1)]
    assert of(*chain).algebraic == pytest.approx(1.0 - cos(pi / (n - 1)), abs=1e-8)
    assert of(*chain).bridges == n - 1
    ring = [*chain, (n - 1, 0)]
    assert of(*ring).algebraic == pytest.approx(1.0 - cos(2.0 * pi / n), abs=1e-8)
    assert of(*ring).bridges == 0


@pytest.mark.parametrize("n", [20, 200])
def test_scipys_laplacian_has_the_same_eigenvalue(n: int) -> None:
    random = np.random.default_rng(n)
    chain = [(i, i + 1) for i in range(n - 1)]
    pairs = chain + [(i, j) for i, j in random.integers(0, n, (3 * n, 2)).tolist() if i != j]
    assert of(*pairs).algebraic == pytest.approx(gap_of(pairs), rel=1e-5)


def test_the_largest_component_is_measured_and_its_share_told() -> None:
    found = of((7, 3), (3, 9), (9, 7), (1, 2))
    assert (found.players, found.components, found.largest, found.bridges) == (5, 2, 0.6, 1)
    assert found.algebraic == pytest.approx(1.5)


def test_nobody_played() -> None:
    assert of() == Network(0, 0, None, 0, None)


def test_a_session_of_n_is_as_if_all_had_met_all() -> None:
    found = network(NOBODY, NOBODY, np.zeros(5, dtype=np.int64), np.arange(5))
    assert found.algebraic == pytest.approx(5 / 4)
    assert (found.players, found.components, found.bridges) == (5, 1, 1)


def test_bridges_are_those_that_the_connectedness_of_a_view_names() -> None:
    random = np.random.default_rng(3)
    for size in (8, 16, 24):
        names = [chr(ord("a") + i) for i in range(size)]
        events = [
            game(1 + n, names[i], names[j]) for n, (i, j) in enumerate(random.integers(0, size, (size, 2))) if i != j
        ]
        events += [session(1000 + n, ("".join(names[n : n + 2]), 2.0), (names[n + 3], 1.0)) for n in range(2)]
        view = engine(*events).view(POOL)
        told = connectedness(view)
        found = network(*Seats(view).between(0, 2**60))
        assert found.bridges == len(told.bridges)
        assert found.components == len(told.components)
        assert found.largest == len(told.components[0].players) / found.players


def test_a_few_edges_tell_the_parts_of_many() -> None:
    random = np.random.default_rng(5)
    low, high = random.integers(0, 50, (2, 4000))
    low, high = np.append(low, 50), np.append(high, 51)
    part = module._parts(low, high, 53)
    assert len(np.unique(part[:50])) == 1
    assert len(np.unique(part)) == 3
    assert part[50] == part[51] != part[52]


def test_what_would_take_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY", 3)
    assert of((0, 1), (1, 2), (2, 3))[3:] == (3, None)
    monkeypatch.setattr(module, "LARGE", 4)
    assert of((0, 1), (1, 2), (2, 3)) == Network(4, 1, 1.0, None, None)


def test_what_is_not_found_in_time_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ROUNDS", 1)
    assert of(*((i, i + 1) for i in range(3000))).algebraic is None
