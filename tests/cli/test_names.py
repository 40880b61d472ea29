"""Names of players on the command line: name, names and erase."""

from pathlib import Path
from typing import Any

import click
import pytest

from ratingcore import PlayerDescribed, SqliteLog
from ratingcore import open as open_log
from ratingcore.cli import names

from .conftest import Run, last_text, ratings


def test_a_player_is_named_and_the_void_takes_it_back(run: Run, club: Path) -> None:
    code, out, err = run("name", "club.db", "ann", "Ann Lee")
    assert code == 0
    assert err == f"recorded at position 6; to take it back: ratingcore void club.db {out.strip()}\n"
    assert last_text(run) == "ann is described: called Ann Lee"
    heading, first, *_ = run("list", "club.db", "--format", "csv").out.splitlines()
    assert heading == "rank,player,called,rating,games"
    assert first.startswith("1,ann,Ann Lee,")
    assert run("player", "club.db", "bo").out.splitlines()[:2][0].startswith("played,uid,opponent,called,")
    assert "ann is called Ann Lee" in run("player", "club.db", "ann").err
    assert "ann (Ann Lee) in pool rapid" in run("explain", "club.db", "ann").err
    assert run("name", "club.db", "ann", "Ann Lee").err == "ann is called Ann Lee already\n"
    run("void", "club.db", out.strip())
    assert "called" not in run("list", "club.db", "--format", "csv").out


def test_a_dry_run_records_nothing(run: Run, club: Path) -> None:
    assert run("name", "club.db", "ann", "Ann Lee", "--dry-run").err.endswith("nothing was recorded\n")
    assert run("name", "club.db", "an", "Ann Lee", "--dry-run").code == 2
    assert run("verify", "club.db").err.startswith("5 events")


def test_a_file_of_names(run: Run, club: Path) -> None:
    Path("names.csv").write_text("player,called\nann,Ann Lee\nbo,Bo Lund\nnobody,No Body\n", encoding="utf-8")
    dry = run("name", "club.db", "--file", "names.csv", "--dry-run")
    assert dry.out.startswith("names.csv: 3 rows read, 2 would be accepted, 0 unrated, 1 refused")
    assert run("name", "club.db", "--file", "names.csv").code == 1
    assert "2 duplicates" in run("name", "club.db", "--file", "names.csv").out
    assert run("verify", "club.db").err.startswith("7 events")


def test_what_is_missing_is_said(run: Run, club: Path) -> None:
    for words in ((), ("ann",), ("ann", "Ann", "--file", "names.csv")):
        assert run("name", "club.db", *words).code == 2


def test_names_are_listed_with_what_players_are_called(run: Run, club: Path) -> None:
    run("name", "club.db", "bo", "Bo Lund")
    rows = ["player,called,results", "ann,,3", "bo,Bo Lund,2", "cy,,2", "bo (guest),,1"]
    assert run("names", "club.db").out.splitlines() == rows


def test_similar_names_become_a_table_of_merges(run: Run, club: Path) -> None:
    guest = "bo,bo (guest),2,1,spelling"
    assert run("names", "club.db", "--similar", "--format", "csv").out.splitlines()[1:] == [guest]
    rows = ["2024-05-01,Ann,di,1-0", "2024-05-02,BO,di,1-0", "2024-05-03,  ánn,di,1-0"]
    Path("may.csv").write_text("\n".join(["played,a,b,score", *rows]), encoding="utf-8")
    run("import", "club.db", "may.csv")
    out = run("names", "club.db", "--similar", "--format", "csv").out.replace(f"{guest}\n", "")  # two people
    assert out.splitlines() == [
        "keep,other,results,other_results,how", "ann,Ann,3,1,spelling", "ann,ánn,3,1,spelling", "bo,BO,2,1,spelling",
    ]  # fmt: skip
    Path("merges.csv").write_text(out, encoding="utf-8")
    assert run("merge", "club.db", "--file", "merges.csv").code == 0
    assert run("names", "club.db", "--similar").out.splitlines() == [
        "keep,other,results,other_results,how", guest.replace("2", "3"),
    ]  # fmt: skip
    assert len(ratings(run).splitlines()) == 6


def test_names_in_another_order_or_with_initials_are_similar_and_a_part_of_a_name_has_candidates(
    run: Run, club: Path
) -> None:
    names = ("Kovács Ágnes", "Agnes KOVACS", "Kovács A.", "Kovács Anna", "Nagy Béla")
    Path("may.csv").write_text("\n".join(["played,a,b,score", *(f"2024-05-01,{name},di,1-0" for name in names)]))
    run("import", "club.db", "may.csv")
    assert run("names", "club.db", "--similar", "--format", "csv").out.splitlines()[1:] == [
        "Agnes KOVACS,Kovács Ágnes,1,1,spelling",
        "bo,bo (guest),2,1,spelling",
        "Agnes KOVACS,Kovács A.,1,1,initials",
        "Kovács A.,Kovács Anna,1,1,initials",
    ]
    assert run("player", "club.db", "kovacs an").err.endswith("hint: did you mean Kovács Anna?\n")
    assert run("player", "club.db", "Béla").err.endswith("hint: did you mean Nagy Béla?\n")


def test_names_with_a_slip_are_similar(run: Run, club: Path) -> None:
    names = ("Kovács Ágnes", "Kovacs Agens", "Kovács Anna", "Kovacs Ana", "Iran", "Iraq")
    Path("may.csv").write_text("\n".join(["played,a,b,score", *(f"2024-05-01,{name},di,1-0" for name in names)]))
    run("import", "club.db", "may.csv")
    assert run("names", "club.db", "--similar", "--format", "csv").out.splitlines()[1:] == [
        "bo,bo (guest),2,1,spelling", "Kovacs Agens,Kovács Ágnes,1,1,typo", "Kovacs Ana,Kovács Anna,1,1,typo",
    ]  # fmt: skip


def test_a_name_is_erased_where_it_is_meant(run: Run, club: Path) -> None:
    before = run("verify", "club.db").out
    code, out, err = run("erase", "club.db", "ann", "--by", "secretary", "--yes")
    assert (code, out) == (0, "erased: (erased 2)\n")
    assert err.splitlines() == [
        "would be erased, and be shown as (erased 2):",
        "  player: ann",
        "no uid contains the name, so a uid cannot confirm a guess at the erased name",
        "old backups, old exports, and tables in other files still hold the name; ratingcore cannot change them",
        "a player who is recorded under this name from now on is a new player",
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
        "would be erased, and be shown as (erased 4), (erased 6):\n  player: bo\n  player: bo (guest)\n"
        "error: erasing bo and bo (guest) must be confirmed, and there is no terminal\n\n"
        "hint: it cannot be undone; to confirm, add --yes\n"
    )
    assert "bo (guest)" in run("log", "club.db").out


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch, answer: bool) -> None:
    asked = []
    monkeypatch.setattr(names, "_at_a_terminal", lambda: True)
    monkeypatch.setattr(click, "confirm", lambda text, err: asked.append(text) or answer)
    ran = run("erase", "club.db", "ann")
    assert asked == ["erase ann? it cannot be undone"]
    assert (ran.code, "(erased 2)" in run("list", "club.db").out) == ((0, True) if answer else (2, False))
    assert ("error: nothing was erased" in ran.err) is not answer


def test_what_stays_is_said_once(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was listed before the question, and again in the report."""
    Path("members.csv").write_text("player,born\nann,1990\nbo,1991\n")
    run("players", "club.db", "members.csv")
    ran = run("erase", "club.db", "ann", "--yes")
    assert "born at position" in ran.out
    assert "born at position" not in ran.err
    monkeypatch.setattr(names, "_at_a_terminal", lambda: True)
    monkeypatch.setattr(click, "confirm", lambda text, err: True)
    ran = run("erase", "club.db", "bo")
    assert "born at position" in ran.err
    assert "born at position" not in ran.out


@pytest.mark.parametrize(
    ("where", "so_far", "there"),
    [
        ("question", "nothing was erased", True),
        ("erase", "nothing was erased", True),
        (
            "clear",
            "the name is out of the log, but its bytes are still in the file: the same command clears them",
            False,
        ),
    ],
)
@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()])
def test_what_ends_an_erasure_half_way_says_how_far_it_came(
    run: Run, club: Path, monkeypatch: pytest.MonkeyPatch, where: str, so_far: str, there: bool, error: BaseException
) -> None:
    """An interruption said that what was done before stays, also where nothing was."""

    def ended(*args: Any, **options: Any) -> Any:
        raise click.Abort if where == "question" else error

    with monkeypatch.context() as broken:
        broken.setattr(names, "_at_a_terminal", lambda: True)
        broken.setattr(click, "confirm", ended if where == "question" else lambda text, err: True)
        if where != "question":
            broken.setattr(SqliteLog, where, ended)
        ran = run("erase", "club.db", "ann")
    assert ran.code != 0
    assert so_far in ran.err
    assert "run the same command again to continue" not in ran.err
    assert ("ann" in run("list", "club.db").out) is there
    assert run("erase", "club.db", "ann", "--yes").code == 0
    assert b"ann" not in club.read_bytes()


def test_a_dry_run_lists_what_would_be_erased_and_what_would_stay(run: Run, club: Path) -> None:
    run("name", "club.db", "ann", "Ann Lee")
    with open_log(club) as engine:
        fact = PlayerDescribed(pool="rapid", player="ann", played="2024-01-01", data={"born": 1988, "club": "Ockham"})
        engine.record(fact, source="ann.csv")
    run("void", "club.db", "g-3", "--why", "Anna said so", "--by", "board 2")
    before = club.read_bytes()
    ran = run("erase", "club.db", "ann", "--also", "anna", "--dry-run")
    assert ran.out.splitlines() == [
        "would be erased, and be shown as (erased 2):",
        "  player: ann",
        "  shown name: Ann Lee",
        "  fact: club: Ockham",
        "  source: ann.csv",
        "  reason or actor: Anna said so",
        "facts of the player stay, since ratings are computed from them; "
        "they can be erased too, and then ratings may move:",
        "  born at position 7",
    ]
    said = "--rated-facts erases the facts that stay, too\nnothing was erased\n"
    assert (ran.code, ran.err, club.read_bytes()) == (0, said, before)
    assert "ann" in run("list", "club.db").out
    assert "Ockham" in run("list", "club.db", "--show", "club").out
    assert "  fact: born: 1988\n" in run("erase", "club.db", "ann", "--rated-facts", "--dry-run").out


def test_facts_go_with_the_name_and_those_that_are_rated_by_when_asked_for(run: Run, club: Path) -> None:
    with open_log(club) as engine:
        facts = {"born": 1988, "club": "Ockham"}
        engine.record(PlayerDescribed(pool="rapid", player="ann", played="2024-01-01", data=facts))
    assert run("erase", "club.db", "ann", "--yes").out.startswith("erased: (erased 2), with 1 fact\n")
    assert "Ockham" not in run("list", "club.db", "--show", "club", "--known-at", "6").out
    assert run("erase", "club.db", "(erased 2)", "--yes").code == 2
    again = run("erase", "club.db", "(erased 2)", "--rated-facts", "--yes")
    assert (again.code, again.out) == (0, "erased: (erased 2), with 1 fact\n")
    assert run("erase", "club.db", "(erased 2)", "--rated-facts", "--yes").code == 2


def test_an_unknown_name_is_a_mistake(run: Run, club: Path) -> None:
    code, _, err = run("erase", "club.db", "anna", "--yes")
    assert (code, err) == (2, "error: the log has no player named: anna\n\nhint: did you mean ann?\n")
    run("erase", "club.db", "ann", "--yes")
    assert run("erase", "club.db", "ann", "--yes").code == 2
    assert run("erase", "none.db", "ann", "--yes").code == 2
    assert not Path("none.db").exists()


def test_an_erasure_that_was_held_up_is_finished(run: Run, club: Path) -> None:
    with open_log(club) as engine, engine.log.writing():
        engine.log.erase([2])
    ran = run("erase", "club.db", "ann")
    assert (ran.code, ran.out) == (0, "erased: (erased 2)\n")
    assert ran.err.startswith("finishing an erasure that was begun before\n")
    assert "guess" not in ran.err  # the name that uids would be compared with is gone
    assert run("erase", "club.db", "ann").code == 2


def test_names_come_with_their_results_of_all_pools(run: Run, club: Path) -> None:
    run("record", "club.db", "--pool", "blitz", "--played", "2024-03-02", "ann", "zoe", "1-0")
    rows = run("names", "club.db", "-f", "csv").out.splitlines()
    assert rows[0] == "player,called,results"
    assert {"ann,,4", "bo,,2", "zoe,,1"} <= set(rows)
    run("merge", "club.db", "bo", "bo (guest)")
    assert {"bo,,3"} <= set(run("names", "club.db", "-f", "csv").out.splitlines())
