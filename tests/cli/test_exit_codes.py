"""Exit codes: 0 done, 1 data refused or a failure of ours, 2 a mistake in what was asked."""

import click
import pytest

from ratingcore.cli.console import Mistake
from ratingcore.cli.exit_codes import exit_code
from ratingcore.errors import BadValue, BrokenChain, NoSuchLog, RowsRefused


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Mistake("no command named lst"), 2),
        (click.UsageError("no such option"), 2),
        (NoSuchLog("club.db"), 2),
        (BadValue("score", 2, "is no share"), 2),
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
