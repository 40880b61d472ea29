"""Claims are told of the worlds of the source study, judged by their own words, and of no other world."""

from collections.abc import Mapping

import pytest
from attrs import evolve
from ratingcore_laboratory import Laboratory, Trial, World, combinations
from ratingcore_laboratory.measures import Measures
from ratingcore_laboratory.thesis.claims import claims, errata, figures, has_published_k, scenario
from ratingcore_laboratory.thesis.published import DEVIATION, ROUNDS, SCREEN, Printed

from tests.plugins.laboratory.making import THESIS, method


def trial(name: str, rounds: int = 1) -> Trial:
    return Laboratory(World.parse(f"{name}:rounds={rounds}"), THESIS, 1).run()


def made_up(name: str, mean: dict[str, list[float]], kendall: dict[str, list[float]], cosine: float = 0.9) -> Trial:
    """A run of a scenario with these measures."""
    blank = Measures(9, 9, 9, 1.0, 1.0, 0, 1.0, 0, 0.0, 0.9, 0.9, 0.9, cosine, 0.99, 0.99)
    whole = trial(name)
    for who, standing in zip("ABC", whole.standings, strict=True):
        pairs = zip(mean[who], kendall[who], strict=True)
        standing.measures = tuple(evolve(blank, mean=x, kendall=y) for x, y in pairs)
    return evolve(whole, world=World.parse(name), worlds=(World.parse(name),) * len(mean["A"]))


def of(name: str, **curves: list[float]) -> dict[str, bool | None]:
    told = claims([made_up(name, curves, {who: [0.8 + 0.05 * (who != "A")] * 50 for who in "ABC"})])
    return dict(zip(told["claim"], told["holds"], strict=True))


def test_a_scenario_is_known_by_its_world_however_long_it_runs() -> None:
    assert scenario([trial("thesis-1")]) == "thesis-1"
    assert scenario([trial("thesis-2")]) == "thesis-2"
    other = Laboratory(World.parse("thesis-1:rounds=1,half_band=5"), THESIS, 1).run()
    without = Laboratory(World.parse("thesis-1:rounds=1"), THESIS[:2], 1).run()
    for told in (other, without):
        assert scenario([told]) is None
        assert not any(map(len, (claims([told])["claim"], figures([told])["said"], errata([told])["right"])))


FALLING = {who: [start - n for n in range(50)] for who, start in (("A", 150.0), ("B", 120.0), ("C", 90.0))}
FORMING = "while the pool forms, C is nearer to the truth than B, and B nearer than A"
EQUAL, LARGER = "later B and C are equal", "later the deviation of C is even a little larger"
TURNOVER = "the more come and go, the more B and C gain over A"
STALL, LATE = "the deviation stalls at the start, then falls", "at the end A is nearest to the truth, clearly"
RISING, ORDER = "B and C rise before round 50, A does not", "B and C order the players better than A"


def test_claims_of_the_first_world_hold_or_not_by_their_own_words() -> None:
    held = of("thesis-1", **FALLING)
    assert (held[FORMING], held[ORDER], held[EQUAL], held[LARGER]) == (True, True, False, False)
    turned = of("thesis-1", A=FALLING["C"], B=FALLING["B"], C=FALLING["A"])
    assert (turned[FORMING], turned[TURNOVER]) == (False, False)
    near = of("thesis-1", A=FALLING["A"], B=[60.0] * 50, C=[58.0] * 30 + [61.0] * 20)
    assert (near[EQUAL], near[LARGER]) == (True, True)
    assert of("thesis-1", A=FALLING["A"], B=[60.0] * 50, C=[59.0] * 50)[LARGER] is False


def test_claims_of_the_moving_worlds_hold_or_not_by_their_own_words() -> None:
    late = of("thesis-2", A=FALLING["C"], B=FALLING["B"], C=FALLING["A"])
    assert (late[LATE], late[STALL]) == (True, False)  # it falls evenly
    rest = [150.0 - 10.0 * n for n in range(8)]
    stalled = [*[200.0] * 5, *rest, *[70.0] * 37]
    up = [*stalled[:30], *(70.0 + n for n in range(20))]
    held = of("thesis-3", A=stalled, B=up, C=up)
    assert (held[STALL], held[RISING], held[LATE]) == (True, True, True)
    assert of("thesis-3", A=up, B=up, C=up)[RISING] is False


def test_a_screen_near_the_printed_one_agrees() -> None:
    def screen(dev: Mapping[str, float], kendall: Mapping[str, float], cosine: float) -> bool | None:
        made = made_up("thesis-1", {w: [dev[w]] * 50 for w in "ABC"}, {w: [kendall[w]] * 50 for w in "ABC"}, cosine)
        told = claims([made])
        return dict(zip(told["claim"], told["holds"], strict=True))["its screenshot A.2, after about five rounds"]

    assert screen(SCREEN["mean"], SCREEN["kendall"], 0.9950) is True
    assert screen({"A": 156.0, "B": 136.0, "C": 108.0}, SCREEN["kendall"], 0.9950) is False
    assert screen(SCREEN["mean"], SCREEN["kendall"], 0.99) is False


def test_every_claim_of_the_study_is_a_line() -> None:
    lines = {name: set(of(name, **FALLING)) for name in ("thesis-1", "thesis-2", "thesis-3")}
    both = {TURNOVER, ORDER, "how normal estimated ratings look", "whose ratings look most normal"}
    thresholds = {
        "a threshold of 55 % falls fastest", "a threshold of 55 % rises again",
        "a threshold of 60 % is a little better than 65 %",
    }  # fmt: skip
    screen = {"its screenshot A.2, after about five rounds"}
    assert lines["thesis-1"] == both | thresholds | screen | {FORMING, EQUAL, LARGER}
    assert lines["thesis-2"] == lines["thesis-3"] == both | {STALL, LATE, RISING}


def test_thresholds_that_were_not_played_cannot_be_told() -> None:
    told = of("thesis-1", **FALLING)
    assert [told[claim] for claim in told if "threshold" in claim] == [None] * 3


def test_short_runs_are_not_judged_by_late_rounds() -> None:
    told = claims([trial("thesis-2", 2)])["claim"]
    assert LATE not in told
    assert "how normal estimated ratings look" in told


def test_errata_are_told_of_any_k() -> None:
    other = Laboratory(World.parse("thesis-1:rounds=1"), combinations(method, "czech"), 1).run()
    assert len(errata([other])["right"]) > 5
    assert "80 % for a lead of 200 points" in errata([other])["printed"]


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
