"""Two players side by side: their results against each other, by tournament too, and the forecast of the next one."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from ratingcore.errors import CannotSay, MethodError
from ratingcore.plugin.analysis import Lines, Record, Score, opponents
from ratingcore_pages.answers import Ints, Line, PoolAnswers, scored

AGAIN = 2
"""Fewest results against each other for which a site in a folder has a page of two players."""


class Met(NamedTuple):
    """A result of two players against each other: the first player's line, who finished ahead, the other's score."""

    line: Line
    ahead: int
    other_score: Score | None


class Led(NamedTuple):
    """The first player's record against the second in a tournament, with the instant of their last result there."""

    event: str
    last: int
    record: Record


@frozen
class Meeting:
    """Two players side by side.

    Parameters
    ----------
    met : tuple of Met
        Results against each other, newest first.
    ahead : Prediction or None
        Forecast of the next game; None if the method makes none.
    lines_a, lines_b : Lines
        Both histories.
    """

    met: tuple[Met, ...]
    ahead: Any
    lines_a: Lines
    lines_b: Lines

    @property
    def record(self) -> Record:
        """The first player's record."""
        return Record.of(one.ahead for one in self.met)

    @property
    def expected(self) -> float | None:
        """The first player's expected score."""
        return None if self.ahead is None else self.ahead.expected[0]

    @property
    def led(self) -> list[Led]:
        """Records by tournament, newest first; results without a tournament are left out."""
        of: dict[str, list[Met]] = {}
        for one in self.met:
            of.setdefault(one.line.event, []).append(one)
        return [
            Led(event, each[0].line.played, Record.of(one.ahead for one in each)) for event, each in of.items() if event
        ]


def meeting(answers: PoolAnswers, a: int, b: int) -> Meeting:
    """Compares two players of a pool, by id."""
    of = [answers.lines_of(answers.row_of[player]) for player in (a, b)]
    met = _from_lines(answers, of[0], of[1], answers.row_of[b])
    if answers.solved:
        keys = answers.keys[answers.row_of[a]], answers.keys[answers.row_of[b]]
        forecast = answers.engine.forecasts(answers.pool, *answers.question, between=keys).met
        lines = [
            one.line._replace(expected=row.expected, change=row.change) for one, row in zip(met, forecast, strict=True)
        ]
        met = [one._replace(line=line) for one, line in zip(met, lines, strict=True)]
    return Meeting(tuple(met[::-1]), *foreseen(answers, [(a, b)]), *of)


def record(answers: PoolAnswers, a: int, b: int) -> Record:
    """Returns how often one player finished ahead of another, level with them, and behind them."""
    replay, row_of = answers.replay, answers.row_of
    _, other, ahead = opponents(replay, np.flatnonzero(replay.member == row_of[a]))
    return Record.of(ahead[replay.member[other] == row_of[b]].tolist())


def pairs(answers: PoolAnswers) -> list[tuple[int, int]]:
    """Returns the pairs of frequent opponents that have a page, by id; none for a whole-pool method."""
    if answers.solved:
        return []
    found = {
        (min(one, other.id), max(one, other.id))
        for one, often in zip(answers.ids.tolist(), answers.rivals_of_all, strict=True)
        for other in often
        if other.record.games >= AGAIN and other.id != one
    }
    return sorted(found)


def foreseen(answers: PoolAnswers, players: Sequence[tuple[int, int]]) -> list[Any]:
    """Forecasts the next game of each pair, all in one call; None if the method makes no forecast."""
    nameless, known = set(answers.engine.log.book.nameless("player")), answers.foreseen
    wanted = [both for both in dict.fromkeys(players) if both not in known and nameless.isdisjoint(both)]
    if wanted:
        method, through, known_at = answers.question
        keys = [tuple(answers.keys[answers.row_of[player]] for player in both) for both in wanted]
        try:
            found: Iterable[Any] = answers.engine.predict(answers.pool, method, keys, through, known_at, after=False)
        except (MethodError, CannotSay):
            found = [None for _ in wanted]
        known |= dict(zip(wanted, found, strict=True))
    return [known.get(both) for both in players]


def _from_lines(answers: PoolAnswers, lines: Lines, others: Lines, row: int) -> list[Met]:
    """Returns the results of two players against each other in order of play, from both players' lines."""
    replay, results = answers.replay, np.flatnonzero(scored(lines))
    own, other, ahead = opponents(replay, lines.ledger.source[results])
    mine = replay.member[other] == row
    at, of_other = (_line_of(one, seats[mine]) for one, seats in ((lines, own), (others, other)))
    found, theirs = answers.described(lines.take(at)), others.score[of_other].tolist()
    return [Met(one, which, score) for one, which, score in zip(found, ahead[mine].tolist(), theirs, strict=True)]


def _line_of(lines: Lines, seats: Ints) -> Ints:
    """Returns the index of the line for each seat of a player."""
    results = np.flatnonzero(scored(lines))
    source = lines.ledger.source[results]
    order = np.argsort(source)
    return np.asarray(results[order[np.searchsorted(source[order], seats)]])
