"""`ratingcore declare`: what a pool takes, and in which zone its days begin."""

import click

from ratingcore.cli import options
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.options import Command
from ratingcore.cli.output import write
from ratingcore.cli.question import is_there, reading, recording

COLUMNS = ("pool", "fits", "zone")
"""Columns of the declarations."""


@click.command(
    "declare",
    cls=Command,
    examples=(
        "ratingcore declare club.db --pool cup --fits elo-margin",
        "ratingcore declare club.db --pool cup --any",
        "ratingcore declare club.db --pool club --zone Europe/Prague",
        "ratingcore declare club.db",
    ),
)
@options.log
@click.option("--pool", metavar="POOL", help="The pool; it need not be known yet.")
@click.option("--fits", metavar="METHOD", help="Take only results that this method can read.")
@click.option("--any", "anything", is_flag=True, help="Take every result again.")
@click.option("--zone", metavar="ZONE", help="Days and periods are those of this zone; UTC for those of UTC.")
@options.own_uid
@options.form
def declare(
    log: str,
    pool: str | None,
    fits: str | None,
    anything: bool,
    zone: str | None,
    own_uid: str | None,
    form: str | None,
) -> None:
    """Say what a pool takes, and in which zone its days begin.

    With --fits, record, import and amend refuse from then on results that the method cannot read, with the reason; what
    was recorded before stays. With --zone, days, periods and cuts are those of the zone, for what was recorded before
    too; a result with a day and no time stays on its day. The log is made if it is missing, and a declared pool without
    results has an empty list. Declaring once more replaces what is named, and leaves the rest. With none of these
    options, lists the pools and what was declared.
    """
    if fits is not None and anything:
        raise Mistake("--fits and --any exclude each other", "--any takes every result again")
    if fits is None and zone is None and not anything:
        with reading(log) as engine:
            names = engine.pools() if pool is None else [pool]
            declared = {name: engine.declared(name) for name in names}
            rows = (
                {"pool": name, "fits": said.fits if said else None, "zone": said.zone if said else None}
                for name, said in declared.items()
            )
            write(rows, COLUMNS, form)
        return
    if zone == "":
        raise Mistake("--zone names no zone", "--zone UTC takes the zone of a pool back")
    if pool is None:
        if not is_there(log):
            raise Mistake("no pool is named, and the log has none yet", "say who is rated together: --pool NAME")
        with reading(log) as engine:
            pool = engine.core.one_pool()
    with recording(log) as engine:
        receipt = engine.declare(pool, fits="" if anything else fits, zone=zone, own_uid=own_uid)
        if not receipt.accepted:
            note(f"that is declared of pool {pool} already")
            return
        uid, said = engine.log.uid(receipt.head.position), engine.declared(pool)
    click.echo(uid)
    assert said is not None, "it has just been declared"
    note(f"recorded at position {receipt.head.position}: pool {pool} takes {said.taken}")
