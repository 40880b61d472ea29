"""What a session of a table says as a whole, and the event that is made of it."""

import re
from functools import partial
from typing import Any

from ratingcore.errors import BadMapping, BadValue
from ratingcore.events import Fact, SessionPlayed, Side
from ratingcore.events.bounds import see_uid
from ratingcore.events.stand_ins import within_session
from ratingcore.importer.tables.binding import Binding, Reader
from ratingcore.importer.tables.facts import DATA_FIELDS
from ratingcore.importer.tables.fieldmap import FieldMap
from ratingcore.importer.tables.numbers import fact, whole

FACTS = tuple(name for name in DATA_FIELDS if name not in ("handicap", "home", "points_a", "points_b"))
"""Fields of a session's `data` that are read from columns of these names even without a mapping."""

_TYPED = frozenset({"session", "side", "score", "place", "played", "order", "uid", "pool", "sides"})
PLAYER = re.compile(r"player[0-9]?")
"""Columns of the players of a side."""
_FOREIGN = ("a", "b", "values")
PLACES = "place"
"""What `unit` says of scores that are places, the first the best."""


class Common:
    """Readers of what a session says as a whole."""

    def __init__(self, bound: Binding, fields: FieldMap, pool: str | None) -> None:
        foreign = next((name for name in _FOREIGN if name in fields.fields), None)
        if foreign is not None:
            raise BadMapping(fields.where, f"a session has no field {foreign}")
        self.played = bound.required("played", bound.day())
        self.order = bound.optional("order", partial(whole, "order"), "order")
        self.pool = bound.pool(pool)
        self.one_pool = pool or ""
        self.uid = bound.optional("uid", see_uid, "uid", "id")
        self.session = bound.optional("session", str, "session")
        mapped = {name for name in bound.mapped - _TYPED if not PLAYER.fullmatch(name)}
        free = {name: (name,) if name in FACTS else () for name in sorted({*FACTS, *mapped})}
        found = {name: bound.optional(name, fact(name, bound.decimal), *own) for name, own in free.items()}
        self.free: dict[str, Reader[Any]] = {name: reader for name, reader in found.items() if reader is not None}

    def of(self, cells: list[str]) -> dict[str, Fact]:
        """What a row says of its session, without what it leaves empty."""
        order, uid = self.order, self.uid
        said: dict[str, Fact | None] = {name: reader[cells[reader.index]] for name, reader in self.free.items()}
        if cells[self.played.index].strip():
            said["played"] = self.played[cells[self.played.index]]
        if order is not None and cells[order.index].strip():
            said["order"] = order[cells[order.index]]
        if uid is not None:
            said["uid"] = uid.read(cells[uid.index].strip())
        said["pool"] = self.one_pool if self.pool is None else self.pool[cells[self.pool.index]]
        return {name: value for name, value in said.items() if value is not None and value != ""}


def made(said: dict[str, Fact], sides: list[Side], name: str) -> SessionPlayed:
    """The session of what was said, with what stands in for its uid if it has none."""
    facts = dict(said)
    if "played" not in facts:
        raise BadValue("played", "", "is not given")
    day, pool, order = facts.pop("played"), str(facts.pop("pool", "")), facts.pop("order", 0)
    assert isinstance(day, int)
    assert isinstance(order, int)
    players = [player for side in sides for player in side.players]
    uid = str(facts.pop("uid", "")) or within_session(pool, day, name, players)
    return SessionPlayed(uid=uid, pool=pool, played=day, sides=sides, order=order, data=facts)


def place_of(text: str) -> int | None:
    place = whole("place", text)
    if text and place < 1:
        raise BadValue("place", text, "is not a place from 1 on")
    return place or None
