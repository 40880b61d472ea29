"""Hints at a command line: the options and commands that mend an error."""

import re
from types import SimpleNamespace

import click
import pytest

from ratingcore.cli.main import cli
from ratingcore.cli.words import hint
from ratingcore.errors import BadFile, NotInstalled, OddResults, RatingCoreError, RowsRefused, StoreNotFound

HINTS: list[tuple[RatingCoreError, str]] = [
    (BadFile("a.xlsx", "2 of its sheets have the columns", setting="sheet"), "choose one by --sheet NAME"),
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


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, 'pip install "ratingcore[postgres]"'),
        ('{"url": "file:///srv/rating%20core", "dir_info": {}}', 'pip install "/srv/rating core[postgres]"'),
        ('{"url": "file:///srv/rc", "dir_info": {"editable": true}}', 'pip install -e "/srv/rc[postgres]"'),
        (
            '{"url": "https://host.example/rc", "vcs_info": {"vcs": "git", "commit_id": "1f"}}',
            'pip install "ratingcore[postgres] @ git+https://host.example/rc"',
        ),
    ],
)
def test_an_extra_is_installed_from_where_ratingcore_was(
    origin: str | None, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rating officer who had installed a folder was told to install a package that no index has."""
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: SimpleNamespace(read_text=lambda file: origin))
    assert hint(NotInstalled("psycopg", "a log in PostgreSQL", "postgres")) == command
    assert hint(StoreNotFound("postgresql", ())).endswith(f": {command}")
