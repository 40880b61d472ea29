"""The question of an address to a pool: its method and cuts, its answers, and its permalink."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from attrs import evolve, frozen
from ratingcore_pages import Page, Pages, PoolAnswers

from ratingcore import Engine, RatingList
from ratingcore.errors import OtherQuestion, RatingCoreError, UnknownName
from ratingcore.plugin.analysis import View, pools_of, questions, steps_of
from ratingcore.plugin.stores import Stamp
from ratingcore_service.access import check_method, check_pools, trusted
from ratingcore_service.problems import NotFound, NotOffered
from ratingcore_service.routing import Asked
from ratingcore_service.wire import POSITION, OfPool, Row, answer

if TYPE_CHECKING:
    from ratingcore_service.service import Service

LEFT = {"after": 0, "top": 100, "format": "json", "at_least": 0}
"""Fields that an address leaves out at their usual values."""
_DAY = re.compile(r"\s*\d{4}-\d{2}(-\d{2}.*)?\s*")
_POSITION = re.compile(r"\s*(?:head )?(\d{1,18})", re.ASCII)
"""The position of a cut that is a position or a head."""
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
        As requested; by default the current position, so that all parts of the answer agree.
    """

    engine: Engine
    asked: Asked
    pool: str
    method: str | None
    through: str | None
    known_at: str | int

    @classmethod
    def of(cls, engine: Engine, asked: Asked) -> "Question":
        """Returns the question of an address."""
        pool, query = pool_of(engine, asked), asked.query
        known_at = engine.log.look().stamp.position if query.known_at is None else query.known_at
        return cls(engine, asked, pool, asked.method(pool), getattr(query, "through", None), known_at)

    @property
    def cuts(self) -> tuple[str, str | None, str | None, str | int]:
        """Pool, method and cuts, as arguments of the engine."""
        return self.pool, self.method, self.through, self.known_at

    def like(self, cut: str) -> "Question":
        """Returns this question with the method of the published list that a cut names, and with its day by default.

        Raises
        ------
        OtherQuestion
            If the question names another method: the difference would mix two formulas.
        """
        named = self.engine.core.list_of(cut, self.pool)
        if named is None:
            return self
        method = self.engine.registry.method(named.method)
        if self.asked.query.method is not None and self.engine.registry.method(self.asked.query.method) != method:
            raise OtherQuestion(f"{named.name} is by {named.method}", f"the query names {self.asked.query.method}")
        return evolve(self, method=named.method, through=self.through or named.cut)

    @property
    def pages(self) -> Pages:
        """The pages of this question, which are cached by cut."""
        return self.asked.service.pages(self.engine, self.method, self.through, self.known_at)

    @property
    def answers(self) -> PoolAnswers:
        """The answers about the pool, as for pages."""
        return self.pages.answers(self.pool)

    def page(self, make: Callable[..., Page], *fields: str) -> Page:
        """Returns a page about the pool, made from the named parts and fields of the address."""
        path, query = self.asked.path, self.asked.query
        return make(self.pages, self.pool, *(path[name] if name in path else getattr(query, name) for name in fields))

    @property
    def listed(self) -> RatingList:
        """The rating list."""
        return self.engine.rating_list(*self.cuts)

    @property
    def view(self) -> View:
        """The results."""
        return self.engine.core.view(self.pool, self.through, self.known_at)

    def answer(self, kind: type[A], head: str, source: object = None, /, **own: Any) -> A:
        """Returns an answer to this question, see `wire.answer`, with the full text of its method and its permalink."""
        usual = {"head": head, "pool": self.pool, "method": self.listed.provenance.method}
        return answer(kind, source, **{**usual, "permalink": self.link(head), **own})

    def link(self, head: str, **changed: Any) -> str:
        """Returns the permalink of this question at a head of the log."""
        cut = self.asked.cut
        known_at = head if cut is None or _DAY.fullmatch(cut) else cut  # a published list stays the cut
        given = msgspec.structs.asdict(self.asked.query) | {"method": self.method, "known_at": known_at} | changed
        fields = {name: value for name, value in given.items() if value is not None and LEFT.get(name) != value}
        fields |= {name: player_number(self.engine, fields[name]) for name in ("a", "b") if name in fields}
        parts = self.asked.address.partition("?")[0].removeprefix("/api/v1/pools/").split("/")[1:]
        if "player" in self.asked.path:  # addresses are passed on, so they must not contain names
            parts[1] = str(player_number(self.engine, self.asked.path["player"]))
        rest = "/".join([pool_part(self.engine, self.pool), *parts])
        return permalink(self.asked, f"/api/v1/pools/{rest}", fields)

    def following(self, head: str, rows: int) -> str | None:
        """Returns the address of the next rows, given the number of all rows; None if there are no more."""
        end = self.asked.query.after + self.asked.query.top
        return self.link(head, after=end) if end < rows else None


def check_offered(engine: Engine, asked: Asked) -> None:
    """Refuses a method that is not public: neither declared, nor used by a published list, nor set for the service.

    Raises
    ------
    NotOffered
    """
    given = asked.given_method
    if not given or trusted(asked.caller) or asked.service.settings.offered == "any":
        return
    texts = offered(engine, asked.service)
    method = engine.registry.method
    if method(given) not in map(method, [*texts, *(step for text in texts for step in steps_in(text))]):
        own = own_methods(engine, pool_of(engine, asked)) if "pool" in asked.path else []
        raise NotOffered(given, [*dict.fromkeys([*own, *texts])])


def offered(engine: Engine, service: "Service") -> list[str]:
    """Returns the public methods that are installed; the names of all methods if all are public.

    Every page shows them. They are kept for a state of the log, since reading 500 published lists takes longer than the
    rest of a page.
    """
    settings, stamp = service.settings, engine.log.look().stamp
    if settings.offered == "any":
        return sorted(engine.registry.methods)
    if service.offered is None or service.offered[0] != stamp:
        found = [*settings.methods.values(), *(text for pool in engine.pools() for text in own_methods(engine, pool))]
        service.offered = stamp, [text for text in dict.fromkeys(found) if _is_installed(engine, text)]
    return service.offered[1]


def own_methods(engine: Engine, pool: str) -> list[str]:
    """Returns the methods of a pool: those declared, those of its published lists, and the present one if installed."""
    methods = [one.method for one in questions(engine.log, pool) if one.method]
    methods += [one.method for one in engine.published(pool)]
    with suppress(RatingCoreError):
        methods.append(engine.core.official(engine.core.view(pool)).text)
    return methods


def _is_installed(engine: Engine, method: str) -> bool:
    with suppress(RatingCoreError):
        engine.registry.method(method)
        return True
    return False


def check_limits(engine: Engine, asked: Asked) -> None:
    """Refuses a pool outside the caller's token, and a method that reads one, unless it is a method of the pool.

    Raises
    ------
    NotAllowed
    """
    pool, method, given = pool_of(engine, asked), engine.registry.method, asked.given_method
    check_pools(asked.caller, [pool])
    if given and pools_of(method(given)):
        own = filter(None, [*own_methods(engine, pool), asked.service.settings.method(pool, None)])
        if method(given) not in map(method, own):
            check_method(engine, asked.caller, given)


def steps_in(text: str) -> list[str]:
    """Returns the steps of a rule with a history."""
    first, later = steps_of(text)
    return [first, *(step for step, _ in later)]


def pool_of(engine: Engine, asked: Asked) -> str:
    """Returns the pool that an address names, by its name or as `~ID`.

    Raises
    ------
    UnknownName
        If the log has no such pool.
    """
    part = str(asked.path["pool"])
    if _NUMBER.fullmatch(part):
        return name_of(engine, "pool", int(part[1:]))
    engine.core.pool_id(part)
    return part


def state_of(engine: Engine, cut: str | None, stamp: Stamp) -> Stamp:
    """Returns the stamp of the state that a cut names, up to the end of its batch; for a list, that of the log.

    Its digest makes ETags differ from those of another log, or of the same one before a backup was restored. The digest
    of a head is not checked, and no list is looked up, since both can take long and the answer does it.
    """
    position = int(found[1]) if (found := _POSITION.match(cut or "")) else None
    if position is None:
        return stamp
    batch = next(iter(engine.log.batches(position - 1)), None) if position else None
    return Stamp(position, "" if batch is None else batch.digest, stamp.erasures)


def pool_part(engine: Engine, pool: str) -> str:
    """Returns the part of an address of the API that names a pool; pages have parts of their own."""
    number = engine.log.book.find("pool", pool)
    return quote(pool, safe="") if number is None else part_of(pool, number)


def part_of(name: str, number: int) -> str:
    """Returns a name as part of an address of the API.

    It is `~NUMBER` if clients or proxies would read the name itself as part of the path, or if it looks like a number.

    Examples
    --------
    >>> part_of("Männer", 3), part_of("..", 4), part_of("2024/25", 5), part_of("~7", 6)
    ('M%C3%A4nner', '~4', '~5', '~6')
    """
    odd = name.startswith("~") or "/" in name or not name.strip(".")
    return f"~{number}" if odd else quote(name, safe="")


def name_of(engine: Engine, kind: str, number: int) -> str:
    """Returns the name of a pool or the key of a player, by id.

    Raises
    ------
    UnknownName
        If there is none with this id.
    """
    book = engine.log.book
    if not 0 < number <= min(book.count, POSITION) or book.name(number).kind != kind:
        raise UnknownName(kind, str(number))
    return book.key(number)


def player_number(engine: Engine, who: str) -> int:
    """Returns the id of the player whom an address names, by the id itself, or by `~` and their key.

    Raises
    ------
    UnknownName, NotFound
        If the log has no such player, or the text is not an id.
    """
    if who.startswith("~"):
        return engine.core.player_id(who[1:])
    if not re.fullmatch(r"\d{1,16}", who, re.ASCII):
        raise NotFound(f"player with the id {who}: addresses name players by id, or by ~ and their key")
    name_of(engine, "player", int(who))
    return int(who)


def permalink(asked: Asked, path: str, fields: Mapping[str, Any]) -> str:
    """Returns an address with its query."""
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in fields.items()
        if value not in (None, "")
    }
    return asked.link(path) + (f"?{urlencode(given)}" if given else "")


def named(part: str) -> Callable[[str, str | None], bool]:
    """Returns a test whether a player's key or visible name contains a text, in any case of letters."""
    sought = part.casefold()
    return lambda key, called: sought in key.casefold() or sought in (called or "").casefold()


def head_of(listed: RatingList | View) -> str:
    """Returns the head of the log that an answer was made from."""
    made = listed.provenance if isinstance(listed, RatingList) else listed
    return f"{made.known_at}:{made.digest}"


def cells(rows: Any) -> list[Row]:
    """Returns rows with None for NaN, and plain numbers in place of scores."""
    return [
        {name: None if cell != cell else +cell if isinstance(cell, float) else cell for name, cell in row.items()}
        for row in rows
    ]
