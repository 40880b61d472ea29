"""Loops over a great many games: stretches, prefetching, and log losses of many settings."""

from math import log
from typing import Any

import numpy as np
import pytest

from ratingcore.columns.games import Ints
from ratingcore.methods.game_loops import AHEAD, FEW, STRETCH, add_log_losses, close_log_losses, disjoint, prefetch
from ratingcore.methods.kernels import COMPILED, Kernel, has_numba, kernel


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


needs_numba = pytest.mark.skipif(not has_numba(), reason="needs the extra fast")


@kernel
def tallied(games: Any, points: Any, a: Any) -> int:
    """Counts games a player, and points a player and setting; 1 if it runs as machine code."""
    for g in range(len(a)):
        if COMPILED:
            prefetch(games, a, g)
            prefetch(points, a, g)
        games[a[g]] += 1.0
        for s in range(len(points[a[g]])):
            points[a[g]][s] += 0.5 * s
    return 1 if COMPILED else 0


def tally(loop: Any, count: int, width: int, kind: type) -> tuple[int, list[float], list[list[float]]]:
    a = np.random.default_rng(count).integers(0, 50, count).astype(kind)
    a.flags.writeable = False
    games, points = np.zeros(50), np.zeros((50, width))
    return loop(games, points, a), games.tolist(), points.tolist()


@needs_numba
@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("width", [1, 7, 8, 64])
@pytest.mark.parametrize("count", [0, 1, AHEAD - 1, AHEAD, AHEAD + 1, 1000])
def test_no_number_changes(count: int, width: int, kind: type) -> None:
    listed, compiled = (tally(loop, count, width, kind) for loop in (Kernel(tallied.__wrapped__), tallied.compiled))  # type: ignore[attr-defined]  # by update_wrapper
    assert compiled[1:] == listed[1:]
    assert (listed[0], compiled[0]) == (0, 1)


@needs_numba
@pytest.mark.parametrize("table", [np.zeros(3), np.zeros((3, 20))])
def test_the_processor_is_asked(table: Any) -> None:
    import numba

    fetch = prefetch.compiled
    asked = numba.njit(lambda table, rows: fetch(table, rows, 0))  # compiled here: the cache holds no text of it
    asked(table, np.zeros(20, dtype=np.int32))
    assert all("llvm.prefetch" in code for code in asked.inspect_llvm().values())


@pytest.mark.parametrize("compiled", [False, True], ids=["lists", "compiled"])
def test_products_hold_the_log_losses_of_each_setting(compiled: bool) -> None:
    if compiled:
        pytest.importorskip("numba", reason="there is nothing to compile with")
    add, close = (
        (kernel.compiled if compiled else kernel.__call__) for kernel in (add_log_losses, close_log_losses)
    )  # fmt: skip
    rng, n = np.random.default_rng(4), 3
    took = rng.choice([0.0, 0.5, 1.0, 0.3], 50)
    chances = rng.random((50, n))
    chances[:FEW, 1], took[:FEW] = 0.0, 1.0  # sixteen times what could not be
    product, total, wanted = np.ones(n), np.zeros(n), np.zeros(n)
    for g, (score, row) in enumerate(zip(took.tolist(), chances, strict=True)):
        room = np.concatenate([np.full(2, 0.7), row])  # the chances stand behind other numbers
        add(n, score, 2, room, product, total)
        if g % FEW == FEW - 1:
            close(n, product, total)
        for s, chance in enumerate(row.tolist()):
            p = min(max(chance, 1e-15), 1.0 - 1e-15)
            wanted[s] -= score * log(p) + (1.0 - score) * log(1.0 - p)
    close(n, product, total)
    assert total == pytest.approx(wanted, rel=1e-12)
    assert product.tolist() == [1.0] * n
