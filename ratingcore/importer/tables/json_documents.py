"""JSON documents as tables: an array of objects, objects one after another, or an answer that holds an array."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice

from ratingcore.errors import BadFile
from ratingcore.events.values import unrepeated
from ratingcore.readers import Refused, Source
from ratingcore.readers.files import reading
from ratingcore.readers.json_values import LARGEST
from ratingcore.readers.sheets import Object

HEAD = 2**16
"""Characters by which a document is known."""
_SAMPLE = 20
"""Objects of an array by which it is known for the one that is meant."""

Numbered = tuple[int, Object] | Refused
"""An object and the line on which it begins, or why there is none."""

# numbers stay text: cells of JSON are parsed by the same rules as cells of CSV
DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=unrepeated)

_BLANK = re.compile(r"\s*")
_ARRAY = re.compile(r"\[\s*(\{|$)")


def is_document(start: str, is_row: Callable[[Object], bool]) -> bool:
    """Whether a text that begins so is one document, and not one object a line.

    Examples
    --------
    >>> is_document('[{"a": "ann"}]', bool), is_document('{\\n"games": []}', bool), is_document('{"a": 1}\\n{}', bool)
    (True, True, False)
    """
    lines = [line for line in start.lstrip("\ufeff").splitlines() if line.strip()][:2]
    if not lines or lines[0].lstrip()[0] not in "[{":
        return False
    if lines[0].lstrip()[0] == "[":
        return _ARRAY.match(lines[0].strip()) is not None
    first, *second = (_object(line) for line in lines)
    if first is None:
        return not (second and second[0] is not None)
    return not second and not is_row(first) and next(_arrays(lines[0], _after(lines[0], 0)), None) is not None


def _object(line: str) -> Object | None:
    try:
        value = DECODER.decode(line.strip())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def objects_of(
    source: Source, encoding: str | None, asked: str, is_row: Callable[[Object], bool]
) -> Iterator[Numbered]:
    """Yields the objects of a document, each with the line on which it begins.

    Parameters
    ----------
    asked : str
        The path to the array that is meant; empty for the only one whose objects are rows.
    is_row : callable
        Whether an object is one.

    Raises
    ------
    BadFile
        If it is no JSON, too large, or holds several arrays that may be meant.
    """
    with reading(source, encoding) as file:
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise BadFile(source.name, f"it is larger than {LARGEST // 2**20} MB")
    try:
        at = _after(text, 0)
        if text[at] == "{":
            first, end = DECODER.raw_decode(text, at)
            if _after(text, end) == len(text) and (asked or not is_row(first)):
                at = _meant(source, text, at, asked, is_row)
        yield from _elements(text, at)
    except (ValueError, RecursionError, IndexError) as problem:
        raise BadFile(source.name, f"it is no JSON: {problem}") from None


def _meant(source: Source, text: str, at: int, asked: str, is_row: Callable[[Object], bool]) -> int:
    """Where the array begins that is meant of those in an object; the object itself if it holds none."""
    found = dict(_arrays(text, at))
    if asked:
        if asked not in found:
            raise BadFile(source.name, f"it has no list of objects {asked}", f"its lists are {', '.join(found)}")
        return found[asked]
    rows = [place for place in found.values() if any(map(is_row, _first(text, place)))]
    if len(rows) == 1 or len(found) < 2:
        return [*rows, *found.values(), at][0]
    raise BadFile(
        source.name, f"it holds {len(found)} lists of objects: {', '.join(found)}", "say which by --sheet NAME"
    )


def _first(text: str, at: int) -> Iterator[Object]:
    return (row[1] for row in islice(_elements(text, at), _SAMPLE) if not isinstance(row, Refused))


def _arrays(text: str, at: int, path: str = "") -> Iterator[tuple[str, int]]:
    """The arrays of objects in an object, with the path to each and where it begins."""
    at = _after(text, at + 1)
    while text[at] != "}":
        key, end = DECODER.raw_decode(text, at)
        at = _after(text, _after(text, end) + 1)  # behind the colon
        name = f"{path}.{key}" if path else key
        if text[at] == "{":
            yield from _arrays(text, at, name)
        elif text[at] == "[" and text[_after(text, at + 1)] == "{":
            yield name, at
        at = _next(text, DECODER.raw_decode(text, at)[1])


def _elements(text: str, at: int) -> Iterator[Numbered]:
    """The objects of the array that begins at a place, or those from there on."""
    within, line, seen = text[at] == "[", 1, 0
    at = _after(text, at + within)
    while text[at] != "]" if within else at < len(text):
        line, seen = line + text.count("\n", seen, at), at
        value, end = DECODER.raw_decode(text, at)
        yield (line, value) if isinstance(value, dict) else Refused(line, "it is no JSON object", text[at:end][:200])
        at = _next(text, end) if within else _after(text, end)


def _next(text: str, at: int) -> int:
    """Where the next value of an array or object begins, or its end is."""
    at = _after(text, at)
    if text[at] == ",":
        return _after(text, at + 1)
    if text[at] not in "]}":
        raise ValueError(f"line {text.count(chr(10), 0, at) + 1}: a comma is missing")
    return at


def _after(text: str, at: int) -> int:
    """The place of the next sign that is no blank."""
    return _BLANK.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing at least
