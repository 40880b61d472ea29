"""Uids of events without an id of their own: keyed digests of pool, time and the players' numbers, never of a name."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from ratingcore.errors import UnsoundLog
from ratingcore.events import Event, Row

PREFIXES = {"game": "table-", "seed": "seed-"}
"""Beginnings of the uids, by kind of event; events of other kinds need an id of their own."""

_OLDER = re.compile(r"i-[0-9a-f]{32}")
"""Uids of earlier versions: keyed digests of the whole row, names included."""
_DERIVED = re.compile(r"(table|seed)-[0-9a-f]{16}-[0-9a-f]{16}")
_MOST = 65_536
"""Digests that are kept: days and pairs recur, exact times do not."""


def is_older(uid: str) -> bool:
    """Whether a uid is one of those that earlier versions made of names."""
    return _OLDER.fullmatch(uid) is not None


def is_derived(row: Row) -> bool:
    """Whether the uid of a game or seed looks like one that was derived from numbers."""
    return _DERIVED.fullmatch(row.uid) is not None and row.uid.startswith(PREFIXES[row.kind])


class _Ranged(Protocol):
    """A log, as far as it is asked here."""

    def rows_between(self, first: str, last: str) -> Iterator[Row]: ...


def older(log: _Ranged) -> Iterator[Row]:
    """The events whose uids earlier versions made of names."""
    return (row for row in log.rows_between("i-", "i.") if is_older(row.uid))


class Identity(NamedTuple):
    """What makes two rows of a file the same event, whatever else they hold; players by number, the lower one first."""

    kind: str
    pool: int
    played: int
    low: int
    high: int

    @classmethod
    def of(cls, row: Row) -> "Identity":
        """The identity of the row of a game or a seed."""
        assert row.pool is not None, row
        assert row.played is not None, row
        assert row.a is not None, row
        a, b = row.a, row.b or 0
        return cls(row.kind, row.pool, row.played, *((a, b) if a < b else (b, a)))


class _Digests(dict[tuple[int, ...], str]):
    """Keyed digests of numbers."""

    def __init__(self, key: str) -> None:
        super().__init__()
        # BLAKE2b with its built-in key gives the guarantee of HMAC in a quarter of the time
        try:
            self._fresh = hashlib.blake2b(key=bytes.fromhex(key), digest_size=8).copy
        except ValueError:  # it was changed by hand: a key is made of digits, and of 64 bytes at most
            raise UnsoundLog((f"its key is none that a log is made with: {key[:80]!r}",)) from None

    def __missing__(self, numbers: tuple[int, ...]) -> str:
        keyed = self._fresh()
        keyed.update(b" ".join(b"%d" % number for number in numbers))
        if len(self) >= _MOST:
            self.clear()
        self[numbers] = digest = keyed.hexdigest()
        return digest


class Uids:
    """Derives uids from identities with the key of the log.

    The first half tells pool and time, so that one range of uids holds all events of a pool and a time; the second half
    tells the players, and the ordinal among events of one identity. The key lies in the same file as the uids, so
    whoever has the file can test guesses: only numbers go in, which mean nothing once the name behind them is erased.

    Examples
    --------
    >>> Uids("00ff").uid(Identity("game", 1, 0, 2, 3), 0)
    'table-93b854db27e62b63-1bf5f916951cbd66'
    """

    def __init__(self, key: str) -> None:
        self._times = _Digests(key)
        self._players = _Digests(key)

    def uid(self, identity: Identity, turn: int) -> str:
        """Uid of the event of this ordinal, counted from 0, among those of one identity."""
        return f"{self.times(identity)}{self._players[identity.low, identity.high, turn]}"

    def times(self, identity: Identity) -> str:
        """Beginning of the uids of all events of one kind, pool and time; it ends with a hyphen."""
        return f"{PREFIXES[identity.kind]}{self._times[identity.pool, identity.played]}-"

    def naming(self, turns: dict[str, int]) -> Callable[[str, int, int, int, int], str]:
        """Returns a function that gives the rows of one batch their uids: kind, pool, played and two players.

        `turns` says how many events of an identity the log has, by the uid of the first; it is counted on.
        """
        times, players, count = self._times, self._players, turns.get

        def uid(kind: str, pool: int, played: int, a: int, b: int) -> str:
            low, high = (a, b) if a < b else (b, a)
            time = f"{PREFIXES[kind]}{times[pool, played]}-"
            first = f"{time}{players[low, high, 0]}"
            turn = count(first, 0)
            turns[first] = turn + 1
            return f"{time}{players[low, high, turn]}" if turn else first

        return uid


class Recorded(NamedTuple):
    """The recorded event that a row stands for, and the field in which the two differ, if there is one."""

    row: Row
    differs: str = ""


class Matcher(Protocol):
    """What an append asks about events without an id; `matching.Matching` is it."""

    uids: Uids

    @property
    def careful(self) -> bool:
        """Whether rows may be in the log under uids that their numbers do not give."""

    def sort(self, rows: Sequence[tuple[Event, Row]], turns: dict[str, int], known: int) -> list[Recorded | None]:
        """The recorded event of each row, None for a new one; notes in `turns` how many the log has of an identity.

        Ids of names above `known`, and below 1, are those of names that the log does not have.
        """

    def recognised(self, event: Event, row: Row, recorded: Row) -> None:
        """Takes note of an event that was found in the log by its own id."""

    def wrote(self, first: int, last: int) -> None:
        """Takes note of the positions of what was appended."""


def fields_of(row: Row) -> tuple[Any, ...]:
    """What a row says besides its identity."""
    return row.order, row.a, row.b, row.score, row.data
