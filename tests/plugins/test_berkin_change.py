"""Berkin's change formulas: the worked numbers of the README, what is kept while nothing is lost, periods."""

from typing import Any

import numpy as np
import pytest
import ratingcore_berkin as berkin
from ratingcore_berkin import BerkinChange

from ratingcore.errors import BadParameter
from ratingcore.methods import Method
from ratingcore.plugin import Games, Period, Rated, State
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated

MONTH = Period.parse("month")
EXACT = BerkinChange(variant="13.10")
UNBOUNDED, ZERO = 1, 2


def after(method: BerkinChange, result: Games, **columns: list[float]) -> Rated:
    start = State.start(method.columns(), len(next(iter(columns.values()))))
    return method.rate(start.replace(**{name: np.array(values) for name, values in columns.items()}), result)


@method_checks(
    BerkinChange(),
    BerkinChange(variant="13.11", n0=5.0),
    EXACT,
    BerkinChange(variant="13.10", period=MONTH),
    BerkinChange(variant="13.11", period=MONTH, reanchor=True),
    BerkinChange(variant="13.13", period=MONTH, n0=60.0),
)
def test_berkin_change_keeps_the_laws(law: Law, method: Method) -> None:
    law(method)


WORKED = [
    ("13.10", 1.0, 120.0), ("13.10", 0.5, 9.523810), ("13.10", 0.0, -90.909091),
    ("13.11", 1.0, 60.0), ("13.11", 0.5, 4.878049), ("13.11", 0.0, -47.619048),
    ("13.12", 1.0, 60.0), ("13.12", 0.5, 5.0), ("13.12", 0.0, -50.0),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "score", "delta"), WORKED)
@pytest.mark.parametrize("turned", [False, True])
def test_the_worked_table(variant: Any, score: float, delta: float, turned: bool) -> None:
    """1000 against 1200, L = 10, N_o = 20; from either side of the game, and by the function."""
    method = BerkinChange(variant=variant)
    lost = {"lost": [10.0, 10.0]} if variant == "13.10" else {}
    result = games([1], [0], [1.0 - score]) if turned else games([0], [1], [score])
    assert after(method, result, rating=[1000.0, 1200.0], **lost).change[turned][0] == pytest.approx(delta, abs=5e-7)
    assert berkin.change(variant, 1000.0, 1200.0 * score, 1 - score, lost=10.0) == pytest.approx(delta, abs=5e-7)


def test_13_10_is_exact_for_fixed_opponents() -> None:
    """Result by result it gives the rating of the balance, wherever the first half point was lost."""
    rng = np.random.default_rng(4)
    faced = rng.uniform(500.0, 2000.0, 40)
    score = np.concatenate([[1.0, 1.0, 1.0], rng.choice([0.0, 0.5, 1.0], 37)])
    state = State.start(EXACT.columns(), 41).replace(rating=np.array([1000.0, *faced]))
    for g in range(40):
        state = EXACT.rate(state, games([0], [g + 1], [score[g]])).state
        shown = EXACT.show(state, 0)["rating"][0]
        found = berkin.performance(faced[: g + 1], score[: g + 1]).rating
        assert shown == pytest.approx(found, rel=1e-12, nan_ok=True)


def test_who_never_lost_half_a_point_has_no_rating_and_keeps_the_games() -> None:
    """Unbounded; opponents meet this player at the rating from before."""
    result = after(EXACT, games([0, 0], [1, 2], [1.0, 1.0]), rating=[1000.0, 1100.0, 1300.0], lost=[0.0, 4.0, 4.0])
    assert result.state["status"].tolist() == [UNBOUNDED, 0, 0]
    assert np.isnan(EXACT.show(result.state, 0)["rating"]).tolist() == [True, False, False]
    assert result.change[0].tolist() == [0.0, 0.0]
    assert result.change[1] == pytest.approx([-1100 / 5, -1300 / 5])
    drawn = EXACT.rate(result.state, games([0], [1], [0.5]))
    assert drawn.state["rating"][0] == pytest.approx((1100.0 + 1300.0 + 880.0 / 2) / 0.5)
    assert drawn.state["status"][0] == 0


def test_who_lost_everything_is_zero_and_recovers() -> None:
    result = after(EXACT, games([0], [1], [0.0]), rating=[1000.0, 1200.0], lost=[0.0, 9.0])
    assert (result.state["rating"][0], result.state["status"][0]) == (0.0, ZERO)
    won = EXACT.rate(result.state, games([0], [1], [1.0]))
    assert won.state["rating"][0] == pytest.approx(result.state["rating"][1])
    assert won.expected[0] == 0.0


def test_no_rating_falls_below_the_floor() -> None:
    result = rated(BerkinChange(n0=1.0), [1000.0, 1000.0], games([0], [1], [0.0]))
    assert result.state["rating"].tolist() == pytest.approx([1e-6, 2000.0], rel=1e-12)
    assert result.change[0][0] == pytest.approx(1e-6 - 1000.0)
    whole = BerkinChange(variant="13.13", period=MONTH, n0=1.0)
    told = rated(whole, [1000.0, 1000.0], games([0], [1], [0.0]))
    assert told.state["rating"][0] == pytest.approx(1e-6)
    assert told.after["floor"].tolist() == pytest.approx([1e-6, 0.0])


def test_a_period_of_one_result_is_that_result() -> None:
    for variant in ("13.10", "13.11"):
        whole, single = BerkinChange(variant=variant, period=MONTH), BerkinChange(variant=variant)
        lost = {"lost": [3.0, 2.0]} if variant == "13.10" else {}
        one, other = (
            after(method, games([0], [1], [0.3]), rating=[900.0, 1200.0], **lost) for method in (whole, single)
        )
        assert one.state["rating"] == pytest.approx(other.state["rating"], rel=1e-14)


def test_wins_kept_from_earlier_periods_are_a_line_of_their_own() -> None:
    method = BerkinChange(variant="13.10", period=MONTH)
    first = after(method, games([0], [1], [1.0]), rating=[1000.0, 1200.0], lost=[0.0, 5.0])
    assert first.state["status"][0] == UNBOUNDED
    second = method.rate(first.state, games([0], [1], [0.0]))
    assert second.state["rating"][0] == pytest.approx(1200.0)
    assert second.after["earlier wins"][0] == pytest.approx(1200.0)
    assert second.change[0][0] == pytest.approx(-1000.0)


def test_the_function_has_no_number_where_nothing_was_ever_lost() -> None:
    assert np.isnan(berkin.change("13.10", 1000.0, 1200.0, 0.0))
    with pytest.raises(BadParameter, match="must be one of"):
        berkin.change("13.9", 1000.0, 1200.0, 0.0)  # type: ignore[arg-type]  # what is refused


def test_several_results_of_a_period() -> None:
    """13.13 with R_c = 1100, W = 5, L = 3 adds 125."""
    method = BerkinChange(variant="13.13", period=MONTH)
    season = games([0] * 8, [*range(1, 9)], [1.0] * 5 + [0.0] * 3)
    result = rated(method, [1000.0, *[1100.0] * 8], season)
    assert result.state["rating"][0] == pytest.approx(1125.0)
    assert sum(result.change[0]) == pytest.approx(125.0)
    assert berkin.change("13.13", 1000.0, 1100.0 * 5, 3.0) == pytest.approx(125.0)


def test_reanchoring_restores_the_geometric_mean() -> None:
    method = BerkinChange(variant="13.11", period=MONTH, reanchor=True, anchor=100.0)
    result = rated(method, [120.0, 150.0, 90.0], games([0], [1], [1.0]))
    assert np.exp(np.log(result.state["rating"]).mean()) == pytest.approx(100.0)
    assert result.after["re-anchor"].all()
