"""The study of thresholds: what 55 % does sooner, and what it costs."""

import pytest
from ratingcore_laboratory import Laboratory, World
from ratingcore_laboratory.study import Study
from ratingcore_laboratory.thesis.claims import claims
from ratingcore_laboratory.thesis.published import THRESHOLDS as PRINTED
from ratingcore_laboratory.thresholds import THRESHOLDS, Thresholds

from ratingcore.errors import BadParameter, BadValue
from tests.plugins.laboratory.making import SMALL, THESIS, method
from tests.plugins.laboratory.test_claims import FALLING, made_up


@pytest.fixture(scope="module")
def played() -> Thresholds:
    """The first world of the study, three seeds."""
    return Thresholds.play(World.parse("thesis-1"), method, seeds=(1, 2, 3))


def test_the_published_numbers_come_out(played: Thresholds) -> None:
    """Of these no spread is printed: that of C in the table of the same program, 6 early and 2 to 4 later, serves."""
    for threshold, cells in PRINTED.items():
        curve = played.band(threshold).mean
        for round_, said in cells.items():
            spread = 6.0 if round_ == 5 else 4.0
            assert curve[round_ - 1] == pytest.approx(said, abs=4.0 * spread / 3.0**0.5), (threshold, round_)


def test_fifty_five_per_cent_falls_fastest_and_rises_again(played: Thresholds) -> None:
    low, mid, high = (played.band(each).mean for each in THRESHOLDS)
    assert low[2:10].mean() < mid[2:10].mean() < high[2:10].mean()
    assert low[-10:].mean() > low[9]
    assert mid[-10:].mean() < mid[9]
    assert mid[4:].mean() < high[4:].mean()
    whole = made_up("thesis-1", FALLING, FALLING)
    told = claims([whole], played)
    about = {claim: held for claim, held in zip(told["claim"], told["holds"], strict=True) if "threshold" in claim}
    assert set(about.values()) == {True}
    assert played.answer.startswith("Over the first 10 rounds the threshold 0.55 is nearest to the truth")


def test_a_study_has_its_thresholds_next_to_the_published_numbers(played: Thresholds) -> None:
    table = Study.of(played.trials, thresholds=played).thresholds
    assert len(table) == 150
    told = {(row["threshold"], row["round"]): row["said"] for row in table if row["said"] is not None}
    assert told == {(each, round_): said for each, cells in PRINTED.items() for round_, said in cells.items()}


def test_of_other_worlds_nothing_is_published() -> None:
    made = Thresholds.play(SMALL, method, [0.5, 0.7])
    assert set(made.columns()["said"]) == {None}
    assert len(Study.of(made.trials).thresholds) == 0


def test_thresholds_share_the_people_of_the_study() -> None:
    made = Thresholds.play(SMALL, method, [0.6], seeds=(4,))
    other = Laboratory(SMALL, THESIS, 4).run()
    assert made.trials[0].people.base.tolist() == other.people.base.tolist()


def test_thresholds_that_say_nothing_are_refused() -> None:
    for given in ([], [0.6, 0.6]):
        with pytest.raises(BadValue, match="must be one or more different numbers"):
            Thresholds.play(SMALL, method, given)
    with pytest.raises(BadParameter, match="threshold"):
        Thresholds.play(SMALL, method, [1.5])
