"""Corrections as events, seen to be possible before they are said; nothing is recorded here."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.engine.core import Base, _Names
from ratingcore.errors import BadCorrection, Conflict, PlayedThemselves
from ratingcore.events import (
    CORRECTIONS,
    Event,
    MergeUndone,
    PlayersMerged,
    ResultAmended,
    ResultVoided,
    Row,
    decode,
)
from ratingcore.events.corrections import Corrections
from ratingcore.events.values import new_uid
from ratingcore.log.overlay import OverlayLog
from ratingcore.tables import View

_SEATS = {"a", "b", "sides"}
"""What an amendment says of who sat where."""


class Saying(Base):
    """The events that corrections are made of: for `record`, `what_if` and `foresee`.

    Each takes who decided it (`by`), the reason (`why`), and a uid of its own (`own_uid`): whoever says the same
    again under the same uid repeats nothing. Of several events the first has that uid, the others `UID-2`, `UID-3`, ...
    """

    def amending(
        self, uid: str, changes: Mapping[str, Any], *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """The amendment of an event, seen to leave a result in which nobody plays himself."""
        event = ResultAmended(uid=own_uid or new_uid(), of=uid, changes=changes, why=why, by=by)
        row = self.log.row_of(uid)
        event = self._self_contained(event, row, self._said_now())
        if self._row_under(event.uid) is None and not _SEATS.isdisjoint(event.changes):
            self._see_apart(OverlayLog(self.log, [event]), row, "amend")
        return (event,)

    def merging(
        self, keep: str, other: str, *, why: str = "", by: str = "", own_uid: str | None = None
    ) -> tuple[Event, ...]:
        """The merge of two players, seen to be two who have never met."""
        event = PlayersMerged(uid=own_uid or new_uid(), keep=keep, other=other, why=why, by=by)
        a, b = self.player_id(event.keep), self.player_id(event.other)
        if self._row_under(event.uid) is None:
            self._see_strangers(a, b, event.other, "merge")
        return (event,)

    def unmerging(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> tuple[Event, ...]:
        """What takes a merge back."""
        row = self.log.row_of(uid)
        if row.kind in ("game", "session", "seed", "player"):
            raise BadCorrection(uid, "unmerge", f"it is a {row.kind}", f"void {uid} counts it as never recorded")
        return (MergeUndone(uid=own_uid or new_uid(), of=uid, why=why, by=by),)

    def reviving(self, uid: str, *, why: str = "", by: str = "", own_uid: str | None = None) -> tuple[Event, ...]:
        """What takes back every void that stands against an event, or every unmerge of a merge."""
        row = self.log.row_of(uid)

        def differs(said: Row) -> str:
            against = next(iter(self.log.rows_at([said.ref or 0])))
            return "" if against.ref == row.position else "ref"

        again = self._said_under(own_uid, "void", differs, why, by)
        if again:
            return again
        now = self._said_now()
        against = [
            said for said in self.log.rows(row.position, None, ("void", "unmerge"))
            if said.ref == row.position and said.position not in now.void
        ]  # fmt: skip
        if not against:
            raise BadCorrection(uid, "revive", "nothing that stands speaks against it", "revive takes back voids")
        uids = numbered(own_uid)
        events = tuple(ResultVoided(uid=next(uids), of=said.uid, why=why, by=by) for said in against)
        if row.kind == "merge" and row.a is not None and row.b is not None:
            self._see_strangers(row.a, row.b, uid, "revive")
        elif row.kind in ("game", "session"):
            self._see_apart(OverlayLog(self.log, events), row, "revive")
        return events

    # what the log knows

    def _said_now(self) -> Corrections:
        return Corrections.of(self.log.rows(0, None, CORRECTIONS))

    def _row_under(self, uid: str | None) -> Row | None:
        return None if uid is None else self.log.find([uid]).get(uid)

    def _said_under(
        self, own_uid: str | None, kind: str, differs: Callable[[Row], str], why: str, by: str
    ) -> tuple[Event, ...]:
        """The events that a correction recorded under this uid, to be said again; none if there are none."""
        first, found = self._row_under(own_uid), []
        if first is None:
            return ()
        field = "kind" if first.kind != kind else differs(first)
        if field:
            raise Conflict(first.uid, first.position, field)
        for position, uid in enumerate(numbered(own_uid), first.position):
            row = self._row_under(uid)
            if row is None or row.position != position or row.kind != kind:
                break
            found.append(evolve(decode(row, _Names(self.log)), why=why, by=by))  # type: ignore[call-arg]  # corrections have both
        return tuple(found)

    # guards

    def _self_contained(self, event: ResultAmended, row: Row, now: Corrections) -> ResultAmended:
        """The amendment with both players where one alone would read as a game against himself.

        A log judges an amendment by the event as it was recorded; where the other player was amended since,
        the amendment says so again.
        """
        one = next(iter({"a", "b"} & event.changes.keys()), "")
        other = "b" if one == "a" else "a"
        known = self._row_under(event.uid)
        changed = known.facts.get("set", {}) if known else now.changes.get(row.position, {})
        if row.kind != "game" or not one or other in event.changes or other not in changed:
            return event
        if self.log.id_of("player", str(event.changes[one])) != getattr(self.log.row_of(row.uid), other):
            return event
        book = self.log.names_book
        if book.all[changed[other] - 1].key is None:  # nobody can be named by what stands for an erased name
            return event
        return evolve(event, changes={**event.changes, other: book.key(changed[other])})

    def _see_apart(self, trial: OverlayLog, row: Row, verb: str) -> None:
        """Refuse a correction after which a player would sit twice in a result."""
        now = Corrections.of(trial.rows(0, None, CORRECTIONS))
        read = now.read(row)
        seated: dict[int, int] = {}
        for player in [] if read is None else members_of(read):
            root = now.root(player)
            if root in seated:
                one, two = (trial.names_book.key(number) for number in (seated[root], player))
                if one == two:
                    raise PlayedThemselves(one)
                raise BadCorrection(row.uid, verb, f"{one} and {two} count as one player", "unmerge them first")
            seated[root] = player

    def _see_strangers(self, a: int, b: int, what: str, verb: str) -> None:
        """Refuse to make one of two players who are one already, or who have met."""
        key, root = self.log.names_book.key, self._said_now().root
        if root(a) == root(b):
            raise BadCorrection(what, verb, f"{key(a)} and {key(b)} count as one player already")
        for pool in self.pools():
            if _met(self.view(pool), a, b):
                raise BadCorrection(what, verb, f"{key(a)} and {key(b)} have met in pool {pool}")


def numbered(own_uid: str | None) -> Iterator[str]:
    """Uids of the events of one correction: as given, then numbered."""
    own_uid = own_uid or new_uid()
    yield own_uid
    yield from (f"{own_uid}-{number}" for number in count(2))


def members_of(row: Row) -> list[int]:
    """Ids of all who sit in a result, or whom a seed or a description is about."""
    if row.kind == "session":
        return [player for players, _ in row.facts["sides"] for player in players]
    return [player for player in (row.a, row.b) if player is not None]


def row_of(view: View, player: int) -> int:
    """Row of the player as whom an id counts; -1 if it has not appeared."""
    root = view.timeline.corrections.root(player)
    rows = np.flatnonzero(view.timeline.players.id == root)
    return int(rows[0]) if len(rows) else -1


def _met(view: View, a: int, b: int) -> bool:
    return view.met(row_of(view, a), row_of(view, b))
