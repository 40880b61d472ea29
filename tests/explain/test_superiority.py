"""The column superiority of a list: how likely each player is to be stronger than the next."""

from math import erf, sqrt

import pytest

import ratingcore as rc
from ratingcore.errors import CannotSay


@pytest.fixture(scope="module")
def engine() -> rc.Engine:
    engine = rc.open(":memory:")
    for day, (a, b, score) in enumerate((("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 0.5), ("c", "d", 1.0)), 1):
        engine.record(rc.GamePlayed(pool="p", played=f"2024-03-0{day}", a=a, b=b, score=score))
    return engine


def test_it_is_the_normal_curve_of_gap_and_both_deviations(engine: rc.Engine) -> None:
    listed = engine.rating_list("p", "glicko").with_exact()
    rows = [(float(str(row["rating_exact"])), float(str(row["deviation_exact"]))) for row in map(dict, listed)]
    shown = [row["superiority"] for row in map(dict, engine.with_columns(listed, "superiority"))]
    for (mine, error), (theirs, other_error), chance in zip(rows, rows[1:], shown, strict=False):
        z = (mine - theirs) / sqrt(error**2 + other_error**2)
        assert chance == pytest.approx(0.5 + 0.5 * erf(z / sqrt(2.0)), abs=6e-5)
    assert shown[-1] is None


def test_a_method_without_deviations_refuses(engine: rc.Engine) -> None:
    with pytest.raises(CannotSay, match="elo cannot say how sure a rating is: it has no deviations"):
        engine.with_columns(engine.rating_list("p", "elo"), "superiority")
