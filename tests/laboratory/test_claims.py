"""Claims are told of the worlds of the source study, judged by their own words, and of no other world."""

from attrs import evolve

from ratingcore.laboratory import Laboratory, Trial, World, combinations
from ratingcore.laboratory.claims import DEVIATION, KENDALL, ROUNDS, claims, errata, figures, scenario
from ratingcore.laboratory.measures import Measures
from tests.laboratory.making import THESIS, method


def trial(name: str, rounds: int = 1) -> Trial:
    return Laboratory(World.parse(f"{name}:rounds={rounds}"), THESIS, 1).run()


def made_up(name: str, mean: dict[str, list[float]], kendall: dict[str, list[float]]) -> Trial:
    """A run of a scenario with these measures."""
    blank = Measures(9, 9, 9, 1.0, 1.0, 0, 1.0, 0, 0.0, 0.9, 0.9, 0.9, 0.9, 0.99, 0.99)
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


def test_claims_hold_or_not_by_their_own_words() -> None:
    falling = {
        "A": [100.0 - n for n in range(50)],
        "B": [80.0 - n for n in range(50)],
        "C": [60.0 - n for n in range(50)],
    }
    held = of("thesis-1", **falling)
    assert held["entry by games, and a K that adapts, find the strengths sooner"] is True
    assert held["entry by games orders the players better"] is True
    turned = of("thesis-1", A=falling["C"], B=falling["B"], C=falling["A"])
    assert turned["entry by games, and a K that adapts, find the strengths sooner"] is False
    assert turned["the more come and go, the more B and C gain over A"] is False
    late = of("thesis-2", A=falling["C"], B=falling["B"], C=falling["A"])
    assert late["who is nearest to the truth late in a long run"] is True
    assert late["no method sees that all grow stronger together"] is False  # it falls evenly


def test_short_runs_are_not_judged_by_late_rounds() -> None:
    told = claims([trial("thesis-2", 2)])["claim"]
    assert "who is nearest to the truth late in a long run" not in told
    assert "how normal estimated ratings look" in told


def test_numbers_are_held_against_those_that_are_printed() -> None:
    curves = {who: [0.0] * 50 for who in "ABC"}
    for who in "ABC":
        for round_, said in zip(ROUNDS, DEVIATION["thesis-3"][who], strict=True):
            curves[who][round_ - 1] = 1.1 * said
    kendall = {who: [KENDALL["thesis-3"][who]] * 50 for who in "ABC"}
    told = figures([made_up("thesis-3", curves, kendall)])
    assert len(told["said"]) == 18
    apart = dict(
        zip(
            zip(told["measure"], told["contender"], told["round"], strict=True), told["difference_percent"], strict=True
        )
    )
    assert round(apart["mean deviation", "C", 20], 9) == 10.0
    assert apart["Kendall", "B", 50] == 0.0
    assert told["within_8_percent"].count(True) == 3


def test_another_k_is_not_held_against_numbers_of_this_one() -> None:
    other = Laboratory(World.parse("thesis-1:rounds=1"), combinations(method, "40"), 1).run()
    assert scenario([other]) == "thesis-1"
    assert figures([other])["said"] == ()
    assert len(errata([other])["right"]) > 5
