"""What a plan says of each row is what its application records: rows, columns, documents and new issues alike."""

import io
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.engine.file_plans import FilePlan
from ratingcore.events import Row
from ratingcore.importer.row_outcomes import RowOutcome
from ratingcore.log.lookup import corrections_of, uid_at
from tests.importer.test_documents import opened
from tests.importer.tournaments import bytes_of, edited, random_tournament

POOL = "club"
NAMES = ("ann", "bo", "cy", "dee")
CELLS = st.tuples(
    st.sampled_from(["2024-03-02", "2024-03-03", "soon"]), st.sampled_from(NAMES), st.sampled_from(NAMES),
    st.sampled_from(["1-0", "0-1", "1/2", "bye"]),
)  # fmt: skip
"""Day, players and score of a row; with an id of its own where a table gives them."""


def table(rows: list[tuple[str, ...]]) -> bytes:
    return "\n".join(["played,a,b,score", *map(",".join, rows), ""]).encode()


def check(engine: Engine, plan: FilePlan) -> list[RowOutcome]:
    """Applies a plan, and checks that each row became what the plan said, by what the log has then."""
    said, report, head = list(plan.rows), plan.report, engine.log.head.position
    assert len(said) == report.read
    assert [row.line for row in said] == sorted(row.line for row in said)
    applied = engine.apply(plan)
    log, now = engine.log, corrections_of(engine.log)
    assert list(applied.rows) == said
    assert (list(applied.rows), applied.rows.counts()) == (said, plan.rows.counts())
    new = [row for row in log.rows(head) if row.kind in ("game", "session")]
    back = [row for row in log.rows(head) if row.kind == "void" and (ref_of(log, row) or row).kind == "void"]
    amended = {row.ref: row.facts["set"].keys() for row in log.rows(head) if row.kind == "amend"}
    counts = Counter(row.what for row in said)
    revived = {ref_of(log, row) for row in back}
    assert len(new) + len(revived) == counts["taken"], "nothing else was recorded"
    for row in said:
        (there,) = log.rows_at([row.position]) if row.position else (None,)
        if row.what in ("known", "corrects", "voided"):
            assert there is not None, row
        if row.what == "corrects":
            assert amended[row.position] >= set(row.fields), "each with the fields that it corrects"
        elif row.what == "voided":
            assert there is not None
            (void,) = log.rows_at([row.void])
            assert (void.kind, void.ref, now.read(there)) == ("void", row.position, None)
        elif row.what == "known":
            assert there is not None
            assert now.read(there) is not None
        assert bool(row.reason) == (row.what in ("unrated", "refused", "left")) or row.what == "voided"
    return said


def ref_of(log: Any, row: Row) -> Row | None:
    """The event that a void takes back."""
    return next(iter(log.rows_at([row.ref])), None)


@given(
    first=st.lists(CELLS, min_size=1, max_size=8), then=st.lists(CELLS, min_size=1, max_size=12), ids=st.booleans(),
    asked=st.sampled_from([{}, {"amend": True}, {"reissue": "games.csv", "voids": 1.0}]),
    voided=st.integers(0, 8), mirrored=st.booleans(),
)  # fmt: skip
@settings(max_examples=25)
def test_each_row_of_a_table_becomes_what_the_plan_said(
    first: list[tuple[str, ...]],
    then: list[tuple[str, ...]],
    ids: bool,
    asked: dict[str, Any],
    voided: int,
    mirrored: bool,
) -> None:
    with rc.open(":memory:") as engine:
        before = engine.import_file(rows_of(first, ids), POOL, name="games.csv")
        if voided and voided <= before.accepted:
            engine.void(uid_at(engine.log, voided), why="a default")
        if before.accepted or "reissue" not in asked:
            options = {"mirrored": mirrored and "reissue" not in asked, **asked}
            for _ in range(2):
                check(engine, engine.plan.import_file(rows_of(then, ids), POOL, **options))


def rows_of(rows: list[tuple[str, ...]], ids: bool = False) -> list[dict[str, str]]:
    """Rows as mappings: a table in memory."""
    names = ("played", "a", "b", "score")
    made = [dict(zip(names, row, strict=True)) for row in rows]
    return [{**row, "id": f"g-{n % 7}"} for n, row in enumerate(made)] if ids else made


@pytest.mark.parametrize("seed", range(3))
def test_each_result_of_a_tournament_becomes_what_the_plan_said(seed: int) -> None:
    random = Random(seed)
    lines = random_tournament(random)
    with opened() as engine:
        for turn in range(4):
            plan = engine.plan.import_file(io.BytesIO(bytes_of(*lines)), POOL, reader="cross", voids=1.0, amend=True)
            said = Counter(row.what for row in check(engine, plan))
            assert said["taken"] == len(lines) if turn == 0 else said["known"] > 0
            if turn == 1:
                engine.void(uid_at(engine.log, 3), why="a default")
            lines = edited(random, lines)


def test_the_reasons_are_told(tmp_path: Path) -> None:
    rows = [
        ("2024-03-02", "ann", "bo", "1-0"), ("2024-03-02", "cy", "dee", "1-0"), ("2024-03-03", "ann", "cy", "1-0"),
    ]  # fmt: skip
    file = tmp_path / "may.csv"
    file.write_bytes(table(rows))
    with rc.open(str(tmp_path / "club.db")) as engine:
        assert engine.plan.import_file(file, POOL).rows.counts() == {"taken": 3}
        engine.import_file(file, POOL)
        engine.void(uid_at(engine.log, 2), why="a default")
        more = [*rows[:2], (*rows[2][:3], "0-1"), ("soon", "ann", "bo", "1-0"), ("2024-03-04", "cy", "ann", "bye")]
        file.write_bytes(table([*more, ("2024-03-05", "eve", "ann", "1-0")]))
        plan = engine.plan.import_file(file, POOL, amend=True)
        assert plan.rows.counts() == {"taken": 1, "known": 1, "corrects": 1, "voided": 1, "unrated": 1, "refused": 1}
        known, voided, corrects, refused, unrated, taken = plan.rows
        assert (known.line, known.what, known.position) == (2, "known", 1)
        assert (voided.what, voided.position, voided.void) == ("voided", 2, 4)
        assert (corrects.what, corrects.fields, corrects.position) == ("corrects", ("score",), 3)
        assert (refused.what, "soon" in refused.reason) == ("refused", True)
        assert (unrated.what, unrated.reason, taken.what) == ("unrated", "bye", "taken")
        assert "  corrected, score: 1 row (line 4)" in plan.report.lines()
        assert plan.rows[2:4] == [corrects, refused]
        assert list(plan.rows.only("voided", "taken")) == [voided, taken]
        kept = engine.plan.from_json(json.loads(json.dumps(plan.as_json())))
        assert isinstance(kept, FilePlan)
        assert kept.rows == plan.rows
        check(engine, kept)


def test_what_is_left_out_is_no_row_of_the_log() -> None:
    rows = [("2024-03-02", "ann", "bo", "1-0"), ("2024-03-02", "bo", "ann", "0-1")]
    with rc.open(":memory:") as engine:
        plan = engine.plan.import_file(rows_of(rows), POOL, mirrored=True)
        assert [(row.line, row.what) for row in check(engine, plan)] == [(1, "taken"), (2, "left")]
    with opened() as engine:
        games = [f"{n} p{n} q{n} 1" for n in range(1, 13)]
        engine.import_file(io.BytesIO(bytes_of(*games, name="spring")), POOL, reader="cross")
        other = io.BytesIO(bytes_of(*games, name="autumn"))
        plan = engine.plan.import_file(other, POOL, reader="cross", skip_known=True)
        assert plan.rows.counts() == {"left": 12}
        assert [row.position for row in check(engine, plan)] == list(range(1, 13))
        issues = {1: games, 2: [*games[1:], "1 p1 q1 0"]}
        for day in (1, 2, 1):
            one = io.BytesIO(bytes_of(*issues[day], name="winter", issued=f"2024-05-0{day}"))
            last = check(engine, engine.plan.import_file(one, POOL, reader="cross"))
        assert {(row.what, row.reason) for row in last} == {
            ("left", "winter (2024-03-02): the log has a later issue than this one")
        }


def test_of_several_files_each_has_its_rows() -> None:
    files = [io.BytesIO(table([(f"2024-03-0{n}", "ann", "bo", "1-0")] * n)) for n in (1, 2, 3)]
    with rc.open(":memory:") as engine:
        plan = engine.plan.import_file(files, POOL)
        assert [row.line for row in plan.rows] == [2, 2, 3, 2, 3, 4]
        assert [len(report.rows) for report in plan.report.reports] == [1, 2, 3]
        assert engine.apply(plan).rows == plan.rows


def test_millions_of_rows_are_columns() -> None:
    """Rows are made when they are asked for: what is kept takes 28 bytes for each batch of new rows."""
    rows = [(f"2024-{1 + n % 12:02}-{1 + n % 28:02}", f"p{n % 90}", f"q{n % 70}", "1-0") for n in range(6_000)]
    with rc.open(":memory:") as engine:
        plan = engine.plan.import_file(io.BytesIO(table(rows)), POOL)
        settled = plan.report.settled
        assert (len(settled), settled.nbytes) == (6_000, 28 * 2)
        assert len(check(engine, plan)) == 6_000
