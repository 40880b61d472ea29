"""`ratingcore void` and `ratingcore amend`: corrections, which are events like any other."""

from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.opening import correcting
from ratingcore.cli.telling import Mistake, note

if TYPE_CHECKING:
    from ratingcore.cli.fieldtexts import Typed
    from ratingcore.engine import Engine
    from ratingcore.events import Row


@click.command(
    "void",
    cls=Command,
    examples=(
        'ratingcore void club.db g-1 --why "default, not played" --by secretary',
        "ratingcore log club.db --kind void --last 1",
    ),
)
@options.log
@click.argument("uid")
@options.correction
def void(log: str, uid: str, why: str, by: str) -> None:
    """Count an event as never recorded.

    A game, a session, a seed, or a correction. Nothing is deleted: lists as they were known before stay as they were.
    The uid of the void is printed; to take it back, void it. A merge is taken back by unmerge.
    """
    from ratingcore.events import ResultVoided

    with correcting(log) as engine:
        row = engine.log.row_of(uid)
        if _now(engine, row) is None:
            note(f"note: {uid} counted as never recorded before; this void is one more")
        event = ResultVoided(of=uid, why=why, by=by)
        receipt = engine.record(event)
    click.echo(event.uid)
    note(f"recorded at position {receipt.head.position}; to take it back, void {event.uid}")


@click.command(
    "amend",
    cls=Command,
    examples=(
        'ratingcore amend club.db g-1 score=1/2 --why "scoresheet misread"',
        "ratingcore amend club.db g-2 played=2024-03-09 event=Open home=",
    ),
)
@options.log
@click.argument("uid")
@click.argument("fields", metavar="FIELD=VALUE...", nargs=-1, required=True)
@options.correction
def amend(log: str, uid: str, fields: tuple[str, ...], why: str, by: str) -> None:
    """Let fields of an event read otherwise.

    Fields are score, played, a, b, pool, order, and any further one, such as home or points_a. FIELD= without a value
    takes a further field away. The uid of the amendment is printed; to take it back, void it. In a seed, the
    fields are the values it gives: rating=1600.
    """
    from ratingcore.cli.fieldtexts import changes, pairs
    from ratingcore.events import ResultAmended

    typed = pairs(fields)
    with correcting(log) as engine:
        row = engine.log.row_of(uid)
        now = _now(engine, row)
        if now is None:
            note(f"note: {uid} counts as never recorded; the amendment shows when its void is taken back")
        values = (now or row).facts.get("values", {}) if row.kind == "seed" else {}
        said = changes(row.kind, typed, values)
        if not said:
            raise Mistake(f"nothing to amend: {uid} reads so already")
        _tell_new_fields(now or row, typed)
        event = ResultAmended(of=uid, changes=said, why=why, by=by)
        receipt = engine.record(event)
        _warn_of_points(_now(engine, row))
    click.echo(event.uid)
    note(f"recorded at position {receipt.head.position}; to take it back, void {event.uid}")


def _now(engine: "Engine", row: "Row") -> "Row | None":
    """The row as it reads now; None if it counts as never recorded."""
    from ratingcore.events import CORRECTIONS
    from ratingcore.tables.corrections import Corrections

    return Corrections.of(engine.log.rows(0, None, CORRECTIONS)).read(row)


def _tell_new_fields(row: "Row", typed: "Typed") -> None:
    """A field that a result did not have may be a slip of the pen."""
    from ratingcore.archives.facts import KNOWN
    from ratingcore.events.rows import AMENDABLE

    if row.kind in ("game", "session"):
        for name in typed.keys() - {*AMENDABLE[row.kind], *KNOWN, *row.facts}:
            note(f"note: {row.uid} had no field {name}: it is a new one")


def _warn_of_points(row: "Row | None") -> None:
    """Say so if the points of a game name another winner than its score: only the score says who won."""
    if row is None or row.kind != "game" or row.score is None:
        return
    a, b = row.facts.get("points_a"), row.facts.get("points_b")
    if not isinstance(a, int | float) or not isinstance(b, int | float):
        return
    if (a - b) * (row.score - 0.5) < 0:
        note(f"warning: the points are {a}-{b} but the score is {row.score:g}: who won is amended with score=")
