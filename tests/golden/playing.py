"""Games and states from plain lists, to put one case in front of a method."""

from collections.abc import Sequence

import numpy as np

from ratingcore.plugin import Floats, Games, Ints, Method, Rated, Span, State

Numbers = Sequence[float] | Floats
Rows = Sequence[int] | Ints


def games(a: Rows, b: Rows, score: Numbers, **facts: Numbers) -> Games:
    """Games in this order, one a microsecond, at positions from 1."""
    order = np.arange(1, len(a) + 1)
    fields = {name: np.array(values, dtype=np.float64) for name, values in facts.items()}
    side_a, side_b = (np.array(side, dtype=np.int32) for side in (a, b))
    return Games(side_a, side_b, np.array(score, dtype=np.float64), order, order, Span(0, len(a) + 1), fields)


def state(method: Method, rating: Numbers) -> State:
    """The state before any game, with these ratings."""
    start = State.start(method.columns(), players=len(rating))
    return start.replace(rating=np.array(rating, dtype=np.float64))


def rated(method: Method, rating: Numbers, played: Games) -> Rated:
    """What a method that is not retrospective does to the games, from these ratings."""
    result = method.rate(state(method, rating), played)
    assert isinstance(result, Rated)
    return result
