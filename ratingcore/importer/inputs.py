"""Finds the inputs of an import: files, folders, members of archives, and standard input, each as a source."""

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
import tarfile
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import tzinfo
from functools import partial
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from attrs import frozen

from ratingcore.errors import BadFile, BadValue
from ratingcore.readers import Sample, Source
from ratingcore.readers.files import check_file
from ratingcore.readers.sheets import SheetKind
from ratingcore.readers.source import Continued, marked_encoding, rewound
from ratingcore.safe_text import Filled

HEAD = 2**16
"""Number of bytes of a file by which its format is recognised."""
RATIO, AT_LEAST = 200, 2**26
"""Largest ratio of unpacked to packed size, and the number of unpacked bytes beyond which it is checked."""

PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
ZIP = b"PK\x03\x04"


class _Bounded(io.RawIOBase):
    """Unpacked bytes that end with `BadFile` if they are out of proportion to the packed ones."""

    def __init__(self, name: str, file: BinaryIO, packed: Callable[[], int], others: Sequence[BinaryIO] = ()) -> None:
        self._name, self._file, self._packed, self._others = name, file, packed, others
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, into: memoryview) -> int:  # type: ignore[override]  # a buffer, as the base class takes
        try:
            found = self._file.read(len(into))
        except (
            OSError,
            EOFError,
            zlib.error,
            lzma.LZMAError,
            zipfile.BadZipFile,
            tarfile.TarError,
            ValueError,
        ) as error:
            raise BadFile(
                self._name, Filled("the packed data ends early or is damaged: {error}", error=error)
            ) from None
        self._count += len(found)
        if self._count > AT_LEAST and self._count > RATIO * max(self._packed(), 1):
            raise BadFile(self._name, _too_large(), "unpack it yourself")
        into[: len(found)] = found
        return len(found)

    def close(self) -> None:
        for file in (self._file, *self._others):
            file.close()
        super().close()


def _too_large() -> str:
    return Filled("it unpacks to more than {times} times its size", times=RATIO)


def _buffered(raw: _Bounded) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(raw, HEAD))


def unpacked(name: str, kind: str, again: Callable[[], BinaryIO]) -> BinaryIO:
    with _wrapped(again) as raw:
        counted = raw.tell if raw.seekable() else lambda: RATIO
        try:
            if kind == "gzip":
                plain: BinaryIO = cast(BinaryIO, gzip.GzipFile(fileobj=raw))
            elif kind == "bzip2":
                plain = cast(BinaryIO, bz2.BZ2File(raw))
            elif kind == "xz":
                plain = cast(BinaryIO, lzma.LZMAFile(raw))  # noqa: SIM115  # closed by its wrapper
            else:
                plain = _zstandard(name, raw)
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise BadFile(name, Filled("the packed data is damaged: {error}", error=error)) from None
        return _buffered(_Bounded(name, plain, counted, [raw]))


@contextmanager
def _wrapped(again: Callable[[], BinaryIO]) -> Iterator[BinaryIO]:
    """Opens a file, and closes it only if the block fails."""
    file = again()
    try:
        yield file
    except BaseException:
        file.close()
        raise


def _zstandard(name: str, raw: BinaryIO) -> BinaryIO:
    try:
        import zstandard  # type: ignore[import-not-found, unused-ignore]  # an extra that may be missing
    except ImportError:
        raise BadFile(
            name, "it is packed with zstd", "pip install 'ratingcore[tables]', or unpack it yourself"
        ) from None
    return cast(BinaryIO, zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw))


def opened_zip(name: str, file: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise BadFile(name, "the zip file is damaged") from error


def zipped(name: str, again: Callable[[], BinaryIO], member: zipfile.ZipInfo) -> BinaryIO:
    with _wrapped(again) as file:
        packed = opened_zip(name, file)
        try:
            plain = cast(BinaryIO, packed.open(member))
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError) as error:
            raise BadFile(name, Filled("it cannot be unpacked: {error}", error=error)) from None
        return _buffered(_Bounded(name, plain, lambda: member.compress_size, [file]))


_CUT = {"TruncatedHeaderError", "EmptyHeaderError"}
"""Errors of tarfile for a file that ends within a header or before it."""


class _Member(tarfile.TarInfo):
    """A member of a tar file that notices if the file is cut off; tarfile itself would silently miss members."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> "_Member":
        try:
            return super().fromtarfile(archive)
        except tarfile.HeaderError as error:
            if type(error).__name__ in _CUT:
                raise tarfile.ReadError("unexpected end of data") from error
            raise


def opened_tar(name: str, file: BinaryIO) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=file, mode="r|", tarinfo=_Member)  # a stream: no seeking back
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise BadFile(name, Filled("the tar file is damaged: {error}", error=error)) from None


class Forward:
    """Reads a file at given places by reading forward; opens it anew to go back."""

    def __init__(self, name: str, again: Callable[[], BinaryIO]) -> None:
        self._name, self._again = name, again
        self._place = 0
        self._file: BinaryIO | None = None

    def read(self, place: int, size: int) -> bytes:
        if self._file is None or place < self._place:
            self.close()
            self._file, self._place = self._again(), 0
            self._closing = weakref.finalize(self, self._file.close)
        while self._place < place:
            self._step(self._file, min(place - self._place, 2**20))
        return self._step(self._file, size)

    def close(self) -> None:
        """Closes the file until the next read."""
        if self._file is not None:
            self._closing()
            self._file = None

    def _step(self, file: BinaryIO, size: int) -> bytes:
        found = file.read(size)
        if not found and size:
            raise BadFile(self._name, "the tar file ends early")
        self._place += len(found)
        return found


class _Part(io.RawIOBase):
    """A stretch of a file."""

    def __init__(self, file: Forward, place: int, size: int) -> None:
        self._file, self._place, self._end = file, place, place + size

    def readable(self) -> bool:
        return True

    def readinto(self, into: memoryview) -> int:  # type: ignore[override]  # a buffer, as the base class takes
        found = self._file.read(self._place, min(len(into), self._end - self._place))
        self._place += len(found)
        into[: len(found)] = found
        return len(found)


def stretch(file: Forward, place: int, size: int) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(_Part(file, place, size), HEAD))


def is_tar(start: bytes) -> bool:
    return start[257:262] == b"ustar"


def check_single(name: str, head: bytes) -> None:
    """Refuses packed content within a packed file."""
    if head.startswith((ZIP, *PACKED)) and b"[Content_Types].xml" not in head and b"mimetype" not in head:
        raise BadFile(name, "it is packed twice", "unpack it yourself")


MEMBERS = 10_000
"""Largest number of members of an archive."""

Input = str | PathLike[str] | BinaryIO
"""A path of a file or folder, `-` for standard input, or an open binary file."""

_DOCUMENTS = {"[Content_Types].xml", "mimetype"}
"""Members that identify a zip file as a spreadsheet."""


@frozen
class Found:
    """A source, its first bytes, and whether the user named it or it was found in a folder or an archive."""

    source: Source
    sample: Sample
    named: bool


@frozen
class Unreadable:
    """A file that could not be opened, the reason, and whether the user named it."""

    name: str
    problem: BadFile
    named: bool


@frozen
class Opening:
    """Settings for opening sources: encoding and zone of all, kinds of tables, progress, and the name of a stream."""

    encoding: str | None = None
    zone: tzinfo | None = None
    progress: Callable[[int], None] = lambda count: None
    sheets: Sequence[SheetKind] = ()
    name: str = ""

    def found(self, inputs: Sequence[Input]) -> Iterator[Found | Unreadable]:
        """Yields the files of inputs: folders sorted by name, without hidden files, archives unpacked."""
        for given in inputs:
            files = list(_files(given))
            if not files:
                yield Unreadable(input_name(given), BadFile(input_name(given), "the folder holds no files"), named=True)
            for path, named in files:
                try:
                    yield from self._opened(path, named)
                except BadFile as problem:
                    yield Unreadable(input_name(path), problem, named)

    def _opened(self, given: Input, named: bool) -> Iterator[Found]:
        name = self.name or input_name(given)
        piped = not isinstance(given, str | PathLike) or fspath(given) == "-"
        again = _piped(given) if piped else partial(_file, cast(str, given))
        with _guarded(name):
            with again() as file:
                start = file.read(HEAD)
            if not isinstance(again, _Once) and is_tar(start):
                yield from self._of_tar(name, again)
                return
            if start.startswith(ZIP) and not isinstance(again, _Once):
                members = self._of_zip(name, again)
                if members is not None:
                    yield from members
                    return
            kind = next((kind for magic, kind in PACKED.items() if start.startswith(magic)), "")
            size = None if piped else os.path.getsize(cast(str, given))
            if not kind:
                yield self._one(name, again, start, size, named)
                return
            unpack = partial(unpacked, name, kind, again)
            with unpack() as file:
                start = file.read(HEAD)
            if is_tar(start):
                yield from self._of_tar(name, unpack)
            else:
                check_single(name, start)
                yield self._one(_without_suffix(name), unpack, start, size, named)

    def _one(
        self, name: str, again: Callable[[], BinaryIO], head: bytes, size: int | None, named: bool,
        sibling: Callable[[str], Source | None] | None = None,
    ) -> Found:  # fmt: skip
        path = name if isinstance(again, partial) and again.func is _file else None
        if sibling is None and path is not None:
            sibling = partial(self._in_folder, path)
        wide = marked_encoding(head) or (self.encoding or "")
        if wide.lower().startswith(("utf-16", "utf-32")):  # readers look for marks of their formats in UTF-8
            head = head.decode(wide, "ignore").encode(errors="ignore")
        return Found(self._source(name, again, path, sibling), Sample(name, head, size), named)

    def _source(
        self, name: str, again: Callable[[], BinaryIO], path: str | None, sibling: Callable[[str], Source | None] | None
    ) -> Source:
        return Source(
            name, again, path=path, once=isinstance(again, _Once), encoding=self.encoding, zone=self.zone,
            progress=self.progress, sheets=self.sheets, **({} if sibling is None else {"sibling": sibling}),
        )  # fmt: skip

    def _in_folder(self, path: str, name: str) -> Source | None:
        """Returns the file of a given name, in any case, in the folder of a file; None if there is none."""
        folder = os.path.dirname(path) or "."
        found = next((one for one in sorted(os.listdir(folder)) if one.casefold() == name.casefold()), None)
        if found is None or not os.path.isfile(other := os.path.join(folder, found)):
            return None
        return self._source(other, partial(_file, other), other, None)

    def _of_zip(self, name: str, again: Callable[[], BinaryIO]) -> Iterator[Found] | None:
        """The members of a zip file; None if it is a spreadsheet."""
        with again() as file, opened_zip(name, file) as packed:
            members = [one for one in packed.infolist() if not one.is_dir() and _seen(one.filename)]
            if _DOCUMENTS & {one.filename for one in members}:
                return None
            size = sum(one.file_size for one in members)
            if size > AT_LEAST and size > RATIO * file.seek(0, io.SEEK_END):
                raise BadFile(name, _too_large(), "unpack it yourself")
        return self._each_of_zip(name, again, members)

    def _each_of_zip(self, name: str, again: Callable[[], BinaryIO], members: list[zipfile.ZipInfo]) -> Iterator[Found]:
        _check_members(name, len(members))
        for member in sorted(members, key=lambda one: one.filename):
            label = f"{name}/{_label(member.filename)}"
            if member.flag_bits & 1:
                raise BadFile(label, "it is encrypted", "unpack it yourself")
            unpack = partial(zipped, label, again, member)
            with unpack() as file:
                head = file.read(HEAD)
            check_single(label, head)
            sibling = partial(self._in_zip, name, again, member.filename, members)
            yield self._one(label, unpack, head, member.file_size, named=False, sibling=sibling)

    def _in_zip(
        self, name: str, again: Callable[[], BinaryIO], path: str, members: list[zipfile.ZipInfo], other: str
    ) -> Source | None:
        """Returns the member of a given name, in any case, in the folder of a member; None if there is none."""
        wanted = (path.rpartition("/")[0] + "/" + other).lstrip("/").casefold()
        member = next((one for one in members if one.filename.casefold() == wanted), None)
        if member is None:
            return None
        label = f"{name}/{_label(member.filename)}"
        return self._source(label, partial(zipped, label, again, member), None, None)

    def _of_tar(self, name: str, again: Callable[[], BinaryIO]) -> Iterator[Found]:
        members = []
        try:
            with again() as file, opened_tar(name, file) as packed:
                for member in packed:
                    if member.isfile() and _seen(member.name):
                        members.append(member)
                    _check_members(name, len(members))
        except tarfile.TarError as error:
            raise BadFile(name, Filled("the tar file ends early or is damaged: {error}", error=error)) from None
        with closing(Forward(name, again)) as forward:
            for member in members:
                label = f"{name}/{_label(member.name)}"
                unpack = partial(stretch, forward, member.offset_data, member.size)
                with unpack() as file:
                    head = file.read(HEAD)
                check_single(label, head)
                found = self._one(label, unpack, head, member.size, named=False)
                found.source.closing(forward)
                yield found


def source_at(given: "str | PathLike[str] | Source", sheets: Sequence[SheetKind] = ()) -> Source:
    """The file at a path as a source; a source is returned unchanged.

    Raises
    ------
    BadFile
        If it is not a plain file, or is an archive of several.
    BadValue
        If it is not a path.
    """
    if isinstance(given, Source):
        return given
    if not isinstance(given, str | PathLike):
        raise BadValue("path", given, f"must be str | Path, not {type(given).__name__}")
    check_file(given)
    found = list(islice(Opening(sheets=sheets).found([given]), 2))
    if len(found) != 1:
        raise BadFile(fspath(given), "it is an archive of several files, or of none", "unpack it")
    if isinstance(found[0], Unreadable):
        raise found[0].problem
    return found[0].source


def _files(given: Input) -> Iterator[tuple[Input, bool]]:
    """Yields the given file, or the files of a folder and its subfolders, each with whether it was named itself."""
    if not isinstance(given, str | PathLike) or not os.path.isdir(given):
        yield given, True
        return
    for folder, folders, files in os.walk(given):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(files):
            path = os.path.join(folder, name)
            if not name.startswith(".") and stat.S_ISREG(os.lstat(path).st_mode):
                yield path, False


def input_name(given: Input) -> str:
    """Returns the name of a file in messages and sources; empty for an open file without one."""
    if isinstance(given, str | PathLike):
        return "standard input" if fspath(given) == "-" else fspath(given)
    return Path(getattr(given, "name", "") or "").name if isinstance(getattr(given, "name", ""), str) else "a file"


def _file(path: str | PathLike[str]) -> BinaryIO:
    check_file(path)
    return open(path, "rb")


class _Once:
    """Opens a stream that can be read only once: the first call returns its beginning, the second all of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._start, self._spent = stream, b"", False

    def __call__(self) -> BinaryIO:
        if not self._start and not self._spent:
            while len(self._start) < HEAD and (more := self._stream.read(HEAD - len(self._start))):
                self._start += more
            return io.BytesIO(self._start)
        if self._spent:
            raise BadFile("standard input", "it can be read only once", "write it to a file first")
        self._spent = True
        return cast(BinaryIO, io.BufferedReader(Continued(self._start, self._stream), HEAD))


def _piped(given: Input) -> Callable[[], BinaryIO]:
    """Returns a function that opens standard input or an open file, read from its current place."""
    stream = sys.stdin.buffer if isinstance(given, str | PathLike) else given
    if isinstance(given, str | PathLike) or not stream.seekable():
        return _Once(stream)
    return partial(rewound, stream, stream.tell())


def _seen(name: str) -> bool:
    """True if a member of an archive is a file that is not hidden."""
    return not any(part.startswith((".", "__MACOSX")) for part in name.replace("\\", "/").split("/") if part != "..")


def _label(name: str) -> str:
    """A member's name for display; it is never used as a path."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:200]


def _check_members(name: str, count: int) -> None:
    if count > MEMBERS:
        raise BadFile(name, Filled("it has more than {most} members", most=f"{MEMBERS:,}"))


def _without_suffix(name: str) -> str:
    return os.path.splitext(name)[0] if name.endswith((".gz", ".bz2", ".xz", ".zst")) else name


@contextmanager
def _guarded(name: str) -> Iterator[None]:
    """Turns errors of opening a file into `BadFile`."""
    try:
        yield
    except FileNotFoundError:
        raise BadFile(name, "there is no such file") from None
    except OSError as error:
        raise BadFile(name, (error.strerror or str(error)).lower()) from None


def zone_of(zone: str | tzinfo | None) -> tzinfo | None:
    """Returns a zone by its name; `BadValue` for an unknown one."""
    if not isinstance(zone, str):
        return zone
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadValue("zone", zone, "must be a time zone such as Europe/Paris") from None
