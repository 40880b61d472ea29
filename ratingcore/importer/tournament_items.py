"""Yields a tournament of the log as the items that a reader of its file would yield: document, players, games."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import chain

from attrs import evolve

from ratingcore.columns.log_history import clocks
from ratingcore.corrections.known_facts import known
from ratingcore.corrections.results import as_slice, results
from ratingcore.errors import CannotWrite, UnknownName
from ratingcore.events import GamePlayed, Instant, SessionPlayed, moment
from ratingcore.events.zones import UTC
from ratingcore.log import Log
from ratingcore.readers import Document, Facts, Game, Item, Seed, Who
from ratingcore.spelling import spelt_like

_NAMED = re.compile(r"(.+) \(([0-9]{4}-[0-9]{2}-[0-9]{2})\)")


def tournament_items(
    log: Log, event: str, pool: str | None, through: Instant, to: int, ratings: Mapping[str, float]
) -> Iterator[Item]:
    """Yields the document of a tournament in the log, the facts and ratings of its players, and its corrected games.

    Parameters
    ----------
    log : Log
    event : str
        The field `event` of its results.
    pool : str or None
        Only results of this pool, board or slice; None for all.
    through : Instant
        Last time of play that counts.
    to : int
        Number of known events.
    ratings : mapping
        Ratings by the keys of players; other players are unrated.

    Raises
    ------
    UnknownName
        If no result at these cuts names the event; near names are listed.
    CannotWrite
        If one of its results is a session.
    """
    games = _games(log, event, pool, through, to)
    days = [moment(game.played).date() for _, game in games]  # days of the pool's zone, like the times of the games
    named = _NAMED.fullmatch(event)
    start = date.fromisoformat(named[2]) if named and _is_day(named[2]) else min(days)
    yield Document((event,), event, start, max([start, *days]))
    facts = known(log, None if pool is None else log.book.number("pool", as_slice(log, pool, to).pool), to)
    there: dict[str, Who] = {}
    for key in dict.fromkeys(chain.from_iterable((game.a, game.b) for _, game in games)):
        number = log.book.find("player", key)
        known_facts = {} if number is None else {name: one.value for name, one in facts.get(number, {}).items()}
        there[key] = who = Who(key, str(known_facts.get("called") or key))
        if known_facts:
            yield Facts(0, who, known_facts, None)
        if key in ratings:
            yield Seed(0, who, {"rating": ratings[key]}, None)
    for position, game in games:
        turn = str(game.data.get("round", "")) or str(game.order // 1000 or "")
        yield Game(
            position, (turn,), there[game.a], there[game.b], game.score, game.played, game.order, dict(game.data)
        )


def _games(log: Log, event: str, pool: str | None, through: Instant, to: int) -> list[tuple[int, GamePlayed]]:
    found, events, faces = list[tuple[int, GamePlayed]](), set[str](), clocks(log, to)
    for position, result in results(log, pool, through, to):
        of = str(result.data.get("event", ""))
        if of != event:
            events.add(of)
        elif isinstance(result, SessionPlayed):
            raise CannotWrite(event, f"the result at position {position} is a session of many sides, not a game of two")
        else:
            clock = faces.get(log.book.find("pool", result.pool), UTC)
            found.append((position, evolve(result, played=clock.of_result(result.played))))
    if not found:
        near = spelt_like(event, events) or sorted(events - {""})[-3:]
        raise UnknownName("event", event, tuple(near))
    return found


def event_names(log: Log, pool: str | None, through: Instant, to: int) -> list[str]:
    """Returns the tournaments that results at these cuts name, the latest first."""
    last: dict[str, Instant] = {}
    for _, result in results(log, pool, through, to):
        if event := str(result.data.get("event", "")):
            last[event] = max(result.played, last.get(event, result.played))
    return sorted(last, key=lambda event: (-last[event], event))


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
