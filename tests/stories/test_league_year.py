"""A small league's year: games come in monthly, late results and mistakes are put right, old lists stay provable.

Told twice: by a secretary on the command line, and by league software that embeds the engine.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import ratingcore as rc
from ratingcore.cli.main import cli
from ratingcore.errors import LogUnavailable
from ratingcore.events import instant
from ratingcore.log import load_lines
from ratingcore.log.lookup import uid_at
from ratingcore.registry.stores import address_of
from tests.cli.conftest import APART
from tests.log import conftest
from tests.log.conftest import Make

MONTHS = {
    "2024-01": [("a-1", "2024-01-13", "ann", "bo", "1-0"), ("a-2", "2024-01-13", "cy", "Zoë", "1/2")],
    "2024-02": [("b-1", "2024-02-10", "bo", "cy", "1-0"), ("b-2", "2024-02-10", "Zoë", "ann", "0-1")],
    "2024-03": [("c-1", "2024-03-09", "ann", "cy", "1-0"), ("c-2", "2024-03-09", "bob", "Zoë", "1-0")],
}
"""In March, bo was entered as bob."""

METHOD = "elo:k=24"
SCORE = {"1-0": 1.0, "1/2": 0.5, "0-1": 0.0}


# On the command line


class Secretary:
    """Types commands, and expects them to work."""

    log = "league.db"

    def __call__(self, name: str, *words: object) -> str:
        result = CliRunner(**APART).invoke(cli, [name, self.log, *map(str, words)], prog_name="ratingcore")
        assert result.exit_code == 0, (name, words, result.stderr)
        return result.stdout.rstrip("\n")

    def list(self, *words: object) -> dict[str, float]:
        """Ratings by player."""
        rows = json.loads(self("list", "--method", METHOD, "--format", "json", *words))
        return {row["player"]: row["rating"] for row in rows}

    def head(self) -> str:
        return self("verify")

    def backs_up(self, copy: str) -> bool:
        """Copies a file; a log in a database is not copied, and who tries is told what copies it."""
        if address_of(self.log).is_file:
            self("backup", copy)
            return True
        result = CliRunner(**APART).invoke(cli, ["backup", self.log, copy], prog_name="ratingcore")
        assert result.exit_code != 0
        assert "pg_dump -n" in result.stderr
        assert not Path(copy).exists()
        return False


address = conftest.address
places = conftest.places


@pytest.fixture
def secretary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: Callable[[str], str]) -> Secretary:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    made = Secretary()
    made.log = address("league")
    return made


def test_a_year_on_the_command_line(secretary: Secretary) -> None:
    # January begins with last year's ratings, and every month has its list
    Path("ratings.csv").write_text("name;elo\nann;1620\nbo;1540\n")
    secretary("seed", "ratings.csv", "--pool", "rapid", "--map", "player=name,rating=elo", "--at", "2024-01-01")
    heads: dict[str, str] = {}
    lists: dict[str, dict[str, float]] = {}
    for month, games in MONTHS.items():
        for uid, played, a, b, score in games:
            assert secretary("record", "--pool", "rapid", "--played", played, "--uid", uid, a, b, score) == uid
        heads[month] = secretary.head()
        lists[month] = secretary.list("--through", f"{month}-28")
    assert lists["2024-01"].keys() == {"ann", "bo", "cy", "Zoë"}
    assert lists["2024-01"]["ann"] > 1620
    everyone = secretary.list()

    # April: a result of January arrives late, and changes January's list; the list as it was known stays
    secretary("record", "--pool", "rapid", "--played", "2024-01-20", "--uid", "late", "cy", "bo", "1-0")
    january = secretary.list("--through", "2024-01-28")
    assert january["cy"] > lists["2024-01"]["cy"]
    assert secretary.list("--through", "2024-01-28", "--known-at", heads["2024-01"]) == lists["2024-01"]
    assert secretary.list("--known-at", heads["2024-03"]) == everyone

    # May: the February game of Zoë and ann was never played; a draw was entered as a win
    void = secretary("void", "b-2", "--why", "default, not played", "--by", "Zoë")
    secretary("amend", "b-1", "score=1/2", "--why", "scoresheet misread")
    assert "b-2" not in {row["uid"] for row in json.loads(secretary("player", "ann", "-f", "json"))}
    assert {row["uid"]: row["score"] for row in json.loads(secretary("player", "bo", "-f", "json"))}["b-1"] == 0.5

    # June: bob turns out to be bo
    apart = secretary.list()
    secretary("merge", "bo", "bob", "--why", "the same person")
    assert "bob" not in secretary.list()
    assert "c-2" in secretary("player", "bo")
    # ... and in July not to be
    secretary("unmerge", "bo", "bob", "--why", "his brother")
    assert secretary.list() == apart
    # ... and the default was none: the game was played after all
    secretary("void", void, "--why", "the game was played")
    assert "b-2" in secretary("player", "ann")

    # The end of the year: everything that was published can still be proved and made again
    log = json.loads(secretary("log", "--format", "json"))
    assert [row["position"] for row in log] == list(range(1, len(log) + 1))
    assert [row["kind"] for row in log[-5:]] == ["void", "amend", "merge", "unmerge", "void"]
    secretary("verify", *(word for head in heads.values() for word in ("--anchor", head)))
    for month, head in heads.items():
        assert secretary.list("--through", f"{month}-28", "--known-at", head) == lists[month]

    # Copies are the same log
    backed_up = secretary.backs_up("copy.db")
    secretary("export", "league.jsonl.gz")
    final, head = secretary.list(), secretary.head()
    secretary.log = "again.db"
    assert secretary("load", "league.jsonl.gz") == head
    assert secretary.list() == final
    assert secretary.list("--through", "2024-01-28", "--known-at", heads["2024-01"]) == lists["2024-01"]
    if backed_up:
        secretary.log = "copy.db"
        assert (secretary.list(), secretary.head()) == (final, head)


# Embedded


class Calendar:
    """A clock for the log: the 28th of a month that the story turns to."""

    month = 1

    def __call__(self) -> int:
        return instant(f"2024-{self.month:02}-28T12:00:00Z")


sqlite_log, in_store = conftest.sqlite_log, conftest.in_store


@pytest.mark.parametrize("store", conftest.ON_DISK)
def test_a_year_embedded(store: str, tmp_path: Path, in_store: Callable[[str], Make]) -> None:
    calendar = Calendar()
    with rc.Engine(in_store(store)(clock=calendar)) as engine:
        seeds = {"ann": 1620.0, "bo": 1540.0}
        engine.record(
            *(
                rc.RatingSeeded(pool="rapid", played="2024-01-01", player=p, values={"rating": r})
                for p, r in seeds.items()
            )
        )
        published: dict[str, rc.RatingList] = {}
        for number, (month, games) in enumerate(MONTHS.items(), 1):
            calendar.month = number
            for uid, played, a, b, score in games:
                engine.record(rc.GamePlayed(pool="rapid", played=played, a=a, b=b, score=SCORE[score], uid=uid))
            published[month] = engine.rating_list("rapid", METHOD, through=f"{month}-28")

        calendar.month = 4
        engine.record(rc.GamePlayed(pool="rapid", played="2024-01-20", a="cy", b="bo", score=1.0, uid="late"))
        calendar.month = 5
        engine.void("b-2", why="default, not played", by="Zoë")
        engine.amend("b-1", {"score": 0.5}, why="scoresheet misread")
        apart = engine.rating_list("rapid", METHOD)
        calendar.month = 6
        engine.merge("bo", "bob", why="the same person")
        merge = uid_at(engine.log, engine.log.head.position)
        assert "bob" not in engine.rating_list("rapid", METHOD)
        assert [line.opponent for line in engine.history("rapid", "bo", METHOD)] == ["seed", "ann", "cy", "cy", "Zoë"]
        calendar.month = 7
        engine.void(merge, why="his brother")
        assert engine.rating_list("rapid", METHOD).digest == apart.digest

        # by position, by head and by day, every list is what it was
        for month, then in published.items():
            for cut in (then.known_at, f"{month}-28", rc.Head(then.known_at, then.provenance.digest)):
                again = engine.rating_list("rapid", METHOD, through=f"{month}-28", known_at=cut)
                assert again.digest == then.digest
                assert again.provenance == then.provenance
        restated = engine.rating_list("rapid", METHOD, through="2024-01-28")
        moved = {row["player"]: row["change"] for row in published["2024-01"].diff(restated)}
        assert moved.keys() == {"bo", "cy"}
        assert moved["cy"] == pytest.approx(-moved["bo"])

        # an export makes the same log, and so the same lists
        with rc.open(":memory:") as other:
            load_lines(other.log, engine.export())
            assert other.log.head == engine.log.head
            assert other.rating_list("rapid", METHOD).digest == apart.digest
        anchors = [rc.Head(then.known_at, then.provenance.digest) for then in published.values()]
        assert engine.verify(anchors).head == engine.log.head
        if store != "sqlite":
            with pytest.raises(LogUnavailable, match="backups to a file are for logs in SQLite"):
                engine.log.backup(tmp_path / "copy.db")
            return
        engine.log.backup(tmp_path / "copy.db")
        with rc.open(tmp_path / "copy.db", read_only=True) as copy:
            assert copy.verify(anchors).head == engine.log.head
