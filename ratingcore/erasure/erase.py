"""Erasure of a player from a log: their names and facts, and the notes and sources that mention them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from attrs import asdict, evolve, field, frozen

from ratingcore.corrections.mentions import Mentions, distinctive
from ratingcore.erasure.stated_facts import AllDescribed, FactsOf, stated_fact
from ratingcore.errors import BadValue, PlanOutdated, UnknownName
from ratingcore.events import canonical
from ratingcore.events.values import Key, player_key
from ratingcore.log import ERASED, Log, Name
from ratingcore.log.abilities import beyond, clear, likely, plugin_tables, uncleared
from ratingcore.log.contract import Eraser, Seen, Tables
from ratingcore.log.lookup import corrections_of, decoder_of
from ratingcore.plans import Concerns, Plan
from ratingcore.safe_text import counted


@frozen
class Erased:
    """Report of an erasure: what was removed, and what cannot be.

    Parameters
    ----------
    players : tuple of int
        Ids whose names were erased: the player, and records merged with the player.
    notes, sources : int
        Number of reasons and actors, and of sources, that mentioned the player and were erased as a whole.
    mentions : int
        Number of events that still mention the player in a uid or a field, which cannot be erased.
    positions : tuple of int
        Positions of the first of these events.
    alike : tuple of str
        Names of other players that contain the erased name; they stay.
    pools : tuple of str
        Names of pools that contain the erased name; they stay.
    rows : int
        Number of rows in tables of plugins in the same file that now show `(erased N)`.
    beyond : tuple of str
        Sentences about copies of the name that an erasure does not reach.
    called : int
        Number of visible names that were erased.
    namesakes : tuple of str
        Other players who had the same visible name, and have none now until they are named again.
    facts : mapping of int to tuple of str
        Facts of the player, by position, that stay because an older version made them part of the digests.
    unsought : tuple of str
        Names of digits alone, or of fewer than three characters, that may remain in texts, because texts were not
        searched for them.
    emptied : tuple of str
        Tables of ratings that were emptied, because they were computed from erased facts, or because they had the name
        and the plugin that keeps them is not installed.
    described : int
        Number of erased facts of the player.
    rated : mapping of int to tuple of str
        Facts of the player, by position, that stay because an installed method computes ratings from them, such as
        `born`; `rated_facts` erases them, too.
    """

    players: tuple[int, ...]
    notes: int = 0
    sources: int = 0
    mentions: int = 0
    positions: tuple[int, ...] = ()
    alike: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    rows: int = 0
    beyond: tuple[str, ...] = ()
    called: int = 0
    namesakes: tuple[str, ...] = ()
    facts: Mapping[int, tuple[str, ...]] = field(factory=dict)
    unsought: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    described: int = 0
    rated: Mapping[int, tuple[str, ...]] = field(factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that are shown in place of the player's names."""
        return tuple(map(ERASED.format, self.players))

    def left(self) -> list[str]:
        """Returns sentences about the remaining mentions and facts of the player in this log."""
        lines = []
        if self.mentions:
            events = counted(self.mentions, "event mentions", "events mention")
            where = _placed(self.positions, self.mentions)
            lines.append(f"{events} the player in a uid or a field, which cannot be erased: {where}")
            lines.append("to remove this as well, record a new log from files with other uids and fields")
        if self.facts:
            why = (
                "which an older version recorded, are part of the digests and stay readable in the log and its exports"
            )
            lines += [f"facts of the player, {why}:", *_by_field(self.facts)]
        if self.rated:
            why = "stay, since ratings are computed from them; they can be erased too, and then ratings may move"
            lines += [f"facts of the player {why}:", *_by_field(self.rated)]
        for what, names in (("players", self.alike), ("pools", self.pools)):
            if names:
                lines.append(f"{what} whose names contain the name, and stay: {', '.join(names)}")
        if self.namesakes:
            lines.append(f"players who had the same visible name, and need a new one: {', '.join(self.namesakes)}")
        if self.unsought:
            lines.append(
                "reasons, actors and sources are not searched for digits alone or fewer than 3 characters, so they may "
                f"still contain {', '.join(self.unsought)}: to search for it, give it as a further text"
            )
        if self.emptied:
            lines.append(f"tables that are empty until the next catch-up: {', '.join(self.emptied)}")
        return [*lines, *self.beyond]

    def __str__(self) -> str:
        done = [f"erased: {', '.join(self.labels)}"]
        counts = (self.called, self.described, self.notes, self.sources, self.rows)
        for count, what in zip(counts, ("shown name", "fact", "note", "source", "row"), strict=True):
            if count:
                where = " of derived tables" if what == "row" else ""
                done.append(f"with {counted(count, what)}{where}")
        return "\n".join([", ".join(done), *self.left()])


SHOWN = 10
"""Number of positions that a line shows."""
LONGEST = 1_000
"""Largest length, in characters, of a further text to search for."""


def _lettered(name: str) -> bool:
    return any(map(str.isalpha, name))


def _placed(positions: Sequence[int], count: int = 0) -> str:
    count = count or len(positions)
    more = ", ..." if count > len(positions[:SHOWN]) else ""
    return f"{'position' if count == 1 else 'positions'} {', '.join(map(str, positions[:SHOWN]))}{more}"


def _by_field(facts: Mapping[int, tuple[str, ...]]) -> Iterator[str]:
    """Yields a line for each field, with its positions."""
    for name in dict.fromkeys(name for names in facts.values() for name in names):
        yield f"  {name} at {_placed(tuple(at for at, names in facts.items() if name in names))}"


def same_player(log: Log, number: int) -> list[int]:
    """Returns the ids that count as the same player as an id, this id first."""
    corrections = corrections_of(log)
    root = corrections.root(number)
    others = {root, *(other for other, whose in corrections.roots.items() if whose == root)} - {number}
    return [number, *sorted(others)]


def known_as(log: Log, player: Key) -> tuple[str, ...]:
    """Returns all names that count as the same player as a name, this name first; `UnknownName` if it is unknown.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> for a, b in (("ann", "cy"), ("anna", "bo")):
    ...     receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a=a, b=b, score=1.0))
    >>> receipt = engine.merge("ann", "anna")
    >>> known_as(engine.log, "anna")
    ('anna', 'ann')
    """
    book, key = log.book, player_key(player)
    same = same_player(log, book.number("player", key))
    names = tuple(book.key(number) for number in same if number not in book.erased)
    if not names:  # it was the label of an erased name
        raise UnknownName("player", key)
    return names


class Drop(NamedTuple):
    """A text to be erased, with the id of its name in the log, and its kind."""

    name: int
    what: str
    text: str


@frozen
class Erasure:
    """Plan of an erasure, which `engine.apply` carries out.

    Parameters
    ----------
    request : ErasureRequest
        The player to erase, and further texts to look for.
    by : str
        The person who decided it.
    basis : Plan
        The part of the log on which the plan depends: the records that count as the player, and the facts about them.
    drops : tuple of Drop
        All texts to erase; empty if an unfinished erasure is to be finished.
    mentioned : tuple of int
        Positions of events that have the name in a uid or a field.
    report : Erased
        Numbers of texts to erase, and what would stay.
    """

    request: "ErasureRequest"
    by: str
    basis: Plan
    drops: tuple[Drop, ...]
    mentioned: tuple[int, ...]
    report: Erased

    @classmethod
    def of(cls, log: Log, request: "ErasureRequest", by: str = "") -> Self:
        """Plans an erasure: the names, facts and texts that it would remove from a log for good.

        Raises
        ------
        UnknownName
        """
        with log.reading():
            look = log.look()
            seen = Seen(look.head, look.names, look.erasures)
            try:
                reach = request.reach(log)
                if not reach.erased:
                    raise UnknownName("player", request.player)  # it was the label of an erased name
            except UnknownName:
                if not (left := uncleared(log)):
                    raise
                players = {name.id for name in log.book.names() if name.kind == "player"}
                report = Erased(tuple(number for number in left if number in players))
                return cls(request, by, Plan("erase", seen, (), Concerns()), (), (), report)
            mentioned = tuple(_mentioning(log, reach.lasting, 0, look.head.position))
            group = frozenset(reach.same)
            described = frozenset(log.book.keys(sorted(group)))
            basis = Plan("erase", seen, (), Concerns(seated=group, described=described))
            return cls(request, by, basis, reach.drops, mentioned, reach.report(log, mentioned))

    def applied(self, log: Log, erasers: Sequence[Eraser] = ()) -> Erased:
        """Carries out the plan, and returns a report of the log as it is then; a second call changes nothing.

        Raises
        ------
        PlanOutdated
            If the texts to erase have changed since the plan was made; nothing is erased.
        HeadMoved, ErasureUnfinished
        """
        gone = log.look().book.erased.issuperset(drop.name for drop in self.drops)
        report = self.report if gone else self._dropped(log, erasers)
        clear(log)
        return report

    def _dropped(self, log: Log, erasers: Sequence[Eraser]) -> Erased:
        with log.writing():
            self.basis.check(log)
            reach, made_at = self.request.reach(log), self.basis.head.position
            if reach.drops != self.drops:
                raise self._outdated(log, reach)
            # planning searched the whole log; only later events are searched now, while other writers wait
            report = reach.report(log, [*self.mentioned, *_mentioning(log, reach.lasting, made_at, None)])
            log.erase([drop.name for drop in self.drops], self.by)
            rows = sum(eraser(log, reach.same) for eraser in erasers)
            emptied: tuple[str, ...] = ()
            if (tables := plugin_tables(log)) is not None:
                labels = dict(zip(report.players, report.labels, strict=True))
                called = [str(name.key) for name in reach.erased if name.kind == "called"]
                moving = not self.request.rated.isdisjoint(reach.fields)
                emptied = empty_stale(tables, labels, called, moved=moving)
        return evolve(report, rows=rows, emptied=emptied)

    def _outdated(self, log: Log, reach: "_Reach") -> PlanOutdated:
        """Returns the refusal of the plan, which names the first event that added something else to erase."""
        made_at, planned = self.basis.head.position, {drop.name for drop in self.drops}
        batches = [name.batch for name in reach.erased if name.id not in planned and name.batch > made_at]
        position = min(batches, default=log.head.position)
        (row,) = log.rows_at([position])
        event = decoder_of(log)(row)
        about, by, why = (str(getattr(event, name, "")) for name in ("of", "by", "why"))
        return PlanOutdated("erase", made_at, position, row.kind, about or event.uid, by, why)

    def goes(self) -> list[str]:
        """Returns lines that show what would be erased."""
        lines = [f"  {drop.what}: {drop.text}" for drop in self.drops]
        return [f"would be erased, and be shown as {', '.join(self.report.labels)}:", *lines]

    def __str__(self) -> str:
        return "\n".join([*self.goes(), *self.report.left()])

    def as_json(self) -> dict[str, Any]:
        """Returns the plan as JSON. It has the names to erase, so delete it once it is applied."""
        request = {**asdict(self.request), "also": list(self.request.also), "rated": sorted(self.request.rated)}
        report = asdict(self.report) | {
            name: {str(at): list(fields) for at, fields in getattr(self.report, name).items()}
            for name in ("facts", "rated")
        }
        drops, mentioned = list(map(list, self.drops)), list(self.mentioned)
        plain = {"verb": "erase", "asked": request, "by": self.by, "drops": drops, "mentioned": mentioned}
        return {**plain, "report": report, "rests": self.basis.as_json()}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Self:
        """Returns the plan that `as_json` wrote.

        Raises
        ------
        BadValue
            If the value is not such a plan.
        """
        try:
            request = {
                **given["asked"],
                "also": tuple(given["asked"]["also"]),
                "rated": frozenset(given["asked"]["rated"]),
            }
            report: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value for name, value in given["report"].items()
            }
            for name in ("facts", "rated"):
                report[name] = {int(at): tuple(fields) for at, fields in report[name].items()}
            drops, mentioned = tuple(Drop(*one) for one in given["drops"]), tuple(given["mentioned"])
            basis = Plan.from_json(given["rests"])
            return cls(ErasureRequest(**request), str(given["by"]), basis, drops, mentioned, Erased(**report))
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise BadValue("plan", error, "must be what as_json of a plan returned; missing or invalid is") from None


def _short(also: Sequence[str]) -> tuple[str, ...]:
    """Returns the texts; raises `BadValue` if one is too long for a name."""
    for text in also:
        if len(text) > LONGEST:
            raise BadValue("also", text, f"has {len(text)} characters, more than {LONGEST}")
    return tuple(also)


@frozen
class ErasureRequest:
    """Request to erase a player.

    Parameters
    ----------
    player : str
    also : tuple of str
        Other texts to look for.
    rated : frozenset of str
        Facts of players from which an installed method computes ratings.
    rated_facts : bool
        Whether to erase these facts, too.
    """

    player: str
    also: tuple[str, ...] = field(default=(), converter=_short)
    rated: frozenset[str] = frozenset()
    rated_facts: bool = False

    def reach(self, log: Log) -> "_Reach":
        """Finds what the request removes from a log as it is now."""
        same = same_player(log, log.book.number("player", self.player))
        return _Reach.of(log, same, self.also, frozenset() if self.rated_facts else self.rated)


@frozen
class _Reach:
    """Effect of erasing a player: the texts that are removed from a log, and those that stay."""

    same: list[int]
    """Ids of the player, and of records merged with the player."""
    erased: list[Name]
    """Names of all texts to erase."""
    fields: frozenset[str]
    """Fields of the facts to erase."""
    mentions: Mentions
    """Search for the reasons, actors and sources to erase."""
    lasting: Mentions
    """Search for the events that have the name in a uid or a field, which stay."""
    in_facts: frozenset[int]
    """Positions of events that have the name in a fact of another player, which stays."""
    facts: "FactsOf"
    alike: tuple[str, ...]
    pools: tuple[str, ...]
    namesakes: tuple[str, ...]
    unsought: tuple[str, ...]

    @classmethod
    def of(cls, log: Log, same: list[int], also: Sequence[str], rated: frozenset[str]) -> Self:
        """Searches the names of a log and the facts of players; facts of the fields in `rated` stay."""
        names, described = log.book.names(), AllDescribed.of(log)
        shown = {number for player in same for number in described.called.get(player, ())}
        own = [names[number - 1] for number in (*same, *sorted(shown)) if names[number - 1].key is not None]
        facts = FactsOf.of(log, described, names, {*same}, rated)
        keys = _keys(own)
        mentions = Mentions([*filter(distinctive, keys), *also])
        vague = [key for key in dict.fromkeys(keys) if not distinctive(key) and key not in also]
        texts = [name.key for name in names if name.key is not None and name.kind in ("note", "source")]
        spoken = [name for name in names if name.key is not None and mentions.within(name.key)]
        gone = {name.id for name in facts.erased}
        return cls(
            same=same,
            erased=own + facts.erased + [name for name in spoken if name.kind in ("note", "source")],
            fields=frozenset(stated_fact(name)[1] for name in facts.erased),
            mentions=mentions,
            lasting=Mentions([*filter(_lettered, keys), *also]),
            in_facts=frozenset(stated_fact(name)[0] for name in spoken if name.kind == "fact" and name.id not in gone),
            facts=facts,
            alike=_keys(name for name in spoken if name.kind == "player" and name.id not in same),
            pools=_keys(name for name in spoken if name.kind == "pool"),
            namesakes=_keys(names[player - 1] for player in described.sharing(shown) if player not in same),
            unsought=tuple(key for key in vague if not _lettered(key) or any(map(Mentions([key]).within, texts))),
        )

    @property
    def drops(self) -> tuple[Drop, ...]:
        """The texts to erase."""
        return tuple(Drop(name.id, _WORDS[name.kind], _text(name)) for name in self.erased)

    def report(self, log: Log, mentioned: Sequence[int]) -> Erased:
        """Returns the report; `mentioned` has positions of events that mention the player."""
        kinds = Counter(name.kind for name in self.erased)
        mentioned = sorted({*mentioned, *self.in_facts})
        return Erased(
            players=tuple(self.same),
            notes=kinds["note"],
            sources=kinds["source"],
            mentions=len(mentioned),
            positions=tuple(mentioned[:SHOWN]),
            alike=self.alike,
            pools=self.pools,
            beyond=beyond(log),
            called=kinds["called"],
            namesakes=self.namesakes,
            facts=self.facts.inline,
            unsought=self.unsought,
            described=kinds["fact"],
            rated=self.facts.rated,
        )


_WORDS = {
    "player": "player", "called": "shown name", "fact": "fact", "note": "reason or actor", "source": "source",
}  # fmt: skip


def _text(name: Name) -> str:
    if name.kind != "fact":
        return str(name.key)
    _, field, value = stated_fact(name)
    return f"{field}: {value}"


def _mentioning(log: Log, mentions: Mentions, after: int, to: int | None) -> Iterator[int]:
    """Yields the positions of events that mention the player in a uid or a field, which cannot be erased."""
    for row in likely(log, mentions.like_patterns(), after, to):
        if mentions.within(row.uid) or mentions.in_json(row.facts):
            yield row.position


def _keys(names: Iterable[Name]) -> tuple[str, ...]:
    return tuple(name.key for name in names if name.key is not None)


RATINGS, HISTORIES = "ratings_current", "rating_history"
"""Tables of ratings in the database of a log, which `catch-up` updates, and can rebuild from the log."""


def empty_stale(
    tables: Tables, labels: Mapping[int, str], called: Iterable[str], *, moved: bool = False
) -> tuple[str, ...]:
    """Empties the tables of ratings if they still have erased names, as when the plugin that keeps them is missing.

    Call it inside `writing`. The next `catch-up` rebuilds the rows.

    Parameters
    ----------
    tables : Tables
        Tables in the database of the log.
    labels : mapping of int to str
        Labels of the erased players, by id.
    called : iterable of str
        Erased visible names.
    moved : bool
        Whether facts were erased from which ratings are computed.

    Returns
    -------
    tuple of str
        The tables that were emptied.
    """
    there = [table for table in (RATINGS, HISTORIES) if {"player_id", "player", "further"} <= {*tables.columns(table)}]
    if not moved and not any(_stale(tables, table, labels, called) for table in there):
        return ()
    for table in there:
        tables.run(f"DELETE FROM {table}")
    return tuple(there)


def _stale(tables: Tables, table: str, labels: Mapping[int, str], called: Iterable[str]) -> bool:
    one = f"SELECT 1 FROM {table} WHERE"
    if any(tables.all(f"{one} player_id = ? AND player <> ? LIMIT 1", pair) for pair in labels.items()):
        return True
    cells = [canonical({"called": text})[1:-1] for text in called]
    return any(tables.all(f"{one} {tables.position}(further, ?) > 0 LIMIT 1", (cell,)) for cell in cells)
