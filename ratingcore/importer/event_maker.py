"""Makes events of the items that readers yield: decides the keys of players, the pools, the days and the uids."""

import re
from collections.abc import Mapping
from operator import itemgetter

from attrs import evolve

from ratingcore.errors import Absent, BadValue, NotGiven, PluginFails, SeveralDays
from ratingcore.events import NO_ID, Event, GamePlayed, Instant, PlayerDescribed, RatingSeeded, SessionPlayed, Side
from ratingcore.events.bounds import check_name, check_new, check_played, check_player, check_points, check_uid
from ratingcore.events.missing_uids import part_of, scope_of, within
from ratingcore.events.rounds import order_on_day
from ratingcore.events.values import Fact
from ratingcore.importer.local_times import LocalTimes
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.sessions import with_somebody
from ratingcore.readers import (
    DayInDoubt,
    Document,
    Facts,
    Game,
    Options,
    Reader,
    Seed,
    Session,
    Who,
    clean_name,
    identifies_somebody,
)
from ratingcore.readers.spellings import nobody

_FIELD = re.compile(r"\{([a-z_]+)\}")
_MOST = 65_536
"""Largest number of players whose keys are remembered by their names in the file."""


class EventMaker:
    """Makes events of the items of one source.

    Parameters
    ----------
    reader : Reader
    options : Options
    settings : Settings
    only_pool : str
        The only pool of the log; empty if it has none, or several.
    local : LocalTimes or None
        Reads times without an offset; None to leave them as they are.
    names : FieldMap or None
        Its `meant` and `nobody` are for names without an id.
    """

    def __init__(
        self, reader: Reader, options: Options, settings: Settings, only_pool: str, local: LocalTimes | None = None,
        names: FieldMap | None = None,
    ) -> None:  # fmt: skip
        self.reader, self._settings, self.local = reader.name, settings, local
        self._names = names or FieldMap()
        self._by_id, self._somebody = options.players == "id", options.somebody.split(",")
        self._pool = settings.pool or only_pool
        self._keys: dict[tuple[str | None, str], str] = {}
        self._pools: dict[str, str] = {}
        self.doubt: DayInDoubt | None = None
        """A day of the document that can be read as several days; because of it, some results have no day."""
        self.by_name: set[str] = set()
        """Players who are identified by name only."""

    def key(self, who: Who) -> str:
        """The key of a player: their id, or their name in one spelling.

        Raises
        ------
        BadValue
            If the name is not allowed; as `Absent` if it identifies nobody.
        """
        given = who.id if self._by_id else None, who.name
        key = self._keys.get(given)
        if key is None:
            key = check_player("player", given[0].strip()) if given[0] else clean_name(who.name)
            if not given[0]:
                if not identifies_somebody(key) and key not in self._somebody:
                    player, reason = f"player {who.number}".rstrip(), nobody(key) or "unnamed player"
                    raise Absent(player, who.name, "has no name that identifies the player", reason)
                key = self._names.named("player", key)
                self.by_name.add(key)
            if len(self._keys) >= _MOST:
                self._keys.clear()
            self._keys[given] = key
        return key

    def pool(self, tables: Mapping[str, str]) -> str:
        """The pool of an item.

        Raises
        ------
        BadValue
            If neither the user nor the file gives a pool.
        """
        own = tables.get("pool", "").strip()
        if own:
            return check_name("pool", own)
        if "{" not in self._pool:
            if not self._pool:
                raise NotGiven("pool", "", "is not known")
            return self._pool
        named = _FIELD.sub(lambda match: _value_of(match[1], tables, self._pool), self._pool)
        pool = self._pools.get(named)
        if pool is None:
            pool = self._pools[named] = check_name("pool", named.strip())
        return pool

    def game(self, item: Game, scope: str | None = None) -> GamePlayed:
        """The game of an item; in a document its uid is derived within the document's scope.

        Raises
        ------
        BadValue, PlayedThemselves
        """
        a, b = self.key(item.a), self.key(item.b)
        played, data = self._played(item.played, item.data)
        return GamePlayed(
            uid=self._uid(item.key, scope), pool=self.pool(item.tables), played=played, a=a, b=b, score=item.score,
            order=item.order or order_on_day(played, data), data=data,
        )  # fmt: skip

    def session(self, item: Session, scope: str | None = None) -> SessionPlayed:
        """The session of an item.

        Raises
        ------
        BadValue, PlayedThemselves
        """
        played, data = self._played(item.played, item.data)
        unit = data.get("unit")
        sides = [
            Side(tuple(map(self.key, players)), check_points("score", score, unit))
            for players, score in with_somebody(item.sides, itemgetter(0), self.key)
        ]
        return SessionPlayed(
            uid=self._uid(item.key, scope, item.line), pool=self.pool(item.tables), played=played, sides=sides,
            order=item.order or order_on_day(played, data), data=data,
        )  # fmt: skip

    def seed(self, item: Seed) -> RatingSeeded:
        """The seed of an item.

        Raises
        ------
        BadValue
        """
        played, _ = self._played(item.played, {})
        return RatingSeeded(
            uid=NO_ID, pool=self.pool(item.tables), played=played, player=self.key(item.who), values=item.values
        )

    def described(self, item: Facts, pool: str) -> PlayerDescribed:
        """The facts of a player.

        Raises
        ------
        BadValue
        """
        played, _ = self._played(item.played, {})
        data = dict(item.data)
        called = clean_name(str(data.pop("called", "")))
        return PlayerDescribed(pool=pool, played=played, player=self.key(item.who), data=data, called=called)

    def event(self, item: Game | Session | Seed | Event, scope: str | None = None) -> Event:
        """The event of an item; an event made by the reader itself is only moved to the pool that the user names.

        Raises
        ------
        BadValue, PlayedThemselves
        """
        if isinstance(item, Event):
            pool = self._settings.pool
            check_new(item)
            return item if pool is None else evolve(item, pool=pool)  # type: ignore[call-arg]  # results have one
        made: Event
        if isinstance(item, Game):
            made = self.game(item, scope)
        else:
            made = self.session(item, scope) if isinstance(item, Session) else self.seed(item)
        return made if self.local is None else self.local.event(made, item.line)

    @staticmethod
    def stripped(data: Mapping[str, Fact]) -> Mapping[str, Fact]:
        """Returns the facts of a result, with blanks around the name of its tournament removed."""
        event = data.get("event")
        return {**data, "event": event.strip()} if isinstance(event, str) and event != event.strip() else data

    def _played(self, played: Instant | None, data: Mapping[str, Fact]) -> tuple[Instant, Mapping[str, Fact]]:
        data = self.stripped(data)
        if played is not None:
            return check_played(played), data
        if self._settings.played is None:
            if self.doubt is not None:
                raise SeveralDays.of(str(self.doubt.value), self.doubt.forms)
            raise NotGiven("played", "", "is not known, since the result has no date")
        return self._settings.played, {**data, "dated": "event"}

    def _uid(self, key: tuple[str, ...], scope: str | None, line: int = 0) -> str:
        """The id of an event, or its placeholder until the log derives one."""
        if not all(isinstance(part, str) for part in key):
            raise PluginFails(f"of the reader {self.reader}", f"a key of a result is {key!r}, not texts")
        if len(key) == 1 and ":" in key[0]:
            return check_uid(key[0])
        if scope is not None:
            return within(scope, part_of(chr(31).join(key)))
        return within(scope_of(self.reader, key)) if key else NO_ID


def _value_of(name: str, tables: Mapping[str, str], template: str) -> str:
    value = tables.get(name, "")
    if not value:
        raise BadValue("pool", template, f"needs the {name}, which this result does not have")
    return value


def item_text(item: object) -> str:
    """Returns the text by which a report quotes an item: the names of its players, or of its tournament."""
    if isinstance(item, Game):
        return f"{item.a.name} - {item.b.name}"[:200]
    if isinstance(item, Session):
        return " / ".join(", ".join(who.name for who in players) for players, _ in item.sides)[:200]
    if isinstance(item, Facts | Seed):
        return item.who.name[:200]
    return item.event[:200] if isinstance(item, Document) else getattr(item, "uid", "")
