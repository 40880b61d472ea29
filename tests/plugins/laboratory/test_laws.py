"""What every run of the three scenarios shows: the claims that come out, and the table of the independent program.

The full length with more seeds is `python -m bench simulate`.
"""

import pytest
from attrs import evolve
from ratingcore_laboratory import Band, Trial, World, trials
from ratingcore_laboratory.thesis.published import DEVIATION

from tests.plugins.laboratory.making import THESIS


@pytest.fixture(scope="module")
def first() -> list[Trial]:
    return list(trials(World.parse("thesis-1:rounds=20"), THESIS, (1, 2, 3)))


def test_c_is_nearer_than_b_and_b_nearer_than_a_from_round_three(first: list[Trial]) -> None:
    for trial in first:
        a, b, c = (trial.series(name, "mean")[2:] for name in "ABC")
        assert (c < b).all()
        assert (b < a).all()


def test_newcomers_with_a_trial_order_better_from_round_ten(first: list[Trial]) -> None:
    for trial in first:
        a, b, c = (trial.series(name, "kendall")[9:] for name in "ABC")
        assert (b > a).all()
        assert (c > a).all()


def test_the_table_comes_out_within_four_standard_errors(first: list[Trial]) -> None:
    for name, cells in DEVIATION["thesis-1"].items():
        mean = Band.of(first, name, "mean").mean
        for round_, printed in cells.items():
            if round_ <= len(mean):
                assert abs(mean[round_ - 1] - printed.mean) <= printed.allowed(len(first)), (name, round_)


@pytest.mark.parametrize("world", ["thesis-2", "thesis-3"])
def test_the_first_rounds_of_the_larger_worlds_come_out(world: str) -> None:
    runs = list(trials(World.parse(f"{world}:rounds=10"), THESIS, (1,)))
    for name, cells in DEVIATION[world].items():
        curve = runs[0].series(name, "mean")
        for round_ in (1, 5, 10):
            assert abs(curve[round_ - 1] - cells[round_].mean) <= cells[round_].allowed(1), (name, round_)


def test_ratings_look_normal(first: list[Trial]) -> None:
    rounds = [0, 4, 9, 19]  # in the second one newcomers stand far out
    for name in "ABC":
        assert Band.of(first, name, "ppcc").lowest[rounds].min() > 0.96


@pytest.mark.parametrize(("scenario", "players"), [("thesis-2", 1000), ("thesis-3", 1000)])
def test_a_common_rise_is_seen_by_nobody_and_then_forgotten(scenario: str, players: int) -> None:
    whole = World.parse(scenario)
    share = players / whole.players
    world = evolve(
        whole, players=players, rounds=12, joining_mean=whole.joining_mean * share, joining_sd=whole.joining_sd * share,
        leaving_mean=whole.leaving_mean * share, leaving_sd=whole.leaving_sd * share,
    )  # fmt: skip
    for trial in trials(world, THESIS, (1, 2)):
        for name in "ABC":
            mean = trial.series(name, "mean")
            assert mean[3] > 0.92 * mean[1]
            assert mean[11] < 0.85 * mean[3]


def test_the_larger_turnover_has_the_larger_gain(first: list[Trial]) -> None:
    world = World.parse("thesis-3:players=1000,rounds=20,joining_mean=20,joining_sd=4,leaving_mean=20,leaving_sd=4")
    small = list(trials(world, THESIS, (1, 2)))
    for name in "BC":
        gains = [
            1.0 - Band.of(runs, name, "mean").mean[19] / Band.of(runs, "A", "mean").mean[19] for runs in (first, small)
        ]
        assert gains[0] > gains[1] + 0.05
