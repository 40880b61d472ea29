"""How results connect players: chains, rings, sessions, and pools too large for bridges."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ratingcore.compare.network import Network, network, parts_of

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


@pytest.mark.parametrize(("nodes", "edges"), [(1, 0), (60, 20), (60, 60), (500, 400), (52, 4000)])
def test_components_are_those_of_scipy(nodes: int, edges: int) -> None:
    low, high = np.random.default_rng(5).integers(0, nodes, (2, edges))
    graph = csr_matrix((np.ones(edges), (low, high)), (nodes, nodes))
    assert parts_of(low, high, nodes).tolist() == connected_components(graph, directed=False)[1].tolist()


def test_a_long_chain_in_any_order_is_one_component() -> None:
    order = np.random.default_rng(5).permutation(10_000)
    assert not parts_of(order[:-1], order[1:], 10_000).any()


def test_bridges_of_a_large_pool_are_not_counted() -> None:
    chain = np.arange(3)
    assert network(chain, chain + 1, NOBODY, NOBODY, large=4) == Network(4, 1, 1.0, None)
