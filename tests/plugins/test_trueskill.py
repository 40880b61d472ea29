"""TrueSkill and through time: published numbers, exact integrals, rankings of many sides, refusals."""

import itertools
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from ratingcore_trueskill import EarlierTrueSkill, ShorterTrueSkill, TrueSkill, TrueSkillThroughTime, through_time
from ratingcore_trueskill.messages import chained_places, sweep
from ratingcore_trueskill.play import steps
from ratingcore_trueskill.pool_level import RAMPS, PoolLevel

from ratingcore.errors import BadField
from ratingcore.methods.kernels import REPAYS_IMPORT
from ratingcore.plugin import DAY, Games, Span, State
from ratingcore.testing import Law, method_checks
from tests.golden.fields import known, session
from tests.golden.playing import games

NEW = [[25.0, 25.0 / 3.0]]


def after(method: TrueSkill, teams: Any, score: Any, weights: Any = None) -> Any:
    result = session([len(team) for team in teams], score, weights)
    return method.rate(known(method, teams), result)


def test_a_session_of_many_sides_is_rated_by_machine_code() -> None:
    """One of 2,000 sides, which a token may send, counted as 2,000 games: on lists it took 6 s for each list of all."""
    result = session([1] * 2000, [float(n) for n in range(2000)])
    side, start = result.side, result.result
    assert steps(*[()] * 4, start, side) * 2000 >= REPAYS_IMPORT
    assert steps(*[()] * 4, np.arange(0, 4001, 2), np.arange(4001)) == 2


def test_three_newcomers_as_published() -> None:
    """As the package trueskill prints them, without drift: 31.675, 25.000, 18.325."""
    rated = after(TrueSkill(drift=0.0), [NEW] * 3, [3.0, 2.0, 1.0])
    assert rated.state["rating"] == pytest.approx([31.675, 25.0, 18.325], abs=1e-3)
    assert rated.state["deviation"] == pytest.approx([6.656, 6.208, 6.656], abs=1e-3)


@pytest.mark.parametrize("score", [1.0, 0.5])
def test_two_sides_are_rated_as_an_integral_says(score: float) -> None:
    """The posterior mean and deviation of the stronger of two, by a grid over both performances."""
    method = TrueSkill(drift=0.0, draw_chance=0.2)
    teams = [[[28.0, 5.0]], [[22.0, 3.0]]]
    rated = after(method, teams, [score, 1.0 - score])
    eps = method._width * sqrt(2.0) * method.beta
    skill, gap = np.linspace(-20.0, 76.0, 1601), np.linspace(-120.0, 130.0, 8001)
    s = sqrt(3.0**2 + 2.0 * method.beta**2)
    bell = np.exp(-0.5 * ((gap[None, :] - (skill[:, None] - 22.0)) / s) ** 2)
    seen = gap > eps if score == 1.0 else np.abs(gap) <= eps
    weight = np.exp(-0.5 * ((skill - 28.0) / 5.0) ** 2) * bell[:, seen].sum(axis=1)
    mean = float((weight * skill).sum() / weight.sum())
    spread = sqrt(float((weight * (skill - mean) ** 2).sum() / weight.sum()))
    assert (rated.state["rating"][0], rated.state["deviation"][0]) == pytest.approx((mean, spread), abs=5e-3)


def test_a_chain_of_two_is_the_closed_form() -> None:
    """A third side that is sure to be last says nothing, so the first two are rated as if alone."""
    teams = [[[25.0, 8.0], [20.0, 2.0]], [[30.0, 4.0]]]
    alone = after(TrueSkill(), teams, [2.0, 1.0])
    watched = after(TrueSkill(), [*teams, [[-4000.0, 1.0]]], [2.0, 1.0, 0.0])
    assert watched.state["rating"][:3] == pytest.approx(alone.state["rating"], abs=1e-9)
    assert watched.state["deviation"][:3] == pytest.approx(alone.state["deviation"], abs=1e-9)


def test_who_is_named_first_never_matters_even_among_the_tied() -> None:
    teams = [[[25.0, 8.0]], [[30.0, 4.0]], [[22.0, 6.0]], [[28.0, 7.0]]]
    score = [2.0, 2.0, 2.0, 1.0]
    first = after(TrueSkill(), teams, score).state["rating"]
    for order in itertools.permutations(range(4)):
        turned = after(TrueSkill(), [teams[i] for i in order], [score[i] for i in order]).state["rating"]
        assert turned == pytest.approx(first[list(order)], abs=1e-9)


def test_two_newcomers_who_tie_get_the_mean_of_both_orders() -> None:
    """As a chain the one named last got 27.5573 and the other 27.5520, so who is called Ann was ranked second."""
    rated, chained = (
        after(kind(), [NEW] * 3, [2.0, 2.0, 1.0]).state["rating"] for kind in (TrueSkill, EarlierTrueSkill)
    )
    assert sorted(chained[:2]) == pytest.approx([27.5520, 27.5573], abs=1e-4)
    assert rated[0] == pytest.approx(rated[1], abs=1e-12)
    assert rated[0] == pytest.approx((27.5520 + 27.5573) / 2, abs=1e-4)


@pytest.mark.parametrize("score", [[1.0] * 3, [2.0, 1.0, 1.0, 1.0], [3.0, 3.0, 2.0, 2.0, 1.0, 1.0, 1.0], [1.0] * 30])
@pytest.mark.parametrize(
    "method", [TrueSkill(), TrueSkill(draw_chance=0.0), TrueSkill(beta=0.5), TrueSkill(draw_chance=0.7)]
)
def test_equals_who_tie_stay_equals(method: TrueSkill, score: list[float]) -> None:
    state = after(method, [NEW] * len(score), score).state
    for points in set(score):
        tied = np.flatnonzero(np.array(score) == points)
        for name in ("rating", "deviation"):
            assert np.ptp(state[name][tied]) < 1e-9


@pytest.mark.parametrize("players", [1, 2, 3])
def test_names_of_the_tied_move_no_team(players: int) -> None:
    rng = np.random.default_rng(players)
    for score in ([1.0] * 4, [2.0, 2.0, 1.0, 1.0, 1.0], [3.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.0]):
        teams = [[[float(rng.normal(25.0, 8.0)), float(rng.uniform(1.0, 8.0))] for _ in range(players)] for _ in score]
        first = after(TrueSkill(), teams, score).state["rating"].reshape(-1, players)
        for _ in range(5):
            order, seat = rng.permutation(len(score)), rng.permutation(players)
            named = [[teams[i][s] for s in seat] for i in order]
            turned = after(TrueSkill(), named, [score[i] for i in order]).state["rating"].reshape(-1, players)
            assert turned == pytest.approx(first[order][:, seat], abs=1e-9)


def test_a_draw_of_two_is_near_the_closed_form_where_a_third_is_sure_to_be_last() -> None:
    teams = [[[25.0, 8.0], [20.0, 2.0]], [[30.0, 4.0]]]
    alone = after(TrueSkill(draw_chance=0.4), teams, [1.0, 1.0]).state
    watched = after(TrueSkill(draw_chance=0.4), [*teams, [[-4000.0, 1.0]]], [1.0, 1.0, 0.0]).state
    assert watched["rating"][:3] == pytest.approx(alone["rating"], abs=0.01)
    assert watched["deviation"][:3] == pytest.approx(alone["deviation"], abs=0.01)


def test_ties_are_near_what_chains_are_published_to_give() -> None:
    """The package trueskill: eight who draw, at 4.592, 4.583, 4.576, 4.573 and back; two on four on two, 1, 2, 2."""
    eight = after(TrueSkill(), [NEW] * 8, [1.0] * 8).state
    assert eight["rating"] == pytest.approx([25.0] * 8, abs=1e-9)
    assert eight["deviation"] == pytest.approx([4.58] * 8, abs=0.015)
    teams = [
        [[40.0, 4.0], [45.0, 3.0]],
        [[20.0, 7.0], [19.0, 6.0], [30.0, 9.0], [10.0, 4.0]],
        [[50.0, 5.0], [30.0, 2.0]],
    ]
    found = after(TrueSkill(), teams, [2.0, 1.0, 1.0]).state
    published = [40.877, 45.493, 19.609, 18.712, 29.353, 9.872, 48.830, 29.813]
    assert found["rating"] == pytest.approx(published, abs=0.02)
    assert found["deviation"] == pytest.approx([3.840, 2.934, 6.396, 5.625, 7.673, 3.891, 4.590, 1.976], abs=0.003)


def test_without_ties_the_numbers_are_those_of_formula_1() -> None:
    teams = [[[25.0, 8.0]], [[30.0, 4.0]], [[22.0, 6.0], [28.0, 7.0]]]
    for score in ([3.0, 2.0, 1.0], [1.0, 3.0, 2.0]):
        new, old = (after(kind(), teams, score).state for kind in (TrueSkill, EarlierTrueSkill))
        assert new["rating"].tolist() == old["rating"].tolist()


def test_a_large_field_comes_to_rest() -> None:
    rated = after(TrueSkill(), [NEW] * 120, list(range(120, 0, -1)))
    assert (np.diff(rated.state["rating"]) < 0.0).all()
    assert rated.state["rating"] + rated.state["rating"][::-1] == pytest.approx(50.0, abs=1e-6)


def test_part_of_the_time_moves_less() -> None:
    teams = [[[25.0, 8.0], [25.0, 8.0]], [[25.0, 8.0]]]
    rated = after(TrueSkill(), teams, [1.0, 0.0], [1.0, 0.25, 1.0])
    up, little, down = rated.change.tolist()
    assert up > 0.0 > down
    assert little == pytest.approx(up / 4.0)


def test_a_draw_that_has_no_chance_still_says_that_performances_were_equal() -> None:
    rated = after(TrueSkill(draw_chance=0.0), [[[30.0, 5.0]], [[20.0, 5.0]]], [0.5, 0.5])
    assert rated.state["rating"].sum() == pytest.approx(50.0)
    assert rated.state["rating"][0] < 30.0


def test_two_sides_have_a_chance_of_a_draw_and_three_have_none() -> None:
    method = TrueSkill()
    two, three = session([1, 1], [1.0, 0.0]), session([1, 1, 1], [3.0, 2.0, 1.0])
    equal = known(method, [[[25.0, 0.0]]] * 3)
    assert TrueSkill(drift=0.0).expected(equal, two).draw == pytest.approx([0.1], abs=1e-9)
    assert np.isnan(method.expected(equal, three).draw).all()


@pytest.mark.parametrize("weights", [[1.0, 0.0], [1.0, 1.5]])
def test_parts_that_are_none_are_refused(weights: list[float]) -> None:
    with pytest.raises(BadField, match="position 1"):
        after(TrueSkill(), [NEW, NEW], [1.0, 0.0], weights)


def test_a_match_in_which_all_played_half_the_time_has_the_draw_margin_of_a_whole_one() -> None:
    """As the package trueskill 0.4.5 has it in its tests, test_partial_play: 33.939, 16.061 and 7.312 for all."""
    rated = after(TrueSkill(), [NEW, NEW * 2], [1.0, 0.0], [0.5, 0.5, 0.5])
    assert rated.state["rating"] == pytest.approx([33.939, 16.061, 16.061], abs=5e-4)
    assert rated.state["deviation"] == pytest.approx([7.312] * 3, abs=5e-4)
    before = after(ShorterTrueSkill(), [NEW, NEW * 2], [1.0, 0.0], [0.5, 0.5, 0.5])
    assert before.state["rating"] == pytest.approx([33.731, 16.269, 16.269], abs=5e-4)


def test_where_somebody_played_all_the_time_the_draw_chance_of_equals_is_the_one_asked_for() -> None:
    """The margin of the paper for performances of variance w^2 beta^2: bo, there for half the match, has 27.8275."""
    rated = after(TrueSkill(), [NEW * 2, NEW * 2], [1.0, 0.0], [1.0, 0.5, 1.0, 1.0])
    c = sqrt(3.25 * ((25 / 3) ** 2 + (25 / 300) ** 2 + (25 / 6) ** 2))
    eps = NormalDist().inv_cdf(0.55) * sqrt(3.25) * 25 / 6
    t = (1.5 * 25.0 - 2.0 * 25.0 - eps) / c
    pull = ((25 / 3) ** 2 + (25 / 300) ** 2) / c * NormalDist().pdf(t) / NormalDist().cdf(t)
    assert rated.state["rating"] == pytest.approx([25 + pull, 25 + pull / 2, 25 - pull, 25 - pull], abs=1e-9)
    assert rated.state["rating"][1] == pytest.approx(27.8275, abs=1e-4)


def test_parts_are_rated_as_an_integral_over_the_skill_of_the_winner_says() -> None:
    """One against two, of whom one was there for half of the match; 32.417 by the margin of three whole players."""
    skill, beta = ((25 / 3) ** 2 + (25 / 300) ** 2) ** 0.5, 25 / 6
    x = np.linspace(-12.0, 12.0, 20_001)
    for parts, expected in ((2.25, 32.383), (3.0, 32.417)):
        rest = (1.25 * (skill**2 + beta**2) + beta**2) ** 0.5
        ahead = (-12.5 + skill * x - NormalDist().inv_cdf(0.55) * beta * parts**0.5) / rest
        weight = np.exp(-0.5 * x**2) * np.array([NormalDist().cdf(z) for z in ahead.tolist()])
        assert 25.0 + skill * float((weight * x).sum() / weight.sum()) == pytest.approx(expected, abs=5e-4)
    rated = after(TrueSkill(), [NEW, NEW * 2], [1.0, 0.0], [1.0, 0.5, 1.0])
    assert rated.state["rating"][0] == pytest.approx(32.383, abs=5e-4)


@pytest.mark.parametrize("teams", [[NEW * 2, NEW], [NEW * 2, NEW, NEW]])
def test_who_took_part_in_none_of_it_stays_as_they_are(teams: Any) -> None:
    """A weight of 0 was refused; the others are rated as if that player had not been there."""
    score = [2.0, 1.0, 0.0][: len(teams)]
    rated = after(TrueSkill(), teams, score, [1.0, 0.0, *[1.0] * (len(teams) - 1)])
    alone = after(TrueSkill(), [NEW, *teams[1:]], score)
    assert rated.state["rating"][1] == 25.0
    assert np.delete(rated.state["rating"], 1) == pytest.approx(alone.state["rating"], abs=1e-12)


@method_checks(
    TrueSkill(), TrueSkill(draw_chance=0.0, drift=0.0), TrueSkill(beta=100.0, deviation=400.0, initial=1500.0)
)
def test_trueskill_keeps_the_laws(law: Law, method: TrueSkill) -> None:
    law(method)


def test_three_who_each_beat_the_next_are_equals() -> None:
    """Published: all means 0, deviation 2.395."""
    method = TrueSkillThroughTime(gamma=0.0)
    state = method.rate(State.start(method.columns(), 3), games([0, 1, 2], [1, 2, 0], [1.0] * 3)).state
    assert state["rating"] == pytest.approx([0.0] * 3, abs=1e-8)
    assert state["deviation"] == pytest.approx([2.395] * 3, abs=1e-3)


def test_without_drift_the_order_of_games_is_of_no_account() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 8, 60)
    b, score = (a + rng.integers(1, 8, 60)) % 8, rng.choice([0.0, 0.5, 1.0], 60)
    method = TrueSkillThroughTime(gamma=0.0, draw_chance=0.2)
    start = State.start(method.columns(), 8)
    one, back = method.rate(start, games(a, b, score)), method.rate(start, games(a[::-1], b[::-1], score[::-1]))
    assert one.state["rating"] == pytest.approx(back.state["rating"], abs=1e-8)
    assert one.state["deviation"] == pytest.approx(back.state["deviation"], abs=1e-8)


def test_what_later_games_tell_corrects_the_past() -> None:
    day = np.array([1, 100, 101]) * DAY
    at = np.arange(1, 4)
    results = Games(np.array([0, 1, 1]), np.array([1, 2, 2]), np.array([1.0, 1.0, 1.0]), day, at, Span(0, 200 * DAY))
    method = TrueSkillThroughTime()
    start = State.start(method.columns(), 3)
    early, late = method.rate(start, results.part(0, 1)), method.rate(start, results)
    assert late.state["rating"][0] > early.state["rating"][0]
    assert late.track is not None
    assert late.track.player.tolist() == [0, 1, 1, 1, 2, 2]


def years(players: int, n: int, leagues: int = 1) -> Games:
    """Games of ten years; of several leagues, one game in fifty is between two."""
    rng = np.random.default_rng(7)
    a = rng.integers(0, players, n)
    league = np.where(rng.random(n) < 0.02, rng.integers(0, leagues, n), a % leagues)
    b = (rng.integers(0, players // leagues, n) * leagues + league) % players
    b = np.where(a == b, (b + leagues) % players, b)
    skill = rng.normal(0.0, 3.0, players)
    won = rng.random(n) < 1.0 / (1.0 + np.exp(skill[b] - skill[a]))
    day, at = np.sort(rng.integers(0, 3653, n)) * DAY, np.arange(1, n + 1)
    return Games(a, b, won.astype(np.float64), day, at, Span(0, 3700 * DAY))


@pytest.mark.parametrize("leagues", [1, 3])
@pytest.mark.parametrize("gamma", [0.03, 1e-6, 0.0])
def test_sweeps_alone_come_to_the_same_past(gamma: float, leagues: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slow way: neither the level is settled nor anything foreseen, and steps of 1e-12 may hide a way of 1e-7."""
    method, results = TrueSkillThroughTime(gamma=gamma), years(60, 1500, leagues)
    start = State.start(method.columns(), 60)
    quick = method.rate(start, results)
    monkeypatch.setattr(PoolLevel, "settle", lambda *messages: None)
    monkeypatch.setattr(through_time, "SLOW", np.inf)
    slow = method.rate(start, results)
    assert quick.track is not None
    assert slow.track is not None
    for name in ("rating", "deviation"):
        assert quick.track.columns[name] == pytest.approx(slow.track.columns[name], abs=1e-6)
    assert quick.fitted == pytest.approx(slow.fitted, abs=1e-7)


def test_no_other_level_of_the_pool_is_more_likely() -> None:
    """A second way: the prior and the drift as a full matrix, which the past must not want lifted in any stretch."""
    results = years(40, 600)
    player, n = np.column_stack([results.a, results.b]).ravel(), 2 * len(results)
    before, behind = np.full(n, -1), np.full(n, -1)
    chained_places(player, np.full(40, -1), before, behind)
    time = np.repeat(results.played, 2) / DAY
    gap = np.where(before >= 0, time - time[before], 0.0) * 0.01 + 1e-9
    front, back, game = np.zeros(2 * n), np.zeros(2 * n), np.zeros(2 * n)
    for forwards in (True, False):
        sweep(forwards, before, behind, gap, results.score, 0.5, 0.0, 1.0, front, back, game)
    tied = np.zeros((n, n))
    for k in range(n):
        if before[k] < 0:
            tied[k, k] += 1.0
        else:
            ends = np.ix_([before[k], k], [before[k], k])
            tied[ends] += np.array([[1.0, -1.0], [-1.0, 1.0]]) / gap[k]
    mean = np.linalg.solve(tied + np.diag(game[0::2]), game[1::2])
    said = game[1::2].copy()
    level = PoolLevel.of(time, before, behind, gap, 1.0)
    level.settle(front, back, game)
    lifted = (game[1::2] - said) / game[0::2]
    assert np.abs(lifted).max() > 1e-3
    pieces = np.column_stack([np.ones(n), np.clip(level.time[:, None] - np.arange(RAMPS), 0.0, 1.0)])
    wanted = np.abs(pieces.T @ tied @ mean).max()
    assert np.abs(pieces.T @ tied @ (mean + lifted)).max() < 1e-6 * wanted


@method_checks(TrueSkillThroughTime(), TrueSkillThroughTime(gamma=0.0, draw_chance=0.3, initial=25.0))
def test_trueskill_through_time_keeps_the_laws(law: Law, method: TrueSkillThroughTime) -> None:
    law(method)


def test_lists_show_the_rating_that_a_player_has_almost_surely() -> None:
    method = TrueSkill()
    shown = method.show(known(method, [NEW]), 0)
    assert shown["sure"].tolist() == [0.0]


def test_sweeps_that_stop_short_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    method, results = TrueSkillThroughTime(), years(20, 200)
    start = State.start(method.columns(), 20)
    assert method.rate(start, results).stopped == ""
    monkeypatch.setattr(through_time, "SWEEPS", 4)
    assert method.rate(start, results).stopped.startswith("after 4 sweeps, the last of which still moved")
