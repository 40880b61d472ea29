"""Erases a player from a log: every name of theirs, and the notes and sources that mention them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from unicodedata import name as letter
from unicodedata import normalize

from attrs import frozen

from ratingcore.errors import BadValue, UnknownName
from ratingcore.events.values import Key, player_key
from ratingcore.log import ERASED, Log, Name
from ratingcore.log.contract import Eraser

_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""Scripts without spaces between words, or with endings right after a name: names there have no word boundary."""


class Mentions:
    """Finds texts that mention a person by one of these names; case and Unicode form do not matter.

    A name counts only as whole words: `ann` is in `Ann's brother`, not in `annual`.

    Examples
    --------
    >>> of_ann = Mentions(["Ann", "Zoë"])
    >>> [of_ann.within(text) for text in ("told by ANN", "annual", "zoe\\u0308 won", "ann_lee-1")]
    [True, False, True, True]
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted({_plain(name) for name in names if name.strip()})

    def within(self, text: str) -> bool:
        """Whether a text mentions the person."""
        return bool(self._pattern.search(_plain(text)))

    def among(self, value: object) -> bool:
        """Whether any text in a JSON value mentions the person, names of fields included."""
        if isinstance(value, str):
            return self.within(value)
        if isinstance(value, dict):
            return any(self.among(part) for item in value.items() for part in item)
        return isinstance(value, list) and any(map(self.among, value))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # without names, a pattern that never matches
        return re.compile("|".join(map(_edged, self._names)) or r"(?!)")

    def likely(self) -> list[str]:
        """Patterns for SQL LIKE that every mention matches; LIKE folds the case of ASCII letters only."""
        return ["%" + "".join(map(_loose, name)) + "%" for name in self._names]


def _plain(text: str) -> str:
    return normalize("NFC", normalize("NFC", text).casefold())


def _edged(name: str) -> str:
    before = r"(?<![^\W_])" if _spaced(name[0]) else ""
    after = r"(?![^\W_])" if _spaced(name[-1]) else ""
    return before + re.escape(name) + after


def _spaced(char: str) -> bool:
    return char.isalnum() and not letter(char, "").startswith(_UNSPACED)


def _loose(char: str) -> str:
    """A character for LIKE, or a wildcard where its text may differ: JSON escapes, and case folding to `s` and `k`."""
    return char if char.isascii() and char.isalnum() and char not in "sk" else "%"


@frozen
class Erased:
    """Report of an erasure: what it removed, and what it could not remove.

    Parameters
    ----------
    players : tuple of int
        Ids whose names are gone: the player, and records merged with the player.
    notes, sources : int
        Reasons, actors and sources that mentioned the player and were erased as a whole.
    mentions : int
        Events that still mention the player where nothing can be erased: in a uid or a free field.
    positions : tuple of int
        The first of them.
    alike : tuple of str
        Other players whose names contain the erased one; they stay.
    pools : tuple of str
        Pools whose names contain it; they stay.
    rows : int
        Rows of tables that plugins keep in the same file, which now show `(erased N)`.
    beyond : tuple of str
        Sentences about what keeps the name where no erasure reaches.
    called : int
        Names that people saw beside the key.
    namesakes : tuple of str
        Other players who were called the same, and now are called nothing until they are named again.
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

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels shown for the player from now on."""
        return tuple(map(ERASED.format, self.players))

    def left(self) -> list[str]:
        """Sentences about what still mentions the player in this log."""
        lines = []
        if self.mentions:
            first = ", ".join(map(str, self.positions))
            more = ", ..." if self.mentions > len(self.positions) else ""
            events = "1 event speaks" if self.mentions == 1 else f"{self.mentions} events speak"
            at = "position" if self.mentions == 1 else "positions"
            lines.append(f"{events} of the player in a uid or a field, which cannot be erased: {at} {first}{more}")
            lines.append("only a new log is without it, recorded from files that give other uids and fields")
        for what, names in (("players", self.alike), ("pools", self.pools)):
            if names:
                lines.append(f"{what} whose names hold the name, and stay: {', '.join(names)}")
        if self.namesakes:
            lines.append(f"players who were called the same, and have to be named again: {', '.join(self.namesakes)}")
        return [*lines, *self.beyond]

    def __str__(self) -> str:
        done = [f"erased: {', '.join(self.labels)}"]
        shown = (self.called, "shown name")
        for count, what in (shown, (self.notes, "note"), (self.sources, "source"), (self.rows, "row")):
            if count:
                where = " of derived tables" if what == "row" else ""
                done.append(f"with {count} {what if count == 1 else what + 's'}{where}")
        return "\n".join([", ".join(done), *self.left()])


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


def known_as(log: Log, player: Key) -> tuple[str, ...]:
    """All names that count as one player now, the one asked for first; `UnknownName` if there is none.

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
    book, key = log.names_book, player_key(player)
    same = same_player(log, log.number_of("player", key, book))
    names = tuple(book.key(number) for number in same if number not in book.erased)
    if not names:  # the label of a name that is gone
        raise UnknownName("player", key)
    return names


def erase(log: Log, player: str, also: Sequence[str] = (), by: str = "", erasers: Sequence[Eraser] = ()) -> Erased:
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
    erased = _dropped(log, player, number, also, by, erasers)
    log.clear()
    return erased


def _finished(log: Log) -> Erased:
    """Clears the bytes that an earlier erasure had to leave."""
    left = log.uncleared()
    log.clear()
    players = {name.id for name in log.names() if name.kind == "player"}
    return Erased(tuple(number for number in left if number in players))


def _dropped(log: Log, player: str, number: int, also: Sequence[str], by: str, erasers: Sequence[Eraser]) -> Erased:
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
        log.erase([*same, *sorted(shown), *gone["note"], *gone["source"]], by)
        rows = sum(eraser(log, same) for eraser in erasers)
    return Erased(
        players=tuple(same),
        notes=len(gone["note"]),
        sources=len(gone["source"]),
        called=len(shown),
        namesakes=_keys(names[player - 1] for player in called if player not in same and called[player] & shown),
        mentions=len(mentioned),
        positions=tuple(mentioned[:SHOWN]),
        alike=_keys(name for name in spoken if name.kind == "player" and name.id not in same),
        pools=_keys(name for name in spoken if name.kind == "pool"),
        rows=rows,
        beyond=log.beyond,
    )


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


def _keys(names: Iterable[Name]) -> tuple[str, ...]:
    return tuple(name.key for name in names if name.key is not None)
