"""Events: their kinds, times and values, and the rows that a log stores of them."""

from ratingcore.events.kinds import (
    CORRECTIONS,
    KINDS,
    Event,
    GamePlayed,
    ListPublished,
    MergeUndone,
    PeriodClosed,
    PlayerDescribed,
    PlayersMerged,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
)
from ratingcore.events.rows import Row, decode, encode
from ratingcore.events.times import DAY, Instant, When, day, exact, instant, iso, last_instant, moment
from ratingcore.events.values import NO_ID, Fact, Facts, canonical

__all__ = [
    "CORRECTIONS",
    "DAY",
    "KINDS",
    "NO_ID",
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
    "RatingSeeded",
    "ResultAmended",
    "ResultVoided",
    "Row",
    "SessionPlayed",
    "Side",
    "When",
    "canonical",
    "day",
    "decode",
    "encode",
    "exact",
    "instant",
    "iso",
    "last_instant",
    "moment",
]
