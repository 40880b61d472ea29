"""The command of `docs/writing/command.md` does what is said of it: it is announced as written there, and run."""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run, club, run
from tests.plugins.test_ten_minutes import GUIDES, files_of_guides

__all__ = ["club", "run"]


@pytest.fixture
def absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Installs the command by the metadata that its project file makes."""
    guide = (GUIDES / "command.md").read_text(encoding="utf-8")
    (announced,) = re.findall(r"(\[project\.entry-points\.\"ratingcore\.commands\"\].*?)```", guide, re.DOTALL)
    points = tomllib.loads(announced)["project"]["entry-points"]["ratingcore.commands"]
    folder = tmp_path / "modules"
    info = folder / "ratingcore_absent-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "ratingcore_absent.py").write_text(files_of_guides()["ratingcore_absent.py"], encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ratingcore-absent\nVersion: 1.0\n")
    lines = "".join(f"{name} = {place}\n" for name, place in points.items())
    (info / "entry_points.txt").write_text(f"[ratingcore.commands]\n{lines}")
    monkeypatch.syspath_prepend(folder)
    yield
    sys.modules.pop("ratingcore_absent", None)


@pytest.mark.usefixtures("absent", "club")
def test_the_command_of_the_guide_is_one_of_the_house(run: Run) -> None:  # the fixture
    code, out, err = run("absent", "club.db", "--since", "2024-03-09", "--format", "json")
    assert code == 0, err
    assert (code, [row["player"] for row in json.loads(out)], err) == (0, ["bo"], "1 of 4 players\n")
    assert run("absent", "--help").out.endswith("  ratingcore absent club.db -f json\n")
    assert "From plugins:\n  absent  Of ratingcore-absent 1.0.\n" in run("--help").out
    assert run("absent", "club.db", "--pool", "nobody").code == 2
    assert run("absent", "club.db", "--since", "soon").err.startswith("error: --since ")
    assert run("absent", "nowhere.db").code == 2
