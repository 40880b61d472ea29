"""The `fesa` cases, put to the method fesa."""

from collections.abc import Callable
from typing import Any

import numpy as np
from ratingcore_fesa import Fesa
from ratingcore_fesa.points import moved

from tests.golden.playing import games, rated


def game(*, rating: float, opp: float, score: float) -> dict[str, Any]:
    """One game that is a tournament."""
    result = rated(Fesa(), [rating, opp], games([0], [1], [score]))
    one = [np.array([float(x)]) for x in (rating, opp, score)]
    return {"k": float(result.notes["k_a"][0]), "d_raw": float(moved(*one)[0]), "d": float(result.change[0][0])}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"fesa": game}
