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
