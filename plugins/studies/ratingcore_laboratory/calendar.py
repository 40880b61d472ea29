"""Times of simulated results: a round is a month, the first is January 2000."""

import numpy as np

from ratingcore.plugin import Ints, Span
from ratingcore.plugin.analysis import Instant

FIRST = np.datetime64("2000-01", "M")


def month(round_: int) -> Span:
    """The month of a round, counted from 1; round 0 is the month before the first.

    Examples
    --------
    >>> from ratingcore.plugin.analysis import iso
    >>> iso(month(1).start), iso(month(1).end)
    ('2000-01-01', '2000-02-01')
    """
    start, end = ((FIRST + round_ - 1 + more).astype("M8[us]").astype(np.int64) for more in (0, 1))
    return Span(int(start), int(end))


def opening(round_: int) -> Instant:
    """Instant of the seeds of players who begin at the end of a round, or before the first."""
    span = month(round_)
    return month(1).start if round_ == 0 else span.start + 9 * ((span.end - span.start) // 10)


def spread(start: Instant, end: Instant, count: int) -> Ints:
    """Instants of `count` results, one after another, from the start to before the end."""
    step = max((end - start) // (count + 1), 1)
    return start + step * np.arange(1, count + 1)
