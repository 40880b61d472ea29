"""A command with examples at the end of its help: lines that run."""

from typing import Any

import click


class Command(click.Command):
    """A click command whose help ends with examples, which a test runs.

    Parameters
    ----------
    examples : tuple of str
        Command lines, in an order in which they make sense.
    """

    def __init__(self, *args: Any, examples: tuple[str, ...], **options: Any) -> None:
        super().__init__(*args, **options)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")
