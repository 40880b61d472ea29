"""The DWZ: the worked example of the README, and ten events as the federation rated them."""

import csv
from pathlib import Path

import pytest
from ratingcore_dwz import Dwz

from ratingcore.engine import Engine
from ratingcore.events import DAY, GamePlayed, RatingSeeded
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


def test_n_is_the_number_of_own_games_in_the_event() -> None:
    """800 / (E + n), each side with its own."""
    result = rated(Dwz(development=15.0), WORKED, games([0, 1, 3], [1, 2, 4], [1.0, 0.0, 1.0]))
    assert result.notes["weight_a"].tolist() == [800.0 / 16.0, 800.0 / 17.0, 800.0 / 16.0]
    assert result.notes["weight_b"].tolist() == [800.0 / 17.0, 800.0 / 16.0, 800.0 / 16.0]


@pytest.mark.parametrize(
    ("rating", "listed"), [(1500.5, 1501.0), (-0.5, 0.0), (1500.4999, 1500.0), (1499.99999999999, 1500.0)]
)
def test_a_half_is_rounded_up_and_only_who_played_is_rounded(rating: float, listed: float) -> None:
    result = rated(Dwz(), [rating, rating, rating], games([0], [1], [0.5]))
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


@method_checks(Dwz(), Dwz(rounding=False, development=30.0), Dwz(period=Period.parse("quarter"), initial=1500.0))
def test_dwz_keeps_the_laws(law: Law, method: Dwz) -> None:
    law(method)


def test_without_rounding_the_numbers_stay() -> None:
    result = rated(Dwz(rounding=False), WORKED, games([0] * 5, [1, 2, 3, 4, 5], SCORES))
    assert result.state["rating"][0] == pytest.approx(1630.409998, abs=5e-7)
    assert result.after == {}
