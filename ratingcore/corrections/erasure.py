"""Erases a player from a log: every name of them, and the notes and sources that speak of them."""

from collections.abc import Iterable, Iterator, Sequence

from ratingcore.errors import BadValue, UnknownName
from ratingcore.log import ERASED, Log, Name
from ratingcore.log.erasure import Erased
from ratingcore.log.identity import older
from ratingcore.log.mentions import Mentions, digests_file

SHOWN = 10
"""Positions of mentions that are told."""
LONGEST = 1_000
"""Characters at most of what else a player is called."""


def same_player(log: Log, number: int) -> list[int]:
    """Ids that count as the same player as an id, this one first."""
    corrections = log.corrections()
    root = corrections.root(number)
    others = {root, *(other for other, whose in corrections.roots.items() if whose == root)} - {number}
    return [number, *sorted(others)]


def erase(log: Log, player: str, also: Sequence[str] = (), by: str = "") -> Erased:
    """Take a player's name out of a log for good; `Engine.erase` says more.

    Raises
    ------
    UnknownName, ErasureUnfinished
    """
    try:
        number = log.number_of("player", player)
        if log.names_book.erased.issuperset(same_player(log, number)):
            raise UnknownName("player", player)  # the label of a name that is gone
    except UnknownName:
        if not log.uncleared():
            raise
        return _finished(log)
    erased = _dropped(log, player, number, also, by)
    log.clear()
    return erased


def _finished(log: Log) -> Erased:
    """Clears the bytes that an earlier erasure had to leave."""
    left = log.uncleared()
    log.clear()
    players = {name.id for name in log.names() if name.kind == "player"}
    return Erased(tuple(number for number in left if number in players))


def _dropped(log: Log, player: str, number: int, also: Sequence[str], by: str) -> Erased:
    looked = log.head.position
    # the long look is taken before others have to wait; inside, only what was appended since is looked at
    mentioned = list(_mentioning(log, _mentions(log, same_player(log, number), also), 0, looked))
    with log.writing():
        same = same_player(log, log.number_of("player", player))
        mentions = _mentions(log, same, also)
        called = _called(log)
        shown = {number for player in same for number in called.get(player, ())}
        mentioned += _mentioning(log, mentions, looked, None)
        names = log.names()
        spoken = [name for name in names if name.key is not None and mentions.within(name.key)]
        gone = {kind: [name.id for name in spoken if name.kind == kind] for kind in ("note", "source")}
        files = set(digesting(log)) - set(gone["source"])
        log.erase([*same, *sorted(shown), *gone["note"], *gone["source"], *files], by)
        rows = _relabelled(log, same)
    gone_players = set(same)
    return Erased(
        players=tuple(same),
        notes=len(gone["note"]),
        sources=len(gone["source"]),
        files=len(files),
        called=len(shown),
        namesakes=_keys(names[player - 1] for player in called if player not in same and called[player] & shown),
        mentions=len(mentioned),
        positions=tuple(mentioned[:SHOWN]),
        alike=_keys(name for name in spoken if name.kind == "player" and name.id not in same),
        pools=_keys(name for name in spoken if name.kind == "pool"),
        rows=rows,
        guessable=sum(not gone_players.isdisjoint((row.a, row.b)) for row in older(log)),
        beyond=log.beyond,
    )


def digesting(log: Log) -> Iterator[int]:
    """Ids of sources that hold the digest of an imported file, whoever it named."""
    for name in log.names():
        if name.kind == "source" and name.key is not None and digests_file(name.key):
            yield name.id


def _mentions(log: Log, same: Iterable[int], also: Sequence[str]) -> Mentions:
    """What tells whether a text speaks of a player, by any of the names, also those that people see."""
    for text in also:
        if len(text) > LONGEST:
            raise BadValue("also", text, f"has {len(text)} characters, more than {LONGEST}")
    names, called = log.names(), _called(log)
    numbers = {*same}.union(*(called.get(player, ()) for player in same))
    return Mentions([*_keys(names[number - 1] for number in numbers), *also])


def _called(log: Log) -> dict[int, set[int]]:
    """Ids of all names that each player was ever called, by id of the player, whatever was taken back since."""
    who: dict[int, set[int]] = {}
    """By position of a description, the players it was ever about."""
    names: dict[int, set[int]] = {}
    """By position of a description, the names it ever gave."""
    for row in log.rows(0, None, ("player", "amend")):
        facts = row.facts
        at, player = (row.position, row.a) if row.kind == "player" else (row.ref or 0, facts["set"].get("player"))
        called = (facts if row.kind == "player" else facts["set"]).get("called")
        if player is not None:
            who.setdefault(at, set()).add(player)
        if isinstance(called, list):
            names.setdefault(at, set()).update(called)
    called_by: dict[int, set[int]] = {}
    for at, numbers in names.items():
        for player in who.get(at, ()):
            called_by.setdefault(player, set()).update(numbers)
    return called_by


def _mentioning(log: Log, mentions: Mentions, after: int, to: int | None) -> Iterator[int]:
    """Positions of events that speak of the player where nothing can be erased."""
    for row in log.likely(mentions.likely(), after, to):
        if mentions.within(row.uid) or mentions.among(row.facts):
            yield row.position


def _relabelled(log: Log, players: Sequence[int]) -> int:
    """How many rows of the tables in the file of the log show labels in place of names now."""
    if log.derived is None:
        return 0
    return log.derived.relabel({number: ERASED.format(number) for number in players}, len(log.nameless("player")))


def _keys(names: Iterable[Name]) -> tuple[str, ...]:
    return tuple(name.key for name in names if name.key is not None)
