"""The command `token`: adds, lists and revokes the tokens of a served log."""

from datetime import UTC, datetime
from pathlib import Path

import click

from ratingcore.errors import NoSuchLog, NotInstalled, UnknownName
from ratingcore.plugin.commands import Mistake, chosen, command, note, options, reading, say, write


@command(
    "token",
    "ratingcore token add club.db secretary --scope officer",
    "ratingcore token add club.db hall --pool rapid --until 2027-07-01",
    "ratingcore token list club.db",
    "ratingcore token revoke club.db 5f3a09c1",
)
@click.argument("action", type=click.Choice(["add", "list", "revoke"]))
@options.log
@click.argument("name", default="", metavar="[NAME or ID]")
@click.option(
    "--scope", type=click.Choice(["read", "record", "correct", "officer", "erase"]), default="record",
    show_default=True, help="What the token allows; each choice includes the ones before it.",
)  # fmt: skip
@click.option(
    "--pool", "pools", multiple=True, help="A pool that the token is for; repeatable. The whole log if left out."
)
@click.option(
    "--until", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="Day on which the token expires, at midnight UTC."
)
@click.option("--known", is_flag=True, help="Allow a name under which the log has events; the token may correct them.")
@click.option(
    "--tokens", type=click.Path(dir_okay=False, path_type=Path), help="File of the tokens, as given to serve."
)
def token(
    action: str, log: str, name: str, scope: str, pools: tuple[str, ...], until: datetime | None, known: bool,
    tokens: Path | None,
) -> None:  # fmt: skip
    """Add, list or revoke the tokens of programs and officers for a log that is served.

    A new token is shown once, here: only a digest of it is kept, in LOG.service next to a log in a file, otherwise in
    the user's folder. NAME is the source of everything that is recorded with the token. A revoked token stops working
    at once.
    """
    try:
        from ratingcore_service.access import open_tokens
        from ratingcore_service.routing import Scope
        from ratingcore_service.settings import Settings
    except ImportError as missing:
        raise NotInstalled(missing.name or "", "token", "service") from None
    try:
        engine = reading(log)
    except NoSuchLog as missing:
        advice = f"ratingcore serve {missing.path} makes it; leave that running, and add the token in another terminal"
        raise Mistake(str(missing), advice) from None
    with engine:
        held = open_tokens(engine, Settings(tokens=tokens))
        if action != "list" and not name:
            if action == "revoke":
                raise Mistake("token revoke needs the id of a token", f"ratingcore token list {log} shows the ids")
            raise Mistake(
                "token add needs a name", f"write it like: ratingcore token add {log} secretary --scope officer"
            )
        if action == "add":
            for pool in pools:
                try:
                    engine.log.book.number("pool", pool)
                except UnknownName as new:
                    note(f"{new}: the token may record its first results. {new.suggestion}".strip())
            if not known and any(f"{source}: ".startswith(f"{name}: ") for source in engine.log.book.keys_of("source")):
                way = "choose another name, or give --known if the new token may correct them"
                raise Mistake(f"the log has events recorded as {name}", way)
            end = None if until is None else until.replace(tzinfo=UTC).timestamp()
            say(held.add(name, Scope[scope.upper()], pools, end))
        elif action == "revoke" and not held.revoke(name):
            raise Mistake(f"no token has the id {name}", f"ratingcore token list {log} shows them")
    if action == "list":
        columns = ("id", "name", "scope", "pools", "until")
        write(
            [
                {
                    "id": one.id, "name": one.name, "scope": one.scope.name.lower(), "pools": " ".join(one.pools),
                    "until": "" if one.until is None else datetime.fromtimestamp(one.until, UTC).date().isoformat(),
                }
                for one in held.all()
            ],
            columns,
            chosen(None),
        )  # fmt: skip
