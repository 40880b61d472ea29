"""`ratingcore show`: a published list as it was published."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, note, say
from ratingcore.cli.new_file import write_new
from ratingcore.cli.open_log import reading
from ratingcore.cli.output import chosen
from ratingcore.cli.phrases import published_as

if TYPE_CHECKING:
    from ratingcore.lists import Published, RatingList

FORMS = ("csv", "csv-spreadsheet", "json", "markdown")
_ENDINGS = {".csv": "csv", ".json": "json", ".md": "markdown"}
"""Endings of file names, and the format each stands for."""


@click.command(
    "show",
    cls=Command,
    examples=(
        "ratingcore show club.db 2024-03",
        "ratingcore show club.db 2024-03 --format json > list.json",
        "ratingcore show club.db 2024-03 --to list.md",
        "ratingcore show club.db 2024-03 --sign key.pem --to signed.json",
    ),
)
@options.log
@click.argument("name")
@options.listed_pool
@click.option(
    "--format", "-f", "form", type=click.Choice(("table", *FORMS)),
    help=f"How it comes out: a table on a terminal and csv elsewhere, unless said; {options.PROTECTED}",
)  # fmt: skip
@options.exact
@options.sign
@click.option("--to", "file", metavar="FILE", help="Write it to a new file; .csv, .json and .md say how.")
def show(
    log: str, name: str, pool: str | None, form: str | None, exact: bool, sign: str | None, file: str | None
) -> None:
    """Show a published list as it was published.

    It is made again from the log and held against its seal. All formats tell what the list was made from: CSV in
    leading lines that begin with #, JSON so that prove recomputes it. What --exact adds was not published, and prove
    leaves it unchecked.
    """
    way = form or (_way(file) if file else "json" if sign else chosen(None))
    if sign and way != "json":
        raise Mistake(f"{way} carries no signature", "only JSON can be proved, and so signed: --format json")
    with reading(log) as engine:
        published = engine.find_list(name, pool)
        listed = engine.published_list(published)
        listed = listed.with_exact() if exact else listed
        text = _table(listed, published) if way == "table" else listed.document(way, published.name, sign=sign)
    if file is None:
        say(text.removesuffix("\n")) if way == "table" else sys.stdout.write(text)
        return
    write_new(file, text)
    note(f"{file}: the list published {published_as(published)}")


def _way(file: str) -> str:
    ending = Path(file).suffix.lower()
    if ending not in _ENDINGS:
        raise Mistake(f"the name of the file does not say how to write it: {file}", "say it with --format")
    return _ENDINGS[ending]


def _table(listed: "RatingList", published: "Published") -> str:

    from ratingcore.events import exact

    facts = [
        f"published {published_as(published)}, {exact(published.recorded)}",
        *listed.provenance.lines(),
        f"digest of the list {listed.digest}",
        f"seal of the list {listed.seal}",
    ]
    return "\n".join([*listed.table(), "", *facts, ""])
