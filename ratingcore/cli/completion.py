"""Completes words on a command line in a shell: files, pools, players, methods, published lists.

Completion imports only what a word needs: a log is opened only for names that it holds, and plugins are searched only
for methods. A log that cannot be read gives no completions.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from ratingcore.engine import Engine


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completes files and folders, which the shell does itself."""
    return [CompletionItem(incomplete, type="file")]


def pools(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completes the pools of the log on the command line."""
    return _of_log(ctx, incomplete, lambda engine: engine.log.book.keys_of("pool"))


def players(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completes the keys of the players of the log on the command line."""
    return _of_log(ctx, incomplete, lambda engine: engine.log.book.keys_of("player"))


def lists(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completes the names of the published lists of the log on the command line."""
    return _of_log(ctx, incomplete, lambda engine: (published.name for published in engine.published()))


def methods(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completes the names of the installed methods, and after a colon their parameters."""
    from ratingcore.errors import RatingCoreError
    from ratingcore.methods.text import parameters
    from ratingcore.registry import Registry

    registry, (name, colon, given) = Registry.installed(), incomplete.partition(":")
    if not colon:
        return _beginning(registry.methods, name)
    before, comma, _ = given.rpartition(",")
    try:
        return _beginning((f"{name}:{before}{comma}{one}=" for one in parameters(registry.method(name))), incomplete)
    except RatingCoreError:
        return []


def _of_log(ctx: click.Context, incomplete: str, names: "Callable[[Engine], Iterable[str]]") -> list[CompletionItem]:
    from ratingcore.engine import open_engine
    from ratingcore.errors import RatingCoreError

    log = ctx.params.get("log") or next(iter(ctx.args), "")  # no argument is read if an option lacks its value
    try:
        with open_engine(str(log), read_only=True) as engine:
            return _beginning(names(engine), incomplete)
    except (RatingCoreError, OSError):
        return []


def _beginning(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
