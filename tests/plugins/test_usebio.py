"""USEBIO: real sessions are read as published, other kinds of events too, and hostile files are refused."""

import os
from collections import Counter
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ratingcore_bridge import USEBIO

from ratingcore.errors import BadFile
from ratingcore.events import instant
from ratingcore.plugin.readers import Document, Refused, Session, Source, Unrated, Warning, Who
from tests.plugins.reader_laws import items, kinds, offered, sniffed
from tests.plugins.usebio import DOCTYPE, rows, usebio

ISSUES = ("3212", "3226", "3228", "3228-adjusted", "11309")
UID = "usebio:2074:3228"
FIXTURES = Path(__file__).parents[2] / "fixtures"
OWN = (FIXTURES / "usebio" / "cross_imp.xml").read_text(encoding="utf-8")
TEAMS = (FIXTURES / "formats" / "usebio" / "swiss_teams.xml").read_text(encoding="utf-8")
SESSIONS = (FIXTURES / "formats" / "usebio" / "two_sessions.xml").read_text(encoding="utf-8")


def sessions(text: str) -> list[Session]:
    """The sessions of a file."""
    return [item for item in items(USEBIO, text) if isinstance(item, Session)]


def refusals(text: str) -> list[str]:
    """Why rows of a file are refused."""
    return [item.reason for item in items(USEBIO, text) if isinstance(item, Refused)]


def names(session: Session) -> list[tuple[str, ...]]:
    """The players of each side by their ids, or names."""
    return [tuple(who.id or who.name for who in players) for players, _ in session.sides]


# sessions of pairs


@pytest.mark.parametrize("issue", ISSUES)
def test_every_pair_is_a_side_with_its_published_score(issue: str) -> None:
    text = usebio(issue)
    assert sniffed(USEBIO, text) == 99
    document, session = items(USEBIO, text)
    assert isinstance(document, Document)
    assert isinstance(session, Session)
    assert document.key == session.key
    pairs = rows("pairs.csv", issue)
    score = "percentage" if pairs[0]["percentage"] else "total"
    published = {(pair["player"], pair["partner"]): float(pair[score]) for pair in pairs}
    assert dict(zip(names(session), (score for _, score in session.sides), strict=True)) == published
    assert session.data["unit"] == ("percent" if score == "percentage" else "imp")


@pytest.mark.parametrize("spelling", ["CROSS_IMP", "CROSS_IMPS"])
def test_cross_imps_are_read_in_both_spellings(spelling: str) -> None:
    """`CROSS_IMP`, which a program writes, was refused; totals are the sums of the tables' IMPs."""
    assert "CROSS_IMP" in OWN
    assert "CROSS_IMPS" not in OWN
    (session,) = sessions(OWN.replace('"CROSS_IMP"', f'"{spelling}"'))
    totals: Counter[str] = Counter()
    for line in ElementTree.fromstring(OWN).iterfind("EVENT/BOARD/TRAVELLER_LINE"):
        for direction in ("NS", "EW"):
            points = int(line.findtext(f"{direction}_CROSS_IMP_POINTS") or "")
            totals[line.findtext(f"{direction}_PAIR_NUMBER") or ""] += points
    assert [score for _, score in session.sides] == [totals[pair] for pair in "1234"]
    assert session.key == ("usebio:901:17",)
    assert session.data == {"unit": "imp", "event": "Tuesday cross-IMPs", "boards": 3}


def test_lines_sit_together_and_boards_are_counted() -> None:
    mitchell, howell, butler = (sessions(usebio(issue))[0] for issue in ("3228", "3226", "11309"))
    assert (mitchell.key, mitchell.played) == ((UID,), instant("2022-07-28"))
    assert mitchell.data["first_line"] == 21
    south = {(p["player"], p["partner"]) for p in rows("pairs.csv", "3228") if p["direction"] == "NS"}
    assert set(names(mitchell)[:21]) == south
    assert "first_line" not in howell.data
    assert [session.data["boards"] for session in (mitchell, howell, butler)] == [27, 27, 35]


def test_a_player_without_a_number_goes_by_name() -> None:
    anonymous = usebio("3226").replace("<NATIONAL_ID_NUMBER>P0177<", "<NATIONAL_ID_NUMBER>000<")
    (session,) = sessions(anonymous)
    assert Who(None, "PLAYER P0177") in {who for players, _ in session.sides for who in players}


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("<PERCENTAGE>47.69<", "<PERCENTAGE><", "event 3226: pair 1: it has no number in PERCENTAGE: ''"),
        ("<PERCENTAGE>47.69<", "<PERCENTAGE>nan<", "event 3226: pair 1: it has no number in PERCENTAGE: 'nan'"),
        (
            "PLAYER P0177</PLAYER_NAME><NATIONAL_ID_NUMBER>P0177<", "</PLAYER_NAME><NATIONAL_ID_NUMBER><",
            "event 3226: a player of pair 1: it has neither a number nor a name",
        ),
        (
            "PLAYER P0177</PLAYER_NAME><NATIONAL_ID_NUMBER>P0177<", "NN</PLAYER_NAME><NATIONAL_ID_NUMBER>0<",
            "event 3226: a player of pair 1: it has no name that identifies the player: 'NN'",
        ),
        (
            "</PAIR>", "<PLAYER><PLAYER_NAME>X</PLAYER_NAME></PLAYER></PAIR>",
            "event 3226: pair 1: it has 3 players, not 2",
        ),
    ],
)  # fmt: skip
def test_a_pair_that_cannot_be_read_is_refused_and_the_session_goes_on(was: str, now: str, told: str) -> None:
    text = usebio("3226")
    assert was in text
    text = text.replace(was, now, 1)
    assert refusals(text) == [told]
    (session,) = sessions(text)
    assert len(session.sides) == 11


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("<DATE>27/07/2022<", "<DATE>2022-27-07<", "event 3226: played must be a day of the calendar"),
        ("<DATE>27/07/2022<", "<DATE>30/02/2022<", "event 3226: played must be a day of the calendar"),
        ("<DATE>27/07/2022<", "<DATE>01/01/1024<", "event 3226: played"),
        ('EVENT EVENT_TYPE="MP_PAIRS"', 'EVENT EVENT_TYPE="KO"', "event 3226: its type is not one of MP_PAIRS, "),
        ('EVENT EVENT_TYPE="MP_PAIRS"', "EVENT", "event 3226: its type is not one of MP_PAIRS, "),
        ("<EVENT_IDENTIFIER>3226<", "<EVENT_IDENTIFIER><", "an event has no EVENT_IDENTIFIER"),
        ("PARTICIPANTS", "OTHERS", "event 3226: it has no PARTICIPANTS"),
    ],
)
def test_a_session_that_cannot_be_read_is_refused_and_opens_no_document(was: str, now: str, told: str) -> None:
    text = usebio("3226")
    assert was in text
    (bad,) = items(USEBIO, text.replace(was, now))
    assert isinstance(bad, Refused)
    assert bad.reason.startswith(told)
    assert bad.line == 8


def test_a_session_without_a_day_has_none() -> None:
    (session,) = sessions(usebio("3226").replace("<DATE>27/07/2022</DATE>", ""))
    assert session.played is None


def test_one_pair_is_no_session_and_a_sit_out_is_no_pair() -> None:
    text = usebio("3226")
    empty = "<PAIR><PAIR_NUMBER>13</PAIR_NUMBER></PAIR></PARTICIPANTS>"
    (session,) = sessions(text.replace("</PARTICIPANTS>", empty))
    assert len(session.sides) == 12
    alone = text[: text.index("</PAIR>") + 7] + text[text.index("</PARTICIPANTS>") :]
    assert refusals(alone) == ["event 3226: it has 1 sides, not two or more"]


@pytest.mark.parametrize(
    ("kind", "unit", "method"),
    [
        ("AGGREGATE", "points", ""), ("SWISS_PAIRS", "vp", ""), ("SWISS_PAIRS", "imp", "IMPS"),
        ("SWISS_PAIRS_CROSS_IMPS", "imp", ""), ("SWISS_PAIRS_CROSS_IMPS", "vp", "VPS"),
        ("SWISS_PAIRS_BUTLER_IMPS", "imp", ""),
    ],
)  # fmt: skip
def test_other_sessions_of_pairs_are_their_totals(kind: str, unit: str, method: str) -> None:
    said = f'"{kind}"><MATCH_SCORING_METHOD>{method}</MATCH_SCORING_METHOD>'
    (session,) = sessions(OWN.replace('"CROSS_IMP">', said, 1))
    assert session.data["unit"] == unit
    assert [score for _, score in session.sides] == [3.0, -3.0, -1.0, 1.0]


def test_boards_of_matches_count_for_both_pairs_of_a_match() -> None:
    match = (
        "<MATCH><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER>"
        + "<BOARD><TRAVELLER_LINE><SCORE>50</SCORE></TRAVELLER_LINE></BOARD>" * 6
        + "</MATCH></EVENT>"
    )
    text = OWN[: OWN.index("<BOARD>")] + match + "</USEBIO>"
    (session,) = sessions(text.replace('"CROSS_IMP"', '"SWISS_PAIRS"'))
    assert session.data["boards"] == 6


# events of several sessions, individuals, teams


def test_every_session_and_section_is_a_session_of_its_own_day() -> None:
    found = items(USEBIO, SESSIONS)
    assert kinds(found) == {"Document": 2, "Warning": 1, "Session": 4, "Refused": 3}
    first, second, third, individual = sessions(SESSIONS)
    assert [session.key[0] for session in (first, second, third)] == [
        "usebio:901:40:1:A", "usebio:901:40:1:B", "usebio:901:40:2",
    ]  # fmt: skip
    assert [session.played for session in (first, third)] == [instant("2024-03-30"), instant("2024-03-31")]
    assert first.sides[0][1] == 55.5
    assert individual.key == ("usebio:901:41",)
    assert individual.sides == (((Who(None, "Ida Berg"),), 50.5), ((Who(None, "Jon Falk"),), 49.5))
    opened = [item for item in found if isinstance(item, Document)]
    assert [(one.event, one.start) for one in opened] == [
        ("Easter pairs", date(2024, 3, 30)), ("41", date(2024, 4, 1)),
    ]  # fmt: skip
    assert refusals(SESSIONS)[:2] == [
        "event 40, session 2: pair 3: it has 1 players, not 2",
        "event 41: player 3: it has neither a number nor a name",
    ]  # fmt: skip
    assert refusals(SESSIONS)[2].endswith("TEAMS: 'KO'")


def test_sessions_without_ids_are_numbered_and_of_one_id_kept_apart() -> None:
    keys = [session.key[0] for session in sessions(SESSIONS.replace(' SECTION_ID="A"', "").replace('"B"', '"1"'))]
    assert keys[:2] == ["usebio:901:40:1:1", "usebio:901:40:1:1.2"]


def test_individuals_may_be_scored_in_points() -> None:
    *_, session = sessions(SESSIONS.replace("PERCENTAGE", "TOTAL_SCORE").replace('"MP_PAIRS"', '"AGGREGATE"'))
    assert (session.key, session.data["unit"]) == (("usebio:901:41",), "points")


def test_every_match_of_teams_is_a_session_of_two_sides() -> None:
    found = items(USEBIO, TEAMS)
    assert kinds(found) == {"Document": 1, "Session": 2, "Warning": 1, "bye": 1, "no result yet": 1, "Refused": 2}
    first, second = sessions(TEAMS)
    assert (first.key, second.key) == (("usebio:901:31:1:A:1:1:2",), ("usebio:901:31:1:A:2:3:1",))
    assert names(first) == [("00101", "00102", "00103", "00104"), ("Mia Nord", "Nils Oye", "Ola Rud")]
    assert [score for _, score in first.sides] == [12.5, 7.5]
    assert first.data == {"unit": "vp", "event": "Harbour Swiss teams", "round": "1", "boards": 2}
    assert (second.order, second.played) == (2000, instant("2024-05-04"))
    assert refusals(TEAMS) == [
        "event 31, round 3: team 4: a player: it has no name that identifies the player: '?'",
        "event 31, round 3: team 9: it is not in the file",
    ]
    assert [item.line for item in found if isinstance(item, Unrated | Warning)] == [48, 56, 60]


@pytest.mark.parametrize("kind", ["TEAMS", "TEAMS_OF_FOUR"])
def test_other_events_of_teams_are_read_alike_and_their_unit_is_what_they_say(kind: str) -> None:
    text = TEAMS.replace('"SWISS_TEAMS"', f'"{kind}"')
    assert sessions(text.replace(">VPS<", ">IMPS<"))[0].data["unit"] == "imp"
    assert sessions(text.replace(">VPS<", "><"))[0].data["unit"] == "points"


def test_two_matches_of_a_round_between_the_same_teams_are_two() -> None:
    first = TEAMS[TEAMS.index("<MATCH>") : TEAMS.index("</MATCH>") + 8]
    keys = [session.key[0] for session in sessions(TEAMS.replace(first, first + first, 1))]
    assert keys[:2] == ["usebio:901:31:1:A:1:1:2", "usebio:901:31:1:A:1:1:2:2"]


def test_teams_named_above_their_matches_are_found_and_a_team_there_twice_is_not() -> None:
    participants = TEAMS[TEAMS.index("<PARTICIPANTS>") : TEAMS.index("</PARTICIPANTS>") + len("</PARTICIPANTS>")]
    above = TEAMS.replace(participants, "").replace("<SESSION ", participants + "<SESSION ")
    assert [session.sides for session in sessions(above)] == [session.sides for session in sessions(TEAMS)]
    twice = TEAMS.replace('TEAM_ID="3"', 'TEAM_ID="2"')
    assert "event 31, round 1: team 2: it occurs twice" in refusals(twice)
    elsewhere = TEAMS.replace("<MATCH>", "</SECTION><SECTION><MATCH>", 1)
    assert len(sessions(elsewhere)) == 2


def test_cross_imps_of_the_pairs_of_teams_are_preferred_to_their_matches() -> None:
    def pair(points: str, *players: str) -> str:
        seated = "".join(f"<PLAYER><PLAYER_NAME>{player}</PLAYER_NAME></PLAYER>" for player in players)
        return f"<PAIR><CROSS_IMPS>{points}</CROSS_IMPS>{seated}</PAIR>"

    team = f"<TEAM TEAM_ID='7'>{pair('12.5', 'Ann', 'Bo')}{pair('-3', 'Cy', 'Di')}</TEAM></PARTICIPANTS>"
    found = items(USEBIO, TEAMS.replace("</PARTICIPANTS>", team))
    (session,) = (item for item in found if isinstance(item, Session))
    assert names(session) == [("Ann", "Bo"), ("Cy", "Di")]
    assert session.data["unit"] == "imp"
    assert any(isinstance(item, Warning) and "not its matches" in item.text for item in found)


def test_an_event_of_teams_without_matches_is_refused() -> None:
    assert refusals(TEAMS.replace("MATCH>", "OTHER>")) == ["event 31: it has no MATCH"]


# hostile files


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("USEBIO", "OTHER", "its root is OTHER, not USEBIO"),
        ("</USEBIO>", "", "is not XML: "),
        ("EVENT>", "EVENTS>", "mismatched tag"),
        ("CLUB>", "GROUP>", "it does not name a club"),
        ("PLAYER P0177", "Andr&eacute;", "the entity eacute, which it does not declare"),
        (DOCTYPE, '<!DOCTYPE USEBIO [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]>', "declares something"),
        (DOCTYPE, '<!DOCTYPE USEBIO [<!ENTITY file SYSTEM "file:///etc/passwd">]>', "declares something"),
        (
            DOCTYPE,
            '<!DOCTYPE USEBIO SYSTEM "http://127.0.0.1:9/x" [<!ENTITY % all SYSTEM "x"> %all;]>',
            "declares some",
        ),
    ],
)
def test_a_file_that_is_none_or_unsafe_is_refused(was: str, now: str, told: str) -> None:
    text = usebio("3226")
    assert was in text
    if was == "USEBIO":
        text = text.replace(DOCTYPE, "")
    with pytest.raises(BadFile) as caught:
        items(USEBIO, text.replace(was, now))
    assert told in str(caught.value)


def test_the_dtd_is_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*where: object) -> None:
        raise AssertionError(f"a connection to {where}")

    path = tmp_path / "session.xml"
    path.write_text(usebio("3226").replace("http://www.ebu.co.uk/usebio/usebio_v1_2.dtd", "no-such.dtd"))
    monkeypatch.setattr("socket.socket.connect", refused)
    opened: list[object] = []
    real = os.open
    monkeypatch.setattr("os.open", lambda path, *how, **more: (opened.append(path), real(path, *how, **more))[1])
    source = Source("session.xml", lambda: path.open("rb"))
    assert len(list(USEBIO.read(source, USEBIO.options()))) == 2
    assert not [path for path in opened if "dtd" in str(path)]


def test_the_reader_is_found_by_its_entry_point() -> None:
    assert offered("bridge")["usebio"] is USEBIO


def test_the_format_is_recognised_behind_comments_and_without_a_doctype() -> None:
    assert sniffed(USEBIO, "<?xml version='1.0'?>\n<!-- a --><!-- b -->\n<USEBIO Version='1.2'>") == 99
    assert sniffed(USEBIO, "<!-- <USEBIO> --><Tournament>") == 0
    assert sniffed(USEBIO, "<USEBIOS>") == sniffed(USEBIO, "USEBIO") == 0
