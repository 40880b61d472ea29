"""TrueSkill: published numbers, exact integrals, rankings of many sides, what is refused."""

import itertools
from math import sqrt
from typing import Any

import numpy as np
import pytest
from ratingcore_trueskill import TrueSkill, ratingcore_methods

from ratingcore.errors import BadField, BadParameter, BadResult
from ratingcore.plugin import Games, Sides, Span, State
from ratingcore.testing import Law, method_checks
from tests.golden.trueskill import known, session

NEW = [[25.0, 25.0 / 3.0]]


def after(method: TrueSkill, teams: Any, score: Any, weights: Any = None) -> Any:
    result = session([len(team) for team in teams], score, weights)
    return method.rate(known(method, teams), result)


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


def test_an_upset_of_any_size_is_a_number() -> None:
    rated = after(TrueSkill(), [[[0.0, 1.0]], [[5000.0, 1.0]]], [1.0, 0.0])
    assert np.isfinite(rated.state["rating"]).all()
    assert (rated.state["deviation"] > 0.0).all()


def test_two_sides_have_a_chance_of_a_draw_and_three_have_none() -> None:
    method = TrueSkill()
    two, three = session([1, 1], [1.0, 0.0]), session([1, 1, 1], [3.0, 2.0, 1.0])
    equal = known(method, [[[25.0, 0.0]]] * 3)
    assert TrueSkill(drift=0.0).expected(equal, two).draw == pytest.approx([0.1], abs=1e-9)
    assert np.isnan(method.expected(equal, three).draw).all()


def test_lists_show_the_rating_that_a_player_has_almost_surely() -> None:
    method = TrueSkill()
    shown = method.show(known(method, [NEW]), 0)
    assert shown["sure"].tolist() == [0.0]


@pytest.mark.parametrize("weights", [[1.0, 0.0], [1.0, 1.5]])
def test_parts_that_are_none_are_refused(weights: list[float]) -> None:
    with pytest.raises(BadField, match="position 1"):
        after(TrueSkill(), [NEW, NEW], [1.0, 0.0], weights)


@pytest.mark.parametrize("sides", [2, 3])
def test_a_deviation_below_zero_is_refused(sides: int) -> None:
    with pytest.raises(BadResult, match="a deviation is below 0"):
        after(TrueSkill(), [[[25.0, -1.0]]] * sides, list(range(sides)))


@pytest.mark.parametrize(("parameter", "value"), [("draw_chance", 1.0), ("beta", 0.0), ("drift", -1.0)])
def test_a_value_a_parameter_cannot_have_is_refused_by_name(parameter: str, value: float) -> None:
    with pytest.raises(BadParameter) as refused:
        TrueSkill(**{parameter: value})
    assert (refused.value.method, refused.value.parameter) == ("trueskill", parameter)


def test_the_plugin_offers_trueskill() -> None:
    assert TrueSkill in ratingcore_methods()


@method_checks(
    TrueSkill(), TrueSkill(draw_chance=0.0, drift=0.0), TrueSkill(beta=100.0, deviation=400.0, initial=1500.0)
)
def test_trueskill_keeps_the_laws(law: Law, method: TrueSkill) -> None:
    law(method)


@pytest.mark.parametrize("method", [TrueSkill(), TrueSkill(drift=0.5)], ids=["plain", "drifting"])
def test_games_are_rated_bit_for_bit_like_sessions_of_two(method: TrueSkill) -> None:
    rng, n, players = np.random.default_rng(4), 300, 9
    a = rng.integers(0, players, n)
    b = (a + rng.integers(1, players, n)) % players
    at = np.arange(n)
    games = Games(a, b, rng.choice([0.0, 0.5, 1.0], n), at, at, Span(0, n))
    alone = Sides.of(games, {"weights": np.ones(2 * n)})
    seated = alone.replaced(games=np.zeros(n, dtype=np.bool_))
    assert alone.duels is not None
    assert seated.duels is None
    start = State.start(method.columns(), players)
    one, other = method.rate(start, alone), method.rate(start, seated)
    for column in ("rating", "deviation"):
        assert one.state[column].tobytes() == other.state[column].tobytes()
    assert one.expected.tobytes() == other.expected.tobytes()
    assert np.asarray(one.change).tobytes() == np.asarray(other.change).tobytes()
