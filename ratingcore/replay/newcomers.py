"""Entry of newcomers: their games are held back until there are enough for a first rating in the state."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Games, Ints, interleaved
from ratingcore.columns.timeline import SeedTable
from ratingcore.columns.view import FOREVER, View
from ratingcore.errors import BadParameter, Unrated
from ratingcore.events import Instant
from ratingcore.methods.contract import Cadence, Method, Rated
from ratingcore.methods.first_ratings import AT_ONCE, RULES, Carried, Entering, Entry, NewcomerGame
from ratingcore.methods.kernels import kernel
from ratingcore.methods.left_out import over_all
from ratingcore.methods.state import Column, State
from ratingcore.replay.contract_check import owned
from ratingcore.replay.moves import PLANTED, Admitted, Moves, with_admitted
from ratingcore.replay.other_pools import Given, Seats
from ratingcore.replay.period_calls import Call
from ratingcore.replay.replay import Replay
from ratingcore.replay.seeds import Planter, cuts_of

NEVER = 2**62


def months_of(played: Ints) -> NDArray[np.int64]:
    """Calendar month of each instant, counted from January 1970."""
    return played.astype("M8[us]").astype("M8[M]").astype(np.int64)


def month_of(played: Instant) -> int:
    """Calendar month of one instant."""
    return int(months_of(np.array([played]))[0])


class Schedule(NamedTuple):
    """The games that are rated, and those that make first ratings; both follow from who met whom, not from ratings.

    Attributes
    ----------
    rated : (n,) bool
        Whether both players are rated when they meet; only such games go to the method.
    trial : (t,) int
        Games between a newcomer and a rated player that make the newcomer's first rating, in order.
    newcomer, opponent : (t,) int
        Newcomer and rated opponent of each of these games.
    admitted : (players,) int
        Index of the first game in which a newcomer counts as rated, by games; `NEVER` for other players.
    since : (players,) int
        The first month whose games count for the first rating of a newcomer.
    planted : (players,) int
        Index of the first game in which a newcomer has a rating from another pool; `NEVER` for other players.
    """

    rated: NDArray[np.bool_]
    trial: Ints
    newcomer: Ints
    opponent: Ints
    admitted: Ints
    since: Ints
    planted: Ints


@frozen(eq=False)
class Opening:
    """What a run knows of newcomers when it begins: their seeds, and games from the rule before.

    Parameters
    ----------
    seeds : SeedTable
        Seeds of the run.
    rated : (players,) bool
        Players with a rating when the run begins.
    trials : Carried
        Games of newcomers, from the rule before, that are too few for a first rating so far.
    at : int
        The instant after which the run begins.
    keep : bool
        Whether to keep the games that still wait when the run ends.
    """

    seeds: SeedTable
    rated: NDArray[np.bool_]
    trials: Carried = field(factory=dict)
    at: Instant = 0
    keep: bool = False


def schedule(
    entry: Entry, a: Ints, b: Ints, month: Ints, seeded: Ints, now: int = NEVER, *,
    carried: Carried = MappingProxyType({}), keep: bool = False, given: Seats | None = None,
) -> Schedule:  # fmt: skip
    """Finds the game from which on each newcomer is rated, and the games that are rated.

    Parameters
    ----------
    month : (n,) int
        Calendar month of each game, for pooled entry.
    seeded : (players,) int
        Index of the first game for which a player has a rating from the start or by a seed; `NEVER` for newcomers.
    now : int
        Month in which the view ends; nobody enters later.
    carried : Carried
        Games of earlier days that wait to make a first rating.
    keep : bool
        Whether to include games that do not make a first rating yet.
    given : (a, b) of (n,) float64, or None
        Rating of each player in another pool, or NaN. A player with such a rating is rated from that game on.
    """
    kind = np.zeros(len(a), dtype=np.int64)
    admitted = np.full(len(seeded), NEVER)
    recent = np.full((len(seeded), max(entry.games, 1)), -NEVER)
    seen = np.zeros(len(seeded), dtype=np.int64)
    window = entry.months if entry.kind == "pooled" else 0
    for player, trials in carried.items() if entry.games else ():
        for trial in trials:
            recent[player][seen[player] % entry.games] = trial.month
            seen[player] += 1
        if seen[player] >= entry.games and not window:
            admitted[player] = 0
        elif seen[player] >= entry.games and trials[-1].month - trials[-entry.games].month < window:
            admitted[player] = trials[-1].month + 1
    seeded, planted = seeded.copy(), np.full(len(seeded), NEVER)
    nowhere = np.zeros(len(a), dtype=np.int64)
    given_a, given_b = (nowhere, nowhere) if given is None else ((~np.isnan(seat)).astype(np.int64) for seat in given)
    _sort(a, b, month, seeded, entry.games, window, kind, admitted, recent, seen, given_a, given_b, planted)
    since = admitted - window if window else np.full(len(seeded), -NEVER)
    if window:  # turn the month of each admission into the index of the first game from that month on
        some = (admitted < NEVER) & (admitted <= now)
        admitted[some] = np.searchsorted(month, admitted[some])
        admitted[~some] = NEVER
    admitted[seeded <= admitted] = NEVER
    games = np.flatnonzero((kind == _TRIAL_A) | (kind == _TRIAL_B))
    of_a = kind[games] == _TRIAL_A
    newcomer = np.where(of_a, a[games], b[games])
    enters = admitted[newcomer] < NEVER
    counts = enters.copy()
    if window:  # only games in the last months before admission count
        counts &= month[games] >= since[newcomer]
    if keep:
        counts |= ~enters & (seeded[newcomer] == NEVER)
    opponent = np.where(of_a, b[games], a[games])
    return Schedule(kind == _RATED, games[counts], newcomer[counts], opponent[counts], admitted, since, planted)


_RATED, _TRIAL_A, _TRIAL_B, _NEITHER = 0, 1, 2, 3


@kernel
def _sort(
    a: Ints,
    b: Ints,
    month: Ints,
    seeded: Ints,
    wanted: int,
    window: int,
    kind: Ints,
    admitted: Ints,
    recent: Ints,
    seen: Ints,
    given_a: Ints,
    given_b: Ints,
    planted: Ints,
) -> None:
    """Sorts games by which players are rated; `recent[p]` is a ring with the months of newcomer p's last games."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        now = month[g] if window > 0 else g
        i_rated = seeded[i] <= g or admitted[i] <= now
        j_rated = seeded[j] <= g or admitted[j] <= now
        if not i_rated and given_a[g] > 0:
            seeded[i] = planted[i] = g
            i_rated = True
        if not j_rated and given_b[g] > 0:
            seeded[j] = planted[j] = g
            j_rated = True
        if i_rated and j_rated:
            continue
        if not i_rated and not j_rated:
            kind[g] = 3
            continue
        p = j if i_rated else i
        kind[g] = 2 if i_rated else 1
        if wanted == 0:
            continue  # nobody enters by playing
        recent[p][seen[p] % wanted] = month[g]
        seen[p] += 1
        if seen[p] >= wanted:
            if window == 0:
                admitted[p] = g + 1
            elif month[g] - recent[p][seen[p] % wanted] < window:  # month of the oldest of the last `wanted` games
                admitted[p] = month[g] + 1


def check_entry(method: Entering) -> None:
    """Refuses an entry that cannot work with its method."""
    if method.reads is not Games or method.cadence is Cadence.RETROSPECTIVE:
        raise BadParameter(method.name, "entry", f"works with games, game by game or by period: {method.entry}")
    if method.cadence is Cadence.CONTINUOUS and method.entry.own.rule == "fide2024":
        raise BadParameter(method.name, "entry", "fide2024 may publish no rating: it needs a period")
    if method.entry.own.kind == "mean" and np.isnan(initial_rating(method)):
        raise BadParameter(method.name, "entry", f"needs a method that rates the first players: {method.entry}")


def initial_rating(method: Method) -> float:
    """The rating with which the method itself begins; NaN if players begin unrated."""
    return next(float(column.start) for column in method.columns() if column.name == "rating")


def unrated(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Returns the columns with NaN, which means unrated, as the initial value of `rating`."""
    return tuple(evolve(column, start=np.nan) if column.name == "rating" else column for column in columns)


class Newcomers:
    """Base class of the ways in which newcomers enter a run; it records their first ratings.

    Parameters
    ----------
    method : Entering
    view : View
    opening : Opening
    """

    def __init__(self, method: Entering, view: View, opening: Opening) -> None:
        self._method, self._view, self._opening = method, view, opening
        self._entry = method.entry.own
        self._admitted: list[Admitted] = []

    @cached_property
    def _elsewhere(self) -> Given:
        return Given.to(self._method, self._view)

    def _given(self, games: Games) -> Seats | None:
        """Returns the ratings of both players of each game in another pool; None if the entry names no pool."""
        return self._elsewhere.of(games) if self._method.entry.pool else None

    def _planted(self, given: Seats, state: State, games: Games, call: Call, number: int) -> State:
        """Returns the state after unrated players of a period got their rating from another pool, if they have one."""
        player, rating = interleaved(games.a, games.b), interleaved(*given)
        enters = np.isnan(state["rating"][player])
        if self._entry.kind not in AT_ONCE or np.isnan(initial_rating(self._method)):
            enters &= ~np.isnan(rating)  # a player may get a rating in the other pool by a later tournament
        at = np.flatnonzero(enters)
        at = at[np.argsort(games.played[at // 2], kind="stable")]
        at = at[np.unique(player[at], return_index=True)[1]]
        at = at[~np.isnan(rating[at])]
        if not len(at):
            return state
        state = owned(state)
        state.write("rating", player[at], rating[at])
        self._admitted += [
            Admitted(int(player[seat]), call.start, number, call.span.start, float(rating[seat]), PLANTED)
            for seat in at.tolist()
        ]
        return state

    @property
    def waiting(self) -> Carried:
        """Games that still wait at the end of the run to make a first rating, if the run keeps them."""
        return {}

    def restored(self, replay: Replay) -> Replay:
        """Returns the replay with the first ratings among its seeds."""
        return evolve(replay, sown=with_admitted(replay.sown, self._admitted), trials=self.waiting)


def seeded_from(opening: Opening, due: Ints) -> NDArray[np.int64]:
    """Returns the index of the first game in which each player is rated from the start or by a seed; else `NEVER`.

    `due` is the index of the first game after each seed.
    """
    rating = opening.seeds.values.get("rating", np.full(len(due), np.nan))
    given = ~np.isnan(rating)
    seeded = np.where(opening.rated, 0, NEVER)
    np.minimum.at(seeded, opening.seeds.player[given], due[given])
    return seeded


class Trials(Newcomers):
    """Newcomers of a continuous run, whose `Schedule` is made before any game is rated.

    Attributes
    ----------
    rated : Games
        Games between two rated players; only these go to the method.
    """

    def __init__(self, method: Entering, view: View, games: Games, opening: Opening) -> None:
        super().__init__(method, view, opening)
        self._games = games
        self._due = np.searchsorted(games.played, opening.seeds.played)
        seeded = seeded_from(opening, self._due)
        now = NEVER if view.through == FOREVER else month_of(view.through)
        self._seats = self._given(games)
        self._plan = schedule(
            self._entry, games.a, games.b, months_of(games.played), seeded, now,
            carried=opening.trials, keep=opening.keep, given=self._seats,
        )  # fmt: skip
        if self._entry.kind == "refuse" and not self._plan.rated.all():
            at = int(np.argmin(self._plan.rated))
            _refuse(method, view, games, at, seeded[games.a[at]] > at)
        self._chosen = np.flatnonzero(self._plan.rated)
        self._opponents = np.full(len(self._plan.trial), np.nan)
        self.rated = games.take(self._chosen)

    def steps(self, planter: Planter, exact: bool) -> Iterator[tuple[int, Callable[[State], None]]]:
        """Yields steps that write into the state or read from it, each with the index of the rated game it precedes.

        Parameters
        ----------
        exact : bool
            Whether to do each step at its own time; else steps wait for the next game of their player, which saves
            calls.
        """
        plan, games, seeds = self._plan, self._games, self._opening.seeds
        newcomers, planted = np.flatnonzero(plan.admitted <= len(games)), np.flatnonzero(plan.planted < NEVER)
        # Four kinds of steps are joined and sorted. The sort is stable, so at one index newcomers enter first, seeds
        # overrule them, and opponents are looked up last, when they have the rating with which they play.
        index = np.concatenate([plan.admitted[newcomers], plan.planted[planted], self._due, plan.trial])
        player = np.concatenate([newcomers, planted, seeds.player, plan.opponent])
        entering = len(newcomers) + len(planted)
        order = np.argsort(index, kind="stable")
        # turn an index among all games into an index among the rated games
        cut = np.concatenate([[0], np.cumsum(plan.rated)])[index[order]]
        if not exact:
            cut = cuts_of((self.rated.a, self.rated.b), cut, player[order], self._view.n_players)
        for at, item in zip(cut.tolist(), order.tolist(), strict=True):
            seed = item - entering
            if item < len(newcomers):
                yield at, partial(self._admit, int(player[item]), int(index[item]))
            elif seed < 0:
                yield at, partial(self._plant, int(player[item]), int(index[item]))
            elif seed < len(self._due):
                yield at, partial(planter.plant, which=np.array([seed]), index=int(self._due[seed]), call=1)
            else:
                yield at, partial(self._look_up, seed - len(self._due), int(player[item]))

    def _look_up(self, trial: int, opponent: int, state: State) -> None:
        self._opponents[trial] = state["rating"][opponent]

    def _admit(self, player: int, index: int, state: State) -> None:
        """Plants the first rating of a newcomer, from the games that count for it."""
        games = [game for game in self._trials_of(player) if game.month >= self._plan.since[player]]
        _, opponents, scores = np.array(games).T
        rating = RULES[self._entry.rule](opponents, scores)
        state.write("rating", np.array([player]), np.array([rating]))
        at = int(self._games.played[index - 1]) if index else self._opening.at
        self._admitted.append(Admitted(player, index, 1, at, rating))

    def _plant(self, player: int, index: int, state: State) -> None:
        """Writes the rating that another pool gives a newcomer into the state."""
        assert self._seats is not None, "players are planted where an entry names a pool"
        games = self._games
        rating = float(self._seats[0 if games.a[index] == player else 1][index])
        state.write("rating", np.array([player]), np.array([rating]))
        self._admitted.append(Admitted(player, index, 1, int(games.played[index]), rating, PLANTED))

    def _trials_of(self, player: int) -> list[NewcomerGame]:
        """Returns the games that make the first rating of a newcomer, or may do so later."""
        mine, games = np.flatnonzero(self._plan.newcomer == player), self._games
        trial = self._plan.trial[mine]
        score = np.where(games.a[trial] == player, games.score[trial], 1.0 - games.score[trial])
        columns = (months_of(games.played[trial]).tolist(), self._opponents[mine].tolist(), score.tolist())
        return [*self._opening.trials.get(player, ()), *map(NewcomerGame, *columns)]

    @property
    def waiting(self) -> Carried:
        waits = {*self._plan.newcomer.tolist(), *self._opening.trials} - {one.player for one in self._admitted}
        return {player: self._trials_of(player) for player in sorted(waits)} if self._opening.keep else {}

    def restored(self, replay: Replay) -> Replay:
        """Returns a replay of all games, made from the replay of the rated games."""
        moves = None if replay.moves is None else _spread(replay.moves, self._chosen, len(self._games))
        replay = super().restored(evolve(replay, sown=evolve(replay.sown, index=self._due)))
        return evolve(replay, results=self._games, moves=moves)


class WaitingNewcomers(Newcomers):
    """Newcomers of a periodic run, and the games that wait to make their first ratings.

    Parameters
    ----------
    keep : bool
        Whether the run keeps the answers of calls: their columns must then cover all games, not only the rated ones.
    """

    def __init__(self, method: Entering, view: View, keep: bool, opening: Opening) -> None:
        super().__init__(method, view, opening)
        self._keep = keep
        self._trials = {player: list(games) for player, games in opening.trials.items()}

    @property
    def waiting(self) -> Carried:
        return self._trials

    def entered(self, state: State, games: Games, call: Call, number: int) -> State:
        """Returns the state at the start of a period, after newcomers got their ratings from another pool."""
        given = self._given(games)
        return state if given is None else self._planted(given, state, games, call, number)

    def rate(self, rate: Callable[[State, Games], Rated], state: State, games: Games, call: Call, number: int) -> Rated:
        """Rates those games of a period that are between rated players; newcomers enter at the end of the period."""
        rating = state["rating"]
        unrated_a, unrated_b = np.isnan(rating[games.a]), np.isnan(rating[games.b])
        both = ~unrated_a & ~unrated_b
        if self._entry.kind == "refuse" and not both.all():
            at = int(np.argmin(both))
            _refuse(self._method, self._view, games, at, bool(unrated_a[at]))
        for g in np.flatnonzero(unrated_a != unrated_b).tolist():
            newcomer, opponent = (games.a[g], games.b[g]) if unrated_a[g] else (games.b[g], games.a[g])
            score = float(games.score[g]) if unrated_a[g] else 1.0 - float(games.score[g])
            trial = NewcomerGame(month_of(int(games.played[g])), float(rating[opponent]), score)
            self._trials.setdefault(int(newcomer), []).append(trial)
        outcome = rate(state, games if both.all() else games.take(np.flatnonzero(both)))
        if not self._keep:
            return evolve(outcome, state=self._admit(outcome.state, call, number))
        # copied before newcomers are written into the state, since a column may share memory with the state
        after = {label: np.where(np.isnan(amount), 0.0, amount) for label, amount in outcome.after.items()}
        padded = outcome if both.all() else over_all(outcome, both, games)
        return evolve(padded, state=self._admit(outcome.state, call, number), after=after)

    def _admit(self, state: State, call: Call, number: int) -> State:
        """Gives newcomers who have played enough their first rating, for the next period."""
        month = month_of(call.span.end - 1)
        for player, games in list(self._trials.items()):
            if not np.isnan(state["rating"][player]):  # a seed came first
                del self._trials[player]
                continue
            counting = [game for game in games if self._counts(game, month)]
            self._trials[player] = counting
            if len(counting) < self._entry.games:
                continue
            _, opponents, scores = np.array(counting).T
            rating = RULES[self._entry.rule](opponents, scores)
            if np.isnan(rating):  # the rule publishes no rating yet, and the games keep waiting
                continue
            state = owned(state)
            state.write("rating", np.array([player]), np.array([rating]))
            self._admitted.append(Admitted(player, call.stop, number + 1, call.span.end - 1, rating))
            del self._trials[player]
        return state

    def _counts(self, game: NewcomerGame, month: int) -> bool:
        return self._entry.kind == "trial" or month - game.month < self._entry.months


def _refuse(method: Entering, view: View, games: Games, at: int, is_a: bool) -> None:
    row = games.a[at] if is_a else games.b[at]
    raise Unrated(method.name, view.name(int(row)), f"position {int(games.position[at])}")


def _spread(moves: Moves, chosen: Ints, n: int) -> Moves:
    """Returns the moves of the chosen games as columns over all games."""
    members = np.stack([2 * chosen, 2 * chosen + 1], axis=1).ravel()
    games, seats = partial(_placed, chosen, n), partial(_placed, members, 2 * n)
    return evolve(moves.each(games, games, seats), strengths=None)


def _placed(chosen: Ints, n: int, column: Floats, other: float) -> Floats:
    whole = np.full(n, other)
    whole[chosen] = column
    return whole
