"""The question of an address: its names and numbers, the state of the log it is pinned to, its permalink."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urlencode

import msgspec
from attrs import evolve, frozen
from ratingcore_pages import Pages, PoolAnswers

from ratingcore import Engine, RatingList
from ratingcore.errors import OtherQuestion, UnknownName
from ratingcore.plugin.analysis import View, pools_of, questions, steps_of
from ratingcore_service.access import check_method, check_pools, trusted
from ratingcore_service.problems import NotFound, NotOffered
from ratingcore_service.routing import Asked
from ratingcore_service.settings import Settings
from ratingcore_service.wire import POSITION, OfPool, Row, answer

TAKEN = (
    "log", "desk", "static", "api", "live", "ready", "metrics", "about", "embed", "x", "jobs", "events", "style.css"
)  # fmt: skip
"""Parts at the top of the address that pools cannot use."""
INNER = "\0"
"""A slash within a part of an address, as the routes see it: no name or value has this character."""
LEFT = {"after": 0, "top": 100, "format": "json", "at_least": 0}
"""Fields that an address leaves out at their usual values."""
_DAY = re.compile(r"\s*\d{4}-\d{2}(-\d{2}.*)?\s*")
_NUMBER = re.compile(r"~\d+", re.ASCII)

A = TypeVar("A", bound=OfPool)


@frozen
class Question:
    """A question to a pool.

    Parameters
    ----------
    engine : Engine
    asked : Asked
    pool : str
    method : str or None
        None for the pool's own.
    through : str or None
    known_at : str or int
        As requested; a position of the log if the question has none, so that all parts agree.
    """

    engine: Engine
    asked: Asked
    pool: str
    method: str | None
    through: str | None
    known_at: str | int

    @classmethod
    def of(cls, engine: Engine, asked: Asked) -> "Question":
        """The question of an address."""
        pool, query = pool_of(engine, asked), asked.query
        known_at = engine.log.look().stamp.position if query.known_at is None else query.known_at
        return cls(engine, asked, pool, asked.method(pool), getattr(query, "through", None), known_at)

    @property
    def cuts(self) -> tuple[str, str | None, str | None, str | int]:
        """Pool, method and cuts, as the engine takes them."""
        return self.pool, self.method, self.through, self.known_at

    def like(self, cut: str) -> "Question":
        """This question by the method of the published list that a cut names, and through its day if none is asked.

        Raises
        ------
        OtherQuestion
            If another method is asked for: what differs would mix two formulas.
        """
        named = self.engine.core.list_of(cut, self.pool)
        if named is None:
            return self
        method = self.engine.registry.method(named.method)
        if self.asked.query.method is not None and self.engine.registry.method(self.asked.query.method) != method:
            raise OtherQuestion(f"{named.name} is by {named.method}", f"by {self.asked.query.method} is asked")
        return evolve(self, method=named.method, through=self.through or named.cut)

    @property
    def pages(self) -> Pages:
        """The pages of this question; those of one head are made once."""
        return self.asked.service.pages(self.engine, self.method, self.through, self.known_at)

    @property
    def answers(self) -> PoolAnswers:
        """What pages show of the pool."""
        return self.pages.answers(self.pool)

    @property
    def listed(self) -> RatingList:
        """The rating list."""
        return self.engine.rating_list(*self.cuts)

    @property
    def view(self) -> View:
        """The results."""
        return self.engine.core.view(self.pool, self.through, self.known_at)

    def answer(self, kind: type[A], head: str, source: object = None, /, **own: Any) -> A:
        """An answer to this question, see `wire.answer`: with its method with all parameters, and its permalink."""
        usual = {"head": head, "pool": self.pool, "method": self.listed.provenance.method}
        return answer(kind, source, **{**usual, "permalink": self.link(head), **own})

    def link(self, head: str, **changed: Any) -> str:
        """The address of this question at a head of the log."""
        cut = self.asked.cut
        known_at = head if cut is None or _DAY.fullmatch(cut) else cut  # a list is asked for as it was made
        given = msgspec.structs.asdict(self.asked.query) | {"method": self.method, "known_at": known_at} | changed
        fields = {name: value for name, value in given.items() if value is not None and LEFT.get(name) != value}
        fields |= {name: player_number(self.engine, fields[name]) for name in ("a", "b") if name in fields}
        rest = unquote(self.asked.address.partition("?")[0].removeprefix("/api/v1/pools/").partition("/")[2])
        if "player" in self.asked.path:  # names must not stay in addresses that are passed on
            who = str(self.asked.path["player"])
            rest = rest.replace(who, str(player_number(self.engine, who)), 1)
        return permalink(self.asked, f"/api/v1/pools/{pool_part(self.engine, self.pool)}/{quote(rest)}", fields)

    def following(self, head: str, rows: int) -> str | None:
        """The address of the rows that come next, of so many; None if there are none."""
        end = self.asked.query.after + self.asked.query.top
        return self.link(head, after=end) if end < rows else None


def check_offered(engine: Engine, asked: Asked) -> None:
    """Refuses a method that is not public: one that was not declared, published or set for the service.

    Raises
    ------
    NotOffered
    """
    given = getattr(asked.query, "method", None) or getattr(asked.body, "method", None)
    if given is None or trusted(asked.caller) or asked.service.settings.offered == "any":
        return
    texts = offered(engine, asked.service.settings)
    method = engine.registry.method
    if method(given) not in map(method, [*texts, *(step for text in texts for step in steps_in(text))]):
        raise NotOffered(given, texts)


def offered(engine: Engine, settings: Settings) -> list[str]:
    """The public methods; the names of all, if any is public."""
    if settings.offered == "any":
        return sorted(engine.registry.methods)
    found = dict.fromkeys(settings.methods.values())
    for pool in engine.pools():
        found |= dict.fromkeys(own_methods(engine, pool))
    return list(found)


def own_methods(engine: Engine, pool: str) -> list[str]:
    """The methods that are declared for a pool, or by which lists of it are published."""
    declared = [one.method for one in questions(engine.log, pool) if one.method]
    published = [one.method for one in engine.published(pool)]
    return [*declared, *published, engine.core.official(engine.core.view(pool)).text]


def check_limits(engine: Engine, asked: Asked) -> None:
    """Refuses a pool that is not the caller's, and a method that reads one, unless it is the pool's own.

    Raises
    ------
    NotAllowed
    """
    pool, method = pool_of(engine, asked), engine.registry.method
    check_pools(asked.caller, [pool])
    for given in (getattr(asked.query, "method", None), getattr(asked.body, "method", None)):
        if given and pools_of(method(given)):
            own = filter(None, [*own_methods(engine, pool), asked.service.settings.method(pool, None)])
            if method(given) not in map(method, own):
                check_method(engine, asked.caller, given)


def steps_in(text: str) -> list[str]:
    """The steps of a rule with a history."""
    first, later = steps_of(text)
    return [first, *(step for step, _ in later)]


def pool_of(engine: Engine, asked: Asked) -> str:
    """The pool that an address names, by its name or as `~ID`.

    Raises
    ------
    UnknownName
        If the log has no such pool.
    """
    part = str(asked.path["pool"]).replace(INNER, "/")
    if _NUMBER.fullmatch(part):
        return name_of(engine, "pool", int(part[1:]))
    engine.core.pool_id(part)
    return part


def pool_part(engine: Engine, pool: str) -> str:
    """The part of an address that names a pool."""
    odd = pool.startswith("~") or "/" in pool or pool.lower() in TAKEN or pool.strip(".") == ""
    number = engine.log.book.find("pool", pool) if odd else None
    return quote(pool, safe="") if number is None else f"~{number}"


def name_of(engine: Engine, kind: str, number: int) -> str:
    """The name of a pool or the key of a player, by id.

    Raises
    ------
    UnknownName
        If none has it.
    """
    book = engine.log.book
    if not 0 < number <= min(book.count, POSITION) or book.name(number).kind != kind:
        raise UnknownName(kind, str(number))
    return book.key(number)


def player_number(engine: Engine, who: str) -> int:
    """Id of the player whom an address names, by the id itself, or by `~` and their key.

    Raises
    ------
    UnknownName, NotFound
        If the log has no such player, or this is no id.
    """
    if who.startswith("~"):
        return engine.core.player_id(who[1:])
    if not re.fullmatch(r"\d{1,16}", who, re.ASCII):
        raise NotFound(f"player with the id {who}: an address names a player by id, or by ~ and their key")
    name_of(engine, "player", int(who))
    return int(who)


def permalink(asked: Asked, path: str, fields: Mapping[str, Any]) -> str:
    """The address that gives an answer for ever."""
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in fields.items()
        if value not in (None, "")
    }
    return asked.link(path) + (f"?{urlencode(given)}" if given else "")


def named(part: str) -> Callable[[str, str | None], bool]:
    """True if the key of a player, or their visible name, contains a text, in any case of letters."""
    sought = part.casefold()
    return lambda key, called: sought in key.casefold() or sought in (called or "").casefold()


def head_of(listed: RatingList | View) -> str:
    """The head of the log for an answer."""
    made = listed.provenance if isinstance(listed, RatingList) else listed
    return f"{made.known_at}:{made.digest}"


def cells(rows: Any) -> list[Row]:
    """Rows with None for NaN, and plain numbers in place of scores."""
    return [
        {name: None if cell != cell else +cell if isinstance(cell, float) else cell for name, cell in row.items()}
        for row in rows
    ]
