"""`ratingcore import`: imports files of results in any format, and prints a report of each."""

from pathlib import Path
from typing import Any

import click

from ratingcore.cli import options
from ratingcore.cli.console import Mistake, progress
from ratingcore.cli.file_import import by_their_headings, field_map, file_options, pool_of, print_all, target
from ratingcore.cli.options import command
from ratingcore.cli.question import note_no_home_declared
from ratingcore.engine.imports import noted
from ratingcore.importer.file_choice import choose
from ratingcore.importer.files import import_files
from ratingcore.importer.inputs import Opening, zone_of
from ratingcore.importer.reader_choice import InstalledReaders, named_options
from ratingcore.importer.settings import Settings
from ratingcore.registry import Registry


def _share(ctx: click.Context, param: click.Parameter, text: str) -> float:
    """Callback that converts `20%`, `0.2` or `all` to a share."""
    try:
        share = 1.0 if text == "all" else float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise Mistake(f"--voids must be a share such as 20%, or all: {text!r}")
    return share


def _texts(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Callback that splits the options of a reader, each written name=value."""
    texts = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise Mistake(f"-o must be OPTION=VALUE: {text!r}")
        texts[name.strip()] = value.strip()
    return texts


@command(
    "import",
    "ratingcore import club.db games.csv --pool rapid --dry-run",
    "ratingcore import club.db white-black.csv --pool rapid --map a=white,b=black,score=result,played=date",
    "ratingcore import club.db league.csv.gz more.jsonl --pool league --mapping mapping.toml --strict",
    "ratingcore import club.db season/ archive.zip --pool go",
    "ratingcore import club.db games.csv --pool rapid --reissue --dry-run",
    "ratingcore import club.db season.xlsx --pool rapid --sheet Rapid --map a=White,b=Black",
    'ratingcore import club.db league.sqlite --pool rapid --query "SELECT day AS played, a, b, score FROM game"',
    "ratingcore import new.db history.csv --pool rapid --known reported",
    "ratingcore import club.db open.trf --pool classical --reader trf:dates=end",
)
@options.log
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option(
    "--reader", metavar="NAME[:OPTION=VALUE,...]", help="Format of the files; recognised by content if left out."
)
@click.option(
    "-o", "options_of", metavar="OPTION=VALUE", multiple=True, callback=_texts, help="An option of the reader."
)
@click.option(
    "--played", callback=options.a_played_time, metavar="DAY", help="Day of the results, for files without days."
)
@click.option("--zone", metavar="ZONE", help="Zone of local times, such as Europe/Paris; the pool's zone if left out.")
@options.encoding
@click.option("--date-format", metavar="FORM", help="How files write days, such as %d/%m/%Y or unix.")
@click.option("--decimal", metavar="SIGN", help="Decimal sign of a table, a point or a comma.")
@click.option("--delimiter", metavar="SIGN", help="Sign between the cells of a table; recognised if left out.")
@click.option("--sheet", metavar="NAME", help="Sheet of a spreadsheet; needed if several sheets have the columns.")
@click.option("--query", metavar="SELECT", help="Query that selects the games of a SQLite database.")
@click.option(
    "--retired",
    type=click.Choice(("unrated", "counts")),
    help="Whether a game that a side gave up counts, if the table gives the winner: 1-0 ret.",
)
@click.option(
    "--mirrored",
    is_flag=True,
    help="The table has a row for each side of a game: two rows that mirror each other are one game.",
)
@click.option("--skip", type=click.IntRange(min=0), metavar="N", help="Number of lines before the header of a table.")
@click.option(
    "--seeds",
    type=click.Choice(("none", "first", "all")),
    default="none",
    show_default=True,
    help="Ratings in the files to record as seeds: those of players who are new to the pool, or all.",
)
@click.option("--no-facts", is_flag=True, help="Do not record titles, years of birth and other facts of players.")
@click.option("--amend", is_flag=True, help="Correct recorded results with rows that differ from them.")
@click.option(
    "--reissue",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="The table replaces all earlier results of its source (its file name, or NAME): correct what "
    "differs, void what is missing.",
)
@click.option(
    "--known",
    metavar="COLUMN",
    help="Record a table's results as known on the days in this column; for a new pool.",
)
@click.option(
    "--voids",
    default="20%",
    show_default=True,
    callback=_share,
    metavar="SHARE|all",
    help="Largest share of the results of a tournament or source that may be voided because they are now missing.",
)
@click.option(
    "--skip-known", is_flag=True, help="Leave out the games that warnings name as perhaps in the log already."
)
@click.option(
    "--as-rows", is_flag=True, help="Keep the games of a large table as rows, which SQL can read, not in segments."
)
@click.option(
    "--keep",
    metavar="COLUMN,...",
    help="Columns of a table to keep as fields of the results, for slices: judge,language.",
)
@click.option("--keep-going", is_flag=True, help="If a file cannot be read, go on with the others.")
@file_options
def import_(
    log: str, files: tuple[str, ...], pool: str | None, pairs: str | None, mapping: str | None,
    dry_run: bool, strict: bool, form: str, reader: str | None, options_of: dict[str, str], zone: str | None,
    encoding: str | None, no_facts: bool, keep_going: bool, reissue: str | None,
    date_format: str | None, decimal: str | None, delimiter: str | None, skip: int | None, sheet: str | None,
    query: str | None, known: str | None, retired: str | None, mirrored: bool, keep: str | None, **others: Any,
) -> None:  # fmt: skip
    """Import the results in files, folders, archives, or standard input (-).

    The format is recognised by content; ratingcore readers lists the formats, and shows which reader takes a file. A
    table is CSV with any delimiter, JSON lines, a Parquet or Arrow file, a sheet of a spreadsheet, or the result of
    --query on a SQLite database. Fields of a game: a, b, score, played, and optionally order, uid, pool, points_a,
    points_b, home, and any further field, such as event or round. Columns with these names need no mapping. Scores are
    1-0, 1/2, W, 0.5 and the like, or follow from points_a and points_b. A session of many sides is a JSON object with
    sides, or rows with session, player, score or place, and side if several players share one.

    The log is made if it is missing. Importing a file again changes nothing. Rows that are not games (forfeits, byes)
    are counted as unrated. Rows with an error are refused, each with its reason; the others are imported, and the exit
    code is 1. A row that differs from the same result in the log is refused as changed, with both values: the recorded
    result is kept until it is amended or voided, or corrected with --amend.

    If a tournament or session is issued again, results that differ are corrected, and results that are missing from the
    new issue are voided. Give --reissue after FILE... to treat a table in the same way; --dry-run lists what is
    changed, missing and new.
    """
    if not files and reissue and Path(reissue).is_file():  # as the last option, --reissue took the file for its NAME
        files, reissue = (reissue,), ""
    if not files:
        raise Mistake("no FILE is given", "name the files before --reissue" if reissue else "name one or more files")

    settings_of_tables = {
        "date": date_format, "decimal": decimal, "delimiter": delimiter, "skip": skip, "sheet": sheet, "query": query,
        "known": known, "retired": retired, "mirrored": mirrored or None, "keep": keep,
    }  # fmt: skip
    (name, texts), registry = named_options(reader), Registry.installed()
    choice = choose(  # unreadable files are reported before a log is made
        files, InstalledReaders(registry), opening=Opening(encoding, zone_of(zone)), reader=name, pool=pool,
        options=texts | options_of, fields=field_map(pairs, mapping, settings_of_tables), played=others["played"],
        keep_going=keep_going,
    )  # fmt: skip
    choice = by_their_headings(choice, registry.result_fields)
    counter = progress("rows")
    settings = Settings(
        pool=pool_of(log, pool, choice, keep_going),
        dry_run=dry_run,
        strict=strict,
        facts=not no_facts,
        reissue=False if reissue is None else reissue or True,
        progress=counter,
        expected=counter.expect,
        **others,
    )
    with target(log, dry_run) as engine:
        of = engine.registry
        reports = import_files(engine.log, of.method, choice, settings, keep_going, of.result_fields)
        print_all(noted(engine.core, reports), form, several=len(choice.files) > 1)
        note_no_home_declared(engine, settings.pool)
