"""AGA reports: titles, players with made-up numbers, rounds by headings, and games that cannot be read."""

from pathlib import Path

import pytest
from ratingcore_go import AGA

from ratingcore.errors import BadFile
from ratingcore.plugin.readers import Document, Facts, Game, Refused, Seed, Who, at, day_of
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "aga"
CLUB = (FOLDER / "club.txt").read_bytes()
PAIRED = (FOLDER / "paired.txt").read_bytes()
REPORT = "TOURNEY Cup\nstart=3/2/2024\nPLAYERS\n1 Ann, A 1d\n2 Bo, B 2k\nGAMES\n{}\nEND\n"


def test_a_club_report() -> None:
    found = items(AGA, CLUB)
    assert sniffed(AGA, CLUB) == 90
    assert kinds(found) == {"Document": 1, "Facts": 2, "Seed": 1, "Game": 3, "no result yet": 1, "Refused": 1}
    assert found[0] == Document(
        ("Lindenby Rated Games", "6/15/2004"), "Lindenby Rated Games (2004-06-15)", day_of("2004-06-15"),
        day_of("2004-06-30"),
    )  # fmt: skip
    black, white = Who("aga:13199", "Quinnik, Gus", "13199"), Who("aga:1489", "Ostander, Pia", "1489")
    game, back, stones = (item for item in found if isinstance(item, Game))
    assert game == Game(
        12, (), black, white, 1.0, at(day_of("2004-06-15")), 0,
        {"event": "Lindenby Rated Games (2004-06-15)", "komi": 7.0, "dated": "event"},
    )  # fmt: skip
    assert (back.a, back.score) == (white, 0.0)
    assert (stones.a, stones.data["handicap"], stones.data["komi"]) == (Who(None, "Newman, Ada", "99999"), 3, 0.5)
    assert [item.values for item in found if isinstance(item, Seed)] == [{"rating": -5.5}]


def test_a_report_of_a_pairing_program_has_rounds_tabs_and_captions() -> None:
    found = items(AGA, PAIRED)
    assert kinds(found) == {"Document": 1, "Facts": 3, "Game": 3}
    assert [item.who.name for item in found if isinstance(item, Facts)] == [
        "Vañabes, Luz",
        "Holm, Otto van",
        "Berg, Nora",
    ]
    games = [item for item in found if isinstance(item, Game)]
    assert [(game.key, game.order, game.data["round"]) for game in games] == [
        (("1",), 1000, 1), (("2",), 2000, 2), (("2",), 2000, 2),
    ]  # fmt: skip


def test_several_headings_without_a_number_are_rounds_and_several_reports_documents() -> None:
    two = REPORT.format("1 2 w 0 7\nGAMES (1)\n2 1 B 0 7") + REPORT.format("1 2 b 0 7").replace("Cup", "Cup Two")
    found = items(AGA, two)
    assert [item.key for item in found if isinstance(item, Document)] == [
        ("Cup", "3/2/2024"), ("Cup Two", "3/2/2024"),
    ]  # fmt: skip
    assert [item.key for item in found if isinstance(item, Game)] == [("1",), ("2",), ()]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1 2 x 0 7", "neither W nor B"),
        ("1 3 w 0 7", "not among the players"),
        ("1 2 w many 7", "number of stones"),
        ("1 2 w 0 lots", "number of points"),
        ("Ann beat Bo", "is not a game"),
    ],
)
def test_games_that_cannot_be_read_are_refused(line: str, why: str) -> None:
    (refused,) = (item for item in items(AGA, REPORT.format(line)) if isinstance(item, Refused))
    assert why in refused.reason
    assert refused.line == 7


def test_a_number_given_twice_stands_for_nobody() -> None:
    found = items(AGA, REPORT.format("1 2 w 0 7").replace("2 Bo", "1 Bo"))
    assert [item.reason for item in found if isinstance(item, Refused)] == [
        "two players have the number: '1'",
        "the number is not among the players: '2'",
    ]


def test_rows_after_the_end_are_refused() -> None:
    found = items(AGA, REPORT.format("1 2 w 0 7") + "2 1 w 0 7\n")
    assert kinds(found)["Refused"] == 1


def test_what_has_no_title_is_no_report() -> None:
    assert sniffed(AGA, b"PLAYERS\n1 Ann 1d\n") == 0
    with pytest.raises(BadFile):
        items(AGA, b"PLAYERS\n1 Ann 1d\n")
