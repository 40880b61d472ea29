"""Finds the recorded results that came from given lines of a file."""

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePath

from attrs import evolve

from ratingcore.corrections.propose import Span
from ratingcore.errors import BadFile, NotOnLines
from ratingcore.events.rows import players_of_row
from ratingcore.importer.file_choice import Choice, Chosen, origin_of
from ratingcore.importer.files import import_files
from ratingcore.importer.reader_choice import TableOptions
from ratingcore.importer.recorded_games import batches_from
from ratingcore.importer.recorded_notes import SourceUnknown
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_outcomes import RowOutcome
from ratingcore.importer.settings import Settings
from ratingcore.log import Log
from ratingcore.log.chain import without_mark
from ratingcore.log.lookup import corrections_of
from ratingcore.replay.declared import MethodOf


def results_on_lines(
    log: Log, method: MethodOf, choice: Choice, lines: Sequence[Span], player: str, *,
    pool: str | None = None, source: str | None = None, result_fields: Callable[[], Collection[str]] = tuple,
) -> tuple[str, ...]:  # fmt: skip
    """Returns the uids of a player's results that came from given lines of a file, in the order of the file.

    The log does not keep lines. So the file is read again, as it was imported, and its rows are matched with the events
    of its source, as for a new issue of a file; nothing is written.

    Parameters
    ----------
    choice : Choice
        The one file, with its reader and its mapping.
    lines : sequence of (int, int)
        First and last line of each span, counted as in reports of imports. Each span must hold a result of the player;
        its other lines are skipped.
    player : str
    pool : str or None
        Pool of rows without one; None for the pool of the source's results.
    source : str or None
        Name of the source in the log, if the file has another name now.

    Raises
    ------
    NotOnLines
        If no recorded result came from the file, or a span of lines holds none of the player.
    BadFile
        If there are several files, or the only one cannot be read.
    UnknownName
    """
    (chosen,) = _only(choice)
    report = _read_again(log, method, chosen, pool, source, result_fields)
    recorded = _recorded(report)
    rows = {row.position: row for row in log.rows_at(row.position for row in recorded)}
    now, who = corrections_of(log), log.book.number("player", player)
    mine = [
        (line, row.uid)
        for line, row in ((one.line, rows[one.position]) for one in recorded)
        if who in map(now.root, players_of_row(now.read(row) or row))
    ]
    uids = dict[str, None]()
    for first, last in lines:
        there = [uid for line, uid in mine if first <= line <= last]
        if not there:
            raise NotOnLines(report.source, _nothing_there(report, first, last, player), *_advice(log, report, source))
        uids |= dict.fromkeys(there)
    return tuple(uids)


def _only(choice: Choice) -> list[Chosen]:
    if choice.problems:
        raise choice.problems[0].problem
    if len(choice.files) != 1:
        names = ", ".join([one.found.source.name for one in choice.files][:3]) or ", ".join(choice.unknown[:3])
        raise BadFile(names, f"lines can be given for one file only, not for {len(choice.files)}")
    return choice.files


def _read_again(
    log: Log, method: MethodOf, one: Chosen, pool: str | None, source: str | None, fields: Callable[[], Collection[str]]
) -> ImportReport:
    """Returns the report of an import of the file as a new issue of its source, in a dry run."""
    pools = {pool} if pool else set(_pools_of(log, source or origin_of(one.reader, one.found.source.name)))
    if isinstance(one.options, TableOptions):  # the days on which results became known do not matter here
        mapped = one.options.fields.in_pool(next(iter(pools)) if len(pools) == 1 else None)
        one = evolve(one, options=evolve(one.options, fields=evolve(mapped, known=None)))
    settings = Settings(
        pool=pools.pop() if len(pools) == 1 else None, dry_run=True, voids=1.0, amend=True, facts=False,
        reissue=source or True,
    )  # fmt: skip
    (report,) = import_files(log, method, Choice([one], [], []), settings, False, fields)
    if report.error is not None:
        raise report.error
    return report


def _pools_of(log: Log, source: str) -> Iterator[str]:
    key, numbers = log.book.key, set[int]()
    for batch in batches_from(log, source):
        numbers |= {row.pool for row in log.rows(batch.first - 1, batch.last, ("game", "session")) if row.pool}
    return map(key, numbers)


def _recorded(report: ImportReport) -> list[RowOutcome]:
    """Returns the rows of a file that the log has from its source."""
    if any(isinstance(note, SourceUnknown) for note in report.notes):
        return []
    return [row for row in report.rows if row.position and row.what != "refused"]


def _nothing_there(report: ImportReport, first: int, last: int, player: str) -> str:
    """Returns the reason why no result of a player came from some lines."""
    lines = f"line {first} has no" if first == last else f"none of the lines {first} to {last} has a"
    if any(first <= row.line <= last for row in _recorded(report)):
        return f"{lines} result of {player}"
    refused = next((why for line, why, _ in report.refused if first <= line <= last), "")
    return f"{lines} result that the log has from this file{f': {refused}' if refused else ''}"


def _advice(log: Log, report: ImportReport, source: str | None) -> tuple[str, str]:
    """Returns advice on what to do, and a setting: the file's source, if the log has nothing from the file."""
    if _recorded(report):
        return "lines count from 1, a heading included, as reports of imports count them", ""
    name = source or PurePath(report.source).name
    known = ", ".join(map(without_mark, log.book.keys_of("source")[-3:]))
    advice = f"no result of {name} is recorded: give its source, and the mapping with which it was imported"
    return advice + (f"; sources are {known}" if known else ""), "source"
