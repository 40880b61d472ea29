"""Cells that name both sides of a game, such as `Ann vs Bo`, perhaps with the points: `Ann - Bo 2:1`."""

import re

from ratingcore.errors import BadValue
from ratingcore.importer.tables.cells import NO_RESULT, plain_score
from ratingcore.importer.tables.score_columns import Points, points_in

_BETWEEN = re.compile(r"\s+(?:vs?\.?|versus|gegen|contre|contra|contro|tegen|[-\u2013\u2014:/])\s+", re.IGNORECASE)
_POINTS = re.compile(r"[\s,;(]+([0-9]{1,4}\s?[-:\u2013]\s?[0-9]{1,4})\)?$")


def sides_in(text: str) -> tuple[str, str]:
    """Returns the names of both sides in a cell.

    Raises
    ------
    BadValue
        If there are not exactly two.

    Examples
    --------
    >>> sides_in("Ann Lee vs. Bo"), sides_in("FC Ulm - SV Bonn 2:1")
    (('Ann Lee', 'Bo'), ('FC Ulm', 'SV Bonn'))
    """
    names = _BETWEEN.split(_POINTS.sub("", text.strip()))
    if len(names) != 2 or not all(map(str.strip, names)):
        raise BadValue("a", text, "does not name two sides with `vs` or a dash between them")
    return names[0].strip(), names[1].strip()


def points_behind(text: str) -> Points | str:
    """Returns the points behind the names of both sides, or the reason why there are none.

    Examples
    --------
    >>> points_behind("Ann - Bo 2:1"), points_behind("Ann - Bo")
    ((2, 1), 'no result yet')
    """
    match = _POINTS.search(text.strip())
    points = points_in(plain_score(match[1])) if match else None
    return NO_RESULT if points is None else points
