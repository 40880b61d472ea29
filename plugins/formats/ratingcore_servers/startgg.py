"""Reads sets of start.gg, from its GraphQL API."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ratingcore.plugin.readers import (
    BadValue,
    Game,
    Item,
    Reader,
    Reason,
    Refused,
    Sample,
    Session,
    Source,
    TimedOptions,
    Unrated,
    Warning,
    Who,
    at_moment,
    event_of,
)
from ratingcore_servers.values import (
    description,
    elements,
    fields,
    moment_of,
    public_id,
    refused,
    text,
    whole,
)

_WINNER, _SLOTS = re.compile(r'"winnerId"\s*:'), re.compile(r'"slots"\s*:\s*\[')
_DONE = ("3", "COMPLETED")


class _Entrant(NamedTuple):
    """One side of a set: its number and name in this event, its players, and its games won."""

    number: str
    name: str
    players: tuple[Who, ...]
    won: int | None


def _sniff(sample: Sample) -> int:
    head = sample.text
    return 95 if head.lstrip()[:1] in ("{", "[") and _WINNER.search(head) and _SLOTS.search(head) else 0


def _read(source: Source, options: TimedOptions) -> Iterator[Item]:
    warned = False
    for line, value in source.json_objects():
        if isinstance(value, Refused):
            yield value
            continue
        found = False
        for event, one in _sets(value):
            found = True
            for item in _items(line, event, one, options.time):
                by_tag = isinstance(item, Game | Session) and any(who.id is None for who in _players(item))
                if by_tag and not warned:
                    warned = True
                    yield Warning(
                        line, "players without a permanent number are identified by tag: the numbers of entrants and "
                        "participants change with every event; ask for player { id } in the query",
                    )  # fmt: skip
                yield item
        if not found:
            yield refused(line, value, "holds no sets")


def _players(item: Game | Session) -> tuple[Who, ...]:
    if isinstance(item, Game):
        return item.a, item.b
    return tuple(who for players, _ in item.sides for who in players)


def _sets(value: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yields the sets in an answer of the API, in order, each with its event, which may be empty."""
    waiting: list[tuple[dict[str, Any], Any]] = [({}, value)]
    while waiting:
        event, one = waiting.pop()
        if isinstance(one, list):
            waiting += [(event, part) for part in reversed(one)]
        elif isinstance(one, dict) and "slots" in one and ("winnerId" in one or "state" in one):
            yield fields(one.get("event")) or event, one
        elif isinstance(one, dict):
            within = one if "sets" in one and "slots" not in one and ("startAt" in one or "name" in one) else event
            waiting += [(within, part) for part in reversed(one.values())]


def _items(line: int, event: dict[str, Any], one: dict[str, Any], time: str) -> Iterator[Item]:
    number = text(one.get("id"))
    entrants = [_entrant(slot) for slot in elements(one.get("slots"))]
    there = [entrant for entrant in entrants if entrant is not None]
    reason = _unrated(one, there)
    if reason:
        yield Unrated(line, reason)
        return
    winner = text(one.get("winnerId"))
    key = public_id("startgg", number)
    problem, where = "", f"set {number}".strip()
    if not key:
        problem = "it has no id"
    elif len(there) != 2:
        problem = f"it has {len(there)} entrants"
    elif there[0].number == there[1].number or winner not in (entrant.number for entrant in there):
        problem = "it does not name a winner"
    elif not all(entrant.players for entrant in there):
        nameless = next(entrant for entrant in there if not entrant.players)
        problem = Reason("an entrant has a player with neither a number nor a tag", nameless.number)
    if problem:
        yield refused(line, one, problem, where)
        return
    try:
        yield _result(line, key, event, one, there[0], there[1], time)
    except BadValue as bad:
        yield refused(line, one, bad, where)


def _unrated(one: dict[str, Any], there: list[_Entrant]) -> str:
    """Returns the reason why a set is unrated; empty if it is rated."""
    state = text(one.get("state"))
    shown = text(one.get("displayScore")).upper()
    if state not in _DONE and not (state == "" and text(one.get("winnerId"))):
        return "no result yet"
    if shown == "BYE" or len(there) < 2:
        return "bye"
    points = _points(one, there)
    return "forfeit" if shown == "DQ" or (points is not None and -1 in points) else ""


def _entrant(slot: Any) -> _Entrant | None:
    entrant = fields(slot).get("entrant")
    if not isinstance(entrant, dict):
        return None
    name = text(entrant.get("name"))
    participants = elements(entrant.get("participants"))
    players = tuple(_who(participant) for participant in participants)
    if len(players) < 2 and not any(who.name for who in players):
        tag = name.rsplit(" | ", 1)[-1].strip()
        players = (Who(players[0].id if players else None, tag),)
    if not all(who.id or who.name for who in players):
        players = ()
    score = fields(fields(fields(fields(slot).get("standing")).get("stats")).get("score")).get("value")
    return _Entrant(text(entrant.get("id")), name, players, whole(score))


def _who(participant: Any) -> Who:
    """Returns a participant, with the tag and, if the query included it, the permanent number on the site."""
    player = fields(fields(participant).get("player"))
    tag = text(fields(participant).get("gamerTag")) or text(player.get("gamerTag"))
    number = public_id("startgg", player.get("id"))
    return Who(number or None, tag)


def _points(one: dict[str, Any], there: list[_Entrant]) -> tuple[int, int] | None:
    """Returns the games won by the two entrants, from the displayed score or else their standings; None if unknown."""
    if len(there) != 2:
        return None
    shown = text(one.get("displayScore"))
    for first, second in ((0, 1), (1, 0)):
        left, _, right = shown.removeprefix(there[first].name + " ").partition(f" - {there[second].name} ")
        numbers = (left, right) if first == 0 else (right, left)
        a, b = whole(numbers[0]), whole(numbers[1])
        if a is not None and b is not None:
            return a, b
    a, b = there[0].won, there[1].won
    return None if a is None or b is None else (a, b)


def _result(
    line: int, key: str, event: dict[str, Any], one: dict[str, Any], a: _Entrant, b: _Entrant, time: str
) -> Game | Session:
    """Returns a set as a game, or as a session of two teams."""
    began = moment_of(event.get("startAt"))
    times = [moment_of(one.get(name)) for name in ("completedAt", "startedAt")]
    own = (times[0] or times[1]) if time == "end" else (times[1] or times[0])
    moment = own or began
    played = None if moment is None else at_moment(moment)
    name = description(event.get("name")) or description(one.get("eventId"))
    tournament = description(fields(event.get("tournament")).get("name"))
    data: dict[str, str | int] = {}
    if name:
        data["event"] = event_of(f"{tournament}: {name}" if tournament else name, began.date() if began else None)
    if played is not None and not own:
        data["dated"] = "event"
    stage = description(one.get("fullRoundText"))
    if stage:
        data["round"] = stage
    points = _points(one, [a, b])
    if points is not None:
        data["points_a"], data["points_b"] = points
    score = float(text(one.get("winnerId")) == a.number)
    if len(a.players) == len(b.players) == 1:
        return Game(line, (key,), a.players[0], b.players[0], score, played, data=data)
    sides = ((a.players, score), (b.players, 1.0 - score))
    return Session(line, (key,), sides, played, data={"unit": "points", **data})


STARTGG = Reader(
    "startgg", "sets of start.gg, as its GraphQL interface gives them (JSON)", "stream", _sniff, read=_read,
    options=TimedOptions, suffixes=(".json",),
)  # fmt: skip
