"""Arguments and options that many commands share, and the class of all commands."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click
from attrs import evolve

from ratingcore.cli import completion
from ratingcore.cli.console import Mistake
from ratingcore.cli.output import chosen
from ratingcore.errors import BadValue
from ratingcore.events import instant
from ratingcore.events.bounds import check_played
from ratingcore.explain.points_table import Worth
from ratingcore.lists import ListPolicy
from ratingcore.lists.cuts import played_through

_NEGATIVE = re.compile(r"-[.,]?\d")
_HIDDEN = "\0"  # no argument can hold it


class Command(click.Command):
    """Click command whose help ends with examples, and whose arguments may be negative numbers.

    Parameters
    ----------
    examples : tuple of str
        Command lines, which a test runs in this order.
    """

    def __init__(self, *args: Any, examples: tuple[str, ...], **options: Any) -> None:
        super().__init__(*args, **options)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")

    def make_parser(self, ctx: click.Context) -> Any:
        """Makes click's parser take -500 as a number rather than an option; no option begins with a digit."""
        parser = super().make_parser(ctx)
        parse = parser.parse_args

        def parse_args(args: list[str]) -> tuple[dict[str, Any], list[str], list[click.Parameter]]:
            values, rest, order = parse([_HIDDEN + arg if _NEGATIVE.match(arg) else arg for arg in args])
            return {name: _shown(value) for name, value in values.items()}, _shown(rest), order

        parser.parse_args = parse_args  # type: ignore[method-assign]  # click has no other place for it
        return parser


def _shown(value: Any) -> Any:
    """Restores negative numbers, which were hidden from the parser, in parsed arguments."""
    if isinstance(value, list | tuple):
        return type(value)(map(_shown, value))
    return value.removeprefix(_HIDDEN) if isinstance(value, str) else value


def command(name: str, *examples: str) -> Callable[[Callable[..., Any]], Command]:
    """Returns a decorator that makes a function a command with this name and with these examples in its help."""
    return click.command(name, cls=Command, examples=examples)


Function = Callable[..., Any]
"""Function of a command, which is called with the values of its options."""
F = TypeVar("F", bound=Function)

FORMATS = ("table", "csv", "csv-spreadsheet", "json", "jsonl")

PROTECTED = "csv-spreadsheet is csv with ' before = + - @, so that no spreadsheet takes text for a formula."


MOST = 10**9
"""Largest count that the command line accepts."""


class Count(click.IntRange):
    """Type of options that count something, with an upper bound that the help does not mention."""

    def __init__(self, least: int, most: int = MOST) -> None:
        super().__init__(min=least)
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        count: int = super().convert(value, param, ctx)
        return count if count <= self.most else self.fail(f"{value} is more than {self.most}", param, ctx)


def checked_time(text: str, option: str) -> str:
    """Returns a typed day or time unchanged if it is valid; a day is not made a time, since it means the whole day."""
    try:
        played_through(text)
    except BadValue as problem:
        raise Mistake(f"{option} {problem.why}: {text!r}", "write days like 2024-03-31") from None
    return text


def a_time(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """Callback of an option that takes a day or a time."""
    return None if text is None else checked_time(text, max(param.opts, key=len))


def a_played_time(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """Callback of an option that takes a day or a time at which a game may have been played."""
    time = a_time(ctx, param, text)
    try:
        if time is not None:
            check_played(instant(time))
    except BadValue as problem:
        raise Mistake(f"{max(param.opts, key=len)} {problem.why}: {text!r}", "write days like 2024-03-31") from None
    return time


def a_worth(ctx: click.Context, param: click.Parameter, text: str | None) -> Worth | None:
    """Callback of an option with the points for a win, a draw and a loss: `3,1,0`."""
    if text is None:
        return None

    try:
        return Worth.parse(text)
    except BadValue as problem:
        raise Mistake(f"--worth {problem.why}: {text}", "for a win, a draw and a loss, such as 3,1,0") from None


log = click.argument("log", metavar="LOG", shell_complete=completion.files)

pool = click.option(
    "--pool",
    "-p",
    metavar="NAME",
    shell_complete=completion.pools,
    help="The pool; the log's only pool if left out.",
)

listed_pool = click.option(
    "--pool",
    "-p",
    metavar="NAME",
    shell_complete=completion.pools,
    help="Only lists of this pool; of all pools if left out.",
)

concerned_pool = click.option(
    "--pool",
    "-p",
    metavar="NAME",
    shell_complete=completion.pools,
    help="The pool to rate; the pool of the event if left out.",
)

method = click.option(
    "--method", "-m", metavar="METHOD", shell_complete=completion.methods,
    help="Method with its parameters, such as elo:k=24; ratingcore methods lists them. If left out, the "
    "method declared for the pool, or elo.",
)  # fmt: skip

through = click.option(
    "--through", "-t", callback=a_time, metavar="DAY", help="Last day of play that counts (included)."
)

known_at = click.option(
    "--known-at", "-k", metavar="CUT", shell_complete=completion.lists,
    help="Use the log as it was known then: a position, POSITION:DIGEST as lists print it, a day or time "
    "(UTC), or the name of a published list.",
)  # fmt: skip

encoding = click.option("--encoding", metavar="NAME", help="Encoding of text that is not UTF-8.")

why = click.option("--why", default="", metavar="TEXT", help="The reason, kept in the log.")

by = click.option("--by", default="", metavar="NAME", help="Who decided it, kept in the log.")

sign = click.option(
    "--sign", metavar="KEYFILE", help="Sign the JSON document with an Ed25519 key, a PEM file; prove --key checks it."
)


def _format(**more: Any) -> Callable[[F], F]:
    return click.option(
        "--format", "-f", "form", type=click.Choice(FORMATS),
        help=f"Format of the rows. Default: a table on a terminal, csv elsewhere. {PROTECTED}", **more,
    )  # fmt: skip


form = _format(callback=lambda ctx, param, form: chosen(form))

given_form = _format()
"""The same option for commands that must know whether a format was given; it is None if not."""

PAGES = (".html", ".pdf")
"""Endings of the names of files that are written as pages for people."""


def _a_page(context: click.Context, option: click.Parameter, file: str | None) -> str | None:
    if file is not None and not file.lower().endswith(PAGES):
        raise Mistake(
            f"--to writes .html or .pdf files, and this name ends otherwise: {file}",
            "name the file .html or .pdf, or use --format for data",
        )
    return file


language = click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="CODE",
    help="Language of the page: en, cs, de, es, fr, it, pl, pt or ru.",
)


def page(command: F) -> F:
    """Adds the options `page` and `language` to a command that can write its answer as a page."""
    to = click.option(
        "--to", "page", callback=_a_page, metavar="FILE",
        help="Write a page to a new file: .html, complete in one file, or .pdf.",
    )  # fmt: skip
    return to(language(command))


min_games = click.option("--min-games", type=Count(0), metavar="N", help="Leave off players with fewer results.")

active = click.option(
    "--active", metavar="WINDOW",
    help="Leave off players without a result in this window before the day of the list: '12 months', '90 "
    "days'.",
)  # fmt: skip

_POLICY = (
    min_games,
    active,
    click.option(
        "--provisional", type=Count(0), metavar="N",
        help="Add a column with '4 of 9 games' for players with fewer than N results.",
    ),
    click.option("--digits", type=click.IntRange(-4, 9), metavar="N", help="Decimals of the rating."),
    click.option(
        "--significant", type=click.IntRange(1, 15), metavar="N",
        help="Least number of significant digits of the rating.",
    ),
    click.option(
        "--ties", type=click.Choice(("shared", "dense", "games")),
        help="Ranks of equal ratings: shared (the default) is 1, 1, 3; dense is 1, 1, 2; games puts more "
        "results first.",
    ),
)  # fmt: skip


def policy(command: F) -> F:
    """Adds the options of a list policy; `list_policy` makes a policy from their values."""
    for option in reversed(_POLICY):
        command = option(command)
    return command


def list_policy(before: ListPolicy, **given: Any) -> ListPolicy:
    """Returns a policy changed by the given options; options that are None leave it unchanged."""
    return evolve(before, **{name: value for name, value in given.items() if value is not None})


exact = click.option("--exact", is_flag=True, help="Add the unrounded numbers: rating_exact, ...")

own_uid = click.option(
    "--uid", "own_uid", metavar="TEXT",
    help="A uid for the correction; giving the same correction again under the same uid changes nothing.",
)  # fmt: skip

dry_run = click.option(
    "--dry-run", is_flag=True, help="Show what would be recorded and who would move, and write nothing."
)

tried_method = click.option(
    "--method", "-m", metavar="METHOD", shell_complete=completion.methods,
    help="With --dry-run, the method of the ratings shown; the pool's own if left out.",
)  # fmt: skip

tried_pool = click.option(
    "--pool",
    "-p",
    metavar="NAME",
    help="With --dry-run, the pool whose ratings are shown; the pool of the event if left out.",
)
