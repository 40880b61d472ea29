"""Players who cross a threshold or change grade between two lists."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.plugin import Floats
from ratingcore.plugin.analysis import Agreement

CROSSINGS = ("choice", "level", "old", "new", "risen", "fallen")
CROSSED = ("choice", "level", "direction", "player", "old_rating", "rating")


@frozen(eq=False)
class Level:
    """A threshold or a grade, with the players at it on each list.

    Parameters
    ----------
    name : str
    old, new : (n,) bool
        Whether each player is there on each list.
    risen, fallen : (n,) bool
        Whether each player comes over the threshold, or into the grade from below; falls below the threshold, or into
        the grade from above.
    """

    name: str
    old: NDArray[np.bool_]
    new: NDArray[np.bool_]
    risen: NDArray[np.bool_]
    fallen: NDArray[np.bool_]


Grading = Callable[[float], str | int | None]
"""Returns the grade of a rating."""


def thresholds(limits: Sequence[float], found: Agreement) -> Iterator[Level]:
    """A level for each rating: the players on or above it."""
    for limit in limits:
        old, new = found.rating >= limit, found.new_rating >= limit
        yield Level(f"{limit:g} or more", old, new, new & ~old, old & ~new)


def grades(grade: Grading | None, found: Agreement) -> Iterator[Level]:
    """A level for each grade in use, from the highest down."""
    if grade is None:
        return
    old, new = _grades(grade, found.rating), _grades(grade, found.new_rating)
    order = np.argsort(-np.concatenate([found.rating, found.new_rating]), kind="stable")
    up = found.new_rating > found.rating
    for name in dict.fromkeys([*old, *new][at] for at in order.tolist()):
        was, now = (np.array([one == name for one in words], dtype=np.bool_) for words in (old, new))
        yield Level(name, was, now, now & ~was & up, now & ~was & ~up)


def _grades(grade: Grading, rating: Floats) -> list[str]:
    words = map(grade, rating.tolist())
    return ["none" if word is None else str(word) for word in words]


def crossings(choice: str, level: Level) -> dict[str, Any]:
    """A row with the numbers of players at a level, rising to it and falling from it."""
    counts = (int(np.count_nonzero(who)) for who in (level.old, level.new, level.risen, level.fallen))
    return dict(zip(CROSSINGS, (choice, level.name, *counts), strict=True))


def crossed(choice: str, level: Level, found: Agreement) -> Iterator[dict[str, Any]]:
    """A row for each player who rises or falls, the largest change first."""
    for direction, who in (("up", level.risen), ("down", level.fallen)):
        rows = np.flatnonzero(who)
        for at in rows[np.argsort(-np.abs(found.change[rows]), kind="stable")].tolist():
            cells = (choice, level.name, direction, found.player[at], float(found.rating[at]))
            yield dict(zip(CROSSED, (*cells, float(found.new_rating[at])), strict=True))
