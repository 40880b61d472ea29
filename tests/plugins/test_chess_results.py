"""Files for chess-results.com: pairings, byes, teams, days."""

from zoneinfo import ZoneInfo

import pytest

from ratingcore.errors import BadFile
from ratingcore.events import instant
from ratingcore.readers import DayInDoubt, Document, Facts, Warning, Who
from tests.plugins.chess_files import (
    FORMATS,
    counts,
    games,
    of,
    pairings,
    refusals,
    said,
    seeds,
    sure,
)

SWISS, TEAMS = FORMATS / "chess_results" / "swiss.xml", FORMATS / "chess_results" / "teams.xml"


def file(pairing: str, head: str = "", rounds: str = "") -> bytes:
    """A tournament of Ann and Bo."""
    return f"""<chessresults><tournamentdata><tournament name="Cup" from="20240302" {head}/></tournamentdata>
        <rounds>{rounds}</rounds><players><player no="1" lastname="Ann" fideid="7"/>
        <player no="2" lastname="Bo" firstname="Jo" fideid="0"/></players><playerpairings>
        <playerpairing round="1" whiteno="1" blackno="2" {pairing}/></playerpairings></chessresults>""".encode()


def test_a_swiss_tournament() -> None:
    items = of("chess-results", "chess_results/swiss.xml")
    assert pairings(items) == {"game": 65, "bye": 4, "absent": 13}
    assert {game.data["round"] for game in games(items)} == set(range(1, 8))
    assert {(game.played, game.data["dated"]) for game in games(items)} == {(instant("2025-09-26"), "event")}
    facts = [item for item in items if isinstance(item, Facts)]
    assert len(facts) == 21
    assert sum(item.who.id is not None for item in facts) == 16
    assert isinstance(items[0], Document)
    assert (items[0].key, items[0].event) == (("1000001",), "Swiss of Nowhere (2025-09-26)")
    assert len(seeds(items)) == 17
    assert len(seeds(of("chess-results", "chess_results/swiss.xml", ratings="national"))) == 21


def test_a_match_of_teams() -> None:
    items = of("chess-results", "chess_results/teams.xml")
    assert pairings(items) == {"game": 5, "no result yet": 1}
    assert {(game.data["round"], game.played) for game in games(items)} == {
        (1, instant("2025-09-05")), (2, instant("2025-09-26")),
    }  # fmt: skip
    assert {game.data["board"] for game in games(items)} == {1, 2, 3}
    assert {game.data["match"] for game in games(items)} == {"1.1", "2.1"}
    first = games(items)[0]
    assert (first.data["team_a"], first.data["team_b"], first.order) == ("Away", "Home", 1000)
    zoned = games(said("chess-results", TEAMS.read_bytes(), zone=ZoneInfo("Europe/Berlin")))[0]
    assert (zoned.played, zoned.order) == (instant("2025-09-05T16:00:00Z"), 0)


@pytest.mark.parametrize(
    ("pairing", "found"),
    [
        ('reswhite="1.0" resblack="0.0"', {"game": 1}), ('reswhite="0,5" resblack="0,5"', {"game": 1}),
        ('reswhite="" resblack=""', {"no result yet": 1}), ("", {"no result yet": 1}),
        ('reswhite="1.0" resblack="0.0" forfeit="K"', {"forfeit": 1}),
        ('reswhite="+" resblack="-"', {"forfeit": 1}), ('reswhite="-" resblack="-"', {"forfeit": 1}),
        ('reswhite="0.0" resblack="0.0"', {"both lost": 1}),
        ('reswhite="1.0" resblack="1.0"', {"refused": 1}), ('reswhite="1.0" resblack=""', {"refused": 1}),
        ('reswhite="3" resblack="-2"', {"refused": 1}), ('reswhite="x" resblack="0"', {"refused": 1}),
    ],
)  # fmt: skip
def test_results(pairing: str, found: dict[str, int]) -> None:
    assert pairings(said("chess-results", file(pairing))) == found


def test_byes_absences_and_players_who_are_not_there() -> None:
    content = file('reswhite="1.0" resblack="0.0"')
    assert pairings(said("chess-results", content.replace(b'blackno="2"', b'blackno="-1"'))) == {"bye": 1}
    assert pairings(said("chess-results", content.replace(b'blackno="2"', b'blackno="-2"'))) == {"absent": 1}
    items = said("chess-results", content.replace(b'blackno="2"', b'blackno="9"'))
    assert refusals(items) == ["the file has no player with the number: '9'"]


def test_names_ids_and_keys() -> None:
    items = said("chess-results", file('reswhite="1" resblack="0"'))
    (game,) = games(items)
    assert (game.a, game.b) == (Who("fide:7", "Ann", "1"), Who(None, "Bo, Jo", "2"))
    assert (game.key, game.line) == (("1",), 4)
    assert isinstance(items[0], Document)
    assert items[0].key == ("Cup", "20240302")
    assert "board" not in game.data


def test_two_players_of_one_number_are_refused() -> None:
    items = said("chess-results", file('reswhite="1" resblack="0"').replace(b'no="2" lastname', b'no="1" lastname'))
    assert refusals(items) == [
        "an earlier player has the same number: '1'",
        "the file has no player with the number: '2'",
    ]


def test_days_of_rounds_and_days_that_are_none() -> None:
    result = 'reswhite="1" resblack="0"'
    (game,) = games(said("chess-results", file(result, rounds='<round round="1" date="03.03.2024"/>')))
    assert (game.played, "dated" in game.data) == (instant("2024-03-03"), False)
    partial = file(result, rounds='<round round="1" date="2024-03"/>')
    (game,) = games(said("chess-results", partial, partial="last"))
    assert (game.played, game.data["dated"]) == (instant("2024-03-31"), "month")
    items = said("chess-results", file(result, rounds='<round round="1" date="20240230"/>'))
    assert counts(items)["warning"] == 1
    assert games(items)[0].played == instant("2024-03-02")
    items = said("chess-results", file(result).replace(b"20240302", b"10240302"))
    assert [type(item) for item in items if isinstance(item, Warning)] == [Warning]
    assert games(items)[0].played is None


def test_a_day_in_doubt_has_its_formats() -> None:
    items = said("chess-results", file('reswhite="1" resblack="0"').replace(b"20240302", b"05/09/2024"))
    (note,) = [item for item in items if isinstance(item, DayInDoubt)]
    assert (note.value, note.forms) == ("05/09/2024", ("%d/%m/%Y", "%m/%d/%Y"))


def test_recognition_and_other_files() -> None:
    assert sure("chess-results", SWISS.read_bytes()) == 95
    assert sure("chess-results", b"<?xml version='1.0'?><!-- x --><chessresults>") == 95
    assert sure("chess-results", b"<Tournament>") == 0
    for content in (b"<x/>", b"<chessresults/>", b"{}"):
        with pytest.raises(BadFile):
            said("chess-results", content)


def test_nothing_of_the_security_data_is_kept() -> None:
    assert b"SECRET" in SWISS.read_bytes()
    assert "SECRET" not in str(of("chess-results", "chess_results/swiss.xml"))
