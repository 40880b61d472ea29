"""Sessions of tables come again as games do: known, corrected, taken back, and without names that were erased."""

import io
import json
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.errors import RowsRefused
from ratingcore.events import Side
from ratingcore.importer.report import ImportReport
from ratingcore.log.lookup import corrections_of, decoder_of

FIRST = ("A,02,1,ann,54.2", "A,02,1,bo,54.2", "A,02,2,cy,45.8", "A,02,2,di,45.8", "A,09,1,ann,50", "A,09,2,cy,50")
OBJECTS = (
    {"played": "2024-03-02", "sides": [{"players": ["ann", "bo"], "score": 3}, {"players": ["cy"], "score": 1}]},
    {"played": "2024-03-02", "sides": [{"players": ["ann"], "score": 3}, {"players": ["cy", "bo"], "score": 1}]},
    {"played": "2024-03-02", "sides": [{"players": ["ann"], "score": 3}, {"players": ["cy", "bo"], "score": 1}]},
)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with open_engine(":memory:") as engine:
        yield engine


def table(*rows: str) -> io.BytesIO:
    lines = (f"{row[:2]}2024-03-{row[2:]}" for row in rows)
    file = io.BytesIO("\n".join(["session,played,side,player,score", *lines, ""]).encode())
    file.name = "evenings.csv"
    return file


def lines(*objects: dict[str, Any]) -> io.BytesIO:
    file = io.BytesIO("".join(json.dumps(one) + "\n" for one in objects).encode())
    file.name = "evenings.jsonl"
    return file


def take(engine: Engine, file: io.BytesIO, **said: Any) -> ImportReport:
    report = engine.import_file(file, pool="club", **said)
    assert report.adds_up, report
    return report


def counts(report: ImportReport) -> tuple[int, int, int, int, int]:
    return report.accepted, report.amended, report.voided, report.duplicates, len(report.refused)


def results(engine: Engine) -> list[Any]:
    now, event = corrections_of(engine.log), decoder_of(engine.log)
    read: list[Any] = [event(row) for row in map(now.read, engine.log.rows(0, None, ("session",))) if row is not None]
    return sorted((one.played, tuple((side.players, side.score) for side in one.sides)) for one in read)


def test_the_same_sessions_again_in_another_order_are_duplicates(engine: Engine) -> None:
    assert counts(take(engine, table(*FIRST))) == (2, 0, 0, 0, 0)
    assert counts(take(engine, table(*reversed(FIRST)))) == (0, 0, 0, 2, 0)
    assert counts(take(engine, lines(*OBJECTS))) == (3, 0, 0, 0, 0)
    assert counts(take(engine, lines(*reversed(OBJECTS)))) == (0, 0, 0, 3, 0)


def test_the_same_sessions_as_objects_are_duplicates_in_whatever_order_sides_and_players_stand(engine: Engine) -> None:
    take(engine, table("A,02,1,bo,45.8", "A,02,1,ann,45.8", "A,02,2,di,54.2", "A,02,2,cy,54.2"))
    sides = [{"players": ["bo", "ann"], "score": 45.8}, {"players": ["di", "cy"], "score": 54.2}]
    again = {"session": "A", "played": "2024-03-02", "sides": sides}
    for said in ({"dry_run": True}, {}, {"amend": True}, {"strict": True}, {"reissue": "evenings.csv"}):
        assert counts(take(engine, lines(again), **said)) == (0, 0, 0, 1, 0)
    otherwise = again | {"sides": [sides[0], {"players": ["di", "cy"], "score": 50}]}
    assert take(engine, lines(otherwise)).refused[0][1] == (
        "changed: position 1, sides: cy + di 54.2 recorded, di + cy 50 in the file"
    )


def test_a_session_with_an_id_of_its_own_is_the_same_with_its_sides_in_another_order(engine: Engine) -> None:
    one, other = ({"players": [name], "score": score} for name, score in (("ann", 3), ("cy", 1)))
    take(engine, lines({"uid": "s:1", "played": "2024-03-02", "sides": [one, other]}))
    again = lines({"uid": "s:1", "played": "2024-03-02", "sides": [other, one]})
    assert counts(take(engine, again)) == (0, 0, 0, 1, 0)
    engine.erase("ann")
    again.seek(0)
    assert counts(take(engine, again)) == (0, 0, 0, 1, 0)


@pytest.mark.parametrize("named", [{}, {"uid": "s:1"}, {"session": "Tue"}], ids=["bare", "id", "name"])
@pytest.mark.parametrize("erased", [False, True])
def test_a_session_that_was_amended_by_hand_is_known_by_its_sides_in_whatever_order(
    engine: Engine, named: dict[str, str], erased: bool
) -> None:
    """The export of the log, imported again, was refused as changed: the amendment listed the sides otherwise."""
    sides = [{"players": list(names), "score": score} for names, score in (("ya", 3), ("bc", 2), ("d", 1))]
    take(engine, lines({"played": "2024-03-02", **named, "sides": sides}))
    (row,) = engine.log.rows(0, None, ("session",))
    engine.amend(row.uid, {"sides": [Side(["d"], 5.0), Side(["c", "b"], 2.0), Side(["a", "y"], 3.0)], "event": "Open"})
    if erased:
        engine.erase("c")
    sides[2]["score"] = 5
    again = [{"played": "2024-03-02", **named, "event": "Open", "sides": list(order)} for order in permutations(sides)]
    for one in again:
        for said in ({"dry_run": True}, {}, {"amend": True}, {"reissue": True}):
            assert counts(take(engine, lines(one), **said)) == (0, 0, 0, 1, 0)


def test_a_session_that_says_otherwise_is_refused_or_amends(engine: Engine) -> None:
    take(engine, table(*FIRST))
    fixed = table(*FIRST[:2], "A,02,2,cy,46", "A,02,2,zoe,46", *FIRST[4:])
    report = take(engine, fixed)
    assert counts(report) == (0, 0, 0, 1, 1)
    assert report.refused[0][1] == ("changed: position 1, sides: cy + di 45.8 recorded, cy + zoe 46 in the file")
    fixed.seek(0)
    assert counts(take(engine, fixed, amend=True)) == (0, 1, 0, 1, 0)
    fixed.seek(0)
    assert counts(take(engine, fixed)) == (0, 0, 0, 2, 0)
    with open_engine(":memory:") as fresh:
        fixed.seek(0)
        take(fresh, fixed)
        assert results(engine) == results(fresh)


def test_a_table_of_sessions_that_is_issued_again_amends_voids_and_adds(engine: Engine) -> None:
    take(engine, table(*FIRST))
    again = table("A,02,1,ann,60", "A,02,2,cy,40", "A,16,1,ann,3", "A,16,2,bo,4")
    assert counts(take(engine, again, reissue=True)) == (1, 1, 1, 0, 0)
    with open_engine(":memory:") as fresh:
        again.seek(0)
        take(fresh, again)
        assert results(engine) == results(fresh)
    again.seek(0)
    assert counts(take(engine, again, reissue=True)) == (0, 0, 0, 2, 0)


def test_objects_without_ids_that_are_issued_again_are_known_by_their_players(engine: Engine) -> None:
    take(engine, lines(*OBJECTS))
    fixed = json.loads(json.dumps(OBJECTS[0]).replace('"score": 3', '"score": 4'))
    assert counts(take(engine, lines(fixed, *OBJECTS[1:]), reissue=True)) == (0, 1, 0, 2, 0)


def test_a_dry_run_and_a_strict_import_say_what_an_import_does(engine: Engine) -> None:
    bad = table(*FIRST, "A,16,1,ann,3")
    trial = take(engine, bad, dry_run=True)
    assert (counts(trial), engine.log.head.position) == ((2, 0, 0, 0, 1), 0)
    assert trial.understood[0] == "line 2: club, 2024-03-02, 2 sides: ann + bo 54.2 / cy + di 45.8"
    bad.seek(0)
    with pytest.raises(RowsRefused, match="line 8: sides of a session must be two or more"):
        take(engine, bad, strict=True)
    assert counts(take(engine, table(*FIRST), strict=True)) == (2, 0, 0, 0, 0)


@pytest.mark.parametrize("file", [table(*FIRST), lines(*OBJECTS)], ids=["rows", "objects"])
def test_a_name_that_was_erased_does_not_come_back_with_its_sessions(engine: Engine, file: io.BytesIO) -> None:
    file.seek(0)
    accepted = take(engine, file).accepted
    engine.erase("bo")
    file.seek(0)
    again = take(engine, file)
    assert counts(again) == (0, 0, 0, accepted, 0)
    fixed = io.BytesIO(file.getvalue().replace(b"54.2", b"55").replace(b'"score": 3', b'"score": 5'))
    fixed.name = file.name
    assert take(engine, fixed, amend=True).amended > 0
    assert "bo" not in engine.log.book.keys_of("player")


def test_results_that_are_exported_come_back_as_they_were(engine: Engine, tmp_path: Any) -> None:
    take(engine, lines(*OBJECTS))
    take(engine, table(*FIRST))
    file = tmp_path / "results.jsonl"
    file.write_bytes(b"".join(engine.written("results", str(file))))
    with open_engine(":memory:") as copy:
        assert copy.import_file(file).accepted == 5
        assert results(copy) == results(engine)
