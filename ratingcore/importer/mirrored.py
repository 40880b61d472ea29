"""Finds rows of a table with the same content: equal rows, and two rows that report one game from both sides."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.events import GamePlayed, SessionPlayed
from ratingcore.events.missing_uids import is_nameless
from ratingcore.events.values import exchanged
from ratingcore.importer.differences import differing_fields, fields_of, from_other_side
from ratingcore.importer.known_rows import Matching
from ratingcore.importer.notes import SHOWN, Mirrored, OneSided, Repeated, first_lines
from ratingcore.importer.reasons import OtherSide, OtherSideDiffers
from ratingcore.importer.recorded_notes import TwiceInLog
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_outcomes import column_of
from ratingcore.readers import Made, Note, Outcome, Reason, Refused

_USUAL = frozenset((0.0, 0.5, 1.0))
_DIGITS = 9
"""Number of decimals to which scores are compared, because 1 minus a score is rounded."""


class Contents:
    """Hashes of the rows of a table: the same for equal rows; those of mirrored rows differ in the last bit."""

    def __init__(self) -> None:
        self._lines: list[Sequence[int]] = []
        """The lines in parts; those of columns are often ranges."""
        self._numbers = array("q")
        self._meetings: list[tuple[int, Ints]] = []
        """Meetings of parts in which they differ from the numbers, each with the number of rows before."""
        self._every_id = self._by_columns = True

    def add(self, line: int, event: GamePlayed | SessionPlayed) -> None:
        """Adds a row."""
        if isinstance(event, GamePlayed):
            content, turned = _content(event)
        else:
            content, turned = (event.played, event.order, *event.sides, event.pool, *event.data.items()), False
        self._every_id, self._by_columns = self._every_id and not is_nameless(event.uid), False
        part = self._lines[-1] if self._lines else None
        if not isinstance(part, array):
            part = array("q")
            self._lines.append(part)
        part.append(line)
        self._numbers.append(hash(content) & -2 | turned)

    def add_all(
        self, lines: Sequence[int], numbers: Ints, turned: NDArray[np.bool_], meetings: Ints, *, with_ids: bool
    ) -> None:
        """Adds games given as columns.

        Parameters
        ----------
        numbers, turned : (n,) int64 and (n,) bool
            Numbers shared by equal games and mirrored ones, and the side that reports.
        meetings : (n,) int64
            Numbers shared by games of the same players at one time with the same score; the numbers, if they have no
            further facts.
        with_ids : bool
            Whether all games have ids of their own.
        """
        self._every_id = self._every_id and with_ids
        self._lines.append(lines)
        self._meetings += [] if meetings is numbers else [(len(self._numbers), meetings)]
        self._numbers.frombytes((numbers & -2 | turned).view(np.uint8).data)

    def all_differ(self) -> bool:
        """True if all rows are games of columns, and no two of the same players at one time with the same score."""
        every = np.frombuffer(self._numbers, np.int64) >> 1
        for start, meetings in self._meetings:
            every[start : start + len(meetings)] = meetings >> 1
        every.sort()
        return self._by_columns and bool(len(every)) and not (every[1:] == every[:-1]).any()

    def notes(self) -> list[Note]:
        """Returns the remarks, one note for each kind; equal rows are not noted if every row has its own id."""
        notes, numbers = list[Note](), np.frombuffer(self._numbers, np.int64)
        either = numbers >> 1
        either.sort()
        shared = either[1:][either[1:] == either[:-1]]
        if not len(shared):
            return []
        del either
        some = shared[np.minimum(np.searchsorted(shared, numbers >> 1), len(shared) - 1)] == numbers >> 1
        lines, numbers = np.concatenate([column_of(part) for part in self._lines])[some], numbers[some]
        different, first, counts = np.unique(numbers, return_index=True, return_counts=True)
        if len(different) < len(numbers) and not self._every_id:
            again = np.ones(len(numbers), np.bool_)
            again[first] = False
            equal = lines[again].tolist()
            notes.append(Repeated(len(equal), first_lines(equal)))
        at = np.flatnonzero(np.diff(different >> 1) == 0)
        if len(at):
            games = int(np.minimum(counts[at], counts[at + 1]).sum())
            pairs = sorted(zip(*np.sort([lines[first[at]], lines[first[at + 1]]], 0).tolist(), strict=True))
            notes.append(Mirrored(games, 2 * games == len(self._numbers), tuple(pairs[: SHOWN + 1])))
        return notes


def _content(game: GamePlayed) -> tuple[tuple[Any, ...], bool]:
    """Returns a game's content, the same from both sides, and whether the side with the later name reports it."""
    a, b, score, data = game.a, game.b, game.score, game.data
    turned = a > b
    if turned:
        a, b, score, data = b, a, 1.0 - score, exchanged(data) if data else data
    score = score if score in _USUAL else round(score, _DIGITS)
    return (game.order, game.pool, game.played, a, b, score, frozenset(data.items()) if data else None), turned


def taken_once(
    outcomes: Iterable[Outcome], report: ImportReport, twins_left_out: list[tuple[int, GamePlayed]]
) -> Iterator[Outcome]:
    """Yields the outcomes of a file in which both sides report their games, but each game only once.

    The second report is counted as a duplicate, and added to `twins_left_out` unless it has the id of the first one.
    Two reports of one game that differ are refused. A game that only one side reports is taken.
    """
    rows = list(outcomes)
    lines = {place: row.line for place, row in enumerate(rows) if isinstance(row, Made)}
    games = {
        place: row.event
        for place, row in enumerate(rows)
        if isinstance(row, Made) and isinstance(row.event, GamePlayed)
    }
    twins, left = _paired(games, lambda game: _content(game)[0][1:])
    contrary, alone = _paired({place: games[place] for place in left}, _meeting)
    contrary |= {other: one for one, other in contrary.items()}
    for place, row in enumerate(rows):
        if place in twins:
            report.read += 1
            report.settled.add("left", [lines[place]], reason=Reason.of(OtherSide()))
            if is_nameless(games[place].uid) or games[place].uid != games[twins[place]].uid:
                twins_left_out.append((lines[place], games[place]))
        elif place in contrary:
            yield Refused(lines[place], _contrary(games[place], games[contrary[place]], lines[contrary[place]]))
        else:
            yield row
    if alone:
        report.notes.append(OneSided(len(alone), first_lines(map(lines.__getitem__, alone))))


def twice_in_log(twins: Sequence[tuple[int, GamePlayed]], matching: Matching) -> list[Note]:
    """Notes games that the log has from both sides, although each game of the file was meant to be taken once.

    Parameters
    ----------
    twins : sequence of (int, GamePlayed)
        The file's second reports of games, with their lines.
    matching : Matching
        Matching that has seen the first reports.
    """
    known = matching.sort([game for _, game in twins]).known
    lines = [twins[place][0] for place in sorted(known.keys())]
    return [TwiceInLog(len(lines), first_lines(lines))] if lines else []


def _paired(games: dict[int, GamePlayed], key: Callable[[GamePlayed], Hashable]) -> tuple[dict[int, int], list[int]]:
    """Returns the rows that repeat an earlier row from the other side, with that row; and rows without a twin."""
    pairs, open_ = dict[int, int](), defaultdict[Hashable, list[int]](list)
    for place, game in games.items():
        waiting = open_[key(game)]
        if waiting and games[waiting[0]].a == game.b:
            pairs[place] = waiting.pop(0)
        else:
            waiting.append(place)
    return pairs, sorted(place for waiting in open_.values() for place in waiting)


def _meeting(game: GamePlayed) -> Hashable:
    return game.pool, game.played, frozenset((game.a, game.b)), game.data.get("event"), game.data.get("round")


def _contrary(mine: GamePlayed, other: GamePlayed, line: int) -> Reason:
    was, now = fields_of(mine), fields_of(from_other_side(other))
    differing = [(name, str(was.get(name)), str(now.get(name))) for name in differing_fields(was, now)]
    return Reason.of(OtherSideDiffers(line, tuple(differing)))
