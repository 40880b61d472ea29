"""`ratingcore players`: facts of players."""

import json
from pathlib import Path

from .conftest import Run


def test_facts_come_in_and_are_shown(run: Run, club: Path) -> None:
    Path("members.csv").write_text("id,name,born,elo\nann,Ann Lee,1990,1600\ncy,,1985,\n", encoding="utf-8")
    code, out, _ = run("players", "club.db", "members.csv", "--map", "player=id,called=name")
    assert code == 0
    assert out.splitlines() == [
        "members.csv: 2 rows read, 2 accepted, 0 unrated, 0 refused, 0 duplicates",
        "warning: not used: elo; a column is taken by --map, such as --map title=elo; ratings are read by seed",
    ]
    shown = run("players", "club.db", "--format", "csv").out.splitlines()
    assert shown[:2] == ["player,called,born", "ann,Ann Lee,1990"]
    assert "cy,,1985" in shown
    assert json.loads(run("players", "club.db", "--format", "json").out)[0]["born"] == 1990


def test_a_new_log_gets_its_players_first(run: Run) -> None:
    Path("members.csv").write_text("player,title\nann,GM\n", encoding="utf-8")
    assert run("players", "new.db", "members.csv").code == 2
    assert run("players", "new.db", "members.csv", "--pool", "rapid", "--dry-run").code == 0
    assert not Path("new.db").exists()
    assert run("players", "new.db", "members.csv", "--pool", "rapid").code == 0
    assert run("players", "new.db").out.splitlines() == ["player,called,title", "ann,,GM"]
    Path("german.csv").write_text("Name,Verein\nann,Norður\n", encoding="utf-8")
    assert "if these are the columns: --map player=Name,club=Verein\n" in run("players", "new.db", "german.csv").err
    Path("other.csv").write_text("who,what\nann,Norður\n", encoding="utf-8")
    assert "map fields to columns: --map player=...;" in run("players", "new.db", "other.csv").err


def test_every_command_that_reads_a_table_takes_its_encoding(run: Run) -> None:
    """The error said --encoding, which import alone had."""
    Path("games.csv").write_bytes("played,a,b,score\n2024-03-02,Jörg,Änne,1-0\n".encode("cp1252"))
    Path("members.csv").write_bytes("player,called,club,rating\nJörg,Jörg Groß,Köln,1600\n".encode("cp1252"))
    as_written = ("--encoding", "cp1252")
    assert run("import", "club.db", "games.csv", "--pool", "rapid", *as_written).code == 0
    for words in (
        ("players", "club.db", "members.csv"),
        ("seed", "club.db", "members.csv", "--at", "2024-01-01"),
        ("name", "club.db", "--file", "members.csv", "--dry-run"),
        ("split", "club.db", "Jörg", "Jörg (junior)", "--file", "games.csv", "--lines", "2", "--dry-run"),
        ("predict", "club.db", "--file", "games.csv"),
    ):
        assert "such as --encoding cp1252" in run(*words).err
        assert run(*words, *as_written).code == 0
