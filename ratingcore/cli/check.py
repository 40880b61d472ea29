"""`ratingcore check`: whether a method, or a reader of files, keeps the laws of its contract."""

import click

from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, complain, say
from ratingcore.cli.exit_codes import FAILED


@click.command(
    "check",
    cls=Command,
    examples=(
        "ratingcore check elo",
        "ratingcore check elo:k=40,curve=normal",
        "ratingcore check --reader opengotha cup.xml open.xml",
    ),
)
@click.argument("names", metavar="METHOD | FILE...", nargs=-1, required=True)
@click.option("--reader", metavar="NAME", help="Check this reader of files instead, on files of its format.")
def check(names: tuple[str, ...], reader: str | None) -> None:
    """Check that a method keeps the laws of the contract, or that a reader does.

    For authors of methods: a method is whatever passes. With --reader, the laws of readers are checked on FILEs and
    damaged copies of them: they are recognised, reports add up, the same file again is nothing, nothing ends in a
    traceback. A line a law; exit code 1 if one is broken.
    """
    from ratingcore.registry import Registry
    from ratingcore.testing import check_method, check_reader

    if reader is not None:
        from ratingcore.importer.choice import readers_of

        installed = readers_of(Registry.installed())
        if reader not in installed:
            raise Mistake(f"no reader is named {reader}", f"installed are {', '.join(installed)}")
        report, what = check_reader(installed[reader], names), "reader"
    else:
        if len(names) > 1:
            raise Mistake("one method is checked at a time", "say --reader NAME to check a reader on files")
        report, what = check_method(Registry.installed().method(names[0])), "method"
    say("\n".join(report.lines()))
    if not report.passed:
        complain(f"{reader or names[0]} breaks laws of the {what} contract")
        click.get_current_context().exit(FAILED)
