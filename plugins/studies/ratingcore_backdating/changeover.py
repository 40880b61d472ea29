"""A change of rule on a given day: the ratings of the old rule are where the new one begins."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from attrs import evolve, frozen

from ratingcore.plugin import BadValue, Cadence, Column, Floats, Ints, Method
from ratingcore.plugin.analysis import Entering, Instant, Replay, SeedTable, Spliced, View, fold

PLANTED = 0
"""Log position of a seed that comes from no event."""


def carried(old: Method, new: Method) -> dict[str, str]:
    """For each column of the new rule, why it cannot be carried over; an empty text if it can.

    Values are carried to the column of the same name. Columns of a pool or of a pair, and columns with several numbers
    a player, cannot be seeded.

    Examples
    --------
    >>> from ratingcore.registry import Registry
    >>> methods = Registry.installed()
    >>> carried(methods.method("elo"), methods.method("elo-margin"))
    {'rating': '', 'season': 'the old rule has none'}
    """
    before = {column.name: column for column in old.columns()}
    return {column.name: _why_not(before.get(column.name), column) for column in new.columns()}


def _why_not(was: Column | None, column: Column) -> str:
    if was is None:
        return "the old rule has none"
    if column.per != "player" or was.per != "player":
        return f"it is of a {column.per if column.per != 'player' else was.per}, not of a player"
    if column.shape or was.shape:
        return "it holds several numbers a player"
    return "it has other words" if was.labels != column.labels else ""


@frozen(eq=False)
class Changeover:
    """An old rule until a day, a new one from then on.

    The new rule rates the results that the old one had not rated by then: those from that day on, and earlier ones of a
    period that the old rule had not closed. The old rule's values of players it had met are seeded before those
    results, column by column; newcomers begin as under the new rule.

    Parameters
    ----------
    old, new : Method
    view : View
        All results, before and after the day.
    at : int
        The instant from which the new rule holds.
    """

    old: Method
    new: Method
    view: View
    at: Instant

    @cached_property
    def before(self) -> Replay:
        """The old rule run over everything before the day."""
        return fold(self.old, self.view.cut(self.at - 1))

    @cached_property
    def games(self) -> Ints:
        """Which games of the whole view the new rule rates."""
        played = self.view.timeline.table.part(0, self.view.n_games).position
        return np.flatnonzero(~np.isin(played, self.before.results.position))

    @cached_property
    def waiting(self) -> int:
        """Number of results before the day that the old rule had not rated yet."""
        played = self.after.timeline.games.played, self.after.timeline.sessions.played
        return sum(int(np.count_nonzero(times < self.at)) for times in played)

    @cached_property
    def after(self) -> View:
        """The view that the new rule rates: the results left to it, and seeds."""
        timeline, rated = self.view.timeline, self.before.results.position
        table = timeline.games.take(np.flatnonzero(~np.isin(timeline.games.position, rated)))
        sessions = timeline.sessions.take(np.flatnonzero(~np.isin(timeline.sessions.position, rated)))
        # The results of an open period lie before the day: seeds and debuts must not come after them.
        begin = min([self.at, *table.played[:1].tolist(), *sessions.played[:1].tolist()])
        later = timeline.seeds.take(timeline.seeds.played >= self.at)
        left = evolve(
            timeline,
            table=Spliced((table,)),
            sessions=sessions,
            seeds=self._seeds(begin).then(later),
            players=timeline.players._replace(debut=np.maximum(timeline.players.debut, begin)),
            results=None,
        )
        view = self.view
        return view.over(left)

    @cached_property
    def planted(self) -> Ints:
        """Rows of the players who have a rating by the old rule, from games or seeds."""
        state, players = self.before.state, self.view.timeline.players
        n = len(state["rating"])
        met = np.zeros(n, dtype=np.bool_)
        met[self.before.member] = True
        seeds = self.view.timeline.seeds
        met[seeds.player[seeds.played < self.at]] = True
        assert len(players.id) >= n, (len(players.id), n)
        return np.flatnonzero(met & ~np.isnan(state["rating"]))

    @property
    def unrated(self) -> int:
        """Number of players who had played and had no rating yet."""
        return int(np.isnan(self.before.state["rating"][np.unique(self.before.member)]).sum())

    @property
    def values(self) -> dict[str, Floats]:
        """The seeded values, by column."""
        names = [name for name, why in carried(self.old, self.new).items() if not why]
        return {name: self.before.state[name][self.planted] for name in names}

    def _seeds(self, begin: Instant) -> SeedTable:
        n = len(self.planted)
        return SeedTable(
            np.full(n, PLANTED, dtype=np.int64), np.full(n, begin, dtype=np.int64), np.zeros(n, dtype=np.int32),
            self.planted.astype(np.int32), self.values,
        )  # fmt: skip

    def run(self) -> Replay:
        """The new rule run over the results left to it."""
        return fold(self.new, self.after)


def check_possible(new: Method, what: str, starts: Sequence[object]) -> None:
    """Check that a rule can begin from given ratings.

    Raises
    ------
    BadValue
        If it is a whole-pool method: it makes every rating anew from all results.
    """
    inner = new.method if isinstance(new, Entering) else new
    if starts and inner.cadence is Cadence.RETROSPECTIVE:
        raise BadValue(
            what, starts[0],
            f"is no day that {new.name} can start from: a whole-pool method makes all ratings from all results and "
            "begins with none; the only start is 'beginning'",
        )  # fmt: skip
