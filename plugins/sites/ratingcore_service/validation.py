"""Values that the decoder refuses, as problems: which field of a body or a query, what is wrong with it, its value."""

import json
import re
from typing import Any

from msgspec import ValidationError

from ratingcore_service.problems import BadQuery
from ratingcore_service.wire import FORMS

_WHERE = re.compile(r"(?P<text>.*?)( - at (?P<key>`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[([0-9]+)\]|\[\.\.\.\]")
_KINDS = {
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "null": "null",
    "array": "a list", "object": "an object",
}  # fmt: skip
_UNITS = {"str": "characters", "array": "items", "object": "fields"}
_BY_REPR = {repr(pattern)[1:-1]: words for pattern, words in FORMS.items()}
UNKNOWN_FIELD = "is not a field here"
"""Why a field that nothing asks for is refused."""
_LONGEST = 100
"""Largest number of characters of a value that is quoted."""
_MANY_SIDES = "import a session of more sides from a file"


def refusal(error: ValidationError, given: Any, at: str = "", advice: str = "") -> BadQuery:
    """Returns the refusal of a value that does not have its type.

    Parameters
    ----------
    error : ValidationError
        As raised by msgspec, whose text has the path of the value.
    given : JSON value
        What was decoded; its part at that path is quoted.
    at : str
        Path of `given` itself, if it is part of a body: `changes/played`.
    advice : str
        What to do, where no better advice is known.

    Examples
    --------
    >>> from msgspec import convert
    >>> try:
    ...     convert(["5", "x"], list[int], strict=False)
    ... except ValidationError as error:
    ...     refused = refusal(error, ["5", "x"], "rounds")
    >>> refused.what, refused.pointer
    ('rounds/1 must be a whole number: "x"', '#/rounds/1')
    """
    found = _WHERE.fullmatch(str(error))
    assert found is not None
    text, steps = found["text"], list(_STEP.finditer(found["path"] or ""))
    missing = re.fullmatch(r"Object (?:missing required|contains unknown) field `(.*)`", text, re.DOTALL)
    value, names, exact = given, at.split("/") if at else [], not missing
    for step in steps:
        name = step[1] or step[2]
        if name is None:  # the decoder does not say which key
            exact = False
            break
        names.append(name)
        value = _part(value, name)
    names += [missing[1][:_LONGEST]] if missing else []
    place = "/".join(names) or "the body"
    within = "" if exact or missing else "a name in " if found["key"] else "a value in "
    why = _why(text)
    what = f"{within}{place} {why}{f': {_shown(value)}' if exact else ''}"
    if names and names[-1] == "sides" and "more than" in why:
        advice = _MANY_SIDES
    elif "unknown" in text and names[0] == "events" and _part(value, "kind") in ("game", "session", "player"):
        advice = f'further facts belong in data: "data": {{{json.dumps(names[-1])}: ...}}'
    pointer = "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names)
    return BadQuery(what, advice, f"#{pointer}")


def _part(value: Any, name: str) -> Any:
    try:
        return value[int(name) if isinstance(value, list) else name]
    except (LookupError, TypeError, ValueError):
        return None


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    text = text.encode(errors="backslashreplace").decode()  # no answer can hold a surrogate
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _why(text: str) -> str:
    """Returns what the text of a validation error says, as the end of a sentence about its value."""
    if text.startswith("Object missing"):
        return "is missing"
    if text.startswith("Object contains"):
        return UNKNOWN_FIELD
    if found := re.fullmatch(r"Expected `str` matching regex '(.*)'", text):
        return f"must be {_BY_REPR.get(found[1], 'of the required form')}"
    if found := re.fullmatch(r"Expected `(\w+)` of length (>=|<=) ([0-9]+)", text):
        if found[2] == ">=" and found[3] == "1":
            return "is empty"
        return f"has {'fewer' if found[2] == '>=' else 'more'} than {found[3]} {_UNITS[found[1]]}"
    if found := re.fullmatch(r"Expected `array` of length ([0-9]+)(, got [0-9]+)?", text):
        return f"does not have {found[1]} items"
    if found := re.fullmatch(r"Expected `\w+` (>=|<=) ([0-9.e+-]+)", text):
        return f"is {'less' if found[1] == '>=' else 'more'} than {found[2].removesuffix('.0')}"
    if found := re.fullmatch(r"Expected `([\w| ]+)`(, got `\w+`)?", text):
        *kinds, last = (_KINDS.get(kind, kind) for kind in found[1].split(" | "))
        return "must be " + " or ".join(filter(None, (", ".join(kinds), last)))
    if "out of range" in text:
        return "is too large a number"
    return "is not one of the words allowed here" if text.startswith("Invalid") else "does not fit"
