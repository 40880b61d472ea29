"""start.gg: sets as games of two players or sessions of two teams, known by number or by tag."""

import json
from pathlib import Path
from typing import Any

import pytest
from ratingcore_servers import STARTGG

from ratingcore.plugin.readers import Game, Refused, Session, Unrated, Warning, Who
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "startgg"
SETS = (FOLDER / "startgg-sets.json").read_bytes()


def slot(entrant: int, name: str, *participants: Any, score: float | None = None) -> dict[str, Any]:
    """A place in a set; participants are (player's number or None, tag)."""
    players = [
        {"id": entrant + 900, "gamerTag": tag, "player": {"id": number} if number else None}
        for number, tag in participants
    ]
    standing = None if score is None else {"stats": {"score": {"value": score}}}
    return {"entrant": {"id": entrant, "name": name, "participants": players}, "standing": standing}


def one(**changed: Any) -> str:
    """A set as the interface gives it."""
    given = {
        "id": 5, "state": 3, "winnerId": 11, "completedAt": 1510527738, "startedAt": 1510527000,
        "displayScore": "T | Ann 3 - Bo 1", "slots": [slot(11, "T | Ann", (71, "Ann")), slot(12, "Bo", (72, "Bo"))],
    } | changed  # fmt: skip
    return json.dumps({"data": {"event": {"name": "Singles", "startAt": 1510500000, "sets": {"nodes": [given]}}}})


def test_the_sets_of_the_sample_are_three_games_of_five_players_known_by_tag() -> None:
    assert sniffed(STARTGG, SETS) == 95
    found = items(STARTGG, SETS)
    assert kinds(found) == {"Warning": 1, "Game": 3}
    games = [item for item in found if isinstance(item, Game)]
    assert [(g.a.name, g.b.name, g.score, g.data["points_a"], g.data["points_b"]) for g in games] == [
        ("Mew2King", "Ginger", 1.0, 3, 0), ("Colbol", "Druggedfox", 1.0, 3, 0),
        ("Druggedfox", "Swedish Delight", 1.0, 3, 1),
    ]  # fmt: skip
    assert len({who.name for game in games for who in (game.a, game.b)}) == 5
    assert [game.key for game in games] == [("startgg:11186682",), ("startgg:11186683",), ("startgg:8798920",)]
    assert games[0].played == 1510527738_000000
    assert isinstance(found[0], Warning)


def test_a_player_is_known_by_number_where_it_was_asked_for() -> None:
    (game,) = items(STARTGG, one())
    assert isinstance(game, Game)
    assert (game.a, game.b) == (Who("startgg:71", "Ann"), Who("startgg:72", "Bo"))
    assert game.data == {"event": "Singles (2017-11-12)", "points_a": 3, "points_b": 1}


def test_a_set_of_teams_is_a_session_of_two_sides() -> None:
    slots = [slot(11, "A / B", (1, "Ann"), (2, "Bo")), slot(12, "C / D", (3, "Cy"), (None, "Di"))]
    warned, session = items(STARTGG, one(slots=slots, displayScore=None))
    assert isinstance(warned, Warning)
    assert isinstance(session, Session)
    assert [(tuple(who.name for who in players), score) for players, score in session.sides] == [
        (("Ann", "Bo"), 1.0), (("Cy", "Di"), 0.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"state": 1, "winnerId": None}, "no result yet"),
        ({"state": "ACTIVE"}, "no result yet"),
        ({"displayScore": "DQ"}, "forfeit"),
        ({"displayScore": "Bo -1 - T | Ann 0"}, "forfeit"),
        ({"displayScore": None, "slots": [slot(11, "Ann", score=0), slot(12, "Bo", score=-1)]}, "forfeit"),
        ({"displayScore": "Bye"}, "bye"),
        ({"slots": [slot(11, "Ann"), {"entrant": None}]}, "bye"),
    ],
)
def test_what_was_not_played_is_unrated(changed: dict[str, Any], reason: str) -> None:
    assert items(STARTGG, one(**changed)) == [Unrated(1, reason)]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"id": None}, "set: it has no id"),
        ({"winnerId": 99}, "set 5: it does not name a winner"),
        ({"winnerId": None}, "set 5: it does not name a winner"),
        ({"slots": [slot(11, "A"), slot(12, "B"), slot(13, "C")]}, "set 5: it has 3 entrants"),
        (
            {"slots": [slot(11, "A / B", (None, ""), (None, "")), slot(12, "B")]},
            "set 5: an entrant has a player with neither a number nor a tag: '11'",
        ),
        ({"completedAt": 10**14}, "set 5: played"),
    ],
)
def test_a_set_that_cannot_be_read_is_refused(changed: dict[str, Any], why: str) -> None:
    (bad,) = items(STARTGG, one(**changed))
    assert isinstance(bad, Refused)
    assert bad.reason.startswith(why)


def test_the_time_is_that_of_the_end_the_start_or_the_event() -> None:
    played = [
        items(STARTGG, one(**changed))[0].played  # type: ignore[union-attr]  # a game
        for changed in ({}, {"completedAt": None}, {"completedAt": None, "startedAt": None})
    ]
    assert played == [1510527738_000000, 1510527000_000000, 1510500000_000000]
    for changed in ({}, {"startedAt": None}):
        (game,) = (item for item in items(STARTGG, one(**changed), time="start") if isinstance(item, Game))
        assert game.played == (1510527738_000000 if changed else 1510527000_000000)
    (by_event,) = items(STARTGG, one(completedAt=None, startedAt=None))
    assert isinstance(by_event, Game)
    assert by_event.data["dated"] == "event"
    (undated,) = items(STARTGG, one(completedAt=None, startedAt=None, event={"id": 3, "name": "Doubles"}))
    assert isinstance(undated, Game)
    assert undated.played is None


def test_an_entrant_of_one_player_without_a_tag_is_known_by_the_end_of_the_name() -> None:
    game = items(STARTGG, one(slots=[slot(11, "X | Y | Ann"), slot(12, "Bo")], displayScore="Bo 0 - X | Y | Ann 2"))[1]
    assert isinstance(game, Game)
    assert (game.a.name, game.data["points_a"], game.data["points_b"]) == ("Ann", 2, 0)


def test_sets_may_stand_alone_or_one_a_line() -> None:
    given = json.loads(one())["data"]["event"]["sets"]["nodes"][0]
    assert kinds(items(STARTGG, json.dumps([given, given | {"id": 6}]))) == {"Game": 2}
    assert kinds(items(STARTGG, f"{json.dumps(given)}\n{json.dumps(given | {'id': 6})}\n")) == {"Game": 2}


def test_games_of_sets_are_no_sets() -> None:
    content = (FOLDER / "startgg-games.json").read_bytes()
    assert sniffed(STARTGG, content) == 0
    (bad,) = items(STARTGG, content)
    assert isinstance(bad, Refused)
    assert bad.reason == "holds no sets"
