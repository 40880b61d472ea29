"""Files that are issued again: of what the log knows, only what they say otherwise than last time is appended."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs
from attrs import evolve

from ratingcore.archives import fingerprint
from ratingcore.events import CORRECTIONS, Event, ResultAmended, Row
from ratingcore.events.corrections import Corrections
from ratingcore.events.rows import TARGETS
from ratingcore.importer import ImportReport
from ratingcore.log import Log

WHY = "the session was issued again"


def import_events(
    log: Log,
    path: str | Path,
    events: Callable[[], Iterable[Event]],
    *,
    by: str,
    pool: str | None = None,
    dry_run: bool = False,
) -> ImportReport:
    """Append the events of a file, and corrections of those it said otherwise when it was issued before.

    An event is known again by its uid. What the file says now is compared with what it said last time, and only the
    fields that differ are amended, in one batch: a file that says the same again appends nothing, also where
    somebody corrected the log by hand since. What was voided stays void.

    Parameters
    ----------
    path : path
    events : callable
        Reads the file; its events have uids of their own.
    by : str
        Who amends, such as `reader usebio`: amendments by this name are what the file said before.
    pool : str or None
        Where the events belong; None leaves them where the reader puts them.
    dry_run : bool
        Say what would happen; write nothing.

    Returns
    -------
    ImportReport
        Lines are the numbers of the events in the file.

    Raises
    ------
    ArchiveError, LogError
    HeadMoved
        If somebody appended to the log meanwhile.
    """
    head, report = log.head, ImportReport(Path(path).name, dry_run=dry_run)
    news = _News(log, by, report)
    for number, event in enumerate(events(), 1):
        news.take(number, event if pool is None else evolve(event, pool=pool))  # type: ignore[call-arg]  # results have one
    if news.events and not dry_run:
        log.append(news.events, source=f"{report.source} #{fingerprint(path)[:16]}", expect=head)
    report.head = log.head
    return report


class _News:
    """What of a file the log does not know yet."""

    def __init__(self, log: Log, by: str, report: ImportReport) -> None:
        self.events: list[Event] = []
        self._log = log
        self._by = by
        self._report = report
        self._event = log.decoder()
        said = list(log.rows(0, None, CORRECTIONS))
        self._now = Corrections.of(said)
        self._last_time = _said_by(said, log.id_of("note", by))
        self._seen: set[str] = set()

    def take(self, number: int, event: Event) -> None:
        """Take an event of the file: to append, to amend, or neither."""
        self._report.read += 1
        row = self._known(event.uid)
        if event.uid in self._seen:
            self._refuse(number, event, "stands twice in the file")
        elif row is None:
            self._report.accepted += 1
            self.events.append(event)
        elif row.kind != event.kind or row.kind not in TARGETS["amend"]:
            self._refuse(number, event, f"is a {row.kind} in the log")
        else:
            self._compare(number, event, row)
        self._seen.add(event.uid)

    def _known(self, uid: str) -> Row | None:
        return self._log.find([uid]).get(uid)

    def _compare(self, number: int, event: Event, row: Row) -> None:
        amended = self._now.read(row)
        if amended is None:
            self._report.unrated.setdefault("voided in the log", []).append(number)
            return
        was = self._last_time.read(row)
        assert was is not None
        known, now, says = _fields(self._event(was)), _fields(self._event(amended)), _fields(event)
        differs = [name for name in known | says if says.get(name) != known.get(name)]
        changes = {name: says.get(name) for name in differs if says.get(name) != now.get(name)}
        if now["pool"] != says["pool"]:
            self._refuse(number, event, f"is in pool {now['pool']}, not {says['pool']}")
        elif changes:
            self._report.corrected += 1
            self._report.warnings += [
                f"{event.uid}: {name} was corrected in the log, the file's new one stands"
                for name in changes
                if now.get(name) != known.get(name)
            ]
            self.events.append(ResultAmended(of=event.uid, changes=changes, why=WHY, by=self._by))
        else:
            self._report.duplicates += 1

    def _refuse(self, number: int, event: Event, why: str) -> None:
        self._report.refused.append((number, f"uid {event.uid} {why}", event.uid))


def _said_by(rows: Iterable[Row], note: int | None) -> Corrections:
    """The amendments that were made by this name, also those that somebody took back."""
    changes: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row.kind == "amend" and row.ref is not None and note is not None and row.facts.get("by") == note:
            changes.setdefault(row.ref, {}).update(row.facts["set"])
    return Corrections(changes=changes)


def _fields(event: Event) -> dict[str, Any]:
    """What an amendment could change, by name."""
    named = {field.name: getattr(event, field.name) for field in attrs.fields(type(event)) if field.name != "uid"}
    data = named.pop("data", {})
    return named | dict(data)
