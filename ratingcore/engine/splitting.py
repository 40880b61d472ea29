"""Two persons under one name: whose results they are from a day on."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.engine.core import _Names
from ratingcore.engine.saying import Saying, members_of, numbered, row_of
from ratingcore.errors import BadCorrection
from ratingcore.events import Event, ResultAmended, Row, SessionPlayed, When, decode, instant, iso
from ratingcore.events.corrections import Corrections
from ratingcore.events.values import name as spelt
from ratingcore.log import MemoryLog, SqliteLog
from ratingcore.tables import View


class Splitting(Saying):
    """The amendments that a split is made of."""

    def splitting(
        self,
        player: str,
        into: str,
        since: When,
        *,
        why: str = "",
        by: str = "",
        pools: Iterable[str] | None = None,
        own_uid: str | None = None,
    ) -> tuple[Event, ...]:
        """Amendments that give `into` what counts for a player and was played from a day on; `split` says more."""
        into = spelt(into)
        new = self.log.id_of("player", into)
        again = self._said_under(own_uid, "amend", lambda said: "" if new in _named(said) else "data", why, by)
        if again:
            return again
        now = self._said_now()
        who = self.player_id(player)
        if now.root(who) != who:
            keep = self.log.names_book.key(now.root(who))
            raise BadCorrection(player, "split", f"every result counts as one of {keep}", f"split {keep}, or unmerge")
        if new is not None and now.root(new) == who:
            raise BadCorrection(
                player, "split", f"{into} and {player} count as one player", "unmerge takes a merge back"
            )
        rows = list(self._counting_for(who, now, instant(since), self.pools() if pools is None else pools))
        if not rows:
            raise BadCorrection(player, "split", f"nothing was played from {iso(instant(since))} on")
        uids, split = numbered(own_uid), _Split(self.log, now, who, into, new)
        return tuple(
            self._self_contained(ResultAmended(uid=next(uids), of=row.uid, changes=changes, why=why, by=by), row, now)
            for row, changes in ((row, split.changes(row)) for row in rows)
        )

    # what counts for a player

    def _counting_for(self, who: int, now: Corrections, start: int, pools: Iterable[str]) -> Iterator[Row]:
        """Rows that count for a player and were played from an instant on, as they read now, by position."""
        numbers, positions = set(), set()
        for pool in pools:
            view = self.view(pool)
            numbers.add(view.timeline.pool)
            positions |= _positions(view, who, start)
        for row in self.log.rows(0, None, ("player",)):
            read = now.read(row)
            mine = read is not None and read.a is not None and now.root(read.a) == who and read.pool in numbers
            if mine and (read.played or 0) >= start:  # type: ignore[union-attr]  # it is not None
                positions.add(row.position)
        for row in self.log.rows_at(positions):
            read = now.read(row)
            if read is not None:
                yield read


class _Split:
    """How rows read once what counted for one player counts for another."""

    def __init__(self, log: MemoryLog | SqliteLog, now: Corrections, who: int, into: str, new: int | None) -> None:
        self._log = log
        self._now = now
        self._who = who
        self._into = into
        self._new = None if new is None else now.root(new)

    def changes(self, row: Row) -> dict[str, Any]:
        """What an amendment of a row, as it reads now, has to say."""
        members = members_of(row)
        if self._new is not None and self._new in map(self._now.root, members):
            raise BadCorrection(row.uid, "split", f"{self._into} sits in it too", "nobody plays against himself")
        if row.kind == "session":
            return {"sides": self._sides(row, members)}
        if row.kind == "game":
            return {"a" if self._now.root(members[0]) == self._who else "b": self._into}
        return {"player": self._into}

    def _sides(self, row: Row, members: Sequence[int]) -> list[Any]:
        book = self._log.names_book
        if any(book.all[player - 1].key is None for player in members):
            raise BadCorrection(row.uid, "split", "a name in it was erased, so its sides cannot be written again")
        session = decode(row, _Names(self._log))
        assert isinstance(session, SessionPlayed)
        return [
            evolve(side, players=[
                self._into if self._now.root(player) == self._who else book.key(player) for player in players
            ])
            for side, (players, _) in zip(session.sides, row.facts["sides"], strict=True)
        ]  # fmt: skip


def _named(amendment: Row) -> set[int]:
    """Ids of the players whom an amendment names."""
    changes = amendment.facts["set"]
    seated = {player for players, _ in changes.get("sides", ()) for player in players}
    return seated | {changes[name] for name in ("a", "b", "player") if name in changes}


def _positions(view: View, who: int, start: int) -> set[int]:
    """Positions of the results and seeds of a player, by id, that were played from an instant on."""
    timeline = view.timeline
    row = row_of(view, who)
    if row < 0:
        return set()
    games, sessions, seeds = timeline.games, timeline.sessions, timeline.seeds
    found = [
        games.position[((games.a == row) | (games.b == row)) & (games.played >= start)],
        seeds.position[(seeds.player == row) & (seeds.played >= start)],
    ]
    seat = np.flatnonzero(sessions.player == row)
    which = np.searchsorted(sessions.side[sessions.result], seat, "right") - 1
    found.append(sessions.position[which[sessions.played[which] >= start]])
    return set(np.concatenate(found).tolist())
