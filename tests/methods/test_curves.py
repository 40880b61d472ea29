"""The curves that methods share, with the numbers in the README of elo: as kernels and as array functions."""

from decimal import Decimal, localcontext
from math import exp
from typing import Any, Literal

import numpy as np
import pytest

from ratingcore.errors import BadParameter
from ratingcore.methods.curves import (
    Curve,
    curved,
    expit,
    logistic,
    logistic_even,
    logistic_gap,
    logistics,
    ndtr,
    normal,
    normal_gap,
    odds,
    power_even,
    table_gap,
    tabled,
)
from ratingcore.methods.kernels import has_numba

KINDS: tuple[Literal["logistic", "normal", "table"], ...] = ("logistic", "normal", "table")
GAPS = np.concatenate([np.linspace(-3000.0, 3000.0, 4001), [0.0, -0.0, 1e12, -1e12]])


@pytest.mark.parametrize(
    ("gap", "by_normal", "by_logistic", "by_table"),
    [
        (0, 0.500000, 0.500000, 0.50), (50, 0.570158, 0.571463, 0.57), (100, 0.638163, 0.640065, 0.64),
        (150, 0.702058, 0.703385, 0.70), (200, 0.760250, 0.759747, 0.76), (250, 0.811620, 0.808318, 0.81),
        (300, 0.855578, 0.849020, 0.85), (350, 0.892038, 0.882338, 0.89), (400, 0.921350, 0.909091, 0.92),
    ],
)  # fmt: skip
def test_the_three_curves_side_by_side(gap: float, by_normal: float, by_logistic: float, by_table: float) -> None:
    """The table in the README of elo."""
    shares = [float(Curve(kind).share(np.array([gap]))[0]) for kind in ("normal", "logistic", "table")]
    assert shares == pytest.approx([by_normal, by_logistic, by_table], abs=5e-7)


@pytest.mark.parametrize(
    ("band", "row"),
    [
        (10.0, [0.500000, 0.570115, 0.638080, 0.701944, 0.760113, 0.811471, 0.855427]),
        (20.0, [0.500000, 0.569985, 0.637832, 0.701599, 0.759701, 0.811025, 0.854976]),
    ],
)
def test_a_draw_band(band: float, row: list[float]) -> None:
    """Elo for a draw band of 10 and of 20 points, at 0, 50, ..., 300; a Spanish teaching article prints four digits."""
    assert Curve("normal", band=band).share(np.arange(0.0, 301.0, 50.0)) == pytest.approx(row, abs=5e-7)


def test_win_draw_and_loss_are_everything() -> None:
    curve, gap = Curve("normal", scale=500.0, band=75.0), np.linspace(-900.0, 900.0, 37)
    win, loss = ndtr((gap - 75.0) * curve.slope), 1.0 - ndtr((gap + 75.0) * curve.slope)
    assert win + curve.draw(gap) + loss == pytest.approx(np.ones(37))
    assert curve.share(gap) == pytest.approx(win + curve.draw(gap) / 2.0)


@pytest.mark.parametrize(
    ("gap", "share"),
    [(3, 0.50), (4, 0.51), (10, 0.51), (11, 0.52), (391, 0.91), (392, 0.92), (735, 0.99), (736, 1.0), (9999, 1.0)],
)
def test_the_ends_of_the_steps_of_fide_8_1_2(gap: float, share: float) -> None:
    """The upper end belongs to its step, and the lower rated gets the rest."""
    assert tabled(float(gap)) == share
    assert tabled(float(-gap)) == 1.0 - share


@pytest.mark.parametrize(("gap", "share"), [(3.49, 0.50), (3.5, 0.51), (-3.5, 0.49), (735.49, 0.99), (735.5, 1.0)])
def test_a_gap_that_is_not_whole_is_rounded_half_up(gap: float, share: float) -> None:
    """Our decision: the regulations speak of whole points."""
    assert tabled(gap) == pytest.approx(share)
    assert Curve("table").share(np.array([gap])) == pytest.approx([share])


@pytest.mark.parametrize("x", [-27.0, -8.1, -1.0, -1e-3, 0.0, 1e-9, 0.7, 3.0, 14.2, 27.0])
def test_logistic_is_right_to_thirteen_digits(x: float) -> None:
    with localcontext() as context:
        context.prec = 40
        exact = 1 / (1 + (-Decimal(x)).exp())
        assert abs(Decimal(logistic(x)) / exact - 1) < Decimal("1e-13")


@pytest.mark.parametrize("x", [28.0, 745.0, 1e308, float("inf")])
def test_logistic_saturates_far_out(x: float) -> None:
    assert (logistic(x), logistic(-x)) == (1.0, 0.0)


def test_logistic_never_falls_and_what_one_side_has_the_other_has_not() -> None:
    shares = np.array([logistic(x) for x in np.linspace(-30.0, 30.0, 20001)])
    assert (np.diff(shares) > -1e-15).all()
    assert np.abs(shares + shares[::-1] - 1.0).max() < 1e-13


@pytest.mark.parametrize("kind", KINDS)
def test_kernel_and_array_twin_agree(kind: Literal["logistic", "normal", "table"]) -> None:
    curve = Curve(kind)
    scalar = np.array([curved(*curve.packed(), gap) for gap in GAPS.tolist()])
    assert np.abs(scalar - curve.share(GAPS)).max() < 1e-13


@pytest.mark.parametrize("curve", [*(Curve(kind) for kind in KINDS), Curve("normal", band=60.0)], ids=str)
def test_shares_of_both_sides_make_one_and_lie_between_0_and_1(curve: Curve) -> None:
    share = curve.share(GAPS)
    assert ((share >= 0.0) & (share <= 1.0)).all()
    assert np.abs(share + curve.share(-GAPS) - 1.0).max() < 1e-14


@pytest.mark.parametrize("curve", [*(Curve(kind) for kind in KINDS), Curve("normal", band=60.0)], ids=str)
def test_an_unrated_side_has_no_share(curve: Curve) -> None:
    assert np.isnan(curve.share(np.array([np.nan, 0.0]))).tolist() == [True, False]
    assert np.isnan(curved(*curve.packed(), float("nan")))


def test_the_scale_stretches_the_curve() -> None:
    for kind in KINDS[:2]:
        assert Curve(kind, scale=800.0).share(2.0 * GAPS) == pytest.approx(Curve(kind).share(GAPS))


def test_scalar_and_array_normal_agree_in_the_tail() -> None:
    assert [normal(x) for x in (-30.0, -5.0, 2.0)] == pytest.approx(ndtr(np.array([-30.0, -5.0, 2.0])), rel=1e-12)


def test_expit_warns_of_nothing() -> None:
    assert expit(np.array([-1e308, -1.0, 1.0, 1e308])) == pytest.approx([0.0, 0.268941, 0.731059, 1.0], abs=5e-7)


@pytest.mark.skipif(not has_numba(), reason="needs the extra fast")
def test_logistic_and_table_give_the_same_bits_compiled() -> None:
    for gap in GAPS.tolist():
        assert logistic.compiled(gap / 60.0) == logistic.plain(gap / 60.0)
        assert tabled.compiled(gap) == tabled.plain(gap)


@pytest.mark.parametrize("x", [-27.0, -3.3, -1e-9, 0.0, 0.7, 26.9])
def test_odds_are_those_against_the_logistic_chance(x: float) -> None:
    assert odds(x) == pytest.approx(np.exp(-x), rel=1e-13)
    assert 1.0 / (1.0 + odds(x)) == logistic(x)


def test_a_column_of_logistic_shares_is_right_to_all_digits_compiled_and_not() -> None:
    x = np.concatenate([np.linspace(-41.0, 41.0, 4001), [0.0, 1e9, -1e9, np.inf, -np.inf]])
    plain, known = x.copy(), expit(x)
    logistics(plain)
    near = np.abs(x) <= 41.0
    assert plain[near] == pytest.approx(known[near], rel=1e-14)
    assert plain[~near] == pytest.approx(known[~near], abs=1e-17)
    if has_numba():
        compiled = x.copy()
        logistics.compiled(compiled)
        assert np.array_equal(plain, compiled)
    nothing = np.array([np.nan])
    logistics(nothing)
    assert np.isnan(nothing[0])


def test_even_logistic_shares_are_right_compiled_and_not() -> None:
    for x in [*np.linspace(-39.9, 39.9, 1001).tolist(), 0.0, 1e-9, 1e9, -1e9, np.inf, -np.inf]:
        assert logistic_even(x) == pytest.approx(float(expit(np.array([np.clip(x, -40.0, 40.0)]))[0]), rel=5e-14)
        if has_numba():
            assert logistic_even.compiled(x) == logistic_even.plain(x)
    assert np.isnan(logistic_even(np.nan))


def test_even_powers_are_right_compiled_and_not() -> None:
    for x in np.linspace(-40.0, 40.0, 1001).tolist():
        assert power_even(x) == pytest.approx(exp(x), rel=5e-14)
        if has_numba():
            assert power_even.compiled(x) == power_even.plain(x)


@pytest.mark.parametrize("nu", [0.0, 0.8, 5.0])
def test_davidsons_curve_as_kernel_and_as_array(nu: float) -> None:
    curve = Curve("davidson", 300.0, nu=nu)
    gaps = np.array([-2500.0, -90.0, 0.0, 10.0, 700.0])
    kernels = [curved(*curve.packed(), gap) for gap in gaps.tolist()]
    assert kernels == pytest.approx(curve.share(gaps), rel=1e-12)
    assert curve.share(gaps) + curve.share(-gaps) == pytest.approx(1.0)
    assert curve.draw(np.zeros(1))[0] == pytest.approx(nu / (2.0 + nu))
    assert (curve.share(gaps) - 0.5 * curve.draw(gaps) >= 0.0).all()


def test_odds_end_where_the_curve_ends() -> None:
    assert (odds(30.0), odds(-30.0)) == (2.0**-40, 2.0**40)


@pytest.mark.parametrize(("name", "value"), [("kind", "cubic"), ("scale", 0.0), ("band", -1.0), ("nu", np.nan)])
def test_a_curve_out_of_range_is_refused_by_parameter(name: str, value: Any) -> None:
    with pytest.raises(BadParameter, match=f"parameter {name} must be"):
        Curve(**{name: value})


# the curves read backwards


def test_table_8_1_1() -> None:
    """Its 101 entries, antisymmetric."""
    share = np.arange(101) / 100.0
    gap = table_gap(share)
    assert (gap == -gap[::-1]).all()
    assert (np.diff(gap) > 0.0).all()
    for at, points in {50: 0, 54: 29, 59: 65, 60: 72, 69: 141, 70: 149, 79: 230, 80: 240, 89: 351, 90: 366}.items():
        assert gap[at] == points
    assert gap[95:].tolist() == [470.0, 501.0, 538.0, 589.0, 677.0, 800.0]


@pytest.mark.parametrize(
    ("points", "games", "gap"),
    [(1.0, 3.0, -125.0), (0.375, 1.0, -87.0), (0.625, 1.0, 95.0), (29.0, 200.0, -296.0), (0.5625, 1.0, 43.0)],
)
def test_shares_are_rounded_half_up_to_hundredths(points: float, games: float, gap: float) -> None:
    """29 of 200 is 0.145, whatever float64 makes of it."""
    assert table_gap(np.array([points / games])).tolist() == [gap]


def test_gaps_undo_the_curves() -> None:
    gaps = np.linspace(-700.0, 700.0, 57)
    assert normal_gap(Curve("normal").share(gaps)) == pytest.approx(gaps, abs=1e-9)
    assert logistic_gap(Curve("logistic").share(gaps)) == pytest.approx(gaps, abs=1e-9)


def test_an_unknown_share_has_an_unknown_gap() -> None:
    for gap in (table_gap, normal_gap, logistic_gap):
        assert np.isnan(gap(np.array([float("nan")]))).all()
