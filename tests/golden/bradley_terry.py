"""The `bt.mle` cases, put to the method bradley-terry: points of everybody against everybody."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from ratingcore_bradley_terry import BradleyTerry

from tests.golden.playing import games, state


def most_likely(*, points: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Ratings about a mean of 0; null if the field is not strongly connected."""
    a, b, score = [], [], []
    for i, row in enumerate(points):
        for j, won in enumerate(row):
            left = float(won)
            while left > 0.0:  # games of a whole point, and of half of one
                half = left % 1.0 if left < 1.0 else 1.0
                a.append(i)
                b.append(j)
                score.append(half)
                left -= half
    whole = [(x, y) for x, y, s in zip(a, b, score, strict=True) if s == 1.0]
    parts = {(x, y) for x, y, s in zip(a, b, score, strict=True) if s != 1.0}
    drawn = [(x, y) for x, y in parts if x < y]
    assert {(y, x) for x, y in drawn} | set(drawn) == parts
    method, field = BradleyTerry(), [*whole, *drawn]
    result = [1.0] * len(whole) + [0.5] * len(drawn)
    played = games([x for x, _ in field], [y for _, y in field], result)
    solved = method.rate(state(method, np.full(len(points), np.nan)), played)
    reducible = bool((solved.state["status"] == 2.0).any())
    return {
        "status": "reducible" if reducible else "ok",
        "elo": None if reducible else solved.state["rating"].tolist(),
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"bt.mle": most_likely}
