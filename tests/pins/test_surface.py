"""Pins of public names and help texts; whoever changes one on purpose runs `python -m tests.pins.surface`."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.pins.surface import HERE, PINS


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The surface in a process of its own: click keeps the words of a help option from whoever asked first."""
    folder = tmp_path_factory.mktemp("surface")
    subprocess.run([sys.executable, "-m", "tests.pins.surface", str(folder)], check=True, cwd=HERE.parents[1])
    return folder


@pytest.mark.parametrize("file", PINS)
def test_what_users_see_changes_only_on_purpose(today: Path, file: str) -> None:
    assert (today / file).read_text(encoding="utf-8") == (HERE / file).read_text(encoding="utf-8")


def test_no_public_name_disappears_without_a_warning(today: Path) -> None:
    pinned, now = ({*(folder / "names.txt").read_text(encoding="utf-8").splitlines()} for folder in (HERE, today))
    gone = {line.split("(")[0] for line in pinned} - {line.split("(")[0] for line in now}
    assert not gone, f"{sorted(gone)}: see docs/stability.md for how a public name goes, and say so in CHANGELOG.md"
