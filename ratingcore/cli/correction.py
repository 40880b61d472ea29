"""What commands that correct the log share: their options, and a correction recorded or only foretold."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from ratingcore.cli import options
from ratingcore.cli.console import note
from ratingcore.cli.dry_run import foretell
from ratingcore.cli.open_log import correcting, reading

if TYPE_CHECKING:
    from ratingcore.engine import Engine
    from ratingcore.events import Event
    from ratingcore.log import Receipt


FEW = 100
"""Uids that are printed at most: what takes more of them back is a span of positions."""


@frozen
class Correction:
    """What was said about a correction on the command line, and whether it is recorded or only tried.

    Parameters
    ----------
    why, by : str
        The reason, and who decided.
    own_uid : str or None
        Uid of the correction itself; made up if None.
    dry_run : bool
    method, pool, form : str or None
        With `dry_run`, whose ratings would move, and how they are printed.
    """

    why: str
    by: str
    own_uid: str | None
    dry_run: bool
    method: str
    pool: str | None
    form: str | None

    def words(self) -> dict[str, str]:
        """Reason, actor and uid, as the engine takes them."""
        from ratingcore.events.values import new_uid

        return {"why": self.why, "by": self.by, "own_uid": self.own_uid or new_uid()}

    def opened(self, log: str) -> "Engine":
        """Opens a log that exists: to append to it, or to read it only."""
        return reading(log) if self.dry_run else correcting(log)

    def make(
        self,
        engine: "Engine",
        events: "Callable[[], Sequence[Event]]",
        what: str,
        back: "Callable[[Sequence[Event]], str]",
        *,
        bulk: bool = False,
    ) -> None:
        """Records a correction and prints its uids, or prints what it would do.

        Parameters
        ----------
        events : callable
            Makes the events; asked again if the log has grown meanwhile.
        what : str
            What the events are called: "the void of g-1".
        back : callable
            What follows from the recorded events, or how they are taken back.
        bulk : bool
            Whether they are told as one, by their positions, and not uid by uid.
        """
        if self.dry_run:
            foretell(engine, events(), what, self.pool, self.method, self.form)
            return
        made: Sequence[Event] = ()

        def again() -> "Sequence[Event]":
            nonlocal made
            made = events()
            return made

        receipt = engine.correct(again)
        _report(engine, receipt, [event.uid for event in made], back(made), bulk or len(made) > FEW)


def correcting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of every correction; the command gets them as one `Correction`."""

    @wraps(command)
    def packed(
        *args: Any, why: str, by: str, own_uid: str | None, dry_run: bool, method: str, pool: str | None,
        form: str | None, **further: Any,
    ) -> Any:  # fmt: skip
        return command(*args, correction=Correction(why, by, own_uid, dry_run, method, pool, form), **further)

    result: Callable[..., Any] = packed
    for option in (
        options.form,
        options.tried_pool,
        options.tried_method,
        options.dry_run,
        options.own_uid,
        options.by,
        options.why,
    ):
        result = option(result)
    return result


def _report(engine: "Engine", receipt: "Receipt", uids: Sequence[str], back: str, many: bool) -> None:
    """Prints the uids of a correction, where it was recorded, and how it is taken back."""
    last = receipt.head.position
    for uid in () if many else uids:
        click.echo(uid)
    places = f"position {last}" if receipt.accepted == 1 else f"positions {last - receipt.accepted + 1} to {last}"
    if receipt.accepted and many:
        first = last - receipt.accepted + 1
        back = f"to take it back, void --positions {last if first == last else f'{first}-{last}'}"
    if receipt.accepted:
        note(f"recorded at {places}; {back}")
        return
    void = engine.log.corrections().void
    gone = " ".join(row.uid for row in engine.log.find(uids).values() if row.position in void)
    note(f"in the log already; {f'taken back since: {gone}' if gone else back}")
