"""A log made by the code of November 2026: every list, history, explanation and proof of it is what it was."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ratingcore.cli.main import cli

OLD = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11"
COMMANDS = [
    part.split("\n", 1) for part in re.split(r"^\$ ", (OLD / "session.txt").read_text("utf-8"), flags=re.M) if part
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("old") / "log"
    shutil.copytree(OLD, copy)
    return copy


@pytest.mark.parametrize(("command", "printed"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_a_log_of_2026_says_what_it_said(
    folder: Path, command: str, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(cli, shlex.split(command)[1:])
    assert (done.exit_code, done.stdout) == (0, printed), done.stderr
