"""Sealed games in order of play that are not held as columns, but read from the log when they are needed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Ints, interleaved
from ratingcore.columns.games_in_order import GameTable, Piece, Spliced, joined
from ratingcore.columns.log_history import LogHistory, sealed_columns
from ratingcore.columns.timeline import NEVER, Players, Timeline
from ratingcore.errors import UnsoundLog
from ratingcore.events import Instant
from ratingcore.events.corrections import Corrections, rooted

_KEPT = 3
"""Number of parts that stay in memory, since some readers read the last ones again."""


class Marks(NamedTuple):
    """The parts of sealed games: positions and played times of the first and the last game of each."""

    first: Ints
    last: Ints
    begin: Ints
    end: Ints


class Stream:
    """Sealed games of a pool in order of play, part by part.

    Parameters
    ----------
    log : LogHistory
    pool : int
    marks : Marks
    rows : (ids,) int32
        Row of the player behind each id; -1 where there is none.
    players : int
        Number of rows of players.
    """

    def __init__(self, log: LogHistory, pool: int, marks: Marks, rows: NDArray[np.int32], players: int) -> None:
        self.marks = marks
        self.log = log
        self._pool = pool
        self._rows = rows
        self._players = players
        self.starts = np.concatenate([[0], np.cumsum(marks.last - marks.first + 1)])
        """Index of the first game of each part, and the number of all games."""
        self._kept: dict[tuple[int, Sequence[str]], dict[str, Ints]] = {}

    def columns(self, part: int, names: Sequence[str]) -> dict[str, Ints]:
        """Some columns of the games of a part, with ids of players.

        Raises
        ------
        UnsoundLog
            If the log no longer has the games that were there.
        """
        columns = self._kept.get((part, names))
        if columns is None:
            columns = self._read(part, names)
            kept = dict(list(self._kept.items())[1 - _KEPT :])
            # another thread may replace it meanwhile, and only time is lost
            self._kept = {**kept, (part, names): columns}
        return columns

    def _read(self, part: int, names: Sequence[str]) -> dict[str, Ints]:
        first, last, begin, end = (int(column[part]) for column in self.marks)
        n, stored = last - first + 1, [name for name in names if name not in ("position", "order")]
        read = sealed_columns(self.log, self._pool, first, last, stored) if stored else []
        columns: dict[str, Any] = dict(zip(stored, read, strict=True))
        same = all(len(column) == n for column in read)
        if same and "played" in columns:
            same = (columns["played"][0], columns["played"][-1]) == (begin, end)
        self._check(part, same and _most(*(columns[name] for name in {"a", "b"} & columns.keys())) < len(self._rows))
        if "position" in names:
            columns["position"] = np.arange(first, last + 1)
        if "order" in names:
            columns["order"] = np.zeros(n, np.int32)
        return columns

    def _check(self, part: int, same: bool) -> None:
        if not same:
            first, last = self.marks.first[part], self.marks.last[part]
            raise UnsoundLog((f"the games at positions {first} to {last} have changed",))

    def fill(self, part: int, which: slice, into: Mapping[str, Ints]) -> None:
        """Writes some columns of the games of a slice of a part into other columns, with rows of players."""
        names, ends = tuple(into), which.stop == self.starts[part + 1] - self.starts[part]
        # a fold does not come back to a part that it has read to its end
        columns = self._kept.get((part, names)) or (self._read if ends else self.columns)(part, names)
        for name, column in into.items():
            if name in ("a", "b"):
                self._rows.take(columns[name][which], out=column, mode="clip")  # without a check of each
                self._check(part, _most(column) < self._players)
            else:
                column[:] = columns[name][which]

    def index(self, position: int) -> int:
        """Number of games at earlier positions."""
        part = int(np.searchsorted(self.marks.last, position))
        within = 0 if part == len(self.marks.last) else max(position - int(self.marks.first[part]), 0)
        return int(self.starts[part]) + within

    def before(self, at: Instant) -> int:
        """Number of games played before an instant."""
        part = int(np.searchsorted(self.marks.begin, at)) - 1
        if part < 0:
            return 0
        if self.marks.end[part] < at:
            return int(self.starts[part + 1])
        return int(self.starts[part]) + int(np.searchsorted(self.columns(part, ("played",))["played"], at))


def _most(*columns: Ints) -> int:
    """The largest number in some columns; negative numbers count as larger than all others."""
    return max((int(column.view(np.uint32).max(initial=0)) for column in columns), default=0)


@frozen(eq=False)
class Streamed:
    """The games of a stream from `start` to before `stop`: a piece of a table, like games in memory."""

    stream: Stream
    start: int
    stop: int

    @property
    def size(self) -> int:
        return self.stop - self.start

    @cached_property
    def key(self) -> tuple[int, int, int]:
        return self._key(self.start)

    @property
    def last_key(self) -> tuple[int, int, int]:
        return self._key(self.stop - 1)

    def _key(self, index: int) -> tuple[int, int, int]:
        marks, part = self.stream.marks, int(np.searchsorted(self.stream.starts, index, "right")) - 1
        within = index - int(self.stream.starts[part])
        position = int(marks.first[part]) + within
        if position in (marks.first[part], marks.last[part]):
            return int((marks.begin if within == 0 else marks.end)[part]), 0, position
        return int(self.stream.columns(part, ("played",))["played"][within]), 0, position

    def near(self, index: int) -> Instant:
        """The time of the last game in the same part, since the time of the game itself would have to be read."""
        part = int(np.searchsorted(self.stream.starts, self.start + index, "right")) - 1
        return int(self.stream.marks.end[part])

    def take(self, which: slice) -> "Streamed":
        """The games of a slice."""
        start, stop, _ = which.indices(self.size)
        return Streamed(self.stream, self.start + start, self.start + max(stop, start))

    def _parts(self) -> Iterator[tuple[int, slice]]:
        """The parts that the games are in, and the slice of each."""
        starts, at = self.stream.starts, self.start
        while at < self.stop:
            part = int(np.searchsorted(starts, at, "right")) - 1
            begin, end = int(starts[part]), min(int(starts[part + 1]), self.stop)
            yield part, slice(at - begin, end - begin)
            at = end

    def tables(self, names: Sequence[str] = GameTable._fields) -> Iterator[GameTable]:
        """Some columns of the games, part by part; the other columns are empty."""
        for part, which in self._parts():
            begin = int(self.stream.starts[part])
            yield joined((evolve(self, start=begin + which.start, stop=begin + which.stop),), names)

    def fill(self, columns: Mapping[str, Ints], at: int) -> None:
        """Writes columns of the games into longer ones, from index `at` on."""
        for part, which in self._parts():
            stop = at + which.stop - which.start
            self.stream.fill(part, which, {name: column[at:stop] for name, column in columns.items()})
            at = stop

    def before(self, at: Instant) -> int:
        return min(max(self.stream.before(at), self.start), self.stop) - self.start

    def place(self, played: int, order: int, position: int) -> int:
        low, high = self.before(played), self.before(played + 1)
        if order:
            return low if order < 0 else high
        return min(max(self.stream.index(position) - self.start, low), high)

    def known(self, position: int) -> "Streamed":
        return evolve(self, stop=min(max(self.stream.index(position + 1), self.start), self.stop))

    def later_than(self, position: int) -> Instant | None:
        at = max(self.stream.index(position + 1), self.start)
        return self._key(at)[0] if at < self.stop else None

    def begins(self, other: object) -> bool:
        """True if another piece begins with these games."""
        return (
            isinstance(other, Streamed)
            and other.stream is self.stream
            and other.start == self.start
            and other.stop >= self.stop
        )

    @property
    def parts(self) -> Marks:
        """The marks of its parts, the first and last of which may be cut."""
        starts, marks = self.stream.starts, self.stream.marks
        low, high = int(np.searchsorted(starts, self.start, "right")) - 1, int(np.searchsorted(starts, self.stop))
        some = Marks(*(column[low:high].copy() for column in marks))
        some.begin[0], _, some.first[0] = self.key
        some.end[-1], _, some.last[-1] = self.last_key
        return some


class StreamedParts(NamedTuple):
    """The parts of all streamed games of a table, each with the index in the table at which its piece begins."""

    at: Ints
    first: Ints
    last: Ints
    begin: Ints
    end: Ints

    @classmethod
    def of(cls, table: Spliced) -> Self:
        """The parts of the streamed games of a table."""
        columns: list[list[Ints]] = [[np.empty(0, dtype=np.int64)] for _ in cls._fields]
        at = 0
        for piece in table.pieces:
            if isinstance(piece, Streamed):
                parts = piece.parts
                for column, more in zip(columns, (np.full(len(parts.first), at), *parts), strict=True):
                    column.append(more)
            at += piece.size
        return cls(*map(np.concatenate, columns))

    @property
    def marks(self) -> Marks:
        """The marks of these parts."""
        return Marks(*self[1:])

    def are_sound(self, position: int) -> bool:
        """True if the parts can be games up to a position, in order of play."""
        if len({len(column) for column in self}) > 1:
            return False
        at, first, last, begin, end = self
        ranges = int(first[0]) > 0 and int(last[-1]) <= position and int(at[0]) >= 0
        orders = (
            (last, first, 0),
            (first[1:], last[:-1], 1),
            (end, begin, 0),
            (begin[1:], end[:-1], 0),
            (at[1:], at[:-1], 0),
        )
        return ranges and all(bool((later - earlier >= least).all()) for later, earlier, least in orders)

    def among(self, kept: Spliced, stream: Stream) -> Spliced | None:
        """The table of games in memory with these games among them; None if their places do not fit."""
        places, starts = np.unique(self.at, return_index=True)
        pieces, done, placed = list[Piece](), 0, 0
        for at, start, stop in zip(places.tolist(), starts.tolist(), [*starts[1:].tolist(), len(self.at)], strict=True):
            if not done <= at - placed <= len(kept):
                return None
            pieces += kept.between(done, at - placed)
            done = at - placed
            pieces.append(Streamed(stream, int(stream.starts[start]), int(stream.starts[stop])))
            placed += pieces[-1].size
        return Spliced((*pieces, *kept.between(done, len(kept))), kept.origin)


# growth


class Growing:
    """Extends a timeline, part by part, with sealed games that come after everything in it.

    Parameters
    ----------
    timeline : Timeline
    log : LogHistory
    """

    def __init__(self, timeline: Timeline, log: LogHistory) -> None:
        self._was, self._log = timeline, log
        names = max(log.look().names, int(timeline.players.id.max(initial=0))) + 1
        self._row = timeline.players.rows(names)
        self._debut = np.full(names, NEVER)
        self._debut[timeline.players.id] = timeline.players.debut
        self._results = np.zeros(names, dtype=np.int64)
        self._results[timeline.players.id] = timeline.result_counts()
        self._unmet = self._debut == NEVER  # a byte a player, since every game looks there
        self._players = len(timeline.players.id)
        self._new: list[tuple[Ints, Ints]] = []
        self._marks: list[tuple[int, int, int, int]] = []
        self._last = _last_of(timeline)

    @property
    def since(self) -> Instant:
        """The time of the first game that was added."""
        return self._marks[0][2]

    def take_in(self, part: tuple[int, int]) -> bool:
        """Adds the sealed games of a part; returns False and adds none unless they come in order, after all else."""
        played, a, b = sealed_columns(self._log, self._was.pool, *part, ("played", "a", "b"))
        roots = self._was.corrections.roots
        a, b = rooted(a, roots), rooted(b, roots)
        in_order = (int(played[0]), 0, part[0]) > self._last and bool((played[1:] >= played[:-1]).all())
        if not in_order or (a == b).any() or _most(a, b) >= len(self._row):
            return False
        self._meet(interleaved(a, b), played)
        self._last = int(played[-1]), 0, part[1]
        self._marks.append((*part, int(played[0]), self._last[0]))
        return True

    def _meet(self, seats: Ints, played: Ints) -> None:
        """Counts results, and numbers the players who appear for the first time."""
        np.add.at(self._results, seats, 1)
        some = np.flatnonzero(self._unmet.take(seats, mode="clip"))
        some = some[np.sort(np.unique(seats[some], return_index=True)[1])]
        debut, played = seats[some], played[some // 2]
        self._debut[debut] = played
        self._unmet[debut] = False
        without = self._row[debut] < 0
        new = debut[without]
        self._row[new] = np.arange(self._players, self._players + len(new), dtype=np.int32)
        self._players += len(new)
        self._new.append((new.astype(np.int32), played[without]))

    @property
    def position(self) -> int:
        """Position of the last game that was added, or else of the timeline."""
        return self._marks[-1][1] if self._marks else self._was.known_at

    def timeline(self) -> Timeline:
        """The timeline with the games that were added."""
        if not self._marks:
            return self._was
        was = self._was
        ids = np.concatenate([was.players.id, *(ids for ids, _ in self._new)])
        first = np.concatenate([was.players.first, *(first for _, first in self._new)])
        marks = Marks(*(np.array(column, dtype=np.int64) for column in zip(*self._marks, strict=True)))
        stream = Stream(self._log, was.pool, marks, rows_of(self._row, was.corrections), self._players)
        return evolve(
            was,
            known_at=self.position,
            digest=self._log.digest_at(self.position),
            table=was.table.replaced(len(was.table), Streamed(stream, 0, int(stream.starts[-1]))),
            players=Players(ids, first, self._debut[ids]),
            results=self._results[ids],
        )


def rows_of(rows: NDArray[np.int32], corrections: Corrections) -> NDArray[np.int32]:
    """Changes `rows` so that players who count as someone else have the row of that player, and returns it."""
    for player, root in corrections.roots.items():
        rows[player] = rows[root]
    return rows


def _last_of(timeline: Timeline) -> tuple[int, int, int]:
    """The time, order and position beyond which games come after everything in a timeline."""
    players, sessions = timeline.players, timeline.sessions
    last = [(int(players.first[-1]), -(2**31), 0)] if len(players.first) else []
    last += [(int(sessions.played[-1]), 2**31, 0)] if len(sessions.played) else []
    piece = next((piece for piece in reversed(timeline.table.pieces) if piece.size), None)
    last += [] if piece is None else [piece.last_key]
    return max(last, default=(-(2**63), 0, 0))
