"""Cuts of a log: the values of `known_at` and `through`, and the position or instant that each names."""

from datetime import date, datetime
from operator import index
from typing import SupportsIndex

from ratingcore.columns.view import FOREVER
from ratingcore.errors import BadCut, BadValue, UnknownList
from ratingcore.events import Instant, When, exact, last_instant, moment, timed
from ratingcore.lists.published import LIST, Published, find_published
from ratingcore.lists.rating_list import RatingList
from ratingcore.log import Anchor, Head, Log
from ratingcore.log.lookup import position_at

KnownAt = int | str | date | datetime | Head | Published | RatingList | None
"""A cut in the log: a position, a head, a time by which events were recorded, a list, or None for now.

A text is read by `read`: digits alone are a position, `POSITION:DIGEST` is a head, a day (with dashes, `2024-03-31`) or
time is a time, and anything else is the name of a published list.
"""


def read(text: str) -> int | Head | datetime | str:
    """Reads a cut in the log from text, without access to a log.

    Returns
    -------
    int, Head, datetime or str
        A position, a head, the last moment of a time, or the name of a published list.

    Examples
    --------
    >>> read("60"), read("00000060"), read("20240331")
    (60, 60, 20240331)
    >>> read("60:4E6EC9EFB668"), read("head 60:4e6ec9efb668")
    (Head(position=60, digest='4e6ec9efb668'), Head(position=60, digest='4e6ec9efb668'))
    >>> str(read("2024-03-31"))
    '2024-03-31 23:59:59.999999+00:00'
    >>> read("March"), read("list:2024-03-31")
    ('March', '2024-03-31')
    """
    plain = text.strip()
    if plain.startswith(LIST):
        return plain.removeprefix(LIST)
    if plain.startswith("head ") and _digits(plain[5:6]):  # the form in which lists print it
        plain = plain[5:].lstrip()
    number, colon, digest = plain.partition(":")
    if _digits(number) and not colon:
        return int(number)
    try:
        # a head of a what-if, whose digest begins with a word, is allowed as a cut, but not as an anchor
        supposed = _digits(number) and digest.startswith("what-if:")
        return Head(int(number), digest) if supposed else Anchor.parse(plain).head
    except BadCut:
        pass
    try:
        return moment(last_instant(plain))
    except BadValue:
        return plain


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def position(log: Log, known_at: KnownAt, pool: int | None = None, head: Head | None = None) -> int:
    """Returns the position that a cut in the log names; the head for None.

    Parameters
    ----------
    log : Log
    known_at : int, str, date, datetime, Head, Published, RatingList or None
        A position; a head, whose digest is checked; a time, or a day as a whole, by which events were recorded; or a
        list, which means its head. See `read` for texts.
    pool : int or None
        Id of the pool whose published lists to search; without it, only one pool may have a list of the name.
    head : Head or None
        The head of the log, if already known.

    Raises
    ------
    BadCut
        If the cut does not name a position of this log, or names a time before the log began.
    UnknownList
        If no list is published under the name after `list:`.
    SeveralLists
        If several pools have a list of this name and `pool` is None.
    """
    cut, now = read(known_at) if isinstance(known_at, str) else known_at, head or log.head
    match cut:
        case None:
            return now.position
        case RatingList():
            return _of_head(log, now, Head(cut.known_at, cut.provenance.digest), known_at)
        case Published():
            return _of_head(log, now, cut.head, known_at)
        case Head():
            return _of_head(log, now, cut, known_at)
        case str():
            return _of_list(log, cut, pool, known_at)
        case date():  # a datetime is a date, too
            return _of_time(log, now, last_instant(cut), known_at)
        case SupportsIndex() if not isinstance(cut, bool):
            return _of_number(now, index(cut), known_at)
    raise BadCut("known_at", known_at, "must be a position, a time or the name of a published list")


def _of_head(log: Log, now: Head, head: Head, given: object) -> int:
    if not 0 <= head.position <= now.position or not log.digest_at(head.position).startswith(head.digest):
        raise BadCut("known_at", given if isinstance(given, str) else head, "is not a head of this log")
    return head.position


def _of_time(log: Log, now: Head, at: Instant, given: object) -> int:
    found = position_at(log, at)
    if found == 0 and now.position:
        began = exact(next(iter(log.batches())).recorded)
        advice = "use through to cut by the day of play; known_at works only from the beginning of the log on"
        raise BadCut("known_at", given, f"lies before the log began, which was at {began}", advice)
    return found


def _of_number(now: Head, number: int, given: object) -> int:
    if 0 <= number <= now.position:
        return number
    text = given.strip() if isinstance(given, str) else ""
    day = f"{text[:4]}-{text[4:6]}-{text[6:]}"
    advice = f"digits alone are a position; the published list is {LIST}{text}" if text else ""
    if isinstance(read(day), datetime):
        advice = f"digits alone are a position; the day is {day}, and a published list {LIST}{text}"
    raise BadCut("known_at", given, f"is not a position from 0 to {now.position}", advice)


def _of_list(log: Log, name: str, pool: int | None, given: object) -> int:
    try:
        return find_published(log, name, pool).known_at
    except (UnknownList, BadValue):  # no list has this name
        if str(given).strip().startswith(LIST):
            raise
        advice = "days are written 2024-03-31, heads POSITION:DIGEST with 12 or more digits of the digest"
        raise BadCut("known_at", given, "must be a position, a time or the name of a published list", advice) from None


def played_through(through: When | None) -> Instant:
    """Returns the last instant of played time that counts; `FOREVER` for None.

    Parameters
    ----------
    through : str, date, datetime, int or None
        A day, which counts as a whole, or a time. A day is written with dashes; digits alone are refused, since they
        name a position in other cuts. An int is an instant, in microseconds since 1970; an int that looks like a year
        or a day without dashes is refused. For a pool with a zone, a day is a day of the zone, a time without an offset
        is local time, and an int, as in its views and lists, is in microseconds on its clock.

    Returns
    -------
    int
        A `Timed` if a time of day was given, since its instant may depend on the zone of the pool.

    Raises
    ------
    BadValue
        If the value is not a day or time.

    Examples
    --------
    >>> from ratingcore.events import exact
    >>> exact(played_through("2024-03-31")), exact(played_through("2024-03-31T18:00"))
    ('2024-03-31', '2024-03-31T18:00:00Z')
    """
    if through is None or through == FOREVER:
        return FOREVER
    if isinstance(through, str) and through.strip().isdigit():
        raise BadValue("through", through, "must be a day such as 2024-03-31, not digits alone")
    if isinstance(through, int) and 1000 <= through < 100_000_000:  # a year, or a day without dashes
        raise BadValue("through", through, "is microseconds since 1970 as an int; write a day as '2024-03-31'")
    return timed(through)
