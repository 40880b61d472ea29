"""A plugin of a stranger, from a folder outside the repository: found, listed, checked and used, or shown as broken."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ratingcore._version import __version__
from tests.registry.foreign import BROKEN, CLASHING, MODULE, announced, environment, package

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def run_with(python: Path | str, modules: Path | None = None) -> Run:
    """Run `ratingcore` with an interpreter, with a folder of modules in its sight."""

    def run(*words: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
        seen = {"PYTHONPATH": str(modules)} if modules else {}
        done = subprocess.run(
            [str(python), "-W", "error", "-m", "ratingcore", *words],
            capture_output=True, text=True, check=False, env={**os.environ, **seen},
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


def rows(run: Run, *words: str) -> dict[str, dict[str, Any]]:
    """Rows that a command writes, by the name in them."""
    return {row["name"]: row for row in json.loads(run(*words, "--format", "json").stdout)}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """`ratingcore` in an environment into which pip has installed the stranger's package."""
    if find_spec("pip") is None:
        pytest.skip("there is no pip to install it with")
    folder = tmp_path_factory.mktemp("stranger")
    python, project = environment(folder / "env"), package(folder / "project")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "--no-cache-dir"]
    subprocess.run([*pip, "install", "-q", "--no-index", "--no-deps", str(project)], check=True, capture_output=True)
    return run_with(python)


def test_it_is_found_and_listed(installed: Run) -> None:
    found = rows(installed, "plugins")["tally"]
    assert [found[key] for key in ("distribution", "version", "methods")] == ["league-tally", "2.1", "tally"]
    assert not found["broken"]
    assert {"elo", "elo-margin", "tally"} <= rows(installed, "methods").keys()


def test_it_is_checked(installed: Run) -> None:
    lines = installed("check", "tally:win=3").stdout.splitlines()
    assert {line.split()[0] for line in lines} == {"ok", "does"}


def test_it_is_used(installed: Run, tmp_path: Path) -> None:
    log = str(tmp_path / "club.db")
    installed("record", log, "--pool", "P", "--played", "2024-03-02", "ann", "bo", "1-0")
    installed("record", log, "--pool", "P", "--played", "2024-03-03", "bo", "cy", "1/2")
    listed = installed("list", log, "--pool", "P", "--method", "tally:win=3", "--format", "csv").stdout
    assert listed.splitlines() == ["rank,player,rating,games", "1,ann,3.0,1", "2,bo,1.5,2", "2,cy,1.5,1"]


# without pip: what announces a plugin, in a folder of modules


@pytest.fixture
def league(tmp_path: Path) -> Path:
    announced(tmp_path / "modules", "tally", MODULE)
    return tmp_path / "modules"


def test_a_plugin_that_does_not_load_is_named_and_the_others_work(league: Path) -> None:
    announced(league, "broken", BROKEN)
    run = run_with(sys.executable, league)
    plugins = rows(run, "plugins")
    assert "No module named 'a_module_that_nobody_has'" in plugins["broken"]["broken"]
    assert not plugins["tally"]["broken"]
    assert {"elo", "tally"} <= rows(run, "methods").keys()
    refused = run("check", "broken", code=2).stderr
    assert "no method named broken" in refused
    assert "plugins that did not load: broken" in refused


@pytest.mark.parametrize("name", ["second", "a_first"])
def test_the_name_of_a_bundled_method_is_refused_wherever_the_plugin_stands(league: Path, name: str) -> None:
    announced(league, name, CLASHING)
    run = run_with(sys.executable, league)
    plugins = rows(run, "plugins")
    why = f"ValueError: league-{name} offers elo, a name that is taken by the plugin elo (ratingcore {__version__})"
    assert plugins[name]["broken"] == why
    assert plugins["elo"]["methods"] == "elo"
    assert "curve" in json.dumps(rows(run, "methods")["elo"])
