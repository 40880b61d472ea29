"""LIN: matches by the totals of their headers, deals that nothing compares, and robots, who are not players."""

from pathlib import Path

import pytest
from ratingcore_bridge.lin import LIN

from ratingcore.errors import BadFile
from ratingcore.plugin.readers import Document, Refused, Session, Unrated
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "lin"
DEALS = (FOLDER / "example1.lin").read_bytes()
MATCH = (FOLDER / "match.lin").read_bytes()


def test_deals_alone_are_counted_where_they_stand() -> None:
    assert items(LIN, DEALS) == [Unrated(line, "no comparison") for line in range(1, 9)]


def test_a_match_is_a_session_of_two_sides_of_four() -> None:
    found = items(LIN, MATCH)
    assert kinds(found) == {"Document": 2, "Session": 1, "no comparison": 1, "Refused": 1}
    assert found[0] == Document(("Linden Cup", "Segment 2 of 3", "Tilleuls", "Lindenby"), "Linden Cup")
    session = found[1]
    assert isinstance(session, Session)
    assert [(sorted(who.name for who in players), score) for players, score in session.sides] == [
        (["Ann", "Cy", "Fay", "Hal"], 61.0), (["Bo", "Di", "Ed", "Gus"], 48.0),
    ]  # fmt: skip
    assert (session.key, session.order, session.played) == (("Segment 2 of 3",), 2000, None)
    assert session.data == {
        "unit": "imp", "event": "Linden Cup", "boards": 16, "team_a": "Tilleuls", "team_b": "Lindenby",
    }  # fmt: skip


def test_a_match_that_nobody_has_scored_in_has_no_comparison() -> None:
    assert [item.line for item in items(LIN, MATCH) if isinstance(item, Unrated)] == [8]


def test_robots_and_teams_of_three_are_refused() -> None:
    (refused,) = (item for item in items(LIN, MATCH) if isinstance(item, Refused))
    assert refused.reason == "a robot is not a player: '~~M1'"
    (refused,) = (item for item in items(LIN, "vg|Cup,1,I,1,8,A,5,B,3|\npn|Ann,Bo,Cy|\n") if isinstance(item, Refused))
    assert refused.reason == "it does not name two teams of four: '3 names'"


def test_a_comma_in_the_name_of_an_event_is_no_field() -> None:
    found = items(LIN, "vg|Cup, of Lindenby,Final,I,1,8,A,5,B,3|\npn|a,b,c,d,e,f,g,h|\n")
    assert isinstance(found[0], Document)
    assert found[0].event == "Cup, of Lindenby"


def test_samples_are_recognised_by_players_matches_or_a_deal() -> None:
    assert [sniffed(LIN, content) for content in (DEALS, MATCH)] == [95, 95]
    assert sniffed(LIN, b"qx|o1|md|1SAKQH2D3C4,S5H6D7C8,S9HTDJCQ|sv|o|") == 70
    assert sniffed(LIN, b"a | b") == 0
    with pytest.raises(BadFile):
        items(LIN, b"no bars\n")
