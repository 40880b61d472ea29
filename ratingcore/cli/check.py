"""`ratingcore check`: whether a method keeps the laws of the contract."""

import click

from ratingcore.cli.command import Command
from ratingcore.cli.console import complain, say
from ratingcore.cli.exit_codes import FAILED


@click.command("check", cls=Command, examples=("ratingcore check elo", "ratingcore check elo:k=40,curve=normal"))
@click.argument("method")
def check(method: str) -> None:
    """Check that a method keeps the laws of the contract.

    For authors of methods: a method is whatever passes. A line a law; exit code 1 if one is broken.
    """
    from ratingcore.registry import Registry
    from ratingcore.testing import check_method

    report = check_method(Registry.installed().method(method))
    say("\n".join(report.lines()))
    if not report.passed:
        complain(f"{method} breaks laws of the method contract")
        click.get_current_context().exit(FAILED)
