"""Completion of words by the shell: names of the log, methods and their parameters; quick where nothing needs them."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from ratingcore.cli.main import cli

from .conftest import Run


def offered(*words: str) -> list[str]:
    *before, last = words
    found = ShellComplete(cli, {}, "ratingcore", "_RATINGCORE_COMPLETE").get_completions(before, last)
    return [item.value for item in found]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (("lis",), ["list", "lists"]),
        (("player", "club.db", "b"), ["bo", "bo (guest)"]),
        (("versus", "club.db", "ann", "c"), ["cy"]),
        (("superiority", "club.db", "ann", "c"), ["cy"]),
        (("list", "club.db", "--pool", ""), ["rapid"]),
        (("list", "club.db", "-m", "elo-"), ["elo-margin", "elo-mmr", "elo-points"]),
        (("compare", "club.db", "-m", "elo:k=24,sc"), ["elo:k=24,scale="]),
        (("list", "club.db", "-m", "eloo:"), []),
        (("show", "club.db", ""), ["march"]),
        (("list", "club.db", "--known-at", "m"), ["march"]),
        (("player", "nowhere.db", "b"), []),
    ],
)
def test_a_shell_is_offered(run: Run, club: Path, words: tuple[str, ...], values: list[str]) -> None:
    run("publish", "club.db", "march", "--through", "2024-03-31")
    assert offered(*words) == values


def test_logs_are_files(run: Run, club: Path) -> None:
    (item,) = ShellComplete(cli, {}, "ratingcore", "_RATINGCORE_COMPLETE").get_completions(["list"], "cl")
    assert (item.type, item.value) == ("file", "cl")


def test_the_name_of_a_command_is_completed_without_any_of_them() -> None:
    code = (
        "import sys; from click.shell_completion import ShellComplete; from ratingcore.cli.main import cli;"
        "found = ShellComplete(cli, {}, 'ratingcore', '_X').get_completions([], 'li');"
        "assert [item.value for item in found] == ['list', 'lists'], found;"
        "print(sorted({'numpy', 'ratingcore.engine', 'ratingcore.registry'} & sys.modules.keys()))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
