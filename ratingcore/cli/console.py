"""Messages and exit codes of the command line: 0 done, 1 data refused or our failure, 2 a mistake of the user."""

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TextIO

import click

from ratingcore.cli.words import hint
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
    RatingCoreError,
    RowsRefused,
    SeveralLists,
    UnknownList,
    UnknownName,
    UnknownUid,
    ViewError,
    WrongForm,
)
from ratingcore.safe_text import concealed, visible


def on_log(command: str, *words: str) -> str:
    """Returns a command on the current log that the user can copy.

    Examples
    --------
    >>> with click.Context(click.Command("import")) as context:
    ...     context.params["log"] = "our club.db"
    ...     on_log("void", "--positions", "3-5")
    "ratingcore void 'our club.db' --positions 3-5"
    """
    return f"ratingcore {shlex.join([command, click.get_current_context().params['log'], *words])}"


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
"""Errors that end a command with exit code 2, as mistakes of the user."""


REFUSALS = (RowsRefused, PluginFails)
"""Subclasses of `MISTAKES` that end with exit code 1: data was refused, or the code of a plugin failed."""


def exit_code(error: Exception) -> int:
    """Returns the exit code of a command that ends with an error."""
    if isinstance(error, click.ClickException):
        return error.exit_code
    if isinstance(error, BrokenPipeError):  # the reader of our output has closed it
        return DONE
    return MISTAKE if isinstance(error, MISTAKES) and not isinstance(error, REFUSALS) else FAILED


MOST = 1_500
"""Largest length of a message, in characters."""


class Mistake(click.ClickException):
    """Error for a request that cannot be met; the command ends with exit code 2."""

    exit_code = MISTAKE

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Interrupted(click.Abort):
    """Ctrl-C in a command that reports what it has done so far."""

    def __init__(self, so_far: str) -> None:
        super().__init__()
        self.so_far = so_far


def note(text: str) -> None:
    """Prints a message to stderr, since stdout is for data; passwords in addresses are concealed."""
    click.echo(_brief(visible(concealed(text), lines=True), sys.stderr), err=True)


def say(text: str) -> None:
    """Prints sentences to stdout; `ratingcore.cli.output` writes data, and leaves it unchanged."""
    click.echo(_brief(visible(text, lines=True), sys.stdout))


_DIGEST = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{52}\b")


def _brief(text: str, stream: TextIO) -> str:
    """On a terminal, shortens digests to twelve digits, which every option accepts."""
    return _DIGEST.sub(r"\1", text) if stream.isatty() else text


def shortened(text: str) -> str:
    """Returns a message, or the beginning and the end of it if it is too long."""
    if len(text) <= MOST:
        return text
    return f"{text[: MOST - 300]} ... ({len(text):,} characters) ... {text[-200:]}"


def complain(message: str, hint: str = "") -> None:
    """Prints an error, with a hint about what to do next."""
    message, hint = shortened(concealed(message)), shortened(concealed(hint))
    note(f"error: {message}" + (f"\n\nhint: {hint}" if hint else ""))


def report_error(error: Exception) -> int:
    """Prints an error with its hint, and returns the exit code of the command."""
    if isinstance(error, BrokenPipeError):
        discard_output()
    else:
        complain(*_worded(error))
    return exit_code(error)


def _worded(error: Exception) -> tuple[str, str]:
    """Returns the message and the hint of an error."""
    if isinstance(error, RatingCoreError):
        return str(error), hint(error)
    if isinstance(error, Mistake):
        return error.message, error.hint
    if isinstance(error, click.ClickException):
        return _of_click(error)
    if isinstance(error, Interrupted):
        return "interrupted", error.so_far
    if isinstance(error, click.Abort):
        return "interrupted", "what was done so far stays; run the same command again to continue"
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        return (error.strerror or str(error) or type(error).__name__).lower() + where, ""
    if isinstance(error, MemoryError):
        return "out of memory", "ask for less at once"
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return message, "this is a bug in ratingcore; ratingcore --debug COMMAND shows where"


def _of_click(error: click.ClickException) -> tuple[str, str]:
    """Returns the message and the hint for a mistake that click found, in our style."""
    message = error.message if isinstance(error, click.exceptions.NoSuchOption) else error.format_message()
    if not message and isinstance(error, click.MissingParameter):
        message = str(error)
    message = message.strip().removesuffix(".")
    near = getattr(error, "possibilities", None)
    ctx = getattr(error, "ctx", None)
    hint = f"did you mean {' or '.join(sorted(near))}?" if near else f"{ctx.command_path} --help" if ctx else ""
    return message[:1].lower() + message[1:], hint


def print_traceback(error: BaseException) -> None:
    """Prints the traceback of an error, with passwords concealed."""
    import traceback

    sys.stderr.write(concealed("".join(traceback.format_exception(error))))


def discard_output() -> None:
    """Discards output that is not written yet, so that closing stdout does not fail on a closed pipe."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def prepare() -> None:
    """Makes every name printable: in UTF-8 in files and pipes, with escapes on a terminal that lacks letters."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the calling program
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # open until the process ends
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            if stream.isatty():
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")


class Counter:
    """Shows a count on stderr, with a rate, and the time left if its end is known; it is silent without a terminal."""

    def __init__(self, label: str, what: str) -> None:
        self._label, self._what = visible(label), what
        self._terminal = sys.stderr.isatty()
        self._began, self._end = monotonic(), 0

    def expect(self, end: int) -> None:
        """Begins to count up to a known end."""
        self._began, self._end = monotonic(), end

    def __call__(self, count: int) -> None:
        """Shows a count."""
        passed, more = monotonic() - self._began, ""
        if 1 <= passed <= count:
            left = (self._end - count) * passed / count
            more = f", {count / passed:,.0f} a second"
            more += f", {left:,.0f} s left" if 0 < left < 100 else f", {left / 60:,.0f} min left" if left > 0 else ""
        if self._terminal:
            click.echo(f"\r{self._label}: {count:,} {self._what}{more}  ", nl=False, err=True)


def progress(label: str, what: str = "rows") -> Counter:
    """Returns a counter, to be called with each number of rows done."""
    return Counter(label, what)


def progress_done() -> None:
    """Clears the line of the counter on a terminal."""
    if sys.stderr.isatty():
        click.echo(f"\r{'':78}\r", nl=False, err=True)


@contextmanager
def counting(label: str, what: str) -> Iterator[Callable[[int], None]]:
    """Context manager that shows a counter like `progress`, and clears its line at the end, even after an error."""
    progress(label, what)(0)
    try:
        yield progress(label, what)
    finally:
        progress_done()
