"""The `bayes3.*` cases, put to the method chess-bayes."""

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any

import numpy as np
from ratingcore_chess_bayes import ChessBayes

from tests.golden.playing import games, state

NAMES = {"kind": "model", "eps": "draw_band"}


def update(
    *, ra: float, rb: float, var_a: float, var_b: float, score: float, model: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """One game, its evidence and both posteriors."""
    given = {NAMES.get(key, key): value for key, value in (model or {}).items() if value is not None}
    if "c" in given:  # of the band: the scale over the root of 2
        given["scale"] = given.pop("c") * sqrt(2.0)
    method, played = ChessBayes(**given), games([0], [1], [score])
    start = state(method, [ra, rb]).replace(deviation=np.sqrt([float(var_a), float(var_b)]))
    result = method.rate(start, played)
    assert result.draw is not None
    e, draw = float(result.expected[0]), float(result.draw[0])
    mean, variance = result.state["rating"].tolist(), (result.state["deviation"] ** 2).tolist()
    return {
        "evidence": draw if score == 0.5 else (e if score == 1.0 else 1.0 - e) - 0.5 * draw,
        "mean_a": mean[0],
        "mean_b": mean[1],
        "var_a": variance[0],
        "var_b": variance[1],
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"bayes3.update": update}
