"""Chess.com: archives of games, their scores by how each side ended, and what is unrated or no game."""

import json
from pathlib import Path
from typing import Any

import pytest
from ratingcore_servers.chesscom import CHESSCOM

from ratingcore.plugin.readers import Game, Refused, Unrated, Who
from tests.plugins.reader_laws import items, kinds, sniffed

ARCHIVE = (Path(__file__).parents[2] / "fixtures" / "formats" / "chesscom" / "archive.json").read_bytes()
GAME = json.loads(ARCHIVE)["games"][0]


def only(**changed: Any) -> Any:
    """What is read of the first game with other values."""
    (item,) = items(CHESSCOM, json.dumps({"games": [GAME | changed]}))
    return item


def test_every_game_of_an_archive_is_counted() -> None:
    assert sniffed(CHESSCOM, ARCHIVE) == 95
    found = items(CHESSCOM, ARCHIVE)
    assert kinds(found) == {"Game": 5, "casual": 1, "variant chess960": 1, "Refused": 1}
    games = [item for item in found if isinstance(item, Game)]
    assert [game.score for game in games] == [1.0, 0.5, 0.0, 0.5, 1.0]
    assert games[0] == Game(
        1, ("chess.com:live:7001",), Who("HollyMarsh", "HollyMarsh"), Who("tern_42", "tern_42"), 1.0,
        1_693_300_600_000_000, 0, {"home": "a"}, {"time_class": "rapid", "rules": "chess"},
    )  # fmt: skip
    assert games[3].key == ("chesscom:00000000-0000-0000-0000-000000000004",)
    assert games[4].data == {"home": "a", "event": "autumn-cup-2023"}
    (bad,) = (item for item in found if isinstance(item, Refused))
    assert bad.reason == "game 7: the two results contradict each other: 'win and win'"


def test_casual_games_and_variants_are_taken_on_request() -> None:
    found = items(CHESSCOM, ARCHIVE, casual="true", variants="all")
    assert kinds(found)["Game"] == 7
    assert [item.data["variant"] for item in found if isinstance(item, Game) and "variant" in item.data] == ["chess960"]


@pytest.mark.parametrize(
    ("white", "black", "score"),
    [
        ("win", "checkmated", 1.0), ("resigned", "win", 0.0), ("win", "timeout", 1.0), ("abandoned", "win", 0.0),
        ("win", "kingofthehill", 1.0), ("agreed", "agreed", 0.5), ("repetition", "repetition", 0.5),
        ("insufficient", "insufficient", 0.5), ("50move", "50move", 0.5),
    ],
)  # fmt: skip
def test_the_score_follows_from_how_the_game_ended_for_both(white: str, black: str, score: float) -> None:
    ends = {side: GAME[side] | {"result": end} for side, end in (("white", white), ("black", black))}
    assert only(**ends).score == score


def test_what_is_no_game_is_refused_and_a_game_that_stands_alone_is_read() -> None:
    assert isinstance(only(white={"username": "ann"}), Refused)
    assert isinstance(only(black=GAME["black"] | {"result": "agreed"}), Refused)
    assert isinstance(only(end_time="soon"), Refused)
    assert only(rated=False) == Unrated(1, "casual")
    (game,) = (item for item in items(CHESSCOM, json.dumps(GAME)) if isinstance(item, Game))
    assert game.score == 1.0
    assert items(CHESSCOM, '{"games": []}') == []
