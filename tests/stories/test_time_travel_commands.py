"""A year in which everything happens that happens to results, told by a rating officer on the command line.

After each step every list that was published is shown byte for byte as it was, and its document proves.
"""

import csv
import json
import shutil
from collections.abc import Iterable
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ratingcore.cli.main import cli
from ratingcore.events import GamePlayed, day
from ratingcore.log.sqlite.connection import sqlite3
from tests.cli.conftest import APART
from tests.plugins.usebio import write
from tests.stories.season import METHODS, MONTHS, games, last_day, late_tournament, name_of, under_another_name

pytest.importorskip("ratingcore_sql_tables")

pytestmark = pytest.mark.usefixtures("eager")

POLICY = ("--min-games", 2, "--active", "6 months", "--provisional", 9, "--digits", 0, "--ties", "games")
MAP = "uid=id,a=white,b=black,score=result,played=date"


class Officer:
    """Types commands, keeps what was published on paper, and expects everything to work."""

    log = "league.db"

    def __init__(self) -> None:
        self.printed: dict[tuple[str, str], str] = {}
        self.anchors: list[str] = []
        self.steps = 0

    def __call__(self, name: str, *words: object) -> str:
        result = CliRunner(**APART).invoke(cli, [name, self.log, *map(str, words)], prog_name="ratingcore")
        assert result.exit_code == 0, (name, words, result.stderr)
        self.said = result.stderr
        return result.stdout

    def rows(self, name: str, *words: object) -> list[dict[str, Any]]:
        """What a command says to programs."""
        read: list[dict[str, Any]] = json.loads(self(name, *words, "--format", "json"))
        return read

    def bring_in(self, pool: str, played: Iterable[GamePlayed]) -> None:
        """Import games from a sheet."""
        with Path("sheet.csv").open("w", newline="", encoding="utf-8") as sheet:
            lines = csv.writer(sheet)
            lines.writerow(["id", "date", "white", "black", "result"])
            lines.writerows([game.uid, day(game.played), game.a, game.b, game.score] for game in played)
        self("import", "sheet.csv", "--pool", pool, "--map", MAP)

    def publish(self, pool: str, name: str, method: str, through: str, *words: object) -> None:
        self("publish", name, "--pool", pool, "--method", method, "--through", through, *words)
        self.printed[pool, name] = self("show", name, "--pool", pool, "--format", "json")

    def month(self, month: int) -> None:
        for pool, method in METHODS.items():
            self.bring_in(pool, games(pool, month))
            self.publish(pool, name_of(month), method, last_day(month), *(POLICY if pool == "club" else ()))
        self.anchors.append(self("verify").strip())

    def stands(self) -> None:
        """What was published is what it was; every other time there is no cache."""
        self.steps += 1
        if self.steps % 2:
            shutil.rmtree(f"{self.log}.columns", ignore_errors=True)
        for (pool, name), text in self.printed.items():
            assert self("show", name, "--pool", pool, "--format", "json") == text
        for text in list(self.printed.values())[:: self.steps % 3 + 1]:
            self.proves(text)
        self("verify", *(word for anchor in self.anchors for word in ("--anchor", anchor)))

    def proves(self, text: str) -> None:
        Path("list.json").write_text(text, encoding="utf-8")
        result = CliRunner(**APART).invoke(cli, ["prove", "list.json", self.log], prog_name="ratingcore")
        assert result.exit_code == 0, result.output

    def because(self, pool: str, player: str, name: str) -> dict[str, str]:
        """The corrections that made a result of a list another, by uid."""
        words = (player, "--pool", pool, "--method", METHODS[pool], "--through", last_day(int(name[-2:])))
        rows = self.rows("explain", *words, "--against", f"list:{name}")
        assert adds_up(rows[0]["difference"], rows[1:-1], "difference", rows[-1]["difference"])
        return {row["uid"]: row["corrections"] for row in rows if row["uid"]}

    def ratings(self, pool: str) -> dict[str, float]:
        return {row["player"]: row["rating"] for row in self.rows("list", "--pool", pool, "--method", METHODS[pool])}


def adds_up(opening: float, rows: list[dict[str, Any]], column: str, closing: float) -> bool:
    return abs(fsum([opening, *(row[column] or 0.0 for row in rows), -closing])) < 1e-9


@pytest.fixture
def officer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Officer:
    monkeypatch.chdir(tmp_path)
    return Officer()


def test_a_year_of_corrections_on_the_command_line(officer: Officer) -> None:
    for month in MONTHS[:4]:
        officer.month(month)
    assert officer("publish", "2024-04", "--pool", "rapid", "--method", METHODS["rapid"], "--through", last_day(4))
    assert "the same list was published before" in officer.said

    # May: a result of March is disputed
    disputed = games("rapid", 3)[4]
    method = ("--method", METHODS["rapid"])
    head = officer("verify")
    foreseen = officer.rows("void", disputed.uid, "--dry-run", *method)
    assert officer.said.endswith("nothing was recorded\n")
    assert officer("verify") == head
    told = ("--why", "Evangelina says it was not played", "--by", "the committee", "--uid", "void-1")
    assert officer("void", disputed.uid, *told) == "void-1\n"
    again = officer("verify")
    assert officer("void", disputed.uid, *told) == "void-1\n"
    assert officer("verify") == again, "once"
    assert officer.rows("impact", "void-1", *method) == foreseen
    moved = {row["player"] for row in officer.rows("diff", "2024-03", "--pool", "rapid")}
    assert {disputed.a, disputed.b} <= moved
    assert officer.rows("diff", "2024-02", "--pool", "rapid") == []
    assert officer.rows("diff", "2024-03", "--pool", "club") == []
    assert officer.because("rapid", disputed.a, "2024-03")[disputed.uid] == "void-1"
    officer.month(5)
    officer.stands()

    # June: it was played after all
    officer("revive", disputed.uid, "--why", "the arbiter's notebook", "--uid", "revival-1")
    assert officer.rows("diff", "2024-03", "--pool", "rapid") == []
    (line,) = [row for row in officer.rows("explain", disputed.a, "--pool", "rapid") if row["uid"] == disputed.uid]
    assert (line["corrected"], line["by"]) == ("voided void-1; revived revival-", "the committee")
    officer.month(6)
    officer.stands()

    # July: a tournament of Easter, a game that was played on another day, and somebody under another name
    officer.bring_in("rapid", late_tournament())
    assert officer.because("rapid", "ann", "2024-03")["easter-2"] == "easter-2"
    wandering = games("club", 6)[2]
    officer("amend", wandering.uid, "played=2024-05-30", "score=1/2", "--why", "a slip", "--uid", "amend-1")
    assert officer.because("club", wandering.b, "2024-06")[wandering.uid] == "amend-1"
    for game in under_another_name():
        officer.bring_in(game.pool, [game])
    officer.month(7)
    officer.stands()

    # August: a bridge session is issued, issued again, and adjusted
    write(Path(), "3228", "3228-adjusted")
    officer("import", "3228.xml", "--reader", "usebio", "--pool", "bridge")
    head = officer("verify")
    officer("import", "3228.xml", "--reader", "usebio", "--pool", "bridge")
    assert officer("verify") == head, "nothing happens"
    officer.publish("bridge", "session", "bridge-bayes", "2022-07-28")
    assert officer.rows("diff", "session") == []
    officer("import", "3228-adjusted.xml", "--reader", "usebio", "--pool", "bridge")
    (adjusted,) = officer.rows("log", "--after", officer.rows("lists", "--pool", "bridge")[0]["position"])
    assert (adjusted["kind"], adjusted["text"].endswith("by: reader usebio")) == ("amend", True)
    changed = officer.rows("diff", "session")
    told = officer.rows(
        "explain", changed[0]["player"], "--pool", "bridge", "-m", "bridge-bayes", "--against", "session"
    )
    assert {row["corrections"] for row in told if row["uid"]} == {adjusted["uid"]}
    assert {row["player"] for row in changed} <= {
        row["player"] for row in officer.rows("impact", adjusted["uid"], "--method", "bridge-bayes")
    }
    officer.month(8)
    officer.stands()

    # September: August was gus, was not, and was after all; a father and a son
    apart = {pool: officer.ratings(pool) for pool in METHODS}
    merge = ("gus", "August", "--why", "the same person", "--by", "ann")
    foreseen = officer.rows("merge", *merge, "--dry-run", "--pool", "rapid", *method)
    assert {row["player"] for row in foreseen} >= {"gus", "August"}
    officer("merge", *merge, "--uid", "merge-1")
    assert officer.rows("impact", "merge-1", "--pool", "rapid", *method) == foreseen
    assert officer.because("rapid", "gus", "2024-07")["august-0"] == "merge-1"
    officer.stands()
    officer("unmerge", "gus", "August", "--why", "his cousin", "--uid", "unmerge-1")
    assert {pool: officer.ratings(pool) for pool in METHODS} == apart
    officer("merge", *merge, "--uid", "merge-2")
    assert officer.because("rapid", "gus", "2024-07")["august-0"] == "merge-1 unmerge-1 merge-2"
    officer.month(9)
    split = ("bo", "bo junior", "--since", "2024-07-01", "--why", "father and son", "--uid", "split-1")
    foreseen = officer.rows("split", *split, "--dry-run", "--pool", "club", "--method", METHODS["club"])
    assert officer.ratings("club")["bo"] != next(row["rating_with"] for row in foreseen if row["player"] == "bo")
    officer("split", *split)
    for row in foreseen:
        assert officer.ratings("club").get(row["player"]) == row["rating_with"]
    officer.month(10)
    officer.stands()

    # November: Evangelina leaves
    for to in ((), ("--to", "tables.db")):
        for pool, text in METHODS.items():
            officer("catch-up", "--pool", pool, "--method", text, *to)
    with_her = dict(officer.printed)
    assert "(erased " in officer("erase", "Evangelina", "--by", "the board", "--yes")
    for text in with_her.values():
        officer.proves(text)
    for pool, name in with_her:
        officer.printed[pool, name] = officer("show", name, "--pool", pool, "--format", "json")
        assert json.loads(officer.printed[pool, name])["seal"] == json.loads(with_her[pool, name])["seal"]
    officer("catch-up", "--to", "tables.db")
    officer.month(11)
    officer.stands()
    for path in Path().rglob("*.db*"):
        assert not path.is_file() or b"Evangelina" not in path.read_bytes(), path

    # December: every explanation adds up, tables say what lists say, and it is all the same elsewhere
    officer.month(12)
    for to, file in (((), "league.db"), (("--to", "tables.db"), "tables.db")):
        officer("catch-up", *to)
        db = sqlite3.connect(file)
        for pool in METHODS:
            read = db.execute("SELECT player, rating FROM ratings_current WHERE pool = ?", [pool]).fetchall()
            assert dict(read) == officer.ratings(pool)
        db.close()
    for pool, text in METHODS.items():
        for player in officer.ratings(pool):
            if not player.startswith("(erased"):
                opening, *lines, closing = officer.rows("explain", player, "--pool", pool, "--method", text)
                assert adds_up(opening["rating"], lines, "contribution", closing["rating"])
    officer("show", "2024-06", "--pool", "club", "--to", "june.csv")
    officer("show", "2024-06", "--pool", "club", "--to", "june.md")
    head = officer("verify")
    officer("export", "league.jsonl.gz")
    officer("backup", "copy.db")
    officer.log = "elsewhere.db"
    assert officer("load", "league.jsonl.gz") == head
    for log in ("elsewhere.db", "copy.db"):
        officer.log = log
        officer.stands()
        for form in ("csv", "markdown"):
            kept = Path("june.csv" if form == "csv" else "june.md").read_text(encoding="utf-8")
            assert officer("show", "2024-06", "--pool", "club", "--format", form) == kept
