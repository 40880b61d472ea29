"""Sealed files: facts and columns under digests that are keyed with the log, written as a whole and never changed."""

import errno
import hashlib
import hmac
import json
import math
import os
import stat
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.atomic_file import atomic_file
from ratingcore.columns.games import frozen_array
from ratingcore.events import canonical

CHUNK = 4 * 2**20
"""Number of bytes of a column that one digest covers."""

YOUNG = 50_000_000
"""Nanoseconds within which two writes may leave the same file times, so the times of a younger file prove nothing."""

_KINDS = {"<i4": 4, "<i8": 8, "<f8": 8}
_LIMIT = 2**40
"""Limit for the number of items of a column and of bytes of a file; real ones are far smaller."""
_HEAD = 2**26
"""Limit for the bytes of a head; real ones are far smaller, with one digest per four million bytes of columns."""
_ALIGNED = 64
_BOOT = Path("/proc/sys/kernel/random/boot_id")

# O_NONBLOCK: a pipe at this path must not block us; a system without one of these flags does not need it
_PLAIN = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))

Array = NDArray[Any]
"""A column of numbers of any kind."""


class Damaged(Exception):
    """Raised if a cached file differs from what was written; the file is made again, and users never see this error.

    Parameters
    ----------
    what : str
        The file, and what is wrong with it.
    """


class CacheKey:
    """Makes digests with the key of a log; this key is inside the log, so only its readers can write its caches.

    Parameters
    ----------
    key : str
        Key of the log.
    """

    def __init__(self, key: str) -> None:
        self._key = hashlib.sha256(b"ratingcore cache\n" + key.encode(errors="surrogatepass")).digest()

    def digest(self, content: Any) -> str:
        """Digest of bytes, or of an array."""
        return hmac.digest(self._key, content, "sha256").hex()

    def chunks(self, column: Array) -> list[str]:
        """Digests of a column, chunk by chunk."""
        octets = column.reshape(-1).view(np.uint8).data
        return [self.digest(octets[start : start + CHUNK]) for start in range(0, len(octets), CHUNK)]


# plain files: opened without following links, so that nothing outside the folder of a cache is read or written


def is_folder(path: Path) -> bool:
    """True if a path is a folder itself, not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def remove(path: Path) -> None:
    """Deletes a file, a link (not its target) or a folder with its content, if possible."""
    if is_folder(path):
        from shutil import rmtree  # imports a dozen modules, and most processes delete nothing

        rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


@contextmanager
def opened(path: Path, flags: int = os.O_RDONLY) -> Iterator[IO[bytes]]:
    """Opens a plain file and yields it.

    Raises
    ------
    Damaged
        If it is a link, a folder or a device, or has a second name as a hard link.
    OSError
        If it cannot be opened.
    """
    mode = "rb" if flags == os.O_RDONLY else "r+b"
    try:
        found = open(path, mode, opener=lambda name, _: os.open(name, flags | _PLAIN, 0o666))  # noqa: SIM115  # below
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise Damaged(f"{path.name} is not a plain file") from None
        raise
    with found as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
            raise Damaged(f"{path.name} is not a plain file")
        yield file


# writing and reading


class _Place(NamedTuple):
    """The place of a column in a file."""

    kind: str
    shape: tuple[int, ...]
    digests: Sequence[str]
    start: int

    @property
    def end(self) -> int:
        return self.start + math.prod(self.shape) * _KINDS[self.kind]

    def column(self, octets: NDArray[np.uint8]) -> Array:
        """The column in the bytes of the file."""
        return frozen_array(octets[self.start : self.end].view(self.kind).reshape(self.shape))


@frozen(eq=False)
class Sealed:
    """The content of a sealed file.

    Parameters
    ----------
    facts : mapping
        JSON values.
    check : str
        Digest of the facts and of the digests of all columns: two files with the same check have the same content.
    columns : mapping of str to ndarray
        Read-only.
    """

    facts: Mapping[str, Any]
    check: str
    columns: Mapping[str, Array]


def write_sealed(
    path: Path, key: CacheKey, facts: Mapping[str, Any], columns: Mapping[str, Array], *, stored: bool = True
) -> str:
    """Writes a sealed file in place of an older one, and returns its check.

    Parameters
    ----------
    stored : bool
        Whether to wait until the file is on the disk. This is not needed if its digests are checked at every read:
        then a file that a power cut damaged is made again.
    """
    little = {name: np.ascontiguousarray(c, dtype=c.dtype.newbyteorder("<")) for name, c in columns.items()}
    listed = [[name, c.dtype.str, list(c.shape), key.chunks(c)] for name, c in little.items()]
    head = {"facts": dict(facts), "columns": listed}
    check = key.digest(canonical(head).encode())
    line = json.dumps({**head, "check": check}).encode()
    with (
        atomic_file(path, f"{uuid.uuid4().hex}.part") as part,
        opened(part, os.O_RDWR | os.O_CREAT | os.O_EXCL) as file,
    ):
        file.write(line + b" " * (-(len(line) + 1) % _ALIGNED) + b"\n")
        for column in little.values():
            file.write(column.reshape(-1).view(np.uint8).data)
            file.write(bytes(-column.nbytes % _ALIGNED))
        if stored:
            file.flush()
            os.fsync(file.fileno())
    return check


def read_sealed(path: Path, key: CacheKey) -> Sealed:
    """Reads a sealed file into memory, where later writes to the file have no effect.

    Raises
    ------
    Damaged
        If it was not written with this key.
    OSError
        If it cannot be read.
    """
    with opened(path) as file:
        facts, check, places, size = _head(file, path.name, key)
        file.seek(0)
        octets = np.frombuffer(file.read(size + 1), np.uint8)
    if len(octets) != size:
        raise Damaged(f"{path.name} is cut off, or too long")
    _check_columns(octets, places, path.name, key)
    return Sealed(facts, check, {name: place.column(octets) for name, place in places.items()})


def _head(file: IO[bytes], name: str, key: CacheKey) -> tuple[dict[str, Any], str, dict[str, _Place], int]:
    """Facts, check, places of the columns, and bytes of the whole file, from its first line."""
    line = file.readline(_HEAD)
    try:
        head = json.loads(line)
        check = head.pop("check")
        genuine = bool(check == key.digest(canonical(head).encode()))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError):
        genuine = False
    if not genuine:
        raise Damaged(f"{name} is not of this log, or was changed")
    start, places = len(line), dict[str, _Place]()
    try:
        for column, kind, shape, digests in head["columns"]:
            if not all(type(items) is int and 0 <= items <= _LIMIT for items in shape):
                raise ValueError(shape)
            places[column] = place = _Place(kind, tuple(shape), digests, start)
            start = place.end + -(place.end - place.start) % _ALIGNED
            if start > _LIMIT or len(digests) != -(-(place.end - place.start) // CHUNK):
                raise ValueError(column)
        return dict(head["facts"]), check, places, start
    except (ValueError, TypeError, LookupError):
        raise Damaged(f"{name} has an unknown form") from None


def _check_columns(octets: NDArray[np.uint8], places: Mapping[str, _Place], name: str, key: CacheKey) -> None:
    for column, place in places.items():
        if key.chunks(octets[place.start : place.end]) != place.digests:
            raise Damaged(f"the column {column} of {name} was changed")


# mapping, and the stamp on a checked file

Look = tuple[int, ...]
"""Device, inode and size of a file, and the times at which its content and its entry last changed.

Every write changes one of these, except writes through a memory mapping: the first of them after the file was stored
changes the times, but later ones may not, and on a file system in memory none does."""


def look_of(status: os.stat_result) -> Look:
    """Returns the look of a file from its status."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _settled(look: Look, now: int | None = None) -> bool:
    """True if every write from now on would change the look of a file."""
    return (time.time_ns() if now is None else now) - max(look[3:]) > YOUNG


def boot() -> str:
    """The id of this start of the machine; empty where the system has none, and then nothing is stamped."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""


class Mapped:
    """A sealed file whose columns are mapped into memory, checked when it is opened and when it changes.

    It is read from beginning to end and compared with its digests, unless the stamp shows that this was done since the
    machine started, and that the file has not been written to since.

    Parameters
    ----------
    path : path
    key : CacheKey
    stamp : path or None
        Path of the stamp, a sealed file with the look of this one; None to read all of this one in any case.

    Attributes
    ----------
    sealed : Sealed
    stamped : bool
        True if the stamp was valid, so that the file was not read.

    Raises
    ------
    Damaged
        If the file is not what was written.
    OSError
        If it cannot be read.
    """

    def __init__(self, path: Path, key: CacheKey, stamp: Path | None) -> None:
        self._path = path
        self._key = key
        self._stamp = stamp
        with opened(path) as file:
            look = look_of(os.fstat(file.fileno()))
            facts, check, self._places, self._size = _head(file, path.name, key)
            if look[2] != self._size:
                raise Damaged(f"{path.name} is cut off, or too long")
            self._octets: NDArray[np.uint8] = np.memmap(file, np.uint8, "r").view(np.ndarray)
        self._inode = look[:2]
        self._trusted: Look | None = None
        """Look of the file when it was checked; None if a later write might not change its look."""
        self._unstamped, self._unchecked = False, True
        stamped = self._read_stamp()
        self.stamped = stamped is not None and stamped == self._look()
        if self.stamped:
            self._trusted, self._unchecked = stamped, False
        else:
            self._check()
        self.sealed = Sealed(facts, check, {name: place.column(self._octets) for name, place in self._places.items()})

    def check(self) -> None:
        """Checks that the file is unchanged; it is read again only if it was written to.

        Raises
        ------
        Damaged
        """
        self._check()
        self.vouch()

    def _check(self) -> None:
        now, look = time.time_ns(), self._look()
        if look is None and self._unchecked:
            raise Damaged(f"{self._path.name} was deleted")
        if look is None or look == self._trusted:  # a deleted file can no longer be changed by anyone
            return
        with suppress(OSError), opened(self._path) as file:
            os.fsync(file.fileno())  # covers writes through a mapping: their next write then changes the times
        look = self._look() or look
        if look[2] != self._size:
            raise Damaged(f"{self._path.name} was changed")
        _check_columns(self._octets, self._places, self._path.name, self._key)
        certain = _settled(look, now) and self._look() == look
        self._trusted = look if certain else None
        self._unstamped, self._unchecked = certain, False

    def _look(self) -> Look | None:
        """The current look of the file; None if it no longer exists."""
        try:
            look = look_of(os.lstat(self._path))
        except OSError:
            return None
        return look if look[:2] == self._inode else None

    def vouch(self) -> None:
        """Stamps the file if it was checked, so that the next process to open it need not check it again."""
        if self._unstamped and self._stamp is not None and self._trusted is not None and boot():
            facts = {"boot": boot(), "file": self._path.name, "look": list(self._trusted)}
            with suppress(OSError):
                write_sealed(self._stamp, self._key, facts, {}, stored=False)
        self._unstamped = False

    def _read_stamp(self) -> Look | None:
        """The look that was stamped since the machine started."""
        if self._stamp is None:
            return None
        try:
            facts = read_sealed(self._stamp, self._key).facts
            genuine = facts["boot"] == boot() != "" and facts["file"] == self._path.name
            return tuple(facts["look"]) if genuine else None
        except (OSError, Damaged, LookupError, TypeError):
            return None
