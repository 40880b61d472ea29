"""Builds correction events (void, amend, merge, unmerge, revive) and checks that the log allows them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from attrs import frozen

from ratingcore.columns import View
from ratingcore.corrections.guards import (
    check_possible,
    numbered_uids,
    ordered_by_round,
    recorded_under,
    self_contained,
)
from ratingcore.corrections.known_facts import Descriptions
from ratingcore.corrections.merge import merges_of
from ratingcore.errors import BadCorrection, PoolNotNamed, UnknownName, UnknownUid
from ratingcore.errors.root import quoted
from ratingcore.events import (
    CORRECTIONS,
    Event,
    MergeUndone,
    PlayerDescribed,
    ResultAmended,
    ResultVoided,
    Row,
    When,
    instant,
)
from ratingcore.events.bounds import EARLIEST, check_player
from ratingcore.events.corrections import Corrections
from ratingcore.events.rows import AMENDABLE, SEATS, TARGETS
from ratingcore.events.values import Key, nameable, new_uid, player_key
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of, row_of
from ratingcore.plans.concerns import Brought, is_like, pattern_of, pools_of
from ratingcore.spelling import spelt_like

Span = tuple[int, int]
"""First and last position of a range."""


@frozen
class ChosenEvents:
    """Events of a log, chosen by the source of their batch, or by position.

    Parameters
    ----------
    rows : tuple of Row
        Chosen events that count and can be taken back.
    void : int
        Number of further events that were taken back already.
    other : int
        Number of further events that cannot be taken back: closed periods and published lists.
    source : str
        Name or pattern of the chosen sources; empty if events are chosen by position alone.
    to_come : Brought or None
        Description of later events that would be chosen, too; None if the choice is limited to given positions.
    by_fields : bool
        Whether events are chosen by fields of results: then they stay void when their file is imported again. If they
        are chosen by source or position, the rows of the file are recorded as new.
    declarations : tuple of str
        Uids of the chosen declarations of pools, in order; `undeclare` takes back the last one of a pool.
    """

    rows: tuple[Row, ...]
    void: int
    other: int
    source: str = ""
    to_come: Brought | None = None
    by_fields: bool = False
    declarations: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, log: Log, source: str | None = None, positions: Sequence[Span] | None = None, pool: str | None = None
    ) -> "ChosenEvents":
        """Chooses events that meet all given conditions.

        Parameters
        ----------
        source : str or None
            A name of a source, or a pattern with `*` and `?`.
        positions : sequence of (int, int) or None
        pool : str or None
            Pool of the events; a correction belongs to the pool of the event it corrects.

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
        numbers, number = corrections_of(log).void, None if pool is None else log.book.number("pool", pool)
        rows, gone, declarations, other = list[Row](), list[Row](), list[str](), 0
        seen = 0
        for first, last in sorted(wanted):
            some = list(log.rows(max(first - 1, seen), last))
            pools = {} if number is None else pools_of(log, some)
            for row in some:
                if number is not None and pools[row.position] != number:
                    continue
                if row.kind == "pool":
                    declarations.append(row.uid)
                elif row.kind not in TARGETS["void"] and row.kind != "merge":
                    other += 1
                elif row.position in numbers:
                    gone.append(row)
                else:
                    rows.append(row)
            seen = max(seen, last)
        back, unmerged = _brought_back(log, rows, gone)
        rows = sorted([*(row for row in rows if row.ref not in unmerged), *back], key=lambda row: row.position)
        to_come = Brought(pattern_of(log, source), number) if source is not None and positions is None else None
        return cls(tuple(rows), len(gone) - len(back), other, source or "", to_come, declarations=tuple(declarations))


def _brought_back(log: Log, rows: Sequence[Row], gone: Iterable[Row]) -> tuple[list[Row], set[int]]:
    """Returns the void events in `gone` that would count again if the corrections in `rows` were voided.

    They must be voided too: if a later version of a file voided rows of an earlier one, voiding both versions must not
    revive these rows. Merges undone by an unmerge in `rows` are returned apart, by position: there, the unmerge stays
    in force.
    """
    voided = {row.position for row in rows if row.kind in ("void", "unmerge")}
    if not voided:
        return [], set()
    void = corrections_of(log).void
    by_position = {row.position: row for row in gone}
    void_otherwise = {
        row.ref for row in log.rows(0, None, ("void", "unmerge"))
        if row.ref in by_position and row.position not in void and row.position not in voided
    }  # fmt: skip
    refs = {row.ref for row in rows if row.position in voided} - void_otherwise
    back = [row for position, row in by_position.items() if position in refs]
    return [row for row in back if row.kind != "merge"], {row.position for row in back if row.kind == "merge"}


def sources(log: Log, pattern: str) -> list[Span]:
    """Returns the first and last position of each batch whose source has this name, or else matches this pattern."""
    book, like = log.book, pattern_of(log, pattern)
    spans = [
        (batch.first, batch.last) for batch in log.batches()
        if batch.source is not None and is_like(book.key(batch.source), like)
    ]  # fmt: skip
    if not spans:
        raise UnknownName("source", pattern, tuple(log.book.keys_of("source")[-3:]))
    return spans


def _within(span: Span, others: Iterable[Span]) -> list[Span]:
    first, last = span
    return [(max(first, one), min(last, other)) for one, other in others if one <= last and other >= first]


def _check_fields(
    log: Log, row: Row, now: Corrections, changes: Mapping[str, object], needed: Callable[[], Iterable[str]]
) -> None:
    """Refuses a field that no result of the pool has and no method reads, since it is probably a typo."""
    if row.kind not in ("game", "session") or row.pool is None:
        return
    known = {*AMENDABLE[row.kind], *row.facts, *now.changes.get(row.position, ())}
    if changes.keys() <= known or changes.keys() <= known.union(needed()):
        return
    known = known.union(needed())
    for name in changes.keys() - known:
        if next(log.fields(row.pool, name, 0, log.head.position), None) is None:
            near = spelt_like(name.strip().casefold(), known, 1)
            advice = f"did you mean {near[0]}?" if near else f"fields are {', '.join(sorted(known))}"
            raise BadCorrection.of(
                row.uid, "amend", "no result of its pool has a field {name}", advice, name=quoted(name)
            )


@frozen
class Propose:
    """Builds the corrections of one log as events, without appending them.

    Each method takes the reason (`why`), the person who decided it (`by`), and the correction's uid (`own_uid`),
    random for None; proposing it again under its uid records nothing new. If there are several events, the first
    has that uid, and the others have `UID-2`, `UID-3`, ...

    Parameters
    ----------
    log : Log
    view : callable
        Returns the view of a pool, given by name, with everything that the log knows.
    needed : callable
        Returns the fields of results that installed methods read: an amendment may add them.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(uid="g-1", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> Propose(engine.log, engine.core.view).amend("g-1", {"score": 0.5}, own_uid="c-1")[0].changes["score"]
    0.5
    """

    log: Log
    view: Callable[[str], View]
    needed: Callable[[], Iterable[str]] = tuple

    def void(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> tuple[Event, ...]:
        """Builds the event that takes another one back: a void, or an unmerge for a merge."""
        void = ResultVoided(uid=own_uid or new_uid(), of=uid, why=why, by=by)
        rows = self.log.find([void.of, void.uid])
        if void.of not in rows:
            return (void,)  # an append reports what is wrong with it
        events = (_taking_back(rows[void.of], void.uid, why, by),)
        if void.uid not in rows and rows[void.of].kind in CORRECTIONS:  # voiding a result makes no self-pairing
            check_possible(self.log, self.view, events, "void", uid)
        return events

    def amend(
        self, uid: str, changes: Mapping[str, object], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """Builds the amendment of an event; refuses it if it would pair a player with themselves."""
        return self.amend_all([(uid, changes)], why=why, by=by, own_uid=own_uid)

    def merge(
        self, keep: Key, other: Key, *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """Builds the merge of two players; refuses it if they have met."""
        return self.merge_all([(keep, other)], why=why, by=by, own_uid=own_uid)

    def unmerge(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> tuple[Event, ...]:
        """Builds the event that takes a merge back."""
        row = row_of(self.log, uid)
        if row.kind in ("game", "session", "seed", "player"):
            raise BadCorrection.of(uid, "unmerge", "it is a {event}", f"void {uid} takes it back", event=row.kind)
        return (MergeUndone(uid=own_uid or new_uid(), of=uid, why=why, by=by),)

    def revive(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> tuple[Event, ...]:
        """Builds the events that take back every void in force against an event, or every unmerge of a merge."""
        row = row_of(self.log, uid)
        again = recorded_under(self.log, own_uid, "void", lambda void: self._of_another(void, row), why, by)
        if again:
            return again
        uids = numbered_uids(own_uid)
        events = tuple(ResultVoided(uid=next(uids), of=void.uid, why=why, by=by) for void in self._against(row))
        check_possible(self.log, self.view, events, "revive", uid)
        return events

    def rename(
        self, player: Key, called: str, *, pool: str | None = None, at: When | None = None, own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """Builds the description that gives a player another visible name; empty if they have it already."""
        log, player = self.log, player_key(player)
        number = log.book.number("player", player)
        pools = log.book.keys_of("pool")
        if pool is None and not pools:
            raise PoolNotNamed(())
        event = PlayerDescribed(
            uid=own_uid or new_uid(), pool=pool or pools[0], player=player,
            called=nameable(check_player("called", called), "called"), played=EARLIEST if at is None else instant(at),
        )  # fmt: skip
        if own_uid is not None and log.find([own_uid]):
            return (event,)
        new = Descriptions.of(log, event.pool, number).new(event, number)
        return () if new is None else (new,)

    def void_all(
        self, rows: Iterable[Row], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """Builds the events that take back some rows."""
        again = recorded_under(self.log, own_uid, "void", lambda row: "", why, by)
        if again:
            return again
        given = list(rows)
        events = tuple(_taking_back(row, uid, why, by) for uid, row in zip(numbered_uids(own_uid), given, strict=False))
        if any(row.kind in CORRECTIONS for row in given):
            check_possible(self.log, self.view, events, "void")
        return events

    def merge_all(
        self, pairs: Iterable[tuple[Key, Key]], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """Builds the merges of pairs of players; refuses them if two players of one group have met."""
        return merges_of(self.log, self.view, pairs, why=why, by=by, own_uid=own_uid)

    def amend_all(
        self, changed: Iterable[tuple[str, Mapping[str, object]]], *, why: str = "", by: str = "",
        own_uid: str | None = None,
    ) -> tuple[Event, ...]:  # fmt: skip
        """Builds the amendments of events, which are given as pairs of uid and changes.

        Refuses them if one would pair a player with themselves, or has a field that no result has and no method reads.
        """
        log, given, own_uids = self.log, list(changed), numbered_uids(own_uid)
        first = next(own_uids)
        rows, now = log.find([first, *(uid for uid, _ in given)]), corrections_of(log)
        for uid, _ in given:
            if uid not in rows:
                raise UnknownUid(uid)
        events = tuple(
            ordered_by_round(log, self_contained(log, event, rows[event.of], now), rows[event.of], now)
            for event in (
                ResultAmended(uid=own, of=uid, changes=changes, why=why, by=by)
                for own, (uid, changes) in zip(chain([first], own_uids), given, strict=False)
            )
        )
        if not events or first in rows:
            return events
        for uid, changes in given:
            _check_fields(log, rows[uid], now, changes, self.needed)
        seated = [event for event in events if not SEATS.isdisjoint(event.changes)]
        if seated:
            check_possible(log, self.view, seated, "amend")
        return events

    def _against(self, row: Row) -> list[Row]:
        """Returns the voids and unmerges in force against an event."""
        void = corrections_of(self.log).void
        against = [
            other for other in self.log.rows(row.position, None, ("void", "unmerge"))
            if other.ref == row.position and other.position not in void
        ]  # fmt: skip
        if not against:
            why = "it counts already: it was not taken back"
            if row.kind == "pool":  # only another declaration takes it back
                why = "a declaration is never void: declare it again, or void the declaration that took it back"
            raise BadCorrection.of(row.uid, "revive", why)
        return against

    def _of_another(self, void: Row, row: Row) -> str:
        """Returns `ref`, the field that differs, if the void that `void` takes back is not against `row`; else ""."""
        (against,) = self.log.rows_at([void.ref or 0])
        return "" if against.ref == row.position else "ref"


def _taking_back(row: Row, uid: str, why: str, by: str) -> Event:
    """Builds the event that makes a row of the log count as never recorded."""
    return (MergeUndone if row.kind == "merge" else ResultVoided)(uid=uid, of=row.uid, why=why, by=by)
