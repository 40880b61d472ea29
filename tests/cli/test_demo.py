"""`ratingcore demo`: the main job on a real archive; its numbers are the published ones."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest


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
    assert "50,257 games, from results and first ratings alone" in said
    rating = re.search(r"rating before or after a game +([0-9.]+) points", said)
    chance = re.search(r"of an expected score +([0-9.]+)", said)
    assert rating is not None
    assert chance is not None
    assert float(rating[1]) < 0.001
    assert float(chance[1]) < 5e-6


def test_the_demo_shows_every_step(shown: tuple[Path, str, str]) -> None:
    _, said, _ = shown
    assert [line[0] for line in said.splitlines() if re.match(r"[1-6]\. ", line)] == list("123456")
    assert re.search(r"^ +1  CHI +1823\.03\d\d ", said, re.MULTILINE)
    assert "has the same digest" in said
    assert "season carry-over" in said
    assert re.search(r"^CHI +1 +1 +1823\.03\d\d +1796\.\d+ +-26\.\d+$", said, re.MULTILINE)


def test_the_demo_runs_again_in_its_folder(shown: tuple[Path, str, str]) -> None:
    _, first, again = shown
    assert "50257 rows read, 0 accepted, 0 unrated, 0 refused, 50257 duplicates" in again
    start = "2. The list"

    def steady(text: str) -> list[str]:
        lines = text[text.index(start) :].splitlines()
        return [line for line in lines if "seconds)" not in line and "ran here before" not in line]

    assert steady(first) == steady(again)


def test_the_commands_to_copy_run(shown: tuple[Path, str, str], tmp_path: Path) -> None:
    _, said, _ = shown
    commands = [line[2:] for line in said[said.index("6. Your turn") :].splitlines() if line.startswith("$ ")]
    assert len(commands) > 5
    for line in commands:
        words = shlex.split(line.partition(" > ")[0])
        ran = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert ran.returncode == 0, (line, ran.stderr)
