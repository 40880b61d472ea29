"""Plans of files: through JSON they are the same, and applied they are the import that they were asked for."""

import io
import json
import shutil
from collections.abc import Iterable
from datetime import UTC, date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.engine.file_plans import FilePlan
from ratingcore.errors import BadValue, PlanOutdated
from ratingcore.importer.tables import FieldMap

POOL = "rapid"
FIELDS = {"a": "white", "b": "black", "score": "result", "played": "day"}
PLAYERS = st.sampled_from(["ann", "bo", "cy", "dee", "Zoë", ""])
ROW = st.tuples(
    st.sampled_from(["2024-03-02", "2024-03-03", "2024-03-04T19:30:00", "soon"]), PLAYERS, PLAYERS,
    st.sampled_from(["1-0", "0-1", "1/2", "bye", ""]), st.sampled_from(["", "g-1", "g-2", "g-3"]),
)  # fmt: skip


def written(path: Path, rows: list[tuple[str, ...]]) -> Path:
    path.write_text("\n".join(map(",".join, [("day", "white", "black", "result", "id"), *rows])) + "\n")
    return path


def league(folder: Path) -> str:
    """The address of a log with three games, one of which has an id."""
    with rc.open(str(folder / "club.db")) as eng:
        eng.record(rc.GamePlayed(uid="g-1", pool=POOL, played="2024-03-02", a="ann", b="bo", score=1.0))
        eng.import_file(written(folder / "games.csv", [("2024-03-03", "cy", "dee", "1-0", "")]), POOL, FIELDS)
        eng.import_file(written(folder / "other.csv", [("2024-03-03", "ann", "dee", "1-0", "")]), POOL, FIELDS)
        return str(folder / "club.db")


def kept(eng: Engine, plan: FilePlan) -> FilePlan:
    """The plan as another process reads it."""
    read = eng.plan.from_json(json.loads(json.dumps(plan.as_json())))
    assert isinstance(read, FilePlan)
    return read


def brought(events: Iterable[rc.Event]) -> list[rc.Event]:
    """Events without the uids of corrections, which are made up."""
    return [event if event.kind in ("game", "session", "seed") else evolve(event, uid="_") for event in events]


@given(rows=st.lists(ROW, min_size=1, max_size=12), amend=st.booleans(), reissue=st.booleans())
@settings(max_examples=15)
def test_a_plan_through_json_is_the_import_at_once(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], amend: bool, reissue: bool
) -> None:
    folder = tmp_path_factory.mktemp("plan")
    address = league(folder)
    shutil.copy(address, folder / "at-once.db")
    file = written(folder / "games.csv", rows)
    asked: dict[str, Any] = {"amend": amend, "reissue": reissue, "voids": 1.0, "zone": "Europe/Paris"}
    with rc.open(address) as late, rc.open(str(folder / "at-once.db")) as at_once:
        plan = late.plan.import_file(file, POOL, FIELDS, **asked)
        read = kept(late, plan)
        assert (read.report, brought(read.events)) == (plan.report, brought(plan.events))
        report = at_once.import_file(file, POOL, FIELDS, **asked)
        assert late.apply(kept(late, plan)).outcome == report.outcome == plan.report.outcome
        assert brought(event for _, event in late.events()) == brought(event for _, event in at_once.events())
        assert list(late.rating_list(POOL, "elo")) == list(at_once.rating_list(POOL, "elo"))
        if not plan.basis.concerns.corrected:
            assert not late.apply(kept(late, plan)).changes, "applied once more it repeats nothing"


def test_rows_that_contradict_each_other_do_not_outdate_their_own_plan(tmp_path: Path) -> None:
    """Applied once more, the plan was refused for what it had brought itself."""
    with rc.open(league(tmp_path)) as eng:
        rows = [("2024-05-03", "ann", "bo", score, "g-9") for score in ("1-0", "0-1")]
        plan = eng.plan.import_file(written(tmp_path / "may.csv", rows), POOL, FIELDS)
        assert plan.rows.counts() == {"taken": 1, "refused": 1}
        assert [eng.apply(kept(eng, plan)).changes for _ in range(2)] == [1, 0]


SEEDS, PEOPLE = "player,rating\nann,1650\nnew,1500\n", "player,called,born\nann,Ann Lee,1990\nnew,New One,2001\n"


@pytest.mark.parametrize(("way", "text"), [("import_seeds", SEEDS), ("import_players", PEOPLE)])
def test_tables_of_seeds_and_players_are_planned_too(tmp_path: Path, way: str, text: str) -> None:
    with rc.open(league(tmp_path)) as eng:
        file = tmp_path / "table.csv"
        file.write_text(text)
        plan, head = getattr(eng.plan, way)(file, POOL, at="2024-03-01"), eng.log.head
        assert (plan.report.accepted, plan.report.dry_run, plan.report.head) == (2, True, head)
        assert getattr(eng, way)(file, POOL, at="2024-03-01", dry_run=True) == plan.report
        assert (kept(eng, plan).report, eng.log.head) == (plan.report, head)
        assert len(list(plan.events)) == 2
        assert eng.apply(kept(eng, plan)).accepted == 2
        assert [event.kind for _, event in eng.events(head.position)] == [event.kind for event in plan.events]
        file.write_text(text.replace("1650", "1700").replace("Ann Lee", "Ann Fox"))
        again = getattr(eng.plan, way)(file, POOL, at="2024-03-02")
        eng.rename("ann", "Ann Day")
        if way == "import_players":
            with pytest.raises(PlanOutdated, match="player of"):
                eng.apply(again)


def test_a_kept_plan_is_refused_if_the_file_says_something_else(tmp_path: Path) -> None:
    with rc.open(league(tmp_path)) as eng:
        file = written(tmp_path / "may.csv", [("2024-05-03", "ann", "bo", "1-0", "")])
        plan = kept(eng, eng.plan.import_file(file, POOL, FIELDS))
        head = eng.log.head
        written(file, [("2024-05-03", "ann", "bo", "1-0", ""), ("2024-05-03", "soon", "bo", "", "")])
        for look in (eng.apply, lambda plan: plan.report, eng.what_if):
            with pytest.raises(PlanOutdated, match=r"may\.csv would record something else now"):
                look(plan)
        assert eng.log.head == head


def test_what_is_at_no_path_is_planned_but_not_kept(tmp_path: Path) -> None:
    eng = rc.open(":memory:")
    rows = [{"played": "2024-03-02", "a": "ann", "b": "bo", "score": "1-0"}]
    with pytest.raises(BadValue, match="must be a file with a path"):
        eng.plan.import_file(rows, POOL).as_json()
    file = written(tmp_path / "may.csv", [("2024-05-03", "ann", "bo", "1-0", "")])
    for zone, place in ((ZoneInfo("Europe/Paris"), "Europe/Paris"), (UTC, None)):
        fields = FIELDS | {"played": ""}
        plan = eng.plan.import_file(file, POOL, fields, zone=zone, played=date(2024, 5, 3), progress=print)
        if place is None:
            with pytest.raises(BadValue, match="must have a name"):
                plan.as_json()
        else:
            assert plan.as_json()["request"]["options"] == {"zone": place, "played": "2024-05-03"}
    for wrong in ({}, {"request": {}}, {"request": {"way": "close"}}):
        with pytest.raises(BadValue):
            eng.plan.from_json(wrong)


def test_a_mapping_is_the_same_through_json(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text('decimal = ","\n[fields]\nhome = {column = "g", words = {own = "a"}}\nb = ""')
    for mapping in (FieldMap.load(tmp_path / "map.toml"), FieldMap.parse("a=white,boards="), FieldMap()):
        assert FieldMap.from_json(json.loads(json.dumps(mapping.as_json()))) == mapping


@pytest.mark.parametrize("what", [io.BytesIO(b"player,rating\nann,1600\n"), [{"player": "ann", "rating": 1600}]])
def test_seeds_that_are_no_file_are_refused_in_words(what: Any) -> None:
    """A plan of them ended in `stat: path should be string`."""
    with rc.open(":memory:") as engine, pytest.raises(BadValue, match=r"path must be str . Path, not"):
        engine.plan.import_seeds(what, "rapid")


@pytest.mark.parametrize(
    ("way", "text"),
    [("import_seeds", "player,rating\nWeiss Ilse,1601\n"), ("import_players", "player,club\nWeiss Ilse,SK\n")],
)
def test_new_names_of_seeds_and_players_are_compared_with_those_of_the_log(tmp_path: Path, way: str, text: str) -> None:
    (tmp_path / "table.csv").write_text(text)
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(pool="club", played="2024-03-02", a="Weiß, Ilse", b="Bo Lund", score=1.0))
        plan = getattr(engine.plan, way)(tmp_path / "table.csv", "club", at="2024-01-01")
        assert "new name Weiss Ilse is spelt nearly like Weiß, Ilse" in plan.report.warnings
