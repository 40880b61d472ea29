"""Parses the times in cells: ISO text, common variants of it, or a format that the mapping gives."""

import re
from collections.abc import Callable
from datetime import datetime

from ratingcore.archives.cells import Moment
from ratingcore.errors import BadValue
from ratingcore.events import Instant, instant
from ratingcore.events.bounds import see_played

_VARIANT = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?=$|[ T])")


def played(form: str | None) -> Callable[[str], Instant]:
    """Returns a parser of times; without a form it takes ISO texts and days such as 2024/03/02, 2024.03.02, 20240302.

    A cell that holds a day or time as such needs no form.

    The parser raises `BadValue` for a text that is no time, one whose day or month is unknown (`2001.??.??`), and a
    year in which nothing was played that is rated (0024).
    """
    read = _iso if form is None else lambda text: _iso(text) if type(text) is Moment else _formed(text, form)
    return lambda text: see_played(read(text))


def _iso(text: str) -> Instant:
    try:
        return instant(text)
    except BadValue as problem:
        why = problem.why
    match = _VARIANT.match(text)
    if match is not None:
        try:
            return instant(f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}{text[match.end() :]}")
        except BadValue:
            pass
    raise BadValue("played", text, "is known in part only" if "?" in text else why)


def _formed(text: str, form: str) -> Instant:
    try:
        return instant(datetime.strptime(text, form))
    except (ValueError, OverflowError):
        raise BadValue("played", text, f"is not a time of the form {form}") from None
