"""Reads plain files as text, in any encoding, with lines of at most 1 MiB."""

import codecs
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike, fspath
from typing import TextIO

from ratingcore.errors import BadFile
from ratingcore.readers import Source
from ratingcore.readers.source import marked_encoding
from ratingcore.safe_text import Filled

Path = str | PathLike[str] | Source
"""Path of a file, or an open source."""


UTF8 = "utf-8-sig"
"""Default encoding: UTF-8 with an optional byte order mark."""

LINE = 2**20
"""Largest number of characters of a line."""

_CHUNK = 2**16


def check_file(path: str | PathLike[str]) -> None:
    """Refuses anything but a plain file: a folder, a pipe, a device.

    Raises
    ------
    BadFile
        Also if the file does not exist, or may not be read.
    """
    try:
        mode = os.stat(path).st_mode
    except OSError as problem:
        raise BadFile(fspath(path), _reason(problem)) from None
    except ValueError:  # a character that no file name can have
        raise BadFile(fspath(path), "there is no such file") from None
    if stat.S_ISDIR(mode):
        raise BadFile(fspath(path), "is a directory")
    if not stat.S_ISREG(mode):
        raise BadFile(fspath(path), "it is a pipe or a device, not a file", "write what comes out of it to a file")


@contextmanager
def _opened(path: str | PathLike[str]) -> Iterator[io.BufferedReader]:
    check_file(path)
    with open(path, "rb") as raw:
        yield raw


def content(path: str | PathLike[str], most: int = 2**20) -> bytes:
    """Returns the bytes of a small file, such as a mapping; `BadFile` if there are more than `most`."""
    try:
        with _opened(path) as raw:
            found = raw.read(most + 1)
    except OSError as problem:
        raise BadFile(fspath(path), _reason(problem)) from None
    if len(found) > most:
        raise BadFile(fspath(path), f"it has more than {most:,} bytes")
    return found


@contextmanager
def reading(source: Source, encoding: str | None) -> Iterator[TextIO]:
    """Opens a source as text, with its line ends unchanged; errors within the block become `BadFile`."""
    encoding = _with_mark(encoding or source.encoding or marked_encoding(source.start(4)))
    try:
        with source.open() as plain, io.TextIOWrapper(plain, encoding, newline="") as text:
            yield text
    except UnicodeError:
        raise _undecodable(source, encoding) from None
    except OSError as problem:
        raise BadFile(source.name, _reason(problem)) from None


def _with_mark(encoding: str) -> str:
    return UTF8 if not encoding or encoding.lower().replace("_", "-") in {"utf-8", "utf8"} else encoding


class Lines:
    """Lines of a text with their ends; a line that is too long becomes empty, and its number is noted."""

    def __init__(self, text: TextIO, longest: int = LINE) -> None:
        self._text, self._longest = text, longest
        self.long: set[int] = set()
        """Numbers of the lines that were too long."""

    def __iter__(self) -> Iterator[str]:
        longest, number = self._longest, 0
        read = partial(self._text.readline, longest)
        for line in iter(read, ""):
            number += 1
            while len(line) >= longest and line[-1] != "\n":
                end = line
                while end and end[-1] not in "\r\n":
                    end = read()
                after = self._text.read(1) if end[-1:] == "\r" else ""  # the two characters of a line end may be split
                if line[-1] != "\r" or after == "\n":
                    self.long.add(number)
                yield "\n" if number in self.long else line
                if after in ("", "\n"):
                    break
                line, number = after if after == "\r" else after + read(), number + 1
            else:
                yield line


def _reason(problem: OSError) -> str:
    if isinstance(problem, FileNotFoundError):
        return "there is no such file"
    return (problem.strerror or str(problem)).lower()


def _undecodable(source: Source, encoding: str) -> BadFile:
    # it is unknown where the decoder failed: only another pass from the beginning finds the line
    line, byte = 1, ""
    decoder = codecs.getincrementaldecoder(encoding)()
    ends = io.IncrementalNewlineDecoder(decoder, translate=True)
    with source.open() as plain:
        try:
            while chunk := plain.read1(_CHUNK):  # type: ignore[attr-defined]  # every source opens buffered
                line += ends.decode(chunk).count("\n")
            ends.decode(b"", final=True)
        except UnicodeDecodeError as problem:
            before = problem.object[: problem.start].decode(encoding, "replace")
            line += before.replace("\r\n", "\n").replace("\r", "\n").count("\n")
            byte = f"0x{problem.object[problem.start]:02x}"
        except UnicodeError:
            pass
    plain_name = "utf-8" if encoding == UTF8 else encoding
    form = "line {line} is not {encoding}: byte {byte}" if byte else "line {line} is not {encoding}"
    why = Filled(form, line=line, encoding=plain_name, byte=byte)
    return BadFile(source.name, why, "give its encoding, such as cp1252", "encoding")
