"""Nothing that ratingcore or an extra brings is under the GPL."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def installed(requirement: str) -> bool:
    """Whether there is a distribution of any version that a requirement names."""
    try:
        distribution(re.split(r"[^\w.-]", requirement)[0])
    except PackageNotFoundError:
        return False
    return True


def test_no_library_is_under_the_gpl() -> None:
    """Of what builds the documents, docutils brings an Emacs mode under the GPL, which nothing here uses."""
    checked = [name for name in EXTRAS if name not in ("dev", "docs", "ray", "pdf")]
    there = [name for name in checked if all(map(installed, EXTRAS[name]))]
    assert {"fast", "service", "tables"} <= {*there}
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "licences", *there], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "numpy" in done.stdout
