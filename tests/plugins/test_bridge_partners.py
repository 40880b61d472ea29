"""Substitutes weigh by the part of the boards they played; partners share by Ioffe's formula (10), worked by hand."""

from math import exp
from typing import Any

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.sample_sessions import sessions

import ratingcore as rc
from ratingcore.errors import BadField, BadResult
from ratingcore.methods.text import build, identity
from ratingcore.plugin import Floats, Rated, State
from ratingcore.testing import method_checks

K = 4.0 / 1500.0
SEATED = np.array([1500.0, 1400.0, 1700.0, 1600.0, 1550.0])
KNOWN = np.array([100.0, 300.0, 150.0, 200.0, 200.0])
THREE = [[0, 1, 2], [3, 4]]
WEIGHTS = [1.0, 2.0 / 3.0, 1.0 / 3.0, 1.0, 1.0]


def posterior(rows: Floats, lead: Floats, noise: float, mean: Floats, deviation: Floats) -> tuple[Floats, Floats]:
    """Means and covariances by the information form, which the plugin does not use."""
    precision = np.diag(deviation**-2.0) + rows.T @ rows / noise
    covariance = np.linalg.inv(precision)
    return covariance @ (mean / deviation**2 + rows.T @ lead / noise), covariance


@pytest.mark.parametrize("tracking", ["diag", "full", "fixed"])
def test_a_substitute_weighs_as_much_as_the_part_of_the_boards_they_played(tracking: Any) -> None:
    method = BridgeBayes(sigma1=10.0, tracking=tracking, players=5)
    start = State.start(method.columns(), 5).replace(rating=SEATED, deviation=KNOWN)
    rated = method.rate(start, sessions([(THREE, [60.0, 40.0])], weights=WEIGHTS))
    h = K * np.array(WEIGHTS) * [1.0, 1.0, 1.0, -1.0, -1.0]
    mean, covariance = posterior(h[None], np.array([10.0]), 100.0, SEATED, KNOWN)
    assert rated.state["rating"] == pytest.approx(mean)
    assert rated.expected == pytest.approx([50.0 + h @ SEATED, 50.0 - h @ SEATED])
    assert method.expected(
        start, sessions([(THREE, [0.0, 0.0])], weights=WEIGHTS).withheld()
    ).expected == pytest.approx(rated.expected)
    assert rated.notes["variance"] == pytest.approx([100.0 + float((h**2 * KNOWN**2).sum())])
    if tracking == "fixed":
        assert rated.state["deviation"].tolist() == KNOWN.tolist()
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
    change = method.rate(start, sessions([(THREE, [60.0, 40.0])], weights=WEIGHTS)).change
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
        ("1 1/2 1/3 1 1", BadResult, "its sides must have equally many players, and have 1.83333 and 2"),
        ("1 -1 1 1 1", BadField, "field weights must be from 0 to 1, the part of the boards"),
        ("0.5 0.25 1.25 1 1", BadField, "field weights must be from 0 to 1"),
        ("1 1", BadField, "field weights must have 5 numbers, one for each player in the order of the sides, not 2"),
        (None, BadResult, "have 3 and 2; if a substitute played some of the boards, .* weights"),
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


@pytest.mark.parametrize("tracking", ["diag", "full", "fixed"])
def test_who_played_no_board_stays_as_they_are(tracking: str) -> None:
    with rc.open(":memory:") as engine:
        pairs = [rc.Side(["ann", "bo", "cy"], 60.0), rc.Side(["di", "ed"], 40.0)]
        engine.record(
            rc.SessionPlayed(pool="three", played="2024-03-02", sides=pairs, data={"weights": "1 1 0 1 1"}),
            rc.SessionPlayed(pool="two", played="2024-03-02", sides=[rc.Side(["ann", "bo"], 60.0), pairs[1]]),
        )
        three, two = (engine.rating_list(pool, f"bridge-bayes:tracking={tracking}") for pool in ("three", "two"))
        rows = {row["player"]: row for row in three.with_exact()}
        for row in two.with_exact():
            assert rows[row["player"]]["rating_exact"] == pytest.approx(row["rating_exact"], abs=1e-9)
        assert rows["cy"]["rating_exact"] == pytest.approx(1500.0, abs=1e-9)


# what partners share

RATINGS = np.array([1500.0, 1400.0, 1600.0, 1550.0])
DEVIATIONS = np.array([100.0, 300.0, 200.0, 200.0])
TABLE = [[0, 1], [2, 3]]
SURPRISE = 60.0 - 49.0 - 1.0 / 3.0
BAYES = 2.808496 + 25.276461
"""What Bayes moves the first pair of the worked result, in the sum: the second worked case of the plugin's README."""


def played(method: BridgeBayes, deviation: Floats = DEVIATIONS) -> Rated:
    state = State.start(method.columns(), 4).replace(rating=RATINGS, deviation=deviation)
    return method.rate(state, sessions([(TABLE, [60.0, 40.0])]))


@pytest.mark.parametrize("tracking", ["diag", "fixed"])
@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("variance", [0.1, 0.9]),
        ("deviation", [0.25, 0.75]),
        ("equal", [0.5, 0.5]),
        ("rating(400)", [1.0 / (1.0 + exp(-0.25)), 1.0 / (1.0 + exp(0.25))]),
        ("rating(-400)", [1.0 / (1.0 + exp(0.25)), 1.0 / (1.0 + exp(-0.25))]),
        ("rating(1)", [1.0, 0.0]),
    ],
)
def test_partners_share_what_bayes_or_their_own_k_moves_the_pair(tracking: Any, text: str, shares: list[float]) -> None:
    bayes = played(BridgeBayes(sigma1=10.0, tracking=tracking, sharing=text))
    assert bayes.change[:2] == pytest.approx([BAYES * share for share in shares], abs=2e-6)
    own = played(BridgeBayes(sigma1=10.0, tracking=tracking, sharing=text, pair_k=3.0))
    assert own.change[:2] == pytest.approx([3.0 * SURPRISE * share for share in shares])
    assert float(np.sum(own.change)) == pytest.approx(0.0, abs=1e-9)
    plain = played(BridgeBayes(sigma1=10.0, tracking=tracking))
    for rated in (bayes, own):  # what is expected, and how well players are known, is another matter
        assert rated.expected == pytest.approx(plain.expected)
        assert rated.state["deviation"] == pytest.approx(plain.state["deviation"])
        assert rated.state["rating"] == pytest.approx(RATINGS + rated.change)


def test_a_pairs_k_is_what_the_fixed_deviation_amounts_to() -> None:
    """`fixed` is Elo with K = k sigma2^2 / V a player, so twice that a pair."""
    k = 4.0 / 1500.0
    v = 36.0 + 4.0 * k**2 * 200.0**2
    rng = np.random.default_rng(3)
    tables = [([s[:2], s[2:4]], [x, 100.0 - x]) for s, x in
              ((rng.permutation(8).tolist(), float(rng.normal(50.0, 6.0))) for _ in range(60))]  # fmt: skip
    ends = [
        method.rate(State.start(method.columns(), 8), sessions(tables)).state["rating"]
        for method in (BridgeBayes(tracking="fixed"), BridgeBayes(pair_k=2.0 * k * 200.0**2 / v, sharing="equal"))
    ]
    assert ends[0] == pytest.approx(ends[1])


def test_a_field_gives_every_pair_its_k_times_its_surprise() -> None:
    pairs, scores = [[0, 1], [2, 3], [4, 5]], [61.0, 42.0, 47.0]
    rating = np.array([1500.0, 1400.0, 1600.0, 1550.0, 1480.0, 1520.0])
    sums = rating.reshape(3, 2).sum(axis=1)
    surprise = np.array(scores) - 50.0 - 4.0 / 1500.0 * 1.5 * (sums - sums.mean())
    for tracking in ("diag", "fixed"):
        method = BridgeBayes(pair_k=2.0, sharing="equal", tracking=tracking)  # type: ignore[arg-type]  # a word
        state = State.start(method.columns(), 6).replace(rating=rating)
        rated = method.rate(state, sessions([(pairs, scores)]))
        assert rated.change == pytest.approx(np.repeat(surprise, 2))
    whole, shared = (
        method.rate(State.start(method.columns(), 6), sessions([(pairs, scores)])).change
        for method in (BridgeBayes(), BridgeBayes(sharing="rating(100)"))
    )
    assert isinstance(whole, np.ndarray)
    assert isinstance(shared, np.ndarray)
    assert whole.reshape(3, 2).sum(axis=1) == pytest.approx(shared.reshape(3, 2).sum(axis=1))


@method_checks(
    BridgeBayes(pair_k=3.0, sharing="equal"),
    BridgeBayes(sharing="rating(-300)", drift_var=9.0),
    BridgeBayes(unit="imp", k=0.004, per="board", sharing="deviation", density="student(4)", draws=16),
    BridgeBayes(tracking="fixed", pair_k=2.0, sharing="rating(500)"),
)
def test_the_laws_are_kept(law: Any, method: BridgeBayes) -> None:
    law(method)


def test_what_is_spelt_builds_the_same_method() -> None:
    method = build(BridgeBayes, {"pair_k": "2.5", "sharing": "rating(-400)"})
    assert identity(method).endswith("players=300, pair_k=2.5, sharing=rating(-400))")
    assert method == BridgeBayes(pair_k=2.5, sharing="rating(-400)")
    assert "sharing" not in identity(BridgeBayes(sharing="variance"))
