"""A log made by the code of November 2026: every list, history, explanation and proof of it is what it was."""

import csv
import re
import shlex
import shutil
from io import StringIO
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
    assert (done.exit_code, said_then(command, done.stdout, printed)) == (0, printed), done.stderr


def said_then(command: str, now: str, printed: str) -> str:
    """What a command prints now, without the columns that histories, explanations and forecasts have had since."""
    words = shlex.split(command)
    if words[1] not in ("player", "explain", "forecasts") or "csv" not in words:
        return now
    columns = printed.partition("\n")[0].split(",")
    header, *rows = csv.reader(now.splitlines())
    places = [header.index(column) for column in columns]
    assert places == sorted(places), "the columns are in another order"
    lines = StringIO()
    csv.writer(lines, lineterminator="\n").writerows([row[at] for at in places] for row in [header, *rows])
    return lines.getvalue()
