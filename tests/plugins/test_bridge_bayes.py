"""Bridge: the worked numbers of the README, by an independent solution, and by the laws of a continuous rating."""

from typing import Any

import numpy as np
import pytest
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.making import sessions

from ratingcore.plugin import DAY
from ratingcore.testing import method_checks
from tests.plugins.bridge_tables import TABLE, known, played


@method_checks(
    BridgeBayes(),
    BridgeBayes(drift_var=25.0, per="board", tau=1.5),
    BridgeBayes(unit="imp", k=0.004, per="board", drift_var=4.0),
    BridgeBayes(tracking="fixed"),
    BridgeBayes(tracking="full", drift_var=9.0, players=120),
)
def test_the_laws_are_kept(law: Any, method: BridgeBayes) -> None:
    law(method)


# the closed form


@pytest.mark.parametrize(
    ("deviation", "variance", "ratings", "variances"),
    [
        ([200] * 4, 101.137778, [1511.249780, 1411.249780, 1588.750220, 1538.750220], [39887.502197] * 4),
        (
            [100, 300, 200, 200], 101.28, [1502.808496, 1425.276461, 1588.766017, 1538.766017],
            [9992.978761, 89431.279621, 39887.660172, 39887.660172],
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("tracking", ["diag", "full"])
def test_one_result_in_percent(
    tracking: Any, deviation: list[float], variance: float, ratings: list[float], variances: list[float]
) -> None:
    rated = played(BridgeBayes(sigma1=10.0, tracking=tracking), [60.0], deviation)
    assert rated.expected == pytest.approx([49.333333, 50.666667], abs=5e-7)
    assert rated.notes["variance"] == pytest.approx([variance], abs=5e-7)
    assert rated.state["rating"] == pytest.approx(ratings, abs=5e-7)
    assert rated.state["deviation"] ** 2 == pytest.approx(variances, abs=5e-7)


def test_one_board_in_imps() -> None:
    rated = played(BridgeBayes(**BridgeBayes.presets["imp"], k=0.004), [8.0])
    assert rated.expected == pytest.approx([-1.0, 1.0])
    assert rated.notes["variance"] == pytest.approx([38.56])
    assert rated.change == pytest.approx([37.344398, 37.344398, -37.344398, -37.344398], abs=5e-7)


@pytest.mark.parametrize(
    ("tracking", "rating", "variance"),
    [("full", 1511.577424, 39768.451520), ("diag", 1511.605805, 39765.736700), ("fixed", None, 40000.0)],
)
def test_three_results_of_one_table(tracking: Any, rating: float | None, variance: float) -> None:
    """`fixed` is Elo with K = k sigma2^2 / V."""
    state = played(BridgeBayes(sigma1=12.0, tracking=tracking), [56.0, 61.0, 47.0]).state
    if rating is None:
        rating, other = 1500.0, 1500.0 + 1400.0 - 1600.0 - 1550.0
        k = 4.0 / 1500.0
        step = k * 200.0**2 / (12.0**2 + 4.0 * k**2 * 200.0**2)
        for score in (56.0, 61.0, 47.0):
            move = step * (score - 50.0 - k * other)
            rating, other = rating + move, other - 1500.0 + 1500.0 + 4.0 * move
    assert state["rating"][0] == pytest.approx(rating, abs=5e-7)
    assert state["deviation"][0] ** 2 == pytest.approx(variance, abs=5e-7)


def test_a_session_of_boards_is_its_boards_one_by_one() -> None:
    """The mean with sigma1 / sqrt(m), the same as `full` board by board."""
    whole = played(BridgeBayes(sigma1=12.0, per="board"), [164.0 / 3.0], boards=[3.0]).state
    boards = played(BridgeBayes(sigma1=12.0, per="board", tracking="full"), [56.0, 61.0, 47.0]).state
    assert whole["rating"] == pytest.approx(boards["rating"])
    assert whole["deviation"] ** 2 == pytest.approx([39768.451520] * 4, abs=5e-7)


def test_imps_are_totals_over_the_boards() -> None:
    method = BridgeBayes(unit="imp", k=0.004, per="board", tau=0.5)
    rated = played(method, [24.0], boards=[12.0])
    assert rated.expected == pytest.approx([-12.0, 12.0])
    assert rated.notes["variance"] == pytest.approx([36.0 / 12.0 + 0.25 + 4.0 * 0.004**2 * 200.0**2])
    assert rated.state["rating"][0] - 1500.0 == pytest.approx(0.004 * 200.0**2 / rated.notes["variance"][0] * 3.0)


@pytest.mark.parametrize("tracking", ["fixed", "diag", "full"])
def test_only_the_difference_of_two_scores_is_read(tracking: Any) -> None:
    """An award of 60 % to both sides says that they were equal."""
    method = BridgeBayes(tracking=tracking)
    start = known(method, [1500.0] * 4)
    assert method.rate(start, sessions([(TABLE, [60.0, 60.0])])).change.tolist() == [0.0] * 4
    one, other = (method.rate(start, sessions([(TABLE, scores)])).change for scores in ([58.0, 48.0], [55.0, 45.0]))
    assert one.tolist() == other.tolist()


# drift


def test_an_idle_player_grows_less_certain_on_the_list_and_in_the_next_result() -> None:
    for tracking in ("diag", "full"):
        method = BridgeBayes(drift_var=16.0, tracking=tracking)  # type: ignore[arg-type]  # a word
        once = played(method, [55.0], days=[100.0]).state
        shown = method.show(once, (100 + 50) * DAY)["deviation"]
        assert shown == pytest.approx(np.sqrt(once["deviation"] ** 2 + 16.0 * 50.0))
        assert method.show(once, 90 * DAY)["deviation"] == pytest.approx(once["deviation"])
        again = method.rate(once, sessions([(TABLE, [50.0, 50.0])], days=[150.0]))
        assert again.notes["variance"] == pytest.approx(36.0 + method.k**2 * float((shown**2).sum()), rel=1e-3)


def test_variances_settle_where_drift_and_results_balance() -> None:
    """q dt = k^2 s^4 / (sigma1^2 + 4 k^2 s^2)."""
    method = BridgeBayes(drift_var=20.0)
    state = played(method, [50.0] * 20_000, days=np.arange(20_000.0).tolist()).state
    before = method.variances(state, 20_000 * DAY)[0]
    assert method.k**2 * before**2 / (36.0 + 4.0 * method.k**2 * before) == pytest.approx(20.0, rel=1e-6)
