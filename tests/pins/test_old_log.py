"""A log of each release and of what came before: every list, history, explanation and proof is what it was.

Words and digests are compared to the letter, decimal numbers to 1e-9: the last bits of an iterative solver depend on
the processor that numpy and its linear algebra find.
"""

import contextlib
import csv
import math
import re
import shlex
import shutil
from io import StringIO
from pathlib import Path

import pytest

from tests.pins.sessions import LOGS, answer, session

FOLDERS = sorted(path.parent for path in LOGS.glob("*/session.txt"))
CASES = [(folder, *said) for folder in FOLDERS for said in session(folder)]
RELEASED = re.compile(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)", re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[+-]?\d+)?(?![\w.])")


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("old") / "logs"
    shutil.copytree(LOGS, copy)
    return copy


@pytest.mark.parametrize(
    ("folder", "command", "printed"), CASES, ids=[f"{folder.name} {command}" for folder, command, _ in CASES]
)
def test_a_kept_log_is_answered_as_then(
    copies: Path, folder: Path, command: str, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copies / folder.name)
    assert_same(without_later_columns(command, answer(command), printed), printed)


def test_a_log_of_each_release_is_kept() -> None:
    changelog = (LOGS.parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")
    assert {*RELEASED.findall(changelog)} <= {folder.name for folder in FOLDERS}


@pytest.mark.parametrize(
    ("now", "alike"),
    [
        ("ann,1512.25,ok", True),
        ("ann,1512.2500000000002,ok", True),
        ("ann,1512.2501,ok", False),
        ("ann,-1512.25,ok", False),
        ("bob,1512.25,ok", False),
        ("ann,1512.25", False),
    ],
)
def test_a_pin_is_blind_to_last_bits_alone(now: str, alike: bool) -> None:
    with contextlib.nullcontext() if alike else pytest.raises(AssertionError):
        assert_same(now, "ann,1512.25,ok")


def assert_same(now: str, then: str) -> None:
    """Texts are equal but for the last bits of their decimal numbers."""
    if now == then:
        return
    assert NUMBER.sub("#", now) == NUMBER.sub("#", then)
    pairs = zip(NUMBER.findall(now), NUMBER.findall(then), strict=True)
    assert [pair for pair in pairs if not math.isclose(*map(float, pair), rel_tol=1e-9, abs_tol=1e-9)] == []


def without_later_columns(command: str, now: str, printed: str) -> str:
    """What a command prints now, without the columns that histories, explanations and forecasts have had since."""
    words = shlex.split(command)
    if words[1] not in ("player", "explain", "forecasts") or "csv" not in words:
        return now
    columns = printed.partition("\n")[0].split(",")
    header, *rows = csv.reader(now.splitlines())
    places = [header.index(column) for column in columns]
    assert places == sorted(places), "the columns are in another order"
    lines = StringIO()
    csv.writer(lines, lineterminator="\n").writerows([row[at] for at in places] for row in [header, *rows])
    return lines.getvalue()
