"""Encodes the events of one batch as rows; looks up the ids of their names all at once if possible."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, islice
from typing import cast

from ratingcore.errors import UnknownUid
from ratingcore.events import (
    CORRECTIONS,
    Event,
    Fact,
    GamePlayed,
    MergeUndone,
    PlayerDescribed,
    ResultAmended,
    ResultVoided,
    Row,
    encode,
)
from ratingcore.events.canonical_json import canonical, json_of
from ratingcore.events.kinds import players_of
from ratingcore.events.missing_uids import is_nameless
from ratingcore.events.player_facts import check_fact, fact_key
from ratingcore.log.chain import Cells
from ratingcore.log.names import NameDraft

Find = Callable[[Sequence[str]], Mapping[str, Row]]
"""A function that returns, by uid, the rows of a log that have some uids."""


class Encoder:
    """Encoder of one batch: looks up ids, and the rows that corrections refer to.

    Parameters
    ----------
    draft : NameDraft
        The names as the transaction leaves them.
    find : callable
        Returns the rows of the log by their uids.
    head : int
        Position of the last event of the log: facts of events after it are new.
    """

    def __init__(self, draft: NameDraft, find: Find, head: int) -> None:
        self._find, self._draft, self._head = find, draft, head
        self.position = head
        """Position of the event being encoded."""
        self.pool, self.player, self.note = map(self._draft.getter, ("pool", "player", "note"))
        self._called, self._fact = map(self._draft.getter, ("called", "fact"))
        self.key = self._draft.key
        self.labelled = partial(self._draft.labelled, "player")
        self.batch: dict[str, Row] = {}
        self._recorded: Mapping[str, Row] = {}

    def expect(self, uids: Sequence[str]) -> None:
        """Looks up the rows that corrections refer to, all at once."""
        self._recorded = self._find(uids)

    def foresee(self, events: Sequence[Event]) -> None:
        """Looks up the names of events all at once, since each by itself would be a query of the database."""
        self._draft.known("player", [name for event in events for name in players_of(event)])
        self._draft.known("called", [one.called for one in events if isinstance(one, PlayerDescribed)])

    def foresee_facts(self, events: Sequence[Event], recorded: Mapping[str, Row]) -> None:
        """Looks up the facts of descriptions that are in the log, all at once."""
        again = [one for one in events if isinstance(one, PlayerDescribed) and one.uid in recorded]
        items = [(recorded[one.uid].position, *item) for one in again for item in one.data.items()]
        self._draft.known("fact", [fact_key(*item) for item in items])

    def called(self, text: str) -> list[int]:
        """Id of the name that people see for a player."""
        return [self._called(text)]

    def stated(self, field: str, value: Fact) -> list[int]:
        """Id of a fact of a player; each fact belongs to one event."""
        key = fact_key(self.position, field, check_fact(field, value))
        return [self._draft.fresh_id("fact", key) if self.position > self._head else self._fact(key)]

    def target(self, uid: str) -> Row:
        """Row that a correction refers to, in this batch or in the log."""
        row = self.batch.get(uid) or self._recorded.get(uid) or self._find([uid]).get(uid)
        if row is None:
            raise UnknownUid(uid)
        return row


def looked_up(
    draft: NameDraft, find: Find, events: Sequence[Event], head: int
) -> Iterator[tuple[Event, Row, Row | None]]:
    """Yields each event, its row, and an earlier row with its uid, in the log or in the batch, or None.

    Parameters
    ----------
    draft : NameDraft
        Names that the log does not have are added to it.
    head : int
        Position of the last event of the log.
    """
    there = dict(find([event.uid for event in events]))
    encoder, newest = Encoder(draft, find, head), head
    encoder.foresee(events)
    encoder.foresee_facts(events, there)
    for event in events:
        recorded = there.get(event.uid)
        newest += recorded is None
        encoder.position = newest if recorded is None else recorded.position
        row = Row._make((newest, event.uid, event.kind, *encode(event, encoder)))
        if recorded is None and not is_nameless(event.uid):
            there[event.uid] = encoder.batch[event.uid] = row
        yield event, row, recorded


def rows_of(draft: NameDraft, find: Find, events: Sequence[Event], first: int) -> list[Cells]:
    """Rows of the events of one batch, whose first position is given; adds names that are missing to the draft.

    In the row of an event without an id, the uid is still a placeholder.
    """
    kinds = set(map(type, events))
    if kinds == {PlayerDescribed}:
        return _described(draft, cast("Sequence[PlayerDescribed]", events), first)
    if kinds != {GamePlayed}:
        return list(_encoded(draft, find, events, first))
    # Bulk imports append only games: for them, the code below does what `encode` does, without a call for each event.
    games = cast("Sequence[GamePlayed]", events)
    pool, player = draft.getter("pool"), draft.getter("player")
    names = [key for game in games for key in (game.a, game.b)]
    if len({game.pool for game in games}) > 1:  # names get their ids in the order of rows: the pool, then the players
        draft.known("player", names)
        for game in games:
            pool(game.pool), player(game.a), player(game.b)
    else:
        pool(games[0].pool)
    ids = draft.numbers("player", names)
    return [
        (
            position, game.uid, "game", pool(game.pool), game.played, game.order, a, b, game.score, None,
            json_of(game.data) if game.data else None,
        )
        for position, game, a, b in zip(range(first, first + len(games)), games, ids[::2], ids[1::2], strict=True)
    ]  # fmt: skip


def _described(draft: NameDraft, events: Sequence[PlayerDescribed], first: int) -> list[Cells]:
    """Rows of descriptions, equal to those of `encode` but faster: tables of players consist of descriptions."""
    pool, spelt, shapes = draft.getter("pool"), _Spelt(), _Shapes()
    pools = [pool(event.pool) for event in events]
    players = draft.numbers("player", [event.player for event in events])
    called = iter(draft.numbers("called", [event.called for event in events if event.called]))
    keys = [
        f"[{position},{spelt[name]},{spelt.of(name, value)}]"
        for position, event in enumerate(events, first)
        for name, value in event.data.items()
    ]
    facts = iter([name.id for name in draft.add_all("fact", keys)])
    rows = []
    for position, event, number, player in zip(count(first), events, pools, players, strict=False):
        ids = list(islice(facts, len(event.data)))
        shape = shapes[tuple(event.data), bool(event.called)]
        if event.called:
            ids.append(next(called))
        data = shape.format(*ids) if ids else None
        rows.append((position, event.uid, "player", number, event.played, 0, player, None, None, None, data))
    return rows


class _Spelt(dict[str, str]):
    """Cache of texts in JSON: names of fields, and values of facts."""

    def __missing__(self, text: str) -> str:
        self[text] = spelt = canonical(text)
        return spelt

    def of(self, field: str, value: Fact) -> str:
        """A fact in JSON."""
        return self[value] if type(check_fact(field, value)) is str else canonical(value)  # type: ignore[index]  # a str


class _Shapes(dict[tuple[tuple[str, ...], bool], str]):
    """Templates of the `data` of descriptions, by the names of the facts and whether there is a visible name.

    The id of the visible name is the last one.
    """

    def __missing__(self, fields: tuple[tuple[str, ...], bool]) -> str:
        names = [*fields[0], "called"] if fields[1] else [*fields[0]]
        spelt = [canonical(name).replace("{", "{{").replace("}", "}}") for name in names]
        cells = [f"{spelt[place]}:[{{{place}}}]" for place in sorted(range(len(names)), key=names.__getitem__)]
        self[fields] = shape = f"{{{{{','.join(cells)}}}}}"
        return shape


def _encoded(draft: NameDraft, find: Find, events: Sequence[Event], first: int) -> Iterator[Cells]:
    encoder = Encoder(draft, find, first - 1)
    encoder.foresee(events)
    keep = any(event.kind in CORRECTIONS for event in events)  # only corrections look up other events
    if keep:
        encoder.expect([event.of for event in events if isinstance(event, ResultVoided | ResultAmended | MergeUndone)])
    for position, event in enumerate(events, first):
        encoder.position = position
        row = (position, event.uid, event.kind, *encode(event, encoder))
        if keep:
            encoder.batch[event.uid] = Row._make(row)
        yield row
