"""Unpacks what is packed: gzip, bzip2, xz, zstandard, members of zip and tar files, each in proportion to its size."""

import bz2
import gzip
import io
import lzma
import tarfile
import weakref
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import BinaryIO, cast

from ratingcore.errors import BadFile

HEAD = 2**16
"""Bytes of a file by which its format is recognised."""
RATIO, AT_LEAST = 200, 2**26
"""How many times larger than packed a file may be, once so many bytes of it are out."""

PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
ZIP = b"PK\x03\x04"


class _Bounded(io.RawIOBase):
    """Unpacked bytes, which end with `BadFile` where they are out of proportion to the packed ones."""

    def __init__(self, name: str, file: BinaryIO, packed: Callable[[], int], beside: Sequence[BinaryIO] = ()) -> None:
        self._name, self._file, self._packed, self._beside = name, file, packed, beside
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
            raise BadFile(self._name, f"what is packed ends early or is damaged: {error}") from None
        self._count += len(found)
        if self._count > AT_LEAST and self._count > RATIO * max(self._packed(), 1):
            raise BadFile(self._name, f"it unpacks to more than {RATIO} times its size", "unpack it yourself")
        into[: len(found)] = found
        return len(found)

    def close(self) -> None:
        for file in (self._file, *self._beside):
            file.close()
        super().close()


def _buffered(raw: _Bounded) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(raw, HEAD))


def unpacked(name: str, kind: str, again: Callable[[], BinaryIO]) -> BinaryIO:
    raw = again()
    counted = raw.tell if raw.seekable() else lambda: RATIO
    try:
        if kind == "gzip":
            plain: BinaryIO = cast(BinaryIO, gzip.GzipFile(fileobj=raw))
        elif kind == "bzip2":
            plain = cast(BinaryIO, bz2.BZ2File(raw))
        elif kind == "xz":
            plain = cast(BinaryIO, lzma.LZMAFile(raw))  # noqa: SIM115  # closed by what wraps it
        else:
            plain = _zstandard(name, raw)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise BadFile(name, f"what is packed is damaged: {error}") from None
    return _buffered(_Bounded(name, plain, counted, [raw]))


def _zstandard(name: str, raw: BinaryIO) -> BinaryIO:
    try:
        import zstandard  # type: ignore[import-not-found, unused-ignore]  # an extra that may be missing
    except ImportError:
        raise BadFile(name, "it is packed by zstd", "pip install 'ratingcore[tables]', or unpack it yourself") from None
    return cast(BinaryIO, zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw))


def opened_zip(name: str, file: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise BadFile(name, f"the zip file is damaged: {error}") from None


def zipped(name: str, again: Callable[[], BinaryIO], member: zipfile.ZipInfo) -> BinaryIO:
    file = again()
    packed = opened_zip(name, file)
    try:
        plain = cast(BinaryIO, packed.open(member))
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError) as error:
        raise BadFile(name, f"it cannot be unpacked: {error}") from None
    return _buffered(_Bounded(name, plain, lambda: member.compress_size, [file]))


def opened_tar(name: str, file: BinaryIO) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=file, mode="r|")  # a stream: nothing is skipped back to
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise BadFile(name, f"the tar file is damaged: {error}") from None


class Forward:
    """Reads at places of a file that is cheap to read forward only; goes back by opening it anew."""

    def __init__(self, name: str, again: Callable[[], BinaryIO]) -> None:
        self._name, self._again = name, again
        self._file, self._place = again(), 0
        self._closing = weakref.finalize(self, self._file.close)

    def read(self, place: int, size: int) -> bytes:
        if place < self._place:
            self._closing()
            self._file, self._place = self._again(), 0
            self._closing = weakref.finalize(self, self._file.close)
        while self._place < place:
            self._step(min(place - self._place, 2**20))
        return self._step(size)

    def _step(self, size: int) -> bytes:
        found = self._file.read(size)
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


def see_single(name: str, head: bytes) -> None:
    """Refuses what is packed within something packed."""
    if head.startswith((ZIP, *PACKED)) and b"[Content_Types].xml" not in head and b"mimetype" not in head:
        raise BadFile(name, "it is packed twice", "unpack it yourself")
