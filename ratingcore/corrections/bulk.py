"""Corrections of many events as one batch: voids of what a source or positions brought, merges, amendments."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from attrs import frozen

from ratingcore.columns import View
from ratingcore.corrections.guards import check_apart, numbered, recorded_under, row_under, self_contained
from ratingcore.errors import BadCorrection, UnknownName, UnknownUid
from ratingcore.events import Event, MergeUndone, PlayersMerged, ResultAmended, ResultVoided, Row
from ratingcore.events.corrections import Groups
from ratingcore.events.rows import TARGETS
from ratingcore.events.values import Key, player_key
from ratingcore.log import Log
from ratingcore.log.overlay import OverlayLog

Span = tuple[int, int]
"""First and last position."""

SEATS = {"a", "b", "sides"}
"""Fields of a result that say who sat where."""


@frozen
class Choice:
    """Events of a log, chosen by the source of their batch, or by position.

    Parameters
    ----------
    rows : tuple of Row
        Those that can be taken back and count now.
    void : int
        How many others count as never recorded already.
    other : int
        How many others nothing takes back: closed periods and published lists.
    """

    rows: tuple[Row, ...]
    void: int
    other: int

    @classmethod
    def of(cls, log: Log, source: str | None = None, positions: Sequence[Span] | None = None) -> "Choice":
        """Chooses events that are in both where both are given.

        Parameters
        ----------
        source : str or None
            A name of a source, or a pattern with `*` and `?`.
        positions : sequence of (int, int) or None

        Raises
        ------
        UnknownName
            If no batch has such a source.
        BadCorrection
            If a position is beyond the log.
        """
        end = log.head.position
        spans = [(1, end)] if positions is None else list(positions)
        for first, last in spans:
            if not 1 <= first <= last <= end:
                raise BadCorrection(f"{first}-{last}", "void", f"the positions of the log are 1 to {end}")
        wanted = spans if source is None else [one for span in spans for one in _within(span, sources(log, source))]
        numbers = log.corrections().void
        rows, void, other = list[Row](), 0, 0
        seen = 0
        for first, last in sorted(wanted):
            for row in log.rows(max(first - 1, seen), last):
                if row.kind not in TARGETS["void"] and row.kind != "merge":
                    other += 1
                elif row.position in numbers:
                    void += 1
                else:
                    rows.append(row)
            seen = max(seen, last)
        return cls(tuple(rows), void, other)


def sources(log: Log, pattern: str) -> list[Span]:
    """First and last position of each batch whose source has this name, or one like a pattern."""
    book = log.names_book
    found = [
        (batch.first, batch.last) for batch in log.batches()
        if batch.source is not None and _like(book.key(batch.source), pattern)
    ]  # fmt: skip
    if not found:
        raise UnknownName("source", pattern, tuple(log.keys_of("source")[-3:]))
    return found


def _like(source: str, pattern: str) -> bool:
    return source == pattern or fnmatchcase(source, pattern)


def _within(span: Span, others: Iterable[Span]) -> list[Span]:
    first, last = span
    return [(max(first, one), min(last, other)) for one, other in others if one <= last and other >= first]


def voids(log: Log, rows: Iterable[Row], why: str, by: str, own_uid: str | None) -> tuple[Event, ...]:
    """The events that take rows back: an unmerge for a merge, a void for anything else."""
    again = recorded_under(log, own_uid, "void", lambda row: "", why, by)
    if again:
        return again
    return tuple(
        MergeUndone(uid=uid, of=row.uid, why=why, by=by) if row.kind == "merge"
        else ResultVoided(uid=uid, of=row.uid, why=why, by=by)
        for uid, row in zip(numbered(own_uid), rows, strict=False)
    )  # fmt: skip


def merges(
    log: Log, view: Callable[[str], View], pairs: Iterable[tuple[Key, Key]], why: str, by: str, own_uid: str | None
) -> tuple[Event, ...]:
    """The merges of pairs of players, kept and other, one after another; refused if any two of them have met."""
    events = tuple(
        PlayersMerged(uid=uid, keep=player_key(keep), other=player_key(other), why=why, by=by)
        for uid, (keep, other) in zip(numbered(own_uid), pairs, strict=False)
    )
    if events and row_under(log, events[0].uid) is None:
        _check_strangers(log, view, events)
    return events


def _check_strangers(log: Log, view: Callable[[str], View], events: Iterable[PlayersMerged]) -> None:
    """Refuses merges of players who are one already, or of whom two have met; every result is looked at once."""
    groups, key = Groups(), log.names_book.key
    for player, root in log.corrections().roots.items():
        groups.merge(root, player)
    book, events = log.names_book, list(events)
    book.known("player", [name for event in events for name in (event.keep, event.other)])
    for event in events:
        a, b = log.number_of("player", event.keep, book), log.number_of("player", event.other, book)
        if groups.merge(a, b) is None:
            raise BadCorrection(event.other, "merge", f"{key(a)} and {key(b)} count as one player already")
    roots = groups.roots()
    for pool in log.keys_of("pool"):
        met = view(pool).met_under(roots)
        if met is not None:
            one, two = map(key, met)
            raise BadCorrection(two, "merge", f"{one} and {two} would be one, and have met in pool {pool}")


def amendments(
    log: Log, changed: Iterable[tuple[str, Mapping[str, Any]]], why: str, by: str, own_uid: str | None
) -> tuple[Event, ...]:
    """The amendments of events; refused if one would pair a player with themselves."""
    given = list(changed)
    rows, now = log.find([uid for uid, _ in given]), log.corrections()
    for uid, _ in given:
        if uid not in rows:
            raise UnknownUid(uid)
    events = tuple(
        self_contained(log, ResultAmended(uid=own, of=uid, changes=changes, why=why, by=by), rows[uid], now)
        for own, (uid, changes) in zip(numbered(own_uid), given, strict=False)
    )
    seated = [event for event in events if not SEATS.isdisjoint(event.changes)]
    if seated and row_under(log, events[0].uid) is None:
        trial = OverlayLog(log, seated)
        reading = trial.corrections()
        for event in seated:
            check_apart(trial, rows[event.of], "amend", reading)
    return events
