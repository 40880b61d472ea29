"""Reads untrusted XML: fetches and expands nothing, and bounds size and depth."""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, NoReturn
from xml.etree import ElementTree
from xml.parsers import expat

from ratingcore.errors import BadFile
from ratingcore.safe_text import Filled

UTF8_MARK = b"\xef\xbb\xbf"
DEEPEST = 64
"""Largest depth of nested elements."""
ATTRIBUTES = 1_000
"""Largest number of attributes of an element, and of fields of a row."""
PIECES = 1_000_000
"""Largest number of elements and attributes of a document: each takes 450 bytes of memory, and perhaps 4 in a file."""
LONGEST = 2**20
"""Largest number of characters of a field of a row."""
_CHUNK = 2**18
_END = b" \t\r\n\0\x1a"
"""Content allowed after the root: blanks, and the filling bytes of old systems."""
# possessive, so that comments without a root after them are not split in every other way
_ROOT = re.compile(r"\s*+(?:(?><\?.*?\?>|<!--.*?-->)\s*+)*+<(?:!DOCTYPE\s+)?([A-Za-z_][\w.:-]*)", re.DOTALL)


def root_of(text: str) -> str:
    """Returns the name of an XML document's root element, from its DOCTYPE or first tag; empty for other files.

    Examples
    --------
    >>> root_of('<?xml version="1.0"?><!-- of 2024 --><players>'), root_of("players")
    ('players', '')
    """
    match = _ROOT.match(text)
    return "" if match is None else match[1]


class Element(ElementTree.Element):
    """An element with the line on which it begins."""

    line = 0


class _Parser:
    """An expat parser that refuses features that files of results do not need."""

    def __init__(self, name: str, encoding: str | None = None) -> None:
        self._name = name
        self._depth = 0
        self._skipped_lines = 0
        self._began = False
        self.expat = expat.ParserCreate(encoding)
        self.expat.buffer_text = True
        self.expat.StartDoctypeDeclHandler = self._doctype
        self.expat.SkippedEntityHandler = self._skipped

    @property
    def line(self) -> int:
        """The line of the file that is being parsed."""
        return self._skipped_lines + self.expat.CurrentLineNumber

    def feed(self, content: bytes, final: bool) -> None:
        if not self._began:  # the declaration must come first, and many files begin with blank lines
            start = content.removeprefix(UTF8_MARK).lstrip(b" \t\r\n")
            self._skipped_lines += content[: len(content) - len(start)].count(b"\n")
            content, self._began = start, bool(start)
        try:
            self.expat.Parse(content, final)
        except expat.ExpatError as error:
            line, why = self._skipped_lines + error.lineno, expat.ErrorString(error.code)
            self.refuse(Filled("line {line} is not XML: {error}", line=line, error=why))
        except (LookupError, ValueError) as error:  # an unknown encoding
            self.refuse(Filled("it is not XML: {error}", error=error))

    def enter(self, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self.refuse(Filled("elements are nested deeper than {most}", most=DEEPEST))
        if len(attributes) > ATTRIBUTES:
            self.refuse(Filled("an element has more than {most} attributes", most=ATTRIBUTES))

    def leave(self) -> None:
        self._depth -= 1

    def refuse(self, why: str, advice: str = "") -> NoReturn:
        raise BadFile(self._name, why, advice)

    def _doctype(self, name: str, system: str | None, public: str | None, declares: int) -> None:
        if declares:
            self.refuse("its document type declares something, which no file of results needs", "remove the DOCTYPE")

    def _skipped(self, name: str, is_parameter: bool) -> None:
        self.refuse(Filled("it uses the entity {name}, which it does not declare", name=name))


def parse(name: str, content: bytes, encoding: str | None = None) -> Element:
    """Returns the root element of a document.

    Parameters
    ----------
    encoding : str or None
        Encoding of the document, overriding its declaration; None to use the declaration.
    """
    parser = _Parser(name, encoding)
    tree = ElementTree.TreeBuilder(element_factory=Element)

    pieces = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal pieces
        parser.enter(attributes)
        pieces += 1 + len(attributes)
        if pieces > PIECES:
            parser.refuse(Filled("it has more than {most} elements and attributes", most=f"{PIECES:,}"), "split it")
        tree.start(tag, attributes).line = parser.line  # type: ignore[attr-defined]  # an Element

    def end(tag: str) -> None:
        parser.leave()
        tree.end(tag)

    parser.expat.StartElementHandler = start
    parser.expat.EndElementHandler = end
    parser.expat.CharacterDataHandler = tree.data
    parser.feed(content.rstrip(_END), True)
    root: Element = tree.close()  # type: ignore[assignment]  # what the factory makes
    return root


def rows(
    name: str,
    file: BinaryIO,
    tag: str,
    progress: Callable[[int], None] = lambda count: None,
    encoding: str | None = None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields the elements of one tag: the line of each, and its attributes and the texts of its children by name."""
    parser = _Parser(name, encoding)
    found: list[tuple[int, dict[str, str]]] = []
    row: dict[str, str] = {}
    text: list[str] = []
    length = 0
    inside = [0, 0]  # the line of the open row, or 0, and the depth below it

    def add(part: str) -> None:
        nonlocal length
        length += len(part)
        if length > LONGEST:
            form = "line {line}: a field has more than {most} characters"
            parser.refuse(Filled(form, line=parser.line, most=f"{LONGEST:,}"))
        text.append(part)

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal length
        parser.enter(attributes)
        text.clear()
        length = 0
        if inside[0]:
            inside[1] += 1
        elif element == tag:
            inside[:] = parser.line, 0
            row.clear()
            row.update(attributes)

    def end(element: str) -> None:
        nonlocal length
        parser.leave()
        if inside[0] and inside[1]:
            inside[1] -= 1
            row.setdefault(element, "".join(text).strip())
            if len(row) > 2 * ATTRIBUTES:
                form = "line {line}: a row has more than {most} fields"
                parser.refuse(Filled(form, line=inside[0], most=f"{ATTRIBUTES:,}"))
        elif inside[0]:
            found.append((inside[0], dict(row)))
            inside[0] = 0
        text.clear()
        length = 0

    parser.expat.StartElementHandler = start
    parser.expat.EndElementHandler = end
    parser.expat.CharacterDataHandler = add
    while chunk := file.read(_CHUNK):
        progress(len(chunk))
        parser.feed(chunk, False)
        yield from found
        found.clear()
    parser.feed(b"", True)
    yield from found
