"""The fold with newcomers: their games are kept back until they make a first rating, which is planted."""

from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.errors import BadParameter, Unrated
from ratingcore.methods.contract import Cadence, Change, Rated
from ratingcore.methods.entry import Entering
from ratingcore.methods.initial import RULES
from ratingcore.methods.state import State
from ratingcore.replay.contract_check import owned
from ratingcore.replay.fold import CHUNK, Fold
from ratingcore.replay.newcomers import NEVER, Schedule, months_of, schedule
from ratingcore.replay.plan import Call
from ratingcore.replay.record import Moves, Replay, Sown
from ratingcore.replay.seeds import cuts_of
from ratingcore.tables.arrays import Floats, Ints
from ratingcore.tables.games import Blanks, Games
from ratingcore.tables.timeline import SeedTable
from ratingcore.tables.view import FOREVER, View

ADMITTED = -1
"""Log position of a first rating that the replay made: no event gave it."""


class EnteringFold(Fold):
    """A fold whose unrated players enter as an `Entry` says; NaN in `rating` means unrated."""

    def __init__(self, entering: Entering, view: View, keep: bool) -> None:
        super().__init__(entering.method, view, keep)
        self.first = None  # some of the games are kept back, so all of them are looked at first
        self.entering = entering
        self.entry = entering.entry
        name = entering.name
        if not isinstance(self.results, Games) or self.method.cadence is Cadence.RETROSPECTIVE:
            raise BadParameter(name, "entry", f"works with games, game by game or by period: {self.entry}")
        if self.method.cadence is Cadence.CONTINUOUS and self.entry.rule == "fide2024":
            raise BadParameter(name, "entry", "fide2024 may publish no rating: it needs a period")
        self.games: Games = self.results
        # nobody has a rating from the start
        self.columns = tuple(evolve(c, start=np.nan) if c.name == "rating" else c for c in self.columns)
        self.trials: dict[int, list[tuple[int, float, float]]] = {}
        self.admitted: list[tuple[int, int, int, int, float]] = []

    # continuous

    def _continuous(self) -> Replay:
        games, seeds = self.games, self.view.seeds
        seeded = np.full(self.view.n_players, NEVER)
        due = np.searchsorted(games.played, seeds.played)
        rating = seeds.values.get("rating", np.full(len(due), np.nan))
        given = np.flatnonzero(~np.isnan(rating))[::-1]
        seeded[seeds.player[given]] = due[given]  # the last assignment stands: the earliest
        now = int(months_of(np.array([self.view.through]))[0]) if self.view.through != FOREVER else NEVER
        plan = schedule(self.entry, games.a, games.b, months_of(games.played), seeded, now)
        if self.entry.kind == "refuse" and not plan.rated.all():
            self._refuse(int(np.argmin(plan.rated)), seeded)
        chosen = np.flatnonzero(plan.rated)
        before = np.concatenate([[0], np.cumsum(plan.rated)])
        self.results = games.take(chosen)
        replay = self._replay(self._run(plan, due, before))
        moves = None if replay.moves is None else _spread(replay.moves, chosen, len(games))
        sown = self._sown(evolve(replay.sown, index=due))
        return evolve(replay, method=self.entering, results=games, sown=sown, moves=moves)

    def _run(self, plan: Schedule, due: Ints, before: Ints) -> State:
        """Rate the games of rated players; look opponents up and plant newcomers in time."""
        games, rated, n_players = self.games, self.results, self.view.n_players
        assert isinstance(rated, Games)
        newcomers = np.flatnonzero(plan.admitted <= len(games))
        # at one index newcomers enter first, seeds overrule them, and opponents are looked up last
        index = np.concatenate([plan.admitted[newcomers], due, plan.trial])
        player = np.concatenate([newcomers, self.view.seeds.player, plan.opponent])
        order = np.argsort(index, kind="stable")
        due_at = before[index[order]]
        exact = any(column.per != "player" for column in self.columns)  # pairs and the pool wait for no player
        cut = due_at if exact else cuts_of((rated.a, rated.b), due_at, player[order], n_players)
        opponents = np.full(len(plan.trial), np.nan)
        state, done, blanks = self._state(n_players, self.pairs), 0, Blanks(CHUNK)
        for at, item in zip(cut.tolist(), order.tolist(), strict=True):
            if at > done:
                state = owned(self._stretch(state, done, at, blanks))
                done = at
            seed = item - len(newcomers)
            if seed < 0:
                row, since = int(player[item]), int(index[item])
                rating = self._first(plan, row, opponents)
                state.write("rating", np.array([row]), np.array([rating]))
                self.admitted.append((row, since, 1, int(games.played[since - 1]), rating))
            elif seed < len(due):
                self.planter.plant(state, np.array([seed]), int(due[seed]), 1)
            else:
                opponents[seed - len(due)] = state["rating"][player[item]]
        return self._stretch(state, done, len(rated), blanks)

    def _first(self, plan: Schedule, player: int, opponents: Floats) -> float:
        """First rating of a newcomer, from the games that count for it."""
        mine = np.flatnonzero(plan.newcomer == player)
        trial = plan.trial[mine]
        of_a = self.games.a[trial] == player
        score = np.where(of_a, self.games.score[trial], 1.0 - self.games.score[trial])
        return RULES[self.entry.rule](opponents[mine], score)

    def _refuse(self, index: int, seeded: Ints) -> None:
        games = self.games
        row = games.a[index] if seeded[games.a[index]] > index else games.b[index]
        raise Unrated(self.method.name, self.view.name(int(row)), f"position {int(games.position[index])}")

    # periodic

    def _call(self, state: State, part: Any, call: Call, number: int) -> State:
        rating = state["rating"]
        unrated_a, unrated_b = np.isnan(rating[part.a]), np.isnan(rating[part.b])
        both = ~unrated_a & ~unrated_b
        if self.entry.kind == "refuse" and not both.all():
            at = int(np.argmin(both))
            row = part.a[at] if unrated_a[at] else part.b[at]
            raise Unrated(self.method.name, self.view.name(int(row)), f"position {int(part.position[at])}")
        for g in np.flatnonzero(unrated_a != unrated_b).tolist():
            newcomer, opponent = (part.a[g], part.b[g]) if unrated_a[g] else (part.b[g], part.a[g])
            score = float(part.score[g]) if unrated_a[g] else 1.0 - float(part.score[g])
            kept = int(months_of(part.played[g : g + 1])[0]), float(rating[opponent]), score
            self.trials.setdefault(int(newcomer), []).append(kept)
        chosen = np.flatnonzero(both)
        rated = part if both.all() else part.take(chosen)
        outcome = self._rated(self.method.rate(state, rated), state, rated, whole=True)
        if self.keeper is not None:
            self.keeper.keep(call.start, call.stop, _padded(outcome, chosen, len(part)))
            known = evolve(outcome, after={k: np.where(np.isnan(v), 0.0, v) for k, v in outcome.after.items()})
            self._settle(known, call.stop, number, call.span)
        return self._admit(outcome.state, call, number)

    def _admit(self, state: State, call: Call, number: int) -> State:
        """Plant the newcomers who have played enough, for the next period."""
        month = int(months_of(np.array([call.span.end - 1]))[0])
        for player, games in list(self.trials.items()):
            if not np.isnan(state["rating"][player]):  # a seed was first
                del self.trials[player]
                continue
            counting = [g for g in games if self.entry.kind == "trial" or month - g[0] < self.entry.months]
            self.trials[player] = counting
            if len(counting) < self.entry.games:
                continue
            _, opponents, scores = np.array(counting).T
            rating = RULES[self.entry.rule](opponents, scores)
            if np.isnan(rating):
                continue
            state = owned(state)
            state.write("rating", np.array([player]), np.array([rating]))
            self.admitted.append((player, call.stop, number + 1, call.span.end - 1, rating))
            del self.trials[player]
        return state

    def _periodic(self) -> Replay:
        replay = super()._periodic()
        return evolve(replay, method=self.entering, sown=self._sown(replay.sown))

    def _sown(self, sown: Sown) -> Sown:
        """Seeds of the log and first ratings of newcomers, in the order in which they were planted."""
        if not self.admitted:
            return sown
        player, index, call, played, rating = (np.array(column) for column in zip(*self.admitted, strict=True))
        unknown = np.full(len(player), np.nan)
        seeds = sown.seeds
        # where both stand at one place, the newcomer entered first and the seed overruled it
        by = np.lexsort((np.concatenate([call, sown.call]), np.concatenate([index, sown.index])))

        def both(made: Any, given: Any) -> Any:
            return np.concatenate([made, given])[by]

        values = {name: both(unknown, column) for name, column in seeds.values.items()}
        position, order = both(np.full(len(player), ADMITTED), seeds.position), both(np.zeros(len(player)), seeds.order)
        table = SeedTable(position, both(played, seeds.played), order, both(player, seeds.player), values)
        return Sown(
            table,
            both(index, sown.index),
            both(call, sown.call),
            both(rating, sown.rating),
            both(unknown, sown.jump),
        )


def _padded(outcome: Rated, chosen: Ints, n: int) -> Rated:
    """What a call said of some games, among all of its games."""
    if len(chosen) == n:
        return outcome
    return evolve(
        outcome,
        expected=_placed(outcome.expected, chosen, n, np.nan),
        change=_both_placed(outcome.change, chosen, n),
        draw=None if outcome.draw is None else _placed(outcome.draw, chosen, n, np.nan),
        notes={name: _placed(note, chosen, n, np.nan) for name, note in outcome.notes.items()},
        before={label: _both_placed(moved, chosen, n) for label, moved in outcome.before.items()},
    )


def _both_placed(change: Change, chosen: Ints, n: int) -> Change:
    a, b = change if isinstance(change, tuple) else (change[0::2], change[1::2])
    return _placed(a, chosen, n, 0.0), _placed(b, chosen, n, 0.0)


def _spread(moves: Moves, chosen: Ints, n: int) -> Moves:
    """Moves of some games among all games."""
    members = np.stack([2 * chosen, 2 * chosen + 1], axis=1).ravel()
    return Moves(
        _placed(moves.expected, chosen, n, np.nan),
        _placed(moves.change, members, 2 * n, 0.0),
        None if moves.draw is None else _placed(moves.draw, chosen, n, np.nan),
        {label: _placed(moved, members, 2 * n, 0.0) for label, moved in moves.before.items()},
        moves.held,
        moves.after,
        {name: _placed(note, chosen, n, np.nan) for name, note in moves.notes.items()},
    )


def _placed(column: Floats, chosen: Ints, n: int, other: float) -> Floats:
    whole = np.full(n, other)
    whole[chosen] = column
    return whole
