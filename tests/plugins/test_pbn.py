"""PBN: sessions out of deals in IMPs, percent and matchpoints, tables of totals, and values that are taken over."""

from pathlib import Path

import pytest
from ratingcore_bridge.lin import LIN
from ratingcore_bridge.pbn import PBN

from ratingcore.plugin.readers import Document, Refused, Session, Unrated, Warning, Who, at, day_of
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "pbn"
FILES = {path.stem: path.read_bytes() for path in FOLDER.glob("*.pbn")}
TWO = (
    '[Event "Cup"]\n[Date "2024.03.02"]\n[Board "1"]\n[North "Ann"]\n[South "Bo"]\n[East "Cy"]\n[West "Di"]\n'
    '[ScoreIMP "NS 4"]\n\n'
    '[Event "Cup"]\n[Date "2024.03.02"]\n[Board "1"]\n[North "Ed"]\n[South "Fay"]\n[East "Gus"]\n[West "Hal"]\n'
    '[ScoreIMP "EW 2.5"]\n'
)


def sessions(content: bytes | str, **options: str) -> list[Session]:
    """The sessions of a file."""
    return [item for item in items(PBN, content, **options) if isinstance(item, Session)]


def scores(session: Session) -> dict[str, float]:
    """Scores of a session by the names of the pairs."""
    return {"+".join(who.name for who in players): score for players, score in session.sides}


def test_deals_that_nothing_compares_are_unrated() -> None:
    assert kinds(items(PBN, FILES["example1"])) == {"Document": 1, "no comparison": 2}
    assert kinds(items(PBN, FILES["example4"])) == {"Document": 1, "Warning": 1, "no comparison": 1}


def test_a_session_in_imps() -> None:
    found = items(PBN, FILES["example2-first-60-boards"])
    assert kinds(found) == {"Document": 1, "Session": 1}
    assert found[0] == Document(
        ("2021 Online Qual: Open R2", "2021.08.23"), "2021 Online Qual: Open R2 (2021-08-23)", day_of("2021-08-23")
    )
    (session,) = sessions(FILES["example2-first-60-boards"])
    assert len(session.sides) == 60
    assert sum(score for _, score in session.sides) == 0
    assert session.sides[0] == ((Who("39415", "Markus Knob"), Who("184195", "Clemens Wanha")), -8.0)
    assert (session.played, session.data["unit"], session.data["boards"]) == (at(day_of("2021-08-23")), "imp", 2)


def test_matchpoints_become_percent_and_values_are_taken_over() -> None:
    first, second = sessions(FILES["matchpoints"])
    assert scores(first) == {"Ann+Cy": 62.5, "Bo+Di": 25.0, "Ed+Gus": 25.0, "Fay+Hal": 62.5}
    assert (first.key, first.data["unit"], first.data["boards"]) == (("Section A",), "percent", 2)
    assert scores(second) == {"Ida+Kai": 52.5, "Jo+Lee": 47.5}
    assert kinds(items(PBN, FILES["matchpoints"])) == {"Document": 1, "Session": 2, "Refused": 1}


def test_a_table_of_totals_beats_computed_sums() -> None:
    found = items(PBN, FILES["totals"])
    assert kinds(found) == {"Document": 1, "Refused": 1, "Session": 1}
    (session,) = sessions(FILES["totals"])
    assert scores(session) == {"Ann Bo+Cy Di": 61.25, "Ed Fay+Gus Hal": 54.5, "Ida Jo+Kai Lee": 45.0}
    assert session.sides[0][0][0] == Who("1001", "Ann Bo")
    assert session.data == {"unit": "percent", "event": "Club night (2024-03-05)", "boards": 24}


def test_one_side_of_a_score_gives_the_other() -> None:
    (session,) = sessions(TWO)
    assert scores(session) == {"Ann+Bo": 4.0, "Cy+Di": -4.0, "Ed+Fay": -2.5, "Gus+Hal": 2.5}


@pytest.mark.parametrize("missing", ["Event", "Date", "Board"])
def test_a_second_table_may_leave_out_what_it_shares_with_the_first(missing: str) -> None:
    head, _, second = TWO.partition("\n\n")
    lines = [line for line in second.splitlines() if not line.startswith(f"[{missing} ")]
    assert sessions(head + "\n\n" + "\n".join(lines))[0].sides == sessions(TWO)[0].sides


def test_what_two_hashes_say_holds_until_another_value() -> None:
    deals = '[Event "##A"]\n[Board "1"]\n\n[Board "2"]\n\n[Event "B"]\n[Board "1"]\n\n[Board "2"]\n'
    assert [item.key for item in items(PBN, deals) if isinstance(item, Document)] == [("A",), ("B",)]
    assert [item.line for item in items(PBN, deals) if isinstance(item, Unrated)] == [1, 4, 6, 9]


def test_a_second_board_begins_a_deal_without_a_blank_line() -> None:
    assert sessions(TWO.replace("\n\n", "\n"))[0].sides == sessions(TWO)[0].sides


def test_a_comment_that_does_not_end_costs_its_deal_only() -> None:
    broken = TWO.replace('[ScoreIMP "NS 4"]', '[Room "Open"] { a comment\n[ScoreIMP "NS 4"]')
    found = items(PBN, broken)
    assert kinds(found) == {"Document": 1, "no comparison": 1, "Session": 1}


def test_a_day_known_in_part_refuses_the_session_unless_it_is_asked_for() -> None:
    partial = TWO.replace("2024.03.02", "2024.03.??")
    assert [item.reason for item in items(PBN, partial) if isinstance(item, Refused)] == [
        "played is known in part only: use partial=first or partial=last: '2024.03.??'"
    ]
    assert any(isinstance(item, Warning) for item in items(PBN, partial))
    (session,) = sessions(partial, partial="first")
    assert (session.played, session.data["dated"]) == (at(day_of("2024-03-01")), "month")
    assert sessions(TWO.replace("2024.03.02", "????.??.??"))[0].played is None


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"NS 4"', '"four"', "not written like NS 4"),
        ('"NS 4"', '"NS 4 NS -4"', "not written like NS 4"),
        ('[North "Ann"]', '[North "?"]', "do not identify"),
        ('[North "Ann"]', '[North "Bo"]', "do not identify"),
    ],
)
def test_what_cannot_be_read_is_refused_and_the_session_goes_on(old: str, new: str, why: str) -> None:
    found = items(PBN, TWO.replace(old, new))
    (refused,) = (item for item in found if isinstance(item, Refused))
    assert why in refused.reason
    assert kinds(found)["Session"] == 1


def test_a_session_of_one_pair_is_refused() -> None:
    one = TWO.partition("\n\n")[0].replace('"Ann"', '"?"')
    assert [item.reason for item in items(PBN, one) if isinstance(item, Refused)][-1] == (
        "a session needs at least two pairs: 1"
    )


def test_every_sample_is_recognised() -> None:
    for content in FILES.values():
        assert sniffed(PBN, content) == 95
        assert sniffed(LIN, content) == 0
    assert sniffed(PBN, b'[Event "x"]\n[White "Ann"]\n') == 0
