"""Events: their kinds, times and values, and the rows in which a log stores them."""

from ratingcore.events.canonical_json import canonical
from ratingcore.events.kinds import (
    CORRECTIONS,
    KINDS,
    AnyEvent,
    Event,
    GamePlayed,
    ListPublished,
    MergeUndone,
    PeriodClosed,
    PlayerDescribed,
    PlayersMerged,
    PoolDeclared,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
)
from ratingcore.events.rows import Called, Row, decode, encode
from ratingcore.events.times import DAY, Instant, When, day, exact, instant, iso, last_instant, moment, timed
from ratingcore.events.values import NO_ID, Fact, Facts
from ratingcore.events.zones import Clock, clock

__all__ = [
    "CORRECTIONS",
    "DAY",
    "KINDS",
    "NO_ID",
    "AnyEvent",
    "Called",
    "Clock",
    "Event",
    "Fact",
    "Facts",
    "GamePlayed",
    "Instant",
    "ListPublished",
    "MergeUndone",
    "PeriodClosed",
    "PlayerDescribed",
    "PlayersMerged",
    "PoolDeclared",
    "RatingSeeded",
    "ResultAmended",
    "ResultVoided",
    "Row",
    "SessionPlayed",
    "Side",
    "When",
    "canonical",
    "clock",
    "day",
    "decode",
    "encode",
    "exact",
    "instant",
    "iso",
    "last_instant",
    "moment",
    "timed",
]
