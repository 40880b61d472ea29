"""Sealed segments: many games of one pool, stored as packed columns.

A segment holds games at consecutive positions of a log, with their ids. Each column is packed by itself in the raw
deflate format: the first bytes of all its cells, then the second bytes, and so on; times are packed as differences.
The bytes are run-length encoded if that makes them much shorter. Otherwise they are stored as they are, which is
faster to read, and lists read them often. Digests are computed from the unpacked columns: packing a segment in
another way does not change them, and the digest of its first games needs only the cells of these games.
"""

import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from struct import unpack_from
from typing import Any, Self

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.events import Row

LEAST, MOST = 2**12, 2**18
"""Smallest and largest number of games in a segment."""

COLUMNS: Mapping[str, str] = {"played": "<i8", "a": "<i4", "b": "<i4", "score": "<f8", "uid": "S"}
"""The columns, and the types of their cells; `S` is ASCII text, as wide as the longest text in the segment."""

_NUMBERS = {name: kind for name, kind in COLUMNS.items() if kind != "S"}
_LONGEST = 255
_PLAIN = 0x80
"""Flag in the byte of the cell width: whole numbers, such as ids, are stored as they are and not as differences."""
_WORTH = 8
"""Factor by which run-length encoding must shorten the bytes of numbers, for them to be encoded."""
_CHECKSUM = 4
"""Length in bytes of the checksum before each packed column: of its position, size, pool, name and cells."""


class BadSegment(ValueError):
    """Raised if a segment is damaged: its bytes do not give the games that it should have."""


@frozen(eq=False)
class Segment:
    """Games of one pool at consecutive positions, without further facts or an order within the day.

    Parameters
    ----------
    first : int
        Position of the first game.
    pool : int
    played : (n,) int64
    a, b : (n,) int32
        Ids of the players.
    score : (n,) float64
    uid : (n,) bytes
        Ids of the games, in ASCII.
    """

    first: int
    pool: int
    played: NDArray[np.int64]
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]
    uid: NDArray[np.bytes_]

    def __len__(self) -> int:
        return len(self.played)

    @property
    def last(self) -> int:
        """Position of the last game."""
        return self.first + len(self) - 1

    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns by name."""
        return {name: getattr(self, name) for name in COLUMNS}

    def part(self, after: int, to: int) -> Self:
        """Returns the games at positions from `after + 1` to `to`."""
        some = slice(max(after + 1 - self.first, 0), max(to + 1 - self.first, 0))
        cut: dict[str, Any] = {name: column[some] for name, column in self.columns().items()}
        return evolve(self, first=max(self.first, after + 1), **cut)

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]]) -> Self | None:
        """Returns a segment with the rows of a batch; None if a segment cannot hold them."""
        if not LEAST <= len(rows) <= MOST:
            return None
        position, uid, kind, pool, played, order, a, b, score, ref, data = zip(*rows, strict=True)
        alike = {(str, "game")}, {(int, 0)}, {(type(None), None)}
        for column, only in zip((kind, order, ref, data), (*alike, alike[2]), strict=True):
            if set(zip(map(type, column), column, strict=True)) != only:
                return None
        if {*map(type, score)} != {float} or {*map(type, uid)} != {str} or len({*pool}) > 1:
            return None
        for column, most in ((pool, 2**63), (played, 2**63), (a, 2**31), (b, 2**31)):
            if {*map(type, column)} != {int} or not -most <= min(column) <= max(column) < most:
                return None
        ids = sealable(uid)
        if ids is None:
            return None
        return cls(
            position[0], pool[0], np.array(played, "<i8"), np.array(a, "<i4"), np.array(b, "<i4"),
            np.array(score, "<f8"), ids,
        )  # fmt: skip

    # digests

    def digests(self) -> dict[str, str]:
        """The SHA-256 of each column: numbers as little-endian cells, and ids with a line end after each."""
        numbers = {name: np.ascontiguousarray(getattr(self, name), kind) for name, kind in _NUMBERS.items()}
        digests = {name: hashlib.sha256(column.tobytes()).hexdigest() for name, column in numbers.items()}
        return {**digests, "uid": hashlib.sha256(self._lines()).hexdigest()}

    def _lines(self) -> bytes:
        width = self.uid.itemsize
        letters = np.full((len(self), width + 1), ord("\n"), np.uint8)
        letters[:, :width] = self.uid.view(np.uint8).reshape(-1, width)
        return letters.tobytes() if letters.all() else letters[letters != 0].tobytes()

    @property
    def letters(self) -> str:
        """The distinct characters of all ids, in ascending order."""
        met, rest = set[int](), self.uid.tobytes()
        while rest := rest.translate(None, bytes(met | {0})):
            met |= set(rest[:_SAMPLE])
        return "".join(map(chr, sorted(met)))

    def has_letters(self, letters: object) -> bool:
        """True if these are the distinct characters of all ids, in ascending order."""
        if not isinstance(letters, str) or not letters.isascii() or list(letters) != sorted({*letters} - {"\0"}):
            return False
        met, ids = letters.encode(), self.uid.tobytes()
        return all(letter in ids for letter in met) and not ids.translate(None, met + b"\0")

    # rows

    def rows(self, some: NDArray[np.intp] | slice = slice(None)) -> Iterator[Row]:
        """Yields the games as rows: all of them, or only those at some indexes."""
        cells = (getattr(self, name)[some].tolist() for name in ("played", "a", "b", "score"))
        played, a, b, score = cells
        positions = np.arange(self.first, self.first + len(self))[some].tolist()
        uids = texts(self.uid[some])
        same = map(repeat, ("game", self.pool, 0, None, None))
        kind, pool, order, ref, data = same
        return map(Row._make, zip(positions, uids, kind, pool, played, order, a, b, score, ref, data, strict=False))

    # packing

    def packed(self) -> dict[str, bytes]:
        """The columns as they are stored."""
        return {name: self._pack(name, column) for name, column in self.columns().items()}

    def _pack(self, name: str, column: NDArray[Any]) -> bytes:
        column = np.ascontiguousarray(column, None if COLUMNS[name] == "S" else COLUMNS[name])
        steps = np.diff(column, prepend=column.dtype.type(0)) if name == "played" else column
        planes = np.ascontiguousarray(steps.view(np.uint8).reshape(len(column), -1).T)
        worth = 1 if COLUMNS[name] == "S" else _WORTH
        parts = (_deflated(plane, 1) for plane in planes)
        parts = (
            part if worth * len(part) < len(plane) else _deflated(plane, 0)
            for part, plane in zip(parts, planes, strict=True)
        )
        width = column.itemsize | (_PLAIN if column.dtype.kind == "i" and name != "played" else 0)
        return _checksum(self.first, len(self), self.pool, name, column) + bytes([width]) + b"".join(parts) + _END

    @classmethod
    def unpacked(cls, first: int, last: int, pool: int, bodies: Mapping[str, bytes]) -> Self:
        """Builds a segment from packed columns; a column that is not given is empty.

        Raises
        ------
        BadSegment
            If the bytes are not the columns of games at these positions.
        """
        if {type(first), type(last), type(pool)} != {int}:
            raise BadSegment(f"positions and pool must be whole numbers: {first!r} to {last!r}, {pool!r}")
        games = last - first + 1
        if not LEAST <= games <= MOST or first < 1:
            raise BadSegment(f"a segment must have {LEAST} to {MOST} games, not positions {first} to {last}")
        columns = {name: _unpack(name, body, games) for name, body in bodies.items()}
        for name, column in columns.items():
            if _checksum(first, games, pool, name, column) != bodies[name][:_CHECKSUM]:
                raise BadSegment(f"the checksum of column {name} does not match its cells")
        missing = {name: np.empty(0, "S1" if kind == "S" else kind) for name, kind in COLUMNS.items()}
        return cls(first, pool, **{**missing, **columns})


def _checksum(first: int, games: int, pool: int, name: str, column: NDArray[Any]) -> bytes:
    place = f"{first} {games} {pool} {name}".encode()
    return zlib.crc32(column.view(np.uint8).data, zlib.crc32(place)).to_bytes(_CHECKSUM, "little")


def _deflated(plane: NDArray[np.uint8], level: int) -> bytes:
    """Packs one byte of every cell, as blocks after which more may follow; level 0 stores the bytes as they are."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, zlib.Z_RLE)
    return packer.compress(plane.data) + packer.flush(zlib.Z_SYNC_FLUSH)


_END = zlib.compressobj(1, zlib.DEFLATED, -15).flush()
"""The final deflate block, which is empty."""
_FLUSHED = b"\0\0\xff\xff"
"""The end of each packed plane; a plane is one byte of every cell."""
_SAMPLE = 2**14
"""Number of letters that are looked at one by one, since nearly all of the others recur among them."""
_SHORT = 2048
"""Largest size in bytes of a packed plane whose unpacked bytes are cached."""


def _unpack(name: str, body: object, games: int) -> NDArray[Any]:
    if not isinstance(body, bytes) or len(body) <= _CHECKSUM:
        raise BadSegment(f"column {name} is missing")
    plain, width = body[_CHECKSUM] & _PLAIN, body[_CHECKSUM]
    width -= plain if COLUMNS[name] == "<i4" else 0
    kind = np.dtype(f"S{width}" if COLUMNS[name] == "S" else COLUMNS[name])
    if not width or width != kind.itemsize:
        raise BadSegment(f"column {name} has cells of {width} bytes")
    packed = body[_CHECKSUM + 1 :]
    octets = np.zeros((games, width), np.uint8)
    for byte, plane in enumerate(_planes(name, packed, games, width) or _inflated(name, packed, games, width)):
        if plane.any():
            octets[:, byte] = plane  # several times as fast as a transposed copy
    column: NDArray[Any] = octets.reshape(-1).view(kind)
    return column if kind.kind != "i" or plain else np.cumsum(column, dtype=kind)


def _inflated(name: str, packed: bytes, games: int, width: int) -> list[NDArray[np.uint8]]:
    unpacker = zlib.decompressobj(-15)
    try:
        cells = unpacker.decompress(packed, games * width + 1)  # damaged bytes could unpack to any size
    except zlib.error as error:
        raise BadSegment(f"column {name}: {error}") from None
    if len(cells) != games * width or not unpacker.eof or unpacker.unused_data:
        raise BadSegment(f"column {name} does not hold {games} cells of {width} bytes")
    return [*np.frombuffer(cells, np.uint8).reshape(width, games)]


def _planes(name: str, packed: bytes, games: int, width: int) -> list[NDArray[np.uint8]] | None:
    """Returns the planes of a column if each is either stored as it is or short when packed; None otherwise.

    Lists read the same segments often, and most of the time of inflating is spent on long runs, such as zeros. The
    same runs occur in all segments, so each is inflated once and cached.
    """
    planes, at = list[NDArray[np.uint8]](), 0
    if COLUMNS[name] == "S":  # letters differ from segment to segment
        return None
    while len(planes) < width and at < len(packed):
        if packed[at]:
            end = packed.find(_FLUSHED, at) + len(_FLUSHED)
            plane = _run(packed[at:end], games) if 0 < end - at <= _SHORT else b""
        else:
            blocks, size = [], 1
            while size and packed[at : at + 1] == b"\0":
                size, complement = unpack_from("<HH", packed, at + 1) if at + 5 <= len(packed) else (0, 0)
                if size ^ complement != 0xFFFF:
                    return None
                blocks.append(packed[at + 5 : at + 5 + size])
                at += 5 + size
            plane, end = b"".join(blocks), at
        if len(plane) != games:
            return None
        planes.append(np.frombuffer(plane, np.uint8))
        at = end
    return planes if packed[at:] == _END and len(planes) == width else None


@lru_cache(maxsize=16)
def _run(packed: bytes, games: int) -> bytes:
    """Returns the unpacked bytes of short deflate blocks; empty if they are damaged."""
    try:
        return zlib.decompressobj(-15).decompress(packed, games + 1)
    except zlib.error:
        return b""


# ids


def sealable(uids: Sequence[str]) -> NDArray[np.bytes_] | None:
    """Returns ids as a column if a segment can hold them, that is, if they are ASCII without blanks; otherwise None."""
    together = "\n".join(uids)
    if not together.isascii() or "\0" in together:
        return None
    column = texts_of(uids)
    fits = len(column) == len(uids) and column.itemsize <= _LONGEST and are_ids(column).all()
    return column if fits else None


def are_ids(uids: NDArray[np.bytes_]) -> NDArray[np.bool_]:
    """Returns a mask of the cells that are ids without blanks and control characters."""
    letters = uids.view(np.uint8).reshape(len(uids), -1)
    printable = letters - np.uint8(ord(" ") + 1) < 0x7F - ord(" ") - 1  # below 0 wraps to above 127
    if printable.all():
        return printable[:, 0]
    ended = ~printable[:, :-1] & (letters[:, 1:] != 0)  # a cell has nothing after its last letter
    right: NDArray[np.bool_] = printable[:, 0] & ((letters == 0) | printable).all(1) & ~ended.any(1)
    return right


def texts_of(uids: Sequence[str]) -> NDArray[np.bytes_]:
    """Ids in ASCII as a column."""
    return np.array("\n".join(uids).encode("ascii").split(b"\n"))


def repeated(uids: NDArray[np.bytes_], hashed: NDArray[np.int64]) -> str:
    """Returns an id that occurs twice in a column; empty if there is none. `hashed` are hashes of the ids."""
    in_order = np.sort(hashed)
    tied = in_order[1:][np.diff(in_order) == 0]
    doubtful = np.sort(uids[np.isin(hashed, tied)]) if len(tied) else uids[:0]  # different ids may have the same hash
    again = doubtful[1:][doubtful[1:] == doubtful[:-1]]
    return again[0].decode() if len(again) else ""


def are_distinct(uids: NDArray[np.bytes_]) -> bool:
    """True if all ids of a column are different."""
    return not repeated(uids, hashes(uids, ""))


def texts(uids: NDArray[np.bytes_]) -> list[str]:
    """The ids of a column as texts."""
    return b"\n".join(uids.tolist()).decode().split("\n") if len(uids) else []


HASH_BITS = 43
"""Number of bits in the hash of an id."""
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


DERIVED = b"table-"
"""Beginning of the ids that are derived for games without one, followed by a digest of the time and one of the pair."""
TIME_END = len(DERIVED) + 16 + 1
"""Length of a derived id up to the digest of the pair, that is, of the beginning that games at one time share."""
TIME_BITS = 24
"""Number of leading hash bits that depend only on this beginning, so that games at one time are found together."""
_BEGIN = np.array([b"\xff" * TIME_END]).astype("S24").view("<u8")
"""Masks of the words that hold the letters of this beginning."""
_DERIVED = np.frombuffer(b"\0\0" + DERIVED, "<u8")[0]


def hashes(uids: NDArray[np.bytes_], key: str) -> NDArray[np.int64]:
    """Returns hashes of ids, below `2**HASH_BITS`; they depend on the log's key, so nobody can prepare collisions."""
    words = -(-uids.itemsize // 8)
    cells = np.ascontiguousarray(uids.astype(f"S{8 * words}").view("<u8").reshape(-1, words).T)
    made = _mixed(cells, key)
    if words < len(_BEGIN):
        return made
    derived = (cells[0] << 16 == _DERIVED) & (cells[2] >> 48 & 0xFF == ord("-"))
    if derived.any():
        begin = _mixed([word[derived] & mask for word, mask in zip(cells, _BEGIN, strict=False)], key)
        rest = (1 << HASH_BITS - TIME_BITS) - 1
        made[derived] = begin & ~rest | made[derived] & rest
    return made


def hashes_at(start: str, key: str) -> tuple[int, int] | None:
    """Returns the half-open range of hashes of derived ids that begin with `start`; None if no derived id does."""
    begin = start.encode("utf-8", "surrogatepass")
    if len(begin) != TIME_END or not begin.startswith(DERIVED) or not begin.endswith(b"-"):
        return None
    first = int(hashes(np.array([begin]), key)[0]) >> HASH_BITS - TIME_BITS
    return first << HASH_BITS - TIME_BITS, first + 1 << HASH_BITS - TIME_BITS


def _mixed(cells: Sequence[NDArray[np.uint64]] | NDArray[np.uint64], key: str) -> NDArray[np.int64]:
    """Hashes of the texts of which these are the first 8 letters, the next 8, and so on."""
    seeds = np.frombuffer(hashlib.blake2b(key.encode(), digest_size=16).digest(), "<u8")
    made = np.full(len(cells[0]), seeds[0])
    for word, letters in enumerate(cells):
        # words without letters leave the hash as it is, so that it does not depend on the width of the column
        mixed = (made ^ letters) * _FACTOR
        mixed = (mixed ^ (mixed >> _SHIFT) ^ seeds[1]) * _FACTOR
        mixed ^= mixed >> _SHIFT
        made = np.where(letters != 0, mixed, made) if word else mixed
    return (made >> np.uint64(64 - HASH_BITS)).astype(np.int64)
