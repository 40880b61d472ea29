"""Damaged caches: after whatever happened to the files beside a log, every list is right and nothing breaks.

`RATINGCORE_DAMAGES=600` tries as many damages; the suite tries a few of each kind.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("short", [-1, 2**18], ids=["games in a file of their own", "all columns in one file"])
def test_no_damage_to_the_files_beside_a_log_reaches_a_list(short: int, tmp_path: Path) -> None:
    count = os.environ.get("RATINGCORE_DAMAGES", "40")
    command = [sys.executable, "-m", "tests.laws.damages", str(tmp_path), "1", count, str(short)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert ran.returncode == 0, f"the process ended with {ran.returncode}: {ran.stderr}"
    tried = json.loads(ran.stdout)
    assert (tried["tried"], tried["wrong"], tried["errors"]) == (int(count), [], [])
    assert tried["told"] > int(count) // 4, "most damages are noticed; the others do not concern a list"


def test_without_the_check_of_the_digests_lists_would_be_wrong(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from tests.laws import damages
from ratingcore.columns import sealed_file
sealed_file._check_columns = lambda octets, places, name, key: None
damages.KINDS = ("column",)
print(len(damages.tried(Path(sys.argv[1]), 1, 40, -1)["wrong"]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert int(ran.stdout) > 0
