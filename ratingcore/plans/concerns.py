"""The part of a log on which a plan depends, and the first later event that changed it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from glob import escape
from typing import Any, Self

import numpy as np
from attrs import asdict, evolve, frozen

from ratingcore.events import (
    CORRECTIONS,
    Event,
    Instant,
    ListPublished,
    PlayerDescribed,
    PlayersMerged,
    PoolDeclared,
    ResultAmended,
    Row,
)
from ratingcore.events.corrections import Corrections
from ratingcore.events.rows import SEATS, players_of_amendment, players_of_row
from ratingcore.log import Log
from ratingcore.log.chain import is_taken_back
from ratingcore.log.contract import Seen
from ratingcore.log.lookup import bases_of, corrections_of

Players = frozenset[int]


@frozen
class Further:
    """Players, and an instant from which a plan covers all of their results."""

    players: Players
    since: Instant


@frozen
class Brought:
    """A source of which a plan takes back all events.

    Parameters
    ----------
    source : str
        Name of a source, or a pattern with `*` and `?`.
    pool : int or None
        Id of the pool whose events are taken back; None for all pools.
    """

    source: str
    pool: int | None = None

    def first_since(self, log: Log, position: int) -> Row | None:
        """Returns the first event of the source after a position; None if there is none."""
        book = log.book
        for batch in log.batches(position):
            if batch.source is not None and is_like(book.key(batch.source), self.source):
                rows = list(log.rows(batch.first - 1, batch.last))
                pools = {} if self.pool is None else pools_of(log, rows)
                for row in rows:
                    if self.pool is None or pools[row.position] == self.pool:
                        return row
        return None


@frozen
class Concerns:
    """The part of a log on which a plan depends. While it is unchanged, the plan may be applied.

    Parameters
    ----------
    corrected : frozenset of int
        Positions of events that the plan corrects: nothing else may correct them, or a correction of them.
    seated : frozenset of int
        Ids of all records of the players in the results that the plan changes: they may not be merged or unmerged.
    newcomers : frozenset of str
        Names of players in these results that are new to the log.
    split_into : frozenset of str
        Names of players who get results by a split: no other event may bring these names into the log.
    joined : tuple of frozenset of int
        Ids of players who would count as one: no two of them may have met.
    described : frozenset of str
        Names of players whom the plan describes: nothing else may add a description of them, or take one away.
    declared : frozenset of str
        Pools whose declaration must not change.
    published : frozenset of (str, str)
        Pools and names of lists that must not be published by others.
    further : tuple of Further
        Players who may not get further results or descriptions from a day on.
    brought : tuple of Brought
        Sources of which nothing more may be recorded.
    """

    corrected: frozenset[int] = frozenset()
    seated: Players = frozenset()
    newcomers: frozenset[str] = frozenset()
    split_into: frozenset[str] = frozenset()
    joined: tuple[Players, ...] = ()
    described: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    published: frozenset[tuple[str, str]] = frozenset()
    further: tuple[Further, ...] = ()
    brought: tuple[Brought, ...] = ()

    @classmethod
    def of(cls, log: Log, trial: Log, events: Sequence[Event]) -> Self:
        """Finds what planned events depend on in a log; `trial` is the log with them."""
        made = _Gathering(log, trial, events)
        return cls(
            frozenset(made.corrected), frozenset(made.seated), frozenset(made.newcomers), joined=tuple(made.joined),
            described=frozenset(one.player for one in events if isinstance(one, PlayerDescribed)),
            declared=frozenset(made.pools) | {one.pool for one in events if isinstance(one, PoolDeclared)},
            published=frozenset((one.pool, one.name) for one in events if isinstance(one, ListPublished)),
        )  # fmt: skip

    def with_results_of(self, log: Log, player: int, since: Instant) -> Self:
        """Adds the condition that a player gets no further result from an instant on."""
        return evolve(self, further=(*self.further, Further(group_of(corrections_of(log), [player]), since)))

    def joined_with(self, other: "Concerns", seen: Seen) -> Self:
        """Adds the concerns of a plan that was made on top of this one, except about events that this plan adds."""
        return evolve(
            self,
            corrected=self.corrected | {at for at in other.corrected if at <= seen.head.position},
            seated=self.seated | _known(other.seated, seen), newcomers=self.newcomers | other.newcomers,
            split_into=self.split_into | other.split_into, described=self.described | other.described,
            joined=(*self.joined, *(_known(group, seen) for group in other.joined)),
            declared=self.declared | other.declared, published=self.published | other.published,
            further=self.further + other.further, brought=self.brought + other.brought,
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """Returns the concerns as JSON values: numbers, texts and lists."""
        fields = asdict(self, recurse=False).items()
        plain = {name: sorted(value) for name, value in fields if isinstance(value, frozenset)}
        plain["further"] = [[sorted(one.players), one.since] for one in self.further]
        plain["brought"] = [[one.source, one.pool] for one in self.brought]
        return {**plain, "joined": [sorted(one) for one in self.joined]}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Self:
        """Returns the concerns that `as_json` wrote."""
        named = ("corrected", "seated", "newcomers", "split_into", "described", "declared")
        sets = {name: frozenset(given[name]) for name in named}
        return cls(
            **sets, joined=tuple(map(frozenset, given["joined"])), published=frozenset(map(tuple, given["published"])),
            further=tuple(Further(frozenset(players), since) for players, since in given["further"]),
            brought=tuple(Brought(source, pool) for source, pool in given["brought"]),
        )  # fmt: skip

    def change_since(self, log: Log, position: int) -> Row | None:
        """Returns the first event after a position that changes something the plan depends on; None without one."""
        end = log.head.position
        if end <= position:
            return None
        kinds = (*CORRECTIONS, "player", "pool", "list")
        rows, corrections = list(log.rows(position, end, kinds)), corrections_of(log).positions
        whole = self.described or self.joined or self.further
        # a correction that does not correct another one has its base at `ref`
        bases = bases_of(log, [row for row in rows if whole or row.ref is None or row.ref in corrections])
        found = [next((row for row in rows if self._is_touched(log, row, bases.get(row.position))), None)]
        if self.described:
            found += self._descriptions(log, position, rows, bases)
        for player in log.book.known("player", self.split_into).values():
            found += [_first_of(log, player)] if log.book.name(player).batch > position else []
        if self.joined or self.further:
            found += self._results(log, position, {bases[row.position].position: row for row in rows if row.ref})
        found += [one.first_since(log, position) for one in self.brought]
        return min((row for row in found if row is not None), key=lambda row: row.position, default=None)

    def _is_touched(self, log: Log, row: Row, base: Row | None) -> bool:
        """True if a declaration, a published list or a correction changes something that the plan depends on.

        `base` is the first event in a chain of corrections; None if `row` corrects a result, seed or description
        directly.
        """
        if row.kind in ("pool", "list"):
            pool = log.book.key(row.pool or 0)
            return pool in self.declared if row.kind == "pool" else (pool, row.facts["name"]) in self.published
        if base is None:
            return row.ref in self.corrected
        if base.kind != "merge":
            return base.position in self.corrected
        new = {log.book.find("player", name) for name in self.newcomers}
        return not {base.a, base.b}.isdisjoint(self.seated | new)

    def _descriptions(self, log: Log, position: int, rows: Sequence[Row], bases: Mapping[int, Row]) -> Iterator[Row]:
        """Yields events after a position that added or removed a description of a player in `described`."""
        now = corrections_of(log)
        players = group_of(now, log.book.known("player", self.described).values())
        for row in rows:
            base = bases[row.position]
            if base.kind == "merge" and not players.isdisjoint((base.a, base.b)):
                group = sorted(group_of(now, filter(None, (base.a, base.b))))
                if any(True for _ in log.rows(0, None, ("player",), None, group)):
                    yield row
            elif base.kind == "player":
                reads = [base] if row is base else [base, corrections_of(log, position).read(base), now.read(base)]
                if any(read is not None and read.a in players for read in reads):
                    yield row

    def _results(self, log: Log, position: int, brought: Mapping[int, Row]) -> Iterator[Row]:
        """Yields events after a position that added a result which the plan excludes: the result, or a correction.

        `brought` has the last correction of each base event.
        """
        at = set(brought)
        for pool in log.book.keys_of("pool"):
            games = log.games(log.book.number("pool", pool), position, log.head.position)
            for who in self.joined:
                at |= set(games.position[np.isin(games.a, list(who)) & np.isin(games.b, list(who))].tolist())
            for who in (one.players for one in self.further):
                at |= set(games.position[np.isin(games.a, list(who)) | np.isin(games.b, list(who))].tolist())
        rows = {row.position: row for row in log.rows(position, None, ("session", "seed", "player"))}
        rows |= {row.position: row for row in log.rows_at(at)}
        now = corrections_of(log)
        for place, row in rows.items():
            read = now.read(row) if row.kind in ("game", "session", "seed", "player") else None
            if read is not None and self._counts(read):
                yield brought.get(place, row)

    def _counts(self, read: Row) -> bool:
        """True if two players to be merged meet in a result, or if it is a further result that the plan excludes."""
        seats = players_of_row(read)
        if any(sum(player in met for player in seats) > 1 for met in self.joined):
            return True
        played = read.played or 0
        return any(played >= one.since and not one.players.isdisjoint(seats) for one in self.further)


def _known(players: Players, seen: Seen) -> Players:
    """Returns the players whose names were in the log when it was read."""
    return frozenset(player for player in players if player <= seen.names)


def _first_of(log: Log, player: int) -> Row:
    """Returns the first event that names a player."""
    batch = next(log.batches(log.book.name(player).batch - 1))
    rows = log.rows(batch.first - 1, batch.last)
    return next(row for row in rows if player in (players_of_amendment if row.kind == "amend" else players_of_row)(row))


def pools_of(log: Log, rows: Sequence[Row]) -> dict[int, int | None]:
    """Returns the ids of the pools of events, by position; None for an event that belongs to no pool."""
    bases = bases_of(log, (row for row in rows if row.pool is None))
    return {row.position: bases.get(row.position, row).pool for row in rows}


def is_like(source: str, pattern: str) -> bool:
    """True if a source matches a pattern; the pattern of a file does not match the voids that took the file back."""
    takes_back = is_taken_back(source) and not is_taken_back(pattern)
    return source == pattern or (fnmatchcase(source, pattern) and not takes_back)


def pattern_of(log: Log, source: str) -> str:
    """Returns a pattern that matches only the source of this name; a text that names no source is a pattern."""
    return source if log.book.find("source", source) is None else escape(source)


def group_of(reading: Corrections, players: Iterable[int]) -> Players:
    """Returns the ids of all records that count as one of these players, including these."""
    roots = {reading.root(player) for player in players}
    return frozenset(roots | {player for player, root in reading.roots.items() if root in roots})


class _Gathering:
    """Collects what planned corrections depend on."""

    def __init__(self, log: Log, trial: Log, events: Sequence[Event]) -> None:
        self.corrected, self.seated, self.newcomers = set[int](), set[int](), set[str]()
        self.joined: list[Players] = []
        self.pools: set[str] = set()
        merges = [event for event in events if isinstance(event, PlayersMerged)]
        corrections = [event for event in events if event.kind in CORRECTIONS and not isinstance(event, PlayersMerged)]
        if not merges and not corrections:
            return
        now = corrections_of(log)
        for merge in merges:
            self._join(now, [log.book.number("player", merge.keep), log.book.number("player", merge.other)])
        targets = trial.find([event.of for event in corrections])  # type: ignore[attr-defined]  # each is of something
        bases = bases_of(trial, targets.values())
        self.corrected |= {row.position for row in bases.values() if row.kind != "merge"}
        moving = [
            event for event in corrections
            if not SEATS.isdisjoint(getattr(event, "changes", ())) or targets[event.of].kind in CORRECTIONS  # type: ignore[attr-defined]  # corrections are of something
        ]  # fmt: skip
        amended = [event for event in corrections if isinstance(event, ResultAmended)]
        if not moving and not amended:
            return
        then, known = corrections_of(trial), log.book.count
        for event in {event.uid: event for event in (*moving, *amended)}.values():
            base = bases[targets[event.of].position]  # type: ignore[attr-defined]  # as above
            if base.kind == "merge":
                self._join(now, [base.a or 0, base.b or 0], meet=base.position in now.void - then.void)
                continue
            reads = [read for read in (now.read(base), then.read(base)) if read is not None]
            self.pools |= {trial.book.key(read.pool) for read in reads if read.pool is not None}
            if event in moving:
                seats = {player for read in reads for player in players_of_row(read)}
                self.seated |= group_of(now, (player for player in seats if player <= known))
                self.newcomers |= {trial.book.key(player) for player in seats if player > known}

    def _join(self, now: Corrections, players: Sequence[int], *, meet: bool = True) -> None:
        group = group_of(now, players)
        self.seated |= group
        if meet:
            self.joined.append(group)
