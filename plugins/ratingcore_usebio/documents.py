"""Reads XML from strangers: nothing is fetched or expanded, and size and depth are bounded."""

from os import PathLike, fspath
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from ratingcore.plugin import BadFile

MOST_BYTES = 32 * 2**20
"""A session of a hundred tables has about 2 MB."""
DEEPEST = 64
"""Elements inside elements; USEBIO needs six."""


def document(path: str | PathLike[str]) -> Element:
    """The root element of an XML file.

    A document type that only names its DTD is ignored, and the DTD is never read. One that declares anything itself is
    refused at once, because entities that expand or fetch are declared there.

    Raises
    ------
    BadFile
        If the file cannot be read, is not XML, is too large or too deep, or declares entities.
    """
    return _Document(fspath(path)).read()


class _Document:
    def __init__(self, path: str) -> None:
        self._path = path
        self._tree = TreeBuilder()
        self._depth = 0

    def read(self) -> Element:
        try:
            with open(self._path, "rb") as file:
                content = file.read(MOST_BYTES + 1)
        except OSError as error:
            self._refuse((error.strerror or str(error)).lower())
        if len(content) > MOST_BYTES:
            self._refuse(f"it is larger than {MOST_BYTES // 2**20} MB")
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._tree.data
        parser.SkippedEntityHandler = self._skipped
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            self._refuse(f"line {error.lineno} is no XML: {expat.ErrorString(error.code)}")
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            self._refuse(f"it is no XML: {error}")
        return self._tree.close()

    def _doctype(self, name: str, system: str | None, public: str | None, declares: int) -> None:
        if declares:
            self._refuse("its document type declares something, which no USEBIO file needs", "remove the DOCTYPE")

    def _skipped(self, name: str, is_parameter: bool) -> None:
        self._refuse(f"it uses the entity {name}, which it does not declare")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self._refuse(f"elements are nested deeper than {DEEPEST}")
        self._tree.start(tag, attributes)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._tree.end(tag)

    def _refuse(self, why: str, advice: str = "") -> NoReturn:
        raise BadFile(self._path, why, advice)
