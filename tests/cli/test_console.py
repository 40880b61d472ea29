"""Errors and exit codes, as they are printed."""

import subprocess
import sys
from typing import Any

import click
import pytest

from ratingcore.cli.console import Mistake, exit_code, progress
from ratingcore.errors import BadValue, BrokenChain, NoSuchLog, RowsRefused


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Mistake("no command named lst"), 2),
        (click.UsageError("no such option"), 2),
        (NoSuchLog("club.db"), 2),
        (BadValue("score", 2, "is not a share"), 2),
        (RowsRefused("games.csv", 1, "line 2"), 1),
        (BrokenChain(4, "another digest"), 1),
        (click.Abort(), 1),
        (OSError("the disk is full"), 1),
        (ZeroDivisionError(), 1),
        (BrokenPipeError(), 0),
    ],
    ids=repr,
)
def test_every_error_has_its_exit_code(error: Exception, code: int) -> None:
    assert exit_code(error) == code


def test_a_counter_with_a_known_end_shows_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 10.0, 10.5, 12.0, 12.0, 12.0])
    monkeypatch.setattr("ratingcore.cli.console.monotonic", lambda: next(clock))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    counter = progress("games.parquet")
    counter.expect(1000)
    for count in (100, 200, 2, 1000):
        counter(count)
    assert capsys.readouterr().err.split("\r")[1:] == [
        "games.parquet: 100 rows  ", "games.parquet: 200 rows, 100 a second, 8 s left  ",
        "games.parquet: 2 rows, 1 a second, 17 min left  ", "games.parquet: 1,000 rows, 500 a second  ",
    ]  # fmt: skip


def command(*words: bytes, **streams: Any) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([sys.executable, "-m", "ratingcore", *words], timeout=60, check=False, **streams)


def test_a_full_disk_and_a_closed_stdout_are_answered() -> None:
    with open("/dev/full", "wb") as full:
        done = command(b"methods", stdout=full, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr.strip()) == (1, b"error: no space left on device")
    closed = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m ratingcore methods >&-"], capture_output=True, check=False
    )
    assert (closed.returncode, closed.stderr) == (0, b"")


def test_bytes_that_are_no_text_are_shown_in_the_error() -> None:
    done = command(b"list", b"a\xff", capture_output=True)
    assert (done.returncode, done.stderr.strip()) == (2, rb"error: an argument is not text in UTF-8: 'a\udcff'")
