"""The laboratory is a guest: nothing else in the repository needs it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

WITHOUT = """
import importlib.metadata, pkgutil, sys
from importlib import import_module

sys.modules["ratingcore_laboratory"] = None  # as if its folder were deleted
import ratingcore
from ratingcore.cli.main import cli

for module in pkgutil.walk_packages(ratingcore.__path__, "ratingcore."):
    if module.name != "ratingcore.__main__":
        import_module(module.name)
from ratingcore.registry import Registry

assert not [plugin for plugin in Registry.installed().plugins if plugin.broken]
cli(["--help"], standalone_mode=False)
assert cli(["plugins"], standalone_mode=False) in (None, 0)
assert cli(["simulate", "thesis-1"], standalone_mode=False) == 1
"""


def test_nothing_but_its_own_folder_its_tests_and_its_announcement_names_it() -> None:
    named = {
        path.relative_to(ROOT).parts[:3]
        for top in ("ratingcore", "plugins", "tests", "bench", "docs")
        for path in (ROOT / top).rglob("*.py")
        if "ratingcore_laboratory" in path.read_text(encoding="utf-8")
    }
    assert named <= {
        ("plugins", "studies", "ratingcore_laboratory"),
        ("tests", "plugins", "laboratory"),
        ("bench", "simulation.py"),
        ("tests", "golden", "simulation.py"),  # its cases are answered where it is there
        ("tests", "golden", "running.py"),
    }


def test_everything_else_works_without_its_folder() -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "error: the plugin simulate (ratingcore" in ran.stderr
