"""ratingcore: an append-only log of results, replayed into rating lists that can be rebuilt and proven."""

from importlib import import_module
from typing import TYPE_CHECKING

from ratingcore._version import __version__

if TYPE_CHECKING:
    from ratingcore.calculator import expect
    from ratingcore.engine import Engine
    from ratingcore.engine import open_engine as open
    from ratingcore.errors import RatingCoreError
    from ratingcore.events import (
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
    from ratingcore.lists import ListedRow, ListPolicy, RatingList
    from ratingcore.log import Head, Log, SqliteLog
    from ratingcore.plans import Plan

__all__ = [
    "AnyEvent",
    "Engine",
    "Event",
    "GamePlayed",
    "Head",
    "ListPolicy",
    "ListPublished",
    "ListedRow",
    "Log",
    "MergeUndone",
    "PeriodClosed",
    "Plan",
    "PlayerDescribed",
    "PlayersMerged",
    "PoolDeclared",
    "RatingCoreError",
    "RatingList",
    "RatingSeeded",
    "ResultAmended",
    "ResultVoided",
    "SessionPlayed",
    "Side",
    "SqliteLog",
    "__version__",
    "expect",
    "open",
]

_HOME = {"Engine": "engine", "open": "engine", "RatingCoreError": "errors", "RatingList": "lists", "Plan": "plans"}
_HOME |= {"expect": "calculator", "ListPolicy": "lists", "ListedRow": "lists"}
_HOME |= dict.fromkeys(("Head", "Log", "SqliteLog"), "log")
_SPELT = {"open": "open_engine"}


def __dir__() -> list[str]:
    """Lists the public names, including those not imported yet."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    """Imports a public name on first use, so that a command that only prints its help starts in half the time."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOME.get(name, 'events')}"), _SPELT.get(name, name))
    globals()[name] = value
    return value
