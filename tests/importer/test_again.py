"""Files that come again after corrections, and games that several files list: nothing is doubled, lost or undone."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.events import GamePlayed, iso
from ratingcore.log.lookup import as_read, corrections_of, decoder_of, uid_at
from ratingcore.registry import Registry
from tests.importer.test_row_import import counts, file


@pytest.fixture(params=[":memory:", "club.db"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    path = request.param if request.param == ":memory:" else tmp_path / request.param
    with open_engine(path, registry=Registry()) as made:
        yield made


CORRECTED = {
    "games.csv": ("uid,a,b,score,played\ng,ann,bo,{},2024-03-02\ng-2,bo,cy,0,2024-03-03\n", 1, 0.5),
    "games.jsonl": ('{{"id": "g", "a": "ann", "b": "bo", "score": {}, "played": "2024-03-02"}}\n', 1, 0.5),
    "sessions.jsonl": (
        '{{"id": "s", "played": "2024-03-02", "sides": [{{"players": ["ann"], "score": {}}}, '
        '{{"players": ["bo"], "score": 0}}, {{"players": ["cy"], "score": 0}}]}}\n', 1, 0.5,
    ),
    "sessions.csv": (
        "session,played,player,score\ns,2024-03-02,ann,{}\ns,2024-03-02,bo,0\ns,2024-03-02,cy,-1\n", 1, 0.5,
    ),
    "nameless.csv": ("a,b,score,played\nann,bo,{},2024-03-02\n", 1, 0.5),
}  # fmt: skip


@pytest.mark.parametrize("name", CORRECTED)
@pytest.mark.parametrize("said", ["at first", "corrected"])
def test_what_was_corrected_stays_and_a_file_that_says_either_changes_nothing(
    name: str, said: str, engine: Engine, tmp_path: Path
) -> None:
    """A row with an id was refused where it says what the log reads since it was corrected."""
    text, first, corrected = CORRECTED[name]
    engine.import_file(file(tmp_path, text.format(first), name), pool="rapid")
    amended = engine.import_file(file(tmp_path, text.format(corrected), name), pool="rapid", amend=True)
    assert amended.amended == 1
    uid, head = uid_at(engine.log, 1), engine.log.head
    reads = as_read(engine.log, uid)
    path = file(tmp_path, text.format(first if said == "at first" else corrected), name)
    ways: list[dict[str, bool]] = [{"dry_run": True}, {}, {"strict": True}, {"amend": True}]
    for way in ways:
        again = engine.import_file(path, pool="rapid", **way)
        assert counts(again)["duplicates"] == again.read
        assert not again.warnings
        assert engine.log.head == head
    assert as_read(engine.log, uid) == reads
    other = engine.import_file(file(tmp_path, text.format(0.25), name), pool="rapid")
    assert counts(other)["refused"] == 1
    assert engine.log.head == head


def test_a_table_in_memory_whose_row_was_amended_by_hand_changes_nothing(engine: Engine) -> None:
    rows = [{"id": "g", "a": "ann", "b": "bo", "score": 1.0, "played": "2024-03-02"}]
    right = [{**rows[0], "score": 0.5}]
    engine.import_file(rows, pool="rapid")
    engine.amend("g", {"score": 0.5})
    head = engine.log.head
    for table in (rows, right):
        assert counts(engine.import_file(table, pool="rapid"))["duplicates"] == 1
    assert engine.log.head == head


def test_an_amendment_that_was_voided_explains_no_row(engine: Engine, tmp_path: Path) -> None:
    text = CORRECTED["games.csv"][0]
    engine.import_file(file(tmp_path, text.format(1)), pool="rapid")
    engine.amend("g", {"score": 0.5})
    engine.void(uid_at(engine.log, engine.log.head.position))
    again = engine.import_file(file(tmp_path, text.format(0.5)), pool="rapid")
    assert again.refused == [(2, "uid g is already at position 1, score: 1 recorded, 0.5 in the file", "g")]


@pytest.mark.parametrize("order", list(itertools.permutations(("once", "twice", "mixed"))))
def test_a_game_listed_twice_in_one_source_and_once_in_another_is_there_twice(
    order: tuple[str, ...], engine: Engine, tmp_path: Path
) -> None:
    """In whatever order the files come, and when all of them come again."""
    game, other = "ann,bo,1,2024-03-02\n", "ann,bo,1/2,2024-03-02\n"
    ways = {"once": [game], "twice": [game * 2], "mixed": [other + game * 2, game + other + game]}
    for turn in range(2):
        for name in order:
            rows = ways[name][turn % len(ways[name])]
            path = file(tmp_path, "a,b,score,played\n" + rows, f"{name}.csv")
            told = engine.import_file(path, "rapid", dry_run=True)
            done = engine.import_file(path, "rapid")
            assert counts(told) == counts(done)
            assert not done.refused
    assert sorted(row.score or 0 for row in engine.log.rows(0, None, ("game",))) == [0.5, 1.0, 1.0]


def test_one_column_that_is_new_is_told_in_a_line(engine: Engine, tmp_path: Path) -> None:
    """Every row was refused as changed, and what they had in common was left to be seen."""
    rows = [f"2024-03-{n:02d},ann,bo,1" for n in range(1, 6)]
    path = file(tmp_path, "\n".join(["played,a,b,score", *rows, ""]))
    engine.import_file(path, pool="p")
    path.write_text("\n".join(["played,a,b,score,event", *(f"{row},Open" for row in rows), ""]))
    report = engine.import_file(path, pool="p")
    assert len(report.refused) == report.changed == 5
    assert report.warnings == ["one column is new: 5 rows have event, which the log lacks, and all else is the same"]
    path.write_text(
        "\n".join(["played,a,b,score,event", f"{rows[0][:-1]}0,Open", *(f"{row},Open" for row in rows[1:]), ""])
    )
    assert "5 rows are recorded with other content" in engine.import_file(path, pool="p").warnings[0]
    assert engine.import_file(path, pool="p", amend=True).amended == 5


LICHESS = (
    '{"id": "abcdefgh", "rated": true, "createdAt": 1714550400000, "lastMoveAt": 1718409600000, "status": "mate", '
    '"players": {"white": {"user": {"name": "ann"}}, "black": {"user": {"name": "bo"}}}, "winner": "WON"}\n'
)
SGF = "(;GM[1]PB[Ann]PW[Bo]RE[B+R]DT[1996-12-27,28]EV[Cup];B[pd];W[dp])"
MAIL = (
    '[Event "Cup"]\n[Site "x"]\n[Date "2024.05.01"]\n[EndDate "2024.06.15"]\n[White "Ann"]\n[Black "Bo"]\n'
    '[Result "1-0"]\n\n1-0\n\n'
)


@pytest.mark.parametrize(
    ("name", "text", "start", "end"),
    [
        ("games.ndjson", LICHESS.replace("WON", "white"), "2024-05-01T08:00:00Z", "2024-06-15"),
        ("games.sgf", SGF, "1996-12-27", "1996-12-28"),
        ("games.pgn", MAIL, "2024-05-01", "2024-06-15"),
    ],
)
@pytest.mark.parametrize("first", ["start", "end"])
def test_a_game_recorded_at_its_other_time_is_a_duplicate_until_it_is_amended(
    name: str, text: str, start: str, end: str, first: str, tmp_path: Path
) -> None:
    """Games were recorded by their start, and count from their end now: the same file again changes nothing."""
    path, second = file(tmp_path, text, name), "end" if first == "start" else "start"
    played = {"start": start, "end": end}
    with open_engine(":memory:") as engine:

        def recorded() -> str:
            row = as_read(engine.log, uid_at(engine.log, 1))
            assert row is not None
            assert row.played is not None
            return iso(row.played)

        assert engine.import_file(path, "p", time=first).accepted == 1
        for way in ({}, {"strict": True}, {"dry_run": True}):
            again = engine.import_file(path, "p", time=second, **way)  # type: ignore[arg-type]  # options
            assert (again.duplicates, again.refused, again.changes) == (1, [], 0)
            assert again.warnings[0].startswith("1 game is recorded at another time, and stays as it is")
            assert recorded() == played[first]
        assert engine.import_file(path, "p", time=second, amend=True).amended == 1
        assert recorded() == played[second]
        for time in (first, second):
            assert engine.import_file(path, "p", time=time).duplicates == 1
        other = file(tmp_path, text.replace('"white"', '"black"').replace("B+R", "W+R").replace("1-0", "0-1"), name)
        assert len(engine.import_file(other, "p", time=first).refused) == 1


def test_two_columns_that_are_new_to_different_rows_are_no_one_column(engine: Engine, tmp_path: Path) -> None:
    path = file(tmp_path, "played,a,b,score\n2024-03-01,ann,bo,1\n2024-03-02,ann,bo,1\n")
    engine.import_file(path, pool="p")
    path.write_text("played,a,b,score,event,round\n2024-03-01,ann,bo,1,Open,\n2024-03-02,ann,bo,1,,3\n")
    report = engine.import_file(path, pool="p")
    assert (report.changed, len(report.warnings)) == (2, 1)
    assert report.warnings[0].startswith("2 rows are recorded with other content, and stay as they are")


@pytest.mark.parametrize("first", ["ann,bo,1", "cy,dee,0"])
def test_of_rows_with_one_id_the_first_amends(engine: Engine, tmp_path: Path, first: str) -> None:
    """Both amended, so the result read as no row, and each time that the file came it read otherwise."""
    engine.import_file(file(tmp_path, "id,a,b,score,played\ng,ann,bo,0,2024-03-02\n"), pool="rapid")
    rows = [first, *({"ann,bo,1", "cy,dee,0"} - {first})]
    path = file(tmp_path, "\n".join(["id,a,b,score,played", *(f"g,{row},2024-03-02" for row in rows), ""]))
    for turn in range(3):
        report = engine.import_file(path, pool="rapid", amend=True)
        assert report.rows.counts() == {"known" if turn else "corrects": 1, "refused": 1}
        (row,) = engine.log.find(["g"]).values()
        reads = decoder_of(engine.log)(corrections_of(engine.log).read(row) or row)
        assert isinstance(reads, GamePlayed)
        assert f"{reads.a},{reads.b},{reads.score:g}" == first


@pytest.mark.parametrize("decided", ["void, then erase", "erase, then void"])
@pytest.mark.parametrize("asked", [{}, {"amend": True}, {"reissue": True}])
@pytest.mark.parametrize("ids", [False, True])
def test_a_voided_result_of_an_erased_player_stays_void_when_its_file_comes_again(
    decided: str, asked: dict[str, Any], ids: bool
) -> None:
    rows = [{"played": "2024-03-02", "a": "ann", "b": "bo", "score": "1-0"}]
    rows = [{**row, **({"id": f"g-{n}"} if ids else {})} for n, row in enumerate([*rows, {**rows[0], "a": "cy"}])]
    with open_engine(":memory:", registry=Registry()) as engine:
        engine.import_file(rows, "rapid", name="games.csv")
        for verb in decided.split(", then "):
            if verb == "void":
                engine.void(uid_at(engine.log, 1), why="a default")
            else:
                engine.erase("ann")
        head = engine.log.head
        report = engine.import_file(rows, "rapid", name="games.csv", **asked)
        assert report.rows.counts() == {"known": 1, "voided": 1}
        assert engine.log.head == head
