"""Plugins of strangers in a folder of modules: one that does not load, or takes a name, leaves the others working.

That a plugin which pip installs is found, checked and used, `tests/plugins/test_ten_minutes.py` says.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ratingcore._version import __version__
from tests.registry.foreign import BROKEN, CLASHING, MODULE, announced

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def run_with(modules: Path) -> Run:
    """Run `ratingcore` with a folder of modules in its sight."""

    def run(*words: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "ratingcore", *words],
            capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(modules)},
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


def rows(run: Run, *words: str) -> dict[str, dict[str, Any]]:
    """Rows that a command writes, by the name in them."""
    return {row["name"]: row for row in json.loads(run(*words, "--format", "json").stdout)}


@pytest.fixture
def league(tmp_path: Path) -> Path:
    announced(tmp_path / "modules", "tally", MODULE)
    return tmp_path / "modules"


def test_a_plugin_that_does_not_load_is_named_and_the_others_work(league: Path) -> None:
    announced(league, "broken", BROKEN)
    run = run_with(league)
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
    run = run_with(league)
    plugins = rows(run, "plugins")
    why = f"ValueError: league-{name} offers elo, a name that is taken by the plugin elo (ratingcore {__version__})"
    assert plugins[name]["broken"] == why
    assert plugins["elo"]["methods"] == "elo"
    assert "curve" in json.dumps(rows(run, "methods")["elo"])
