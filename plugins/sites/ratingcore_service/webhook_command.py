"""The command `webhook`: adds, lists and removes the addresses to which a service sends new events."""

from datetime import UTC, datetime
from math import isinf
from pathlib import Path

import click

from ratingcore.errors import NotInstalled
from ratingcore.plugin.commands import Mistake, chosen, command, options, reading, say, write


@command(
    "webhook",
    "ratingcore webhook add club.db https://club.example/news",
    "ratingcore webhook add club.db http://localhost:9000/ --private --moved",
    "ratingcore webhook list club.db",
    "ratingcore webhook remove club.db 5f3a09c1",
)
@click.argument("action", type=click.Choice(["add", "list", "remove"]))
@options.log
@click.argument("address", default="", metavar="[URL or ID]")
@click.option("--private", is_flag=True, help="Allow an address of a private network, and one without TLS.")
@click.option("--moved", is_flag=True, help="Also send whose ratings moved, with new results and corrections.")
@click.option(
    "--tokens", type=click.Path(dir_okay=False, path_type=Path), help="File of the tokens, as given to serve."
)
def webhook(action: str, log: str, address: str, private: bool, moved: bool, tokens: Path | None) -> None:
    """Add, list or remove the addresses to which a running service sends what is recorded from now on.

    The secret that verifies its messages is shown once, here. Messages come in order and at least once, each with an id
    of its own; a message that is not accepted is sent again for three days, and then listed as a dead letter.
    """
    try:
        from ratingcore_service.service_store import ServiceStore
        from ratingcore_service.webhooks import Hooks
    except ImportError as missing:
        raise NotInstalled(missing.name or "", "webhook", "service") from None
    with reading(log) as engine:
        hooks = Hooks(ServiceStore.of(engine, tokens))
        if action != "list" and not address:
            raise Mistake(
                "the URL or ID is missing", "write it like: ratingcore webhook add club.db https://club.example/news"
            )
        if action == "add":
            made = hooks.add(address, engine.log.head.position, private=private, moved=moved)
            say(f"id: {made.id}\nsecret: {made.secret}")
        elif action == "remove" and not hooks.remove(address):
            raise Mistake(f"no webhook has the id {address}", f"ratingcore webhook list {log} shows them")
    if action == "list":
        columns = ("id", "url", "tries", "retry", "error", "dead")
        rows = [
            {
                "id": one.id, "url": one.url, "tries": one.tries, "error": one.error,
                "retry": _time(one.retry),
                "dead": " ".join(f"{first}-{last}" for first, last, *_ in hooks.dead(one.id)),
            }
            for one in hooks.all()
        ]  # fmt: skip
        write(rows, columns, chosen(None))


def _time(retry: float) -> str:
    """Returns when the next attempt is due, in words."""
    if isinf(retry):
        return "never"
    return datetime.fromtimestamp(retry, UTC).isoformat(timespec="seconds") if retry else ""
