"""The command `serve`; the modules of a server are imported when it runs."""

from pathlib import Path
from typing import Any

import click

from ratingcore.plugin.commands import Mistake, command, options

EXTRA = 'pip install "ratingcore[service]"'


def _of_pools(context: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Methods by pool; under the empty name the one for all others."""
    found: dict[str, str] = {}
    for text in given:
        pool, equals, method = text.partition("=")
        of_pool = bool(equals) and ":" not in pool
        found |= {pool: method} if of_pool else {"": text}
    return found


def _users(context: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Scopes by user."""
    return {name: scope for name, _, scope in (text.rpartition("=") for text in given)}


def _limits(context: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, float]:
    """Limits by name."""
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
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 for a free one.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes; more than one for a log in PostgreSQL, or with --read-only.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    callback=_of_pools,
    metavar="[POOL=]METHOD",
    help="What a pool is shown by, in place of its own question; repeatable.",
)
@click.option(
    "--methods",
    "offered",
    type=click.Choice(["declared", "any"]),
    default="declared",
    show_default=True,
    help="By which methods anybody may ask: those that are declared, published or set by --method, or any. Whoever has "
    "a token may ask by any.",
)
@click.option("--title", default="Ratings", show_default=True, help="Name of the site.")
@options.language
@click.option(
    "--css", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Rules after the bundled ones."
)
@click.option(
    "--templates",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of templates that replace bundled ones of the same name.",
)
@click.option("--read-only", is_flag=True, help="Take nothing in.")
@click.option("--private", is_flag=True, help="Reading needs a token too.")
@click.option("--warm", is_flag=True, help="Make the lists of all pools before /ready answers 200.")
@click.option("--tokens", type=click.Path(dir_okay=False, path_type=Path), help="File of tokens, jobs and uploads.")
@click.option("--allow-origin", multiple=True, metavar="ORIGIN", help="Sites whose scripts may read; repeatable.")
@click.option(
    "--allowed-host",
    multiple=True,
    metavar="NAME",
    help="Names of this host; any other is refused.",
)
@click.option("--embed-in", multiple=True, metavar="ORIGIN", help="Sites that may show pages below /embed in a frame.")
@click.option("--trusted-proxy", default="", metavar="ADDRESS", help="The proxy whose X-Forwarded-For counts.")
@click.option("--user-header", default="", metavar="NAME", help="Header in which that proxy names who has signed in.")
@click.option(
    "--user",
    "users",
    multiple=True,
    callback=_users,
    metavar="NAME=SCOPE",
    help="What a user whom that proxy names may do; all others read. Repeatable.",
)
@click.option(
    "--openid",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file that describes the provider of OpenID Connect by which people sign in, and who may do what.",
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    callback=_limits,
    metavar="NAME=NUMBER",
    help="Another limit than the usual one: body_bytes, seconds, waiting, rate, ...; repeatable.",
)
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

    The pages are at the address that is printed, the API below it at /api/v1. Of several logs, or of a folder of them,
    each is below its name, /club/ and /club/api/v1 of club.db, with tokens of its own. A line of JSON a request goes
    to stderr. To be reached by other machines it needs a token, or --read-only. End it with Ctrl-C.
    """
    try:
        from ratingcore_service.running import run
    except ImportError as missing:
        raise Mistake(f"serve needs the package {missing.name}", EXTRA) from None
    text = "" if css is None else css.read_text("utf-8")
    run(logs, host, port, workers, {**settings, **limits, "css": text})
