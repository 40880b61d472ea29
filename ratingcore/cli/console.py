"""What the command line says to people: notes, progress, and every error with its hint and exit code."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from ratingcore.errors import (
    ArchiveError,
    BadDocument,
    ComparisonError,
    EventError,
    NoSuchLog,
    NotALog,
    PluginError,
    RatingCoreError,
    RowsRefused,
    SeveralLists,
    UnknownList,
    UnknownName,
    UnknownUid,
    ViewError,
    WrongForm,
)

ASKED = (
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
    NoSuchLog,
    NotALog,
    WrongForm,
)
"""Errors that are mistakes in what was asked: exit code 2."""


class Mistake(click.ClickException):
    """Something was asked that cannot be done."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def note(text: str) -> None:
    """Say something on stderr: stdout is for data."""
    click.echo(text, err=True)


def complain(message: str, hint: str = "") -> None:
    """Tell an error and what to do next."""
    note(f"error: {message}" + (f"\n\nhint: {hint}" if hint else ""))


def tell(error: Exception) -> int:
    """Tell an error; the exit code it ends with."""
    if isinstance(error, RatingCoreError):
        complain(str(error), error.hint)
        return 2 if isinstance(error, ASKED) and not isinstance(error, RowsRefused) else 1
    if isinstance(error, Mistake):
        complain(error.message, error.hint)
        return error.exit_code
    if isinstance(error, click.ClickException):
        complain(*_of_click(error))
        return error.exit_code
    if isinstance(error, click.Abort):
        complain("interrupted", "what was done before stays; the same command goes on where this one stopped")
        return 1
    if isinstance(error, BrokenPipeError):
        hush()
        return 0
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        complain((error.strerror or str(error) or type(error).__name__).lower() + where)
        return 1
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    complain(said, "this should not happen; ratingcore --debug COMMAND ... shows where it did")
    return 1


def _of_click(error: click.ClickException) -> tuple[str, str]:
    """A mistake that click found, in our words."""
    message = error.message if isinstance(error, click.exceptions.NoSuchOption) else error.format_message()
    if not message and isinstance(error, click.MissingParameter):
        message = str(error)
    message = message.strip().removesuffix(".")
    near = getattr(error, "possibilities", None)
    ctx = getattr(error, "ctx", None)
    hint = f"did you mean {' or '.join(sorted(near))}?" if near else f"{ctx.command_path} --help" if ctx else ""
    return message[:1].lower() + message[1:], hint


def told_with_traceback(error: Exception) -> None:
    """Show where an error came from."""
    import traceback

    traceback.print_exception(error, file=sys.stderr)


def hush() -> None:
    """Let what is still to be written go nowhere, so that nothing complains of a closed pipe at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def prepare() -> None:
    """Make every name printable: UTF-8 into files and pipes, escapes on a terminal that knows fewer letters."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            if stream.isatty():
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8")


def progress(label: str) -> Callable[[int], None]:
    """A counter of rows on stderr; silent where nobody watches."""
    if not sys.stderr.isatty():
        return lambda count: None
    return lambda count: click.echo(f"\r{label}: {count:,} rows", nl=False, err=True)


def progress_done() -> None:
    """Wipe the counter out, so that what comes next has a line of its own."""
    if sys.stderr.isatty():
        click.echo(f"\r{'':78}\r", nl=False, err=True)
