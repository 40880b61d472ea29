"""Reads a JSON document as a table: an array of objects, objects in sequence, or an object that holds an array."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice

from ratingcore.errors import BadFile
from ratingcore.events.values import unrepeated
from ratingcore.readers import Refused, Source
from ratingcore.readers.files import reading
from ratingcore.readers.json_values import LARGEST, after, next_value, values_from
from ratingcore.readers.sheets import Object
from ratingcore.safe_text import Filled

HEAD = 2**16
"""Number of characters that are read to recognise a document."""
_SAMPLE = 20
"""Number of objects of each array that are examined to find the array of rows."""

Numbered = tuple[int, Object] | Refused
"""The line on which an object begins, and the object; or a refusal in its place."""

# numbers stay text: cells of JSON are parsed by the same rules as cells of CSV
DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=unrepeated)

_ARRAY = re.compile(r"\[\s*(\{|$)")


def is_document(start: str, is_row: Callable[[Object], bool]) -> bool:
    """True if a text with this beginning is one document rather than one object per line.

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
    return not second and not is_row(first) and next(_arrays(lines[0], after(lines[0], 0)), None) is not None


def _object(line: str) -> Object | None:
    try:
        value = DECODER.decode(line.strip())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def objects_of(
    source: Source, encoding: str | None, selection: str, is_row: Callable[[Object], bool]
) -> Iterator[Numbered]:
    """Yields the objects of a document, each with the line on which it begins.

    Parameters
    ----------
    selection : str
        The path to the array to read; if empty, the only array whose objects are rows is read.
    is_row : callable
        Returns whether an object is a row.

    Raises
    ------
    BadFile
        If the document is not JSON, is too large, or holds several possible arrays.
    """
    with reading(source, encoding) as file:
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise BadFile(source.name, Filled("it is larger than {most} MB", most=LARGEST // 2**20))
    try:
        at = after(text, 0)
        if text[at] == "{":
            first, end = DECODER.raw_decode(text, at)
            if after(text, end) == len(text) and (selection or not is_row(first)):
                at = _meant(source, text, at, selection, is_row)
        for line, value in values_from(text, at, DECODER):
            if isinstance(value, dict):
                yield line, value
            else:
                yield (
                    value if isinstance(value, Refused) else Refused(line, "it is not a JSON object", str(value)[:200])
                )
    except (ValueError, RecursionError, IndexError) as problem:
        raise BadFile(source.name, Filled("it is not JSON: {problem}", problem=problem)) from None


def _meant(source: Source, text: str, at: int, selection: str, is_row: Callable[[Object], bool]) -> int:
    """Returns where the array to read begins in an object, or where the object begins if it holds no array."""
    found = dict(_arrays(text, at))
    if selection:
        if selection not in found:
            raise BadFile(source.name, f"it has no list of objects {selection}", f"its lists are {', '.join(found)}")
        return found[selection]
    firsts = {place: [one for _, one in islice(values_from(text, place, DECODER), _SAMPLE)] for place in found.values()}
    rows = [place for place, some in firsts.items() if any(isinstance(one, dict) and is_row(one) for one in some)]
    if len(rows) == 1 or len(found) < 2:
        return [*rows, *found.values(), at][0]
    why = Filled("it holds {n} lists of objects: {lists}", n=len(found), lists=", ".join(found))
    raise BadFile(source.name, why, "name the one to read as the sheet", "sheet")


def _arrays(text: str, at: int, path: str = "") -> Iterator[tuple[str, int]]:
    """Yields the path and the place of each array of objects within an object."""
    at = after(text, at + 1)
    while text[at] != "}":
        key, end = DECODER.raw_decode(text, at)
        at = after(text, after(text, end) + 1)  # after the colon
        name = f"{path}.{key}" if path else key
        if text[at] == "{":
            yield from _arrays(text, at, name)
        elif text[at] == "[" and text[after(text, at + 1)] == "{":
            yield name, at
        at = next_value(text, DECODER.raw_decode(text, at)[1])
