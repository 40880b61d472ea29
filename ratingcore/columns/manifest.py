"""The manifest of the columns of a pool: what they were made from, their files, and the digests of these."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from attrs import frozen

from ratingcore.columns.cache_key import CHUNK, CacheKey, Damaged

FORMAT = 4
"""Version of the files; another one is rebuilt."""

_GENERATION = re.compile(r"[0-9a-f]{12}")
_FILE = re.compile(r"[a-z]{1,20}(\.[a-z]{1,20})?-[0-9a-f]{12}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SIZES = {"<i4": 4, "<i8": 8, "<f8": 8}
_MOST = 2**40
"""Items that no column reaches."""


@frozen
class ColumnFile:
    """The file of a column.

    Parameters
    ----------
    kind : str
        Kind of its items, as numpy spells it, little-endian.
    length : int
        Items of the column.
    name : str
    written : int
        Items of the file, which the digests cover; more than the column has where a tail of its own replaces its end.
    digests : tuple of str
        One a chunk.
    """

    kind: str
    length: int
    name: str
    written: int
    digests: tuple[str, ...]

    @property
    def size(self) -> int:
        """Bytes that the digests cover."""
        return self.written * _SIZES[self.kind]


class Packed(NamedTuple):
    """The place of a column in the file of short columns.

    Attributes
    ----------
    start : int
        First byte: a multiple of 8.
    kind : str
        Kind of its items, as numpy spells it, little-endian.
    length : int
        Items of the column.
    """

    start: int
    kind: str
    length: int

    @property
    def end(self) -> int:
        """The byte behind its last one."""
        return self.start + self.length * _SIZES[self.kind]


@frozen
class Pack:
    """The file of the short columns, which lie one behind another.

    Parameters
    ----------
    name : str
    columns : mapping of str to (str, int)
        Kind and items of each column, by its name, in the order in which they lie there.
    digests : tuple of str
        One a chunk.
    """

    name: str
    columns: Mapping[str, tuple[str, int]]
    digests: tuple[str, ...]

    def places(self) -> Iterator[tuple[str, Packed]]:
        """Columns and where they lie: each begins at the next multiple of 8 bytes, as loops want them."""
        start = 0
        for name, (kind, length) in self.columns.items():
            yield name, (place := Packed(start, kind, length))
            start = -(-place.end // 8) * 8

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return max((-(-place.end // 8) * 8 for _, place in self.places()), default=0)


@frozen
class Manifest:
    """What the columns of a pool were made from, and their files.

    Parameters
    ----------
    pool : int
    position : int
        How many events of the log the columns know.
    digest : str
        Digest of those events.
    generation : str
        Folder of the files.
    alone : tuple of int
        Positions of games left out because merging made both players one.
    files : mapping of str to ColumnFile
        Of the long columns, by name of the column.
    pack : Pack
        The file of the short columns.
    """

    pool: int
    position: int
    digest: str
    generation: str
    alone: tuple[int, ...]
    files: Mapping[str, ColumnFile]
    pack: Pack

    def text(self, key: CacheKey) -> str:
        """The manifest as JSON, with a digest of it that only the holder of the log's key can make."""
        facts = {
            "format": FORMAT,
            "pool": self.pool,
            "position": self.position,
            "digest": self.digest,
            "generation": self.generation,
            "alone": list(self.alone),
            "files": {name: [file.kind, file.length, file.name] for name, file in self.files.items()},
            "digests": {file.name: [file.written, *file.digests] for file in self.files.values()},
            "pack": [self.pack.name, {name: list(column) for name, column in self.pack.columns.items()}],
            "packed": list(self.pack.digests),
        }
        return json.dumps({**facts, "check": key.of_facts(facts)})


def parsed(content: bytes, pool: int, key: CacheKey) -> Manifest | None:
    """The manifest of a pool; None if another version of ratingcore wrote it.

    Raises
    ------
    Damaged
        If it is not what was written with the key of this log.
    """
    try:
        facts = json.loads(content)
        if isinstance(facts, dict) and _number(facts["format"]) != FORMAT:
            return None
        check = facts.pop("check")
        genuine = key.of_facts(facts) == check
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Damaged("its manifest is none") from None
    if not genuine:
        raise Damaged("its manifest is not of this log, or was changed")
    try:
        if facts["pool"] != pool:
            raise Damaged("its manifest is of another pool")
        return _read(facts)
    except (ValueError, TypeError, LookupError, AttributeError):
        raise Damaged("its manifest has another form") from None


def _read(facts: dict[str, Any]) -> Manifest:
    """The manifest of facts; `ValueError`, `TypeError`, `LookupError` or `AttributeError` if there is none in them."""
    files = {}
    for column, (kind, length, name) in facts["files"].items():
        written, *digests = facts["digests"][name]
        file = ColumnFile(
            kind,
            _number(length),
            _matching(_FILE, name),
            _number(written),
            tuple(_matching(_DIGEST, digest) for digest in digests),
        )
        if file.length > file.written or len(digests) != -(-file.size // CHUNK):
            raise ValueError(name)
        files[column] = file
    if len({file.name for file in files.values()}) < len(files):
        raise ValueError("two columns in one file")
    pack = _pack(facts["pack"], facts["packed"])
    if pack.columns.keys() & files.keys():
        raise ValueError("one column in two files")
    alone = tuple(_number(position) for position in facts["alone"])
    return Manifest(
        _number(facts["pool"]), _number(facts["position"]), _matching(_DIGEST, facts["digest"]),
        _matching(_GENERATION, facts["generation"]), alone, files, pack,
    )  # fmt: skip


def _pack(named: list[Any], digests: list[str]) -> Pack:
    """The pack of facts; the same errors if there is none in them."""
    name, columns = named
    places = {column: (kind, _number(length)) for column, (kind, length) in columns.items()}
    pack = Pack(_matching(_FILE, name), places, tuple(_matching(_DIGEST, digest) for digest in digests))
    if pack.size > _MOST or len(digests) != -(-pack.size // CHUNK):
        raise ValueError(name)
    return pack


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError(value)
    return value


def _matching(pattern: re.Pattern[str], value: str) -> str:
    if pattern.fullmatch(value) is None:
        raise ValueError(value)
    return value
