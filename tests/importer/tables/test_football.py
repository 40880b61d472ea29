"""The archive of football internationals: read whole, as its publisher describes it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ratingcore.events import GamePlayed, iso
from ratingcore.importer.tables import FieldMap, read_results

FOLDER = Path(__file__).parents[3] / "fixtures" / "archives" / "football"


def read() -> list[Any]:
    mapping = FieldMap.load(FOLDER / "mapping.toml")
    return list(read_results(FOLDER / "results.csv.gz", pool="men", fields=mapping))


@pytest.fixture(scope="module")
def lines() -> list[Any]:
    return read()


def test_every_match_is_read_and_accepted(lines: list[Any]) -> None:
    assert len(lines) == 41_300
    assert all(isinstance(line.event, GamePlayed) for line in lines)
    assert [line.line for line in lines] == list(range(2, 41_302))
    assert len({name for line in lines for name in (line.event.a, line.event.b)}) == 317


def test_the_first_and_the_last_match(lines: list[Any]) -> None:
    first, last = lines[0].event, lines[-1].event
    assert (iso(first.played), first.a, first.b, first.score) == ("1872-11-30", "Scotland", "England", 0.5)
    assert dict(first.data) == {"event": "Friendly", "home": "a", "importance": 20, "points_a": 0, "points_b": 0}
    assert (iso(last.played), last.a, last.b, last.score) == ("2017-12-29", "Qatar", "Bahrain", 0.5)
    assert dict(last.data) == {"event": "Gulf Cup", "importance": 30, "points_a": 1, "points_b": 1}


def test_teams_that_met_twice_on_a_day_played_two_matches(lines: list[Any]) -> None:
    both = [line.event for line in lines if (line.event.a, iso(line.event.played)) == ("Tahiti", "1974-02-17")]
    assert [game.score for game in both] == [1.0, 0.0]


def test_the_importance_follows_from_the_tournament(lines: list[Any]) -> None:
    of = {line.event.data["event"]: line.event.data["importance"] for line in lines}
    assert Counter(of.values()) == {60: 1, 50: 8, 40: 8, 30: len(of) - 18, 20: 1}
    assert (of["FIFA World Cup"], of["Copa América"], of["Gold Cup qualification"]) == (60, 50, 40)
    assert (of["British Home Championship"], of["Friendly"]) == (30, 20)
