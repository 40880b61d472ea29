"""`ratingcore lists`: what was published."""

from typing import TYPE_CHECKING, Any

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.open_log import reading
from ratingcore.cli.output import chosen, write

if TYPE_CHECKING:
    from ratingcore.lists import Published

SHORT = ("name", "pool", "as_of", "method", "players", "known_at", "position", "published", "seal")
FULL = (
    "name",
    "pool",
    "as_of",
    "through",
    "method",
    "policy",
    "players",
    "known_at",
    "digest",
    "position",
    "published",
)


@click.command(
    "lists",
    cls=Command,
    examples=(
        "ratingcore lists club.db",
        "ratingcore lists club.db --pool rapid --format json",
    ),
)
@options.log
@options.listed_pool
@options.form
def lists(log: str, pool: str | None, form: str | None) -> None:
    """List what was published, in the order of publication.

    Columns: name, pool, as_of (the day the list stands for), through (the last instant played that counted), method,
    policy, players, known_at and digest (the head the list was made from), position and published (when the log
    learnt of it), version, seal. A table has the most important ones, and shortens method and seal.
    """
    with reading(log) as engine:
        short = chosen(form) == "table"
        rows = [_row(published, short) for published in engine.published(pool)]
    write(rows, SHORT if short else (*FULL, "version", "seal"), form)


def _row(published: "Published", short: bool) -> dict[str, Any]:
    from ratingcore.columns import FOREVER
    from ratingcore.events import clock, exact

    return {
        "name": published.name,
        "pool": published.pool,
        "as_of": None if published.of_no_day else clock(published.zone).day(published.at),
        "through": None if published.through == FOREVER else clock(published.zone).exact(published.through),
        "method": published.method.partition("(")[0] if short else published.method,
        "policy": published.policy,
        "players": published.players,
        "known_at": published.known_at,
        "digest": published.digest,
        "position": published.position,
        "published": exact(published.recorded)[:10] if short else exact(published.recorded),
        "version": published.version,
        "seal": published.seal[:12] if short else published.seal,
    }
