"""The command `serve`; it imports the server's modules only when it runs."""

import signal
from pathlib import Path
from typing import Any

import click

from ratingcore.errors import NotInstalled
from ratingcore.plugin.commands import Mistake, command, options

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _of_pools(context: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Parses methods by pool; the empty name stands for all other pools."""
    found: dict[str, str] = {}
    for text in given:
        pool, equals, method = text.partition("=")
        of_pool = bool(equals) and ":" not in pool
        found |= {pool: method} if of_pool else {"": text}
    return found


def _users(context: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Parses scopes by user."""
    return {name: scope for name, _, scope in (text.rpartition("=") for text in given)}


def _limits(context: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, float]:
    """Parses limits by name."""
    found: dict[str, float] = {}
    for text in given:
        name, _, number = text.partition("=")
        try:
            found[name] = int(number) if number.isdigit() else float(number)
        except ValueError:
            raise Mistake(f"--limit is not NAME=NUMBER: {text}", "such as --limit seconds=20") from None
    return found


@command(
    "serve",
    "ratingcore serve club.db",
    "ratingcore serve club.db --port 8080 --method rapid=elo:k=24 --title 'Club ratings'",
    "ratingcore serve club.db --host 0.0.0.0 --read-only --warm",
    "ratingcore serve 'postgresql://club@db/league?log=rapid' --workers 4",
    "ratingcore serve leagues/",
)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 for any free one."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True,
    help="Number of processes; more than one needs a log in PostgreSQL, or --read-only.",
)  # fmt: skip
@click.option(
    "--method", "methods", multiple=True, callback=_of_pools, metavar="[POOL=]METHOD",
    help="Method of the lists of a pool, or of all pools, in place of the declared one; repeatable.",
)  # fmt: skip
@click.option(
    "--methods", "offered", type=click.Choice(["declared", "any"]), default="declared", show_default=True,
    help="Methods that anonymous readers may ask for: those that are declared, published or given by "
    "--method, or any method. With a token, any method is allowed.",
)  # fmt: skip
@click.option("--title", default="Ratings", show_default=True, help="Name of the site.")
@options.language
@click.option("--css", type=_FILE, help="A style sheet that is added to the bundled one.")
@click.option(
    "--templates", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of templates; each replaces the bundled one of its name.",
)  # fmt: skip
@click.option("--read-only", is_flag=True, help="Record nothing.")
@click.option("--private", is_flag=True, help="Require a token even for reading.")
@click.option("--warm", is_flag=True, help="Let /ready answer 200 only after the list of every pool has been computed.")
@click.option("--tokens", type=click.Path(dir_okay=False, path_type=Path), help="File of tokens, jobs and uploads.")
@click.option(
    "--allow-origin", multiple=True, metavar="ORIGIN", help="A site whose scripts may read the API; repeatable.",
)  # fmt: skip
@click.option(
    "--allowed-host", multiple=True, metavar="NAME",
    help="A host name of the service; requests to other names are refused. Repeatable.",
)  # fmt: skip
@click.option(
    "--embed-in", multiple=True, metavar="ORIGIN",
    help="A site that may show pages below /embed in a frame; repeatable.",
)  # fmt: skip
@click.option(
    "--trusted-proxy", default="", metavar="ADDRESS", help="The proxy whose X-Forwarded-For header is trusted."
)
@click.option("--user-header", default="", metavar="NAME", help="Header in which that proxy passes the signed-in user.")
@click.option(
    "--user", "users", multiple=True, callback=_users, metavar="NAME=SCOPE",
    help="What a user of that proxy may do; all others may read. Repeatable.",
)  # fmt: skip
@click.option("--openid", type=_FILE, help="A file with the OpenID Connect provider, and what its users may do.")
@click.option(
    "--limit", "limits", multiple=True, callback=_limits, metavar="NAME=NUMBER",
    help="A limit that replaces the default: body_bytes, seconds, waiting, rate, ...; repeatable.",
)  # fmt: skip
def serve(
    logs: tuple[str, ...],
    host: str,
    port: int,
    workers: int,
    css: Path | None,
    limits: dict[str, float],
    **settings: Any,
) -> None:
    """Serve a log, or several: pages for players and officers, and an API for programs.

    The pages are at the address that is printed, and the API is below it at /api/v1. Several logs, or a folder of them,
    are served below their names: club.db at /club/ and /club/api/v1, each with tokens of its own. Each request is
    logged as a line of JSON on stderr. Other machines have access only with a token, or with --read-only. Ctrl-C stops
    the service.
    """
    try:
        from ratingcore_service.running import run
    except ImportError as missing:
        raise NotInstalled(missing.name or "", "serve", "service") from None
    text = "" if css is None else css.read_text("utf-8")
    try:
        run(logs, host, port, workers, {**settings, **limits, "css": text})
    except KeyboardInterrupt:  # the way to stop it, so nothing was interrupted
        raise click.exceptions.Exit(128 + signal.SIGINT) from None
    except SystemExit as end:  # a signal is not the failure of a plugin, which would load all plugins to name it
        if not isinstance(end.code, int):
            raise
        raise click.exceptions.Exit(end.code) from None
