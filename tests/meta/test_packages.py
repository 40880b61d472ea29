"""The recipe for conda-forge asks for what the wheel asks for, and has its version."""

import re
import tomllib
from pathlib import Path

import ratingcore

ROOT = Path(__file__).parents[2]


def test_the_recipe_for_conda_has_the_version_and_the_requirements_of_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    recipe = (ROOT / ".ci" / "conda" / "recipe.yaml").read_text("utf-8")
    assert f'version: "{ratingcore.__version__}"' in recipe
    assert f'python_min: "{project["requires-python"].removeprefix(">=")}"' in recipe
    (run,) = re.findall(r"^  run:\n((?:    - .*\n)+)", recipe, re.MULTILINE)
    wanted = [line.removeprefix("    - ").replace(" ", "") for line in run.splitlines()]
    assert wanted == ["python>=${{python_min}}", *project["dependencies"]]
