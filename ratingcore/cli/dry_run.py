"""Corrections made, or with `--dry-run` shown with what they would do and not made."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from ratingcore.cli.console import note
from ratingcore.cli.open_log import correcting, reading
from ratingcore.cli.output import write

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.events import Event
    from ratingcore.explain.impact import Impact
    from ratingcore.log import Receipt

_FEW = 10
"""Sentences that are shown."""


def opened(log: str, dry_run: bool) -> "Engine":
    """Open a log that is there: to append to it, or to read it only."""
    return reading(log) if dry_run else correcting(log)


def foretell(
    engine: "Engine", events: "Sequence[Event]", what: str, pool: str | None, method: str, form: str | None
) -> None:
    """Say what would be recorded, and list who would move.

    Parameters
    ----------
    what : str
        What the events are called: "the void of g-1".
    """
    from ratingcore.cli.sentences import sentence

    trial = engine.what_if(events)

    def find(uid: str) -> "Event":
        return next(trial.events(trial.log.row_of(uid).position - 1))[1]

    said = [event for _, event in trial.events(trial.log.head.position - trial.supposed)]
    for event in said[:_FEW]:
        note(f"would be recorded: {sentence(event, find)}")
    if len(said) > _FEW:
        note(f"... and {len(said) - _FEW} more")
    show(engine.foresee(events, pool, method, what=what), form)
    note("nothing was recorded")


def show(impact: "Impact", form: str | None, top: int | None = None) -> None:
    """List who moved, and say below what it comes to."""
    from itertools import islice

    from ratingcore.explain.impact import COLUMNS

    write(islice(impact, top), COLUMNS, form, digits=4)
    left = len(impact) - (top or len(impact))
    cut = [f"... and {left} more"] if left > 0 else []
    note("\n".join([*cut, *impact.lines()]))


def done(engine: "Engine", receipt: "Receipt", uids: Sequence[str], back: str) -> None:
    """Print the uids of a correction, and say where it was recorded and how it is taken back."""
    for uid in uids:
        click.echo(uid)
    last = receipt.head.position
    places = f"position {last}" if receipt.accepted == 1 else f"positions {last - receipt.accepted + 1} to {last}"
    if receipt.accepted:
        note(f"recorded at {places}; {back}")
        return
    gone = _taken_back(engine, uids)
    note(f"in the log already; {f'taken back since: {gone}' if gone else back}")


def _taken_back(engine: "Engine", uids: Sequence[str]) -> str:
    """Those of some corrections that do not stand any more."""
    from ratingcore.events import CORRECTIONS
    from ratingcore.events.corrections import Corrections

    void = Corrections.of(engine.log.rows(0, None, CORRECTIONS)).void
    return " ".join(row.uid for row in engine.log.find(uids).values() if row.position in void)


def correct(
    engine: "Engine", say: "Callable[[], Sequence[Event]]", back: "Callable[[Sequence[Event]], str]"
) -> "Sequence[Event]":
    """Append what `say` gives, and tell it; what was appended."""
    said: Sequence[Event] = ()

    def again() -> "Sequence[Event]":
        nonlocal said
        said = say()
        return said

    receipt = engine.correct(again)
    done(engine, receipt, [event.uid for event in said], back(said))
    return said
