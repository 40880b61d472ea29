"""JSON from strangers: documents, arrays whose elements come one by one, and lines of one value each."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

from ratingcore.events.values import RepeatedKey, unrepeated
from ratingcore.readers.items import Refused

if TYPE_CHECKING:
    from ratingcore.readers.source import Source

LARGEST = 512 * 2**20
"""Bytes of a JSON document that is read as a whole."""
_FIRST = 2**21
"""Bytes in which the first line of a pipe is looked for."""


def json_values(source: "Source") -> Iterator[tuple[int, Any]]:
    """The values of a source with the line each begins on; a line that is no JSON comes as `Refused`."""
    if source.once and not _is_json(source.start(_FIRST).lstrip().partition(b"\n")[0]):
        source.kept()  # a document of several lines, which is read as a whole after its first lines were looked at
    lines = (numbered for numbered in source.byte_lines() if numbered[1].strip())
    number, first = next(lines, (1, b""))
    second = next(lines, None)
    try:
        value = _loaded(first)
    except ValueError as problem:
        repeated = isinstance(problem, RepeatedKey) and not first.lstrip().startswith(b"[")
        if not repeated and not _damaged(first, second):
            source.too_long.clear()  # such as the one line of a large document, which is read after all
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
            why = str(problem) if isinstance(problem, RepeatedKey) else f"is no JSON: {problem}"
            yield number, Refused(number, why, line[:200].decode("utf-8", "replace"))


def _document(source: "Source") -> Iterator[tuple[int, Any]]:
    text, _ = source.text("cp1252", LARGEST)
    blank = re.compile(r"\s*")
    at = blank.match(text).end()  # type: ignore[union-attr]  # it matches nothing at least
    line, seen = text.count("\n", 0, at) + 1, at
    try:
        if text[at : at + 1] != "[":
            while True:
                line, seen = line + text.count("\n", seen, at), at
                value, end = _decoded(text, at, line)
                yield line, value
                at = blank.match(text, end).end()  # type: ignore[union-attr]  # as above
                if at == len(text):
                    return
        at = blank.match(text, at + 1).end()  # type: ignore[union-attr]  # as above
        while text[at : at + 1] != "]":
            line, seen = line + text.count("\n", seen, at), at
            value, end = _decoded(text, at, line)
            yield line, value
            at = blank.match(text, end).end()  # type: ignore[union-attr]  # as above
            if text[at : at + 1] == ",":
                at = blank.match(text, at + 1).end()  # type: ignore[union-attr]  # as above
            elif text[at : at + 1] != "]":
                source.refuse(f"line {text.count(chr(10), 0, at) + 1}: the array does not end")
    except (ValueError, RecursionError) as problem:
        source.refuse(f"it is no JSON: {problem}")


def _decoded(text: str, at: int, line: int) -> tuple[Any, int]:
    """The value that begins at a place, or its refusal, and where it ends."""
    try:
        return _DECODER.raw_decode(text, at)
    except RepeatedKey as problem:
        _, end = _LENIENT.raw_decode(text, at)
        return Refused(line, str(problem), text[at : min(end, at + 200)]), end


def _damaged(line: bytes, second: tuple[int, bytes] | None) -> bool:
    """Whether a line that is no JSON is one bad row before others, not the first line of a document of many lines."""
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
    raise ValueError(f"{word} is no number")


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line, parse_constant=_no_number, object_pairs_hook=unrepeated)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


_LENIENT = json.JSONDecoder(parse_constant=_no_number)
_DECODER = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=unrepeated)
