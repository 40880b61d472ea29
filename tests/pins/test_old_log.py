"""A log made by the code of November 2026: every list, history, explanation and proof of it is what it was.

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
from click.testing import CliRunner

from ratingcore.cli.main import cli

OLD = Path(__file__).parents[2] / "fixtures" / "logs" / "2026_11"
COMMANDS = [
    part.split("\n", 1) for part in re.split(r"^\$ ", (OLD / "session.txt").read_text("utf-8"), flags=re.M) if part
]
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[+-]?\d+)?(?![\w.])")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("old") / "log"
    shutil.copytree(OLD, copy)
    return copy


@pytest.mark.parametrize(("command", "printed"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_a_log_of_2026_is_answered_as_then(
    folder: Path, command: str, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(cli, shlex.split(command)[1:])
    assert done.exit_code == 0, done.stderr
    assert_same(without_later_columns(command, done.stdout, printed), printed)


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
