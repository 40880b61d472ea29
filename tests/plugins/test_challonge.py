"""Challonge: tournaments with participants and matches as documents; ties only where there can be ties."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from ratingcore_servers import CHALLONGE

from ratingcore.events import instant
from ratingcore.plugin.readers import Document, Game, Refused, Unrated, Who
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "challonge"
ROBIN, BRACKET, ALONE = (
    (FOLDER / f"{name}.json").read_bytes() for name in ("round-robin", "bracket", "matches-alone")
)  # fmt: skip


def games(found: list[Any]) -> list[Game]:
    return [item for item in found if isinstance(item, Game)]


def robin(**changed: Any) -> str:
    """The round robin of the fixture, its first match with other values."""
    tournament = json.loads(ROBIN)
    tournament["tournament"]["matches"][0]["match"] |= changed
    return json.dumps(tournament)


def test_a_round_robin_is_a_document_of_its_matches() -> None:
    assert sniffed(CHALLONGE, ROBIN) == 95
    found = items(CHALLONGE, ROBIN)
    assert kinds(found) == {"Document": 1, "Game": 3, "forfeit": 2, "no result yet": 1, "Refused": 1}
    opened = found[0]
    assert isinstance(opened, Document)
    assert (opened.key, opened.event) == (("challonge:7001",), "Thursday Robin (2024-03-02)")
    assert (opened.start, opened.issued) == (date(2024, 3, 2), 1709406690_000000)
    won, tied, lost = games(found)
    assert (won.key, won.a, won.b) == (("challonge:801",), Who(None, "Hazel Stroud", "71"), Who(None, "Ivo Tarn", "72"))
    assert [game.score for game in (won, tied, lost)] == [1.0, 0.5, 0.0]
    assert won.played == 1709400060_000000
    assert (lost.data["points_a"], lost.data["points_b"]) == (1, 2)  # games won of three


def test_a_match_counts_from_its_end_unless_its_start_is_asked_for() -> None:
    times = {"started_at": "2024-03-02T17:00:00Z", "completed_at": "2024-03-02T17:21:00Z"}
    played = [games(items(CHALLONGE, robin(**times), time=time))[0].played for time in ("end", "start")]
    assert played == [instant("2024-03-02T17:21Z"), instant("2024-03-02T17:00Z")]


def test_players_of_groups_have_second_numbers_and_a_match_without_time_has_the_day_of_the_tournament() -> None:
    found = games(items(CHALLONGE, BRACKET, dates="start"))
    assert {(who.name, who.number) for game in found for who in (game.a, game.b)} == {
        ("Hazel Stroud", "81"), ("Ivo Tarn", "82"), ("Juna Vale", "83"),
    }  # fmt: skip
    undated = next(game for game in found if game.key == ("challonge:903",))
    assert (undated.data["dated"], undated.order) == ("event", 2000)


def test_a_bracket_has_no_ties() -> None:
    (bad,) = (item for item in items(CHALLONGE, BRACKET) if isinstance(item, Refused))
    assert bad.reason == "match 902: it does not name a winner"


def test_matches_without_participants_are_refused_and_open_no_document() -> None:
    assert sniffed(CHALLONGE, ALONE) == 95
    assert kinds(items(CHALLONGE, ALONE)) == {"Refused": 4, "forfeit": 2, "no result yet": 1}
    tournament = json.loads(ROBIN)["tournament"]
    del tournament["matches"]
    together = [*tournament.pop("participants"), {"tournament": tournament}, *json.loads(ALONE)]
    assert kinds(items(CHALLONGE, json.dumps(together))) == kinds(items(CHALLONGE, ROBIN))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"state": "open"}, "no result yet"),
        ({"player2_id": None}, "bye"),
        ({"forfeited": True}, "forfeit"),
        ({"scores_csv": ""}, "forfeit"),
        ({"scores_csv": "0--1"}, "forfeit"),
    ],
)
def test_what_was_not_played_is_unrated(changed: dict[str, Any], expected: str) -> None:
    assert Unrated(1, expected) in items(CHALLONGE, robin(**changed))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"winner_id": 73}, "match 801: the winner did not play in it: '73'"),
        ({"player2_id": 71}, "match 801: a player meets themselves: '71'"),
        ({"id": None}, "match: it has no id"),
        ({"completed_at": "yesterday"}, "match 801: played must be a time such as 2024-04-24T23:06:40Z: 'yesterday'"),
        ({"completed_at": "1024-01-01T00:00:00Z"}, "match 801: played"),
    ],
)
def test_a_match_that_cannot_be_read_is_refused(changed: dict[str, Any], why: str) -> None:
    reasons = [item.reason for item in items(CHALLONGE, robin(**changed)) if isinstance(item, Refused)]
    assert any(reason.startswith(why) for reason in reasons)


def test_numbers_may_be_texts_and_a_tie_may_be_a_word() -> None:
    text = games(items(CHALLONGE, robin(player1_id="71", winner_id="71", id="801")))[0]
    assert (text.key, text.score) == (("challonge:801",), 1.0)
    tied = games(items(CHALLONGE, robin(winner_id="tie", scores_csv="")))[0]
    assert tied.score == 0.5
    assert "points_a" not in tied.data


def test_a_tournament_without_a_number_is_refused() -> None:
    given = json.loads(ROBIN)
    del given["tournament"]["id"]
    found = items(CHALLONGE, json.dumps(given))
    assert kinds(found) == {"forfeit": 2, "no result yet": 1, "Refused": 4}
