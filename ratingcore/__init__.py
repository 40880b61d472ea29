"""ratingcore: an append-only log of results, replayed into rating lists that prove what they were made from."""

from ratingcore._version import __version__
from ratingcore.engine import Engine
from ratingcore.engine import open_engine as open
from ratingcore.errors import RatingCoreError
from ratingcore.events import (
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
from ratingcore.lists import RatingList
from ratingcore.log import Head, Log, MemoryLog, SqliteLog

__all__ = [
    "Engine",
    "Event",
    "GamePlayed",
    "Head",
    "ListPublished",
    "Log",
    "MemoryLog",
    "MergeUndone",
    "PeriodClosed",
    "PlayerDescribed",
    "PlayersMerged",
    "RatingCoreError",
    "RatingList",
    "RatingSeeded",
    "ResultAmended",
    "ResultVoided",
    "SessionPlayed",
    "Side",
    "SqliteLog",
    "__version__",
    "open",
]
