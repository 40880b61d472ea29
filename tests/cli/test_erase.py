"""`ratingcore erase`: asked twice, done once, and plain about what it cannot reach."""

from pathlib import Path

import click
import pytest

from ratingcore import open as open_log
from ratingcore.cli import erase

from .conftest import Run


def test_a_name_is_erased_where_it_is_meant(run: Run, club: Path) -> None:
    before = run("verify", "club.db").out
    code, out, err = run("erase", "club.db", "ann", "--by", "secretary", "--yes")
    assert (code, out) == (0, "erased: (erased 2)\n")
    assert err.splitlines() == [
        "no uid confirms a guess at the name",
        "old backups, old exports, and tables in other files still hold the name: they are yours to look after",
        "a player of this name who is recorded from now on is somebody new",
    ]
    assert run("verify", "club.db").out == before
    listed = run("list", "club.db").out
    assert "ann" not in listed
    assert "(erased 2)" in listed
    assert "(erased 2) beat bo" in run("log", "club.db").out
    assert b"ann" not in club.read_bytes()
    assert "ann" not in run("export", "club.db").out


def test_nobody_is_erased_by_a_program_that_did_not_say_so(run: Run, club: Path) -> None:
    run("merge", "club.db", "bo", "bo (guest)")
    code, out, err = run("erase", "club.db", "bo", stdin="")
    assert (code, out) == (2, "")
    assert err == (
        "error: nobody is there to be asked whether to erase bo and bo (guest)\n\n"
        "hint: it cannot be undone; if it is meant: --yes\n"
    )
    assert "bo (guest)" in run("log", "club.db").out


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch, answer: bool) -> None:
    asked = []
    monkeypatch.setattr(erase, "_sits_there", lambda: True)
    monkeypatch.setattr(click, "confirm", lambda text, err: asked.append(text) or answer)
    ran = run("erase", "club.db", "ann")
    assert asked == ["erase ann? it cannot be undone"]
    assert (ran.code, "(erased 2)" in run("list", "club.db").out) == ((0, True) if answer else (2, False))
    assert ran.err.startswith("error: nothing was erased") is not answer


def test_an_unknown_name_is_a_mistake(run: Run, club: Path) -> None:
    code, _, err = run("erase", "club.db", "anna", "--yes")
    assert (code, err) == (2, "error: the log knows no player named: anna\n\nhint: did you mean ann?\n")
    run("erase", "club.db", "ann", "--yes")
    assert run("erase", "club.db", "ann", "--yes").code == 2
    assert run("erase", "none.db", "ann", "--yes").code == 2
    assert not Path("none.db").exists()


def test_what_is_left_and_what_went_along_is_told(run: Run, club: Path) -> None:
    run("void", "club.db", "g-3", "--why", "ann was ill", "--by", "Annie")
    run("record", "club.db", "--played", "2024-05-01", "--uid", "ann-7", "cy", "ann (guest)", "1-0")
    out = run("erase", "club.db", "ann", "--also", "annie", "--yes").out
    assert out.splitlines() == [
        "erased: (erased 2), with 2 notes",
        "1 event speaks of the player in a uid or a field, which cannot be erased: position 7",
        "export --new-uids keeps what a person or a file gave; without it is only a new log, recorded from files that "
        "give other uids and fields",
        "players whose names hold the name, and stay: ann (guest)",
    ]


def test_an_erasure_that_was_held_up_is_finished(run: Run, club: Path) -> None:
    with open_log(club) as engine, engine.log.writing():
        engine.log.erase([2])
    ran = run("erase", "club.db", "ann")
    assert (ran.code, ran.out) == (0, "erased: (erased 2)\n")
    assert ran.err.startswith("finishing an erasure that was begun before\n")
    assert "guess" not in ran.err  # the name that uids would be compared with is gone
    assert run("erase", "club.db", "ann").code == 2
