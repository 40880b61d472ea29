"""What `--dry-run` prints: the events that would be recorded, and who would move."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ratingcore.cli.console import note
from ratingcore.cli.output import write

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.events import Event
    from ratingcore.explain.impact import Impact

_FEW = 10
"""Number of events that are printed."""


def foretell(
    engine: "Engine", events: "Sequence[Event]", what: str, pool: str | None, method: str, form: str | None
) -> None:
    """Prints what would be recorded, and who would move.

    Parameters
    ----------
    what : str
        What the events are called: "the void of g-1".
    """
    from ratingcore.cli.sentences import sentence

    trial = engine.what_if(events)

    def find(uid: str) -> "Event":
        return next(trial.events(trial.log.row_of(uid).position - 1))[1]

    supposed = [event for _, event in trial.events(trial.log.head.position - trial.log.supposed)]
    for event in supposed[:_FEW]:
        note(f"would be recorded: {sentence(event, find)}")
    if len(supposed) > _FEW:
        note(f"... and {len(supposed) - _FEW} more")
    write_impact(engine.impact(events, pool, method, what=what), form)
    note("nothing was recorded")


def write_impact(impact: "Impact", form: str | None, top: int | None = None) -> None:
    """Prints who moved, and below it number, sum and mean."""
    from itertools import islice

    from ratingcore.explain.impact import COLUMNS

    write(islice(impact, top), COLUMNS, form, digits=4)
    left = len(impact) - (top or len(impact))
    cut = [f"... and {left} more"] if left > 0 else []
    note("\n".join([*cut, *impact.lines()]))
