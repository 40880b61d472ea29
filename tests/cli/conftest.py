"""A small club, and a way to run commands on it."""

from collections.abc import Callable
from functools import cache
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from ratingcore import GamePlayed, RatingSeeded
from ratingcore import open as open_log
from ratingcore.cli.main import cli
from ratingcore.lists.published import publication


class Ran(NamedTuple):
    """What a command line said and how it ended."""

    code: int
    out: str
    err: str


APART: dict[str, bool] = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}
"""Click before 8.2 has to be told to keep stdout and stderr apart."""

Run = Callable[..., Ran]

GAMES = (
    ("g-1", "2024-03-02", "ann", "bo", 1.0, {"home": "a", "points_a": 3, "points_b": 1}),
    ("g-2", "2024-03-05", "bo", "cy", 0.5, {"event": "Open"}),
    ("g-3", "2024-03-09", "cy", "ann", 0.0, {}),
    ("g-4", "2024-04-01", "ann", "bo (guest)", 1.0, {}),
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def command(*words: object, stdin: str | bytes | None = None) -> Ran:
        result = CliRunner(**APART).invoke(cli, [str(word) for word in words], input=stdin, prog_name="ratingcore")
        assert "Traceback" not in result.stderr
        return Ran(result.exit_code, result.stdout, result.stderr)

    return command


def publish_as_older_versions(path: Path, name: str, **cuts: Any) -> None:
    """Publishes the list of the pool rapid under a name that reads as a cut, which publish refuses today."""
    with open_log(path) as engine:
        engine.log.append([publication(engine.rating_list("rapid", "elo", **cuts), name, engine.log)])


@pytest.fixture
def club(run: Run, tmp_path: Path) -> Path:
    """A log with a seed at position 1 and four games of one pool; commands run in its folder."""
    path = tmp_path / "club.db"
    path.write_bytes(_recorded())
    return path


@cache
def _recorded() -> bytes:
    """The file of the log of the club."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "club.db")
        with open_log(path) as engine:
            engine.record(
                RatingSeeded(uid="s-1", pool="rapid", played="2024-01-01", player="ann", values={"rating": 1600.0})
            )
            for uid, played, a, b, score, data in GAMES:
                engine.record(GamePlayed(uid=uid, pool="rapid", played=played, a=a, b=b, score=score, data=data))
        return path.read_bytes()


def ratings(run: Run, *words: object) -> str:
    """The list of the club."""
    return run("list", "club.db", *words).out


def last_text(run: Run) -> str:
    """The sentence of the last event in the log of the club."""
    return run("log", "club.db", "--last", 1, "--format", "csv").out.splitlines()[-1].split(",", 6)[-1]
