"""Lichess: exported games one a line, their seeds and titles, and what is unrated, refused or no game."""

import json
from pathlib import Path
from typing import Any

import pytest
from ratingcore_servers import LICHESS

from ratingcore.errors import BadParameter
from ratingcore.events import instant
from ratingcore.plugin.readers import BadValue, Facts, Game, Reason, Refused, Seed, Unrated, Who
from tests.plugins.reader_laws import items, json_mutations, kinds, sniffed, survives

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "lichess"
GAMES = (FOLDER / "games.ndjson").read_bytes()
CASUAL = (FOLDER / "game-casual.json").read_bytes()


def game(**changed: Any) -> str:
    """The first game of the fixture, with other values."""
    return json.dumps(json.loads(GAMES.splitlines()[0]) | changed)


def only(found: list[Any]) -> Any:
    """The one item that is not a seed and no fact."""
    (item,) = (one for one in found if not isinstance(one, Seed | Facts))
    return item


def test_every_line_is_counted() -> None:
    assert sniffed(LICHESS, GAMES) == 95
    found = items(LICHESS, GAMES)
    assert kinds(found) == {
        "Facts": 1, "Seed": 4, "Game": 5, "casual": 2, "under one move": 2, "annulled": 1, "no result yet": 2,
        "variant atomic": 1, "unnamed player": 1, "Refused": 1,
    }  # fmt: skip
    rows = [item for item in found if isinstance(item, Game | Unrated | Refused)]
    assert [item.line for item in rows] == list(range(1, 16))


def test_a_game_says_who_played_when_and_what_a_pool_may_be_named_after() -> None:
    first = next(item for item in items(LICHESS, GAMES, time="start") if isinstance(item, Game))
    assert first == Game(
        1, ("lichess:aBcD1234",), Who("Quillfeather", "Quillfeather"), Who("brambletoft", "brambletoft"), 1.0,
        1_714_000_000_000_000, 0, {"home": "a"}, {"speed": "blitz", "variant": "standard", "perf": "blitz"},
    )  # fmt: skip
    events = [item.data.get("event") for item in items(LICHESS, GAMES) if isinstance(item, Game)]
    assert events == [None, None, "sPr1ngA1", "sw1ssX99", None]


def test_a_game_counts_from_its_last_move_and_its_ratings_from_its_start() -> None:
    """A game of correspondence counted on the day on which it began, weeks before anybody knew its result."""
    text = game(createdAt=1_714_550_400_000, lastMoveAt=1_718_409_600_123)  # 1 May and 15 June 2024
    found = items(LICHESS, text)
    assert (only(found).played, {one.played for one in found if isinstance(one, Seed)}) == (
        instant("2024-06-15"), {instant("2024-05-01T08:00Z")},
    )  # fmt: skip
    assert only(items(LICHESS, text, time="start")).played == instant("2024-05-01T08:00Z")
    for odd in (None, 1_714_550_399_000):  # no last move, or one before the start
        assert only(items(LICHESS, game(createdAt=1_714_550_400_000, lastMoveAt=odd))).played == 1_714_550_400_000_000
    assert isinstance(only(items(LICHESS, game(lastMoveAt=10**18))), Refused)


def test_a_casual_game_is_unrated_unless_it_is_wanted() -> None:
    assert items(LICHESS, CASUAL) == [Unrated(1, "casual")]
    taken = only(items(LICHESS, CASUAL, casual="true", time="start"))
    assert isinstance(taken, Game)
    assert (taken.key, taken.score) == (("lichess:xYzW9876",), 1.0)
    assert taken.played == 1_714_012_000_000_000  # cut to seconds
    with pytest.raises(BadParameter):
        items(LICHESS, CASUAL, casual="perhaps")


def test_variants_are_taken_on_request_and_named() -> None:
    atomic = next(item for item in items(LICHESS, GAMES, variants="all") if isinstance(item, Game) and item.line == 14)
    assert (atomic.data["variant"], atomic.tables["variant"], atomic.score) == ("atomic", "atomic", 0.0)
    written_out = only(items(LICHESS, game(variant={"key": "chess960", "name": "Chess960"})))
    assert written_out == Unrated(1, "variant chess960")


def test_ratings_are_told_once_for_each_kind_of_game_and_titles_once() -> None:
    text = "\n".join([game(), game(id="zzzz0000"), game(id="zzzz0001", perf="rapid", speed="rapid")])
    found = items(LICHESS, text)
    assert [(s.who.name, s.tables["perf"]) for s in found if isinstance(s, Seed)] == [
        ("Quillfeather", "blitz"), ("brambletoft", "blitz"), ("Quillfeather", "rapid"), ("brambletoft", "rapid"),
    ]  # fmt: skip
    assert [dict(item.data) for item in found if isinstance(item, Facts)] == [{"title": "WFM"}]
    own = {side: {"user": {"name": side, "title": "BOT"}} for side in ("white", "black")}
    assert kinds(items(LICHESS, game(players=own))) == {"Game": 1}  # a title of the site is none


@pytest.mark.parametrize(
    ("changed", "score"),
    [
        ({"winner": "black"}, 0.0),
        ({"status": "draw", "winner": None}, 0.5),
        ({"status": "timeout", "winner": None}, 0.5),
        ({"status": "variantEnd", "winner": None}, 0.5),
        ({"status": 31, "statusName": "resign"}, 1.0),
        ({"status": {"id": 34, "name": "draw"}, "winner": None}, 0.5),
        ({"createdAt": "1714000000123"}, 1.0),
    ],
)
def test_the_score_is_that_of_the_winner_or_of_how_it_ended(changed: dict[str, Any], score: float) -> None:
    found = only(items(LICHESS, game(**changed), time="start"))
    assert isinstance(found, Game)
    assert (found.score, found.played) == (score, 1_714_000_000_000_000)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (
            {"players": {"white": {"aiLevel": 3}, "black": {}}},
            "white is the computer: 'level ",
        ),
        ({"winner": None}, "does not name a winner: status 'mate'"),
        ({"winner": "green"}, "does not name a winner"),
        ({"status": "unknownFinish", "winner": None}, "does not name a winner"),
        ({"id": ""}, "has no id of a game"),
        ({"id": "a b"}, "has no id of a game"),
        ({"createdAt": 10**18}, "played"),
        ({"createdAt": -(10**14)}, "played"),
    ],
)
def test_a_game_that_cannot_be_rated_is_refused(changed: dict[str, Any], why: str) -> None:
    found = only(items(LICHESS, game(**changed)))
    assert isinstance(found, Refused)
    assert why in found.reason


def test_a_game_at_no_time_is_refused_by_a_reason_that_knows_its_facts() -> None:
    found = only(items(LICHESS, game(createdAt=10**18, lastMoveAt=10**18)))
    assert isinstance(found, Refused)
    assert isinstance(found.reason, Reason)
    assert (found.reason.kind, found.reason.facts["what"]) == (BadValue, "played")


def test_a_game_without_a_time_has_none_and_an_annulled_one_is_unrated() -> None:
    undated = only(items(LICHESS, game(createdAt=None, lastMoveAt=None)))
    assert isinstance(undated, Game)
    assert undated.played is None
    assert items(LICHESS, game(annulled=True)) == [Unrated(1, "annulled")]


@pytest.mark.parametrize("players", [{}, None, {"white": {}, "black": {"user": {"name": "bo"}}}])
def test_a_game_of_an_anonymous_player_is_unrated(players: Any) -> None:
    assert items(LICHESS, game(players=players)) == [Unrated(1, "unnamed player")]


@pytest.mark.parametrize(
    ("name", "count", "why"),
    [
        ("arena-results.json", 1, "is not a game: an arena result"),
        ("rating-history.json", 3, "is not a game: a rating history"),
        ("fide-player-ratings.json", 1, "is not a game: a rating history"),
    ],
)
def test_what_is_no_game_is_refused_by_name(name: str, count: int, why: str) -> None:
    content = (FOLDER / name).read_bytes()
    assert sniffed(LICHESS, content) == 55
    found = items(LICHESS, content)
    assert [item.reason for item in found if isinstance(item, Refused)] == [why] * count


def test_a_damaged_line_is_refused_alone() -> None:
    lines = GAMES.splitlines()
    found = items(LICHESS, b"\n".join([lines[0], lines[1][:80], lines[2]]))
    assert [item.line for item in found if isinstance(item, Refused)] == [2]
    assert [item.line for item in found if isinstance(item, Game)] == [1, 3]


def test_no_line_is_lost_when_values_change() -> None:
    for changed in json_mutations(GAMES, seed=2):
        rows = [json.loads(line) for line in changed.replace(b"1e999", b"0").splitlines()]
        wanted = len(rows[0]) if isinstance(rows[0], list) else 1  # an array in the first line is taken apart
        wanted += len(rows) - 1
        found = survives(LICHESS, changed)
        assert sum(isinstance(item, Game | Unrated | Refused) for item in found) == wanted
