"""`ratingcore declare`: what a pool takes."""

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.open_log import is_there, reading, recording
from ratingcore.cli.output import write

COLUMNS = ("pool", "fits")
"""Columns of the declarations."""


@click.command(
    "declare",
    cls=Command,
    examples=(
        "ratingcore declare club.db --pool cup --fits elo-margin",
        "ratingcore declare club.db --pool cup --any",
        "ratingcore declare club.db",
    ),
)
@options.log
@click.option("--pool", metavar="POOL", help="The pool; it need not be known yet.")
@click.option("--fits", metavar="METHOD", help="Take only results that this method can read.")
@click.option("--any", "anything", is_flag=True, help="Take every result again.")
@options.own_uid
@options.form
def declare(
    log: str, pool: str | None, fits: str | None, anything: bool, own_uid: str | None, form: str | None
) -> None:
    """Say what a pool takes.

    From then on record, import and amend refuse results that the method cannot read, with the reason; what was
    recorded before stays. The log is made if it is missing, and a declared pool without results has an empty list.
    Declaring once more replaces what was declared. Without --fits and --any, lists the pools and what they take.
    """
    if fits is not None and anything:
        raise Mistake("--fits and --any exclude each other", "--any takes every result again")
    if fits is None and not anything:
        with reading(log) as engine:
            names = engine.pools() if pool is None else [pool]
            declared = {name: engine.declared(name) for name in names}
            rows = ({"pool": name, "fits": said.fits if said else None} for name, said in declared.items())
            write(rows, COLUMNS, form)
        return
    if pool is None:
        if not is_there(log):
            raise Mistake("no pool is named, and the log has none yet", "say who is rated together: --pool NAME")
        with reading(log) as engine:
            pool = engine.one_pool()
    with recording(log) as engine:
        receipt = engine.declare(pool, fits=fits or "", own_uid=own_uid)
        if not receipt.accepted:
            note(f"pool {pool} takes that already")
            return
        uid = engine.log.uid(receipt.head.position)
    click.echo(uid)
    takes = f"what {fits} can read" if fits else "every result"
    note(f"recorded at position {receipt.head.position}: pool {pool} takes {takes}")
