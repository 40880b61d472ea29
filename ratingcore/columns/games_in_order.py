"""Games in order of play, stored in pieces, so that late games are inserted between pieces without copying columns."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.events import Instant, Row


class Piece(Protocol):
    """A piece of a table: some games in order of play, in memory or read on demand."""

    @property
    def size(self) -> int: ...
    @property
    def key(self) -> tuple[int, int, int]: ...
    @property
    def last_key(self) -> tuple[int, int, int]: ...
    def near(self, index: int) -> Instant: ...
    def take(self, which: slice) -> Self: ...
    def tables(self, names: Sequence[str] = ...) -> "Iterator[GameTable]": ...
    def fill(self, columns: Mapping[str, Ints], at: int) -> None: ...
    def before(self, at: Instant) -> int: ...
    def place(self, played: int, order: int, position: int) -> int: ...
    def known(self, position: int) -> Self: ...
    def later_than(self, position: int) -> Instant | None: ...
    def begins(self, other: object) -> bool: ...


class GameTable(NamedTuple):
    """Games sorted by (played, order, position); `a` and `b` are ids of names or rows of players."""

    position: Ints
    played: Ints
    order: Ints
    a: Ints
    b: Ints
    score: Floats

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "GameTable":
        """Rows of games as columns, in their given order."""
        table = np.array([(r.position, r.played, r.order, r.a, r.b, r.score) for r in rows], dtype=_GAME)
        return cls(*(np.ascontiguousarray(table[name]) for name in cls._fields))

    def take(self, which: Any) -> "GameTable":
        """Some of the games: an index, a mask or a slice."""
        return GameTable(*(column[which] for column in self))

    @property
    def size(self) -> int:
        """Number of games."""
        return len(self.a)

    @property
    def key(self) -> tuple[int, int, int]:
        """Time, order and position of the first game."""
        return self._key(0)

    @property
    def last_key(self) -> tuple[int, int, int]:
        """Time, order and position of the last game."""
        return self._key(-1)

    def _key(self, index: int) -> tuple[int, int, int]:
        return int(self.played[index]), int(self.order[index]), int(self.position[index])

    def near(self, index: int) -> Instant:
        """The time of a game."""
        return int(self.played[index])

    def tables(self, names: Sequence[str] = ()) -> "Iterator[GameTable]":
        """Yields the games as columns, which are this table."""
        return iter((self,))

    def fill(self, columns: Mapping[str, Ints], at: int) -> None:
        """Writes columns of the games into longer ones, from index `at` on."""
        for name, column in columns.items():
            column[at : at + self.size] = getattr(self, name)

    def before(self, at: Instant) -> int:
        """Number of games played before an instant."""
        return int(np.searchsorted(self.played, at))

    def known(self, position: int) -> "GameTable":
        """The games that were in the log at a position."""
        which = np.flatnonzero(self.position <= position)
        return self if len(which) == len(self.a) else self.take(which)

    def later_than(self, position: int) -> Instant | None:
        """The time of the first game that came into the log after a position."""
        later = self.position > position
        first = int(later.argmax()) if len(later) else 0
        return int(self.played[first]) if len(later) and later[first] else None

    def begins(self, other: object) -> bool:
        """True if another table begins with these games, in the same memory."""
        return (
            isinstance(other, GameTable)
            and len(self.a) <= len(other.a)
            and all(
                x.__array_interface__["data"][0] == y.__array_interface__["data"][0]
                for x, y in zip(other, self, strict=True)
            )
        )

    def then(self, other: "GameTable") -> "GameTable":
        """These games and the others after them."""
        if not len(self.a) or not len(other.a):
            return other if len(other.a) else self
        return GameTable(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))

    def place(self, played: int, order: int, position: int) -> int:
        """Returns the index of the game with this time, order and position, or the index at which to insert it."""
        low, high = int(np.searchsorted(self.played, played)), int(np.searchsorted(self.played, played, "right"))
        for column, value in ((self.order, order), (self.position, position)):
            part = column[low:high]
            low, high = low + int(np.searchsorted(part, value)), low + int(np.searchsorted(part, value, "right"))
        return low


_KINDS = ("i8", "i8", "i4", "i4", "i4", "f8")
_GAME = np.dtype(list(zip(GameTable._fields, _KINDS, strict=True)))


class PlayedBefore:
    """Counts the games of each player before a place in a column of games; caches the counts.

    The column may grow, but its games never change. A list of an early day counts one block of games instead of all;
    the cache takes at most a byte per game.
    """

    def __init__(self) -> None:
        self._kept: dict[int, NDArray[np.int32]] = {0: np.empty(0, dtype=np.int32)}

    def counts(self, games: Piece, place: int, players: int) -> NDArray[np.int64]:
        """Number of games before a place in which each player, by row, takes part."""
        step = _BLOCK
        while step < 4 * players:
            step *= 2
        start = max(at for at in list(self._kept) if at <= place)  # another thread may add more meanwhile
        known = self._kept[start]
        counts = np.zeros(max(players, len(known)), dtype=np.int64)
        counts[: len(known)] = known
        for stop in (*range(start - start % step + step, place, step), place):
            count(counts, games.take(slice(start, stop)))
            if stop % step == 0:
                self._kept[stop] = counts.astype(np.int32)
            start = stop
        return counts[:players]


_BLOCK = 65_536
"""Smallest number of games between two places with cached counts."""


def count(counts: NDArray[np.int64], games: Piece) -> None:
    """Adds the number of games of each player, by row."""
    for table in games.tables(("a", "b")):
        for rows in (table.a, table.b):
            if len(rows) < len(counts):  # otherwise a pass over all players is faster
                np.add.at(counts, rows, 1)
            else:
                counts += np.bincount(rows, minlength=len(counts))


@frozen(eq=False)
class Spliced:
    """Games in order of play, in consecutive pieces.

    A late game or a correction splits a piece at its own time, so a pool of millions is not copied, and the file
    of earlier games is not rewritten.
    """

    pieces: tuple[Piece, ...] = ()
    origin: PlayedBefore = field(factory=PlayedBefore)
    """Tables with the same origin have the same games as far as the first pieces of both reach."""

    @cached_property
    def _starts(self) -> list[int]:
        """Index at which each piece starts, and the number of all games."""
        return list(accumulate((piece.size for piece in self.pieces), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    @property
    def whole(self) -> GameTable:
        """All games as columns of one piece, made on first use; streamed games are read each time, and never kept."""
        return joined(self.pieces) if self.streamed else self._whole

    @cached_property
    def _whole(self) -> GameTable:
        return joined(self.pieces)

    @cached_property
    def streamed(self) -> bool:
        """True if some games are not in memory."""
        return any(not isinstance(piece, GameTable) for piece in self.pieces)

    @property
    def body(self) -> Piece:
        """The first piece."""
        return self.pieces[0] if self.pieces else GameTable.of(())

    @property
    def in_memory(self) -> "Spliced":
        """The games that are in memory, without streamed ones."""
        return (
            self._in_memory if self.streamed else self
        )  # a cached `self` would keep the columns until garbage collection

    @cached_property
    def _in_memory(self) -> "Spliced":
        return Spliced(tuple(piece for piece in self.pieces if isinstance(piece, GameTable)))

    def tables(self, names: Sequence[str] = GameTable._fields) -> Iterator[GameTable]:
        """All games as columns, part by part; columns other than these may be empty."""
        return (table for piece in self.pieces for table in piece.tables(names))

    def part(self, start: int, stop: int, names: Sequence[str] = GameTable._fields) -> GameTable:
        """Some columns of the games from `start` to before `stop`; the other columns may be empty."""
        return joined(self.between(start, stop), names)

    def known(self, start: int, position: int) -> GameTable:
        """The games from `start` on that were in the log at a position; later games are not copied first."""
        return joined([piece.known(position) for piece in self.between(start, len(self))])

    def near(self, index: int) -> Instant:
        """The time of a game, or of one soon after it if that is available without reading."""
        piece = bisect_right(self._starts, index) - 1
        return self.pieces[piece].near(index - self._starts[piece])

    def between(self, start: int, stop: int) -> list[Piece]:
        """The pieces of the games from `start` to before `stop`."""
        parts = []
        first = max(bisect_right(self._starts, start) - 1, 0)
        for piece, at in zip(self.pieces[first:], self._starts[first:], strict=False):
            if at >= stop:
                break
            low, high = max(start - at, 0), min(stop - at, piece.size)
            if low < high:
                parts.append(piece if high - low == piece.size else piece.take(slice(low, high)))
        return parts

    def before(self, at: Instant) -> int:
        for piece, start in zip(reversed(self.pieces), reversed(self._starts[:-1]), strict=True):
            if piece.size and piece.key[0] < at:
                return start + piece.before(at)
        return 0

    def place(self, played: int, order: int, position: int) -> int:
        for piece, start in zip(reversed(self.pieces), reversed(self._starts[:-1]), strict=True):
            if piece.size and piece.key <= (played, order, position):
                return start + piece.place(played, order, position)
        return 0

    def counts(self, start: int, stop: int, players: int) -> NDArray[np.int64]:
        """Number of games from `start` to before `stop` in which each player, by row, takes part."""
        counts, body = np.zeros(players, dtype=np.int64), self.body.size
        if min(stop, body) - start > 2 * _BLOCK and not self.streamed:
            counts += self.origin.counts(self.body, min(stop, body), players)
            counts -= self.origin.counts(self.body, start, players)
            start = body
        for piece in self.between(start, stop):
            count(counts, piece)
        return counts

    def first_later_than(self, position: int) -> Instant | None:
        """The time of the first game that came into the log after a position."""
        times = (piece.later_than(position) for piece in self.pieces)
        return next((at for at in times if at is not None), None)

    def replaced(self, start: int, tail: Piece) -> "Spliced":
        """The games before `start`, followed by others."""
        return self._of(self.between(0, start), [tail])

    def edited(self, gone: Iterable[int], fresh: GameTable) -> "Spliced":
        """The games without those at some indices, and with others where they belong in order of play."""
        keys = zip(fresh.played.tolist(), fresh.order.tolist(), fresh.position.tolist(), strict=True)
        # (index, whether it removes, which): at one index a game is inserted before another is removed
        edits = [(at, 1, at) for at in gone] + [(self.place(*key), 0, n) for n, key in enumerate(keys)]
        pieces: list[Piece] = []
        done = 0
        for at, removes, number in sorted(edits):
            pieces += self.between(done, at)
            done = max(done, at) + removes
            if not removes:
                pieces.append(fresh.take(slice(number, number + 1)))
        return self._of(pieces, self.between(done, len(self)))

    def _of(self, before: list[Piece], after: Sequence[Piece]) -> "Spliced":
        """Makes a table of pieces, some of which are joined if there are many.

        The origin is kept only if the first piece shares memory with the first piece of this table. Then the cache
        may leave the file of the body unchanged and write the tail alone. Equal games in other memory would be
        as good, but finding them would mean comparing millions of games.
        """
        pieces = [piece for piece in (*before, *after) if piece.size]
        if not pieces or not self.pieces or not pieces[0].begins(self.pieces[0]):
            return Spliced(_fewer(pieces))
        return Spliced(_fewer(pieces), self.origin)


_MANY = 64
"""Largest number of pieces in memory; beyond it, all pieces after the first are joined."""
_MOST = 2048
"""The same limit if some pieces are streamed: joining reads these into memory."""


def joined(pieces: Iterable[Piece], names: Sequence[str] = GameTable._fields) -> GameTable:
    """Joins some columns of pieces into one table; a single piece in memory is not copied."""
    some = [piece for piece in pieces if piece.size]
    if not some:
        return GameTable.of(())
    if len(some) == 1 and isinstance(some[0], GameTable):
        return some[0]
    kinds = zip(GameTable._fields, _KINDS, strict=True)
    *starts, size = accumulate((piece.size for piece in some), initial=0)
    columns: dict[str, Any] = {name: np.empty(size, kind) for name, kind in kinds if name in names}
    for piece, at in zip(some, starts, strict=True):
        piece.fill(columns, at)
    return GameTable.of(())._replace(**columns)


def _fewer(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Joins short neighbours among the pieces after the first, or all of these if there are too many."""
    if len(pieces) > (_MANY if all(isinstance(piece, GameTable) for piece in pieces) else _MOST):
        return pieces[0], joined(pieces[1:])
    fewer = pieces[:2]  # the first piece is never joined to another: it would no longer be the body in the file
    for piece in pieces[2:]:
        last = fewer[-1]
        if isinstance(last, GameTable) and isinstance(piece, GameTable) and last.size + piece.size <= _SMALL:
            fewer[-1] = last.then(piece)
        else:
            fewer.append(piece)
    return tuple(fewer)


_SMALL = 4096
"""Largest number of games in two neighbouring pieces that are joined."""


_FEW = 0.02
"""Share of late games up to which placing each of them is faster than sorting everything."""


def play_order(played: Ints, order: Ints, position: Ints) -> Ints:
    """Indices that put results or seeds in order of play."""
    return np.lexsort((position, order, played))


def in_order(games: GameTable) -> bool:
    """True if games are in order of play, as they nearly always are; this is faster than sorting them."""
    if len(games.played) < 2:
        return True
    step = np.diff(games.played)
    if step.min() < 0:
        return False
    tied = step == 0
    turn = np.diff(games.order.astype(np.int64))[tied]
    if not turn.any():
        return bool((np.diff(games.position)[tied] > 0).all())
    place = np.diff(games.position)[tied]
    return bool(((turn > 0) | ((turn == 0) & (place > 0))).all())


def in_play_order(games: GameTable) -> GameTable:
    """The games in order of play."""
    if in_order(games):
        return games
    return games.take(play_order(games.played, games.order, games.position))


def comes_after(first: GameTable, second: GameTable) -> bool:
    """True if all games of `second` come after all games of `first`; both tables are sorted."""
    if not len(first.played) or not len(second.played):
        return True
    return bool(
        (first.played[-1], first.order[-1], first.position[-1])
        < (second.played[0], second.order[0], second.position[0])
    )


def merged(known: GameTable, fresh: GameTable) -> GameTable:
    """Merges two tables that are in order of play into one."""
    if comes_after(known, fresh):
        return known.then(fresh) if len(known.played) else fresh
    if len(fresh.played) > _FEW * len(known.played):
        return in_play_order(known.then(fresh))
    places = [known.place(*key) for key in zip(fresh.played, fresh.order, fresh.position, strict=True)]
    return GameTable(*(np.insert(column, places, late) for column, late in zip(known, fresh, strict=True)))
