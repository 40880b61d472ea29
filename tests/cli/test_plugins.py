"""`ratingcore plugins`: what is installed, and what is broken."""

import json
from importlib.metadata import EntryPoint

import pytest

from ratingcore.registry import Registry

from .conftest import Run


def test_a_broken_plugin_is_listed_with_its_reason(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Registry.installed()
    broken.load(EntryPoint("trial", "no_such_module", "ratingcore"))
    monkeypatch.setattr(Registry, "installed", lambda: broken)
    code, out, _ = run("plugins", "-f", "json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert code == 0
    assert (rows["elo"]["methods"], rows["elo"]["broken"]) == ("elo", None)
    assert rows["trial"]["broken"] == "ModuleNotFoundError: No module named 'no_such_module'"
    code, _, err = run("methods", "trial")
    assert code == 2
    assert err.endswith("hint: plugins that did not load: trial (see: ratingcore plugins)\n")
