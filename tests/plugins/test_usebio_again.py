"""USEBIO sessions issued again become corrections, from Python and on the command line."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import BadFile
from tests.cli.conftest import Run, run
from tests.plugins.usebio import rows, usebio, write

__all__ = ["run"]  # the fixture

ISSUES = ("3212", "3226", "3228", "3228-adjusted", "11309")
UID = "usebio:2074:3228"


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


# issued again


def test_the_same_session_again_appends_nothing(engine: rc.Engine, tmp_path: Path) -> None:
    (path,) = write(tmp_path, "3228")
    first = engine.import_file(path, "club", reader="usebio")
    again = engine.import_file(path.rename(tmp_path / "v2.xml"), "club", reader="usebio")
    assert (first.accepted, again.accepted, again.amended, again.duplicates) == (1, 0, 0, 1)
    assert again.head == first.head


def test_an_adjusted_session_appends_one_correction_and_the_older_one_takes_it_back_when_asked(
    engine: rc.Engine, tmp_path: Path
) -> None:
    old, new = write(tmp_path, "3228", "3228-adjusted")
    engine.import_file(old, "club", reader="usebio")
    before = engine.rating_list("club", "bridge-bayes")
    dry = engine.import_file(new, "club", reader="usebio", dry_run=True)
    assert (dry.amended, engine.log.head.position) == (1, 1)
    report = engine.import_file(new, "club", reader="usebio")
    assert str(report).endswith("1 row read, 0 accepted, 0 unrated, 0 refused, 0 duplicates, 1 amended")
    ((row, amended),) = engine.events(after=1)
    assert isinstance(amended, rc.ResultAmended)
    assert (row.kind, amended.of, list(amended.changes), amended.by) == ("amend", UID, ["sides"], "reader usebio")
    with rc.open(":memory:") as fresh:
        fresh.import_file(new, "club", reader="usebio")
        assert list(engine.rating_list("club", "bridge-bayes")) == list(fresh.rating_list("club", "bridge-bayes"))
    assert engine.import_file(new, "club", reader="usebio").duplicates == 1
    stands = engine.import_file(old, "club", reader="usebio")
    assert (stands.duplicates, "the log has a later issue" in str(stands)) == (1, True)
    assert engine.import_file(old, "club", reader="usebio", amend=True).amended == 1
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
    engine.import_file(session(*pairs), "club", reader="usebio")
    for name in ("ann", "eve", "fay"):
        engine.erase(name)
    head = engine.log.head
    assert engine.import_file(session(*pairs), "club", reader="usebio").duplicates == 1
    assert engine.log.head == head
    adjusted = [pair(2, 55, "cy", "di"), pair(1, 52, "ann", "bo"), pair(3, 43, "eve", "fay")]
    assert engine.import_file(session(*adjusted), "club", reader="usebio").amended == 1
    assert {name.key for name in engine.log.book.names() if name.kind == "player"} == {None, "bo", "cy", "di"}
    (event,) = [event for _, event in engine.events() if event.kind == "amend"]
    label = {number: f"(erased {number})" for number in engine.log.book.erased}
    assert [set(side.players) & set(label.values()) != set() for side in event.changes["sides"]] == [False, True, True]  # type: ignore[union-attr]  # an amendment
    assert engine.import_file(session(*adjusted), "club", reader="usebio").duplicates == 1


def test_a_correction_by_hand_outlives_the_same_file_and_yields_to_a_new_one(engine: rc.Engine, tmp_path: Path) -> None:
    old, new = write(tmp_path, "3228", "3228-adjusted")
    engine.import_file(old, "club", reader="usebio")
    (_, session), *_ = engine.events()
    assert isinstance(session, rc.SessionPlayed)
    by_hand = [rc.Side(side.players, 50.0) for side in session.sides]
    engine.amend(UID, {"sides": by_hand, "boards": 24}, why="the secretary knows better")
    assert engine.import_file(old, "club", reader="usebio").duplicates == 1
    report = engine.import_file(new, "club", reader="usebio")
    assert report.warnings == [
        "line 8: sides was corrected in the log at position 2; what the file gives now replaces it"
    ]
    *_, (_, amended) = engine.events()
    assert isinstance(amended, rc.ResultAmended)
    assert list(amended.changes) == ["sides"]


def test_a_correction_that_was_taken_back_is_not_made_again_by_the_same_file(engine: rc.Engine, tmp_path: Path) -> None:
    old, new = write(tmp_path, "3228", "3228-adjusted")
    engine.import_file(old, "club", reader="usebio")
    engine.import_file(new, "club", reader="usebio")
    *_, (row, _) = engine.events()
    engine.void(row.uid, why="the protest was dismissed")
    assert engine.import_file(new, "club", reader="usebio").duplicates == 1
    assert engine.log.head.position == 3


def test_a_field_that_is_gone_is_taken_away(engine: rc.Engine, tmp_path: Path) -> None:
    (path,) = write(tmp_path, "3226")
    engine.import_file(path, "club", reader="usebio")
    text = path.read_text()
    path.write_text(text[: text.index("<BOARD ")] + text[text.index("</EVENT>") :])
    assert engine.import_file(path, "club", reader="usebio").amended == 1
    *_, (_, amended) = engine.events()
    assert isinstance(amended, rc.ResultAmended)
    assert dict(amended.changes) == {"boards": None}


def test_what_was_voided_stays_void_and_pools_are_not_changed(engine: rc.Engine, tmp_path: Path) -> None:
    (path,) = write(tmp_path, "3226")
    engine.import_file(path, "club", reader="usebio")
    elsewhere = engine.import_file(path, "county", reader="usebio")
    why = "uid usebio:2074:3226 is in pool club, not county"
    assert elsewhere.refused == [(8, why, "county, 2022-07-27, session of 12 sides")]
    engine.void("usebio:2074:3226")
    assert engine.import_file(path, "club", reader="usebio").unrated == {"voided in the log": [8]}
    assert engine.log.head.position == 2


def test_a_uid_of_something_else_or_twice_is_refused(engine: rc.Engine, file: Callable[[str], Path]) -> None:
    engine.record(rc.PlayersMerged(uid="usebio:2074:3226", keep="ann", other="ann b"))
    text = usebio("3226")
    event = text[text.index("<EVENT ") : text.index("</EVENT>") + len("</EVENT>")]
    report = engine.import_file(file(text.replace("<HANDSET>", event + "<HANDSET>")), "club", reader="usebio")
    assert [why for _, why, _ in report.refused] == [
        "uid belongs to a merge in the log: 'usebio:2074:3226'",
        "uid belongs to a merge in the log: 'usebio:2074:3226'",
    ]


def test_a_reader_that_is_not_there_is_a_mistake(engine: rc.Engine, tmp_path: Path, run: Run) -> None:
    (path,) = write(tmp_path, "3226")
    with pytest.raises(BadFile, match="no reader is named usbio: installed are csv"):
        engine.import_file(path, reader="usbio")
    told = run("import", "club.db", path, "--pool", "club", "--reader", "usbio")
    assert (told.code, "no reader is named usbio: installed are csv" in told.err) == (2, True)
    told = run("import", "club.db", path, "--pool", "club", "--reader", "usebio", "--map", "a=b")
    assert (told.code, "only tables can be mapped" in told.err) == (2, True)
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
    assert (again.err.splitlines()[-1], "1 duplicate" in again.out) == (done.err.splitlines()[-1], True)
    (adjusted,) = write(tmp_path, "3228-adjusted")
    corrected = run("import", "club.db", adjusted, "--pool", "club", "--reader", "usebio", "--format", "json")
    assert '"amended": 1' in corrected.out
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
