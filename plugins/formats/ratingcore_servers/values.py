"""Reads values of JSON objects: texts, whole numbers, moments, and excerpts for a report."""

import json
import re
from datetime import UTC, date, datetime
from typing import Any

from ratingcore.plugin.readers import BadValue, Reason, Refused, Source, at_moment, seen

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_WHOLE = re.compile(r"([+-]?[0-9]{1,18})(?:\.0+)?")
_PUBLIC = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST = 200
"""Length of an excerpt, and of a description."""


def fields(value: Any) -> dict[str, Any]:
    """Returns a JSON object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def elements(value: Any) -> list[Any]:
    """Returns a JSON array, or an empty one in place of anything else."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """Returns a text or whole number as text without surrounding blanks, and an empty text for other values.

    Examples
    --------
    >>> text(" 12 "), text(12), text(12.0), text(None), text(True)
    ('12', '12', '12', '', '')
    """
    if isinstance(value, str):
        return value.strip()
    number = whole(value)
    return "" if number is None else str(number)


def description(value: Any) -> str:
    """Normalises a text for facts: no control characters, single blanks between words, limited length."""
    return " ".join(_UNSEEN.sub(" ", text(value)).split())[:_LONGEST]


def whole(value: Any) -> int | None:
    """Returns a whole number, also from a text; None for other values.

    Examples
    --------
    >>> whole(3), whole("3"), whole(3.0), whole("3.5"), whole(True)
    (3, 3, 3, None, None)
    """
    if type(value) is int and abs(value) < 10**18:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    match = _WHOLE.fullmatch(value.strip() if isinstance(value, str) else repr(value))
    return int(match[1]) if match else None


def public_id(site: str, value: Any) -> str:
    """Returns the public id of a game, prefixed with the name of its site; empty without an id.

    Examples
    --------
    >>> public_id("lichess", "nfjOkkBQ"), public_id("startgg", 11186682), public_id("startgg", None)
    ('lichess:nfjOkkBQ', 'startgg:11186682', '')
    """
    found = text(value)
    return f"{site}:{found}" if _PUBLIC.fullmatch(found) else ""


def moment_of(value: Any, per_second: int = 1) -> datetime | None:
    """Returns the moment of a Unix time, in whole seconds; None for null, an empty text or 0.

    Raises
    ------
    BadValue
        If the value is not a time, or is too early or too late for a time of play.

    Examples
    --------
    >>> moment_of("1714000000123", 1000)
    datetime.datetime(2024, 4, 24, 23, 6, 40, tzinfo=datetime.timezone.utc)
    """
    if value is None or value in ("", 0):
        return None
    number = whole(value)
    try:
        if number is None:
            raise ValueError
        moment = datetime.fromtimestamp(number // per_second, UTC)
    except (OverflowError, ValueError, OSError):
        raise BadValue("played", excerpt(value), "must be a number of seconds or milliseconds since 1970") from None
    seen(moment.date())
    return moment


def written(value: Any, source: Source) -> tuple[int, date] | None:
    """Returns the instant and the day of a time in ISO format; None for an empty text.

    Raises
    ------
    BadValue
        If the text is not a time, or is too early or too late for a time of play.
    """
    found = text(value)
    if not found:
        return None
    try:
        moment = datetime.fromisoformat(found)
    except ValueError:
        raise BadValue("played", found, "must be a time such as 2024-04-24T23:06:40Z") from None
    seen(moment.date(), found)
    return at_moment(moment, source.zone), moment.date()


def excerpt(value: Any) -> str:
    """Returns the beginning of a value as JSON, for a report."""
    try:
        shown = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        shown = "nested too deep"
    return _UNSEEN.sub("?", shown)[:_LONGEST]


def refused(line: int, value: Any, problem: BadValue | str, where: str = "") -> Refused:
    """Returns the refusal of a value, with the problem, its place and an excerpt; a `BadValue` keeps its facts."""
    return Refused(line, Reason.of(problem, where), excerpt(value))
