"""How results connect players: chains, rings, sessions, and pools too large for bridges."""

import numpy as np
import pytest

from ratingcore.compare import network as module
from ratingcore.compare.network import Network, network

NOBODY = np.empty(0, dtype=np.int64)


def of(*pairs: tuple[int, int]) -> Network:
    a, b = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return network(a, b, NOBODY, NOBODY)


@pytest.mark.parametrize("n", [3, 10, 100, 300])
def test_a_chain_has_bridges_and_a_ring_has_none(n: int) -> None:
    chain = [(i, i + 1) for i in range(n - 1)]
    assert of(*chain) == Network(n, 1, 1.0, n - 1)
    assert of(*chain, (n - 1, 0)) == Network(n, 1, 1.0, 0)


def test_the_largest_component_is_measured_and_its_share_told() -> None:
    found = of((7, 3), (3, 9), (9, 7), (1, 2))
    assert (found.players, found.components, found.largest, found.bridges) == (5, 2, 0.6, 1)


def test_nobody_played() -> None:
    assert of() == Network(0, 0, None, 0)


def test_a_session_of_n_is_as_if_all_had_met_all() -> None:
    found = network(NOBODY, NOBODY, np.zeros(5, dtype=np.int64), np.arange(5))
    assert (found.players, found.components, found.bridges) == (5, 1, 1)


def test_a_few_edges_tell_the_parts_of_many() -> None:
    random = np.random.default_rng(5)
    low, high = random.integers(0, 50, (2, 4000))
    low, high = np.append(low, 50), np.append(high, 51)
    part = module._parts(low, high, 53)
    assert len(np.unique(part[:50])) == 1
    assert len(np.unique(part)) == 3
    assert part[50] == part[51] != part[52]


def test_bridges_of_a_large_pool_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGE", 4)
    assert of((0, 1), (1, 2), (2, 3)) == Network(4, 1, 1.0, None)
