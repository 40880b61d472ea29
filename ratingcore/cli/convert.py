"""`ratingcore convert`: writes a file of one tournament in another format, without a log."""

from functools import partial

import click

from ratingcore.cli.console import Mistake, note
from ratingcore.cli.files import new_file
from ratingcore.cli.options import command
from ratingcore.importer.file_choice import choose
from ratingcore.importer.reader_choice import InstalledReaders, named_options
from ratingcore.importer.tables.writers import TABLE_WRITERS
from ratingcore.methods.wrapped import failing
from ratingcore.readers import Game, Outgoing, Refused, Unrated
from ratingcore.readers.contract import configured
from ratingcore.registry import Registry


@command(
    "convert", "ratingcore convert open.xml open.trf", "ratingcore convert old.trf new.trf --to trf:version=26,eol=lf"
)
@click.argument("file")
@click.argument("out")
@click.option("--reader", metavar="NAME[:OPTION=VALUE,...]", help="Format of FILE; recognised if left out.")
@click.option("--to", "writer", default="trf", show_default=True, metavar="NAME", help="Format of OUT.")
def convert(file: str, out: str, reader: str | None, writer: str) -> None:
    """Write a file of one tournament in another format.

    Nothing is recorded. What the format of OUT cannot hold is left out, and so are byes and forfeits unless FILE is a
    TRF, since readers only count them. From TRF to TRF every line is kept: in another version of TRF, records that are
    spelt differently there are respelt, and records without a counterpart stay as they are. What was read, left out or
    cut is reported on standard error.
    """
    registry = Registry.installed()
    writers = registry.writers
    name, texts = named_options(writer)
    if name not in writers or name in TABLE_WRITERS:
        raise Mistake(f"no writer of tournaments is named {name}", "ratingcore readers --writers lists them")
    if name == "trf" and out.lower().endswith((".xlsx", ".csv", ".jsonl", ".parquet")):
        raise Mistake(
            f"a TRF report is not a table: {out}",
            "use a name that ends in .trf; for a table, import the file into a log and use export --to results",
        )
    named, options = named_options(reader)
    files = choose([file], InstalledReaders(registry), reader=named, options=options).files
    if len(files) == 1 and files[0].reader.unit != "document":
        advice = (
            "import it into a log, and write one of its tournaments: ratingcore export LOG OUT --to trf --event NAME"
        )
        raise Mistake(
            f"{file} is a stream of games, perhaps of many tournaments; convert needs a file of one tournament", advice
        )
    if len(files) != 1:
        raise Mistake(f"{file} is not a single file of a tournament", "name one file, and its format with --reader")
    one, source = files[0], files[0].found.source.reusable()
    given = Outgoing(out, items=partial(one.reader.read, source, one.options), source=source, remark=note)
    settings = configured(name, writers[name].options, texts)
    with new_file(out) as target, failing(f"of the writer {name}"):
        for part in writers[name].write(given, settings):
            target.write(part)
    items = list(given.items())
    unrated = sum(item.count for item in items if isinstance(item, Unrated))
    kinds = [sum(isinstance(item, kind) for item in items) for kind in (Game, Refused)]
    note(f"{out}: {kinds[0]} games; not rated {unrated}, refused {kinds[1]}")
