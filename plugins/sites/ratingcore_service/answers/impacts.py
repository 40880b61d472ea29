"""Who moved because of an event, or would move because of further ones."""

from collections.abc import Iterable
from itertools import islice

from ratingcore import Engine, Event
from ratingcore_service.wire.answers import Moved

MOST = 1000
"""Players of an answer at most; those who moved most come first."""


def moved(engine: Engine, of: str | Iterable[Event], pool: str | None, method: str | None, top: int = MOST) -> Moved:
    """The players whom an event moved, or whom further events would move, with both ratings as listed."""
    impact = engine.impact(of, pool, method)
    return Moved(
        head=str(engine.log.head), what=impact.what, pool=impact.pool, method=impact.method, moved=len(impact),
        same=impact.same, why=impact.why, rows=[dict(row) for row in islice(impact, top)],
    )  # fmt: skip
