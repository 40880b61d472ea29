"""`ratingcore verify`: the head, anchors, and what is found in a broken chain."""

import shutil
import sqlite3
from pathlib import Path

from ratingcore import GamePlayed
from ratingcore import open as open_log

from .conftest import Run


def test_verify_prints_the_head_and_checks_anchors(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        head, old = engine.log.head, engine.log.digest_at(2)
    assert run("verify", "club.db") == (0, f"{head}\n", "5 events in 5 batches, the chain is whole\n")
    Path("one.csv").write_text("a,b,score,played\nann,bo,1,2024-03-02\n")
    assert run("import", "one.db", "one.csv", "--pool", "rapid").out.startswith("one.csv: 1 row read, 1 accepted, ")
    assert "1 event in 1 batch, " in run("verify", "one.db").err
    assert run("import", "one.db", "one.csv").out.endswith(" 0 refused, 1 duplicate\n")
    good = run("verify", "club.db", "--anchor", f"2:{old}", "--anchor", f"2:{old[:12]}")
    assert good.err == "5 events in 5 batches, the chain is whole, 2 anchors hold\n"
    code, out, err = run("verify", "club.db", "--anchor", f"3:{old}")
    assert (code, out) == (1, "")
    assert err.startswith("error: the chain breaks at position 3: the anchor says ")
    assert run("verify", "club.db", "--anchor", "3").code == 2


def test_a_file_of_anchors_is_checked_and_every_one_that_fails_is_named(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        digests = [engine.log.digest_at(position) for position in range(6)]
    good = run("anchor", "club.db").out
    anchors = Path("anchors.txt")
    anchors.write_text(f"# kept by the secretary\n\n2:{digests[2]}\n{good}", encoding="utf-8")
    assert run("verify", "club.db", "--anchor", "anchors.txt").err.endswith(", 2 anchors hold\n")
    assert run("verify", "club.db", "--anchor", "-", stdin=good).err.endswith(", 1 anchor holds\n")
    anchors.write_text(f"{good}3:{digests[2]}  # April\n\n9:{digests[5]}\n", encoding="utf-8")
    code, out, err = run("verify", "club.db", "--anchor", "anchors.txt", "--anchor", f"2:{digests[2][:12]}")
    assert (code, out) == (1, "")
    assert err.splitlines()[:3] == [
        "error: 2 of 4 anchors are no part of this log:",
        f"  position 3: the anchor in line 2 of anchors.txt says {digests[2][:16]}, the log {digests[3][:16]}",
        "  position 9: the log ends at position 5, before the anchor in line 4 of anchors.txt",
    ]
    assert "hint: this is another log, or an older copy, or its history was remade" in err


def test_every_document_and_table_that_says_a_head_is_an_anchor(run: Run, club: Path) -> None:
    run("publish", "club.db", "2024-03", "--through", "2024-03-31")
    for form in ("csv", "json", "markdown", "table"):
        Path("kept").write_text(run("show", "club.db", "2024-03", "--format", form).out, encoding="utf-8")
        assert run("verify", "club.db", "--anchor", "kept").err.endswith(", 1 anchor holds\n"), form
        damaged = Path("kept").read_text(encoding="utf-8").replace("5:", "4:")
        Path("kept").write_text(damaged, encoding="utf-8")
        code, _, err = run("verify", "club.db", "--anchor", "kept")
        assert (code, err.count(" of kept says ")) == (1, 1), form
    Path("kept").write_text(run("anchor", "club.db", "--format", "json").out, encoding="utf-8")
    assert run("verify", "club.db", "--anchor", "kept").code == 0
    assert run("list", "club.db", "--known-at", run("anchor", "club.db").out).code == 0


def test_what_is_no_anchor_is_refused_with_its_line(run: Run, club: Path) -> None:
    head = run("verify", "club.db").out.strip()
    for text, where in ((f"{head}\n5:abc\n", "line 2"), (f"\n{head[1:]}\n", "line 2"), ("ann,bo\n", "line 1")):
        Path("anchors.txt").write_text(text, encoding="utf-8")
        code, out, err = run("verify", "club.db", "--anchor", "anchors.txt")
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {where} of anchors.txt is not POSITION:DIGEST with 12 or more ")
    for text in ("", "# nothing yet\n", "\n"):
        Path("anchors.txt").write_text(text, encoding="utf-8")
        code, _, err = run("verify", "club.db", "--anchor", "anchors.txt")
        assert (code, err.splitlines()[0]) == (2, "error: cannot read anchors.txt: it holds no anchor")
    Path("anchors.txt").write_bytes(b"\xff\xfe")
    assert "it is no text in UTF-8" in run("verify", "club.db", "--anchor", "anchors.txt").err
    assert "there is no such file: none.txt" in run("verify", "club.db", "--anchor", "none.txt").err
    assert run("verify", "club.db", "--anchor", ".").code == 2


def test_a_broken_chain_is_found(run: Run, club: Path) -> None:
    with sqlite3.connect(club) as db:
        db.execute("DROP TRIGGER event_update")
        db.execute("UPDATE event SET score = 0.5 WHERE position = 4")
    db.close()
    code, out, err = run("verify", "club.db")
    assert (code, out) == (1, "")
    assert err.startswith("error: the chain breaks at position 4: ")


def test_whatever_is_wrong_has_a_line(run: Run, club: Path) -> None:
    with sqlite3.connect(club) as db:
        db.execute("DROP TRIGGER event_update")
        db.execute("INSERT INTO cursor VALUES ('site', 6)")
        db.execute("UPDATE log SET key = 'another'")
    db.close()
    code, out, err = run("verify", "club.db")
    assert (code, out) == (1, "")
    assert err.splitlines()[:4] == [
        "error: the log is not as ratingcore wrote it:",
        "the trigger event_update is missing",
        "the cursor of 'site' stands where the log has no event: 6",
        "name 3: the key of the log is another than the digests cover",
    ]


def test_a_log_whose_key_is_not_bound_yet_says_so(run: Run, tmp_path: Path) -> None:
    old = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11" / "club.db"
    shutil.copy(old, tmp_path / "old.db")
    assert run("verify", "old.db").err.endswith(
        "no digest covers the key of the log yet: the next append binds it, nothing has to be done\n"
    )
    run("record", "old.db", "--pool", "rapid", "--played", "2024-09-02", "ann", "bo", "1-0")
    ran = run("verify", "old.db")
    assert ran.code == 0
    assert "key" not in ran.err


def test_caches_are_recomputed_and_a_damaged_one_is_named_and_dropped(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        games = (
            GamePlayed(pool="rapid", played="2024-05-01", a=f"p{n % 9}", b=f"q{n % 8}", score=1.0) for n in range(1100)
        )
        engine.record(*games)
    run("list", "club.db", "--pool", "rapid")
    assert run("verify", "club.db", "--caches").err.endswith("the files beside the log are what its rows give\n")
    (column,) = Path("club.db.columns").glob("*/*/pack-*")
    octets = bytearray(column.read_bytes())
    octets[80] ^= 1
    column.write_bytes(octets)
    code, out, err = run("verify", "club.db", "--caches")
    assert (code, len(out.splitlines())) == (1, 1)
    assert [line[:20] for line in err.splitlines()] == ["1105 events in 6 bat", "dropped the columns "]
    assert column.name in err
    assert run("verify", "club.db", "--caches").code == 0
