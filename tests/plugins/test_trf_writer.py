"""Reports that are written: what the log says of a tournament stays what its report says, in both versions."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from ratingcore_chess import TRF
from ratingcore_chess.trf_versions import converted
from ratingcore_chess.trf_writer import TRF_REPORT, TrfForm

import ratingcore as rc
from ratingcore.errors import BadParameter, CannotWrite, UnknownName
from ratingcore.readers import Document, Facts, Game, Item, Outgoing, Session, Source, Warning, Who, clean_name
from tests.plugins.chess_files import FORMATS, said

FILES = sorted((FORMATS / "trf").glob("*.trf"))
DATED = [path for path in FILES if path.stem not in ("cr_only_lines", "dutch_2025_c9")]
VERSIONS = ["16", "26"]


def written(*items: Item, version: str = "", **options: str) -> tuple[str, list[str]]:
    """The report of items, and what was remarked on."""
    remarks: list[str] = []
    out = Outgoing("out.trf", items=lambda: iter(items), remark=remarks.append)
    text = b"".join(TRF_REPORT.write(out, TrfForm(version=version, **options)))
    return text.decode(options.get("encoding", "utf-8")), remarks


def game(a: str, b: str, turn: int = 1, score: float = 1.0, **facts: Any) -> Game:
    return Game(1, (str(turn),), Who(None, a), Who(None, b), score, None, 0, {"round": turn, "home": "a"} | facts)


OPEN = Document(("open",), "Open (2024-03-02)")


def key(who: Who) -> str:
    return who.id or clean_name(who.name)


def games(items: list[Item]) -> list[tuple[Any, ...]]:
    """Games as anybody would tell them: who had White, the result, the day, and what else is known.

    Boards are left out: those of the file with teams do not belong to matches of two teams.
    """
    return sorted(
        (
            str(one.data["round"]), key(one.a), key(one.b), one.score, one.played,
            sorted((name, value) for name, value in one.data.items() if name not in ("board", "match")),
        )
        for one in items
        if isinstance(one, Game)
    )  # fmt: skip


def facts(items: list[Item]) -> dict[str, dict[str, Any]]:
    told: dict[str, dict[str, Any]] = {}
    for one in items:
        if isinstance(one, Facts):
            data = {name: value for name, value in one.data.items() if name != "national_id"}
            called = {"called": clean_name(str(data["called"]))} if "called" in data else {}
            told.setdefault(key(one.who), {}).update(data | called)
    return told


# from the log


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", DATED, ids=lambda path: path.stem)
def test_a_tournament_that_went_through_the_log_is_the_same_tournament(path: Path, version: str) -> None:
    engine = rc.open(":memory:")
    engine.import_file(path, pool="p")
    items = said("trf", path.read_bytes())
    (document,) = [one for one in items if isinstance(one, Document)]
    report = b"".join(engine.written("trf", event=document.event, version=version))
    again = said("trf", report)
    assert games(again) == games(items)
    there = {who for one in items if isinstance(one, Game) for who in (one.a, one.b)}
    assert facts(again) == {who: told for who, told in facts(items).items() if who in {key(one) for one in there}}
    assert [one.event for one in again if isinstance(one, Document)] == [document.event]
    assert [one.text for one in again if isinstance(one, Warning)] == []
    Path("again.trf").write_bytes(report)
    twice = rc.open(":memory:")
    twice.import_file("again.trf", pool="p")
    assert twice.rating_list("p", "elo").digest == engine.rating_list("p", "elo").digest


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def club() -> rc.Engine:
    engine = rc.open(":memory:")
    rows = [
        ("g-1", "fide:15", "ann", 1.0, 1, "2024-03-02"),
        ("g-2", "bo", "fide:15", 0.5, 2, "2024-03-03"),
        ("g-3", "ann", "bo", 0.0, 3, "2024-03-04"),
    ]
    for uid, a, b, score, turn, day in rows:
        data = {"event": "Open (2024-03-02)", "round": turn, "home": "a"}
        engine.record(rc.GamePlayed(uid=uid, pool="rapid", played=day, a=a, b=b, score=score, data=data))
    described = rc.PlayerDescribed(
        pool="rapid", played="2024-01-01", player="fide:15", called="Lee, Cy", data={"born": 1990, "title": "GM"}
    )
    engine.record(described)
    return engine


def test_a_report_by_hand() -> None:
    """Columns of the standard: rank 5-8, title 11-13, name 15-47, id 58-68, points 81-84, place 86-89."""
    engine = club()
    engine.publish(engine.rating_list("rapid", "elo", through="2024-03-02"), name="march")
    text = b"".join(engine.written("trf", event="Open (2024-03-02)", rating_list="march")).decode()
    assert text.endswith("\r\n")
    assert text.splitlines() == [
        "### unplayed rounds are not in the log",
        "012 Open",
        "042 2024/03/02",
        "052 2024/03/04",
        "062 3",
        "072 2",
        at({1: "132", 92: "24/03/02", 102: "24/03/03", 112: "24/03/04"}),
        at({1: "001", 8: "1", 12: "GM", 15: "Lee, Cy", 49: "1510", 67: "15", 70: "1990/00/00", 82: "1.5", 89: "1",
            95: "2 w 1", 105: "3 b =", 112: "0000 -"}),
        at({1: "001", 8: "2", 15: "ann", 49: "1490", 82: "0.0", 89: "3", 95: "1 b 0", 102: "0000 -", 115: "3 w 0"}),
        at({1: "001", 8: "3", 15: "bo", 82: "1.5", 89: "2", 92: "0000 -", 105: "1 w =", 115: "2 b 1"}),
    ]  # fmt: skip


def at(texts: dict[int, str]) -> str:
    """A line with texts at columns, 1 is the first."""
    line = ""
    for column, text in texts.items():
        line = line.ljust(column - 1) + text
    return line


def test_what_reads_otherwise_is_written_otherwise() -> None:
    engine = club()
    engine.void("g-3")
    engine.amend("g-2", {"score": 0.0})
    engine.record(rc.GamePlayed(uid="x", pool="rapid", played="2024-03-04", a="Bo", b="cy", score=1.0))
    engine.merge("bo", "Bo")
    items = said("trf", b"".join(engine.written("trf", event="Open (2024-03-02)")))
    assert [row[:4] for row in games(items)] == [("1", "fide:15", "ann", 1.0), ("2", "bo", "fide:15", 0.0)]
    then = said("trf", b"".join(engine.written("trf", event="Open (2024-03-02)", known_at=2)))
    assert [row[3] for row in games(then)] == [1.0, 0.5]


def test_an_event_that_is_not_there_or_not_said_is_refused() -> None:
    engine = club()
    with pytest.raises(UnknownName, match="no event named: Opne") as caught:
        list(engine.written("trf", event="Opne (2024-03-02)"))
    assert caught.value.hint == "did you mean Open (2024-03-02)?"
    with pytest.raises(BadParameter, match="event is missing: choose a tournament"):
        list(engine.written("trf"))
    with pytest.raises(BadParameter, match="writers of tournaments"):
        list(engine.written("results", event="Open (2024-03-02)"))


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (rc.GamePlayed(pool="p", played="2024-03-02", a="x", b="y", score=0.25), "cannot hold a score of 0.25"),
        (rc.GamePlayed(pool="p", played="2024-03-02", a="x", b="y", score=1.0, data={"round": "last"}), "has no round"),
        (
            rc.SessionPlayed(
                pool="p", played="2024-03-02",
                sides=[rc.Side(("x",), 1.0), rc.Side(("y",), 0.0), rc.Side(("z",), 0.0)],
            ),
            "session of many sides",
        ),
    ],
)  # fmt: skip
def test_a_tournament_that_does_not_fit_is_refused(event: Any, why: str) -> None:
    from attrs import evolve

    engine = rc.open(":memory:")
    engine.record(evolve(event, data={"round": 1} | dict(event.data) | {"event": "Cup"}))
    with pytest.raises(CannotWrite, match=why):
        list(engine.written("trf", event="Cup"))


# what has no place


def test_names_are_cut_to_their_columns_with_a_remark() -> None:
    text, remarks = written(OPEN, game("x" * 40, "bo"))
    assert f"{'x' * 33}  " in text
    assert remarks == [f"the name '{'x' * 40}' is cut to 33 characters"]


def test_facts_without_a_column_are_remarked_on() -> None:
    _, remarks = written(OPEN, game("ann", "bo", handicap=2), game("ann", "cy", 2, handicap=3))
    assert remarks == ["a report cannot hold handicap: left out 2 times"]


def test_a_name_that_the_encoding_lacks_is_refused() -> None:
    with pytest.raises(CannotWrite, match="cp1252 has no characters '柯洁'"):
        written(OPEN, game("柯洁", "bo"), encoding="cp1252")
    assert "柯洁" in written(OPEN, game("柯洁", "bo"))[0]
    assert "Zoë" in written(OPEN, game("Zoë", "bo"), encoding="cp1252")[0]


@pytest.mark.parametrize(
    ("items", "why"),
    [
        ((OPEN, OPEN, game("ann", "bo")), "one tournament"),
        ((OPEN, game("ann", "bo"), game("ann", "cy")), "two games in round 1"),
        ((OPEN, game("ann", "bo", 1000)), "has no round"),
        ((OPEN, game("x" * 33 + "1", "x" * 33 + "2")), "have the name"),
        ((OPEN,), "no tournament"),
        ((game("ann", "bo"),), "no tournament"),
        ((OPEN, Session(1, ("1",), (((Who(None, "a"),), 1.0), ((Who(None, "b"),), 0.0)), None)), "sessions"),
        ((OPEN, game("ann", "bo", team_a="A", team_b="B"), game("ann", "bo", 2, team_a="C", team_b="B")), "two teams"),
    ],
)
def test_items_that_make_no_report_are_refused(items: tuple[Item, ...], why: str) -> None:
    with pytest.raises(CannotWrite, match=why):
        written(*items)


def test_matches_have_points_boards_and_ranks() -> None:
    """Two matches on two boards by hand: 1.5-0.5 gives 2 match points, 1-1 gives one each."""
    sides = {"team_a": "Home", "team_b": "Away"}
    text, _ = written(
        OPEN, game("h1", "a1", board=1, **sides), game("a2", "h2", board=2, score=0.5, team_a="Away", team_b="Home"),
        game("a1", "h1", 2, board=1, team_a="Away", team_b="Home"), game("h2", "a2", 2, board=2, **sides), version="26",
    )  # fmt: skip
    lines = text.splitlines()
    ranks = {line[14:47].strip(): int(line[4:8]) for line in lines if line.startswith("001")}
    assert ranks == {"a1": 1, "a2": 2, "h1": 3, "h2": 4}
    assert [line for line in lines if line[:3] in ("142", "310", "300")] == [
        "142 2",
        f"310   1 {'Away':32}                 1.0    1.5   2     1    2",
        f"310   2 {'Home':32}                 3.0    2.5   1     3    4",
        "300   1   2   1    3    4",
        "300   1   1   2    1    2",
        "300   2   1   2    1    2",
        "300   2   2   1    3    4",
    ]
    again = [one for one in said("trf", text.encode()) if isinstance(one, Game)]
    assert [(one.a.name, one.data["team_a"], one.data["board"]) for one in again] == [
        ("a1", "Away", 1), ("h1", "Home", 1), ("h2", "Home", 2), ("a2", "Away", 2),
    ] or sorted((one.a.name, one.data["team_a"], one.data["board"]) for one in again) == [
        ("a1", "Away", 1), ("a2", "Away", 2), ("h1", "Home", 1), ("h2", "Home", 2),
    ]  # fmt: skip


# versions


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_in_the_other_version_says_the_same(path: Path, version: str) -> None:
    source = Source.of_bytes("in.trf", path.read_bytes())
    out = Outgoing("out.trf", source=source)
    report = b"".join(TRF_REPORT.write(out, TrfForm(version=version)))
    one, other = (
        list(TRF.read(Source.of_bytes("in.trf", content), TRF.options())) for content in (source.content(), report)
    )
    assert [_unplaced(item) for item in other] == [_unplaced(item) for item in one]


def _unplaced(item: Item) -> Any:
    if isinstance(item, Warning):
        return evolve(item, line=0)
    return item if isinstance(item, Document) else item._replace(line=0)


BOTH = [
    (["XXR 9"], ["142 9"]),
    (["XXC white1"], ["152 W"]),
    (["XXC black1"], ["152 B"]),
    (["XXR 3", "XXP 1 12"], ["142 3", "260   1   3    1   12"]),
    (
        ["XXA    1  1.0  1.0  0.5", "XXA    2  1.0  1.0  0.5", "XXA    4  0.0  0.5"],
        [
            "250       1.0   1   2    1    2",
            "250       0.5   3   3    1    2",
            "250       0.5   2   2    4    4",
        ],
    ),
    (
        ["XXS WW=3.0 BW=3.0 FW=3.0 FPB=3.0 WD=1.0 BD=1.0 HPB=1.0 WL=0.0 BL=0.0 ZPB=0.0 FL=0.0 PAB=1.0"],
        ["162  W 3.0    D 1.0    L 0.0    A 0.0    P 1.0"],
    ),
]


@pytest.mark.parametrize(("old", "new"), BOTH, ids=lambda lines: lines[-1][:3])
def test_records_that_both_versions_have_are_respelt_both_ways(old: list[str], new: list[str]) -> None:
    remarks: list[str] = []
    assert converted(old, "26", remarks.append) == new
    assert converted(new, "16", remarks.append) == old
    assert converted(new, "26", remarks.append) == new
    assert converted(old, "16", remarks.append) == old
    assert remarks == []


def test_shortcuts_of_points_are_those_of_the_manual() -> None:
    """The manual of JaVaFo: `XXS PAB=3 D=1 W=3` is three points for a win and for the bye, one for a draw."""
    assert converted(["XXS PAB=3 D=1 W=3"], "26", print) == ["162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0"]


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("XXS WW=3 BW=2", "26"),
        ("XXS W=nan", "26"),
        ("XXS what=1", "26"),
        ("XXA x 1.0", "26"),
        ("XXC rank", "26"),
        ("XXP 1 2", "26"),
        ("250  2.0        1   1    1    2", "16"),
        ("299 +  2.0  2.5   1    1", "16"),
        ("222 600", "16"),
    ],
)
def test_records_without_a_counterpart_stay_with_a_remark(line: str, version: str) -> None:
    remarks: list[str] = []
    assert converted([line], version, remarks.append) == [line]
    assert remarks == [f"records without a counterpart in TRF{version} stay as they are: {line[:3]}"]


def test_teams_of_the_new_version_are_told_in_the_old_one_too() -> None:
    line = f"310   1 {'Home':32}                 3.0    2.5   1     3    4"
    assert converted([line], "16", print) == [line, f"013 {'Home':32}   3    4"]


def test_who_is_absent_next_is_respelt() -> None:
    row = "001    1" + " " * 83 + "   2 w 1"
    assert converted([row, "XXZ 1 2"], "26", print) == [row, "240 Z   2    1    2"]
    assert converted([row, "240 Z   2    1    2"], "16", print) == [row, "XXZ 1 2"]
