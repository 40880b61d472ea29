"""Bradley and Terry's model: closed forms, both ways of solving, what is joined and what is refused."""

import re
from math import log
from typing import Any

import numpy as np
import pytest
import ratingcore_bradley_terry.bradley_terry as module
import ratingcore_bradley_terry.curvature as curvature
import ratingcore_bradley_terry.fit as climbing
from ratingcore_bradley_terry import BradleyTerry, superiority

from ratingcore.errors import BadResult
from ratingcore.plugin import Games, Solved
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, state

NONE = float("nan")


def solve(method: BradleyTerry, played: Games, given: list[float] | None = None) -> Solved:
    players = int(max(played.a.max(), played.b.max())) + 1
    return method.rate(state(method, given or [NONE] * players), played)


def season(players: int = 40, n: int = 800, home: bool = True) -> Games:
    rng = np.random.default_rng(1)
    skill = rng.normal(0.0, 1.0, players)
    a = rng.integers(0, players, n)
    b = (a + rng.integers(1, players, n)) % players
    won = rng.random(n) < 1.0 / (1.0 + np.exp(skill[b] - skill[a]))
    score = np.where(rng.random(n) < 0.3, 0.5, won)
    return games(a, b, score, **({"home": rng.integers(-1, 2, n)} if home else {}))


def test_deviations_of_two_players_in_closed_form() -> None:
    """Three wins and a loss: the variance of the gap is 1 / (4 p q), and each is known about the mean half as well."""
    solved = solve(BradleyTerry(), games([0] * 4, [1] * 4, [1.0, 1.0, 1.0, 0.0]))
    gap = 400.0 / log(10.0) / (4 * 0.75 * 0.25) ** 0.5
    assert solved.state["deviation"] == pytest.approx([gap / 2] * 2)
    assert superiority(solved, 0, 1) + superiority(solved, 1, 0) == pytest.approx(1.0)
    assert solved.covariance is not None
    assert solved.covariance(0, 1) == pytest.approx(-((gap / 2) ** 2))


def test_the_preset_ordo_is_ordo() -> None:
    """Ordo 1.2.6, `-D -W -V -s 10000 -a 2300`: ratings, and errors of 95 % from its simulations."""
    published = [
        (2302.169, 35.618), (2339.264, 33.949), (2334.253, 34.259), (2154.842, 34.656), (2386.754, 33.409),
        (2329.280, 32.973), (2210.486, 35.514), (2336.890, 34.723), (2290.297, 35.356), (2301.054, 31.984),
        (2269.825, 34.310), (2344.885, 33.208),
    ]  # fmt: skip
    played = season(12, 1500, home=False).replaced(facts={"home": np.ones(1500)})
    solved = solve(BradleyTerry(**BradleyTerry.presets["ordo"], home=None), played)
    rating, error = zip(*published, strict=True)
    assert solved.state["rating"] == pytest.approx(rating, abs=1e-3)
    assert 1.959964 * solved.state["deviation"] == pytest.approx(error, rel=0.05)
    assert solved.coefficients[0].value == pytest.approx(9.70, abs=0.01)


def test_the_draw_parameter_of_two_equals_in_closed_form() -> None:
    """One win, one loss and two draws: half are drawn, so nu is 2 and theta is 3."""
    played = games([0] * 4, [1] * 4, [1.0, 0.5, 0.5, 0.0])
    assert solve(BradleyTerry(ties="davidson"), played).state["drawn"] == pytest.approx([2.0])
    assert solve(BradleyTerry(ties="rao_kupper"), played).state["drawn"] == pytest.approx([3.0])
    forecast = BradleyTerry(ties="davidson").expected(solve(BradleyTerry(ties="davidson"), played).state, played)
    assert forecast.draw == pytest.approx(np.full(4, 0.5))
    known = solve(BradleyTerry(ties="davidson", draw=2.0), played).state["deviation"]
    assert known == pytest.approx([400.0 / log(10.0) * 0.5**0.5] * 2)  # the gap has the curvature 4 (1/2) / 4


def test_the_advantage_at_home_of_two_equals_in_closed_form() -> None:
    played = games([0] * 4 + [1] * 4, [1] * 4 + [0] * 4, [1, 1, 1, 0] * 2, home=[1.0] * 8)
    solved = solve(BradleyTerry(home=None), played)
    assert solved.state["edge"] == pytest.approx([400.0 * np.log10(3.0)])
    assert solved.state["rating"] == pytest.approx([0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("ties", ["half", "davidson", "rao_kupper"])
def test_large_pools_are_solved_like_small_ones(ties: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    method, played = BradleyTerry(ties=ties, home=None), season()
    small = solve(method, played)
    monkeypatch.setattr(module, "DENSE", 4)
    monkeypatch.setattr(curvature, "DENSE", 4)
    large = solve(method, played)
    assert large.state["rating"] == pytest.approx(small.state["rating"], abs=1e-7)
    assert large.state["deviation"] == pytest.approx(small.state["deviation"], rel=0.1)
    assert small.covariance is not None
    assert large.covariance is not None
    assert large.covariance(0, 3) == pytest.approx(small.covariance(0, 3), rel=1e-6)


@pytest.mark.parametrize("ties", ["half", "davidson", "rao_kupper"])
def test_no_other_ratings_make_the_results_more_likely(ties: Any) -> None:
    """Points won are points expected, for everybody."""
    played = season(home=False)
    solved = solve(BradleyTerry(ties=ties, draw=1.5), played)
    surprise = played.score - solved.fitted
    if ties == "half":
        for player in range(40):
            balance = surprise[played.a == player].sum() - surprise[played.b == player].sum()
            assert balance == pytest.approx(0.0, abs=1e-8)
    assert solved.state["rating"].mean() == pytest.approx(0.0, abs=1e-9)


def test_a_pool_that_falls_apart_is_rated_in_parts_if_asked() -> None:
    played = games([0, 1, 2, 3, 0], [1, 0, 3, 2, 4], [1.0, 1.0, 1.0, 1.0, 1.0])
    assert np.isnan(solve(BradleyTerry(), played).state["rating"]).all()
    solved = solve(BradleyTerry(parts=True), played)
    assert solved.state["rating"][:4] == pytest.approx([0.0] * 4)
    assert (np.isnan(solved.state["rating"][4]), solved.state["status"][4]) == (True, 3.0)
    assert solved.state["part"].tolist() == [1.0, 1.0, 2.0, 2.0, 3.0]
    assert np.isnan(solved.fitted[4])


def test_a_prior_joins_any_pool() -> None:
    solved = solve(BradleyTerry(prior_games=1.0), games([0], [1], [1.0]))
    assert solved.state["rating"][0] == pytest.approx(-solved.state["rating"][1])
    assert 0.0 < solved.state["rating"][0] < 400.0


def test_seeds_fix_the_level_and_stay() -> None:
    played = games([0, 1, 1, 2], [1, 0, 2, 1], [1.0, 1.0, 1.0, 1.0])
    solved = solve(BradleyTerry(gauge="seeds"), played, [NONE, 1800.0, NONE])
    assert solved.state["rating"] == pytest.approx([1800.0] * 3)
    assert solved.state["deviation"][1] == 0.0


def test_bayeselo_counts_two_draws_before_any_result() -> None:
    bayeselo = BradleyTerry(**{**BradleyTerry.presets["bayeselo"], "home": 0.0})
    plain = BradleyTerry(**{**BradleyTerry.presets["bayeselo"], "home": 0.0, "prior_draws": 0.0})
    one, two = games([0], [1], [1.0]), games([0, 0, 0], [1, 1, 1], [1.0, 0.5, 0.5])
    assert solve(bayeselo, one).state["rating"] == pytest.approx(solve(plain, two).state["rating"])


def test_a_share_of_a_point_is_no_outcome_of_three() -> None:
    with pytest.raises(BadResult, match=r"won, drawn or lost: 0\.3"):
        solve(BradleyTerry(ties="davidson"), games([0], [1], [0.3]))


@method_checks(
    BradleyTerry(), BradleyTerry(ties="davidson", home=None, parts=True), BradleyTerry(ties="rao_kupper", draw=1.5),
    BradleyTerry(prior_games=0.5, gauge="seeds"), BradleyTerry(**BradleyTerry.presets["bayeselo"]),
)  # fmt: skip
def test_bradley_terry_keeps_the_laws(law: Law, method: BradleyTerry) -> None:
    law(method)


def test_a_climb_that_stops_short_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve(BradleyTerry(), season()).stopped == ""
    monkeypatch.setattr(climbing, "STEPS", 1)
    monkeypatch.setattr(module, "STEPS", 1)
    assert re.fullmatch(r"after 1 steps, the last of \S+ points", solve(BradleyTerry(), season()).stopped)


def test_between_anchors_too_far_apart_ratings_have_no_deviation() -> None:
    """The matrix had no inverse, and the list failed."""
    played = games([0, 2, 1, 2, 3, 2], [2, 1, 2, 0, 2, 3], [1.0] * 6)
    state = solve(BradleyTerry(gauge="seeds", parts=True), played, [12000.0, -12000.0, NONE, NONE]).state
    assert np.isfinite(state["rating"]).all()
    assert np.isnan(state["deviation"]).any()
