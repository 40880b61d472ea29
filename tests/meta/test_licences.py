"""Nothing that ratingcore or an extra brings is under the GPL."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def installed(requirement: str) -> bool:
    """Whether there is a distribution of any version that a requirement names."""
    try:
        distribution(re.split(r"[^\w.-]", requirement)[0])
    except PackageNotFoundError:
        return False
    return True


# of what builds the documents, docutils brings an Emacs mode under the GPL, which nothing here uses
@pytest.mark.parametrize("extra", ["", *(name for name in EXTRAS if name not in ("dev", "docs", "ray", "pdf"))])
def test_no_library_is_under_the_gpl(extra: str) -> None:
    missing = [name for name in EXTRAS.get(extra, ()) if not installed(name)]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed: pip install '.[{extra}]'")
    command = [sys.executable, ROOT / ".ci" / "licences", *filter(None, [extra])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "numpy" in done.stdout
