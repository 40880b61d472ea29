"""Imports descriptions of players as one batch, with a report that counts every row."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path

from ratingcore.archives.lines import Line, Refused
from ratingcore.events import Event, PlayerDescribed
from ratingcore.importer.report import ImportReport
from ratingcore.log import Log


def import_players(
    log: Log,
    path: str | PathLike[str],
    unused: Sequence[str],
    lines: Iterable[Line],
    new: Callable[[PlayerDescribed], PlayerDescribed | None],
    refuse: Callable[[str], str] | None = None,
    *,
    dry_run: bool = False,
) -> ImportReport:
    """Appends what rows say of players and the log does not know.

    Parameters
    ----------
    unused : sequence of str
        Columns of the file that are not used; the report names them.
    new : callable
        The part of a description that is new; None if there is none.
    refuse : callable or None
        Why a row about this player is refused; empty if it is not.
    """
    report = ImportReport(Path(path).name, dry_run=dry_run)
    fresh: list[Event] = []
    for line in lines:
        report.read += 1
        event = line.outcome
        why = refuse(event.player) if refuse is not None and isinstance(event, PlayerDescribed) else ""
        if isinstance(event, Refused):
            report.refused.append((line.number, event.reason, event.text))
        elif why or not isinstance(event, PlayerDescribed):
            report.refused.append((line.number, why, ""))
        elif (description := new(event)) is None:
            report.duplicates += 1
        else:
            fresh.append(description)
    report.accepted = len(fresh)
    if unused:
        named = ", ".join(unused)
        report.warnings.append(
            f"not used: {named}; a column is taken by --map, such as --map title={unused[0]}; ratings are read by seed"
        )
    if fresh and not dry_run:
        log.append(fresh, source=report.source)
    report.head = log.head
    return report
