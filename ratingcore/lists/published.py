"""Published lists: their events in the log, search by name, and rebuilding from the log."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import evolve, frozen

from ratingcore.columns.view import FOREVER
from ratingcore.errors import (
    BadParameter,
    BadValue,
    CannotRebuild,
    ForeignList,
    FormulaChanged,
    MethodNotFound,
    SealBroken,
    SeveralLists,
    UnknownList,
)
from ratingcore.events import Instant, ListPublished, Row, canonical, clock, iso
from ratingcore.events.values import name as spelt
from ratingcore.events.values import text
from ratingcore.lists.policy import ListPolicy
from ratingcore.lists.rating_list import RatingList
from ratingcore.log import Head, Log
from ratingcore.methods import Method
from ratingcore.methods.rule_histories import Book, steps_of
from ratingcore.methods.text import build, identity, of_identity
from ratingcore.registry import Registry
from ratingcore.report.table import AsRow, AsSequence, Table, columns_of
from ratingcore.spelling import near_names

LIST = "list:"
"""Prefix that marks a text as the name of a published list."""

COLUMNS = (
    "name", "published", "day", "pool", "method", "policy", "known_at", "players", "position", "seal", "version",
)  # fmt: skip
"""Columns of a table of published lists."""


@frozen
class Published(AsRow):
    """Record of a published list: its pool, method, policy and cuts, and the seal on its rows.

    Parameters
    ----------
    name, pool : str
    position : int
        Position in the log of the event that published the list.
    recorded : int
        Instant of publication.
    seal : str
        Seal on the rows.
    players : int
        Number of players on the list.
    method : str
        Identity of the method.
    known_at : int
        Number of events of the log from which the list was made.
    digest : str
        Digest of those events.
    through : int
        Last instant of played time that counted, or `FOREVER`.
    at : int
        Instant of the list.
    policy : str
        Text of the policy; empty for the default policy.
    version : str
        Version of ratingcore that made the list.
    zone : str
        Time zone of `through` and `at`; empty for UTC.
    before : tuple of str
        Digests of the list's head in the logs from which this log was made, oldest first.
    waiting : bool
        True if some results waited for the end of their period, and are not among the games of players; older lists
        counted them.
    """

    name: str
    pool: str
    position: int
    recorded: Instant
    seal: str
    players: int
    method: str
    known_at: int
    digest: str
    through: Instant
    at: Instant
    policy: str
    version: str
    before: tuple[str, ...] = ()
    zone: str = ""
    waiting: bool = False

    @property
    def head(self) -> Head:
        """The head from which the list was made."""
        return Head(self.known_at, self.digest)

    @property
    def cut(self) -> str | None:
        """Last day or time of play that counted, as a text for `through`; None if everything counted."""
        return None if self.through == FOREVER else clock(self.zone).exact(self.through)

    @property
    def of_no_day(self) -> bool:
        """True if the list was empty and not cut in played time, so it has no meaningful day."""
        return not self.players and self.through == FOREVER and not self.at

    def as_row(self) -> dict[str, Any]:
        """Returns its name, times, head and seal."""
        day = None if self.of_no_day else clock(self.zone).day(self.at)
        own = {name: getattr(self, name) for name in COLUMNS[3:]}
        return {"name": self.name, "published": iso(self.recorded), "day": day, **own}


@frozen(eq=False)
class PublishedLists(AsSequence[Published]):
    """Published lists, in the order of publication."""

    def as_table(self) -> Table:
        """Returns a table with a row per list."""
        return Table("published", "Published lists", columns_of([one.as_row() for one in self], COLUMNS))


def publication(listed: RatingList, name: str, log: Log) -> ListPublished:
    """Returns the event that publishes a list proper.

    Its uid is derived from pool and name with the log's own key. So a name can be given only once, even by several
    writers at the same time, and the uid does not reveal the name.
    """
    if isinstance(name, str) and name.strip().startswith(LIST):
        raise BadValue("name of a list", name, f"begins with {LIST}, which marks a name in other places: leave it out")
    made = listed.proper.provenance
    through = {} if made.through == FOREVER else {"through": made.through}
    policy = {"policy": str(made.policy)} if str(made.policy) else {}
    zone = {"zone": made.zone} if made.zone else {}
    pool = log.book.find("pool", made.pool)
    assert pool is not None, made.pool
    return ListPublished(
        uid=uid_of(log.key, pool, spelt(name)),
        pool=made.pool,
        played=made.at,
        name=name,
        data={
            "method": made.method,
            "known_at": made.known_at,
            "digest": made.digest,
            "seal": listed.seal,
            "players": len(listed),
            "version": made.version,
            **through,
            **policy,
            **zone,
            **({"waiting": sum(count for _, count in made.waiting)} if made.waiting else {}),
        },
    )


def uid_of(key: str, pool: int, name: str) -> str:
    """Returns the uid of the event that publishes a list of a pool under a name."""
    return "l-" + hashlib.sha256(canonical([key, "list", pool, name]).encode()).hexdigest()[:32]


def published_lists(log: Log, pool: int | None = None) -> PublishedLists:
    """Returns all published lists of a log, or of one pool, in the order of publication."""
    return PublishedLists(tuple(_read(log, log.rows(0, None, ("list",), pool))))


def find_published(log: Log, name: str, pool: int | None = None) -> Published:
    """Returns the list that was published under a name.

    Raises
    ------
    UnknownList
        If there is no such list.
    SeveralLists
        If several pools have a list of this name, and no pool is given.
    """
    spelt_so = spelt(text(name, "name").removeprefix(LIST))
    book = log.book
    pools = [book.number("pool", key) for key in log.book.keys_of("pool")] if pool is None else [pool]
    rows = log.find([uid_of(log.key, one, spelt_so) for one in pools]).values()  # avoids reading all lists
    named = [*_read(log, sorted((row for row in rows if row.kind == "list"), key=lambda row: row.position))]
    if not named:
        near = near_names(spelt_so, [published.name for published in published_lists(log, pool)])
        raise UnknownList(spelt_so, log.book.key(pool) if pool else "", near)
    if len(named) > 1:
        raise SeveralLists(spelt_so, tuple(published.pool for published in named))
    return named[0]


def _read(log: Log, rows: Iterable[Row]) -> Iterator[Published]:
    """Reads the rows that publish lists; a `list` event with another uid was not made by publishing, and is skipped."""
    book, own = log.book, log.key
    for row in rows:
        facts: dict[str, Any] = row.facts
        assert row.pool is not None, row
        assert row.played is not None, row
        if row.uid != uid_of(own, row.pool, str(facts["name"])) or not _KNOWN.keys() <= facts.keys():
            continue
        facts_of_list = {field: kind(facts[field]) for field, kind in _KNOWN.items()}
        yield Published(
            name=facts["name"],
            pool=book.key(row.pool),
            position=row.position,
            recorded=next(log.batches(row.position - 1)).recorded,
            through=int(facts.get("through", FOREVER)),
            at=int(row.played),
            policy=str(facts.get("policy", "")),
            zone=str(facts.get("zone", "")),
            before=tuple(str(facts.get("before", "")).split()),
            waiting="waiting" in facts,
            **facts_of_list,
        )


_KNOWN: dict[str, Callable[[Any], Any]] = {
    "method": str, "known_at": int, "digest": str, "seal": str, "players": int, "version": str,
}  # fmt: skip
"""Facts that the event of a published list must have, with their types."""


def head_of(log: Log, position: int, digest: str) -> Head:
    """Returns the head at a position; raises `ForeignList` if the log has another digest there."""
    end = log.head.position
    if not 0 <= position <= end or log.digest_at(position) != digest:
        raise ForeignList(position, digest, end)
    return Head(position, digest)


def method_of(registry: Registry, name: str, text: str) -> Method:
    """Returns the installed method of an identity, with which the list of this name was made.

    Parameters that were added to the method later are at their default; since the formula number is the same, so are
    the ratings.

    Raises
    ------
    FormulaChanged, CannotRebuild
    """
    try:
        first, later = steps_of(text)
        method = _step(registry, name, first)
        for step, since in later:
            method = Book(method, _step(registry, name, step), *since)
        return method
    except (BadParameter, BadValue, MethodNotFound) as error:
        advice = "install the plugin, in the version with which the list was made"
        raise CannotRebuild(name, str(error), advice) from None


def _step(registry: Registry, name: str, text: str) -> Method:
    kind, formula, texts = of_identity(text)
    try:
        as_then = registry.formula(kind, formula)
    except BadValue:
        raise FormulaChanged(name, f"{kind}@{formula}", f"{kind}@{registry.formula(kind).formula}") from None
    return build(as_then, texts)


def check_repeatable(registry: Registry, name: str, text: str) -> Method:
    """Returns the method of a list to be published; raises `CannotRebuild` if its identity builds another method."""
    method = method_of(registry, name, text)
    if identity(method) != text:
        raise CannotRebuild(name, f"its method text builds another method: {text}")
    return method


def policy_of_list(published: Published) -> ListPolicy:
    """Returns the policy of a published list; raises `CannotRebuild` if this version cannot read it."""
    try:
        return ListPolicy.parse(published.policy)
    except BadValue as error:
        raise CannotRebuild(published.name, str(error), "a later ratingcore may be able to read this policy") from None


def as_published(published: Published, log: Log, again: Callable[[Head], RatingList]) -> RatingList:
    """Rebuilds a published list at its own head, and compares it with its seal.

    Parameters
    ----------
    again : callable
        Makes the list at a head.

    Raises
    ------
    ForeignList, SealBroken
    """
    listed = again(head_of(log, published.known_at, published.digest))
    if listed.seal != published.seal:
        raise SealBroken(published.name, published.seal, listed.seal, published.version)
    return with_method(listed, published.method)


def with_method(listed: RatingList, method: str) -> RatingList:
    """Returns the list with the identity that its method had when it was published, without parameters added since."""
    return evolve(listed, provenance=evolve(listed.provenance, method=method))


def is_published_as(published: Published, listed: RatingList) -> bool:
    """True if a list has the pool, method, policy and day of a published list, and the same rows."""
    made = listed.provenance
    of_list = made.pool, made.method, made.through, made.at, str(made.policy)
    of_published = published.pool, published.method, published.through, published.at, published.policy
    return of_list == of_published and published.seal == listed.seal
