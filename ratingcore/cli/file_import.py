"""Shared code of the commands that read files: options, the mapping of fields, and the report of each file."""

import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from typing import Any, TypeVar

import click
from attrs import evolve

from ratingcore.cli import options
from ratingcore.cli.console import FAILED, complain, note, on_log, progress_done, say, shortened
from ratingcore.cli.notes import words
from ratingcore.cli.question import is_there, new_pool, reading, recording
from ratingcore.cli.words import MAP, map_option
from ratingcore.engine import Engine, open_engine
from ratingcore.errors import ArchiveError, LogUnavailable, NotANumber, NotGiven, SeveralDays
from ratingcore.importer.day_notes import TimesOfDay
from ratingcore.importer.file_choice import Choice
from ratingcore.importer.reader_choice import TableOptions, names_pool
from ratingcore.importer.reasons import ZoneUnknown
from ratingcore.importer.recorded_notes import LaterIssue
from ratingcore.importer.report import ImportReport, is_truncated
from ratingcore.importer.tables import FieldMap, read_results
from ratingcore.importer.tables.fieldmap import FromColumn, settings_of
from ratingcore.importer.tables.headings import CLOCKS, columns_of_sets, meanings
from ratingcore.importer.tables.results import by_headings, sheet_of_results
from ratingcore.safe_text import counted

_COMMA = re.compile(r"[0-9],[0-9]")
F = TypeVar("F", bound=Callable[..., Any])


def file_options(command: F) -> F:
    """Adds the options for reading files."""
    for option in (
        click.option("--format", "-f", "form", type=click.Choice(("text", "json")), default="text", show_default=True,
                     help="Format of the report."),
        click.option("--strict", is_flag=True, help="Import all rows of a file or none."),
        click.option("--dry-run", is_flag=True,
                     help="Show what would happen, and write nothing. Other writers wait meanwhile."),
        click.option("--mapping", metavar="FILE", help="A TOML file that maps columns to fields."),
        click.option("--map", "pairs", metavar="FIELD=COLUMN,...",
                     help="Which columns hold the fields; overrides --mapping."),
        options.pool,
    ):  # fmt: skip
        command = option(command)
    return command


def field_map(pairs: str | None, mapping: str | None, settings: Mapping[str, object] | None = None) -> FieldMap:
    """Returns the mapping of `--mapping`, overridden by the options for single settings and by `--map`."""
    fields = FieldMap(where=MAP) if mapping is None else FieldMap.load(mapping)
    fields = fields.merged(FieldMap(**settings_of("the command line", settings or {}), where=MAP))
    return fields if pairs is None else fields.merged(FieldMap.parse(pairs, MAP))


def by_their_headings(choice: Choice, kept: Callable[[], Collection[str]]) -> Choice:
    """Returns the files with a mapping for each table whose headings can be read in only one way; a note shows it.

    Parameters
    ----------
    kept : callable
        Returns the columns that are read under their own names.
    """
    files = []
    for one in choice.files:
        if isinstance(one.options, TableOptions):
            given = one.options.fields
            with suppress(ArchiveError):  # reported where the file is read
                sheet = sheet_of_results(one.found.source.reusable(), given)
                fields = by_headings(sheet, given, kept)
                if fields.fields.keys() != given.fields.keys():
                    mapped = {name: of.column for name, of in fields.fields.items() if isinstance(of, FromColumn)}
                    sets = ", ".join(columns_of_sets(sheet.columns, mapped.get("score", "")))
                    read = map_option({n: c for n, c in mapped.items() if c})
                    note(f"{one.found.source.name} is read with {read}{sets and f'; {sets} hold the points of sets'}")
                    one = evolve(one, options=evolve(one.options, fields=fields))
        files.append(one)
    return evolve(choice, files=files)


def pool_of(log: str, pool: str | None, choice: Choice, keep_going: bool) -> str | None:
    """Returns the pool for rows that name none; None if all files name their pools.

    An error in the header or the mapping of a table is raised here, before a log is made. If the import is to keep
    going, the error is left for the report of the file.
    """
    named = bool(choice.files) and all(isinstance(one.options, TableOptions) for one in choice.files)
    tables = [(one.found, one.options) for one in choice.files if isinstance(one.options, TableOptions)]
    readable = []
    for file, of in tables:
        try:
            named = named and names_pool(file.source, of.fields)
            readable.append((file, of))
        except ArchiveError:
            if file.named and not keep_going:
                raise
    pool = pool if pool is not None or named else new_pool(log, pool)
    for file, of in readable:
        try:
            read_results(file.source.reusable(), pool=pool, fields=of.fields)
        except ArchiveError:
            if file.named and not keep_going:
                raise
    return pool


def target(log: str, dry_run: bool) -> AbstractContextManager[Engine]:
    """Opens the engine for an import; in a dry run no log is made."""
    if not dry_run:
        return recording(log)
    if not is_there(log):
        return open_engine(":memory:")
    try:
        return open_engine(log)
    except LogUnavailable:  # the log may not be writable, and a dry run only reads it
        return reading(log)


def print_all(reports: Iterable[ImportReport], form: str, several: bool = True) -> None:
    """Prints the report of each file as soon as it is ready; if the only file fails, its error is raised."""
    shown = []
    for report in reports:
        if report.error is not None and not several and not report.accepted:
            raise report.error
        shown.append(report)
        progress_done()
        if form == "text":
            say("\n".join(map(shortened, report.lines(words=words))))
    _end(shown, form)


def _end(reports: list[ImportReport], form: str) -> None:
    """Prints the JSON of all reports, or notes on them; exits with code 1 if a file failed or rows were refused."""
    if form == "json":
        sys.stdout.write(json.dumps([_facts(report) for report in reports], ensure_ascii=False, indent=2) + "\n")
    elif reports[-1].head is not None and not reports[-1].dry_run:
        for report in reports:
            if columns := [name for name in report.unused_columns if re.fullmatch(r"[\w.-]+", name)]:
                note(f"to keep these columns as fields of the results: --keep {','.join(columns)}")
            if report.new_pools:
                note(f"new in the log: pool {', '.join(report.new_pools)}")
            if report.positions:
                spans = ",".join(f"{first}-{last}" if first < last else str(first) for first, last in report.positions)
                place = "position" if spans.isdecimal() else "positions"
                note(f"{report.source} is at {place} {spans}; to take it back: {on_log('void', '--positions', spans)}")
        if reports[-1].head.position:
            note(f"head {reports[-1].head}")
    results = [report for report in reports if not report.seeds]
    clocks = [one for report in results for one in report.unused_columns if meanings(one, CLOCKS)]
    clocks = [] if any(isinstance(one, TimesOfDay) for report in results for one in report.notes) else clocks
    if clocks and form != "json":
        note(f"to read the times of day: {map_option({'time': clocks[0]})}; --zone gives their time zone")
    refused = sum(len(report.refused) for report in reports)
    failed = [report for report in reports if report.failed]
    if failed:
        files = counted(len(failed), "file was", "files were")
        complain(f"{files} not imported, or only in part: {', '.join(report.source for report in failed[:5])}")
        click.get_current_context().exit(FAILED)
    if refused:
        rows = counted(refused, "row")
        dry = any(report.dry_run for report in reports)
        complain(
            f"{rows} would be refused" if dry else f"{rows} refused, {_rest(reports)}",
            _hint(reports, refused) + _settings(reports),
        )
        click.get_current_context().exit(FAILED)


def _hint(reports: list[ImportReport], refused: int) -> str:
    """Returns advice about refused rows: whether they differ from the log, or the file lacks too many."""
    changed = sum(report.changed for report in reports)
    if all(is_truncated(why) for report in reports for _, why, _ in report.refused):
        return "if the file is complete, import it with --voids all; otherwise import the complete file"
    if changed == refused:
        right = "if the file is right, import it with --amend, or amend or void what is recorded"
        return f"{right}; else correct the file, or its mapping"
    hint = "correct the file, or the mapping where it fits no row, and import it again: what is in the log already "
    hint += "counts as duplicates" if not changed else "is not added twice"
    return f"{hint}; for the changed rows, see the warning" if changed else hint


_GIVING = {
    "played": "--played DAY gives the day of results without one",
    "pool": "--pool NAME gives the pool of results without one",
}
"""Advice on the option for each fact that neither a file nor an option gives."""
_OPTION_FOR: dict[type[object], str] = {
    LaterIssue: "--amend goes back to the earlier issue",
    ZoneUnknown: "--zone gives the zone of times without an offset; use UTC for a file that was "
    "imported before, when such times were read as UTC",
}
"""Advice on the option that helps against each kind of reason."""


def _settings(reports: list[ImportReport]) -> str:
    """Returns advice on the options with which the refused rows would be read."""
    reasons = [reason for report in reports for _, reason, _ in report.refused]
    wanted = []
    for reason in reasons:
        if reason.kind is NotGiven:
            wanted.append(_GIVING[str(reason.facts["what"])])
        elif reason.kind is NotANumber and _COMMA.search(str(reason.facts["value"])):
            wanted.append("--decimal , reads numbers with a comma")
        elif reason.kind is NotANumber and re.fullmatch(r"[1-9]\.[0-9]{3}", str(reason.facts["value"])):
            wanted.append("--decimal , reads 1.650 as 1650, --decimal . as 1.65")
        elif reason.kind is SeveralDays:
            forms: Any = reason.facts["forms"]
            given = [f'--date-format "{one}"' if " " in one else f"--date-format {one}" for one in forms]
            wanted.append(f"{' or '.join(given)} decides which day is meant")
        else:
            wanted += filter(None, [_OPTION_FOR.get(reason.kind)])
    return "".join(f"; {one}" for one in dict.fromkeys(wanted))


def _rest(reports: list[ImportReport]) -> str:
    """Returns a clause on what happened to the rows that were not refused."""
    if not any(report.changes or report.duplicates for report in reports):
        return "so nothing was imported"
    others = "all others with a result" if any(report.unrated for report in reports) else "all others"
    before = "" if any(report.changes for report in reports) else " already"
    return f"{others} are in the log{before}"


_FACTS = (
    "source", "read", "accepted", "reader", "amended", "voided", "revived", "renamed", "documents", "facts", "seeds",
    "unused_ratings", "unknown", "failed", "encoding", "duplicates", "unrated", "refused", "changed", "listed",
    "unused_columns", "kept_columns", "understood", "warnings", "dry_run", "positions", "new_pools", "head",
)  # fmt: skip
"""Fields of a report in JSON, in this order."""


def _facts(report: ImportReport) -> dict[str, object]:
    """Returns a report as JSON values."""
    refused = [{"line": line, "reason": reason, "text": text} for line, reason, text in report.refused]
    head, warnings = None if report.head is None else str(report.head), list(map(words, report.notes))
    spelt = {"refused": refused, "head": head, "warnings": warnings}
    return {name: getattr(report, name) for name in _FACTS} | spelt
