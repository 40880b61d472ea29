"""`ratingcore demo`: the main job on a real archive; its numbers are the published ones."""

import lzma
import re
import shlex
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import click
import pytest
from ratingcore_demo.command import _open, _serve
from ratingcore_service.access import open_tokens
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

import ratingcore as rc
from ratingcore.cli.main import cli


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Folder of a demo, and what it said the first time and the second time."""
    folder = tmp_path_factory.mktemp("demo") / "a folder"
    command = [sys.executable, "-m", "ratingcore", "demo", "--dir", str(folder)]
    said = [subprocess.run(command, capture_output=True, text=True, check=True, cwd="/") for _ in range(2)]
    assert [ran.stderr for ran in said] == ["", ""]
    return folder, said[0].stdout, said[1].stdout


def test_the_demo_agrees_with_the_published_ratings(shown: tuple[Path, str, str]) -> None:
    _, said, _ = shown
    assert "games.csv: 50257 rows read, 50257 accepted, 0 unrated, 0 refused, 0 duplicates" in said
    largest = re.search(r"1,187 ratings, .*: the largest difference is ([0-9.]+) points", said)
    assert largest is not None
    assert float(largest[1]) < 0.001


def test_the_archive_in_the_wheel_is_small() -> None:
    folder = Path(__file__).parents[3] / "fixtures" / "archives" / "nba" / "demo"
    assert sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) <= 300_000


def test_the_files_of_the_demo_are_what_its_script_derives() -> None:
    folder = Path(__file__).parents[3] / "fixtures" / "archives" / "nba" / "demo"
    derive = run_path(str(folder / "make.py"))
    games = derive["archive"]()
    assert lzma.decompress((folder / "games.csv.xz").read_bytes()).decode() == derive["results"](games)
    assert (folder / "season_ends.csv").read_text(encoding="utf-8") == derive["season_ends"](games)
    assert (folder / "seeds.csv").read_bytes() == (folder.parent / "seeds.csv").read_bytes()


def test_the_demo_shows_every_step(shown: tuple[Path, str, str]) -> None:
    _, said, _ = shown
    assert [line[0] for line in said.splitlines() if re.match(r"[1-5]\. ", line)] == list("12345")
    assert re.search(r"^ +1  CHI +1823\.03\d\d ", said, re.MULTILINE)
    assert "has the same digest" in said
    assert re.search(r"^CHI +1 +1 +1823\.03\d\d +1796\.\d+ +-26\.\d+$", said, re.MULTILINE)


def test_the_demo_runs_again_in_its_folder(shown: tuple[Path, str, str]) -> None:
    _, first, again = shown
    assert "50257 rows read, 0 accepted, 0 unrated, 0 refused, 50257 duplicates" in again
    start = "2. The list"

    def steady(text: str) -> list[str]:
        lines = text[text.index(start) :].splitlines()
        return [line for line in lines if not re.search(r" seconds[,;] |ran here before", line)]

    assert steady(first) == steady(again)


def test_the_demo_fits_a_screen_and_ends_with_its_page(shown: tuple[Path, str, str]) -> None:
    folder, said, _ = shown
    lines = said.splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 120
    assert lines[0] == f"$ cd {shlex.quote(str(folder))}"
    assert lines[-3:] == [
        f"To serve it, with a desk: ratingcore demo --dir {shlex.quote(str(folder))} --serve", "",
        f"THE LIST AS A PAGE: {folder / '1996.html'}",
    ]  # fmt: skip
    assert "CHI" in (folder / "1996.html").read_text("utf-8")


def test_the_commands_to_copy_run(shown: tuple[Path, str, str]) -> None:
    folder, said, _ = shown
    commands = [line[2:] for line in said[said.index("5. Your turn") :].splitlines() if line.startswith("$ ")]
    assert len(commands) > 3
    for line in commands:
        words = shlex.split(line)
        ran = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False, cwd=folder)
        assert ran.returncode == 0, (line, ran.stderr)


def test_the_demo_is_served_with_a_desk_by_the_commands_of_the_plugin(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[object] = []
    monkeypatch.setattr("ratingcore_service.running.run", lambda *asked: given.extend(asked))
    log = str(tmp_path / "demo.db")
    with rc.open(log) as engine:
        _serve(click.Context(cli, info_name="ratingcore"), tmp_path / "demo.db")
        assert given[:4] == [(log,), "127.0.0.1", 8000, 1]
        token = capsys.readouterr().out.split()[-1]
        assert open_tokens(engine, Settings()).caller(token).scope is Scope.OFFICER


def test_the_demo_suggests_to_serve_only_where_that_can_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """After the first command of the README it ended with an error."""
    _open(None, tmp_path)
    assert "install" not in capsys.readouterr().out
    monkeypatch.setattr("ratingcore_demo.command.find_spec", lambda name: None)
    _open(None, tmp_path)
    assert 'pip install ".[service]"' in capsys.readouterr().out
