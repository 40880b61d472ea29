"""Names and numbers in addresses: pools by name or by id, players by id, and permalinks."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from ratingcore import Engine
from ratingcore.errors import UnknownName
from ratingcore_service.routing import Asked
from ratingcore_service.wire.queries import POSITION

TAKEN = (
    "log", "desk", "static", "api", "live", "ready", "metrics", "about", "embed", "x", "jobs", "events", "style.css"
)  # fmt: skip
"""Parts at the top of the address that no pool takes."""


def pool_of(engine: Engine, asked: Asked) -> str:
    """The pool that an address names, by its name or as `~ID`.

    Raises
    ------
    UnknownName
        If the log knows no such pool.
    """
    part = str(asked.path["pool"])
    if part[:1] == "~" and part[1:].isascii() and part[1:].isdigit():
        return _name(engine, "pool", int(part[1:]))
    engine.log.number_of("pool", part)
    return part


def pool_part(engine: Engine, pool: str) -> str:
    """The part of an address that names a pool."""
    if pool.startswith("~") or "/" in pool or pool.lower() in TAKEN or pool.strip(".") == "":
        return f"~{engine.log.number_of('pool', pool)}"
    return quote(pool, safe="")


def player_of(engine: Engine, number: int) -> str:
    """The key of the player of an id.

    Raises
    ------
    UnknownName
        If no player has it.
    """
    return _name(engine, "player", number)


def permalink(asked: Asked, path: str, fields: Mapping[str, Any]) -> str:
    """The address that gives an answer for ever."""
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    return asked.link(path) + (f"?{urlencode(given)}" if given else "")


def _name(engine: Engine, kind: str, number: int) -> str:
    book = engine.log.names_book
    if not 0 < number <= min(book.count, POSITION) or book.name(number).kind != kind:
        raise UnknownName(kind, str(number))
    return book.key(number)
