"""Finds the games of a new document that the log has from another source already."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.events import Event, GamePlayed
from ratingcore.events.recorded_games import GameColumns
from ratingcore.log import Log

FEWEST = 10
"""Games of a document from which on it is looked for."""


class Known(NamedTuple):
    """The games of a document that are in the log, by their places in it, and where they came from."""

    places: list[int]
    source: str


class KnownGames:
    """The games of a log by pool, day and players; a pool is read once, and then what was appended to it.

    Parameters
    ----------
    log : Log
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._read: dict[int, tuple[int, list[GameColumns]]] = {}
        """By pool, how far it was read, and its games by day, in parts of falling lengths."""

    def among(self, events: Sequence[Event]) -> Known | None:
        """Which of a document's games are in their pool with the same players, day and score.

        None if they are fewer than half of ten or more.
        """
        games = {place: event for place, event in enumerate(events) if isinstance(event, GamePlayed)}
        numbers = self._numbers(games.values())
        if len(games) < FEWEST or sum(None not in pair for pair in numbers) < len(games) / 2:
            return None
        there = self._there(games.values())
        places, positions = [], []
        for (place, game), (a, b) in zip(games.items(), numbers, strict=True):
            if a is None or b is None:
                continue
            low, high, part = (a, b, game.score) if a < b else (b, a, 1 - game.score)
            same = there.get((game.pool, game.played, low, high), [])
            found = next((one for one in same if one[0] == part), None)
            if found is not None:
                same.remove(found)
                places.append(place)
                positions.append(found[1])
        if not places or len(places) < len(games) / 2:
            return None
        batch = next(self._log.batches(positions[0] - 1))
        return Known(places, "" if batch.source is None else self._log.names_book.key(batch.source))

    def _there(self, games: Collection[GamePlayed]) -> dict[tuple[str, int, int, int], list[tuple[float, int]]]:
        """By pool, day and players, what the log has on the days of games: scores of the first, and positions."""
        there: dict[tuple[str, int, int, int], list[tuple[float, int]]] = {}
        for pool in {game.pool for game in games}:
            days = np.array(sorted({game.played for game in games if game.pool == pool}), np.int64)
            for played, a, b, score, position in self._on(pool, days):
                low, high, part = (a, b, score) if a < b else (b, a, 1 - score)
                there.setdefault((pool, played, low, high), []).append((part, position))
        return there

    def _numbers(self, games: Collection[GamePlayed]) -> list[tuple[int | None, int | None]]:
        book = self._log.names_book
        names = {name for game in games for name in (game.a, game.b)}
        known = book.known("player", names)
        ids = {name: known.get(name) or book.labelled("player", name) for name in names}
        return [(ids[game.a], ids[game.b]) for game in games]

    def _on(self, pool: str, days: NDArray[np.int64]) -> list[tuple[int, int, int, float, int]]:
        """The games of a pool on some days: day, players, score, position."""
        number = self._log.id_of("pool", pool)
        if number is None:
            return []
        upto, read = self._read.get(number, (0, []))
        head = self._log.head.position
        if head > upto:
            part = _by_day([self._log.games(number, upto, head)])
            while read and len(read[-1].played) <= len(part.played):
                part = _by_day([read.pop(), part])
            read.append(part)
            self._read[number] = head, read
        found: list[tuple[int, int, int, float, int]] = []
        for games in read:
            start, stop = (np.searchsorted(games.played, days, side) for side in ("left", "right"))
            on = np.concatenate([np.arange(one, other) for one, other in zip(start, stop, strict=True)])
            columns = (games.played, games.a, games.b, games.score, games.position)
            found += zip(*(column[on].tolist() for column in columns), strict=True)
        return found


def _by_day(parts: Sequence[GameColumns]) -> GameColumns:
    """Games by day, those of a day in the order of the log."""
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    games = GameColumns(*columns)
    order = np.lexsort((games.position, games.played))
    return GameColumns(*(column[order] for column in columns))
