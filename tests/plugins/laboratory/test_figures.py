"""Numbers of the independent program are told next to these, and judged by the spread of its runs."""

import pytest
from ratingcore_laboratory import Laboratory, World, combinations
from ratingcore_laboratory.thesis.figures import figures, has_published_k
from ratingcore_laboratory.thesis.published import DEVIATION, ROUNDS, Printed

from tests.plugins.laboratory.making import method
from tests.plugins.laboratory.test_claims import made_up


def test_a_mean_of_four_seeds_may_be_off_by_half_of_what_one_may() -> None:
    assert (Printed(100.0, 5.0).allowed(1), Printed(100.0, 5.0).allowed(4)) == (20.0, 10.0)


@pytest.mark.parametrize("world", sorted(DEVIATION))
def test_numbers_are_held_against_those_that_are_printed(world: str) -> None:
    curves = {who: [0.0] * 50 for who in "ABC"}
    for who, cells in DEVIATION[world].items():
        for round_, printed in cells.items():
            curves[who][round_ - 1] = printed.mean
    curves["C"][19] += 4.0 * DEVIATION[world]["C"][20].spread + 0.01
    made = made_up(world, curves, {who: [0.9] * 50 for who in "ABC"})
    told = figures([made])
    assert len(told["said"]) == 3 * len(ROUNDS)
    off = [
        (who, at)
        for who, at, within in zip(told["contender"], told["round"], told["within"], strict=True)
        if not within
    ]
    assert off == [("C", 20)]
    assert [x for x in told["difference"] if x] == [pytest.approx(4.0 * DEVIATION[world]["C"][20].spread + 0.01)]


def test_another_k_is_not_held_against_numbers_of_this_one() -> None:
    for k in ("czech", "15", "400"):
        other = Laboratory(World.parse("thesis-1:rounds=1,players=1000"), combinations(method, k), 1).run()
        assert not has_published_k([other])
        assert figures([other])["said"] == ()
