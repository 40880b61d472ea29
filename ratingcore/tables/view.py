"""A view: what a reader of the first K events believes was played in a pool through day D."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ratingcore.errors import WrongForm
from ratingcore.events import Instant, Row
from ratingcore.tables.arrays import Floats, Ints, frozen_array
from ratingcore.tables.fields import ResultFields, player_column
from ratingcore.tables.games import Games, Span
from ratingcore.tables.needs import Need
from ratingcore.tables.ordering import counted
from ratingcore.tables.sides import Sides
from ratingcore.tables.source import Source
from ratingcore.tables.timeline import SeedTable, Timeline

FOREVER: Instant = 2**62
"""The cut in played time of a view that has none."""


class View:
    """The results of a pool through a day, in order of play, ready for a method.

    Attributes
    ----------
    pool : str
    known_at : int
        How many events of the log the reader knows.
    digest : str
        Digest of those events.
    through : int
        Last instant of played time that counts; `FOREVER` if there is no cut.
    """

    def __init__(self, log: Source, timeline: Timeline, pool: str, through: Instant, key: Callable[[int], str]) -> None:
        self.pool = pool
        self.known_at = timeline.known_at
        self.digest = timeline.digest
        self.through = through
        self._log = log
        self._timeline = timeline
        self._key = key
        self.n_games = int(np.searchsorted(timeline.games.played, through, "right"))
        self.n_sessions = int(np.searchsorted(timeline.sessions.played, through, "right"))
        self.n_players = int(np.searchsorted(timeline.players.first, through, "right"))

    @property
    def timeline(self) -> Timeline:
        """All the reader knows, before and after the cut."""
        return self._timeline

    @cached_property
    def _fields(self) -> ResultFields:
        return ResultFields(self._log, self._timeline)

    def name(self, row: int) -> str:
        """Name of the player in a row of the state."""
        return self._key(int(self._timeline.players.id[row]))

    def names(self) -> list[str]:
        """Names of all players of the view, in order of rows."""
        return [self._key(player) for player in self._timeline.players.id[: self.n_players].tolist()]

    @property
    def last_played(self) -> Instant | None:
        """When the last result of the view was played."""
        ends = [int(t.played[n - 1]) for t, n in self._tables if n]
        return max(ends, default=None)

    @property
    def first_played(self) -> Instant | None:
        """When the first result of the view was played."""
        return min((int(t.played[0]) for t, n in self._tables if n), default=None)

    @property
    def _tables(self):  # type: ignore[no-untyped-def]  # two kinds of table with the same leading columns
        return (self._timeline.games, self.n_games), (self._timeline.sessions, self.n_sessions)

    @cached_property
    def seeds(self) -> SeedTable:
        """Seeds of the view, sorted by time."""
        seeds = self._timeline.seeds
        n = int(np.searchsorted(seeds.played, self.through, "right"))
        values = {name: column[:n] for name, column in seeds.values.items()}
        return SeedTable(seeds.position[:n], seeds.played[:n], seeds.player[:n], values)

    def played_counts(self) -> NDArray[np.int64]:
        """How many results of the view each player took part in."""
        table, sessions = self._timeline.games, self._timeline.sessions
        seated = int(sessions.side[sessions.result[self.n_sessions]])
        counts = np.zeros(len(self._timeline.players.id), dtype=np.int64)
        if 2 * self.n_games < len(table.a):
            for part in (table.a[: self.n_games], table.b[: self.n_games], sessions.player[:seated]):
                counts += counted(part, len(counts))
        else:  # the shorter way round: all there are, less those after the cut
            counts += self._timeline.players.results
            for part in (table.a[self.n_games :], table.b[self.n_games :], sessions.player[seated:]):
                counts -= counted(part, len(counts))
        return counts[: self.n_players]

    def met(self, one: int, other: int) -> bool:
        """Whether two rows sat in one result the reader knows."""
        games, sessions = self._timeline.games, self._timeline.sessions
        if min(one, other) < 0:
            return False
        if (((games.a == one) & (games.b == other)) | ((games.a == other) & (games.b == one))).any():
            return True
        start = sessions.side[sessions.result]
        which = np.searchsorted(start, np.flatnonzero((sessions.player == one) | (sessions.player == other)), "right")
        return bool((np.unique(which, return_counts=True)[1] > 1).any())

    def known(self) -> tuple[Ints, Ints]:
        """Played time and position of all results the reader knows, those after the cut too, in order of play."""
        games, sessions = self._timeline.games, self._timeline.sessions
        if not len(sessions.played):
            return games.played, games.position
        played, order, position = (
            np.concatenate(pair)
            for pair in (
                (games.played, sessions.played),
                (games.order, sessions.order),
                (games.position, sessions.position),
            )
        )
        by = np.lexsort((position, order, played))
        return played[by], position[by]

    def field(self, name: str, positions: Ints) -> NDArray[np.int32]:
        """Codes of the values of a result field at these positions, 0 where it is absent."""
        return self._fields.codes(name, positions)[0]

    def games(self, needs: tuple[Need, ...], method: str) -> Games:
        """The games as columns, with the fields a method needs.

        Raises
        ------
        WrongForm
            If the view holds sessions.
        MissingField, BadField
            If a needed field is absent or cannot be read.
        """
        if self.n_sessions:
            raise WrongForm(method, self.pool, self.n_sessions)
        table = self._timeline.games.take(slice(0, self.n_games))
        facts = {n.name: self._fields.column(n, table.position, method) for n in needs if n.of == "result"}
        return Games(
            frozen_array(table.a), frozen_array(table.b), frozen_array(table.score), frozen_array(table.played),
            frozen_array(table.position), self._span(), facts, self._player_fields(needs, method),
        )  # fmt: skip

    def sides(self, needs: tuple[Need, ...], method: str) -> Sides:
        """Games and sessions in one order of play, as sides with members."""
        sessions, n = self._timeline.sessions, self.n_sessions
        result_needs = tuple(need for need in needs if need.of == "result")
        facts = {need.name: self._fields.column(need, sessions.position[:n], method) for need in result_needs}
        last_side = int(sessions.result[n])
        members = int(sessions.side[last_side])
        seated = Sides(
            sessions.result[: n + 1], sessions.side[: last_side + 1], sessions.player[:members],
            sessions.score[:last_side], sessions.played[:n], sessions.position[:n], self._span(), facts,
            self._player_fields(needs, method),
        )  # fmt: skip
        if not self.n_games:
            return seated.frozen()
        table = self._timeline.games.take(slice(0, self.n_games))
        facts = {need.name: self._fields.column(need, table.position, method) for need in result_needs}
        games = Games(table.a, table.b, table.score, table.played, table.position, self._span(), facts, seated._players)
        if not n:
            return Sides.of(games).frozen()
        order = np.concatenate([table.order, sessions.order[:n]])
        return Sides.of(games).merged(seated, order)

    def _span(self) -> Span:
        first, last = self.first_played, self.last_played
        return Span(0, 0) if first is None or last is None else Span(first, last + 1)

    def _player_fields(self, needs: tuple[Need, ...], method: str) -> dict[str, Floats]:
        wanted = [need for need in needs if need.of == "player"]
        if not wanted:
            return {}
        players = self._timeline.players
        row_of = players.rows(int(players.id.max(initial=0)) + 1)
        rows = self._descriptions()
        return {need.name: player_column(need, rows, row_of, self.name, method, self.n_players) for need in wanted}

    def _descriptions(self) -> list[Row]:
        corrections = self._timeline.corrections
        read = (corrections.read(row) for row in self._log.rows(0, self.known_at, ("player",)))
        now = [row for row in read if row and row.pool == self._timeline.pool and (row.played or 0) <= self.through]
        rooted = [row._replace(a=corrections.root(row.a)) for row in now if row.a is not None]
        return sorted(rooted, key=lambda row: (row.played, row.position))
