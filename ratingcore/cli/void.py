"""`ratingcore void`: an event that counts as never recorded."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import note
from ratingcore.cli.correction import Correction, correcting_options


@click.command(
    "void",
    cls=Command,
    examples=(
        "ratingcore void club.db g-1 --dry-run --method elo:k=24",
        'ratingcore void club.db g-1 --why "default, not played" --by secretary',
        "ratingcore log club.db --kind void --last 1",
    ),
)
@options.log
@click.argument("uids", metavar="UID...", nargs=-1, required=True)
@correcting_options
def void(log: str, uids: tuple[str, ...], correction: Correction) -> None:
    """Count an event as never recorded.

    A game, a session, a seed, or a correction; several are voided together. Nothing is deleted: lists as they were
    known before stay as they were. The uid of the void is printed; to take it back, void it, or revive the event.
    A merge is taken back by unmerge.
    """
    from ratingcore.corrections.guards import numbered
    from ratingcore.events import ResultVoided

    uids, own = tuple(dict.fromkeys(uids)), correction.own_uid
    with correction.opened(log) as engine:
        events = [
            ResultVoided(uid=one, of=uid, why=correction.why, by=correction.by)
            for one, uid in zip(numbered(own), uids, strict=False)
        ]
        if own is None or not engine.log.find([own]):
            reading = engine.log.corrections()
            for uid in uids:
                if reading.read(engine.log.row_of(uid)) is None:
                    note(f"note: {uid} counted as never recorded before; this void is one more")
        back = f"to take it back, void {' '.join(event.uid for event in events)}"
        correction.make(engine, lambda: events, f"the void of {', '.join(uids)}", lambda _: back)
