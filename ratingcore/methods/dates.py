"""Days on which rules change, and the calendar year in which something was played."""

import numpy as np

from ratingcore.columns.arrays import Ints

ALWAYS = -(2**62)
"""Before every day."""


def day(iso: str) -> int:
    """The instant at which a day begins, in microseconds since 1970.

    Examples
    --------
    >>> day("1970-01-02")
    86400000000
    """
    return int(np.datetime64(iso, "us").astype(np.int64))


def years(played: Ints) -> Ints:
    """Calendar year (UTC) of each instant.

    Examples
    --------
    >>> years(np.array([day("2024-02-29"), day("2025-01-01") - 1])).tolist()
    [2024, 2024]
    """
    return np.asarray(played).astype("M8[us]").astype("M8[Y]").astype(np.int64) + 1970


def in_force(starts: tuple[int, ...], played: Ints) -> Ints:
    """Number of the rule in force at each instant; `starts` rises, and the first rule holds before it too.

    Examples
    --------
    >>> in_force((ALWAYS, day("2009-07-01")), np.array([0, day("2009-07-01")])).tolist()
    [0, 1]
    """
    return np.maximum(np.searchsorted(np.array(starts), played, "right") - 1, 0)
