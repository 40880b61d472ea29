"""Kept logs, each with a session: commands and what the version that made the log printed.

`python -m tests.pins.sessions FOLDER` answers the commands of FOLDER/session.txt, which may be lines that begin with
`$ ` alone, and writes what this version prints: once, before a release, and never again.
"""

import re
import shlex
import sys
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from ratingcore.cli.main import cli

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"


def session(folder: Path) -> list[tuple[str, str]]:
    """Each command of a session, and what it printed."""
    parts = re.split(r"^\$ ", (folder / "session.txt").read_text("utf-8"), flags=re.MULTILINE)
    return [(command, printed) for command, _, printed in (part.partition("\n") for part in parts if part)]


def answer(command: str) -> str:
    """What a command prints in the current folder; it must succeed."""
    done = CliRunner().invoke(cli, shlex.split(command)[1:])
    assert done.exit_code == 0, f"{command}\n{done.stderr}"
    return done.stdout


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    with chdir(folder):
        answered = [f"$ {command}\n{answer(command)}" for command, _ in session(Path())]
    (folder / "session.txt").write_text("".join(answered), encoding="utf-8")
