"""Published lists in formats of other programs: an Atom feed, and an iCalendar file of their days.

References
----------
.. [1] RFC 4287, *The Atom Syndication Format*, 2005, sections 4.1 and 4.2.
.. [2] RFC 5545, *Internet Calendaring and Scheduling Core Object Specification (iCalendar)*, 2009, sections 3.1
   (folding), 3.3.11 (escaping), 3.6.1 and 3.8.5.3 (recurrence).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from uuid import UUID

from markupsafe import escape

from ratingcore_pages.pages import Pages

EPOCH, FEED = date(2000, 1, 1), 100
"""The day from which lists of an empty pool are due, and the largest number of lists in a feed."""
OCTETS = 75
"""Largest length in bytes of a line of a calendar, without its end."""
MONTHS = {"monthly": range(1, 13), "quarterly": range(3, 13, 3), "half-yearly": (6, 12), "yearly": (12,)}
"""Months at whose end a list is due, by how often."""
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Code points that XML does not allow."""


def atom(pages: Pages, to: Callable[[str], str]) -> str:
    """Returns the newest published lists of all pools as an Atom feed [1]_.

    Its ids are digests of the published lists, so they do not depend on the address of the site.

    Parameters
    ----------
    pages : Pages
    to : callable
        Returns the address of a page by its path.
    """
    lists = sorted(pages.engine.published(), key=lambda one: -one.position)[:FEED]
    entries = "".join(
        f"<entry><title>{_text(f'{one.pool}: {one.name}')}</title><id>{_urn(one.seal)}</id>"
        f'<link href="{_text(to(f"{pages.parts[one.pool]}/published/{pages.list_part(one)}"))}"/>'
        f"<updated>{_instant(one.recorded)}</updated></entry>\n"
        for one in lists
    )
    title, log = _text(pages.look.title), pages.engine.log
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<title>{title}</title><id>{_urn(log.digest_at(min(1, log.head.position)))}</id>"
        f"<updated>{_instant(lists[0].recorded if lists else 0)}</updated>\n"
        f'<author><name>{title}</name></author><link rel="self" href="{_text(to("feed.xml"))}"/>\n{entries}</feed>\n'
    )


def calendar(pages: Pages, pool: str, every: str = "") -> str:
    """Returns the days of the published and the coming lists of a pool, as iCalendar [2]_.

    Parameters
    ----------
    pages : Pages
    pool : str
    every : {"", "monthly", "quarterly", "half-yearly", "yearly"}
        How often a list is due after the newest one; empty for published lists only.
    """
    answers = pages.answers(pool)
    made, published = answers.listed.provenance, [one for one in answers.published if not one.of_no_day]
    events = [
        _event(one.seal[:32], _instant(one.recorded), _day(answers.day(one.at)), f"{pool}: {one.name}")
        for one in published
    ]
    if every:
        of_year = "FREQ=MONTHLY" if every == "monthly" else f"FREQ=YEARLY;BYMONTH={','.join(map(str, MONTHS[every]))}"
        last = published[0].at if published else made.at
        first = _next(EPOCH if made.empty else _day(answers.day(last)), MONTHS[every])
        number = pages.engine.log.book.number("pool", pool)
        stamp = _instant(published[0].recorded if published else 0)
        events.append(_event(f"due-{number}", stamp, first, pool, f"RRULE:{of_year};BYMONTHDAY=-1"))
    head = "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//ratingcore//lists//EN"
    lines = chain(head, *events, ["END:VCALENDAR"])
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(uid: str, stamp: str, day: date, summary: str, *more: str) -> list[str]:
    stamped = re.sub("[-:]", "", stamp)
    return [
        "BEGIN:VEVENT", f"UID:{uid}@ratingcore", f"DTSTAMP:{stamped}", f"DTSTART;VALUE=DATE:{day:%Y%m%d}", *more,
        f"SUMMARY:{_escaped(summary)}", "TRANSP:TRANSPARENT", "END:VEVENT",
    ]  # fmt: skip


def _escaped(text: str) -> str:
    """Escapes a text for a calendar, and removes control characters.

    Examples
    --------
    >>> _escaped("a;b,c\\\\d")
    'a\\\\;b\\\\,c\\\\\\\\d'
    """
    return re.sub("[\x00-\x1f\x7f]", " ", re.sub(r"([\\;,])", r"\\\1", text).replace("\n", "\\n"))


def _folded(line: str) -> Iterator[str]:
    """Returns the parts of a long line: each but the first begins with a blank, and no character is split."""
    part, size = "", 0
    for character in line:
        width = len(character.encode("utf-8", "replace"))
        if size + width > OCTETS:
            yield part
            part, size = " ", 1
        part, size = part + character, size + width
    yield part


def _next(day: date, months: Sequence[int]) -> date:
    """Returns the next last day of one of the given months after a day."""
    at = day + timedelta(days=1)
    while True:
        first = date(at.year + at.month // 12, at.month % 12 + 1, 1)
        if at.month in months:
            return first - timedelta(days=1)
        at = first


def _day(text: str) -> date:
    return date.fromisoformat(text[:10])


def _urn(digest: str) -> str:
    return UUID(digest[:32]).urn


def _text(text: str) -> str:
    return str(escape(_NO_XML.sub("\ufffd", text)))


def _instant(at: int) -> str:
    return datetime.fromtimestamp(at / 1e6, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
