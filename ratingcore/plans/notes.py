"""Warnings of plans: results that would count twice, and results in doubt."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from attrs import asdict, frozen

from ratingcore.plans.doubts import Doubt
from ratingcore.readers import Note
from ratingcore.safe_text import counted

Twin = Literal["day", "next day", "exchanged", "moved", "round", "file"]
"""How games repeat others.

- `day`: on the same day.
- `next day`: some of them on the day before or after.
- `exchanged`: on the day with day and month exchanged.
- `moved`: all of them the same number of days before or after.
- `round`: in the same round, where one of the two games has only the day of its event.
- `file`: in the same file.
"""

_SHOWN = 5
"""Largest number of pairs that a note lists."""


def likeness(twin: Twin, first: tuple[int, int], days: int) -> str:
    """Describes in words how games repeat others, with the positions of the first game and of the one it repeats."""
    when = {
        "next day": "on that day, or the day before or after",
        "exchanged": "on the day with day and month exchanged",
        "moved": f"on the day {counted(abs(days), 'day')} {'before' if days > 0 else 'after'}",
        "round": "in that round, where one of the two games has only the day of its event",
    }
    one, other = first
    return f"the same players had the same score {when.get(twin, 'on that day')}, such as positions {one} and {other}"


@frozen
class MergedTwice(Note):
    """Warns of games of a pool that count twice once names are merged.

    Parameters
    ----------
    pool : str
    twin : Twin
    results : int
        Number of such games.
    first : (int, int)
        Positions of the first such game, and of the game that it repeats.
    spans : tuple of (int, int)
        First and last positions of runs of such games.
    days : int
        For `moved`: how many days later the games are than those that they repeat.
    """

    pool: str
    twin: Twin
    results: int
    first: tuple[int, int]
    spans: tuple[tuple[int, int], ...]
    days: int = 0

    def __str__(self) -> str:
        games = counted(self.results, "game counts", "games count")
        alike = likeness(self.twin, self.first, self.days)
        return f"{games} twice in {self.pool} once these names are merged: {alike}"


@frozen
class RevivedTwice(Note):
    """Warns of results that count again although they were recorded a second time while they were void.

    Parameters
    ----------
    pairs : tuple of (int, int)
        Positions of each result, and of the one recorded in its place while it was void.
    """

    pairs: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        results = counted(len(self.pairs), "result that counts again is", "results that count again are")
        cases = "; ".join(f"{old} and {new}" for old, new in self.pairs[:_SHOWN])
        more = "; ..." if len(self.pairs) > _SHOWN else ""
        return (
            f"{results} in the log a second time, recorded while the first one was void: positions {cases}{more}; "
            "if they are the same, void one of the two"
        )


PlanNote = MergedTwice | RevivedTwice | Doubt
_KINDS: dict[str, type[PlanNote]] = {kind.__name__: kind for kind in get_args(PlanNote)}


def note_as_json(note: PlanNote) -> dict[str, Any]:
    return {"kind": type(note).__name__, **asdict(note)}


def note_from_json(given: Mapping[str, Any]) -> PlanNote:
    """Returns the note that `note_as_json` wrote."""
    return _KINDS[given["kind"]](**{name: _frozen(value) for name, value in given.items() if name != "kind"})


def _frozen(value: Any) -> Any:
    """Turns lists into tuples, at every depth."""
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
