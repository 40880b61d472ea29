"""Weights of members: a part each, none where everybody took part all the time, and an error for what is not part."""

import numpy as np
import pytest

from ratingcore.columns.games import Span
from ratingcore.columns.sides import Sides
from ratingcore.errors import BadField
from ratingcore.methods.common_needs import WEIGHTS, member_weights


def results(*weights: float) -> Sides:
    """Two results at positions 5 and 8: one against two, and one against one."""
    return Sides(
        np.array([0, 2, 4]), np.array([0, 1, 3, 4, 5]), np.array([0, 1, 2, 0, 1]), np.array([1.0, 0.0, 0.0, 1.0]),
        np.array([1, 2]), np.array([5, 8]), Span(0, 3), members={"weights": np.array(weights)},
    )  # fmt: skip


def test_weights_are_those_of_the_members() -> None:
    assert member_weights(results(1.0, 0.75, 0.25, 1.0, 1.0), "elo").tolist() == [1.0, 0.75, 0.25, 1.0, 1.0]


def test_there_are_none_where_everybody_took_part_all_the_time() -> None:
    assert len(member_weights(results(1.0, 1.0, 1.0, 1.0, 1.0), "elo")) == 0


@pytest.mark.parametrize("weight", [-0.5, 1.5, float("nan"), float("inf")])
@pytest.mark.parametrize(("member", "position"), [(0, 5), (1, 5), (2, 5), (3, 8), (4, 8)])
def test_what_is_no_part_is_refused_with_the_place_of_its_result(weight: float, member: int, position: int) -> None:
    weights = [1.0, 0.5, 0.5, 1.0, 1.0]
    weights[member] = weight
    with pytest.raises(BadField, match="from 0 to 1, the part of the boards") as refused:
        member_weights(results(*weights), "bridge", "the part of the boards that a player played")
    assert (refused.value.method, refused.value.name, refused.value.where) == (
        "bridge",
        "weights",
        f"position {position}",
    )


@pytest.mark.parametrize(("member", "position"), [(0, 5), (3, 8), (4, 8)])
def test_a_side_of_which_nobody_took_part_is_refused(member: int, position: int) -> None:
    weights = [1.0, 0.5, 0.5, 1.0, 1.0]
    weights[member] = 0.0
    with pytest.raises(BadField, match="weights must not be 0 for a whole side at position") as refused:
        member_weights(results(*weights), "bridge")
    assert refused.value.where == f"position {position}"


def test_the_need_bounds_the_weights_as_methods_do() -> None:
    assert [WEIGHTS.allows(weight) for weight in (-0.5, 0.0, 1e-9, 1.0, 1.5)] == [False, True, True, True, False]
