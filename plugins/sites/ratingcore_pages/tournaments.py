"""The table of a tournament's edition: results of all against all, or round by round."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.errors import CannotSay, MethodError
from ratingcore.plugin import Floats
from ratingcore.plugin.analysis import Lines, Score, performances
from ratingcore_pages.answers import PoolAnswers
from ratingcore_pages.editions import Edition
from ratingcore_pages.words import number

MATRIX, ROUNDS = 24, 16
"""Largest number of entrants of a cross table, and of rounds of a table of rounds."""
COMPLETE = 0.75
"""Least share of the pairs of entrants that met in a round robin."""
_MARKS = {-1: "0", 0: "½", 1: "1"}


class Cell(NamedTuple):
    """A cell of a table: results as `1`, `½` and `0`, and the id of the opponent, 0 for several opponents."""

    other: int
    text: str


class Entrant(NamedTuple):
    """A player of a tournament: rating before it, points, expected points, performance, and rating change."""

    id: int
    name: str
    rating: float | None
    points: float
    games: int
    expected: float | None
    performance: float | None
    change: float | None
    cells: tuple[tuple[Cell, ...], ...] = ()


@frozen
class CrossTable:
    """A tournament: entrants in order of points, and the columns of their results.

    Parameters
    ----------
    event : str
    first, last : str
        Days of its first and its last result.
    entrants : tuple of Entrant
    columns : tuple of str
        Headings of the cells of each entrant: places of the opponents of a round robin, or rounds.
    rounds : bool
        Whether columns are rounds.
    mean : float or None
        Mean rating of the rated entrants.
    """

    event: str
    first: str
    last: str
    entrants: tuple[Entrant, ...]
    columns: tuple[str, ...]
    rounds: bool
    mean: float | None

    @property
    def coloured(self) -> bool:
        """Whether the cells of rounds include the colours."""
        texts = (cell.text for one in self.entrants for cells in one.cells for cell in cells)
        return self.rounds and any("w" in text for text in texts)


class _Played(NamedTuple):
    """A result from one side: row of the opponent (negative for several), round, colour and score."""

    other: int
    round: Any
    colour: str
    score: Score


def cross_table(answers: PoolAnswers, event: str, edition: Edition | None = None) -> CrossTable:
    """Returns the table of a tournament or one of its editions: of all against all, or round by round."""
    method, through, known_at = answers.question
    since, until = (None, through) if edition is None else (edition.first, edition.last)
    found = answers.engine.tournament(answers.pool, event, method, until, known_at, since=since)
    row_of = {key: row for row, key in enumerate(answers.keys)}
    lines = answers.lines.take(answers.lines_of_event(event, edition))
    faced = answers.faced(lines)
    performed: dict[int, float] = {}
    with suppress(CannotSay, MethodError):
        performed = _performances(answers, lines, faced)
    own = {row: np.flatnonzero(lines.ledger.player == row) for row in np.unique(lines.ledger.player).tolist()}
    played = _played(answers, lines)
    entrants = []
    for key, rating in zip(found.player, found.rating.tolist(), strict=True):
        row = row_of[key]
        mine = own.get(row, np.empty(0, np.int64))
        entrants.append(
            Entrant(
                int(answers.ids[row]), answers.names[row], None if rating != rating else rating,
                float(lines.score.number[mine].sum()), len(mine), _sum(lines.expected[mine]),
                performed.get(row), _sum(lines.ledger.change[mine]),
            )
        )  # fmt: skip
    entrants.sort(key=lambda one: (-one.points, -(one.rating or 0.0), one.name))
    place = {answers.row_of[one.id]: at for at, one in enumerate(entrants, start=1)}
    of_each = [[played[line] for line in own.get(row, ())] for row in place]
    columns, rounds, cells = _cells(answers, [*place], of_each, place)
    mean = found.mean
    return CrossTable(
        event, answers.day(found.first), answers.day(found.last),
        tuple(one._replace(cells=tuple(of)) for one, of in zip(entrants, cells, strict=True)),
        columns, rounds, None if mean != mean else mean,
    )  # fmt: skip


def _performances(answers: PoolAnswers, lines: Lines, faced: Floats) -> dict[int, float]:
    """Returns each player's performance by row: the rating that expects their points against the mean opponent."""
    player, rated = lines.ledger.player, np.isfinite(faced)
    games = np.bincount(player[rated])
    with np.errstate(invalid="ignore"):
        opposition, share = (np.bincount(player[rated], of[rated]) / games for of in (faced, lines.score.number))
    found = performances(answers.replay.method, opposition, share)
    return {row: rating for row, rating in enumerate(found.tolist()) if rating == rating}


def _played(answers: PoolAnswers, lines: Lines) -> list[_Played]:
    """Returns the result of each line."""
    view, positions = answers.replay.view, lines.position
    (turn, turns), (home, sides) = (view.labels(name, positions) for name in ("round", "home"))
    first = lines.ledger.source % 2 == 0
    coloured = view.n_sessions == 0
    columns = (lines.opponent, turn, home, first, lines.score)
    found = []
    for other, which, at, is_a, score in zip(*(column.tolist() for column in columns), strict=True):
        side = sides[at - 1] if at and coloured else ""
        colour = ("w" if (side == "a") == is_a else "b") if side in ("a", "b") else ""
        found.append(_Played(other, turns[which - 1] if which else None, colour, score))
    return found


def _cells(
    answers: PoolAnswers, rows: Sequence[int], of_each: Sequence[Sequence[_Played]], place: Mapping[int, int]
) -> tuple[tuple[str, ...], bool, list[list[tuple[Cell, ...]]]]:
    """Returns the headings of columns, whether they are rounds, and the cells of each player by row of the state."""
    met = {(row, one.other) for row, each in zip(rows, of_each, strict=True) for one in each if one.other >= 0}
    turns = {one.round for each in of_each for one in each}
    n = len(rows)
    by_round = None not in turns and 1 < len(turns) <= ROUNDS
    if met and n <= MATRIX and (not by_round or len(met) >= COMPLETE * n * (n - 1)):
        return tuple(map(str, range(1, n + 1))), False, [
            [_against(answers, other, each) for other in rows] for each in of_each
        ]  # fmt: skip
    if not by_round:
        return (), False, [[] for _ in rows]
    whole = all(isinstance(turn, int | float) for turn in turns)
    order = sorted(turns) if whole else list(dict.fromkeys(one.round for each in of_each for one in each))
    return tuple(map(number, order) if whole else map(str, order)), True, [
        [tuple(_in_round(answers, one, place) for one in each if one.round == turn) for turn in order]
        for each in of_each
    ]  # fmt: skip


def _against(answers: PoolAnswers, other: int, each: Sequence[_Played]) -> tuple[Cell, ...]:
    """Returns the cells for the results against one opponent; more than two are one cell, such as `2.5/4`."""
    scores = [one.score for one in each if one.other == other]
    if len(scores) > 2:
        return (Cell(int(answers.ids[other]), f"{number(sum(scores), 1).removesuffix('.0')}/{len(scores)}"),)
    return tuple(Cell(int(answers.ids[other]), _mark(score)) for score in scores)


def _in_round(answers: PoolAnswers, one: _Played, place: Mapping[int, int]) -> Cell:
    """Returns a result as `7w1`: against number 7, with White, won."""
    if one.other < 0:
        return Cell(0, _mark(one.score))
    return Cell(int(answers.ids[one.other]), f"{place[one.other]}{one.colour or ':'}{_mark(one.score)}")


def _mark(score: Score) -> str:
    """Returns a score as a cell shows it, also from a session with one player on each of two sides."""
    return number(score, 2) if score.outcome is None else _MARKS[score.outcome]


def _sum(numbers: Floats) -> float | None:
    """Returns the sum of numbers; None if one is missing or there are none."""
    return float(numbers.sum()) if len(numbers) and np.isfinite(numbers).all() else None
