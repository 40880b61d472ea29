"""Asking memory early: the instruction is there, and no number changes."""

from typing import Any

import numpy as np
import pytest

from ratingcore.methods.kernels import COMPILED, Kernel, has_numba, kernel
from ratingcore.methods.prefetch import AHEAD, prefetch

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
