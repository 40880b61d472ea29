"""A view: the results of a pool through a cut in played time, as a reader of the first events of a log knows them."""

from collections.abc import Callable, Collection, Mapping
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import NO_FIELDS, Blanks, Floats, Games, Ints, Need, Span, frozen_array
from ratingcore.columns.log_history import FactBook, LogHistory
from ratingcore.columns.method_input import (
    NONE,
    MethodInput,
    Reads,
    Refused,
    UnreadableResults,
    unreadable,
    without_these,
    without_unreadable,
)
from ratingcore.columns.player_fields import Described, PlayerFields
from ratingcore.columns.result_fields import ResultFields
from ratingcore.columns.sides import Sides
from ratingcore.columns.slices import Slice
from ratingcore.columns.time_travel import SAME, Latest
from ratingcore.columns.timeline import SeedTable, Timeline
from ratingcore.errors import UnknownName, WrongForm
from ratingcore.events import Instant, When, clock, instant, timed
from ratingcore.events.corrections import rooted
from ratingcore.events.times import Timed
from ratingcore.safe_text import Filled

FOREVER: Instant = 2**62
"""`through` of a view without a cut in played time."""


LATER = 2**62
"""A position beyond the end of every log."""


@frozen(eq=False)
class SliceOrigin:
    """Origin of a view of a slice."""

    slice: Slice
    whole: Timeline
    """The timeline of the whole pool."""
    requested: tuple[int, Slice | None]
    """Id of the pool or board that the caller asked for, and the slice of it, if any."""


class View:
    """The results of a pool through a day, in order of play, ready for a method.

    Attributes
    ----------
    pool : str
    known_at : int
        Number of events of the log that the reader knows.
    digest : str
        Digest of those events.
    through : int
        Last instant of played time that counts; `FOREVER` if there is no cut.
    timeline : Timeline
        Everything the reader knows, before and after the cut in played time.
    book : FactBook
        Current names of the log by id.
    unreadable : UnreadableResults
        Results left out because the method that rates the view cannot read them.
    zone : str
        Time zone of the pool, used for all times of the view; empty for UTC.
    clock : Clock
    others : OtherPools or None
        The other pools of the log, as the same reader sees them; None in a view without a log.
    origin : SliceOrigin or None
        Origin of the view if it shows a slice of a pool; None if it shows a whole pool.
    """

    def __init__(
        self,
        log: LogHistory,
        timeline: Timeline,
        pool: str,
        through: Instant,
        book: FactBook,
        latest: "Latest | None" = None,
        unreadable: UnreadableResults = NONE,
        zone: str = "",
        others: Any = None,
        origin: "SliceOrigin | None" = None,
        facts_through: Instant | None = None,
    ) -> None:
        self.pool = pool
        self.origin = origin
        self.known_at = timeline.known_at
        self.digest = timeline.digest
        self.through = through
        self._log = log
        self.timeline = timeline
        self.book = book
        self.unreadable = unreadable
        self.zone = zone
        self.others = others
        self._facts_through = through if facts_through is None else facts_through
        """The instant through which descriptions of players count."""
        self.clock = clock(zone)
        self._latest = latest or Latest(timeline, log)
        self._player_facts: tuple[tuple[Need, ...], dict[str, Floats]] = (), {}
        """The last needs of player fields, and these fields: a cache, since checkpoints repeat the same needs."""
        self.n_games = timeline.table.before(through + 1)
        self.n_sessions = int(np.searchsorted(timeline.sessions.played, through, "right"))
        self.n_players = int(np.searchsorted(timeline.players.first, through, "right"))

    @property
    def recorded_in(self) -> str:
        """The pool in which these results are recorded; for a slice or a board, it is not `pool`."""
        return self.pool if self.origin is None else self.origin.slice.pool

    @property
    def base_pool(self) -> str:
        """The pool or board that was asked for; for a slice, the pool or board that it is part of."""
        return self.pool if self.origin is None else self.pool.partition("[")[0]

    def instant(self, when: When) -> Instant:
        """Returns the first instant of a time; a time of day without an offset is read in the zone of the view."""
        at = timed(when)
        return self.clock.cut(at) if isinstance(at, Timed) else instant(when)

    @property
    def newest(self) -> bool:
        """True if the reader knows the whole log."""
        return self.known_at == self._latest.timeline.known_at

    def same_before(self, position: int) -> Instant:
        """Played time before which a reader of the first `position` events has the same results; `SAME` for all."""
        if position == self.known_at:
            return SAME
        return min(self._latest.same_before(position), self._latest.same_before(self.known_at))

    @cached_property
    def _fields(self) -> ResultFields:
        return ResultFields(self._log, self.timeline, self._latest.fields)

    def row_of(self, player: int) -> int:
        """Row of a player by id, after merges; -1 if they are not in the pool. The row may be beyond the cut."""
        rows = np.flatnonzero(self.timeline.players.id == self.timeline.corrections.root(player))
        return int(rows[0]) if len(rows) else -1

    def row(self, player: int) -> int:
        """Row of a player by id, after merges.

        Raises
        ------
        UnknownName
            If the player is not in the pool at its cuts.
        """
        row = self.row_of(player)
        if not 0 <= row < self.n_players:
            key = Filled("{key} in pool {pool} at this cut", key=self.book.key(player), pool=self.pool)
            raise UnknownName("player", key)
        return row

    def name(self, row: int) -> str:
        """The name of the player in a row of the state."""
        return self.book.key(int(self.timeline.players.id[row]))

    def names(self) -> list[str]:
        """Names of all players of the view, in order of rows."""
        return self.book.keys(self.timeline.players.id[: self.n_players].tolist())

    @property
    def last_played(self) -> Instant | None:
        """Time of the last result of the view."""
        return self._last_of(self.n_games, self.n_sessions)

    def _last_of(self, games: int, sessions: int) -> Instant | None:
        """Time of the last result among the first `games` games and the first `sessions` sessions."""
        ends = [int(self.timeline.sessions.played[sessions - 1])] if sessions else []
        ends += [int(self.timeline.table.part(games - 1, games).played[0])] if games else []
        return max(ends, default=None)

    @property
    def first_played(self) -> Instant | None:
        """Time of the first result of the view."""
        starts = [int(self.timeline.sessions.played[0])] if self.n_sessions else []
        if self.n_games:
            starts.append(int(self.timeline.table.part(0, 1).played[0]))
        return min(starts, default=None)

    @property
    def last_happened(self) -> Instant | None:
        """Time of the last result or seed of the view."""
        return max([at for at in (self.last_played, *self.seeds.played[-1:].tolist()) if at is not None], default=None)

    def last_before(self, at: Instant | None) -> Instant | None:
        """Time of the last result before an instant."""
        return None if at is None else self._last_of(*self.started(at - 1))

    def instants(self, places: list[int]) -> list[Instant]:
        """Approximate times of the results at these places in order of play: their own, or those of later results."""
        if not self.n_sessions:
            last = self.last_played or 0
            return [min(self.timeline.table.near(at), last) for at in places]
        return [int(at) for at in self.known()[0][places]]

    @cached_property
    def seeds(self) -> SeedTable:
        """Seeds of the view, sorted by time."""
        return self.seeds_after(None)

    def seeds_after(self, after: Instant | None) -> SeedTable:
        """Seeds of the view given after an instant."""
        seeds = self.timeline.seeds
        stop = int(np.searchsorted(seeds.played, self.through, "right"))
        some = slice(0 if after is None else int(np.searchsorted(seeds.played, after, "right")), stop)
        values = {name: column[some] for name, column in seeds.values.items()}
        return SeedTable(seeds.position[some], seeds.played[some], seeds.order[some], seeds.player[some], values)

    def played_counts(self, after: Instant | None = None) -> Ints:
        """Number of results of each player in the view, or of those after an instant."""
        timeline, sessions = self.timeline, self.timeline.sessions
        start, first = (0, 0) if after is None else self.started(after)
        total = len(timeline.table)
        seat = sessions.side[sessions.result[[first, self.n_sessions, -1]]].tolist()
        if timeline.results is None or self.n_games - start < start + total - self.n_games:
            return timeline.counts(slice(start, self.n_games), slice(seat[0], seat[1]))[: self.n_players]
        # fewer results are outside than inside: subtract those from all
        earlier = timeline.counts(slice(0, start), slice(0, seat[0]))
        later = timeline.counts(slice(self.n_games, total), slice(seat[1], seat[2]))
        return np.asarray(timeline.results - earlier - later)[: self.n_players]

    def started(self, after: Instant) -> tuple[int, int]:
        """Number of games, and of sessions, played up to an instant."""
        return self.timeline.table.before(after + 1), int(
            np.searchsorted(self.timeline.sessions.played, after, "right")
        )

    def played_by(self, *rows: int) -> Ints:
        """Played times, in order, of the results in which all of these players took part."""
        sessions, seats = self.timeline.sessions, len(self.timeline.sessions.player)
        of_seat = np.searchsorted(sessions.side[sessions.result], np.arange(seats), "right") - 1
        sat = [np.unique(of_seat[sessions.player == row]) for row in rows]
        both = sat[0] if len(sat) == 1 else reduce(np.intersect1d, sat)
        found = [sessions.played[both]]
        for games in self.timeline.table.tables():
            found.append(games.played[np.logical_and.reduce([(games.a == row) | (games.b == row) for row in rows])])
        played = np.sort(np.concatenate(found))
        return played[: int(np.searchsorted(played, self.through, "right"))]

    def results_of(self, players: Collection[int]) -> Ints:
        """Positions of all results in which any of these players, given by id, took part, even after the cut."""
        sessions, ids = self.timeline.sessions, self.timeline.players.id
        of_player = np.isin(rooted(ids, self.timeline.corrections.roots), [*players])
        of_seat = np.searchsorted(sessions.side[sessions.result], np.arange(len(sessions.player)), "right") - 1
        found = [sessions.position[np.unique(of_seat[of_player[sessions.player]])]]
        found += [games.position[of_player[games.a] | of_player[games.b]] for games in self.timeline.table.tables()]
        return np.concatenate(found)

    def self_pairing_after(self, roots: Mapping[int, int], ignored: Collection[int] = ()) -> tuple[int, int] | None:
        """Finds the ids of two players who took part in one result and would be one player after merges; else None.

        Results after the cut count, too.

        Parameters
        ----------
        roots : mapping of int to int
            Maps the id of each player who would be merged to the id of the player they would be merged into.
        ignored : collection of int
            Positions of results to ignore.
        """
        games, sessions, ids = self.timeline.games, self.timeline.sessions, self.timeline.players.id
        root, left_out = rooted(ids, roots), list(ignored)
        same = np.flatnonzero(root[games.a] == root[games.b])
        same = same[~np.isin(games.position[same], left_out)]
        if len(same):
            return int(ids[games.a[same[0]]]), int(ids[games.b[same[0]]])
        start = sessions.side[sessions.result]
        which = np.searchsorted(start, np.arange(len(sessions.player)), "right")
        by = np.lexsort((root[sessions.player], which))
        player, which = sessions.player[by], which[by]
        twice = np.flatnonzero((which[1:] == which[:-1]) & (root[player[1:]] == root[player[:-1]]))
        twice = twice[~np.isin(sessions.position[which[twice] - 1], left_out)]
        return (int(ids[player[twice[0]]]), int(ids[player[twice[0] + 1]])) if len(twice) else None

    def known(self) -> tuple[Ints, Ints]:
        """Played times and positions of all results known to the reader, even after the cut, in order of play."""
        return self.timeline.in_order()

    def games(self, needs: tuple[Need, ...], method: str, after: Instant | None = None) -> Games:
        """The games as columns, with the fields a method needs; only those after an instant, if it is given.

        Raises
        ------
        WrongForm
            If the view holds sessions.
        MissingField, BadField
            If a needed field is absent or cannot be read.
        """
        self.games_only(method, after)
        return self._input(needs, method).games(0 if after is None else self.started(after)[0])

    def sides(self, needs: tuple[Need, ...], method: str, after: Instant | None = None) -> Sides:
        """Games and sessions in order of play, as sides with members; only those after an instant, if it is given."""
        return self._input(needs, method).sides(*((0, 0) if after is None else self.started(after)))

    def _input(self, needs: tuple[Need, ...], method: str) -> MethodInput:
        players, end = self.player_facts(needs, method), (self.n_games, self.n_sessions)
        return MethodInput(self.timeline, self._fields, self._span, end, needs, method, players)

    def self_pairings(self) -> Ints:
        """Positions of the games of the view whose two players are one after merges and amendments."""
        rows = self._log.rows_at(sorted(self.timeline.self_pairings)) if self.timeline.self_pairings else ()
        reads = (self.timeline.corrections.read(row) for row in rows)
        through = [row.position for row in reads if row is not None and (row.played or 0) <= self.through]
        return np.array(through, dtype=np.int64)

    def left_out(self, needs: tuple[Need, ...]) -> dict[str, Ints]:
        """Positions of the results left out because of a needed field, in order of play, by the value in words."""
        some = [need for need in needs if need.leaves_out]
        if not some:
            return {}
        played, position = self.known()
        position = position[: int(np.searchsorted(played, self.through, "right"))]
        return {why: at for need in some for why, at in self._fields.left_out(need, position).items()}

    def _with(
        self, timeline: Timeline, through: Instant, unreadable: UnreadableResults, facts_through: Instant | None = None
    ) -> "View":
        return self._named(self.pool, timeline, through, unreadable, self.origin, facts_through)

    def _named(
        self, name: str, timeline: Timeline, through: Instant, unreadable: UnreadableResults,
        origin: SliceOrigin | None, facts_through: Instant | None = None,
    ) -> "View":  # fmt: skip
        return View(
            self._log, timeline, name, through, self.book, self._latest, unreadable, self.zone, self.others, origin,
            facts_through,
        )  # fmt: skip

    def sliced(self, some: Slice, name: str, requested: tuple[int, Slice | None], later: int = LATER) -> "View":
        """The same reader's view of a slice, under a name; it has all results after position `later`.

        Parameters
        ----------
        requested : (int, Slice or None)
            Id of the pool and the slice of it that the caller asked for; a board has an id of its own.
        """
        whole = self.timeline
        if self.origin is not None:  # a slice of a board
            some = Slice(self.origin.slice.pool, (*self.origin.slice.conditions, *some.conditions))
            whole = self.origin.whole
        made = some.of(whole, ResultFields(self._log, whole, self._latest.fields), later)
        return self._named(name, made, self.through, self.unreadable, SliceOrigin(some, whole, requested))

    def cut(self, through: Instant) -> "View":
        """The same reader's view through another instant."""
        return self._with(self.timeline, through, self.unreadable)

    def earlier(self, through: Instant) -> "View":
        """The same reader's view through an earlier instant, but with player descriptions through this view's cut."""
        return self._with(self.timeline, through, self.unreadable, self._facts_through)

    def with_timeline(self, timeline: Timeline) -> "View":
        """The same view of another timeline, which was made from the timeline of this view."""
        return self._with(timeline, self.through, self.unreadable, self._facts_through)

    def readable_by(self, reads: Reads, method: str, refuses: Callable[[Games | Sides], Refused]) -> "View":
        """The same reader's view without the results that a method cannot read; this view if it reads all of them.

        Parameters
        ----------
        reads : Reads
        method : str
            Named in errors.
        refuses : callable
            Returns which games or sides the method refuses; called only if `reads.refusing` is set.
        """
        refused = self._refused(reads, method, refuses)
        timeline, left_out = without_unreadable(self.timeline, reads, self._fields, refused)
        if timeline is self.timeline:
            return self
        return self._with(timeline, self.through, left_out, self._facts_through)

    def without(self, why: Mapping[int, str]) -> "View":
        """The same reader's view without some results, given by position with the reason for each."""
        timeline, left_out = without_these(self.timeline, why)
        return self if timeline is self.timeline else self._with(timeline, self.through, left_out, self._facts_through)

    def unreadable_by(self, reads: Reads, method: str, refuses: Callable[[Games | Sides], Refused]) -> dict[int, str]:
        """Reasons why a method cannot read results, even after the cut, by position; see `readable_by`."""
        return unreadable(self.timeline, reads, self._fields, self._refused(reads, method, refuses))[0]

    def _refused(
        self, reads: Reads, method: str, refuses: Callable[[Games | Sides], Refused]
    ) -> Callable[[Timeline], tuple[Ints, Refused]]:
        """Returns a function that finds which results of a timeline the method refuses, and the positions of all."""

        def refused(timeline: Timeline) -> tuple[Ints, Refused]:
            view = self._with(timeline, FOREVER, NONE)
            results = (view.sides if reads.sides else view.games)(reads.needs, method)
            return results.position, refuses(results)

        return refused

    def labels(self, name: str, positions: Ints) -> tuple[NDArray[np.int32], tuple[str | int | float, ...]]:
        """Codes of a result field at these positions, 0 where absent; and the values of the codes, from code 1 on."""
        return self._fields.codes(name, positions)

    def games_only(self, method: str, after: Instant | None = None) -> None:
        """Raises `WrongForm` if the view holds sessions; only those after an instant count, if it is given."""
        sessions = self.n_sessions - (0 if after is None else self.started(after)[1])
        if sessions > 0:
            raise WrongForm(method, self.pool, sessions)

    def absent(self, needs: tuple[Need, ...]) -> bool:
        """True if no result has any of the needed fields, and each of them has a default."""
        nowhere = np.empty(0, dtype=np.int64)
        plain = all(need.of != "player" and need.default is not None for need in needs)
        return plain and not any(self.labels(need.name, nowhere)[1] for need in needs)

    def games_between(
        self, start: int, stop: int, span: Span | None, blanks: Blanks | None, facts: Mapping[str, Floats] = NO_FIELDS
    ) -> Games:
        """The games from place `start` to before `stop` of a view without sessions.

        `facts` has the defaults of needed fields that no game has.
        """
        games = self.timeline.table

        def later(name: str) -> Ints:
            return frozen_array(getattr(games.part(start, stop, (name,)), name))

        table = games.part(start, stop, ("a", "b", "score"))
        return Games(
            frozen_array(table.a), frozen_array(table.b), frozen_array(table.score),
            partial(later, "played"), partial(later, "position"), span or self._span, facts, blanks=blanks,
        )  # fmt: skip

    @cached_property
    def _span(self) -> Span:
        first, last = self.first_played, self.last_played
        return Span(0, 0) if first is None or last is None else Span(first, last + 1)

    def player_facts(self, needs: tuple[Need, ...], method: str) -> dict[str, Floats]:
        """The fields of players that a method needs, aligned with the rows of the state."""
        wanted = tuple(need for need in needs if need.of == "player")
        if self._player_facts[0] != wanted:
            fields, of = self._players, self._described
            self._player_facts = wanted, {need.name: fields.column(need, of, method, self.name) for need in wanted}
        return self._player_facts[1]

    def player_labels(self, name: str) -> tuple[Ints, tuple[str | int | float, ...]]:
        """Codes of a field of players, -1 where absent; and the values of the codes, in the order first given."""
        return self._players.labels(name, self._described)

    @property
    def player_fields(self) -> tuple[str, ...]:
        """Names of the fields that players have, in any pool, in alphabetical order."""
        return tuple(sorted(self._players.codes))

    def facts_of(self, player: int) -> dict[str, str | int | float]:
        """Facts of a player, by id, in the pool and at the cut, without facts whose latest value is empty."""
        fields = self._players
        mine = np.flatnonzero((fields.player == player) & (fields.pool == self.timeline.pool))
        mine = mine[fields.played[mine] <= self.through]
        latest = {name: code[mine][code[mine] > 0][-1:].tolist() for name, code in fields.codes.items()}
        facts = {name: fields.values[name][code[0] - 1] for name, code in latest.items() if code}
        return {name: value for name, value in facts.items() if value != ""}

    @property
    def called(self) -> Mapping[int, int]:
        """Ids of the latest visible names of players, by player id after merges.

        Descriptions of every pool and day count, since people want to see current names.
        """
        return self._players.called_by_player

    @property
    def _players(self) -> PlayerFields:
        return self._latest.players(self.timeline, self.book)

    @cached_property
    def _described(self) -> Described:
        players = self.timeline.players
        row_of = players.rows(int(players.id.max(initial=0)) + 1)
        return Described(self.timeline.pool, self._facts_through, row_of, self.n_players)
