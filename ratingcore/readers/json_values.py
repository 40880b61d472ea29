"""Reads untrusted JSON: documents, arrays element by element, and lines of one value each."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

from ratingcore.events.values import RepeatedKey, unrepeated
from ratingcore.readers.items import Reason, Refused
from ratingcore.safe_text import Filled

if TYPE_CHECKING:
    from ratingcore.readers.source import Source

LARGEST = 512 * 2**20
"""Largest number of bytes of a JSON document that is read as a whole."""
_BLANK = re.compile(r"\s*")
_FIRST = 2**21
"""Number of bytes of a pipe that are searched for the first line."""


def json_values(source: "Source") -> Iterator[tuple[int, Any]]:
    """Yields the values of a source with the line on which each begins; an invalid line becomes `Refused`."""
    if source.once and not _is_json(source.start(_FIRST).lstrip().partition(b"\n")[0]):
        source.reusable()  # a document of several lines is read as a whole after a look at its first lines
    lines = (numbered for numbered in source.byte_lines() if numbered[1].strip())
    number, first = next(lines, (1, b""))
    second = next(lines, None)
    try:
        value = _loaded(first)
    except ValueError as problem:
        repeated = isinstance(problem, RepeatedKey) and not first.lstrip().startswith(b"[")
        if not repeated and not _damaged(first, second):
            source.too_long.clear()  # such as the only line of a large document, which is now read
            yield from _document(source)
            return
        value = None
    if isinstance(value, list):
        yield from ((number, one) for one in value)
    elsewhere = chain([(number, first)] if not isinstance(value, list) else (), [second] if second else (), lines)
    for number, line in elsewhere:
        try:
            yield number, _loaded(line)
        except ValueError as problem:
            why: str = Filled("is not JSON: {problem}", problem=problem)
            why = str(problem) if isinstance(problem, RepeatedKey) else why
            yield number, Refused(number, why, line[:200].decode("utf-8", "replace"))


def _document(source: "Source") -> Iterator[tuple[int, Any]]:
    text, _ = source.text("cp1252", LARGEST)
    try:
        yield from values_from(text, after(text, 0), _DECODER)
    except (ValueError, RecursionError) as problem:
        source.refuse(Filled("it is not JSON: {problem}", problem=problem))


def values_from(text: str, at: int, decoder: json.JSONDecoder) -> Iterator[tuple[int, Any]]:
    """Yields the values of the array that begins at a place of a text, or else all values from there, with their lines.

    An object in which a key is repeated becomes `Refused`.

    Raises
    ------
    ValueError
        If it is not JSON.
    """
    within, line, seen = text[at : at + 1] == "[", 1, 0
    at = after(text, at + within)
    if at == len(text):
        raise ValueError("it ends before a value")
    while text[at : at + 1] != "]" if within else at < len(text):
        line, seen = line + text.count("\n", seen, at), at
        try:
            value, end = decoder.raw_decode(text, at)
        except RepeatedKey as problem:
            _, end = _LENIENT.raw_decode(text, at)
            value = Refused(line, Reason.of(problem), text[at : min(end, at + 200)])
        yield line, value
        at = next_value(text, end) if within else after(text, end)


def next_value(text: str, at: int) -> int:
    """Returns the place where the next value of an array or object begins, or of the bracket that ends it."""
    at = after(text, at)
    if text[at : at + 1] == ",":
        return after(text, at + 1)
    if text[at : at + 1] not in ("]", "}"):
        raise ValueError(f"line {text.count(chr(10), 0, at) + 1}: an array or object does not end")
    return at


def after(text: str, at: int) -> int:
    """Returns the place of the next character that is not a blank."""
    return _BLANK.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing at least


def _damaged(line: bytes, second: tuple[int, bytes] | None) -> bool:
    """True if an invalid line is a bad row before other rows, not the first line of a document of many lines."""
    try:
        whole = second is not None and isinstance(_loaded(second[1]), dict)
    except ValueError:
        return False
    return whole and line.strip().endswith(b"}")


def _is_json(line: bytes) -> bool:
    try:
        _loaded(line)
    except ValueError:
        return False
    return True


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line, parse_constant=_no_number, object_pairs_hook=unrepeated)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


_LENIENT = json.JSONDecoder(parse_constant=_no_number)
_DECODER = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=unrepeated)
