"""Uids of events without an id of their own: keyed digests of pool, time and the players' numbers, never of a name."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import UnsoundLog
from ratingcore.events import NO_ID, Row
from ratingcore.events.missing_uids import text_digest
from ratingcore.events.rows import players_of_row
from ratingcore.log.chain import Cells

PREFIXES = {"game": "table-", "seed": "seed-", "session": "session-"}
"""Prefixes of the uids, by kind of event; events of other kinds need an id of their own."""

_DERIVED = re.compile(r"(table|seed|session)-[0-9a-f]{16}-[0-9a-f]{16}")
_NUMBERED = re.compile(r"[a-z0-9-]+-[0-9a-f]{16}-[0-9a-f]{16}")
_HALF = 32
"""Largest number of bits in the id of a player."""
_HEXADECIMAL = np.array([b"%02x" % code for code in range(256)]).view("<u2")
"""The two digits of each byte."""
_ROW = np.frombuffer(f"{PREFIXES['game']}{'.' * 16}-{'.' * 16}".encode(), np.uint8)
_TIME, _PAIR = slice(-33, -17), slice(-16, None)
"""A template of the uids of games as ASCII codes, and the places of the two digests in it."""
_MOST = 16_384
"""Number of digests kept: days and pairs recur, exact times do not."""


def is_given(uid: str) -> bool:
    """True if a file or a person gave an event this uid; False if it looks derived from numbers."""
    return _NUMBERED.fullmatch(uid) is None


def is_derived(row: Row) -> bool:
    """True if the uid of a game, seed or session looks like one derived from numbers."""
    return _DERIVED.fullmatch(row.uid) is not None and row.uid.startswith(PREFIXES[row.kind])


def in_scope(uid: str) -> str:
    """Returns the uid for a placeholder of a document's event without players; empty for any other uid."""
    if not uid.startswith(f"{NO_ID} "):
        return ""
    _, scope, part = uid.rsplit(" ", 2)
    return f"{scope}-{text_digest(f'{int(part, 16):x} 0 0 0')}"


class Identity(NamedTuple):
    """The facts that identify an event without an id; players by number, the lower one first.

    Rows of a table are identified by pool, time and players (`seats` in a session); rows of a document (`scope`), by
    the part of the document and the players.
    """

    kind: str
    pool: int
    played: int
    low: int
    high: int
    scope: str = ""
    part: int = 0
    seats: tuple[int, ...] = ()

    @classmethod
    def of(cls, row: Row) -> "Identity":
        """The identity of a row whose uid is still to be derived."""
        assert row.pool is not None, row
        assert row.played is not None, row
        a, b = row.a or 0, row.b or 0
        low, high = (a, b) if a < b else (b, a)
        if not row.uid.startswith(f"{NO_ID} "):
            seats = tuple(sorted(players_of_row(row))) if row.kind == "session" else ()
            return cls(row.kind, row.pool, row.played, low, high, seats=seats)
        _, _, scope, part = row.uid.rsplit(" ", 3)
        return cls(row.kind, 0, 0, low, high, scope, int(part, 16))


class _Digests(dict[tuple[int, ...], str]):
    """A cache of keyed digests of numbers."""

    def __init__(self, key: str) -> None:
        super().__init__()
        # BLAKE2b with its built-in key gives the guarantee of HMAC in a quarter of the time
        try:
            self._fresh = hashlib.blake2b(key=bytes.fromhex(key), digest_size=8).copy
        except ValueError:  # the key was changed by hand: a log is made with a hexadecimal key of at most 64 bytes
            raise UnsoundLog((f"its key is not hexadecimal, or is too long: {key[:80]!r}",)) from None

    def __missing__(self, numbers: tuple[int, ...]) -> str:
        (digest,) = self.of(b" ".join([b"%d" % number for number in numbers]))
        if len(self) >= _MOST:
            self.clear()
        self[numbers] = digest
        return digest

    def of(self, *texts: bytes) -> list[str]:
        """Digests of texts of numbers with blanks between them, in hexadecimal."""
        return [digest.hex() for digest in self._raw(texts)]

    def spelt(self, texts: Iterable[bytes]) -> NDArray[np.uint8]:
        """The same digests as ASCII codes, one row per digest."""
        raw = np.frombuffer(b"".join(self._raw(texts)), np.uint8)
        return _HEXADECIMAL[raw].view(np.uint8).reshape(-1, 16)

    def _raw(self, texts: Iterable[bytes]) -> list[bytes]:
        fresh, digests = self._fresh, []
        for text in texts:
            keyed = fresh()
            keyed.update(text)
            digests.append(keyed.digest())
        return digests


def _different(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The distinct numbers in ascending order, and the index of each number among them."""
    step = np.diff(numbers)
    if len(numbers) and (step >= 0).all():  # times are mostly in order
        fresh = np.concatenate(([True], step > 0))
        return numbers[fresh], np.cumsum(fresh) - 1
    return np.unique(numbers, return_inverse=True)


class Uids:
    """Derives uids from identities with the key of the log.

    The first half is a digest of pool and time, so one range of uids holds all events of a pool at one time. The second
    half is a digest of the players and of the ordinal among events of one identity. The key is in the same file as
    the uids, so anyone who has the file can test guesses. Therefore only the numbers of names are digested: they mean
    nothing once the names behind them are erased.

    Examples
    --------
    >>> Uids("00ff").uid(Identity("game", 1, 0, 2, 3), 0)
    'table-93b854db27e62b63-1bf5f916951cbd66'
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self._times = _Digests(key)
        self._players = _Digests(key)

    def uid(self, identity: Identity, turn: int) -> str:
        """Uid of the event with this ordinal, counted from 0, among those of one identity."""
        if identity.scope:
            return self.start(identity) + text_digest(f"{identity.part:x} {identity.low} {identity.high} {turn}")
        players = identity.seats or (identity.low, identity.high)
        return f"{self.start(identity)}{self._players[(*players, turn)]}"

    def of_games(self, pool: int, played: NDArray[Any], low: NDArray[Any], high: NDArray[Any]) -> NDArray[np.bytes_]:
        """Uids of games of a pool, each as the first game of its pair at that time; `low` has the lower numbers."""
        times, when = _different(played)
        pairs, who = _different(low.astype(np.int64) << _HALF | high)
        cells = zip((pairs >> _HALF).tolist(), (pairs & (1 << _HALF) - 1).tolist(), strict=True)
        # texts are made one by one: lists of them would take more memory than anything else in an import
        uids = np.empty((len(played), _ROW.size), np.uint8)
        uids[:] = _ROW
        uids[:, _TIME] = self._times.spelt(map(b"%d %d".__mod__, zip(repeat(pool), times.tolist())))[when]
        uids[:, _PAIR] = self._players.spelt(map(b"%d %d 0".__mod__, cells))[who]
        return uids.view(f"S{_ROW.size}").reshape(-1)

    def of_scopes(self, uids: Sequence[str], low: NDArray[Any], high: NDArray[Any]) -> list[str]:
        """Uids of games, with each placeholder replaced by the uid derived from it for the pair of players."""
        made = list(uids)
        for at, (uid, one, other) in enumerate(zip(uids, low.tolist(), high.tolist(), strict=True)):
            if uid.startswith(f"{NO_ID} "):
                _, _, scope, part = uid.rsplit(" ", 3)
                made[at] = f"{scope}-{text_digest(f'{part} {one} {other} 0')}"
        return made

    def start(self, identity: Identity) -> str:
        """Prefix of the uids of all events of one kind, pool and time, or of one document; it ends with a hyphen."""
        if identity.scope:
            return f"{identity.scope}-"
        return f"{PREFIXES[identity.kind]}{self._times[identity.pool, identity.played]}-"

    def naming(self, turns: dict[str, int]) -> Callable[[Cells], str]:
        """Returns a function from a row to its uid, to be called for the rows of a batch in their order.

        `turns` has the number of events of each identity so far, by the uid of the first one; the function updates it.
        """
        times, players, count = self._times, self._players, turns.get

        def uid(row: Cells) -> str:
            _, _, kind, pool, played, _, a, b, *_ = row
            if row[1] != NO_ID or kind == "session":
                return by_identity(row)
            low, high = (a, b or 0) if a < (b or 0) else (b or 0, a)
            time = f"{PREFIXES[kind]}{times[pool, played]}-"
            first = f"{time}{players[low, high, 0]}"
            turn = count(first, 0)
            turns[first] = turn + 1
            return f"{time}{players[low, high, turn]}" if turn else first

        def by_identity(row: Cells) -> str:
            identity = Identity.of(Row._make(row))
            first = self.uid(identity, 0)
            turn = turns[first] = count(first, 0) + 1
            return self.uid(identity, turn - 1)

        return uid
