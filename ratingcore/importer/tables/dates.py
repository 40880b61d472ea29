"""Parses the times in cells: ISO text, common variants of it, or a format that the mapping gives."""

import re
from collections.abc import Callable
from datetime import datetime, time, tzinfo

from ratingcore.errors import BadValue
from ratingcore.events import Instant, instant
from ratingcore.events.bounds import see_played
from ratingcore.importer.tables.cells import Moment

_VARIANT = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?=$|[ T])")


def played(form: str | None, zone: tzinfo | None = None) -> Callable[[str], Instant]:
    """Returns a parser of times; without a form it takes ISO texts and days such as 2024/03/02, 2024.03.02, 20240302.

    A cell that holds a day or time as such needs no form. A time that has no zone is of `zone`, else `Unzoned`;
    midnight without a zone is a day.

    The parser raises `BadValue` for a text that is no time, one whose day or month is unknown (`2001.??.??`), and a
    year in which nothing was played that is rated (0024).
    """
    if form is None:
        return lambda text: see_played(_iso(text, zone))
    return lambda text: see_played(_iso(text, zone) if type(text) is Moment else _formed(text, form, zone))


def _iso(text: str, zone: tzinfo | None) -> Instant:
    try:
        return _of_iso(text, zone)
    except BadValue as problem:
        why = problem.why
    match = _VARIANT.match(text)
    if match is not None:
        try:
            return _of_iso(f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}{text[match.end() :]}", zone)
        except BadValue:
            pass
    raise BadValue("played", text, "is known in part only" if "?" in text else why)


def _of_iso(text: str, zone: tzinfo | None) -> Instant:
    at, plain = instant(text), text.strip()
    return at if zone is None or len(plain) <= 10 else _in_zone(datetime.fromisoformat(plain), zone)


def _in_zone(moment: datetime, zone: tzinfo | None) -> Instant:
    local = moment.tzinfo is None and moment.time() != time()
    return instant(moment.replace(tzinfo=zone) if local else moment)


def _formed(text: str, form: str, zone: tzinfo | None) -> Instant:
    try:
        return _in_zone(datetime.strptime(text, form), zone)
    except (ValueError, OverflowError):
        raise BadValue("played", text, f"is not a time of the form {form}") from None
