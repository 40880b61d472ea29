"""Exit codes of the command line: 0 done, 1 data refused or a failure of ours, 2 a mistake in what was asked."""

import click

from ratingcore.errors import (
    ArchiveError,
    BadDocument,
    BadKey,
    CannotSay,
    ComparisonError,
    EventError,
    NoSuchLog,
    NotALog,
    PluginError,
    PluginFails,
    RowsRefused,
    SeveralLists,
    UnknownList,
    UnknownName,
    UnknownUid,
    ViewError,
    WrongForm,
)

DONE = 0
FAILED = 1
MISTAKE = 2

MISTAKES = (
    EventError,
    ViewError,
    PluginError,
    ArchiveError,
    ComparisonError,
    UnknownUid,
    UnknownName,
    UnknownList,
    SeveralLists,
    BadDocument,
    BadKey,
    NoSuchLog,
    NotALog,
    WrongForm,
    CannotSay,
)
"""Errors that are mistakes in what was asked; all others of ratingcore are refusals or failures."""


REFUSALS = (RowsRefused, PluginFails)
"""Errors of those branches that are none: the data was refused, or a stranger's code failed."""


def exit_code(error: Exception) -> int:
    """Exit code of a command that ends with an error."""
    if isinstance(error, click.ClickException):
        return error.exit_code
    if isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
        return DONE
    return MISTAKE if isinstance(error, MISTAKES) and not isinstance(error, REFUSALS) else FAILED
