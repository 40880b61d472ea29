"""Games and states from plain lists, to put one case in front of a method."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ratingcore.methods.kernels import Kernel
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


def both_ways(loop: Kernel[..., Any], *arguments: Any) -> tuple[list[Any], list[Any]]:
    """What a kernel returns and leaves in its arrays, compiled and on lists."""
    arrays, lists = ([x.copy() if isinstance(x, np.ndarray) else x for x in arguments] for _ in range(2))
    lists = [x.tolist() if isinstance(x, np.ndarray) else x for x in lists]
    fresh: Kernel[..., Any] = Kernel(loop.__wrapped__)  # type: ignore[attr-defined]  # by update_wrapper
    compiled, plain = fresh.compiled(*arrays), fresh.plain(*lists)
    return [compiled, *(x.tolist() if isinstance(x, np.ndarray) else x for x in arrays)], [plain, *lists]
