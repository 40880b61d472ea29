"""Writes the games of a table in batches, or sealed in segments, as they are read by columns."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice, pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import Ints
from ratingcore.events import DAY, Instant
from ratingcore.events.values import NO_ID, Fact, exchanged
from ratingcore.importer.game_columns import NotPlain, SomeRows
from ratingcore.importer.meetings import mixed
from ratingcore.importer.notes import SHOWN
from ratingcore.importer.remarks import ResultRemarks, TableRemarks
from ratingcore.importer.row_import import Import
from ratingcore.importer.row_outcomes import column_of
from ratingcore.log import Log
from ratingcore.log.abilities import Seals
from ratingcore.log.append import Store, UidTaken, UidTwice
from ratingcore.log.chain import Batch, Name, games_digest, sealed_digest
from ratingcore.log.derived_uids import Identity, Uids
from ratingcore.log.segments import LEAST, Segment, are_distinct, sealable, texts
from ratingcore.readers import Note

SEALED = 2**16
"""Number of rows from which on the games of a table with typed columns are sealed, and about the size of a segment: to
read one game, its whole segment is unpacked."""
_MOST_LATEST = 1_000_000
"""Number of games of the latest time whose uids are remembered."""


def _segment(
    part: SomeRows, first: int, pool: int, a: Ints, b: Ints, uids: NDArray[np.bytes_] | Sequence[str]
) -> Segment | None:
    """Returns the rows as one segment, of any length; None if they are few, or have further facts or an order."""
    if part.facts is not None or part.order is not None or len(a) < LEAST:
        return None
    uid = uids if isinstance(uids, np.ndarray) else sealable(uids)
    sides = (a.astype(np.int32), b.astype(np.int32))
    return None if uid is None else Segment(first, pool, part.played.astype(np.int64), *sides, part.score, uid)


class PlayerIds:
    """Ids of the players of a table, by their places among its names."""

    def __init__(self) -> None:
        self.ids = np.zeros(0, np.int64)
        """0 or less for a player whose id is not known yet."""

    def unmet(self, part: SomeRows) -> Ints:
        """Returns the places of those players of some rows whose ids are not known yet, in order."""
        if len(part.names) > len(self.ids):
            self.ids = np.concatenate((self.ids, np.zeros(len(part.names), np.int64)))  # more than needed now
        seats = np.concatenate((part.a, part.b))
        seats = seats[self.ids[seats] <= 0]
        first = seats.min(initial=len(part.names))
        places: Ints = np.flatnonzero(np.bincount(seats - first)) + first  # many times as fast as sorting
        return places


class Bulk(Store, Log, Protocol):
    """A log that takes many games at once."""

    def loading(self) -> AbstractContextManager[bool]: ...
    def indexed_last(self, *, names: bool = False) -> AbstractContextManager[bool]: ...
    def write_games(
        self, batch: Batch, names: Sequence[Name], pool: int, columns: Sequence[Sequence[object]]
    ) -> None: ...


class Writing:
    """Writes rows of a table by columns, once the log has the names of its pool and source."""

    def __init__(self, file: Import, log: "Bulk", pool: str, seals: bool) -> None:
        self._file, self._log = file, log
        self._uids = Uids(log.key)
        self._newest = -(2**63)
        """Time of the latest game written so far."""
        self.unindexed = False
        """True while events cannot be found by their uids, because they are indexed later."""
        draft, source = log.draft, file.source or file.report.source
        self._pool, self._source = draft.getter("pool")(pool), draft.getter("source")(source) if source else None
        self.knows_all = not any(draft.name(number).kind == "player" for number in range(1, draft.below + 1))
        """True if the log has no other players than those known here."""
        self._players = PlayerIds()
        self._latest = set[str]()
        """Uids of the games at the time `_newest`."""
        assert file.remarks is not None
        self._remarks, self._met, self._named_pool = file.remarks, ResultRemarks(), pool
        self._seals = seals

    def begin(self, first: SomeRows) -> None:
        """Notes one of the first parts, which the log already has."""
        ids, _ = self._numbered(first, known=True)
        self._newest = max(int(first.played.max()), self._newest)
        self._latest = self._recorded_at(self._newest)
        self._note(first, ids[first.a], ids[first.b])

    def write_all(self, parts: Iterator[SomeRows], anew: bool) -> None:
        """Writes some parts after the first one; with `anew`, indexes are made after them if possible."""
        more = next(parts, None)
        if more is not None and anew and self._cannot_repeat(more):
            with self._log.indexed_last(names=self.knows_all) as self.unindexed:
                while more is not None and self._cannot_repeat(more):
                    self._write_and_report(more)
                    more = next(parts, None)
            self.unindexed = False
        while more is not None:
            self._write_and_report(more)
            more = next(parts, None)

    def notes(self) -> list[Note]:
        """Remarks on all rows, once all are written."""
        return self._met.notes()

    def _note(self, part: SomeRows, a: Ints, b: Ints) -> None:
        note_games(part, a, b, self._named_pool, self._remarks, self._met)

    def _recorded_at(self, played: int) -> set[str]:
        start = self._uids.start(Identity("game", self._pool, played, 0, 0))
        return {row.uid for row in self._log.rows_between(start, start[:-1] + ".")}

    def _cannot_repeat(self, part: SomeRows) -> bool:
        """True if no game of a part can have the derived uid of an earlier one, except of the latest ones written."""
        in_order = bool(part.played.min() >= self._newest) and len(self._latest) < _MOST_LATEST
        return in_order or part.uids is not None

    def write(self, part: SomeRows) -> tuple[Ints, Ints]:
        """Writes rows as one batch, or as segments; returns the ids of their players.

        Raises
        ------
        UidTwice
            If the log has the uid that a row was given.
        """
        log, last = self._log, self._log.last_batch()
        assert last is not None, "the first rows are there"
        first, stop = last.last + 1, last.last + len(part.lines)
        log.draft.begin(first)
        ids, names = self._numbered(part, known=not self.knows_all)
        a, b = ids[part.a], ids[part.b]
        recorded = max(log.now(), last.recorded)
        uids = self._named(part.played, np.minimum(a, b), np.maximum(a, b)) if part.uids is None else part.uids
        segment = _segment(part, first, self._pool, a, b, uids) if self._seals else None
        if segment is not None and isinstance(log, Seals):
            self._seal(log, segment, last.digest, recorded, names)
            return a, b
        uids = texts(uids) if isinstance(uids, np.ndarray) else uids
        head = (last.digest, first, stop, recorded, self._source, names)
        cells = [column.tolist() for column in (a, b, part.score)]
        columns = [uids, part.played.tolist(), part.order or [0] * len(uids), *cells, part.texts()]
        digest = games_digest(*head, self._pool, columns)
        try:
            log.write_games(Batch(first, stop, recorded, self._source, digest), names, self._pool, columns)
        except UidTaken:
            raise UidTwice(min(log.find(uids))) from None
        return a, b

    def _seal(self, log: Seals, games: Segment, digest: str, recorded: Instant, names: Sequence[Name]) -> None:
        """Writes games as segments, a batch each, of which the first has the new names."""
        ends = np.linspace(games.first - 1, games.last, max(len(games) // SEALED, 1) + 1).astype(np.int64).tolist()
        for after, to in pairwise(ends):
            segment = games.part(after, to)
            batch = Batch(after + 1, to, recorded, self._source, "")
            digest = sealed_digest(digest, batch, names, segment)
            log.write_segment(batch._replace(digest=digest), names, segment)
            names = ()

    def _write_and_report(self, part: SomeRows) -> None:
        """Writes a part, and adds its rows to the report."""
        self._note(part, *self.write(part))
        self._file.report.settled.add("taken", part.lines)
        self._file.settings.progress(self._file.report.read)

    def _numbered(self, part: SomeRows, *, known: bool) -> tuple[Ints, list[Name]]:
        """Returns ids of players by their places, and new names; `known` if the log may have players not met yet."""
        draft, places, ids, names = self._log.draft, self._players.unmet(part), self._players.ids, part.names
        if known:
            unmet = [names[at] for at in places.tolist()]
            there = draft.known("player", unmet)
            ids[places] = [there.get(name, 0) for name in unmet]
            places = places[ids[places] == 0]
        fresh = draft.add_all("player", [names[at] for at in places.tolist()])
        ids[places] = [name.id for name in fresh]
        return ids, fresh

    def _named(self, played: Ints, low: Ints, high: Ints) -> NDArray[np.bytes_] | list[str]:
        """Returns uids of games; further games of a pair at one time are numbered."""
        pool, made = self._pool, self._uids.of_games(self._pool, played, low, high)
        uids: NDArray[np.bytes_] | list[str] = made
        again = np.flatnonzero(played <= self._newest)
        there = self._recorded({*texts(made[again])})
        if there or not are_distinct(made):
            turns: dict[str, int] = {}
            for at, uid in zip(again.tolist(), texts(made[again]), strict=True):
                if uid in there and uid not in turns:
                    turns[uid] = self._games_of(Identity("game", pool, int(played[at]), int(low[at]), int(high[at])))
            name = self._uids.naming(turns)
            cells = zip(played.tolist(), low.tolist(), high.tolist(), strict=True)
            uids = [name((0, NO_ID, "game", pool, at, 0, one, other)) for at, one, other in cells]
        newest = int(played.max())
        if newest >= self._newest:
            places = np.flatnonzero(played == newest)
            latest = {uids[at] for at in places.tolist()} if isinstance(uids, list) else {*texts(uids[places])}
            self._latest = latest | self._latest if newest == self._newest else latest
            self._newest = newest
        return uids

    def _games_of(self, identity: Identity) -> int:
        """Returns the number of games of an identity that has at least one, looking up twice as many each time."""
        turn = 1
        while True:
            uids = [self._uids.uid(identity, turn + further) for further in range(turn)]
            there = self._recorded(set(uids))
            if len(there) < len(uids):
                return turn + next(further for further, uid in enumerate(uids) if uid not in there)
            turn += len(uids)

    def _recorded(self, uids: set[str]) -> set[str]:
        """Returns those of the uids that the log has; without an index, only those of games of the latest time."""
        if self.unindexed:
            return uids & self._latest
        return set(self._log.find(list(uids))) if uids else uids


def note_games(part: SomeRows, a: Ints, b: Ints, pool: str, remarks: TableRemarks, met: ResultRemarks) -> None:
    """Examines rows for mistakes, and keeps the first ones for display.

    Parameters
    ----------
    a, b : (n,) int
        A number for each player.

    Raises
    ------
    NotPlain
        If an id mentions one of its players.
    """
    for line, game in islice(part.games(pool), SHOWN - len(remarks.first)):
        remarks.show(line, game)
    lines, orders = column_of(part.lines), np.array(part.order or 0, np.int64)
    facts, which = part.different_facts()
    if part.facts is not None or (part.played % DAY != 0).any():
        pools, order = (np.broadcast_to(one, len(lines)) for one in (hash(pool), orders))
        players = np.column_stack((part.a, part.b))
        met.meetings.add(lines, pools, part.played, part.names, players, order, facts, which)
    order = np.broadcast_to(orders, len(lines))
    remarks.add_games(part.lines, part.played, order, lambda row: (part.names[part.a[row]], part.names[part.b[row]]))
    contents = _contents(part, a, b, orders, facts, which)
    remarks.contents.add_all(part.lines, *contents, with_ids=part.uids is not None)
    if part.uids is not None and met.add_ids(part.uids, part.names, part.a, part.b):
        raise NotPlain


def _contents(
    part: SomeRows, a: Ints, b: Ints, order: Ints, facts: Sequence[Mapping[str, Fact]], which: Ints
) -> tuple[Ints, NDArray[np.bool_], Ints]:
    """Returns what `Contents` takes: a number for each content, whether a row is turned, a number for each meeting."""
    turned = a > b
    own = np.array([hash(frozenset(one.items())) for one in facts], np.int64)
    other = np.array([hash(frozenset(exchanged(one).items())) for one in facts], np.int64)
    score = np.round(np.where(turned, 1.0 - part.score, part.score), 9) + 0.0
    hashed = np.where(turned, other[which], own[which])
    meetings = mixed(part.played, np.minimum(a, b), np.maximum(a, b), score)
    if part.facts is None and part.order is None:
        return meetings, turned, meetings
    bare = (order == 0) & (hashed == hash(frozenset()))  # other parts may have the same game
    return np.where(bare, meetings, mixed(meetings, order, hashed)), turned, meetings
