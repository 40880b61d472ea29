"""`plugins/README.md` is followed to the letter, in an environment of its own."""

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.registry.foreign import environment

GUIDE = Path(__file__).parents[2] / "plugins" / "README.md"
FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each command of the guide prints, typed one after the other in the folder it says."""
    text = GUIDE.read_text(encoding="utf-8")
    folder = tmp_path_factory.mktemp("linear")
    for name, content in FILE.findall(text):
        (folder / name).write_text(content, encoding="utf-8")
    python = environment(tmp_path_factory.mktemp("environment") / "venv")
    (block,) = CONSOLE.findall(text)
    run = _runner(folder, python)
    return {command: run(command) for command in re.findall(r"^\$ (.*)$", block, flags=re.MULTILINE)}


def _runner(folder: Path, python: Path) -> Callable[[str], str]:
    def run(command: str) -> str:
        tool, *words = shlex.split(command)
        call = [str(python), "-m", tool, *words]
        if tool == "pip":  # the tool of this environment, for the other one; what is needed is there already
            call = ["python", "-m", "pip", "--python", str(python), *words, "--no-deps", "--quiet"]
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"$ {command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


def test_the_plugin_is_found(told: dict[str, str]) -> None:
    assert re.search(r"^linear,ratingcore-linear,1\.0,linear", told["ratingcore plugins"], re.MULTILINE)


def test_the_method_keeps_the_laws(told: dict[str, str]) -> None:
    assert "FAILED" not in told["ratingcore check linear"]
    assert "passed" in told["pytest"]
    assert "failed" not in told["pytest"]


def test_the_method_rates(told: dict[str, str]) -> None:
    assert told["ratingcore list league.db --method linear:k=32"].splitlines()[1] == "1,ann,1516.0,1"
