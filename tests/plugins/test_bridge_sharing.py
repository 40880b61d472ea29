"""A pair's own K and how partners share: Ioffe's formula (10), with shares worked out by hand."""

from math import exp
from typing import Any

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.making import sessions

from ratingcore.errors import BadParameter
from ratingcore.methods.text import build, identity
from ratingcore.plugin import Floats, Rated, State
from ratingcore.testing import method_checks

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
    BridgeBayes(unit="imp", k=0.004, per="board", sharing="deviation", density="student(4)", draws=64),
    BridgeBayes(tracking="fixed", pair_k=2.0, sharing="rating(500)"),
)
def test_the_laws_are_kept(law: Any, method: BridgeBayes) -> None:
    law(method)


def test_what_is_spelt_builds_the_same_method() -> None:
    method = build(BridgeBayes, {"pair_k": "2.5", "sharing": "rating(-400)"})
    assert identity(method).endswith("players=300, pair_k=2.5, sharing=rating(-400))")
    assert method == BridgeBayes(pair_k=2.5, sharing="rating(-400)")
    assert "sharing" not in identity(BridgeBayes(sharing="variance"))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"sharing": "rating"}, "parameter sharing is none of variance, deviation, equal, rating"),
        ({"sharing": "rating(0)"}, "parameter sharing is none of"),
        ({"sharing": "equal(2)"}, "parameter sharing is none of"),
        ({"sharing": "fair"}, "parameter sharing is none of"),
        (
            {"sharing": "equal", "tracking": "full"},
            "parameter sharing needs tracking=diag or fixed, full has the exact",
        ),
        ({"pair_k": 2.0, "tracking": "full"}, "parameter pair_k needs tracking=diag or fixed, full has the exact"),
        ({"pair_k": 2.0, "density": "laplace"}, "parameter pair_k needs density=normal, laplace says by itself"),
        ({"pair_k": 0.0}, "parameter pair_k must be a positive number: 0.0"),
    ],
)
def test_what_does_not_go_together_is_refused(given: Any, told: str) -> None:
    with pytest.raises(BadParameter, match=told):
        BridgeBayes(**given)
