"""Asking memory early for rows of games to come: a loop waits for them where players fill more than the cache."""

from functools import cached_property
from typing import Any

from ratingcore.methods.kernels import Kernel

AHEAD = 8
"""Games between asking memory for a row and reading it: it has come by then, and is still there."""


def _ask(table: Any, rows: Any, g: int) -> None:
    """Interpreted code has no use for it."""


class _Prefetch(Kernel[[Any, Any, int], None]):
    """Does nothing on lists; compiled, an instruction of the processor."""

    @cached_property
    def compiled(self) -> Any:
        from ratingcore.methods.prefetch_compiled import fetching  # numba is heavy, and wanted when the work repays it

        return fetching(AHEAD)

    @cached_property
    def digest(self) -> str:
        return f"prefetch{AHEAD}"


prefetch = _Prefetch(_ask)
"""Ask memory for `table[rows[g + AHEAD]]`, the row that a loop over games will read and write soon.

Call it in a kernel under `if COMPILED`, once a game for every column of state and every side. It changes no number.
Worth it where players are many: Elo over ten million players takes half the time.
A row of a two-dimensional table is asked for whole.

Examples
--------
>>> from ratingcore.methods.kernels import COMPILED, kernel
>>> @kernel
... def count(games, a):
...     for g in range(len(a)):
...         if COMPILED:
...             prefetch(games, a, g)
...         games[a[g]] += 1.0
>>> import numpy as np
>>> games = np.zeros(2)
>>> count(games, np.array([0, 1, 1]))
>>> games.tolist()
[1.0, 2.0]
"""
