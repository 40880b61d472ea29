"""Builds correction events (void, amend, merge, unmerge, revive, split) and checks that the log would allow them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from ratingcore.columns import View
from ratingcore.corrections.bulk import Choice, Span, amendments, merges, voids
from ratingcore.corrections.guards import (
    numbered,
    recorded_under,
    row_under,
    see_apart,
    see_strangers,
)
from ratingcore.corrections.split import split_of
from ratingcore.errors import BadCorrection
from ratingcore.events import Event, MergeUndone, PlayersMerged, ResultVoided, Row, When
from ratingcore.events.values import Key, new_uid, player_key
from ratingcore.log import Log
from ratingcore.log.overlay import OverlayLog


@frozen
class Propose:
    """Corrections of one log as events, for `record`, `what_if` and `foresee`. Nothing is appended here.

    Each takes the reason (`why`), who decided it (`by`), and a uid of its own (`own_uid`), made up for None: proposed
    again under the same uid, it repeats nothing. Of several events the first has that uid, the others `UID-2`,
    `UID-3`, ...

    Parameters
    ----------
    log : Log
    view : callable
        Gives the view of a pool, by name, with all that the log knows.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(uid="g-1", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> engine.propose.amend("g-1", {"score": 0.5}, own_uid="c-1")[0].changes["score"]
    0.5
    >>> engine.propose.merge("ann", "bo")
    Traceback (most recent call last):
    ratingcore.errors.event.BadCorrection: cannot merge bo: ann and bo have met in pool p
    """

    log: Log
    view: Callable[[str], View]

    def void(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> tuple[Event, ...]:
        """The event that lets another count as never recorded."""
        return (ResultVoided(uid=own_uid or new_uid(), of=uid, why=why, by=by),)

    def amend(
        self, uid: str, changes: Mapping[str, Any], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """The amendment of an event; refused if it would pair a player with themselves."""
        return self.amend_all([(uid, changes)], why=why, by=by, own_uid=own_uid)

    def merge(
        self, keep: Key, other: Key, *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """The merge of two players; refused if they have met."""
        keep, other = player_key(keep), player_key(other)
        event = PlayersMerged(uid=own_uid or new_uid(), keep=keep, other=other, why=why, by=by)
        a, b = self.log.number_of("player", event.keep), self.log.number_of("player", event.other)
        if row_under(self.log, event.uid) is None:
            see_strangers(self.log, self.view, a, b, event.other, "merge")
        return (event,)

    def unmerge(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> tuple[Event, ...]:
        """The event that takes a merge back."""
        row = self.log.row_of(uid)
        if row.kind in ("game", "session", "seed", "player"):
            raise BadCorrection(uid, "unmerge", f"it is a {row.kind}", f"void {uid} counts it as never recorded")
        return (MergeUndone(uid=own_uid or new_uid(), of=uid, why=why, by=by),)

    def revive(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> tuple[Event, ...]:
        """The events that take back every void that stands against an event, or every unmerge of a merge."""
        row = self.log.row_of(uid)
        again = recorded_under(self.log, own_uid, "void", lambda void: self._of_another(void, row), why, by)
        if again:
            return again
        uids = numbered(own_uid)
        events = tuple(ResultVoided(uid=next(uids), of=void.uid, why=why, by=by) for void in self._against(row))
        if row.kind == "merge" and row.a is not None and row.b is not None:
            see_strangers(self.log, self.view, row.a, row.b, uid, "revive")
        elif row.kind in ("game", "session"):
            see_apart(OverlayLog(self.log, events), row, "revive")
        return events

    def split(
        self,
        player: Key,
        into: Key,
        since: When,
        *,
        why: str = "",
        by: str = "",
        pools: Iterable[str] | None = None,
        own_uid: str | None = None,
    ) -> tuple[Event, ...]:
        """The amendments that give `into` what counts for a player and was played from a day on."""
        chosen = self.log.keys_of("pool") if pools is None else pools
        return split_of(
            self.log,
            map(self.view, chosen),
            player_key(player),
            player_key(into),
            since,
            why=why,
            by=by,
            own_uid=own_uid,
        )

    def void_all(
        self, rows: Iterable[Row], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """The events that take rows back, as `chosen` gives them."""
        return voids(self.log, rows, why, by, own_uid)

    def chosen(self, source: str | None = None, positions: Sequence[Span] | None = None) -> Choice:
        """The events that batches of a source brought, or that stand at positions; `void_all` takes them back."""
        return Choice.of(self.log, source, positions)

    def merge_all(
        self, pairs: Iterable[tuple[Key, Key]], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """The merges of pairs of players; refused if any two who would be one have met."""
        return merges(self.log, self.view, pairs, why, by, own_uid)

    def amend_all(
        self, changed: Iterable[tuple[str, Mapping[str, Any]]], *, why: str = "", by: str = "",
        own_uid: str | None = None,
    ) -> tuple[Event, ...]:  # fmt: skip
        """The amendments of events, pairs of uid and changes; refused if one would pair a player with themselves."""
        return amendments(self.log, changed, why, by, own_uid)

    def _against(self, row: Row) -> list[Row]:
        """Voids and unmerges of an event that were not taken back."""
        void = self.log.corrections().void
        against = [
            other for other in self.log.rows(row.position, None, ("void", "unmerge"))
            if other.ref == row.position and other.position not in void
        ]  # fmt: skip
        if not against:
            raise BadCorrection(row.uid, "revive", "nothing that stands speaks against it", "revive takes back voids")
        return against

    def _of_another(self, void: Row, row: Row) -> str:
        """The field that tells a void of a void of another event from one of this event."""
        (against,) = self.log.rows_at([void.ref or 0])
        return "" if against.ref == row.position else "ref"
