"""`ratingcore declare`: the question of a pool, what it takes, and in which zone its days begin."""

from typing import Any

import click

from ratingcore.cli import options
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.options import Command
from ratingcore.cli.output import write
from ratingcore.cli.question import is_there, reading, recording
from ratingcore.events import PoolDeclared

COLUMNS = ("pool", "fits", "zone", "method", "policy", "from")
"""Columns of the declarations."""


@click.command(
    "declare",
    cls=Command,
    examples=(
        "ratingcore declare club.db --pool club --method elo:k=24 --digits 0 --min-games 5 --active '12 months'",
        "ratingcore declare club.db --pool club --method elo:k=16 --from 2025-07-01",
        "ratingcore declare club.db --pool cup --fits elo-margin",
        "ratingcore declare club.db --pool cup --any",
        "ratingcore declare club.db --pool club --zone Europe/Prague",
        "ratingcore declare club.db",
    ),
)
@options.log
@click.option("--pool", metavar="POOL", help="The pool; it need not be known yet.")
@click.option("--method", "-m", metavar="METHOD", help="The method of the pool's lists, such as elo:k=24; '' for none.")
@click.option("--digits", type=click.IntRange(-4, 9), metavar="N", help="Decimals of the ratings on them.")
@click.option("--min-games", type=options.Count(0), metavar="N", help="They leave off who has fewer results.")
@click.option(
    "--active", metavar="WINDOW",
    help="They leave off who has no result in this window before their day: '12 months', '90 days'; '' for nobody.",
)  # fmt: skip
@click.option(
    "--from", "starting", callback=options.a_played_time, metavar="DAY",
    help="The first day whose lists are by this method and policy; every day if left out.",
)  # fmt: skip
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
    **question: Any,
) -> None:
    """Declare the question of a pool, what it takes, and in which zone its days begin.

    With --method, every command that is given no method answers by this one, with the digits and the policy that are
    declared beside it. With --from, lists of earlier days stay with the method that was declared for them; what is
    declared last for a day counts. With --fits, record, import and amend refuse from then on results that the method
    cannot read, with the reason; what was recorded before stays. With --zone, days, periods and cuts are those of the
    zone, for what was recorded before too; a result with a day and no time stays on its day. The log is made if it is
    missing, and a declared pool without results has an empty list. Declaring once more replaces what is named, and
    leaves the rest. With none of these options, lists the pools and what is declared of each.
    """
    if fits is not None and anything:
        raise Mistake("--fits and --any exclude each other", "--any takes every result again")
    if fits is None and zone is None and not anything and all(value is None for value in question.values()):
        with reading(log) as engine:
            names = engine.pools() if pool is None else [pool]
            rows = [_row(name, engine.declared(name)) for name in names]
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
        receipt = engine.declare(pool, fits="" if anything else fits, zone=zone, own_uid=own_uid, **question)
        if not receipt.accepted:
            note(f"that is declared of pool {pool} already")
            return
        uid, declared = engine.log.uid(receipt.head.position), engine.declared(pool)
    click.echo(uid)
    assert declared is not None, "it has just been declared"
    note(f"recorded at position {receipt.head.position}: pool {pool} takes {declared.taken}")


def _row(pool: str, declared: PoolDeclared | None) -> dict[str, str | None]:
    """A pool, and what is declared of it."""
    if declared is None:
        return {**dict.fromkeys(COLUMNS), "pool": pool}
    return {
        "pool": pool, "fits": declared.fits, "zone": declared.zone, "method": declared.method,
        "policy": declared.policy, "from": declared.starting,
    }  # fmt: skip
