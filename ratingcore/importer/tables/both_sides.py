"""Cells that name both sides of a game, such as `Ann vs Bo`, perhaps with the points: `Ann - Bo 2:1`."""

import re

from ratingcore.errors import BadValue
from ratingcore.importer.tables.score_columns import Points, points_in
from ratingcore.importer.tables.score_words import NO_RESULT, plain_score, unplayed

_BETWEEN = re.compile(r"\s+(?:vs?\.?|versus|gegen|contre|contra|contro|tegen|[-\u2013\u2014:/])\s+", re.IGNORECASE)
_PAIR = r"[0-9]{1,4}(?:[.,]5|\u00bd)?\s?[-:\u2013]\s?[0-9]{1,4}(?:[.,]5|\u00bd)?"
_POINTS = re.compile(rf"[\s,;(]+({_PAIR}(?:\s?\({_PAIR}\))?)\)?$")
"""The points, and perhaps those of half-time, as in `2:1 (1:0)`."""
_CLOCK = re.compile(r"(?:0[0-9]|[89]|1[0-9]|2[0-3]):(?:00|15|30|45)")
_MORE = re.compile(r"[0-9\u00bd+]\s?[-:\u2013]\s?[0-9\u00bd+-]|[-+]\s?[:/]\s?[-+]|^[-+:=,;]|[-+:=,;]$")
"""What no name has, such as `2-1`, `+:-` or a dash at its end."""


def sides_in(text: str) -> tuple[str, str]:
    """Returns the names of both sides in a cell; raises `BadValue` if it has anything but them and perhaps the points.

    Examples
    --------
    >>> sides_in("Ann Lee vs. Bo"), sides_in("FC Ulm - SV Bonn 2:1 (0:1)")
    (('Ann Lee', 'Bo'), ('FC Ulm', 'SV Bonn'))
    """
    return _parts(text)[0]


def points_behind(text: str) -> Points | str:
    """Returns the points behind the names, or the reason why there are none; raises `BadValue` as `sides_in` does.

    Examples
    --------
    >>> points_behind("Ann - Bo 2:1"), points_behind("Ann - Bo 1:1 (1:0)"), points_behind("Ann - Bo")
    ((2, 1), (1, 1), 'no result yet')
    """
    points = points_in(plain_score(_parts(text)[1]))
    return NO_RESULT if points is None else points


def _parts(text: str) -> tuple[tuple[str, str], str]:
    """Returns both names and the text of the points, which may be empty."""
    cell = text.strip()
    found = _POINTS.search(cell)
    points = found[1] if found else ""
    names = [name.strip() for name in _BETWEEN.split(cell[: found.start()] if found else cell)]
    if (
        len(names) != 2
        or not all(names)
        or any(map(_MORE.search, names))
        or any(len(word) > 1 and unplayed(word) for word in names[1].split()[1:])
        or _CLOCK.fullmatch(points)  # the time at which the game begins
    ):
        raise BadValue("a", text, "must be two names with `vs` or a dash between them, and perhaps points such as 2:1")
    return (names[0], names[1]), points
