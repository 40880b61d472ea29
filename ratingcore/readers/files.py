"""Opens files as text: gzip and encodings are handled, and every failure is a `BadFile`.

What strangers send is bounded: only plain files are opened, never pipes and devices; a line has 1 MiB at most, and what
is packed unpacks to 100 times its size at most.
"""

import codecs
import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike, fspath
from typing import BinaryIO, TextIO, cast

from ratingcore.errors import BadFile
from ratingcore.readers import Source

Path = str | PathLike[str] | Source
"""Path of a file, or a source that is opened already."""


def label(path: Path) -> str:
    """What errors call a file."""
    return path.name if isinstance(path, Source) else fspath(path)


UTF8 = "utf-8-sig"
"""Default encoding: UTF-8 with an optional byte order mark."""

LINE = 2**20
"""Characters of a line at most."""

RATIO, AT_LEAST = 100, 2**26
"""How many times larger than the file its unpacked text may be, once it has so many bytes."""

_GZIP = b"\x1f\x8b"
_CHUNK = 2**16


def check_file(path: str | PathLike[str]) -> None:
    """Refuses what is no plain file: a folder, a pipe, a device.

    Raises
    ------
    BadFile
        Also if there is nothing of this name, or it may not be looked at.
    """
    try:
        mode = os.stat(path).st_mode
    except OSError as problem:
        raise BadFile(label(path), _says(problem)) from None
    except ValueError:  # a character that no name of a file has
        raise BadFile(label(path), "there is no such file") from None
    if stat.S_ISDIR(mode):
        raise BadFile(label(path), "is a directory")
    if not stat.S_ISREG(mode):
        raise BadFile(label(path), "it is a pipe or a device, not a file", "write what comes out of it to a file")


@contextmanager
def _opened(path: str | PathLike[str]) -> Iterator[io.BufferedReader]:
    check_file(path)
    with open(path, "rb") as raw:
        yield raw


def content_start(path: Path, size: int = 2**16) -> bytes:
    """The first bytes of a file, by which its kind is known."""
    if isinstance(path, Source):
        return path.start(size)
    try:
        with _opened(path) as raw:
            return raw.read(size)
    except OSError as problem:
        raise BadFile(label(path), _says(problem)) from None


def content(path: str | PathLike[str], most: int = 2**20) -> bytes:
    """The bytes of a file that people write, such as a mapping; `BadFile` if it has more than so many."""
    try:
        with _opened(path) as raw:
            found = raw.read(most + 1)
    except OSError as problem:
        raise BadFile(label(path), _says(problem)) from None
    if len(found) > most:
        raise BadFile(label(path), f"it has more than {most:,} bytes")
    return found


@contextmanager
def reading(path: Path, encoding: str | None) -> Iterator[TextIO]:
    """Opens a file as text with its line ends; what goes wrong until it is closed becomes `BadFile`."""
    encoding = _with_mark(encoding or (path.encoding if isinstance(path, Source) else None))
    try:
        with (
            _plain(path) as plain,
            io.TextIOWrapper(plain, encoding, newline="") as text,
        ):
            yield text
    except UnicodeError:
        raise _undecodable(path, encoding) from None
    except (EOFError, zlib.error):
        raise BadFile(label(path), "the gzip data ends early or is damaged") from None
    except OSError as problem:
        raise BadFile(label(path), _says(problem)) from None


@contextmanager
def _plain(path: Path) -> Iterator[BinaryIO]:
    """The unpacked bytes of a file."""
    if isinstance(path, Source):
        with path.open() as plain:
            yield plain
        return
    with _opened(path) as raw, _unpacked(raw, path) as plain:
        yield plain


def _with_mark(encoding: str | None) -> str:
    return UTF8 if encoding is None or encoding.lower().replace("_", "-") in {"utf-8", "utf8"} else encoding


class _Unpacked(gzip.GzipFile):
    """Unpacked bytes, which end with `BadFile` where they are out of proportion to the packed ones."""

    def __init__(self, raw: io.BufferedReader, path: Path) -> None:
        super().__init__(fileobj=raw)
        self._raw, self._path, self._count = raw, path, 0

    def read1(self, size: int = -1) -> bytes:
        found = super().read1(size)
        self._count += len(found)
        if self._count > AT_LEAST and self._count > RATIO * self._raw.tell():
            raise BadFile(label(self._path), f"it unpacks to more than {RATIO} times its size", "unpack it yourself")
        return found


def _unpacked(raw: io.BufferedReader, path: Path) -> BinaryIO:
    packed = raw.read(2) == _GZIP
    raw.seek(0)
    return cast(BinaryIO, _Unpacked(raw, path) if packed else raw)


class Lines:
    """Lines of a text with their ends; one that is too long is replaced by an empty one, and its number kept."""

    def __init__(self, text: TextIO, longest: int = LINE) -> None:
        self._text, self._longest = text, longest
        self.long: set[int] = set()
        """Numbers of the lines that were too long."""

    def __iter__(self) -> Iterator[str]:
        longest = self._longest
        read = partial(self._text.readline, longest)
        for number, line in enumerate(iter(read, ""), 1):
            if len(line) < longest or line[-1] in "\r\n":
                yield line
                continue
            self.long.add(number)
            while (rest := read()) and rest[-1] not in "\r\n":
                pass
            yield "\n"


def _says(problem: OSError) -> str:
    if isinstance(problem, FileNotFoundError):
        return "there is no such file"
    return (problem.strerror or str(problem)).lower()


def _undecodable(path: Path, encoding: str) -> BadFile:
    # the decoder failed on a chunk of unknown place: only the file from its beginning tells the line
    line, byte = 1, ""
    decoder = codecs.getincrementaldecoder(encoding)()
    ends = io.IncrementalNewlineDecoder(decoder, translate=True)
    with _plain(path) as plain:
        try:
            while chunk := plain.read1(_CHUNK):  # type: ignore[attr-defined]  # both kinds of file have it
                line += ends.decode(chunk).count("\n")
            ends.decode(b"", final=True)
        except UnicodeDecodeError as problem:
            before = problem.object[: problem.start].decode(encoding, "replace")
            line += before.replace("\r\n", "\n").replace("\r", "\n").count("\n")
            byte = f": byte 0x{problem.object[problem.start]:02x}"
        except UnicodeError:
            pass
    plain_name = "utf-8" if encoding == UTF8 else encoding
    why = f"line {line} is not {plain_name}{byte}"
    return BadFile(label(path), why, 'say --encoding, or encoding = "cp1252" in a mapping file')
