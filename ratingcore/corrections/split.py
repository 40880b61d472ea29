"""Split of a player under whose name two people were recorded: some results are given to the other person."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from attrs import evolve, frozen

from ratingcore.columns import View
from ratingcore.corrections.guards import numbered_uids, recorded_under, self_contained
from ratingcore.errors import BadCorrection
from ratingcore.events import Event, Instant, ResultAmended, Row, SessionPlayed, When, instant, iso
from ratingcore.events.corrections import Corrections
from ratingcore.events.rows import players_of_amendment, players_of_row
from ratingcore.events.values import name as spelt
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of, decoder_of, row_of


def split_of(
    log: Log,
    views: Iterable[View],
    player: str,
    into: str,
    since: When | None,
    *,
    games: Sequence[str] = (),
    why: str = "",
    by: str = "",
    own_uid: str | None = None,
) -> tuple[Event, ...]:
    """Builds the amendments that give a player's results from a day on, or only some of them, to the player `into`.

    Parameters
    ----------
    views : iterable of View
        Views of the pools in which results move, with everything that the log knows.
    since : time or None
        The first day; None for `games`.
    games : sequence of str
        Uids of results and seeds.

    Raises
    ------
    UnknownName, BadCorrection, Conflict
    """
    into = spelt(into)
    new = log.book.find("player", into)
    again = recorded_under(
        log, own_uid, "amend", lambda row: "" if new in players_of_amendment(row) else "data", why, by
    )
    if again:
        return again
    now = corrections_of(log)
    who = _split_player(log, now, player, into, new)
    if bool(games) is (since is not None):
        raise BadCorrection(player, "split", "give either the first day of the other player or the uids of games")
    rows = list(_chosen(log, now, who, player, games) if since is None else _counting_for(log, now, views, who, since))
    if since is not None and not rows:
        raise BadCorrection.of(player, "split", "nothing was played from {day} on", day=iso(instant(since)))
    uids, split = numbered_uids(own_uid), _Split(log, now, who, into, None if new is None else now.root(new))
    amended = (ResultAmended(uid=next(uids), of=row.uid, changes=split.changes(row), why=why, by=by) for row in rows)
    return tuple(self_contained(log, event, row, now) for event, row in zip(amended, rows, strict=True))


def _split_player(log: Log, now: Corrections, player: str, into: str, new: int | None) -> int:
    """Returns the id of the player to split; refuses a player merged into another, or with `into`."""
    who = log.book.number("player", player)
    if now.root(who) != who:
        keep = log.book.key(now.root(who))
        raise BadCorrection.of(
            player, "split", "{player} is merged into {keep}", f"split {keep}, or unmerge first",
            player=player, keep=keep,
        )  # fmt: skip
    if new is not None and now.root(new) == who:
        raise BadCorrection.of(
            player, "split", "{into} and {player} count as one player", "unmerge takes a merge back",
            into=into, player=player,
        )  # fmt: skip
    return who


def _chosen(log: Log, now: Corrections, who: int, player: str, uids: Iterable[str]) -> Iterator[Row]:
    """Yields the rows with some uids, as corrected; refuses a row that does not count for the player."""
    for uid in dict.fromkeys(uids):
        read = now.read(row_of(log, uid))
        if read is None:
            raise BadCorrection.of(uid, "split", "it was taken back", f"revive {uid} first")
        if read.kind not in ("game", "session", "seed") or who not in map(now.root, players_of_row(read)):
            raise BadCorrection.of(uid, "split", "{player} does not play in it", player=player)
        yield read


def _counting_for(log: Log, now: Corrections, views: Iterable[View], who: int, since: When) -> Iterator[Row]:
    """Yields the rows that count for a player from a time on, as corrected, in order of position."""
    starts, positions = {}, set[int]()
    for view in views:
        starts[view.timeline.pool] = view.clock, view.instant(since)
        positions |= _positions(view, who, view.instant(since))
    for row in log.rows(0, None, ("player",)):  # descriptions are not in a timeline
        read = now.read(row)
        if read is None or read.a is None or read.pool not in starts:
            continue
        clock, start = starts[read.pool]
        if now.root(read.a) == who and clock.of_result(read.played or 0) >= start:
            positions.add(row.position)
    yield from filter(None, map(now.read, log.rows_at(positions)))


def _positions(view: View, who: int, start: Instant) -> set[int]:
    """Returns the positions of results and seeds, from a reading of the clock on, of the player with the id `who`."""
    timeline = view.timeline
    row = view.row_of(who)
    if row < 0:
        return set()
    games, sessions, seeds = timeline.games, timeline.sessions, timeline.seeds
    seat = np.flatnonzero(sessions.player == row)
    # seats are listed one side after another: the session of a seat is the last one that begins at it or before
    which = np.searchsorted(sessions.side[sessions.result], seat, "right") - 1
    positions = (
        games.position[((games.a == row) | (games.b == row)) & (games.played >= start)],
        seeds.position[(seeds.player == row) & (seeds.played >= start)],
        sessions.position[which[sessions.played[which] >= start]],
    )
    return set(np.concatenate(positions).tolist())


@frozen
class _Split:
    """Builds the changes that make rows of one player count for another."""

    log: Log
    now: Corrections
    who: int
    into: str
    new: int | None
    """Id of `into` after merges; None if `into` is new to the log."""

    def changes(self, row: Row) -> dict[str, object]:
        """Returns the changes for the amendment of a row, which is given as corrected."""
        members = players_of_row(row)
        if self.new is not None and self.new in map(self.now.root, members):
            raise BadCorrection.of(
                row.uid, "split", "{into} plays in it, too", "nobody plays against themselves", into=self.into
            )
        if row.kind == "session":
            return {"sides": self._sides(row, members)}
        if row.kind == "game":
            return {"a" if self.now.root(members[0]) == self.who else "b": self.into}
        return {"player": self.into}

    def _sides(self, row: Row, members: Sequence[int]) -> list[object]:
        book = self.log.book
        if not book.erased.isdisjoint(members):
            raise BadCorrection.of(row.uid, "split", "a player in it was erased, and sides are recorded by name")
        session = decoder_of(self.log)(row)
        assert isinstance(session, SessionPlayed)
        return [
            evolve(side, players=[
                self.into if self.now.root(player) == self.who else book.key(player) for player in players
            ])
            for side, (players, _) in zip(session.sides, row.facts["sides"], strict=True)
        ]  # fmt: skip
