"""The log and its lists checked on the command line: anchor, verify and prove."""

import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from ratingcore import GamePlayed
from ratingcore import open as open_log
from tests.lists.keys import write_keys

from .conftest import Run


def test_an_anchor_is_one_line_that_begins_with_the_head(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        head = engine.log.head
    code, out, err = run("anchor", "club.db")
    assert (code, err) == (0, "")
    assert re.fullmatch(rf"{head}  # club\.db, recorded 2\S+Z\n", out)
    assert run("verify", "club.db", "--anchor", out.split()[0]).code == 0


def test_an_anchor_as_json_says_the_same(run: Run, club: Path) -> None:
    line, facts = run("anchor", "club.db").out, json.loads(run("anchor", "club.db", "--format", "json").out)
    assert line == f"{facts['head']}  # {facts['log']}, recorded {facts['recorded']}\n"


def test_a_log_that_is_not_there_has_no_anchor_and_is_not_made(run: Run) -> None:
    code, out, err = run("anchor", "none.db")
    assert (code, out, err.splitlines()[0]) == (2, "", "error: no such log: none.db")
    assert not Path("none.db").exists()


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
    assert err.startswith("error: the chain breaks at position 3: the anchor has ")
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
        "error: 2 of 4 anchors are not part of this log:",
        f"  position 3: the anchor in line 2 of anchors.txt has {digests[2][:16]}, the log has {digests[3][:16]}",
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
        assert (code, err.count(" of kept has ")) == (1, 1), form
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
    err = run("verify", "club.db", "--anchor", "anchors.txt").err
    assert "it is not text in UTF-8" in err
    assert "hint: save it as UTF-8" in err
    assert "there is no such file: none.txt" in run("verify", "club.db", "--anchor", "none.txt").err
    assert run("verify", "club.db", "--anchor", ".").code == 2


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
        "the cursor of 'site' is where the log has no event: 6",
        "name 3: the key of the log differs from the one that the digests cover",
    ]


def test_a_log_whose_key_is_not_bound_yet_says_so(run: Run, tmp_path: Path) -> None:
    old = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11" / "club.db"
    shutil.copy(old, tmp_path / "old.db")
    assert run("verify", "old.db").err.endswith(
        "no digest covers the key of the log yet: the next append adds it, and you need not do anything\n"
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
    assert run("verify", "club.db", "--caches").err.endswith("the files beside the log agree with its rows\n")
    (column,) = Path("club.db.columns").rglob("rest")
    octets = bytearray(column.read_bytes())
    octets[80] ^= 1
    column.write_bytes(octets)
    code, out, err = run("verify", "club.db", "--caches")
    assert (code, len(out.splitlines())) == (1, 1)
    assert [line[:20] for line in err.splitlines()] == ["1105 events in 6 bat", "dropped the columns "]
    assert column.name in err
    assert run("verify", "club.db", "--caches").code == 0


MARCH = ("2024-03", "--through", "2024-03-31")


def test_a_document_proves_whatever_the_log_learns_later(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    text = run("show", "club.db", "2024-03", "--format", "json").out
    Path("list.json").write_text(text, encoding="utf-8")
    run("void", "club.db", "g-1")
    code, out, err = run("prove", "list.json", "club.db", "--format", "json")
    assert (code, err) == (0, "the document holds\n")
    assert [row["check"] for row in json.loads(out)] == ["head", "method", "name", "facts", "rows", "seal", "digest"]
    assert {row["holds"] for row in json.loads(out)} == {"yes"}
    assert run("prove", "-", "club.db", stdin=text).code == 0


def test_an_edited_document_fails_and_the_rows_are_told(run: Run, club: Path) -> None:
    run("publish", "club.db", *MARCH)
    facts = json.loads(run("show", "club.db", "2024-03", "--format", "json").out)
    facts["rows"][0][2] += 1.0
    Path("list.json").write_text(json.dumps(facts))
    code, out, err = run("prove", "list.json", "club.db", "--format", "json")
    assert code == 1
    assert [row["check"] for row in json.loads(out) if row["holds"] == "no"] == ["rows", "digest"]
    first, second = err.splitlines()
    assert first.startswith("ann: in the document rating 16")
    assert second == "error: the document does not hold: rows, digest"


def test_what_is_no_document_is_a_mistake(run: Run, club: Path) -> None:
    Path("list.json").write_text("rank,player\n1,ann\n")
    code, out, err = run("prove", "list.json", "club.db")
    assert (code, out) == (2, "")
    assert err.startswith("error: this is not the document of a rating list: ")
    assert "hint: ratingcore show LOG NAME --format json writes one" in err
    code, _, err = run("prove", "none.json", "club.db")
    assert (code, err.splitlines()[0]) == (2, "error: cannot read none.json: there is no such file")
    assert run("prove", "club.db", "list.json").code == 2


def test_a_signed_document_is_checked_by_its_key_and_no_other(run: Run, club: Path) -> None:
    write_keys(club.parent)
    write_keys(club.parent, "other", "others")
    assert run("publish", "club.db", *MARCH, "--sign", "key.pem", "--to", "list.json").code == 0
    code, out, err = run("prove", "list.json", "club.db", "--key", "public.pem", "--format", "json")
    assert (code, err) == (0, "the document holds\n")
    last = json.loads(out)[-1]
    assert (last["check"], last["holds"]) == ("signature", "yes")
    assert last["detail"].startswith("signed by key ")
    code, _, err = run("prove", "list.json", "club.db")
    assert (code, err.splitlines()[0]) == (0, f"not checked: the signature by key {last['detail'][14:]}")
    code, _, err = run("prove", "list.json", "club.db", "--key", "others.pem")
    assert (code, err) == (1, "error: the document does not hold: signature\n")
    facts = json.loads(Path("list.json").read_text(encoding="utf-8"))
    facts["signature"] = facts["signature"][:-4]
    Path("cut.json").write_text(json.dumps(facts), encoding="utf-8")
    assert run("prove", "cut.json", "club.db").code == 1
    code, _, err = run("prove", "list.json", "club.db", "--key", "key.pem")
    assert (code, err.splitlines()[0]) == (2, "error: cannot use the key key.pem: it holds a private key")
    assert "hint: openssl pkey -in key.pem -pubout" in err


def test_no_more_is_read_than_a_document_may_have(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ratingcore.cli import proofs

    monkeypatch.setattr(proofs, "LONGEST", 500)
    run("publish", "club.db", *MARCH)
    text = run("show", "club.db", "2024-03", "--format", "json").out
    assert len(text) > 500
    Path("list.json").write_text(text, encoding="utf-8")
    for file in ("-", "list.json"):
        code, out, err = run("prove", file, "club.db", stdin=text)
        assert (code, out) == (2, "")
        assert "more than 500 bytes" in err
