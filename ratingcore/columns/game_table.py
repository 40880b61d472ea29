"""Games in order of play, stored in pieces: a late game goes between two of them, and no column is copied."""

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.events import Instant, Row


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


_GAME = np.dtype([("position", "i8"), ("played", "i8"), ("order", "i4"), ("a", "i4"), ("b", "i4"), ("score", "f8")])


class PlayedBefore:
    """Counts how many games each player has before places along a column of games; caches the counts.

    The column may grow, but its games never change. A list of long ago counts one block of games instead of all;
    the cache takes a byte per game at most.
    """

    def __init__(self) -> None:
        self._kept: dict[int, NDArray[np.int32]] = {0: np.empty(0, dtype=np.int32)}

    def counts(self, games: GameTable, place: int, players: int) -> NDArray[np.int64]:
        """Number of games before a place in which each player, by row, takes part."""
        step = _BLOCK
        while step < 4 * players:
            step *= 2
        start = max(at for at in list(self._kept) if at <= place)  # another thread may add more meanwhile
        known = self._kept[start]
        counts = np.zeros(max(players, len(known)), dtype=np.int64)
        counts[: len(known)] = known
        for stop in (*range(start - start % step + step, place, step), place):
            for rows in (games.a[start:stop], games.b[start:stop]):
                counts += np.bincount(rows, minlength=len(counts))
            if stop % step == 0:
                self._kept[stop] = counts.astype(np.int32)
            start = stop
        return counts[:players]


_BLOCK = 65_536
"""Number of games between two places with cached counts, at least."""


@frozen(eq=False)
class Spliced:
    """Games in order of play, in consecutive pieces.

    A late game or a correction splits a piece at its own time: a pool of millions is not copied, and the file
    of the games before it is not rewritten.
    """

    pieces: tuple[GameTable, ...] = ()
    origin: PlayedBefore = field(factory=PlayedBefore)
    """Tables with the same origin have the same games as far as the first pieces of both reach."""

    @cached_property
    def _starts(self) -> list[int]:
        """Index at which each piece starts, and the number of all games."""
        return list(accumulate((len(piece.a) for piece in self.pieces), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    @cached_property
    def whole(self) -> GameTable:
        """All games as columns of one piece, made on first use."""
        return _joined(self.pieces)

    @property
    def body(self) -> GameTable:
        """The first piece."""
        return self.pieces[0] if self.pieces else GameTable.of(())

    @property
    def tail(self) -> GameTable:
        """All pieces but the first, as one."""
        return _joined(self.pieces[1:])

    def part(self, start: int, stop: int) -> GameTable:
        """The games from `start` to before `stop`."""
        return _joined(self._between(start, stop))

    def known(self, start: int, position: int) -> GameTable:
        """The games from `start` on that the log knew at a position; later games are not copied first."""
        pieces = self._between(start, len(self))
        known = [np.flatnonzero(piece.position <= position) for piece in pieces]
        return _joined(
            piece if len(which) == len(piece.a) else piece.take(which)
            for piece, which in zip(pieces, known, strict=True)
        )

    def _between(self, start: int, stop: int) -> list[GameTable]:
        parts = []
        for piece, at in zip(self.pieces, self._starts, strict=False):
            low, high = max(start - at, 0), min(stop - at, len(piece.a))
            if low < high:
                parts.append(piece if high - low == len(piece.a) else piece.take(slice(low, high)))
        return parts

    def before(self, at: Instant) -> int:
        """Number of games played before an instant."""
        for piece, start in zip(reversed(self.pieces), reversed(self._starts[:-1]), strict=True):
            if len(piece.a) and piece.played[0] < at:
                return start + int(np.searchsorted(piece.played, at))
        return 0

    def place(self, played: int, order: int, position: int) -> int:
        """Returns the index of the game with this time, order and position, or the index at which to insert it."""
        for piece, start in zip(reversed(self.pieces), reversed(self._starts[:-1]), strict=True):
            if len(piece.a) and (piece.played[0], piece.order[0], piece.position[0]) <= (played, order, position):
                return start + piece.place(played, order, position)
        return 0

    def counts(self, start: int, stop: int, players: int) -> NDArray[np.int64]:
        """Number of games from `start` to before `stop` in which each player, by row, takes part."""
        counts, body = np.zeros(players, dtype=np.int64), len(self.body.a)
        if min(stop, body) - start > 2 * _BLOCK:
            counts += self.origin.counts(self.body, min(stop, body), players)
            counts -= self.origin.counts(self.body, start, players)
            start = body
        for piece in self._between(start, stop):
            for rows in (piece.a, piece.b):
                counts += np.bincount(rows, minlength=players)
        return counts

    def first_later_than(self, position: int) -> Instant | None:
        """The time of the first game that the log learnt after a position."""
        for piece in self.pieces:
            later = piece.position > position
            first = int(later.argmax()) if len(later) else 0
            if len(later) and later[first]:
                return int(piece.played[first])
        return None

    def replaced(self, start: int, tail: GameTable) -> "Spliced":
        """The games before `start`, followed by others."""
        return self._of(self._between(0, start), [tail])

    def edited(self, gone: Iterable[int], fresh: GameTable) -> "Spliced":
        """The games without those at some indices, and with others where they belong in order of play."""
        keys = zip(fresh.played.tolist(), fresh.order.tolist(), fresh.position.tolist(), strict=True)
        # (index, whether it removes, which): at one index a game is inserted before another is removed
        edits = [(at, 1, at) for at in gone] + [(self.place(*key), 0, n) for n, key in enumerate(keys)]
        pieces: list[GameTable] = []
        done = 0
        for at, removes, number in sorted(edits):
            pieces += self._between(done, at)
            done = max(done, at) + removes
            if not removes:
                pieces.append(fresh.take(slice(number, number + 1)))
        return self._of(pieces, self._between(done, len(self)))

    def _of(self, before: list[GameTable], after: list[GameTable]) -> "Spliced":
        """Makes a table of pieces, which are joined where they have become many.

        The origin is kept only if the first piece shares memory with the one before. Then the cache
        may leave the file of the body unchanged and write the tail alone. Equal games in other memory would be
        as good, but finding out means comparing millions of them.
        """
        pieces = [piece for piece in (*before, *after) if len(piece.a)]
        if not pieces or not self.pieces or not _begins(self.pieces[0], pieces[0]):
            return Spliced(_fewer(pieces))
        return Spliced(_fewer(pieces), self.origin)


_MANY = 64
"""Number of pieces up to which nothing is joined."""


def _joined(pieces: Iterable[GameTable]) -> GameTable:
    tables = [piece for piece in pieces if len(piece.a)]
    if len(tables) < 2:
        return tables[0] if tables else GameTable.of(())
    return GameTable(*(np.concatenate(columns) for columns in zip(*tables, strict=True)))


def _fewer(pieces: list[GameTable]) -> tuple[GameTable, ...]:
    """Joins short neighbours among the pieces behind the first; all of these once they are many."""
    if len(pieces) > _MANY:
        return pieces[0], _joined(pieces[1:])
    fewer = pieces[:2]  # the first piece is never joined to another: it would no longer be the body in the file
    for piece in pieces[2:]:
        if len(fewer[-1].a) + len(piece.a) <= _SMALL:
            fewer[-1] = fewer[-1].then(piece)
        else:
            fewer.append(piece)
    return tuple(fewer)


_SMALL = 4096
"""Number of games below which a piece is joined rather than kept."""


def _begins(known: GameTable, piece: GameTable) -> bool:
    """True if a piece is the beginning of another one in the same memory."""
    return len(piece.a) <= len(known.a) and all(
        x.__array_interface__["data"][0] == y.__array_interface__["data"][0] for x, y in zip(known, piece, strict=True)
    )


_FEW = 0.02
"""Share of late games up to which placing each of them is faster than sorting everything."""


def play_order(played: Ints, order: Ints, position: Ints) -> Ints:
    """Indices that put results or seeds in order of play."""
    return np.lexsort((position, order, played))


def in_order(games: GameTable) -> bool:
    """True if games are in order of play: cheaper than sorting them, and nearly always true."""
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
    """True if everything sorted in `second` comes after everything in `first`."""
    if not len(first.played) or not len(second.played):
        return True
    return bool(
        (first.played[-1], first.order[-1], first.position[-1])
        < (second.played[0], second.order[0], second.position[0])
    )


def merged(known: GameTable, fresh: GameTable) -> GameTable:
    """Two tables in order of play as one."""
    if comes_after(known, fresh):
        return known.then(fresh) if len(known.played) else fresh
    if len(fresh.played) > _FEW * len(known.played):
        return in_play_order(known.then(fresh))
    places = [known.place(*key) for key in zip(fresh.played, fresh.order, fresh.position, strict=True)]
    return GameTable(*(np.insert(column, places, late) for column, late in zip(known, fresh, strict=True)))
