"""Gives readers one file as bytes, text, lines, XML or JSON, unpacked and within bounds."""

import codecs
import re
import shutil
import weakref
from collections.abc import Callable, Iterator, Sequence
from datetime import tzinfo
from io import SEEK_CUR, SEEK_END, SEEK_SET, BufferedReader, BytesIO, RawIOBase
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TypeVar, cast

from ratingcore.errors import BadFile, BadValue
from ratingcore.readers.json_values import json_values
from ratingcore.readers.xml import UTF8_MARK, Element, parse, rows
from ratingcore.safe_text import Filled

if TYPE_CHECKING:
    from ratingcore.readers.sheets import SheetKind

LINE = 2**20
"""Largest number of bytes of a line; the rest is skipped."""
_CHUNK = 2**16  # not longer than a line may be; larger chunks cost page faults
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")


def open_lines(file: BinaryIO, progress: Callable[[int], None], refuse: Callable[[str, str], NoReturn]) -> BinaryIO:
    """Opens a text for reading line by line; every line ends with LF, except perhaps the last.

    CR, LF and CRLF each end a line of the file. A byte order mark is skipped; UTF-16 and NUL bytes are
    refused. A line of more than 1 MiB is cut to 1 MiB and one byte.
    """
    return BufferedReader(_Lines(file, progress, refuse), _CHUNK)


class _Lines(RawIOBase):
    """Raw bytes for a buffer, in chunks that are never longer than a line may be."""

    def __init__(self, file: BinaryIO, progress: Callable[[int], None], refuse: Callable[[str, str], NoReturn]) -> None:
        self._file = file
        self._progress = progress
        self._refuse = refuse
        self._first = True
        self._ahead = b""  # a byte read ahead to see whether it completes a CRLF
        self._open = 0  # bytes of the current line in earlier chunks

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
            self._refuse("it holds a NUL byte: it is not text", "")
        if b"\r" in chunk:
            if chunk.endswith(b"\r"):
                self._ahead = self._file.read(1).removeprefix(b"\n")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return chunk

    def _bounded(self, chunk: bytes) -> bytes:
        """Returns the chunk without the part by which the line that it continues is too long."""
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


DOCUMENT = 64 * 2**20
"""Largest number of bytes of a document that is read as a whole."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_SAYS_UTF8 = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?!<\?xml[^>]*encoding\s*=\s*[\"'](?!utf-?8[\"']))", re.IGNORECASE)
_END = b"\x1a"
"""End of a text under DOS."""


def marked_encoding(start: bytes) -> str:
    """Returns the encoding that a text's byte order mark shows; empty for UTF-8 and without a mark.

    Examples
    --------
    >>> marked_encoding("a,b".encode("utf-16")), marked_encoding(b"a,b")
    ('utf-16', '')
    """
    return "utf-32" if start.startswith(_UTF32_MARKS) else "utf-16" if start.startswith(UTF16_MARKS) else ""


def check_encoding(encoding: object) -> None:
    """Checks the encoding that a user names, if any.

    Raises
    ------
    BadValue
        If Python has no text encoding of this name.
    """
    if encoding is None:
        return
    try:
        if isinstance(encoding, str) and codecs.lookup(encoding) and "".encode(encoding) is not None:
            return
    except (LookupError, ValueError):
        pass
    raise BadValue("encoding", encoding, "must be an encoding of text, such as cp1252")


def _quiet(count: int) -> None:
    return None


def _alone(name: str) -> "Source | None":
    return None


_T = TypeVar("_T")


class Source:
    """One document to be read.

    Parameters
    ----------
    name : str
        Name in reports.
    open : callable
        Opens it anew, as unpacked bytes.
    path : str or None
        The file, if it is a plain one; None if packed, or from a pipe.
    once : bool
        Whether it can be opened only once, like standard input.
    encoding : str or None
        The encoding that the user names; it overrides detection.
    zone : tzinfo or None
        Zone of local times of the file.
    progress : callable
        Called with numbers of bytes as they are read.
    sibling : callable
        Returns the file of a given name, in any case, in the same folder or archive; None if there is none. Only
        formats of several files with fixed names use it: no reader opens a file because another file names it.
    sheets : sequence of SheetKind
        The kinds of tables that it may be, besides delimited text and JSON lines.

    Raises
    ------
    BadValue
        If there is no encoding of the given name.

    Attributes
    ----------
    decoded_as : str
        The encoding in which text was read, if not UTF-8.
    too_long : list of int
        Numbers of the lines that were longer than 1 MiB, and were read as empty lines.

    Examples
    --------
    >>> source = Source.of_bytes("club.txt", b"ann bo\\r\\ncy di")
    >>> list(source.lines())
    [(1, 'ann bo'), (2, 'cy di')]
    """

    def __init__(
        self, name: str, open: Callable[[], BinaryIO], *, path: str | None = None, once: bool = False,
        encoding: str | None = None, zone: tzinfo | None = None, progress: Callable[[int], None] = _quiet,
        sibling: "Callable[[str], Source | None]" = _alone, sheets: "Sequence[SheetKind]" = (),
    ) -> None:  # fmt: skip
        check_encoding(encoding)
        self.name = name
        self.path = path
        self.once = once
        self.encoding = encoding
        self.zone = zone
        self.progress = progress
        self.sibling = sibling
        self.sheets = sheets
        self.decoded_as = ""
        self.too_long: list[int] = []
        self._open = open
        self._opened = weakref.WeakSet[Any]()

    @classmethod
    def of_bytes(cls, name: str, content: bytes, **options: Any) -> "Source":
        """A source of bytes in memory."""
        return cls(name, lambda: BytesIO(content), **options)

    def refuse(self, why: str, advice: str = "", setting: str = "") -> NoReturn:
        """Refuses the whole file; see `BadFile`.

        Raises
        ------
        BadFile
        """
        raise BadFile(self.name, why, advice, setting)

    def open(self) -> BinaryIO:
        """Opens the unpacked bytes from the beginning."""
        return self.closing(self._open())

    def closing(self, opened: _T) -> _T:
        """Returns a file or generator opened to read the source; it is closed with the source at the latest."""
        self._opened.add(opened)
        return opened

    def close(self) -> None:
        """Closes all files and generators that are still open; the source cannot be read afterwards."""
        while self._opened:
            self._opened.pop().close()

    def start(self, size: int = 2**16) -> bytes:
        """Returns the first of the unpacked bytes; the next reader gets them again, even from a pipe."""
        stream = self.open()
        start = stream.read(size)
        if self.once:
            self._open = lambda: cast(BinaryIO, BufferedReader(Continued(start, stream), 2**16))
        else:
            stream.close()
        return start

    def reusable(self) -> "Source":
        """Makes the source reusable: the content of a pipe is kept in a temporary file."""
        if self.once:
            file = TemporaryFile()  # noqa: SIM115  # open as long as the source
            with self.open() as stream:
                shutil.copyfileobj(stream, file)
            self._open, self.once = lambda: rewound(file), False
            weakref.finalize(self, self.closing(file).close)
        return self

    def content(self, limit: int = DOCUMENT) -> bytes:
        """Returns the bytes of a document; `BadFile` if there are more than `limit`."""
        with self.open() as file:
            found = file.read(limit + 1)
        if len(found) > limit:
            self.refuse(Filled("it is larger than {most} MB", most=limit // 2**20))
        self.progress(len(found))
        return found

    def text(self, old: str = "cp1252", limit: int = DOCUMENT) -> tuple[str, str]:
        """Returns the text of a document without its byte order mark, and its encoding.

        Parameters
        ----------
        old : str
            Encoding of files of this format that are not UTF-8.
        """
        content = self.content(limit)
        if content.startswith(UTF16_MARKS):
            self.refuse("it is UTF-16", "save it as UTF-8")
        content = content.rstrip(_END)
        if b"\0" in content:
            line = content[: content.index(0)].count(10) + 1
            self.refuse(Filled("it is not text: line {line} has a NUL byte", line=line))
        why = ""
        for encoding in (self.encoding,) if self.encoding else ("utf-8", old):
            try:
                text = content.removeprefix(UTF8_MARK).decode(encoding)
            except UnicodeDecodeError as problem:
                line = content[: problem.start].count(b"\n") + 1
                byte = f"0x{content[problem.start]:02x}"
                why = Filled("line {line} is not {encoding}: byte {byte}", line=line, encoding=encoding, byte=byte)
            else:
                self._note(encoding)
                return text, encoding
        raise BadFile(self.name, why, "give its encoding", "encoding")

    def _note(self, encoding: str) -> None:
        if encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig"):
            self.decoded_as = encoding

    def open_lines(self) -> BinaryIO:
        """Opens the unpacked bytes as a file in which LF replaces every line end; the last line may have none.

        This is the fastest way to read lines. A line that is too long is cut to 1 MiB and one byte: see `bounded`.
        """
        return open_lines(self.open(), self.progress, self.refuse)

    def byte_lines(self) -> Iterator[tuple[int, bytes]]:
        """Yields lines with their numbers, without their ends; CR, LF and CRLF each end a line."""
        with self.open_lines() as file:
            for number, line in enumerate(file, 1):
                if line != _END:
                    yield number, self.bounded(number, line.removesuffix(b"\n"))

    def bounded(self, number: int, line: bytes) -> bytes:
        """Returns a line without its end; if it is too long, notes its number and returns an empty one."""
        if len(line) <= LINE:
            return line
        self.too_long.append(number)
        return b""

    def text_lines(self, old: str = "cp1252", limit: int = DOCUMENT) -> list[str]:
        """Returns the lines of a document without their ends, all in one encoding; see `text`."""
        text, _ = self.text(old, limit)
        lines = _LINE_END.split(text)
        for index, line in enumerate(lines):
            if len(line) > LINE:
                self.too_long.append(index + 1)
                lines[index] = ""
        return lines if lines[-1] else lines[:-1]

    def decoded(self, value: bytes, old: str = "cp1252") -> str:
        """Decodes bytes in the encoding that the user names; without one in UTF-8, or else in `old`."""
        if self.encoding is not None:
            try:
                return value.decode(self.encoding)
            except UnicodeDecodeError:
                self.refuse(
                    Filled("it is not {encoding}: {error}", encoding=self.encoding, error=repr(value[:40])),
                    "give another encoding",
                    "encoding",
                )
        try:
            return value.decode()
        except UnicodeDecodeError:
            self._note(old)
            return value.decode(old, "replace")

    def lines(self, old: str = "cp1252") -> Iterator[tuple[int, str]]:
        """Yields lines of text with their numbers, without their ends, decoded one by one."""
        return ((number, self.decoded(line, old)) for number, line in self.byte_lines())

    def document(self, limit: int = DOCUMENT) -> Element:
        """Returns the root element of an XML document; each element has its `line`.

        A document type that only names its DTD is skipped and never fetched. A document that declares UTF-8, or no
        encoding, but is not UTF-8, is read as cp1252.

        Raises
        ------
        BadFile
            If it is not XML, is too large or too deep, or declares or uses entities of its own.
        """
        content, encoding = self.content(limit), self.encoding
        if encoding is None and not content.startswith(UTF16_MARKS) and _SAYS_UTF8.match(content):
            try:
                content.decode()
            except UnicodeDecodeError:
                encoding = "cp1252"
        if encoding is not None:
            self._note(encoding)
        return parse(self.name, content, encoding)

    def rows_of_xml(self, tag: str) -> Iterator[tuple[int, dict[str, str]]]:
        """Yields the elements of one tag: the line, and the attributes and texts of children by name."""
        with self.open() as file:
            yield from rows(self.name, file, tag, self.progress, self.encoding)

    def json_objects(self) -> Iterator[tuple[int, Any]]:
        """Yields the values of JSON documents, of an array, or of lines of one value each, with the line of each.

        The elements of an array come one by one. An invalid line becomes `Refused`.
        """
        return json_values(self)


class Continued(RawIOBase):
    """The bytes already read from a stream, followed by its rest."""

    def __init__(self, start: bytes, stream: BinaryIO) -> None:
        self._start, self._stream = start, stream

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        found = self._start[: len(into)] or self._stream.read(len(into))
        self._start = self._start[len(found) :]
        into[: len(found)] = found
        return len(found)


class _Stretch(RawIOBase):
    """The part of an open file from a place on; closing it leaves the file open."""

    def __init__(self, file: BinaryIO, place: int) -> None:
        self._file, self._start, self._place = file, place, place

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        """Moves to a place, counted from the start of the stretch; spreadsheets are read from their end."""
        start = {SEEK_SET: self._start, SEEK_CUR: self._place}.get(whence)
        place = (self._file.seek(0, SEEK_END) if start is None else start) + offset
        if place < self._start:
            raise ValueError(f"a place before the beginning: {offset}")
        self._place = place
        return place - self._start

    def readinto(self, into: Any) -> int:
        self._file.seek(self._place)
        found = self._file.read(len(into))
        self._place += len(found)
        into[: len(found)] = found
        return len(found)


def rewound(file: BinaryIO, place: int = 0) -> BinaryIO:
    """Returns a reader of an open file from a place on; closing it leaves the file open."""
    return cast(BinaryIO, BufferedReader(_Stretch(file, place), 2**20))
