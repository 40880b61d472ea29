"""`ratingcore amend`: changes the fields of recorded events."""

from collections.abc import Mapping
from functools import partial

import click

from ratingcore.cli import options
from ratingcore.cli.console import Mistake, note, on_log
from ratingcore.cli.corrections import CorrectionOptions, correcting_options, uid_named
from ratingcore.cli.fields import changes, pairs
from ratingcore.cli.options import command
from ratingcore.engine import Engine
from ratingcore.errors import BadFile, UnknownUid
from ratingcore.events import ResultAmended, Row
from ratingcore.importer.differences import fields_of, same_field
from ratingcore.importer.inputs import source_at
from ratingcore.importer.tables.short_tables import read_amendments
from ratingcore.log.lookup import corrections_of, decoder_of, row_of
from ratingcore.registry import Registry


@command(
    "amend",
    "ratingcore amend club.db g-1 score=1/2 --dry-run",
    'ratingcore amend club.db g-1 score=1/2 --why "scoresheet misread"',
    "ratingcore amend club.db g-2 played=2024-03-09 event=Open home=",
    "ratingcore amend club.db --file amendments.csv --dry-run",
)
@options.log
@click.argument("uid", required=False)
@click.argument("fields", metavar="[FIELD=VALUE]...", nargs=-1)
@click.option("--file", metavar="FILE", help="A table with a column uid, and one for each field to change.")
@correcting_options
def amend(
    log: str, uid: str | None, fields: tuple[str, ...], file: str | None, correction: CorrectionOptions
) -> None:  # fmt: skip
    """Correct fields of a recorded event.

    Give the uid or position of the event. The fields are score, played, a, b, pool, order, and any further field, such
    as home or points_a. FIELD= without a value removes a further field. In a seed, the fields are the values that it
    gives: rating=1600. The command prints the uid of the amendment; to take the amendment back, void that uid.

    All amendments of a file are recorded in one batch, or none of them is. The command prints their positions; to take
    them back, void those positions. An empty cell changes nothing; (none) removes a further field.
    """
    if (file is None) is (not fields):
        raise Mistake("expected UID and FIELD=VALUE, or --file FILE", "such as g-1 score=1/2")
    if file is not None:
        _amend_all(log, file, correction)
        return
    assert uid is not None, "fields follow it"
    typed = pairs(fields)
    with correction.opened(log) as engine:
        uid = uid_named(engine.log, uid)
        row = row_of(engine.log, uid)
        now = corrections_of(engine.log).read(row)
        if now is None:
            note(f"note: {uid} counts as never recorded; the amendment takes effect only when its void is taken back")
        values, before = _values(row, now), _amended(engine, correction.own_uid)
        changed = changes(row.kind, typed, before or values) or {"values": before}
        if not changed.get("values", True) or _has_already(engine, row, now, changed, correction.own_uid):
            raise Mistake(f"nothing to amend: {uid} has these values already")
        plan = partial(engine.plan.amend, uid, changed, **correction.words())
        what = f"the amendment of {uid}"
        correction.make(engine, plan, what, lambda made: f"to take it back: {on_log('void', made[0].uid)}")


def _has_already(
    engine: Engine, row: Row, now: Row | None, changed: Mapping[str, object], own_uid: str | None
) -> bool:  # fmt: skip
    """True if a result reads like that; False if an amendment with the given uid is in the log, to be sent again."""
    if row.kind not in ("game", "session") or now is None or (own_uid is not None and engine.log.find([own_uid])):
        return False
    reads, wanted = fields_of(decoder_of(engine.log)(now)), ResultAmended(of=row.uid, changes=changed).changes
    return all(same_field(name, reads.get(name), value) for name, value in wanted.items())


def _amend_all(log: str, file: str, correction: CorrectionOptions) -> None:
    """Amends the events that a file lists."""
    given, words = read_amendments(source_at(file, Registry.installed().sheets)), correction.words()
    with correction.opened(log) as engine:
        rows, reading = engine.log.find([uid for _, uid, _ in given]), corrections_of(engine.log)
        changed = []
        for line, uid, typed in given:
            if uid not in rows:
                raise BadFile(
                    file,
                    f"line {line}: {UnknownUid(uid)}",
                    "nothing was recorded: correct the line and try again",
                )
            row = rows[uid]
            try:
                fields = changes(row.kind, typed, _values(row, reading.read(row)))
            except Mistake as mistake:
                raise BadFile(file, f"line {line}: {mistake.format_message()}", mistake.hint) from None
            if fields:
                changed.append((uid, fields))
        plan = partial(engine.plan.amend_all, changed, **words)
        correction.make(engine, plan, f"{len(given):,} amendments", lambda made: f"void {made[0].uid}", bulk=True)


def _values(row: Row, now: Row | None) -> Mapping[str, float]:
    """Returns the current values of a seed; empty for other events."""
    values: Mapping[str, float] = (now or row).facts.get("values", {}) if row.kind == "seed" else {}
    return values


def _amended(engine: Engine, own_uid: str | None) -> Mapping[str, float]:
    """Returns the values of a seed in an amendment with this uid; empty if there is none.

    The same command, given again, must make the same amendment.
    """
    row = None if own_uid is None else engine.log.find([own_uid]).get(own_uid)
    values: Mapping[str, float] = {} if row is None else row.facts.get("set", {}).get("values", {})
    return values
