"""The DWZ: the worked example of the README, and ten events as the federation rated them."""

import csv
from pathlib import Path

import numpy as np
import pytest
from ratingcore_dwz import Dwz
from ratingcore_dwz.development import Appendix, development

from ratingcore.engine import Engine
from ratingcore.events import DAY, GamePlayed, PlayerDescribed, RatingSeeded
from ratingcore.log import SqliteLog
from ratingcore.plugin import Period
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated

EVENTS = Path(__file__).parents[2] / "fixtures" / "archives" / "dwz" / "events.csv"
WORKED = [1600.0, 1700.0, 1500.0, 1650.0, 1800.0, 1550.0]
SCORES = [1.0, 0.5, 0.0, 0.5, 1.0]


def published() -> dict[str, list[dict[str, str]]]:
    events: dict[str, list[dict[str, str]]] = {}
    with EVENTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            events.setdefault(row["event"], []).append(row)
    return events


@pytest.mark.parametrize(("event", "rows"), published().items())
def test_an_event_as_the_federation_rated_it(event: str, rows: list[dict[str, str]]) -> None:
    """fixtures/archives/dwz: through a log, opponents and the coefficient given by seeds."""
    engine = Engine(SqliteLog(":memory:"))
    values = {"rating": float(rows[0]["rating"]), "development": float(rows[0]["development"])}
    engine.record(RatingSeeded(pool="d", played=0, player="we", values=values))
    for n, row in enumerate(rows):
        opponent, data = f"opponent {n}", {"event": event}
        engine.record(
            RatingSeeded(pool="d", played=0, player=opponent, values={"rating": float(row["opponent"])}),
            GamePlayed(pool="d", played=DAY + n, a="we", b=opponent, score=float(row["score"]), data=data),
        )
    assert engine.rating_list("d", "dwz").rating("we") == float(rows[0]["new_rating"])
    replay = engine.core.replay("d", "dwz", keep=True)
    assert replay.moves is not None
    assert replay.moves.expected.sum() == pytest.approx(float(rows[0]["expected_points"]), abs=0.0014)


def test_all_ten_events_are_there() -> None:
    assert len(published()) == 10


def test_e_is_what_the_federation_printed_for_the_ten_events() -> None:
    """24 at 2085, which is the rule for a player of up to 20 years; then 30, the most, as from 21 years on."""
    printed = {(float(rows[0]["rating"]), float(rows[0]["development"])) for rows in published().values()}
    young, older = ((r, e) for r, e in sorted(printed) if e < 30.0), [(r, e) for r, e in sorted(printed) if e == 30.0]
    assert [found(r, age=20.0) for r, _ in young] == [24.0]
    assert [found(r, age=21.0) for r, _ in older] == [30.0] * 9


def found(
    rating: float, appendix: Appendix = "1.2", *, age: float = 40.0, index: float = 6.0, surplus: float = 0.0
) -> float:
    columns = (np.array([x]) for x in (rating, age, index, surplus))
    return float(development(*columns, appendix)[0])


@pytest.mark.parametrize(
    ("player", "e"),
    [
        ({"rating": 1530.0}, 20), ({"rating": 1930.0}, 29), ({"rating": 1930.0, "age": 25.0}, 24),
        ({"rating": 1930.0, "age": 20.0, "surplus": -1.0}, 19), ({"rating": 1930.0, "age": 20.0, "surplus": 1.0}, 18),
        ({"rating": 1600.0, "age": 12.0, "surplus": 0.0}, 9), ({"rating": 600.0, "age": 12.0, "surplus": 1.0}, 5),
        ({"rating": 2400.0}, 30), ({"rating": 2400.0, "index": 5.0}, 25), ({"rating": 2400.0, "index": 0.0}, 5),
        ({"rating": 1299.0, "surplus": -1.0, "index": 1.0}, 18), ({"rating": 1300.0, "surplus": -1.0, "index": 1.0}, 5),
        ({"rating": 1000.0, "surplus": -1.0}, 22), ({"rating": 1000.0, "age": 12.0, "surplus": -1.0, "index": 1.0}, 12),
        ({"rating": 500.0, "surplus": -1.0}, 150), ({"rating": 1530.0, "age": float("nan")}, 20),
    ],
)  # fmt: skip
def test_e_by_appendix_1_2(player: dict[str, float], e: float) -> None:
    """By hand: (R/1000)^4 + 5, 10 or 15; times R/2000 for the young who do well; the brake below 1300; the bounds."""
    assert found(**player) == e


@pytest.mark.parametrize(
    ("player", "e"),
    [
        ({"rating": 1000.0, "surplus": -1.0}, 16), ({"rating": 1600.0, "age": 12.0, "surplus": -1.0}, 9),
        ({"rating": 1000.0, "age": 12.0, "surplus": -1.0}, 9), ({"rating": 1000.0, "age": 12.0, "surplus": 1.0}, 5),
    ],
)  # fmt: skip
def test_by_the_earlier_appendix_only_the_young_are_braked_and_they_are_always_faster(
    player: dict[str, float], e: float
) -> None:
    """(1 + 5) / 2 + e^2 - 1 is 9.39."""
    assert found(appendix="2.4", **player) == e


def test_two_adults_of_many_events_by_e_20_and_29() -> None:
    """1564.32 and 1905.33 if E were not rounded; 1576 and 1884 by E = 15."""
    with Engine(SqliteLog(":memory:")) as engine:
        for player, rating in (("ann", 1530.0), ("bo", 1930.0)):
            engine.record(RatingSeeded(pool="d", played=0, player=player, values={"rating": rating}))
        engine.record(GamePlayed(pool="d", played=DAY, a="ann", b="bo", score=1.0))
        listed = {row["player"]: (row["rating"], row["index"]) for row in engine.rating_list("d", "dwz")}
        assert listed == {"ann": (1565.0, 7.0), "bo": (1905.0, 7.0)}
        earlier = engine.rating_list("d", "dwz@1")
        assert [earlier.rating(player) for player in ("ann", "bo")] == [1576.0, 1884.0]


def test_index_age_and_a_coefficient_come_from_seeds_and_facts() -> None:
    """The event of 2024 has an E of 25 by index 5, of 18 for somebody of 20 who wins, and of what a seed says."""
    seeds = {
        "of five events": {"rating": 2400.0, "index": 5.0}, "young": {"rating": 1930.0},
        "given": {"rating": 1600.0, "development": 11.0}, "older": {"rating": 1930.0},
    }  # fmt: skip
    with Engine(SqliteLog(":memory:")) as engine:
        for player, values in seeds.items():
            engine.record(RatingSeeded(pool="d", played="2024-01-01", player=player, values=values))
        for player, born in (("young", 2004), ("older", 2003)):
            engine.record(PlayerDescribed(pool="d", played="2024-01-01", player=player, data={"born": born}))
        for other in ("older", "given", "of five events"):
            data = {"event": "cup"}
            engine.record(GamePlayed(pool="d", played="2024-12-31", a="young", b=other, score=1.0, data=data))
        replay = engine.core.replay("d", "dwz", keep=True)
    assert replay.moves is not None
    notes = replay.moves.notes
    assert set(notes["development_a"].tolist()) == {18.0}
    assert notes["development_b"].tolist() == [24.0, 11.0, 25.0]


def test_a_newcomer_has_index_0_and_a_new_seed_without_an_index_counts_as_6() -> None:
    with Engine(SqliteLog(":memory:")) as engine:
        engine.record(
            RatingSeeded(pool="d", played=0, player="bo", values={"rating": 1500.0, "index": 2.0}),
            GamePlayed(pool="d", played=DAY, a="ann", b="bo", score=1.0),
            GamePlayed(pool="d", played=2 * DAY, a="ann", b="bo", score=1.0),
            RatingSeeded(pool="d", played=3 * DAY, player="ann", values={"rating": 1500.0}),
        )
        lists = [
            {row["player"]: row["index"] for row in engine.rating_list("d", "dwz", day * DAY)} for day in (1, 2, 3)
        ]
    indices = [[listed["ann"], listed["bo"]] for listed in lists]
    assert indices == [[1.0, 3.0], [2.0, 4.0], [6.0, 4.0]]


def test_n_is_the_number_of_own_games_in_the_event() -> None:
    """800 / (E + n), each side with its own."""
    result = rated(Dwz(development=15.0), WORKED, games([0, 1, 3], [1, 2, 4], [1.0, 0.0, 1.0]))
    assert result.notes["weight_a"].tolist() == [800.0 / 16.0, 800.0 / 17.0, 800.0 / 16.0]
    assert result.notes["weight_b"].tolist() == [800.0 / 17.0, 800.0 / 16.0, 800.0 / 16.0]


@pytest.mark.parametrize(
    ("rating", "listed"), [(1500.5, 1501.0), (-0.5, 0.0), (1500.4999, 1500.0), (1499.99999999999, 1500.0)]
)
def test_a_half_is_rounded_up_and_only_who_played_is_rounded(rating: float, listed: float) -> None:
    result = rated(Dwz(development=15.0), [rating, rating, rating], games([0], [1], [0.5]))
    assert result.state["rating"].tolist() == [listed, listed, rating]
    assert result.after["rounding"][2] == 0.0


def test_a_seed_beyond_every_rating_stays_a_number() -> None:
    """Its rounding overflowed, and the pool had no list any more."""
    with Engine(SqliteLog(":memory:")) as engine:
        engine.record(
            RatingSeeded(pool="club", played=0, player="ann", values={"rating": 1e300}),
            GamePlayed(pool="club", played=DAY, a="ann", b="bo", score=1.0),
        )
        listed = {row["player"]: row["rating"] for row in engine.rating_list("club", "dwz")}
    assert listed == {"ann": 1e300, "bo": 1000.0}


@method_checks(
    Dwz(), Dwz(appendix="2.4"), Dwz(rounding=False, development=30.0),
    Dwz(period=Period.parse("quarter"), initial=1500.0)
)  # fmt: skip
def test_dwz_keeps_the_laws(law: Law, method: Dwz) -> None:
    law(method)


def test_without_rounding_the_numbers_stay() -> None:
    result = rated(Dwz(rounding=False, development=15.0), WORKED, games([0] * 5, [1, 2, 3, 4, 5], SCORES))
    assert result.state["rating"][0] == pytest.approx(1630.409998, abs=5e-7)
    assert result.after == {}
