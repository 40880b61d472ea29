"""`ratingcore publish`, `lists` and `show`: lists that stay what they were."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note
from ratingcore.cli.list_ import made_policy
from ratingcore.cli.open_log import correcting, one_pool, position, reading
from ratingcore.cli.output import chosen, write

if TYPE_CHECKING:
    from ratingcore.lists import Published, RatingList

_ENDINGS = {".csv": "csv", ".json": "json", ".md": "markdown"}


@click.command(
    "publish",
    cls=Command,
    examples=(
        "ratingcore publish club.db 2024-03 --through 2024-03-31",
        "ratingcore publish club.db 2024-03-strict --method elo:k=24 --through 2024-03-31 --min-games 2 --digits 0",
    ),
)
@options.log
@click.argument("name")
@options.question
@options.policy
def publish(
    log: str, name: str, pool: str | None, method: str, through: str | None, known_at: str | None, **policy: Any
) -> None:
    """Publish a rating list under a name.

    The log keeps the question (pool, method, cuts, policy) and a seal on the rows, so that show makes the list
    again as it is now, whatever is corrected later. The seal is printed. A name is given once in a pool, for ever; it
    stands in the log as it is, so it must name nobody. Publishing the same list again changes nothing.
    """
    with correcting(log) as engine:
        cut = position(engine, known_at)
        listed = engine.rating_list(one_pool(engine, pool), method, through, cut, policy=made_policy(**policy))
        before = engine.log.head.position
        published = engine.publish(listed, name)
    click.echo(published.seal)
    said = "published" if published.position > before else "the same list was published before"
    note(f"{said} {_told(published)}: {players(published.players)}")


def _told(published: "Published") -> str:
    return f"as {published.name} of pool {published.pool} at position {published.position}"


def players(count: int) -> str:
    """So many players, in words."""
    return f"{count} player" if count == 1 else f"{count} players"


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
    from ratingcore.events import day, exact, iso
    from ratingcore.tables import FOREVER

    return {
        "name": published.name,
        "pool": published.pool,
        "as_of": day(published.at),
        "through": None if published.through == FOREVER else exact(published.through),
        "method": published.method.partition("(")[0] if short else published.method,
        "policy": published.policy,
        "players": published.players,
        "known_at": published.known_at,
        "digest": published.digest,
        "position": published.position,
        "published": iso(published.recorded)[:10] if short else iso(published.recorded),
        "version": published.version,
        "seal": published.seal[:12] if short else published.seal,
    }


@click.command(
    "show",
    cls=Command,
    examples=(
        "ratingcore show club.db 2024-03",
        "ratingcore show club.db 2024-03 --format json > list.json",
        "ratingcore show club.db 2024-03 --to list.md",
    ),
)
@options.log
@click.argument("name")
@options.listed_pool
@click.option(
    "--format", "-f", "form", type=click.Choice(("table", *_ENDINGS.values())),
    help="How it comes out: a table on a terminal and csv elsewhere, unless said.",
)  # fmt: skip
@click.option("--to", "file", metavar="FILE", help="Write it to a new file; .csv, .json and .md say how.")
def show(log: str, name: str, pool: str | None, form: str | None, file: str | None) -> None:
    """Show a published list as it was published.

    It is made again from the log and held against its seal. All formats tell what the list was made from: CSV in
    leading lines that begin with #, JSON so that prove recomputes it.
    """
    way = form or (_way(file) if file else chosen(None))
    with reading(log) as engine:
        published = engine.find_list(name, pool)
        listed = engine.published_list(published)
        text = _table(listed, published) if way == "table" else listed.document(way, published.name)
    if file is None:
        sys.stdout.write(text)
        return
    _keep(file, text)
    note(f"{file}: the list published {_told(published)}")


def _way(file: str) -> str:
    ending = Path(file).suffix.lower()
    if ending not in _ENDINGS:
        raise Mistake(f"the name of the file does not say how to write it: {file}", "say it with --format")
    return _ENDINGS[ending]


def _table(listed: "RatingList", published: "Published") -> str:
    from ratingcore.events import iso

    facts = [
        f"published {_told(published)}, {iso(published.recorded)}",
        *listed.provenance.lines(),
        f"digest of the list {listed.digest}",
        f"seal of the list {listed.seal}",
    ]
    return "\n".join([*listed.table(), "", *facts, ""])


def _keep(file: str, text: str) -> None:
    try:
        with Path(file).open("x", encoding="utf-8", newline="") as out:
            out.write(text)
    except FileExistsError:
        raise Mistake(f"there is something already: {file}", "name another file, or move that one away first") from None
