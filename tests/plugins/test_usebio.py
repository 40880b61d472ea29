"""USEBIO: real sessions are read as published, hostile files are refused, a session issued again is only corrected."""

import doctest
import json
import os
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ratingcore_usebio import read_usebio

import ratingcore as rc
from ratingcore.errors import BadFile
from ratingcore.events import iso
from ratingcore.registry import Registry
from tests.cli.conftest import Run, run
from tests.meta.test_readme import ALIKE, blocks, commands
from tests.plugins.usebio import DOCTYPE, rows, usebio, write

__all__ = ["run"]  # the fixture

ISSUES = ("3212", "3226", "3228", "3228-adjusted", "11309")
UID = "usebio:2074:3228"
OWN = Path(__file__).parents[2] / "fixtures" / "usebio" / "cross_imp.xml"


@pytest.fixture
def engine() -> Iterator[rc.Engine]:
    with rc.open(":memory:") as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    def made(text: str) -> Path:
        path = tmp_path / "session.xml"
        path.write_text(text, encoding="utf-8")
        return path

    return made


# reading


@pytest.mark.parametrize("issue", ISSUES)
def test_every_pair_is_a_side_with_its_published_score(issue: str, tmp_path: Path) -> None:
    (path,) = write(tmp_path, issue)
    (session,) = read_usebio(path)
    pairs = rows("pairs.csv", issue)
    score = "percentage" if pairs[0]["percentage"] else "total"
    published = {(pair["player"], pair["partner"]): float(pair[score]) for pair in pairs}
    assert {side.players: side.score for side in session.sides} == published
    assert session.data["unit"] == ("percent" if score == "percentage" else "imp")


@pytest.mark.parametrize("spelling", ["CROSS_IMP", "CROSS_IMPS"])
def test_cross_imps_are_read_in_both_spellings(spelling: str, file: Callable[[str], Path]) -> None:
    """`CROSS_IMP`, which a program writes, was refused; totals are the sums of the tables' IMPs."""
    text = OWN.read_text(encoding="utf-8")
    assert "CROSS_IMP" in text
    assert "CROSS_IMPS" not in text
    (session,) = read_usebio(file(text.replace('"CROSS_IMP"', f'"{spelling}"')))
    totals: Counter[str] = Counter()
    for line in ElementTree.fromstring(text).iterfind("EVENT/BOARD/TRAVELLER_LINE"):
        for direction in ("NS", "EW"):
            points = int(line.findtext(f"{direction}_CROSS_IMP_POINTS") or "")
            totals[line.findtext(f"{direction}_PAIR_NUMBER") or ""] += points
    assert [side.score for side in session.sides] == [totals[pair] for pair in "1234"]
    assert (session.uid, dict(session.data)) == (
        "usebio:901:17", {"unit": "imp", "event": "Tuesday cross-IMPs", "boards": 3},
    )  # fmt: skip


def test_a_session_in_cross_imps_is_rated(run: Run) -> None:
    """As the README of the plugin has it, and on to a list."""
    shutil.copy(OWN, "cross_imp.xml")
    readme = Path(read_usebio.__code__.co_filename).with_name("README.md")
    (block,) = (block for block in blocks("console", readme) if "cross_imp.xml" in block)
    for command, printed in commands(block):
        done = run(*shlex.split(command)[1:])
        assert doctest.OutputChecker().check_output(printed, done.out, ALIKE), done
    listed = run("list", "harbour.db", "--method", "bridge-bayes:preset=imp,k=0.004", "--format", "json")
    rating = {row["player"]: row["rating"] for row in json.loads(listed.out)}
    assert rating["Ida Berg"] == rating["Jon Falk"] > rating["Ola Rud"] > rating["Mia Nord"] > rating["Kai Lind"]


def test_lines_sit_together_and_boards_are_counted(tmp_path: Path) -> None:
    mitchell, howell, butler = (next(read_usebio(path)) for path in write(tmp_path, "3228", "3226", "11309"))
    assert (mitchell.uid, iso(mitchell.played), mitchell.pool) == (UID, "2022-07-28", "NSBC@Lindfield")
    assert mitchell.data["first_line"] == 21
    south = {(p["player"], p["partner"]) for p in rows("pairs.csv", "3228") if p["direction"] == "NS"}
    assert {side.players for side in mitchell.sides[:21]} == south
    assert "first_line" not in howell.data
    assert [session.data["boards"] for session in (mitchell, howell, butler)] == [27, 27, 35]


def test_a_player_without_a_number_goes_by_name(file: Callable[[str], Path]) -> None:
    anonymous = usebio("3226").replace("<NATIONAL_ID_NUMBER>P0177<", "<NATIONAL_ID_NUMBER>000<")
    (session,) = read_usebio(file(anonymous))
    assert "PLAYER P0177" in {player for side in session.sides for player in side.players}


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("<PERCENTAGE>47.69<", "<PERCENTAGE><", "event 3226: pair 1 has no number in PERCENTAGE: ''"),
        ("<PERCENTAGE>47.69<", "<PERCENTAGE>nan<", "event 3226: score"),
        ("<DATE>27/07/2022<", "<DATE>2022-27-07<", "event 3226: its DATE is none like 28/07/2022: '2022-27-07'"),
        ('"MP_PAIRS"', '"TEAMS"', "its type is not one of MP_PAIRS, BUTLER_PAIRS, CROSS_IMPS, CROSS_IMP: TEAMS"),
        ("P0177", "P0030", "event 3226: a player cannot meet themselves: P0030"),
        ("<EVENT_IDENTIFIER>3226<", "<EVENT_IDENTIFIER><", "an event has no EVENT_IDENTIFIER"),
        ("USEBIO", "OTHER", "its root is OTHER, not USEBIO"),
        ("</USEBIO>", "", "is no XML: "),
        ("PLAYER P0177</PLAYER_NAME><NATIONAL_ID_NUMBER>P0177<", "</PLAYER_NAME><NATIONAL_ID_NUMBER><", "pair 1 has"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(was: str, now: str, told: str, file: Callable[[str], Path]) -> None:
    text = usebio("3226")
    assert was in text
    if told.startswith("its root"):
        text = text.replace(DOCTYPE, "")
    with pytest.raises(BadFile) as caught:
        read_usebio(file(text.replace(was, now)))
    assert told in str(caught.value)


def test_a_pair_of_three_is_refused_and_a_sit_out_is_no_pair(file: Callable[[str], Path]) -> None:
    third = "<PLAYER><PLAYER_NAME>X</PLAYER_NAME></PLAYER></PAIR>"
    with pytest.raises(BadFile, match="pair 1 has 3 players, not 2"):
        read_usebio(file(usebio("3226").replace("</PAIR>", third, 1)))
    empty = "<PAIR><PAIR_NUMBER>13</PAIR_NUMBER></PAIR></PARTICIPANTS>"
    (session,) = read_usebio(file(usebio("3226").replace("</PARTICIPANTS>", empty)))
    assert len(session.sides) == 12


@pytest.mark.parametrize(
    ("doctype", "told"),
    [
        ('<!DOCTYPE USEBIO [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]>', "declares something"),
        ('<!DOCTYPE USEBIO [<!ENTITY file SYSTEM "file:///etc/passwd">]>', "declares something"),
        (
            '<!DOCTYPE USEBIO SYSTEM "http://127.0.0.1:9/usebio.dtd" [<!ENTITY % all SYSTEM "x"> %all;]>',
            "declares some",
        ),
    ],
)
def test_a_document_type_that_declares_anything_is_refused(
    doctype: str, told: str, file: Callable[[str], Path]
) -> None:
    with pytest.raises(BadFile, match=told) as caught:
        read_usebio(file(usebio("3226").replace(DOCTYPE, doctype)))
    assert caught.value.hint == "remove the DOCTYPE"


def test_the_dtd_is_not_fetched(file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*where: object) -> None:
        raise AssertionError(f"a connection to {where}")

    monkeypatch.setattr("socket.socket.connect", refused)
    opened: list[object] = []
    real = os.open
    monkeypatch.setattr("os.open", lambda path, *how, **more: (opened.append(path), real(path, *how, **more))[1])
    local = usebio("3226").replace("http://www.ebu.co.uk/usebio/usebio_v1_2.dtd", "no-such.dtd")
    assert len(list(read_usebio(file(local)))) == 1
    assert not [path for path in opened if "dtd" in str(path)]


def test_an_entity_that_only_the_dtd_knows_is_refused(file: Callable[[str], Path]) -> None:
    with pytest.raises(BadFile, match="the entity eacute, which it does not declare"):
        read_usebio(file(usebio("3226").replace("PLAYER P0177", "Andr&eacute;")))


def test_a_file_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratingcore_usebio.documents.MOST_BYTES", 2**20)
    (tmp_path / "large.xml").write_bytes(b"<USEBIO>" + b" " * 2**20)
    with pytest.raises(BadFile, match="larger than 1 MB"):
        read_usebio(tmp_path / "large.xml")
    (tmp_path / "deep.xml").write_text("<a>" * 70)
    with pytest.raises(BadFile, match="deeper than 64"):
        read_usebio(tmp_path / "deep.xml")
    with pytest.raises(BadFile, match="no such file"):
        read_usebio(tmp_path / "none.xml")


def test_the_reader_is_found_by_its_entry_point() -> None:
    assert Registry.installed().readers["usebio"] is read_usebio


# issued again


def test_the_same_session_again_appends_nothing(engine: rc.Engine, tmp_path: Path) -> None:
    (path,) = write(tmp_path, "3228")
    first = engine.import_foreign(path, "usebio", "club")
    again = engine.import_foreign(path.rename(tmp_path / "v2.xml"), "usebio", "club")
    assert (first.accepted, again.accepted, again.corrected, again.duplicates) == (1, 0, 0, 1)
    assert again.head == first.head


def test_an_adjusted_session_appends_one_correction_and_the_older_one_takes_it_back(
    engine: rc.Engine, tmp_path: Path
) -> None:
    old, new = write(tmp_path, "3228", "3228-adjusted")
    engine.import_foreign(old, "usebio", "club")
    before = engine.rating_list("club", "bridge-bayes")
    dry = engine.import_foreign(new, "usebio", "club", dry_run=True)
    assert (dry.corrected, engine.log.head.position) == (1, 1)
    report = engine.import_foreign(new, "usebio", "club")
    assert str(report).endswith("1 row read, 0 accepted, 0 unrated, 0 refused, 0 duplicates, 1 corrected")
    ((row, amended),) = engine.events(after=1)
    assert isinstance(amended, rc.ResultAmended)
    assert (row.kind, amended.of, list(amended.changes), amended.by) == ("amend", UID, ["sides"], "reader usebio")
    with rc.open(":memory:") as fresh:
        fresh.import_foreign(new, "usebio", "club")
        assert list(engine.rating_list("club", "bridge-bayes")) == list(fresh.rating_list("club", "bridge-bayes"))
    assert engine.import_foreign(new, "usebio", "club").duplicates == 1
    assert engine.import_foreign(old, "usebio", "club").corrected == 1
    assert list(engine.rating_list("club", "bridge-bayes")) == list(before)


def test_a_session_issued_again_brings_no_erased_name_back(engine: rc.Engine, file: Callable[[str], Path]) -> None:
    def pair(number: int, score: float, *players: str) -> str:
        seated = "".join(f"<PLAYER><PLAYER_NAME>{player}</PLAYER_NAME></PLAYER>" for player in players)
        return f"<PAIR><PAIR_NUMBER>{number}</PAIR_NUMBER><PERCENTAGE>{score}</PERCENTAGE>{seated}</PAIR>"

    def session(*pairs: str) -> Path:
        return file(
            "<USEBIO><CLUB><CLUB_ID_NUMBER>77</CLUB_ID_NUMBER></CLUB><EVENT EVENT_TYPE='MP_PAIRS'>"
            "<EVENT_IDENTIFIER>12</EVENT_IDENTIFIER><DATE>28/07/2022</DATE>"
            f"<PARTICIPANTS>{''.join(pairs)}</PARTICIPANTS></EVENT></USEBIO>"
        )

    pairs = [pair(1, 60, "ann", "bo"), pair(2, 50, "cy", "di"), pair(3, 40, "eve", "fay")]
    engine.import_foreign(session(*pairs), "usebio", "club")
    for name in ("ann", "eve", "fay"):
        engine.erase(name)
    head = engine.log.head
    assert engine.import_foreign(session(*pairs), "usebio", "club").duplicates == 1
    assert engine.log.head == head
    adjusted = [pair(2, 55, "cy", "di"), pair(1, 52, "ann", "bo"), pair(3, 43, "eve", "fay")]
    assert engine.import_foreign(session(*adjusted), "usebio", "club").corrected == 1
    assert {name.key for name in engine.log.names() if name.kind == "player"} == {None, "bo", "cy", "di"}
    (event,) = [event for _, event in engine.events() if event.kind == "amend"]
    label = {number: f"(erased {number})" for number in engine.log.names_book.erased}
    assert [set(side.players) & set(label.values()) != set() for side in event.changes["sides"]] == [False, True, True]  # type: ignore[union-attr]  # an amendment
    assert engine.import_foreign(session(*adjusted), "usebio", "club").duplicates == 1


def test_a_correction_by_hand_outlives_the_same_file_and_yields_to_a_new_one(engine: rc.Engine, tmp_path: Path) -> None:
    old, new = write(tmp_path, "3228", "3228-adjusted")
    engine.import_foreign(old, "usebio", "club")
    (_, session), *_ = engine.events()
    assert isinstance(session, rc.SessionPlayed)
    by_hand = [rc.Side(side.players, 50.0) for side in session.sides]
    engine.amend(UID, {"sides": by_hand, "boards": 24}, why="the secretary knows better")
    assert engine.import_foreign(old, "usebio", "club").duplicates == 1
    report = engine.import_foreign(new, "usebio", "club")
    assert report.warnings == [f"{UID}: sides was corrected in the log, the file's new one stands"]
    *_, (_, amended) = engine.events()
    assert isinstance(amended, rc.ResultAmended)
    assert list(amended.changes) == ["sides"]


def test_a_correction_that_was_taken_back_is_not_made_again_by_the_same_file(engine: rc.Engine, tmp_path: Path) -> None:
    old, new = write(tmp_path, "3228", "3228-adjusted")
    engine.import_foreign(old, "usebio", "club")
    engine.import_foreign(new, "usebio", "club")
    *_, (row, _) = engine.events()
    engine.void(row.uid, why="the protest was dismissed")
    assert engine.import_foreign(new, "usebio", "club").duplicates == 1
    assert engine.log.head.position == 3


def test_a_field_that_is_gone_is_taken_away(engine: rc.Engine, tmp_path: Path) -> None:
    (path,) = write(tmp_path, "3226")
    engine.import_foreign(path, "usebio", "club")
    text = path.read_text()
    path.write_text(text[: text.index("<BOARD ")] + text[text.index("</EVENT>") :])
    assert engine.import_foreign(path, "usebio", "club").corrected == 1
    *_, (_, amended) = engine.events()
    assert isinstance(amended, rc.ResultAmended)
    assert dict(amended.changes) == {"boards": None}


def test_what_was_voided_stays_void_and_pools_are_not_changed(engine: rc.Engine, tmp_path: Path) -> None:
    (path,) = write(tmp_path, "3226")
    engine.import_foreign(path, "usebio", "club")
    elsewhere = engine.import_foreign(path, "usebio", "county")
    assert elsewhere.refused == [(1, "uid usebio:2074:3226 is in pool club, not county", "usebio:2074:3226")]
    engine.void("usebio:2074:3226")
    assert engine.import_foreign(path, "usebio", "club").unrated == {"voided in the log": [1]}
    assert engine.log.head.position == 2


def test_a_uid_of_something_else_or_twice_is_refused(engine: rc.Engine, file: Callable[[str], Path]) -> None:
    engine.record(rc.PlayersMerged(uid="usebio:2074:3226", keep="ann", other="ann b"))
    text = usebio("3226")
    event = text[text.index("<EVENT ") : text.index("</EVENT>") + len("</EVENT>")]
    report = engine.import_foreign(file(text.replace("<HANDSET>", event + "<HANDSET>")), "usebio")
    assert [why for _, why, _ in report.refused] == [
        "uid usebio:2074:3226 is a merge in the log",
        "uid usebio:2074:3226 stands twice in the file",
    ]


def test_a_reader_that_is_not_there_is_a_mistake(engine: rc.Engine, tmp_path: Path, run: Run) -> None:
    (path,) = write(tmp_path, "3226")
    with pytest.raises(BadFile, match="no reader is named usbio: installed are usebio"):
        engine.import_foreign(path, "usbio")
    told = run("import", "club.db", path, "--pool", "club", "--reader", "usbio")
    assert (told.code, told.err.splitlines()[0]) == (2, "error: no reader named usbio: installed are usebio")
    told = run("import", "club.db", path, "--pool", "club", "--reader", "usebio", "--map", "a=b")
    assert (told.code, "a reader knows its format" in told.err) == (2, True)
    assert not (tmp_path / "club.db").exists()


# a month on the command line


def players(issue: str) -> set[str]:
    return {player for row in rows("pairs.csv", issue) for player in (row["player"], row["partner"])}


def test_a_month_with_changing_partners(run: Run, tmp_path: Path) -> None:
    """Three sessions; the last is issued again twice, once the same and once adjusted: lists before and after."""
    paths = write(tmp_path, "3212", "3226", "3228")
    done = run("import", "club.db", *paths, "--pool", "club", "--reader", "usebio")
    assert (done.code, done.out.count(" 1 accepted")) == (0, 3)
    again = run("import", "club.db", paths[-1], "--pool", "club", "--reader", "usebio")
    assert (again.err, "1 duplicate" in again.out) == (done.err, True)
    (adjusted,) = write(tmp_path, "3228-adjusted")
    corrected = run("import", "club.db", adjusted, "--pool", "club", "--reader", "usebio", "--format", "json")
    assert '"corrected": 1' in corrected.out
    with rc.open("club.db", read_only=True) as engine:
        for method in ("bridge-bayes", "bridge-bayes:tracking=full", "bridge-bayes:tracking=fixed"):
            then = engine.rating_list("club", method, through="2022-07-31", known_at=3)
            now = engine.rating_list("club", method, through="2022-07-31")
            assert len(now) == len(set().union(*map(players, ISSUES[:3])))
            changed = {line.player for line in then.diff(now).moved}
            assert changed
            assert changed <= players("3228") or method.endswith("full")
        diag = {row["player"]: row for row in engine.rating_list("club", "bridge-bayes")}
        twice = [row for row in diag.values() if row["games"] == 2]
        assert len([row for row in diag.values() if row["games"] >= 2]) >= 30
        assert max(row["deviation"] for row in twice) < min(r["deviation"] for r in diag.values() if r["games"] == 1)
        together = {frozenset((row["player"], row["partner"])) for i in ISSUES[:3] for row in rows("pairs.csv", i)}
        apart = [pair for pair in together if len({diag[p]["rating"] for p in pair}) == 2]
        assert len(apart) >= 20
        absent = min((players("3212") & players("3228")) - players("3226"))
        told = [line.opponent for line in engine.history("club", absent, "bridge-bayes:tracking=full")]
        assert told == ["37 sides", "results of others", "41 sides"]
