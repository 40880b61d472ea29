"""`ratingcore import` and `ratingcore seed`: files of results and of ratings, with a report."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, complain, note, progress, progress_done
from ratingcore.cli.open_log import new_pool, reading, recording

if TYPE_CHECKING:
    from ratingcore.archives import FieldMap
    from ratingcore.engine import Engine
    from ratingcore.importer import ImportReport

F = TypeVar("F", bound=Callable[..., Any])


def _file_options(command: F) -> F:
    for option in (
        click.option("--format", "-f", "form", type=click.Choice(("text", "json")), default="text", show_default=True,
                     help="How the report comes out."),
        click.option("--strict", is_flag=True, help="All rows of a file or none."),
        click.option("--dry-run", is_flag=True, help="Say what would happen; write nothing."),
        click.option("--mapping", metavar="FILE", help="A TOML file that says which columns hold what."),
        click.option("--map", "pairs", metavar="FIELD=COLUMN,...", help="Which columns hold what; beats --mapping."),
        options.pool,
    ):  # fmt: skip
        command = option(command)
    return command


@click.command(
    "import",
    cls=Command,
    examples=(
        "ratingcore import club.db games.csv --pool rapid --dry-run",
        "ratingcore import club.db games.csv --pool rapid",
        "ratingcore import club.db white-black.csv --pool rapid --map a=white,b=black,score=result,played=date",
        "ratingcore import club.db league.csv.gz more.jsonl --pool league --mapping mapping.toml --strict",
    ),
)
@options.log
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--reader", metavar="NAME", help="Read a foreign format, such as usebio; ratingcore readers lists them.")
@_file_options
def import_results(
    log: str, files: tuple[str, ...], pool: str | None, pairs: str | None, mapping: str | None,
    dry_run: bool, strict: bool, form: str, reader: str | None,
) -> None:  # fmt: skip
    """Append the games in files.

    A file is CSV with any delimiter, or JSON lines, plain or gzip. Fields of a game: a, b, score, played, and if
    there are any: order, uid, pool, points_a, points_b, home, event, round, season, ... Columns of these names
    need no mapping. Scores are 1-0, 1/2, W, 0.5 and the like, or follow from points_a and points_b.

    The log is made if it is missing. Importing a file again changes nothing. Rows that are no games (forfeits, byes)
    are counted as unrated. Rows that cannot be are refused, each with its reason, and the others are
    imported; then the exit code is 1.

    With --reader a file is of another format. A session that the log knows and that is issued again is
    corrected where it says otherwise now; the same file again changes nothing.
    """
    if reader is not None:
        _foreign(log, files, pool, reader, (pairs, mapping), dry_run, form)
        return
    from ratingcore.archives import read_results

    fields, pool = _fields(pairs, mapping), _pool(log, pool, pairs, mapping)
    for file in files:  # what is wrong with a file as a whole is told before a log is made
        read_results(file, pool=pool, fields=fields, key="00")

    def run(engine: "Engine", file: str) -> "ImportReport":
        seen = progress(Path(file).name)
        return engine.import_results(file, pool, fields, dry_run=dry_run, strict=strict, progress=seen)

    _each(log, files, dry_run, form, run)


@click.command(
    "seed",
    cls=Command,
    examples=(
        "ratingcore seed club.db ratings.csv --pool rapid --at 2024-01-01",
        "ratingcore seed club.db teams.csv --pool league --map player=team,rating=elo,at=since",
    ),
)
@options.log
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@_file_options
@click.option(
    "--at", callback=options.a_time, metavar="DAY", help="When the ratings were given, for rows that do not say."
)
def import_seeds(
    log: str, files: tuple[str, ...], pool: str | None, pairs: str | None, mapping: str | None,
    dry_run: bool, strict: bool, form: str, at: str | None,
) -> None:  # fmt: skip
    """Append ratings that were given from outside.

    First ratings, or later ones by decree, from files like those of import. Fields of a seed: player, at (or played),
    and columns of the method by name: rating, deviation, volatility, counted, ... What a seed does not name stays
    as it was. A seed of a day counts before the games of that day.
    """
    from ratingcore.archives import read_seeds

    fields, pool = _fields(pairs, mapping), _pool(log, pool, pairs, mapping)
    for file in files:
        read_seeds(file, pool=pool, fields=fields, key="00", at=at)

    def run(engine: "Engine", file: str) -> "ImportReport":
        seen = progress(Path(file).name)
        return engine.import_seeds(file, pool, fields, at, dry_run=dry_run, strict=strict, progress=seen)

    _each(log, files, dry_run, form, run)


def _foreign(
    log: str, files: tuple[str, ...], pool: str | None, reader: str, maps: tuple[str | None, ...], dry_run: bool,
    form: str,
) -> None:  # fmt: skip
    """Import files of a format that a plugin reads."""
    from ratingcore.registry import Registry

    readers = Registry.installed().readers
    if reader not in readers:
        raise Mistake(f"no reader named {reader}: installed are {', '.join(readers) or 'none'}", "ratingcore readers")
    if any(maps):
        raise Mistake("a reader knows its format: --map and --mapping are for CSV and JSON lines")
    pool = new_pool(log, pool)
    for file in files:
        readers[reader](file)
    _each(log, files, dry_run, form, lambda engine, file: engine.import_foreign(file, reader, pool, dry_run=dry_run))


def _fields(pairs: str | None, mapping: str | None) -> "FieldMap":
    from ratingcore.archives import FieldMap

    fields = FieldMap() if mapping is None else FieldMap.load(mapping)
    return fields if pairs is None else fields.merged(FieldMap.parse(pairs))


def _pool(log: str, pool: str | None, pairs: str | None, mapping: str | None) -> str | None:
    """The pool of rows that do not say theirs; None where the mapping says it."""
    fields = _fields(pairs, mapping)
    return pool if pool is None and (fields.pool or "pool" in fields.fields) else new_pool(log, pool)


def _target(log: str, dry_run: bool) -> "Engine":
    if not dry_run:
        return recording(log)
    return reading(log) if Path(log).exists() else recording(":memory:")


def _each(
    log: str, files: tuple[str, ...], dry_run: bool, form: str, run: "Callable[[Engine, str], ImportReport]"
) -> None:
    """Read the files one by one, and tell the report of each as soon as it is there."""
    reports = []
    with _target(log, dry_run) as engine:
        for file in files:
            reports.append(run(engine, file))
            progress_done()
            if form == "text":
                sys.stdout.write(f"{reports[-1]}\n")
                sys.stdout.flush()
    _end(reports, form)


def _end(reports: "list[ImportReport]", form: str) -> None:
    """Tell the reports together if they are for a program, and end with 1 if rows were refused."""
    if form == "json":
        sys.stdout.write(json.dumps([_facts(report) for report in reports], ensure_ascii=False, indent=2) + "\n")
    elif reports[-1].head is not None and not reports[-1].dry_run:
        note(f"head {reports[-1].head}")
    refused = sum(len(report.refused) for report in reports)
    if refused:
        rows = "1 row" if refused == 1 else f"{refused} rows"
        dry = any(report.dry_run for report in reports)
        complain(
            f"{rows} would be refused" if dry else f"{rows} refused, all others are in the log",
            "correct them in the file and import it again: what is in the log already counts as duplicates",
        )
        click.get_current_context().exit(1)


def _facts(report: "ImportReport") -> dict[str, Any]:
    return {
        "source": report.source,
        "read": report.read,
        "accepted": report.accepted,
        "corrected": report.corrected,
        "duplicates": report.duplicates,
        "unrated": report.unrated,
        "refused": [{"line": line, "reason": reason, "text": text} for line, reason, text in report.refused],
        "warnings": report.warnings,
        "dry_run": report.dry_run,
        "head": None if report.head is None else str(report.head),
    }
