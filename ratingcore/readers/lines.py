"""The bytes of a text file with one kind of line ends, at the speed of a plain file."""

from collections.abc import Callable
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, NoReturn

LINE = 2**20
"""Bytes of a line at most; what exceeds it is passed over."""
_CHUNK = 2**16  # not longer than a line may be; larger ones cost page faults
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def open_lines(file: BinaryIO, progress: Callable[[int], None], refuse: Callable[[str, str], NoReturn]) -> BinaryIO:
    """Opens a text for reading line by line: every line but perhaps the last ends with LF.

    CR, LF and CRLF each end a line of the file. A byte order mark is passed over; UTF-16 and NUL bytes are
    refused. Of a line of more than 1 MiB its first bytes come, one more than that.
    """
    return BufferedReader(_Lines(file, progress, refuse), _CHUNK)


class _Lines(RawIOBase):
    """Raw bytes for a buffer, chunk by chunk; no chunk is longer than a line may be."""

    def __init__(self, file: BinaryIO, progress: Callable[[int], None], refuse: Callable[[str, str], NoReturn]) -> None:
        self._file = file
        self._progress = progress
        self._refuse = refuse
        self._first = True
        self._ahead = b""  # a byte that was read to see whether it ends a CRLF
        self._open = 0  # bytes of the line that no chunk has ended yet

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        while chunk := self._chunk(len(view)):
            chunk = self._bounded(chunk)
            if chunk:
                view[: len(chunk)] = chunk
                return len(chunk)
        return 0

    def _chunk(self, size: int) -> bytes:
        chunk = self._ahead + self._file.read(max(size - len(self._ahead), 1))
        self._ahead = b""
        if not chunk:
            return b""
        self._progress(len(chunk))
        if self._first:
            self._first = False
            if chunk.startswith(UTF16_MARKS):
                self._refuse("it is UTF-16", "save it as UTF-8")
            chunk = chunk.removeprefix(UTF8_MARK) or self._file.read(size)
        if b"\0" in chunk:
            self._refuse("it holds a NUL byte: it is no text", "")
        if b"\r" in chunk:
            if chunk.endswith(b"\r"):
                self._ahead = self._file.read(1).removeprefix(b"\n")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return chunk

    def _bounded(self, chunk: bytes) -> bytes:
        """The chunk without what exceeds the bound of the line that it goes on with."""
        end = chunk.find(b"\n")
        if self._open + (end if end >= 0 else len(chunk)) > LINE:
            kept = chunk[: max(LINE + 1 - self._open, 0)]
            self._open = LINE + 1
            chunk = kept + chunk[end:] if end >= 0 else kept
        elif end < 0:
            self._open += len(chunk)
        if end >= 0:
            self._open = len(chunk) - chunk.rfind(b"\n") - 1
        return chunk
