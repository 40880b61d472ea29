"""A dry run is the import itself, in a transaction that is undone."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ratingcore.errors import LogUnavailable
from ratingcore.importer.report import ImportReport
from ratingcore.log import Log, SqliteLog, export_lines, load_lines


class _Undone(Exception):
    """Ends the transaction of a dry run."""


@contextmanager
def trial(log: Log) -> Iterator[Log]:
    """A log that may be appended to in the block, and is as it was after it.

    It is the log itself, which other writers wait for meanwhile, or a copy of one that is open read-only.
    """
    try:
        with ExitStack() as stack:
            try:
                stack.enter_context(log.writing())
            except LogUnavailable:
                log = stack.enter_context(_copy(log))
                stack.enter_context(log.writing())
            yield log
            raise _Undone
    except _Undone:
        pass


@contextmanager
def _copy(log: Log) -> Iterator[Log]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "trial.db")
        if log.path is not None:
            log.backup(path)
        with SqliteLog(path) as copy:
            if log.path is None:
                load_lines(copy, export_lines(log))
            yield copy


def reports_of(log: Log, dry_run: bool, run: Callable[[Log], Iterable[ImportReport]]) -> Iterator[ImportReport]:
    """The reports of an import, each as soon as there is one; those of a dry run when all of it is undone.

    Parameters
    ----------
    run : callable
        Imports into the log that it is given.
    """
    if not dry_run:
        yield from run(log)
        return
    with trial(log) as other:
        reports = list(run(other))
    for report in reports:
        report.dry_run, report.head = True, log.head
    yield from reports
