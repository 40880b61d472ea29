"""Histories: the ledger of a replay with the day, the opponent and the score of every line."""

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from types import MappingProxyType
from typing import NamedTuple, Self

import numpy as np
from attrs import frozen

from ratingcore.columns.arrays import Floats, Ints
from ratingcore.columns.sides import Sides
from ratingcore.events import Clock, Instant
from ratingcore.events.zones import UTC
from ratingcore.explain.beside import beside_lines, cells_beside
from ratingcore.lists.cells import Cell
from ratingcore.replay.ledger import BEFORE, RESULT, SEED, SETTLED, TRACKED, Ledger
from ratingcore.replay.record import Replay


class Moved(NamedTuple):
    """The seven cells that a line of a history is as a tuple."""

    played: Instant
    position: int | None
    opponent: str
    score: float | None
    expected: float | None
    change: float
    rating: float


class Line(Moved):
    """One line of a history: a tuple of seven cells, which has the uid of its event and further columns besides.

    `position` and `uid` are None where no event moved the rating; then `opponent` is the label of the line, and there
    is neither score nor expectation. The `change` of lines adds up to the difference of any two ratings. `columns` is
    what the method lists beside the rating after the line, by name: `line.columns["deviation"]`; of a periodic method
    after the period of the line.
    """

    uid: str | None = None
    columns: Mapping[str, Cell] = MappingProxyType({})
    clock: Clock = UTC

    @classmethod
    def of(cls, moved: Moved, uid: str | None, columns: Mapping[str, Cell], clock: Clock = UTC) -> Self:
        """The line of these cells, whose time is on a clock."""
        line = cls(*moved)
        line.uid, line.columns, line.clock = uid, columns, clock
        return line

    @property
    def time(self) -> str:
        """When it was played, as ISO 8601: a day, or a day with a time and the offset of the pool's zone."""
        return self.clock.iso(self.played)


class Words:
    """Texts by their codes below 0: labels of lines, and sides of several players.

    Parameters
    ----------
    texts : sequence of str
        The first ones, whose codes are -1, -2 and so on.
    """

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self._codes = {text: -1 - number for number, text in enumerate(texts)}

    def code(self, text: str) -> int:
        """The code of a text; a new one gets the next."""
        return self._codes.setdefault(text, -1 - len(self._codes))

    @property
    def texts(self) -> list[str]:
        """All of them; that of a code is `texts[-1 - code]`."""
        return list(self._codes)

    def read(self, replay: Replay, column: Ints) -> list[str]:
        """A column of codes and of rows of the state, as texts and names of players."""
        texts, name = self.texts, replay.view.name
        return [texts[-1 - code] if code < 0 else name(code) for code in column.tolist()]


@frozen(eq=False)
class Lines:
    """The lines of a ledger with what is known of their events, as columns.

    Parameters
    ----------
    ledger : Ledger
    played : (n,) int
    position : (n,) int
        0 where no event moved the rating.
    opponent : (n,) int
        Row of the opponent; below 0 the code of a label, or of a side of several players.
    score, expected : (n,) float64
        From the player's side; NaN for all but results.
    words : Words
    beside : mapping of name to (n,) float64
        What is listed beside the rating after each line.
    """

    ledger: Ledger
    played: Ints
    position: Ints
    opponent: Ints
    score: Floats
    expected: Floats
    words: Words
    beside: Mapping[str, Floats]

    def opponents(self, replay: Replay) -> list[str]:
        """The column `opponent` in words."""
        return self.words.read(replay, self.opponent)


def history(replay: Replay, row: int, uids: Callable[[Sequence[int]], list[str]] | None = None) -> list[Line]:
    """Lines of the player in a row of the state, with the rating after each.

    A retrospective method moves no rating result by result: its track, if it gives one, is shown.

    Parameters
    ----------
    replay : Replay
        With its moves kept; lines have further columns if it has a `Watch` of this player.
    row : int
    uids : callable or None
        Uids of the events at positions; lines have none without it.
    """
    lines = described(replay, replay.ledger(np.array([row])))
    ledger, names = lines.ledger, lines.opponents(replay)
    result = (ledger.kind == RESULT).tolist()
    score, expected = (
        [number if is_result else None for number, is_result in zip(column.tolist(), result, strict=True)]
        for column in (lines.score, lines.expected)
    )
    position = [at or None for at in lines.position.tolist()]
    change, rating = ledger.change.tolist(), ledger.rating.tolist()
    events = [at for at in position if at is not None]
    named = dict(zip(events, uids(events), strict=True)) if uids is not None and events else {}
    uid = [None if at is None else named.get(at) for at in position]
    beside = cells_beside(replay.method, lines.beside, len(ledger))
    moved = map(Moved, lines.played.tolist(), position, names, score, expected, change, rating)
    return list(map(Line.of, moved, uid, beside, repeat(replay.view.clock)))


def described(replay: Replay, ledger: Ledger) -> Lines:
    """The lines of a replay's ledger, or some of them, with their events looked up."""
    results, moves, n, words = replay.results, replay.moves, len(ledger), Words(ledger.labels)
    played, position = moments(replay, ledger)
    opponent, score, expected = -1 - ledger.label, np.full(n, np.nan), np.full(n, np.nan)
    if moves is not None:
        at = np.flatnonzero(ledger.kind == RESULT)
        member = ledger.source[at]
        opponent[at], score[at], side = met(replay, member, words)
        share = moves.expected[side if isinstance(results, Sides) else replay.result_of(member)]
        expected[at] = share if isinstance(results, Sides) else np.where(side % 2, 1.0 - share, share)
    return Lines(ledger, played, position, opponent, score, expected, words, beside_lines(replay, ledger))


def moments(replay: Replay, ledger: Ledger) -> tuple[Ints, Ints]:
    """When each line of a ledger was played, and the position of its event; 0 where no event moved the rating."""
    results, moves, seeds, track = replay.results, replay.moves, replay.sown.seeds, replay.track
    played, position = np.empty(len(ledger), dtype=np.int64), np.zeros(len(ledger), dtype=np.int64)

    def of(kind: int) -> tuple[Ints, Ints]:
        at = np.flatnonzero(ledger.kind == kind)
        return at, ledger.source[at]

    if track is not None:
        at, day = of(TRACKED)
        played[at] = track.day[day]
    if moves is not None:
        at, member = of(BEFORE)
        played[at] = results.played[replay.result_of(member)]
        at, seed = of(SEED)
        played[at], position[at] = seeds.played[seed], np.maximum(seeds.position[seed], 0)
        at, number = of(SETTLED)
        played[at] = np.array([settled.at for settled in moves.after], dtype=np.int64)[number]
        at, member = of(RESULT)
        result = replay.result_of(member)
        played[at], position[at] = results.played[result], results.position[result]
    return played, position


def met(replay: Replay, members: Ints, words: Words) -> tuple[Ints, Floats, Ints]:
    """Opponents, scores and sides of members in their results; the sides of game `g` are `2 g` and `2 g + 1`.

    The opponent is a row of the state, or a word: several players on the other side, or the number of other sides.
    """
    results = replay.results
    if not isinstance(results, Sides):
        share = results.score[members // 2]
        second = members % 2 == 1
        return replay.member[members ^ 1].astype(np.int64), np.where(second, 1.0 - share, share), members
    side = np.searchsorted(results.side, members, "right") - 1
    result = np.searchsorted(results.result, side, "right") - 1
    first = results.result[result]
    others = results.result[result + 1] - first - 1
    opponent = np.empty(len(members), dtype=np.int64)
    for count in np.unique(others[others != 1]).tolist():
        opponent[others == count] = words.code(f"{count} sides")
    opposite, which = np.unique((2 * first + 1 - side)[others == 1], return_inverse=True)
    opponent[others == 1] = np.array([_seated(replay, results, int(one), words) for one in opposite], np.int64)[which]
    return opponent, results.score[side], side


def _seated(replay: Replay, results: Sides, side: int, words: Words) -> int:
    players = results.player[results.side[side] : results.side[side + 1]].tolist()
    return int(players[0]) if len(players) == 1 else words.code(" + ".join(map(replay.view.name, players)))
