"""Substitutes: a player weighs as much as the part of the boards that they played."""

from typing import Any

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.making import sessions

import ratingcore as rc
from ratingcore.errors import BadField, BadResult
from ratingcore.plugin import Floats, State

K = 4.0 / 1500.0
RATINGS = np.array([1500.0, 1400.0, 1700.0, 1600.0, 1550.0])
DEVIATIONS = np.array([100.0, 300.0, 150.0, 200.0, 200.0])
TABLE = [[0, 1, 2], [3, 4]]
WEIGHTS = [1.0, 2.0 / 3.0, 1.0 / 3.0, 1.0, 1.0]


def posterior(rows: Floats, lead: Floats, noise: float, mean: Floats, deviation: Floats) -> tuple[Floats, Floats]:
    """Means and covariances by the information form, which the plugin does not use."""
    precision = np.diag(deviation**-2.0) + rows.T @ rows / noise
    covariance = np.linalg.inv(precision)
    return covariance @ (mean / deviation**2 + rows.T @ lead / noise), covariance


@pytest.mark.parametrize("tracking", ["diag", "full", "fixed"])
def test_a_substitute_weighs_as_much_as_the_part_of_the_boards_they_played(tracking: Any) -> None:
    method = BridgeBayes(sigma1=10.0, tracking=tracking, players=5)
    start = State.start(method.columns(), 5).replace(rating=RATINGS, deviation=DEVIATIONS)
    rated = method.rate(start, sessions([(TABLE, [60.0, 40.0])], weights=WEIGHTS))
    h = K * np.array(WEIGHTS) * [1.0, 1.0, 1.0, -1.0, -1.0]
    mean, covariance = posterior(h[None], np.array([10.0]), 100.0, RATINGS, DEVIATIONS)
    assert rated.state["rating"] == pytest.approx(mean)
    assert rated.expected == pytest.approx([50.0 + h @ RATINGS, 50.0 - h @ RATINGS])
    assert method.expected(
        start, sessions([(TABLE, [0.0, 0.0])], weights=WEIGHTS).withheld()
    ).expected == pytest.approx(rated.expected)
    assert rated.notes["variance"] == pytest.approx([100.0 + float((h**2 * DEVIATIONS**2).sum())])
    if tracking == "fixed":
        assert rated.state["deviation"].tolist() == DEVIATIONS.tolist()
    else:
        assert rated.state["deviation"] == pytest.approx(np.sqrt(np.diag(covariance)))


@pytest.mark.parametrize("tracking", ["diag", "full"])
def test_a_field_has_substitutes_as_well(tracking: Any) -> None:
    pairs, scores = [[0, 1, 2], [3, 4], [5, 6, 7]], [61.0, 42.0, 47.0]
    weights = np.array([1.0, 0.25, 0.75, 1.0, 1.0, 0.5, 0.5, 1.0])
    side = np.repeat(np.eye(3), [3, 2, 3], axis=1) * weights
    mean, covariance = posterior(
        K * (1.5 * side - 0.5 * side.sum(axis=0)), np.array(scores) - 50.0, 36.0, np.full(8, 1500.0), np.full(8, 200.0)
    )
    method = BridgeBayes(tracking=tracking, players=8)
    results = sessions([(pairs, scores)], weights=weights.tolist())
    state = method.rate(State.start(method.columns(), 8), results).state
    assert state["rating"] == pytest.approx(mean)
    assert state["deviation"] == pytest.approx(np.sqrt(np.diag(covariance)))


def test_those_who_played_a_part_take_that_part_of_a_share() -> None:
    method = BridgeBayes(pair_k=3.0, sharing="equal")
    start = State.start(method.columns(), 5)
    change = method.rate(start, sessions([(TABLE, [60.0, 40.0])], weights=WEIGHTS)).change
    assert change == pytest.approx([15.0, 10.0, 5.0, -15.0, -15.0])
    field = [[0, 1, 2], [3, 4], [5, 6]]
    rated = method.rate(
        State.start(method.columns(), 7), sessions([(field, [60.0, 40.0, 50.0])], weights=[*WEIGHTS, 1.0, 1.0])
    )
    assert rated.change == pytest.approx([15.0, 10.0, 5.0, -15.0, -15.0, 0.0, 0.0])


@pytest.mark.parametrize("tracking", ["diag", "full", "fixed"])
@pytest.mark.parametrize("density", ["normal", "student(4)"])
def test_one_call_or_a_call_a_result_with_substitutes_at_some_tables(tracking: Any, density: str) -> None:
    """A result moves people by the same bits whether or not somebody sat in at another table of the call."""
    rng = np.random.default_rng(2)
    played, weights = [], []
    for n in range(12):
        seats = rng.permutation(9).tolist()
        sides = [seats[:3], seats[3:5]] if n % 3 == 0 else [seats[:2], seats[2:4]]
        score = float(rng.normal(50.0, 6.0))
        played.append((sides, [score, 100.0 - score]))
        weights += [0.5, 0.5, 1.0, 1.0, 1.0] if n % 3 == 0 else [1.0] * 4
    method = BridgeBayes(tracking=tracking, density=density, players=9, drift_var=0.0 if tracking == "fixed" else 4.0)
    results = sessions(played, days=[float(n) for n in range(12)], weights=weights)
    whole = method.rate(State.start(method.columns(), 9), results)
    state = State.start(method.columns(), 9)
    for n in range(12):
        state = method.rate(state, results.part(n, n + 1)).state
    for name in state.names:
        assert np.array_equal(state[name], whole.state[name], equal_nan=True)


def test_a_log_says_who_sat_in_for_how_many_boards() -> None:
    pairs = [rc.Side(["ann", "bo", "cy"], 60.0), rc.Side(["di", "ed"], 40.0)]
    with rc.open(":memory:") as engine:
        engine.record(
            rc.SessionPlayed(pool="club", played="2024-03-02", sides=pairs, data={"weights": "1 16/24 8/24 1 1"})
        )
        moved = {row["player"]: row["rating"] - 1500.0 for row in engine.rating_list("club", "bridge-bayes")}
    step = K * 200.0**2 / (36.0 + K**2 * 200.0**2 * (3.0 + 5.0 / 9.0)) * 10.0
    parts = {"ann": 1.0, "bo": 2.0 / 3.0, "cy": 1.0 / 3.0, "di": -1.0, "ed": -1.0}
    assert moved == pytest.approx({name: step * part for name, part in parts.items()}, abs=1e-4)


@pytest.mark.parametrize(
    ("weights", "kind", "told"),
    [
        ("1 1/2 1/3 1 1", BadResult, "its sides have 1.83333 and 2 players, and the strengths of a side are added up"),
        ("1 1 0 1 1", BadField, "field weights must be above 0 and no more than 1, the part of the boards"),
        ("1 -1 1 1 1", BadField, "field weights must be above 0 and no more than 1"),
        ("0.5 0.25 1.25 1 1", BadField, "field weights must be above 0 and no more than 1"),
        ("1 1", BadField, "field weights must have 5 numbers, one a player in the order of the sides, not 2"),
        (None, BadResult, "have 3 and 2 players, .*; if somebody sat in for a part of the boards, say who .*: weights"),
    ],
)
@pytest.mark.parametrize("tracking", ["diag", "full", "fixed"])
def test_weights_that_are_no_parts_of_the_boards_are_named(
    tracking: str, weights: str | None, kind: type[Exception], told: str
) -> None:
    pairs = [rc.Side(["ann", "bo", "cy"], 60.0), rc.Side(["di", "ed"], 40.0)]
    with rc.open(":memory:") as engine:
        data = {} if weights is None else {"weights": weights}
        engine.record(rc.SessionPlayed(pool="club", played="2024-03-02", sides=pairs, data=data))
        with pytest.raises(kind, match=told):
            engine.rating_list("club", f"bridge-bayes:tracking={tracking}")
