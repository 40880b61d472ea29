"""Hints at a command line: the options and commands that mend an error."""

import re

import click
import pytest

from ratingcore.cli.main import cli
from ratingcore.cli.words import hint
from ratingcore.errors import BadFile, OddResults, RatingCoreError, RowsRefused

HINTS: list[tuple[RatingCoreError, str]] = [
    (BadFile("a.xlsx", "2 of its sheets have the columns", setting="sheet"), "say which by --sheet NAME"),
    (OddResults("elo", "p", 1, (("g-1", "no event"),), "event"), "ratingcore amend LOG g-1 event=VALUE, or "),
    (OddResults("elo", "p", 1, (("g-1", "no points"),), "points"), "ratingcore amend LOG g-1 points_a=N points_b=N, "),
    (OddResults("elo", "p", 1, (("g-1", "a draw"),)), "ratingcore void LOG g-1, or give it a pool of its own: "),
    (RowsRefused("games.csv", 4, "line 3"), "see every reason with --dry-run, or import without --strict"),
]


@pytest.mark.parametrize(("error", "begin"), HINTS, ids=[type(error).__name__ for error, _ in HINTS])
def test_a_hint_names_options_and_commands_that_exist(error: RatingCoreError, begin: str) -> None:
    with click.Context(click.Command("import")) as context:
        commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    options = {option for command in commands.values() if command for one in command.params for option in one.opts}
    words = hint(error)
    assert words.startswith(begin)
    assert {*re.findall("--[a-z-]+", words)} <= options
    assert {*re.findall("ratingcore ([a-z-]+)", words)} <= set(commands)
