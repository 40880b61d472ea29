"""`ratingcore void`: an event that counts as never recorded."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.correction import FEW, Correction, correcting_options

if TYPE_CHECKING:
    from ratingcore.corrections.bulk import Choice, Span
    from ratingcore.events import Event


def spans(ctx: click.Context, param: click.Parameter, text: str | None) -> "Sequence[Span] | None":
    """Callback of an option that names positions: `41301-72146`, or several of these between commas."""
    if text is None:
        return None
    found = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not all(end.isascii() and end.isdigit() and len(end) < 19 for end in (first, last or first)):
            raise Mistake(f"--positions are no positions: {text}", "such as 41301-72146, or 7, or 3-5,9")
        found.append((int(first), int(last or first)))
    return found


@click.command(
    "void",
    cls=Command,
    examples=(
        "ratingcore void club.db g-1 --dry-run --method elo:k=24",
        'ratingcore void club.db g-1 --why "default, not played" --by secretary',
        "ratingcore void club.db --source 'games*.csv' --dry-run",
        "ratingcore void club.db --positions 3-5",
        "ratingcore log club.db --kind void --last 1",
    ),
)
@options.log
@click.argument("uids", metavar="[UID]...", nargs=-1)
@click.option("--source", metavar="PATTERN", help="All that came from there, such as 'games*.csv'; log tells sources.")
@click.option("--positions", metavar="N-M,...", callback=spans, help="All at these positions; log tells them.")
@correcting_options
def void(
    log: str, uids: tuple[str, ...], source: str | None, positions: "Sequence[Span] | None", correction: Correction
) -> None:
    """Count an event as never recorded.

    A game, a session, a seed, or a correction; several are voided together. Nothing is deleted: lists as they were
    known before stay as they were. The uid of the void is printed; to take it back, void it, or revive the event.
    A merge is taken back by unmerge.

    With --source or --positions, a whole import, in one batch; what counts as never recorded already is left alone, and
    merges are taken back too. To take that back, void the positions of the voids, which are told.
    """
    from ratingcore.corrections.guards import numbered
    from ratingcore.events import ResultVoided

    if bool(uids) is (source is not None or positions is not None):
        raise Mistake("expected UID..., or --source PATTERN, or --positions N-M", "ratingcore log tells all three")
    if not uids:
        _void_chosen(log, source, positions, correction)
        return
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
        what = f"the void of {', '.join(uids) if len(uids) <= FEW else f'{len(uids)} events'}"
        correction.make(engine, lambda: events, what, lambda _: back)


def _void_chosen(
    log: str, source: str | None, positions: "Sequence[Span] | None", correction: Correction
) -> None:  # fmt: skip
    """Voids what a source brought, or what stands at positions."""
    words = correction.words()
    with correction.opened(log) as engine:
        chosen = engine.propose.chosen(source, positions)
        note(_told(chosen))
        if not chosen.rows:
            return

        def events() -> "Sequence[Event]":
            return engine.propose.void_all(engine.propose.chosen(source, positions).rows, **words)

        what = f"the void of {len(chosen.rows):,} events"
        correction.make(engine, events, what, lambda made: f"to take it back, void {made[0].uid}", bulk=True)


def _told(chosen: "Choice") -> str:
    """How many events are taken back, of which kinds, and how many are left alone."""
    from collections import Counter

    kinds = ", ".join(f"{count:,} {kind}" for kind, count in Counter(row.kind for row in chosen.rows).items())
    left = [
        f"{count:,} {why}" for count, why in (
            (chosen.void, "count as never recorded already"), (chosen.other, "are closed periods or published lists"),
        ) if count
    ]  # fmt: skip
    return "; ".join([f"chosen: {kinds or 'nothing'}", *left])
