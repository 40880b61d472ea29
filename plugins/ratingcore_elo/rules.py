"""Elo by the rules of federations: game by game, or list by list."""

from typing import NoReturn

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadResult, Curve, Floats, Games, KRegime, KRule, Rated, State, packed, years
from ratingcore_elo.capping import Dated, capped
from ratingcore_elo.federation import Terms
from ratingcore_elo.lists import ListFloor, raised, unlisted
from ratingcore_elo.periodic import lifted
from ratingcore_elo.players import Experience, Unrated, born
from ratingcore_elo.ruled import play_ruled
from ratingcore_elo.views import Views


@frozen
class Rules:
    """What the parameters of `Elo` say beyond one K for all who are rated from the start.

    Parameters
    ----------
    name : str
        The method, for errors.
    k : float or KRule
    shape : Curve
    cap : tuple of (instant, CapRegime)
    floor : float, rating points
        -inf for none.
    initial : float, rating points
    unrated : Unrated
    whole : bool
        Whether the change of a period is rounded.
    list_floor : ListFloor or None
    dated : bool
        Whether the one-time change of March 2024 belongs to the rules.
    """

    name: str
    k: float | KRule
    shape: Curve
    cap: Dated
    floor: float
    initial: float
    unrated: Unrated
    whole: bool
    list_floor: ListFloor | None
    dated: bool

    def gap(self, rating: Floats, games: Games, ahead: Floats) -> Floats:
        """The difference each game is expected by: the wider of its two; NaN where a side is unrated."""
        return self._start_gap(rating, self._views(games, ahead))

    def _start_gap(self, rating: Floats, views: Views) -> Floats:
        own = rating[views.player]
        gap = own - rating[views.opponent] + views.ahead
        return views.wider(capped(self.cap, views, gap, own, ~np.isnan(gap)))

    def rate_games(self, state: State, games: Games, ahead: Floats) -> tuple[Rated, Floats]:
        """Rate game by game; also the difference each was expected by."""
        rating, players = state.copy("rating"), len(state["rating"])
        if isinstance(self.k, KRule):
            counted, reached = state.copy("counted"), state.copy("reached")
            regimes, which = self.k.regimes, self.k.which(games.played)
        else:
            counted, reached = np.zeros(players), np.zeros(players)
            regimes, which = (KRegime.constant(self.k),), np.zeros(len(games), dtype=np.int64)
        year = born(self.name, games, players) if self._by_age else np.full(players, np.nan)
        regime = self.cap[0][1]
        gap, expected, change_a, change_b, k_a, k_b = (games.blank() for _ in range(6))
        refused = play_ruled(
            rating, counted, reached, games.a, games.b, games.score, ahead, year, years(games.played), which,
            packed(regimes), *self.shape.packed(), regime.cap, regime.free_from, self.floor,
            int(self.unrated is Unrated.ERROR), gap, expected, change_a, change_b, k_a, k_b,
        )  # fmt: skip
        if refused >= 0:
            self._refuse(int(games.position[refused]))
        kept = {"counted": counted, "reached": reached} if isinstance(self.k, KRule) else {}
        notes = {"k_a": k_a, "k_b": k_b}
        return Rated(state.replace(rating=rating, **kept), expected, (change_a, change_b), notes=notes), gap

    def rate_list(self, state: State, games: Games, ahead: Floats) -> tuple[Rated, Floats]:
        """Rate the games of a period and make the list at its end; also the difference each game was expected by."""
        rating, views = state["rating"], self._views(games, ahead)
        if self.unrated is Unrated.ERROR:
            for position in views.position[np.isnan(rating[views.player])][:1].tolist():
                self._refuse(position)
        k = self.k.at(games.span.start) if isinstance(self.k, KRule) else KRegime.constant(self.k)
        terms = Terms(self.shape, self.cap, k, self.whole)
        seen = Experience.of(self.name, state, games, by_age=self._by_age)
        if self.unrated is Unrated.TWO_PASS:
            done = terms.two_passes(views, seen, rating, self.initial)
        else:
            done = terms.one_pass(views, seen, rating, rating)
        total = views.summed(done.change, len(rating))
        after, final = self._lines(games, rating, done.base, total, terms.rounded(total))
        changed = {"rating": final}
        if isinstance(self.k, KRule):
            played = np.bincount(views.player[done.counting], minlength=len(rating))
            fallen = np.isnan(final) & ~np.isnan(done.base)
            changed["counted"] = np.where(fallen, 0.0, seen.counted + played)
            changed["reached"] = np.maximum(seen.reached, np.fmax(rating, final) >= k.top_from)
        (k_a, k_b), (expected_a, expected_b) = views.of_sides(done.k), views.of_sides(done.expected)
        notes = {"k_a": k_a, "k_b": k_b, "expected_a": expected_a, "expected_b": expected_b}
        gap = self._start_gap(rating, views) if self.unrated is Unrated.TWO_PASS else views.wider(done.gap)
        change = views.of_sides(done.change)
        return Rated(state.replace(**changed), self.shape.share(gap), change, after=after, notes=notes), gap

    def _lines(
        self, games: Games, rating: Floats, base: Floats, total: Floats, rounded: Floats
    ) -> tuple[dict[str, Floats], Floats]:
        """Lines at the end of a period, and the ratings after them."""
        after: dict[str, Floats] = {}
        if self.unrated is Unrated.TWO_PASS:
            after["first rating"] = np.where(np.isnan(rating) & ~np.isnan(base), base, 0.0)
        if self.whole:
            after["rounding"] = rounded - total
        final = base + rounded
        if self.floor > -np.inf:
            after["floor"] = lifted(games, final, self.floor)
            final = np.where(after["floor"] > 0.0, self.floor, final)
        if self.dated:
            after["March 2024"] = raised(final, games.span, whole=self.whole)
            final = final + after["March 2024"]
        if self.list_floor is not None:
            below = unlisted(final, self.list_floor, games.span.end)
            after["below the list floor"] = np.where(below, np.nan, 0.0)
            final = np.where(below, np.nan, final)
        return after, final

    @property
    def _by_age(self) -> bool:
        return isinstance(self.k, KRule) and self.k.by_age

    def _views(self, games: Games, ahead: Floats) -> Views:
        by_event = any(regime.once for _, regime in self.cap)
        return Views.of(games, ahead, games["event"] if by_event else np.full(len(games), np.nan))

    def _refuse(self, position: int) -> NoReturn:
        raise BadResult(self.name, f"position {position}", "a player is unrated, which unrated=error does not allow")
