"""Imports a table under the days on which its results became known, so that lists reach back before the log."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import groupby
from pathlib import PurePath

from ratingcore.errors import RowsRefused
from ratingcore.events import Event, Instant, iso
from ratingcore.events.times import DAY
from ratingcore.importer.contradictions import Contradictions
from ratingcore.importer.rehearsal import Rehearsal
from ratingcore.importer.report import ImportReport
from ratingcore.importer.rows import events_of, uncollected
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import Line, Refused
from ratingcore.importer.tables.cells import KnownLine
from ratingcore.log import Log, Matching
from ratingcore.log.append import see_backfill
from ratingcore.log.facts import backfilled

Dated = tuple[Instant, int, Event]
"""When a batch is recorded, and the line and the event of a row in it."""


class Backfill:
    """Imports the rows of a file in batches by the day on which they became known, all or none.

    A day counts as a whole, so its batch is recorded at its last moment; that of today, now.

    Parameters
    ----------
    log : Log
    settings : Settings
    origin : str
        What the batches say they came from, with a mark behind it.
    """

    def __init__(self, log: Log, settings: Settings, origin: str) -> None:
        self._log, self._settings = log, settings
        self._now = log.now()
        self._source = backfilled(origin, iso(self._now - self._now % DAY))

    def take(self, name: str, lines: Callable[[], Iterable[Line]]) -> ImportReport:
        """Imports the lines of a file.

        Raises
        ------
        NotBackfilled
            If a row is new and the log has one of the pools, or a batch that was recorded later than the first day.
        RowsRefused
            If `strict` and a row is refused.
        """
        settings = self._settings
        report = ImportReport(PurePath(name).name or name, dry_run=settings.dry_run)
        known: list[Instant] = []
        with uncollected():
            numbered = list(events_of(self._seen(lines(), known), report, settings.progress))
            rows = sorted(
                ((at, line, event) for at, (line, event) in zip(known, numbered, strict=True)), key=lambda row: row[0]
            )
            with nullcontext() if settings.dry_run else self._log.writing():  # another process may file the same
                contradictions = Contradictions(self._log, report, settings.registry, dry_run=True)
                trial = Rehearsal(self._log, contradictions, Matching(self._log))
                contradictions.settle(trial.take([(line, event) for _, line, event in rows], report))
                report.refused.sort()
                if settings.strict and report.refused and not settings.dry_run:
                    line, reason, _ = report.refused[0]
                    raise RowsRefused(name, len(report.refused), f"line {line}: {reason}")
                if report.accepted:
                    see_backfill(self._log, rows[0][0], {getattr(event, "pool", "") for _, _, event in rows})
                    if not settings.dry_run:
                        self._file(rows)
        report.head = self._log.head
        return report

    def _file(self, rows: list[Dated]) -> None:
        parts = ((at, [event for _, _, event in batch]) for at, batch in groupby(rows, key=lambda row: row[0]))
        self._log.backfill(parts, source=self._source, matching=Matching(self._log))

    def _seen(self, lines: Iterable[Line], known: list[Instant]) -> Iterator[Line]:
        """The lines; notes the recorded time of each event, and refuses those of days that are still to come."""
        for line in lines:
            if isinstance(line, KnownLine):
                day = line.known - line.known % DAY
                if day > self._now:
                    yield Line(line.number, Refused(f"known on {iso(day)}, which is still to come", ""))
                    continue
                known.append(min(day + DAY - 1, self._now))
            yield line
