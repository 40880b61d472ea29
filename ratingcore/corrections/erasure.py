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
        mentioned += _mentioning(log, mentions, looked, None)
        spoken = [name for name in log.names() if name.key is not None and mentions.within(name.key)]
        gone = {kind: [name.id for name in spoken if name.kind == kind] for kind in ("note", "source")}
        files = set(digesting(log)) - set(gone["source"])
        log.erase([*same, *gone["note"], *gone["source"], *files], by)
        rows = _relabelled(log, same)
    gone_players = set(same)
    return Erased(
        players=tuple(same),
        notes=len(gone["note"]),
        sources=len(gone["source"]),
        files=len(files),
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
    """What tells whether a text speaks of a player, by any of the names."""
    for text in also:
        if len(text) > LONGEST:
            raise BadValue("also", text, f"has {len(text)} characters, more than {LONGEST}")
    names = log.names()
    return Mentions([*_keys(names[number - 1] for number in same), *also])


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
