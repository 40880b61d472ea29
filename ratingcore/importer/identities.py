"""Finds ids with two names, and names with two ids, in one file: either may be a mistake that nobody notices."""

from ratingcore.importer.name_notes import IdsOfOneName, NamesOfOneId
from ratingcore.importer.notes import SHOWN
from ratingcore.readers import Note
from ratingcore.spelling import alike, name_words

_MOST = 100_000
"""Number of players up to which a file is examined; larger files are lists of everybody, with many namesakes."""


class Identities:
    """The names by which one file calls players with ids."""

    def __init__(self) -> None:
        self._called: dict[str, tuple[str, int]] = {}
        """By id, the first name and its line."""
        self._ids: dict[tuple[str, ...], tuple[str, str, int]] = {}
        """By the words of a name, the name, its first id and its line."""
        self._names = dict[str, tuple[str, str, int, str, int]]()
        self._several = dict[str, tuple[str, str, int, str, int]]()

    def add(self, line: int, key: str, called: str) -> None:
        """Adds a player with an id, and the name on a line."""
        if len(self._called) >= _MOST:
            return
        first, at = self._called.setdefault(key, (called, line))
        if first != called and key not in self._names and not any(alike([first], [called])):
            self._names[key] = key, first, at, called, line
        name, other, at = self._ids.setdefault(name_words(called), (called, key, line))
        if other != key:
            self._several.setdefault(name, (name, other, at, key, line))

    def notes(self, by_name: set[str]) -> list[Note]:
        """Returns the findings; `by_name` are the players who are known by name only."""
        if len(self._called) >= _MOST:
            return []
        for name, key, at in [*self._ids.values()]:
            if name in by_name:
                self._several.setdefault(name, (name, key, at, "", 0))
        found = list[Note]()
        for kind, cases in ((NamesOfOneId, self._names), (IdsOfOneName, self._several)):
            found += [kind(len(cases), tuple(cases.values())[:SHOWN])] if cases else []
        return found
