"""Imports a file that was issued before: new events are appended, and fields that changed since are amended."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs
from attrs import evolve

from ratingcore.corrections.guards import row_under
from ratingcore.events import Event, ResultAmended, Row
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
    """Appends the new events of a file, and amends those whose fields differ from its last issue.

    Events are matched by uid. The file is compared with its last issue, and only the fields that differ are amended,
    in one batch: an unchanged file appends nothing, even where somebody corrected the log by hand since. What was
    voided stays void.

    Parameters
    ----------
    path : path
    events : callable
        Reads the file; its events have uids of their own.
    by : str
        Who amends, such as `reader usebio`: amendments by this name tell what the last issue said.
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
        log.append(news.events, source=report.source, expect=head)
    report.head = log.head
    return report


class _News:
    """Collects the events of a file that are to be appended, and reports on the others."""

    def __init__(self, log: Log, by: str, report: ImportReport) -> None:
        self.events: list[Event] = []
        self._log = log
        self._by = by
        self._report = report
        self._event = log.decoder()
        self._now = log.corrections()
        self._last_issue = _amended_by(log.rows(0, None, ("amend",)), log.id_of("note", by))
        self._seen: set[str] = set()

    def take(self, number: int, event: Event) -> None:
        """Take an event of the file: to append, to amend, or neither."""
        self._report.read += 1
        row = row_under(self._log, event.uid)
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

    def _compare(self, number: int, event: Event, row: Row) -> None:
        amended = self._now.read(row)
        if amended is None:
            self._report.unrated.setdefault("voided in the log", []).append(number)
            return
        was = self._last_issue.read(row)
        assert was is not None
        before, now, new = _fields(self._event(was)), _fields(self._event(amended)), _fields(event)
        _keep_erased(before, new, lambda name: self._log.names_book.labelled("player", name) is not None)
        differs = [name for name in before | new if new.get(name) != before.get(name)]
        # what the log was corrected to by hand already needs no amendment
        changes = {name: new.get(name) for name in differs if new.get(name) != now.get(name)}
        if now["pool"] != new["pool"]:
            self._refuse(number, event, f"is in pool {now['pool']}, not {new['pool']}")
        elif changes:
            self._report.corrected += 1
            self._report.warnings += [
                f"{event.uid}: {name} was corrected in the log, the file's new one stands"
                for name in changes
                if now.get(name) != before.get(name)
            ]
            self.events.append(ResultAmended(of=event.uid, changes=changes, why=WHY, by=self._by))
        else:
            self._report.duplicates += 1

    def _refuse(self, number: int, event: Event, why: str) -> None:
        self._report.refused.append((number, f"uid {event.uid} {why}", event.uid))


def _amended_by(rows: Iterable[Row], note: int | None) -> Corrections:
    """The amendments made under a name, including those that somebody took back."""
    changes: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row.ref is not None and note is not None and row.facts.get("by") == note:
            changes.setdefault(row.ref, {}).update(row.facts["set"])
    return Corrections(changes=changes)


def _keep_erased(before: dict[str, Any], new: dict[str, Any], erased: Callable[[str], bool]) -> None:
    """Leaves the labels of erased names where the file still has the names: they must not come back."""
    for field in ("a", "b", "player"):
        if field in before and erased(before[field]):
            new[field] = before[field]
    if "sides" not in before:
        return
    named = {name for side in before["sides"] for name in side.players if not erased(name)}
    sides = list(new["sides"])
    free = set(range(len(sides)))
    for place, side in enumerate(before["sides"]):
        labels = [name for name in side.players if erased(name)]
        if not labels:
            continue
        rest = set(side.players) - set(labels)
        # the side of the same partners and as many strangers: at the same place if that is one, else the first such
        for other in sorted(free, key=lambda at: (at != place, at)):
            players = sides[other].players
            strangers = [name for name in players if name not in named]
            if set(players) - set(strangers) == rest and len(strangers) == len(labels):
                known = dict(zip(strangers, labels, strict=True))
                sides[other] = evolve(sides[other], players=[known.get(name, name) for name in players])
                free.discard(other)
                break
    new["sides"] = tuple(sides)


def _fields(event: Event) -> dict[str, Any]:
    """The fields that an amendment could change, by name."""
    named = {field.name: getattr(event, field.name) for field in attrs.fields(type(event)) if field.name != "uid"}
    data = named.pop("data", {})
    return named | dict(data)
