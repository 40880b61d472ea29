"""Performance ratings on both scales: worked numbers, and games that give no number."""

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ratingcore_performance import PERFORMANCES, RATIO_PERFORMANCES, Performance

from ratingcore.errors import BadValue
from ratingcore.plugin.curves import Curve

TRUE = ("true_logistic", "true_normal")
AVERAGED = ("linear", "table", "normal", "logistic")
each_kind = pytest.mark.parametrize("kind", PERFORMANCES)


def performed(kind: str, opponents: list[float], scores: list[float], cap: float = 800.0) -> Performance:
    if kind in RATIO_PERFORMANCES:
        return RATIO_PERFORMANCES[kind](np.array(opponents), np.array(scores))
    return PERFORMANCES[kind](np.array(opponents), np.array(scores), cap)


@pytest.mark.parametrize(("score", "way"), [(1.0, 1.0), (0.0, -1.0)])
def test_a_perfect_score_is_worth_what_the_kind_says(score: float, way: float) -> None:
    """400, 800, the cap; none for the true ones."""
    worth = {kind: performed(kind, [1500.0, 1600.0], [score] * 2).rating - 1550.0 for kind in AVERAGED}
    assert worth == {"linear": way * 400.0, "table": way * 800.0, "normal": way * 800.0, "logistic": way * 800.0}
    assert performed("normal", [1500.0, 1600.0], [score] * 2, cap=766.0).rating == 1550.0 + way * 766.0
    for kind in TRUE:
        made = performed(kind, [1500.0, 1600.0], [score] * 2)
        assert (made.rating, made.status) == (way * inf, "unbounded")


def test_the_cap_holds_for_every_share_and_not_for_tables_and_lines() -> None:
    assert performed("logistic", [1500.0] * 20, [1.0] * 19 + [0.0], cap=300.0).rating == 1800.0
    assert performed("table", [1500.0] * 20, [1.0] * 19 + [0.0], cap=300.0).rating == 1970.0
    assert performed("linear", [1500.0], [1.0], cap=300.0).rating == 1900.0


@pytest.mark.parametrize("kind", TRUE)
def test_a_true_performance_does_not_look_at_who_was_beaten(kind: str) -> None:
    """Only the sum of the points counts."""
    opponents = [1850.0, 1620.0, 1190.0]
    one, other = (performed(kind, opponents, scores) for scores in ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]))
    assert one.rating == other.rating


@given(
    st.lists(st.tuples(st.floats(0.0, 3000.0), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=30),
    st.sampled_from(["logistic", "normal"]),
)
def test_at_the_true_performance_the_points_are_expected(games: list[tuple[float, float]], curve: str) -> None:
    opponents, scores = np.array([r for r, _ in games]), np.array([s for _, s in games])
    made = PERFORMANCES[f"true_{curve}"](opponents, scores, 800.0)
    if made.status == "unbounded":
        assert scores.sum() in (0.0, len(scores))
    else:
        share = Curve(curve).share(made.rating - opponents)  # type: ignore[arg-type]  # one of the two drawn
        assert share.sum() == pytest.approx(scores.sum(), abs=1e-9)


@pytest.mark.parametrize("kind", TRUE)
@pytest.mark.parametrize("score", [1e-16, 1e-30, 1.0 - 1.2e-16])
def test_next_to_nothing_and_all_but_nothing_have_a_number(kind: str, score: float) -> None:
    made = performed(kind, [1500.0], [score])
    assert made.status == "ok"
    assert (made.rating < 0.0) == (score < 0.5)


@pytest.mark.parametrize("kind", [*PERFORMANCES, *RATIO_PERFORMANCES])
def test_what_cannot_be_rated_is_named(kind: str) -> None:
    with pytest.raises(BadValue, match="opponents must be one or more"):
        performed(kind, [], [])
    with pytest.raises(BadValue, match=r"opponents must each have a finite rating.*: nan"):
        performed(kind, [1500.0, nan], [1.0, 0.0])
    with pytest.raises(BadValue, match=r"scores must be from 0 to 1: 1\.5"):
        performed(kind, [1500.0], [1.5])
    with pytest.raises(BadValue, match="scores must be from 0 to 1: nan"):
        performed(kind, [1500.0], [nan])
    with pytest.raises(BadValue, match="scores must be as many as the opponents, 2: 1"):
        performed(kind, [1500.0, 1600.0], [1.0])


@pytest.mark.parametrize("kind", RATIO_PERFORMANCES)
def test_a_ratio_scale_has_no_rating_below_zero(kind: str) -> None:
    with pytest.raises(BadValue, match=r"opponents must be zero or more on a ratio scale: -3\.0"):
        performed(kind, [1500.0, -3.0], [1.0, 0.0])


@pytest.mark.parametrize("kind", ["normal", "logistic"])
@pytest.mark.parametrize("cap", [-1.0, nan])
def test_a_cap_below_zero_is_refused(kind: str, cap: float) -> None:
    with pytest.raises(BadValue, match="cap must be zero or more"):
        performed(kind, [1500.0], [0.5], cap)


# on a ratio scale

FIELD = np.array([[0.0, 3.0, 2.5], [1.0, 0.0, 2.0], [1.5, 2.0, 0.0]])
"""Points of row against column."""
STRENGTH = np.array([37.0, 15.0, 19.0])
"""The solution of that field, in 71sts of the whole: worked by hand in the README of berkin."""


@pytest.mark.parametrize(
    ("kind", "rating"), [("ratio", 1100.0), ("weighted_opposition", 3100.0 / 3.0), ("berkin", 3100.0 / 3.0)]
)
def test_a_win_a_loss_and_a_draw(kind: str, rating: float) -> None:
    """1000 (win), 1200 (loss), 1100 (draw): 1000 + 550 over 1.5 points, won and lost alike."""
    made = performed(kind, [1000.0, 1200.0, 1100.0], [1.0, 0.0, 0.5])
    assert made.rating == pytest.approx(rating)
    assert (made.games, made.score, made.opposition, made.status) == (3, 1.5, 1100.0, "ok")


@pytest.mark.parametrize("player", [0, 1, 2])
def test_in_a_solved_field_everybody_performs_as_they_are_rated(player: int) -> None:
    """13.2 for one player, against the solution of 13.2 for all; the points of a pairing as several games."""
    opponents, scores = [], []
    for other in {0, 1, 2} - {player}:
        won, met = FIELD[player, other], int(FIELD[player, other] + FIELD[other, player])
        opponents += [STRENGTH[other]] * met
        scores += [won / met] * met
    assert performed("berkin", opponents, scores).rating == pytest.approx(STRENGTH[player])


@given(st.lists(st.tuples(st.floats(1.0, 3000.0), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=30))
def test_the_kinds_hang_together(games: list[tuple[float, float]]) -> None:
    opponents, scores = [r for r, _ in games], [s for _, s in games]
    won, n = sum(scores), len(games)
    ratio, weighted, berkin = (performed(kind, opponents, scores) for kind in RATIO_PERFORMANCES)
    if won == n:
        assert (ratio.rating, berkin.rating, ratio.status, berkin.status) == (inf, inf, "unbounded", "unbounded")
    elif won == 0:
        assert (ratio.rating, berkin.rating, ratio.status, berkin.status) == (0.0, 0.0, "zero", "zero")
        assert (np.isnan(weighted.rating), weighted.status) == (True, "none")
    else:
        assert ratio.rating == pytest.approx(ratio.opposition * won / (n - won))
        assert berkin.rating == pytest.approx(weighted.rating * won / (n - won))
