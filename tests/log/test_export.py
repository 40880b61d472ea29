"""Export: a log as lines of JSON."""

import csv
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import BrokenChain, UnsoundLog
from ratingcore.log import export_lines
from ratingcore.log.identity import is_derived
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.log.conftest import Store
from tests.log.making import fill, game
from tests.log.test_matching import ROWS, outcome, write


def test_an_export_is_lines_of_json_without_line_ends(log: Store) -> None:
    log.append([game(1, "ab", "c d", data={"x": "one\ntwo\r\u2028\u2029"})])
    lines = list(export_lines(log))
    assert all(len(line.split("\n")) == 1 == len(line.split("\r")) for line in lines)
    assert [next(iter(json.loads(line))) for line in lines] == ["head", "batch", "name", "name", "name", "name", "row"]
    assert json.loads(lines[0]) == {"ratingcore": 1, "key": log.key, "head": [1, log.head.digest]}


def test_an_export_ends_where_the_log_ended_when_it_began(log: Store) -> None:
    fill(log)
    before = list(export_lines(log))
    lines = export_lines(log)
    seen = [next(lines)]
    for number, line in enumerate(lines):
        seen.append(line)
        if number % 5 == 0:
            log.append([game(f"meanwhile-{number}", f"new-{number}", "bo")], source=f"s{number}")
    assert seen == before


OLD = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11" / "club.db"


@pytest.fixture
def old(tmp_path: Path) -> rc.Engine:
    """A log with games of every sort of uid, corrections, lists and an erasure."""
    engine = rc.open(tmp_path / "old.db")
    engine.import_file(write(tmp_path, ROWS), "rapid")
    engine.record(rc.GamePlayed(pool="rapid", played="2024-03-10", a="ann", b="bo", score=1.0, uid="by-hand"))
    engine.publish(engine.rating_list("rapid", "elo", known_at=5), name="half")
    engine.publish(engine.rating_list("rapid", "elo", through="2024-03-09"), name="all")
    engine.import_file(write(tmp_path, ROWS + "2024-03-30,cy,bo,1,0,1,x\n"), "rapid")
    engine.amend(engine.log.uid(2), {"score": 0.5})
    engine.void("by-hand")
    engine.erase("ann")
    return engine


def renewed(old: rc.Engine, path: Path) -> rc.Engine:
    fresh = rc.open(path)
    fresh.load(old.renewal())
    return fresh


def test_the_same_lists_to_the_last_digit_under_other_digests(old: rc.Engine, tmp_path: Path) -> None:
    fresh = renewed(old, tmp_path / "fresh.db")
    assert fresh.verify().head == fresh.log.head != old.log.head
    assert fresh.log.head.position == old.log.head.position
    assert fresh.log.key != old.log.key
    for method in ("elo:k=24", "berkin", "adaptive-k"):
        for known_at in (3, 8, None):
            one, other = (engine.rating_list("rapid", method, known_at=known_at) for engine in (old, fresh))
            assert one.digest == other.digest
            assert one.seal == other.seal
    columns = ("position", "kind", "pool", "played", "order", "a", "b", "score", "ref")
    rows = [[[getattr(row, name) for name in columns] for row in engine.log.rows()] for engine in (old, fresh)]
    assert rows[0] == rows[1]


def test_every_derived_uid_is_new_and_the_mapping_says_what_became_of_each(old: rc.Engine, tmp_path: Path) -> None:
    renewal = old.renewal()
    fresh = rc.open(tmp_path / "fresh.db")
    fresh.load(renewal)
    derived = {row.uid for row in old.log.rows(0, None, ("game",)) if is_derived(row)}
    assert len(derived) == 9
    assert derived.isdisjoint(row.uid for row in fresh.log.rows())
    pairs = list(zip(old.log.rows(), fresh.log.rows(), strict=True))
    assert renewal.uids == {one.uid: other.uid for one, other in pairs if one.uid != other.uid}
    assert fresh.log.row_of("by-hand").position == 9
    assert outcome(fresh.import_file(write(tmp_path, ROWS), "rapid")) == (0, 8, 0, 0)
    assert "ann" not in {name.key for name in fresh.log.names()}


def test_a_published_list_proves_and_says_what_head_it_had(old: rc.Engine, tmp_path: Path) -> None:
    documents = {name: old.published_list(name).document("json", name) for name in ("half", "all")}
    heads = {published.name: published.head for published in old.published()}
    first = renewed(old, tmp_path / "fresh.db")
    second = renewed(first, tmp_path / "again.db")
    for fresh in (first, second):
        for name, document in documents.items():
            assert fresh.published_list(name).seal == old.published_list(name).seal
            proof = fresh.prove(document)
            assert proof, proof
            assert f"unproved  head: published from {heads[name]} of the log before" in str(proof)
            assert (proof.unproved, next(iter(proof))["holds"]) == (("head",), "unproved")
            assert old.prove(document).unproved == ()
    assert [len(published.before) for published in second.published()] == [2, 2]
    unpublished = old.rating_list("rapid", "elo", known_at=4).document("json")
    assert not first.prove(unpublished)
    forged = json.loads(documents["all"])
    rating = forged["columns"].index("rating")
    forged["rows"][0][rating] += 1
    assert not first.prove(forged)


def test_the_command_writes_lines_and_mapping(old: rc.Engine, run: Run, tmp_path: Path) -> None:
    ran = run("export", "old.db", "fresh.jsonl.gz", "--new-uids", "uids.csv")
    assert ran.code == 0
    assert "it holds the old ones, so keep it apart or destroy it" in ran.err
    assert run("load", "fresh.db", "fresh.jsonl.gz").code == 0
    with (tmp_path / "uids.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8 + 1 + 2
    with rc.open(tmp_path / "fresh.db") as fresh:
        assert all(fresh.log.row_of(row["new"]) for row in rows)
    assert run("export", "old.db", "other.jsonl", "--new-uids", "uids.csv").code == 2
    assert run("list", "old.db", "--format", "csv").out == run("list", "fresh.db", "--format", "csv").out


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TRIGGER event_update; UPDATE event SET score = 0.5 WHERE position = 1",
        "UPDATE name SET key = 'zoe' WHERE key = 'bo'",
        "INSERT INTO cursor VALUES ('site', 99)",
    ],
)
def test_a_log_that_was_changed_is_not_washed_clean(old: rc.Engine, run: Run, tmp_path: Path, sql: str) -> None:
    """A fixed bug: whatever had been changed by hand got digests that fit."""
    old.close()
    hand = sqlite3.connect(tmp_path / "old.db")
    hand.executescript(sql)
    hand.close()
    ran = run("export", "old.db", "fresh.jsonl", "--new-uids", "uids.csv")
    assert ran.code == 1
    assert ran.err.splitlines()[0] == run("verify", "old.db").err.splitlines()[0]
    assert not list(tmp_path.glob("fresh*")) + list(tmp_path.glob("uids*"))
    with rc.open(tmp_path / "old.db") as changed, pytest.raises((BrokenChain, UnsoundLog)):
        changed.renewal()


def test_a_log_whose_key_is_not_bound_yet_is_bound_when_it_is_made_anew(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / "old.db")
    with rc.open(tmp_path / "old.db") as engine, renewed(engine, tmp_path / "fresh.db") as fresh:
        assert [name[:4:3] for name in fresh.log.names()][:-1] == [name[:4:3] for name in engine.log.names()]
        assert fresh.log.names()[-1].kind == "key"
        assert fresh.verify().bound
        assert fresh.rating_list("rapid", "elo").digest == engine.rating_list("rapid", "elo").digest
        receipt = fresh.record(rc.GamePlayed(pool="rapid", played="2024-12-01", a="ann", b="somebody", score=1.0))
        assert fresh.verify([receipt.head]).bound
        assert [name.kind for name in fresh.log.names()].count("key") == 1
    hand = sqlite3.connect(tmp_path / "fresh.db")
    with hand:
        hand.execute("UPDATE log SET key = 'another'")
    hand.close()
    with rc.open(tmp_path / "fresh.db") as fresh, pytest.raises(UnsoundLog, match="the key of the log is another"):
        fresh.verify()


def test_what_only_the_new_log_says_is_not_called_proven(old: rc.Engine, run: Run, tmp_path: Path) -> None:
    (tmp_path / "all.json").write_text(old.published_list("all").document("json", "all"))
    renewed(old, tmp_path / "fresh.db").close()
    ran = run("prove", "all.json", "fresh.db", "--format", "json")
    assert ran.code == 0
    assert {row["check"]: row["holds"] for row in json.loads(ran.out)}["head"] == "unproved"
    assert ran.err.splitlines()[-2].startswith("warning: unproved: head; only an anchor or a copy of the log before")
    assert ran.err.splitlines()[-1] == "the rest of the document holds"
