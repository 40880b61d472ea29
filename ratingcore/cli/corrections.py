"""`ratingcore void`, `revive` and `amend`: corrections, which are events like any other."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.dry_run import correct, done, foretell, opened

if TYPE_CHECKING:
    from ratingcore.cli.fields import Typed
    from ratingcore.engine import Engine
    from ratingcore.events import Row


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
@options.saying
def void(
    log: str, uids: tuple[str, ...], why: str, by: str,
    own_uid: str | None, dry_run: bool, method: str, pool: str | None, form: str | None,
) -> None:  # fmt: skip
    """Count an event as never recorded.

    A game, a session, a seed, or a correction; several are voided together. Nothing is deleted: lists as they were
    known before stay as they were. The uid of the void is printed; to take it back, void it, or revive the event.
    A merge is taken back by unmerge.
    """
    from ratingcore.engine.saying import numbered
    from ratingcore.events import ResultVoided

    uids = tuple(dict.fromkeys(uids))
    with opened(log, dry_run) as engine:
        events = [
            ResultVoided(uid=own, of=uid, why=why, by=by) for own, uid in zip(numbered(own_uid), uids, strict=False)
        ]
        if own_uid is None or not engine.log.find([own_uid]):
            for uid in uids:
                if _now(engine, engine.log.row_of(uid)) is None:
                    note(f"note: {uid} counted as never recorded before; this void is one more")
        if dry_run:
            foretell(engine, events, f"the void of {', '.join(uids)}", pool, method, form)
        else:
            receipt = engine.record(*events)
            done(
                engine,
                receipt,
                [event.uid for event in events],
                f"to take it back, void {' '.join(e.uid for e in events)}",
            )


@click.command(
    "revive",
    cls=Command,
    examples=(
        "ratingcore revive club.db g-1 --dry-run",
        'ratingcore revive club.db g-1 --why "it was played after all" --by secretary',
    ),
)
@options.log
@click.argument("uid")
@options.saying
def revive(
    log: str, uid: str, why: str, by: str,
    own_uid: str | None, dry_run: bool, method: str, pool: str | None, form: str | None,
) -> None:  # fmt: skip
    """Count a voided event again.

    Every void that stands against it is taken back, in one batch; of a merge, every unmerge. The uids of what is
    recorded are printed.
    """
    from ratingcore.events.values import new_uid

    said = {"why": why, "by": by, "own_uid": own_uid or new_uid()}
    with opened(log, dry_run) as engine:
        say = partial(engine.reviving, uid, **said)
        if dry_run:
            foretell(engine, say(), f"the revival of {uid}", pool, method, form)
        else:
            correct(engine, say, lambda events: f"{uid} counts again")


@click.command(
    "amend",
    cls=Command,
    examples=(
        "ratingcore amend club.db g-1 score=1/2 --dry-run",
        'ratingcore amend club.db g-1 score=1/2 --why "scoresheet misread"',
        "ratingcore amend club.db g-2 played=2024-03-09 event=Open home=",
    ),
)
@options.log
@click.argument("uid")
@click.argument("fields", metavar="FIELD=VALUE...", nargs=-1, required=True)
@options.saying
def amend(
    log: str, uid: str, fields: tuple[str, ...], why: str, by: str,
    own_uid: str | None, dry_run: bool, method: str, pool: str | None, form: str | None,
) -> None:  # fmt: skip
    """Let fields of an event read otherwise.

    Fields are score, played, a, b, pool, order, and any further one, such as home or points_a. FIELD= without a value
    takes a further field away. The uid of the amendment is printed; to take it back, void it. In a seed, the
    fields are the values it gives: rating=1600.
    """
    from ratingcore.cli.fields import changes, pairs
    from ratingcore.events.values import new_uid

    typed = pairs(fields)
    with opened(log, dry_run) as engine:
        row = engine.log.row_of(uid)
        now = _now(engine, row)
        if now is None:
            note(f"note: {uid} counts as never recorded; the amendment shows when its void is taken back")
        values, before = _values(row, now), _amended(engine, own_uid)
        said = changes(row.kind, typed, before or values) or {"values": before}
        if not said.get("values", True):
            raise Mistake(f"nothing to amend: {uid} reads so already")
        _tell_new_fields(now or row, typed)
        say = partial(engine.amending, uid, said, why=why, by=by, own_uid=own_uid or new_uid())
        if dry_run:
            foretell(engine, say(), f"the amendment of {uid}", pool, method, form)
        else:
            correct(engine, say, lambda events: f"to take it back, void {events[0].uid}")
            _warn_of_points(_now(engine, row))


def _values(row: "Row", now: "Row | None") -> Mapping[str, float]:
    """The values that a seed gives now."""
    values: Mapping[str, float] = (now or row).facts.get("values", {}) if row.kind == "seed" else {}
    return values


def _amended(engine: "Engine", own_uid: str | None) -> Mapping[str, float]:
    """The values of a seed that an amendment of this uid has said: the same command once more says them again."""
    row = None if own_uid is None else engine.log.find([own_uid]).get(own_uid)
    values: Mapping[str, float] = {} if row is None else row.facts.get("set", {}).get("values", {})
    return values


def _now(engine: "Engine", row: "Row") -> "Row | None":
    """The row as it reads now; None if it counts as never recorded."""
    from ratingcore.events import CORRECTIONS
    from ratingcore.events.corrections import Corrections

    return Corrections.of(engine.log.rows(0, None, CORRECTIONS)).read(row)


def _tell_new_fields(row: "Row", typed: "Typed") -> None:
    """A field that a result did not have may be a slip of the pen."""
    from ratingcore.archives.facts import DATA_FIELDS
    from ratingcore.events.rows import AMENDABLE

    if row.kind in ("game", "session"):
        for name in typed.keys() - {*AMENDABLE[row.kind], *DATA_FIELDS, *row.facts}:
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
