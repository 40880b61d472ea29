"""`ratingcore verify`, `backup`, `export` and `load`: copies that prove themselves."""

import gzip
import sqlite3
from pathlib import Path

import pytest

from ratingcore import open as open_log

from .conftest import Run


def test_verify_prints_the_head_and_checks_anchors(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        head, old = engine.log.head, engine.log.digest_at(2)
    assert run("verify", "club.db") == (0, f"{head}\n", "5 events in 5 batches, the chain is whole\n")
    good = run("verify", "club.db", "--anchor", f"2:{old}", "--anchor", f"2:{old[:12]}")
    assert good.err == "5 events in 5 batches, the chain is whole, 2 anchors hold\n"
    code, out, err = run("verify", "club.db", "--anchor", f"3:{old}")
    assert (code, out) == (1, "")
    assert err.startswith("error: the chain breaks at position 3: the anchor says ")
    assert run("verify", "club.db", "--anchor", "3").code == 2


def test_a_broken_chain_is_found(run: Run, club: Path) -> None:
    with sqlite3.connect(club) as db:
        db.execute("DROP TRIGGER event_update")
        db.execute("UPDATE event SET score = 0.5 WHERE position = 4")
    db.close()
    code, out, err = run("verify", "club.db")
    assert (code, out) == (1, "")
    assert err.startswith("error: the chain breaks at position 4: ")


def test_a_backup_is_the_same_log_and_replaces_nothing(run: Run, club: Path) -> None:
    assert run("backup", "club.db", "copy.db").code == 0
    assert run("verify", "copy.db").out == run("verify", "club.db").out
    code, out, err = run("backup", "club.db", "copy.db")
    assert (code, out) == (2, "")
    assert err.startswith("error: there is something already: copy.db\n\nhint: ")


def test_an_export_loads_into_an_equal_log(run: Run, club: Path) -> None:
    plain = run("export", "club.db")
    assert plain.err.startswith("stdout: head 5:")
    assert run("export", "club.db", "club.jsonl").out == ""
    assert run("export", "club.db", "club.jsonl.gz").out == ""
    assert Path("club.jsonl").read_text() == plain.out == gzip.decompress(Path("club.jsonl.gz").read_bytes()).decode()
    loads = [
        run("load", "a.db", "club.jsonl"),
        run("load", "b.db", "club.jsonl.gz"),
        run("load", "c.db", "-", stdin=plain.out),
    ]
    assert [ran.code for ran in loads] == [0, 0, 0]
    for name in ("a.db", "b.db", "c.db"):
        assert run("verify", name).out == run("verify", "club.db").out
        assert run("list", name) == run("list", "club.db")
        assert not Path(f"{name}.part").exists()


def test_an_export_replaces_nothing_and_leaves_no_part(run: Run, club: Path) -> None:
    Path("club.jsonl").write_text("precious")
    assert run("export", "club.db", "club.jsonl").code == 2
    assert Path("club.jsonl").read_text() == "precious"
    code, _, err = run("export", "club.db", "nowhere/club.jsonl")
    assert (code, err) == (1, "error: no such file or directory: nowhere/club.jsonl.part\n")


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", 1, "the export: it is empty"),
        ("hello\n", 1, "line 1 of the export: this is no line of an export"),
        ("changed", 1, "the chain breaks at position "),
        ("cut", 1, "line "),
    ],
)
def test_a_bad_export_makes_no_log(run: Run, club: Path, tmp_path: Path, text: str, code: int, told: str) -> None:
    lines = run("export", "club.db").out
    bad = {"changed": lines.replace("1600.0", "1700.0"), "cut": "".join(lines.splitlines(keepends=True)[:-3])}
    Path("bad.jsonl").write_text(bad.get(text, text))
    ran = run("load", "new.db", "bad.jsonl")
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(f"error: {told}")
    assert not list(tmp_path.glob("new.db*"))


def test_load_replaces_nothing(run: Run, club: Path) -> None:
    run("export", "club.db", "club.jsonl")
    assert run("load", "club.db", "club.jsonl").code == 2
    assert run("load", "new.db", "none.jsonl") == (2, "", "error: cannot read none.jsonl: there is no such file\n")
