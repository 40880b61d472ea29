"""The pages on writing a method and a reader are followed to the letter, in an environment of their own."""

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.registry.foreign import environment

GUIDES = Path(__file__).parents[2] / "docs" / "writing"
FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def files_of_guides() -> dict[str, str]:
    """The files that the pages on writing plugins show, by name."""
    pages = (page.read_text(encoding="utf-8") for page in sorted(GUIDES.glob("*.md")))
    return {name: text for page in pages for name, text in FILE.findall(page)}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment for both examples."""
    return environment(tmp_path_factory.mktemp("environment") / "venv")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, python: Path) -> dict[str, str]:
    """What each command of the first example prints."""
    return _typed((GUIDES / "method.md").read_text(encoding="utf-8"), tmp_path_factory.mktemp("linear"), python)


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory, python: Path) -> dict[str, str]:
    """What each command of the second example prints."""
    return _typed((GUIDES / "reader.md").read_text(encoding="utf-8"), tmp_path_factory.mktemp("evening"), python)


def _typed(text: str, folder: Path, python: Path) -> dict[str, str]:
    """What each command of a text prints, typed one after the other in a folder with the files it says."""
    for name, content in FILE.findall(text):
        (folder / name).write_text(content, encoding="utf-8")
    run = _runner(folder, python)
    (block,) = CONSOLE.findall(text)
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


def test_the_reader_keeps_the_laws_and_imports(read: dict[str, str]) -> None:
    assert re.search(r"^march.evening,evening,95,", read["ratingcore readers march.evening"], re.MULTILINE)
    laws = read["ratingcore check --reader evening march.evening"]
    assert (laws.count("ok "), "FAILED" in laws) == (5, False)
    again = read["ratingcore import club.db march.evening --pool club"]  # what the second call said
    assert ("2 duplicates" in again, "0 accepted" in again, "1 unrated" in again) == (True, True, True), again
