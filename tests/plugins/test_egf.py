"""European go ratings: the worked numbers of the README, the EGF's own examples, and a congress rated as one event."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ratingcore_egf import EarlierEgf, Egf
from ratingcore_egf.before_2021 import con, width

from ratingcore.engine import Engine
from ratingcore.events import RatingSeeded
from ratingcore.importer.tables import FieldMap
from ratingcore.log import SqliteLog
from ratingcore.plugin import BadField, Period, Rated
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated

CONGRESS = Path(__file__).parents[2] / "fixtures" / "archives" / "egc2013"
NEW, OLD = Egf(), Egf(variant="gor")


def one(method: Egf, ra: float, rb: float, score: float, stones: float = 0.0, weight: float = 1.0) -> Rated:
    return rated(method, [ra, rb], games([0], [1], [score], handicap=[stones], event_class=[weight]))


def published(part: str) -> list[Any]:
    return list(json.loads((CONGRESS / "worked_examples.json").read_text())[part])


@pytest.mark.parametrize("game", published("vectors"))
def test_the_examples_of_the_egfs_rating_service(game: Any) -> None:
    """fixtures/archives/egc2013: all of the service's numbers, to the last digits."""
    result = one(NEW, game["input"]["player_rating"], game["input"]["opponent_rating"], game["input"]["result"])
    assert result.state["rating"][0] == pytest.approx(game["output"]["new_rating"], abs=1e-10)
    assert result.expected[0] == pytest.approx(game["output"]["expected_result"], abs=1e-13)
    assert result.notes["con_a"][0] == pytest.approx(game["output"]["con"], abs=1e-11)


@pytest.mark.parametrize("game", published("old_system_examples"))
def test_the_examples_of_the_rules_before_2021(game: Any) -> None:
    """fixtures/archives/egc2013: whole points, rounded inconsistently by their source."""
    result = one(OLD, game["own"], game["opponent"], game["result"], game.get("handicap_received", 0))
    assert result.state["rating"][0] == pytest.approx(game["new"], abs=1.0)


@pytest.fixture(scope="module")
def congress() -> Engine:
    """The congress, every player seeded with the rating before it."""
    engine = Engine(SqliteLog(":memory:"))
    with (CONGRESS / "players.csv").open(encoding="utf-8", newline="") as file:
        seeds = [
            RatingSeeded(pool="go", played="2013-07-27", player=row["player"], values={"rating": float(row["rating"])})
            for row in csv.DictReader(file)
        ]
    engine.record(*seeds)
    report = engine.import_file(CONGRESS / "games.csv", "go", FieldMap.load(CONGRESS / "mapping.toml"))
    assert (report.accepted, {reason: len(lines) for reason, lines in report.unrated.items()}) == (
        2226,
        {"forfeit": 33},
    )
    return engine


def test_a_congress_rated_as_one_event_gives_the_published_ratings(congress: Engine) -> None:
    """Three players whose last event it was on the list of 2018, and one who was new: within a point."""
    found = congress.rating_list("go", "egf:variant=gor")
    assert len(found) == 594
    with (CONGRESS / "players.csv").open(encoding="utf-8", newline="") as file:
        listed = {row["player"]: row["list_2018_rating"] for row in csv.DictReader(file)}
    gaps = {player: found.rating(player) - float(listed[player]) for player in ("G0553", "G0211", "G0465", "G0233")}
    assert {player: abs(round(gap, 2)) for player, gap in gaps.items()} == {
        "G0553": 0.25, "G0211": 0.32, "G0465": 0.61, "G0233": 0.47,
    }  # fmt: skip


def test_the_congress_is_one_period(congress: Engine) -> None:
    replay = congress.core.replay("go", "egf:variant=gor", keep=True)
    assert replay.moves is not None
    assert {settled.call for settled in replay.moves.after} == {0}
    assert len(replay.results) == 2226
    moved = np.zeros(594)
    np.add.at(moved, replay.member, replay.moves.change)
    floor = sum((settled.amount for settled in replay.moves.after), np.zeros(594))
    seeds = replay.sown.rating[np.argsort(replay.sown.seeds.player)]
    assert replay.state["rating"] == pytest.approx(seeds + moved + floor, abs=1e-9)


def test_all_games_of_an_event_use_the_ratings_before_it() -> None:
    played = games([0, 0], [1, 1], [1.0, 1.0], handicap=[0, 0], event_class=[1, 1])
    result = rated(NEW, [2000.0, 2100.0], played)
    assert result.expected[0] == result.expected[1]
    assert result.state["rating"][0] == pytest.approx(2000.0 + 2 * 13.474282, abs=1e-5)


@pytest.mark.parametrize("variant", [NEW, OLD])
@pytest.mark.parametrize(("letter", "weight"), [("A", 1.0), ("B", 0.75), ("C", 0.5), ("D", 0.25)])
def test_the_class_of_an_event_multiplies_the_change(variant: Egf, letter: str, weight: float) -> None:
    """The bonus is part of the change."""
    (need,) = (need for need in variant.needs if need.name == "event_class")
    assert need.words[letter] == weight
    full, part = one(variant, 1800.0, 1750.0, 0.0), one(variant, 1800.0, 1750.0, 0.0, weight=weight)
    assert part.change[0][0] == weight * full.change[0][0]
    assert part.change[1][0] == weight * full.change[1][0]


def test_nobody_who_played_ends_an_event_below_the_floor() -> None:
    """Lower is reset to -900, and shown as a line of its own."""
    losses = games([0] * 5, [1] * 5, [0.0] * 5, handicap=[0.0] * 5, event_class=[1.0] * 5)
    low = rated(OLD, [-880.0, -880.0, -950.0], losses)
    assert low.state["rating"][0] == -900.0
    assert low.after["floor"][0] == pytest.approx(-900.0 - (-880.0 + low.change[0].sum()))
    assert low.state["rating"][2] == -950.0
    free = rated(Egf(variant="gor", floor=None), [-880.0, -880.0, -950.0], losses)
    assert free.after == {}
    assert free.state["rating"][0] < -900.0


def test_equals_both_expect_half_of_epsilon_less() -> None:
    """In a draw of equals each gains con * epsilon / 2."""
    result = one(OLD, 1500.0, 1500.0, 0.5)
    assert result.expected[0] == 0.5
    assert result.change[0][0] == pytest.approx(47.0 * 0.008)
    assert one(Egf(variant="gor", epsilon=0.0), 1500.0, 1500.0, 0.5).change[1][0] == 0.0


def test_the_tables_before_2021_are_clamped_outside() -> None:
    """The tables run from 100 to 2700."""
    assert con(np.array([-900.0, 100.0, 150.0, 2700.0, 3100.0])).tolist() == [116.0, 116.0, 113.0, 10.0, 10.0]
    assert width(np.array([-900.0, 100.0, 2700.0, 3100.0])).tolist() == [200.0, 200.0, 70.0, 70.0]


def test_stones_between_equals_count_for_nobody() -> None:
    assert one(OLD, 1500.0, 1500.0, 1.0, 3).expected[0] == 0.5


def test_stones_since_2021_count_as_before() -> None:
    """100 (H - 0.5) on the weaker rating, in Se alone; con and bonus are those of the real ratings."""
    by_stones, even = one(NEW, 1600.0, 2000.0, 0.0, 4), one(NEW, 1600.0, 2000.0, 0.0)
    share = 1300.0**7 / (1300.0**7 + 1350.0**7)  # 2000 against 1600 + 350
    assert by_stones.expected[0] == pytest.approx(share, abs=1e-12)
    assert by_stones.notes["con_a"].tolist() == even.notes["con_a"].tolist()
    con_a, bonus_a = (1700.0 / 200.0) ** 1.6, np.log1p(np.exp(700.0 / 80.0)) / 5.0
    assert by_stones.state["rating"][0] == pytest.approx(1600.0 - con_a * share + bonus_a, abs=1e-9)


def test_a_number_or_none_overrides_what_stones_are_worth() -> None:
    """Se uses the weaker rating plus that number; con and bonus stay at the real ratings."""
    for silent in (Egf(handicap_points=None), EarlierEgf()):
        with pytest.raises(
            BadField, match=r"field handicap has no rule in variant=2021 without handicap_points at position 1"
        ):
            one(silent, 1800.0, 2000.0, 1.0, 2)
    told = Egf(handicap_points=150.0)
    result = one(told, 1800.0, 2000.0, 1.0, 2)
    assert result.expected[0] == one(NEW, 1950.0, 2000.0, 1.0).expected[0]
    assert result.notes["con_a"][0] == one(NEW, 1800.0, 2000.0, 1.0).notes["con_a"][0]
    assert (
        one(told, 1800.0, 2000.0, 1.0).state["rating"].tolist()
        == one(NEW, 1800.0, 2000.0, 1.0).state["rating"].tolist()
    )


@pytest.mark.parametrize("stones", [-1.0, 2.5])
def test_a_handicap_that_is_no_number_of_stones_is_refused(stones: float) -> None:
    with pytest.raises(BadField, match="handicap must be a non-negative whole number at position 1"):
        one(OLD, 1800.0, 2000.0, 1.0, stones)


@method_checks(NEW, OLD, Egf(handicap_points=120.0, floor=None, period=Period.parse("month")))
def test_egf_keeps_the_laws(law: Law, method: Egf) -> None:
    law(method)
