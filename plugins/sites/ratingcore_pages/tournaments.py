"""Tournaments: their tables."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.plugin.analysis import Score
from ratingcore_pages.answers import PoolAnswers

Floats = NDArray[np.float64]


class Entrant(NamedTuple):
    """A player of a tournament: rating before it, points, expected points, and the change by it."""

    id: int
    name: str
    rating: float | None
    points: float
    games: int
    expected: float | None
    change: float | None


@frozen
class CrossTable:
    """A tournament: entrants in order of points, and the scores of each against each.

    Parameters
    ----------
    event : str
    first, last : str
        Days of its first and its last result.
    entrants : tuple of Entrant
    scores : mapping of (int, int) to tuple of scores
        By ids of a player and an opponent, the scores of the first in order of play.
    mean : float or None
        Mean rating of the rated entrants.
    """

    event: str
    first: str
    last: str
    entrants: tuple[Entrant, ...]
    scores: Mapping[tuple[int, int], tuple[Score, ...]]
    mean: float | None


def cross_table(answers: PoolAnswers, event: str) -> CrossTable:
    """The cross table of a tournament."""
    found = answers.engine.tournament(answers.pool, event, *answers.asked)
    row_of, everything = {key: row for row, key in enumerate(answers.keys)}, answers.lines
    of_player: dict[int, list[int]] = {}
    of_event = answers.lines_of_event(event)
    for line, row in zip(of_event.tolist(), everything.ledger.player[of_event].tolist(), strict=True):
        of_player.setdefault(row, []).append(line)
    scores: dict[tuple[int, int], list[Any]] = {}
    entrants, changes = [], everything.ledger.change
    for key, rating in zip(found.player, found.rating.tolist(), strict=True):
        row = row_of[key]
        player, own = int(answers.ids[row]), np.array(of_player.get(row, []), dtype=np.int64)
        made = everything.score[own]
        for other, score in zip(everything.opponent[own].tolist(), made.tolist(), strict=True):
            scores.setdefault((player, int(answers.ids[other]) if other >= 0 else 0), []).append(score)
        entrants.append(
            Entrant(
                player, answers.names[row], None if rating != rating else rating, float(made.number.sum()), len(own),
                _sum(everything.expected[own]), _sum(changes[own]),
            )
        )  # fmt: skip
    entrants.sort(key=lambda one: (-one.points, -(one.rating or 0.0), one.name))
    mean = found.mean
    return CrossTable(
        event, answers.day(found.first), answers.day(found.last), tuple(entrants),
        {pair: tuple(each) for pair, each in scores.items()}, None if mean != mean else mean,
    )  # fmt: skip


def _sum(numbers: Floats) -> float | None:
    """The sum of numbers; None if one is missing or there are none."""
    return float(numbers.sum()) if len(numbers) and np.isfinite(numbers).all() else None
