"""What bundled methods promise alike: cadences, parameters in range, players without a rating, order in a period."""

from math import inf, nan
from typing import Any

import numpy as np
import pytest

from ratingcore.errors import BadParameter
from ratingcore.plugin import Games, Sides, Span, State
from ratingcore.registry import Registry
from tests.golden.playing import games, rated

INSTALLED = Registry.installed()

CADENCES = {
    "continuous": (
        "adaptive-k", "berkin-change", "bridge-bayes", "chess-bayes", "codeforces", "elo", "elo-margin", "elo-mmr",
        "fifa", "trueskill", "weng-lin", "world-football-elo",
    ),
    "periodic, month": ("glicko", "glicko2", "periodic"),
    "periodic, event": ("dwz", "egf", "fesa", "uschess"),
    "retrospective": ("berkin", "bradley-terry", "trueskill-through-time", "whr"),
}  # fmt: skip


def test_methods_are_found_with_their_cadences_and_periods() -> None:
    for cadence, names in CADENCES.items():
        for method in (INSTALLED.methods[name]() for name in names):
            period = f", {method.period}" if method.period else ""
            assert (method.name, method.cadence.value + period) == (method.name, cadence)
    assert INSTALLED.method("elo:period=month").cadence.value == "periodic"
    assert INSTALLED.method("glicko2:period=none").cadence.value == "continuous"


OUT_OF_RANGE = {
    "adaptive-k": [
        ("k", -1.0), ("window", 0), ("window", 24), ("window", 2.5), ("window", True), ("threshold", 1.1),
        ("threshold", 0.123456789), ("floor", "no"), ("initial", inf),
    ],
    "berkin": [("gauge", "median"), ("anchor", 0.0), ("components", 1), ("prior_draws", -1.0), ("points", inf)],
    "chess-bayes": [
        ("model", "trinomial"), ("draw_band", -1.0), ("nu", -0.1), ("theta", 0.9), ("scale", 0.0), ("initial", nan),
        ("deviation", -1.0), ("drift_var", -1.0),
    ],
    "dwz": [("development", 0.0), ("rounding", 1), ("initial", nan), ("period", "event")],
    "egf": [
        ("variant", "2020"), ("epsilon", -0.1), ("handicap_points", 0.0), ("floor", nan), ("initial", inf),
        ("period", "event"),
    ],
    "elo": [
        ("k", -1.0), ("k", nan), ("k", "20"), ("k", True), ("curve", "cubic"), ("scale", 0.0), ("draw_band", -1.0),
        ("first_move", inf), ("cap", 0.0), ("floor", nan), ("initial", None), ("period", "month"),
    ],
    "elo-margin": [
        ("k", -1.0), ("home", inf), ("scale", 0.0), ("margin", "cubic"), ("carry", 1.5), ("carry", -0.1),
        ("carry_to", nan), ("importance", 1.0), ("initial", "x"),
    ],
    "fesa": [("initial", nan), ("period", None)],
    "glicko": [("deviation", 400.0), ("c", -1.0), ("days", 0.0), ("period", "month")],
    "periodic": [("curve", "linear"), ("cap", 0.0), ("blend", 1.1), ("initial", nan), ("single", 1), ("period", None)],
    "trueskill": [("draw_chance", 1.0), ("beta", 0.0), ("drift", -1.0)],
    "weng-lin": [
        ("model", "elo"), ("beta", 0.0), ("kappa", 1.5), ("deviation", 0.0), ("drift", -1.0), ("draw_margin", -1.0),
    ],
    "whr": [("w2", 0.0), ("prior_games", 0.0)],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "parameter", "value"), [(name, *wrong) for name, every in OUT_OF_RANGE.items() for wrong in every]
)
def test_a_value_out_of_range_is_refused_with_method_parameter_and_value(name: str, parameter: str, value: Any) -> None:
    with pytest.raises(BadParameter) as refused:
        INSTALLED.methods[name](**{parameter: value})
    assert (refused.value.method, refused.value.parameter) == (name, parameter)
    assert repr(value) in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "elo", "elo:curve=normal,draw_band=50", "elo:curve=table", "elo:cap=400", "elo:first_move=35", "elo:floor=1450",
        "elo:extra=3,extra_gap=50", "elo:floor=0,period=month", "fesa", "dwz", "egf", "egf:variant=gor",
        "chess-bayes:draw_band=60", "chess-bayes:model=square", "chess-bayes:model=davidson,nu=0.8",
        "chess-bayes:model=rao_kupper,theta=1.6",
    ],
)  # fmt: skip
def test_a_player_without_a_rating_leaves_only_opponents_without_one(text: str) -> None:
    played = games([0, 2], [1, 3], [1.0, 0.5], home=[1.0, 1.0], handicap=[0, 0], event_class=[1, 1])
    result = rated(INSTALLED.method(text), [nan, 1500.0, 1500.0, 1500.0], played)
    assert np.isnan(result.state["rating"]).tolist() == [True, True, False, False]
    assert np.isnan(result.expected).tolist() == [True, False]


@pytest.mark.parametrize("text", ["elo:k=0.1,period=month", "periodic", "egf", "egf:variant=gor"])
def test_the_order_inside_a_period_does_not_matter_to_the_last_bit(text: str) -> None:
    """The law of the kit asks for equal numbers within its tolerance only."""
    rng, method = np.random.default_rng(9), INSTALLED.method(text)
    a = rng.integers(0, 12, 150)
    b, score = (a + rng.integers(1, 12, 150)) % 12, rng.choice([0.0, 0.5, 1.0], 150)
    month = games(a, b, score, handicap=np.zeros(150), event_class=np.ones(150))
    for order in (np.arange(150)[::-1], rng.permutation(150)):
        for start in (np.linspace(1200.3, 1900.7, 12), rng.normal(1500.0, 300.0, 12)):
            one, mixed = rated(method, start, month), rated(method, start, month.take(order))
            assert one.state["rating"].tobytes() == mixed.state["rating"].tobytes()


@pytest.mark.parametrize("text", ["trueskill", "trueskill:drift=0.5", "weng-lin", "weng-lin:drift=0.5"])
def test_games_are_rated_bit_for_bit_like_sessions_of_two(text: str) -> None:
    rng, n, players, method = np.random.default_rng(4), 300, 9, INSTALLED.method(text)
    a = rng.integers(0, players, n)
    b = (a + rng.integers(1, players, n)) % players
    at = np.arange(n)
    duels = Games(a, b, rng.choice([0.0, 0.5, 1.0], n), at, at, Span(0, n))
    alone = Sides.of(duels, {"weights": np.ones(2 * n)})
    seated = alone.replaced(games=np.zeros(n, dtype=np.bool_))
    assert alone.duels is not None
    assert seated.duels is None
    start = State.start(method.columns(), players)
    one, other = method.rate(start, alone), method.rate(start, seated)
    for column in ("rating", "deviation"):
        assert one.state[column].tobytes() == other.state[column].tobytes()
    assert one.expected.tobytes() == other.expected.tobytes()
    assert np.asarray(one.change).tobytes() == np.asarray(other.change).tobytes()
