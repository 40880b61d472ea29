"""`ratingcore prove`: documents checked against the log."""

import json
from pathlib import Path

import pytest

from ratingcore import open as open_log
from tests.lists.keys import write_keys

from .conftest import Run

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
    assert first.startswith("ann: the document says rating 16")
    assert second == "error: the document does not hold: rows, digest"


def test_what_is_no_document_is_a_mistake(run: Run, club: Path) -> None:
    Path("list.json").write_text("rank,player\n1,ann\n")
    code, out, err = run("prove", "list.json", "club.db")
    assert (code, out) == (2, "")
    assert err.startswith("error: this is no document of a rating list: ")
    assert "hint: ratingcore show LOG NAME --format json writes one" in err
    code, _, err = run("prove", "none.json", "club.db")
    assert (code, err.splitlines()[0]) == (2, "error: cannot read none.json: there is no such file")
    assert run("prove", "club.db", "list.json").code == 2


def test_columns_that_are_not_checked_are_said(run: Run, club: Path) -> None:

    with open_log(club) as engine:
        made = engine.rating_list("rapid", "elo")
        Path("list.json").write_text(made.with_grades("elo_class").document("json"), encoding="utf-8")
    code, _, err = run("prove", "list.json", "club.db")
    assert (code, err) == (0, "not checked: grade\nthe document holds\n")


def test_a_signed_document_is_checked_by_its_key_and_no_other(run: Run, club: Path) -> None:
    write_keys(club.parent)
    write_keys(club.parent, "other", "others")
    assert run("publish", "club.db", *MARCH, "--sign", "key.pem", "--to", "list.json").code == 0
    code, out, err = run("prove", "list.json", "club.db", "--key", "public.pem", "--format", "json")
    assert (code, err) == (0, "the document holds\n")
    last = json.loads(out)[-1]
    assert (last["check"], last["holds"]) == ("signature", "yes")
    assert last["told"].startswith("signed by key ")
    code, _, err = run("prove", "list.json", "club.db")
    assert (code, err.splitlines()[0]) == (0, f"not checked: the signature by key {last['told'][14:]}")
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
    from ratingcore.cli import prove

    monkeypatch.setattr(prove, "LONGEST", 500)
    run("publish", "club.db", *MARCH)
    text = run("show", "club.db", "2024-03", "--format", "json").out
    assert len(text) > 500
    Path("list.json").write_text(text, encoding="utf-8")
    for file in ("-", "list.json"):
        code, out, err = run("prove", file, "club.db", stdin=text)
        assert (code, out) == (2, "")
        assert "more than 500 bytes" in err
