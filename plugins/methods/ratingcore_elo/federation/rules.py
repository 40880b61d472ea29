"""Elo by the rules of a federation: game by game, or a period and the list at its end."""

from typing import NoReturn

import numpy as np

from ratingcore.plugin import BadResult, Floats, Games, Rated, State
from ratingcore.plugin.rules import KRegime, KRule, lifted, packed, years
from ratingcore_elo.federation.list_rules import raised, unlisted
from ratingcore_elo.federation.period import Experience, PeriodRules, Reckoned, capped
from ratingcore_elo.federation.players import UnratedPolicy
from ratingcore_elo.federation.views import Views
from ratingcore_elo.inflation import inflation
from ratingcore_elo.loops import play_ruled
from ratingcore_elo.parameters import Parameters
from ratingcore_elo.spreads import OwnSpreads


def rate(elo: Parameters, state: State, games: Games) -> Rated:
    """Rates the games of a call, one by one or together."""
    return _rate_games(elo, state, games) if elo.period is None else _rate_list(elo, state, games)


def gap(elo: Parameters, rating: Floats, games: Games) -> Floats:
    """Returns the difference for the forecast of each game: the wider of its two sides'; NaN if a side is unrated."""
    return _start_gap(elo, rating, _views(elo, games))


def _start_gap(elo: Parameters, rating: Floats, views: Views) -> Floats:
    own = rating[views.player]
    difference = own - rating[views.opponent] + views.ahead
    return views.wider(capped(elo.caps, views, difference, own, ~np.isnan(difference)))


def _rate_games(elo: Parameters, state: State, games: Games) -> Rated:
    players = len(state["rating"])
    columns = {"rating": state.copy("rating")}
    if isinstance(elo.k, KRule):
        columns |= {"counted": state.copy("counted"), "reached": state.copy("reached")}
        regimes, which = elo.k.regimes, elo.k.which(games.played)
    else:
        regimes, which = (KRegime.constant(elo.k),), np.zeros(len(games), dtype=np.int64)
    # with one K for all, the loop counts into columns that are dropped
    counted, reached = (columns.get(name, np.zeros(players)) for name in ("counted", "reached"))
    year = games["born"][:players] if elo.by_age else np.full(players, np.nan)
    regime = elo.caps[0][1]
    kind, _, band = elo.shape.packed()
    difference, expected, change_a, change_b, k_a, k_b = (games.blank() for _ in range(6))
    refused = play_ruled(
        columns["rating"], counted, reached, games.a, games.b, games.score, elo.ahead(games),
        elo.slopes(games), year, years(games.played), which, packed(regimes), kind, band, regime.cap, regime.free_from,
        elo.least, elo.extra, elo.extra_gap, int(elo.unrated is UnratedPolicy.ERROR),
        difference, expected, change_a, change_b, k_a, k_b,
    )  # fmt: skip
    if refused >= 0:
        _refuse(elo, int(games.position[refused]))
    notes = {"k_a": k_a, "k_b": k_b}
    return Rated(state.replace(**columns), expected, (change_a, change_b), elo.draw(difference, games), notes=notes)


def _rate_list(elo: Parameters, state: State, games: Games) -> Rated:
    rating, views = state["rating"], _views(elo, games)
    if elo.unrated is UnratedPolicy.ERROR:
        for position in views.position[np.isnan(rating[views.player])][:1].tolist():
            _refuse(elo, position)
    k = elo.k.at(games.span.start) if isinstance(elo.k, KRule) else KRegime.constant(elo.k)
    curves = elo.curves(games)
    seen_curves = OwnSpreads(views.of_both(curves.slope), curves.band) if isinstance(curves, OwnSpreads) else curves
    rules = PeriodRules(seen_curves, elo.caps, k, elo.rounding, elo.rewards)
    seen = Experience.of(state, games, by_age=elo.by_age)
    if elo.unrated is UnratedPolicy.TWO_PASS:
        done = rules.two_passes(views, seen, rating, elo.initial)
        difference = _start_gap(elo, rating, views)  # a forecast is made before the first pass
    else:
        done = rules.one_pass(views, seen, rating, rating)
        difference = views.wider(done.gap)
    total = views.summed(done.change, len(rating))
    after, final = _listed(elo, games, rating, done.base, total, rules.rounded(total))
    columns = {"rating": final}
    if isinstance(elo.k, KRule):
        columns |= _experience(k, views, seen, done, rating, final)
    (k_a, k_b), (expected_a, expected_b) = views.of_sides(done.k), views.of_sides(done.expected)
    notes = {"k_a": k_a, "k_b": k_b, "expected_a": expected_a, "expected_b": expected_b}
    share, change = curves.share(difference), views.of_sides(done.change)
    return Rated(state.replace(**columns), share, change, elo.draw(difference, games), after=after, notes=notes)


def _experience(
    k: KRegime, views: Views, seen: Experience, done: Reckoned, rating: Floats, final: Floats
) -> dict[str, Floats]:
    """State that a rule for K keeps after a period; a player who fell below the list floor starts again."""
    played = np.bincount(views.player[done.counting], minlength=len(rating))
    fallen = np.isnan(final) & ~np.isnan(done.base)
    return {
        "counted": np.where(fallen, 0.0, seen.counted + played),
        "reached": np.maximum(seen.reached, np.fmax(rating, final) >= k.top_from),
    }


def _listed(
    elo: Parameters, games: Games, rating: Floats, base: Floats, total: Floats, rounded: Floats
) -> tuple[dict[str, Floats], Floats]:
    """Labelled lines at the end of a period, in the order in which they apply, and the ratings after them."""
    after: dict[str, Floats] = {}
    if elo.unrated is UnratedPolicy.TWO_PASS:
        after["first rating"] = np.where(np.isnan(rating) & ~np.isnan(base), base, 0.0)
    if elo.rounding:
        after["rounding"] = rounded - total
    final = base + rounded
    if elo.floor is not None:
        after["floor"] = lifted(games, final, elo.floor)
        final = np.where(after["floor"] > 0.0, elo.floor, final)
    if elo.rule == "by-date":
        after["March 2024"] = raised(final, games.span, whole=elo.rounding)
        final = final + after["March 2024"]
    if elo.mean is not None:
        after["inflation"] = inflation(final, elo.mean, whole=elo.rounding)
        final = final + after["inflation"]
    if elo.list_floor is not None:
        below = unlisted(final, elo.list_floor, games.span.end)
        after["below the list floor"] = np.where(below, np.nan, 0.0)
        final = np.where(below, np.nan, final)
    return after, final


def _views(elo: Parameters, games: Games) -> Views:
    by_event = any(regime.once for _, regime in elo.caps)
    return Views.of(games, elo.ahead(games), games["event"] if by_event else np.full(len(games), np.nan))


def _refuse(elo: Parameters, position: int) -> NoReturn:
    raise BadResult(elo.name, f"position {position}", "a player is unrated, which unrated=error does not allow")
