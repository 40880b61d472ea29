"""Matches of teams in a USEBIO event: one session of two sides each."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ratingcore.plugin.readers import BadValue, Refused, Session, Unrated, Warning, Who, round_order
from ratingcore_bridge.usebio_elements import Element, Part, excerpt, inner, line_of, text_of, whole
from ratingcore_bridge.usebio_sides import number, teams

_NOBODY = ("", "0", "BYE")

Teams = dict[str, tuple[Who, ...] | str]
Item = Session | Unrated | Refused | Warning


class _Match(NamedTuple):
    """A match as it stands, the part of the event it stands in, and the teams of that part."""

    element: Element
    part: Part
    teams: Teams


def matches(
    event: Element, number: str, uid: str, data: dict[str, str | int], played: Callable[[Part], int | None]
) -> Iterator[Item]:
    """Yields the matches of an event.

    Parameters
    ----------
    number, uid : str
        The event's own number, and the uid that those of its matches begin with.
    data : dict
        What every match says.
    played : callable
        When a part of the event was played; `BadValue` if its day is none.
    """
    found = list(_found(whole(event), _all_teams(event)))
    if not found:
        yield Refused(line_of(event), f"event {number}: it has no MATCH", "")
    seen: dict[tuple[str, str, str, str], tuple[float, float]] = {}
    times: dict[tuple[str, str, str, str], int] = {}
    for match in found:
        item = _read(match, number, data, played)
        if isinstance(item, Session):
            turn = text_of(match.element, "ROUND_NUMBER")
            a, b = text_of(match.element, "TEAM"), text_of(match.element, "OPPOSING_TEAM")
            scores = item.sides[0][1], item.sides[1][1]
            if seen.get((match.part.label, turn, b, a)) == (scores[1], scores[0]):
                yield Warning(item.line, f"event {number}: the match of {b} and {a} is there from both sides")
                continue
            key = match.part.label, turn, a, b
            seen.setdefault(key, scores)
            times[key] = times.get(key, 0) + 1
            label = ":".join(one for one in (uid, *key, str(times[key]) if times[key] > 1 else "") if one)
            item = item._replace(key=(label,))
        yield item


def _found(part: Part, known: Teams) -> Iterator[_Match]:
    """The matches in a part of an event and below it."""
    own = teams(part.element) or known
    yield from (_Match(element, part, own) for element in part.element.iterfind("MATCH"))
    for below in inner(part):
        yield from _found(below, own)


def _all_teams(event: Element) -> Teams:
    """The teams of all sessions and sections, for matches in parts without teams of their own."""
    found: Teams = {}
    for part in (*event.iter("SESSION"), *event.iter("SECTION")):
        for own, players in teams(part).items():
            found[own] = players if found.get(own, players) == players else "is another one in another section"
    return found


def _read(match: _Match, event: str, data: dict[str, str | int], played: Callable[[Part], int | None]) -> Item:
    """A match as a session, or why it is none."""
    element = match.element
    line, turn = line_of(element), text_of(element, "ROUND_NUMBER")
    names = text_of(element, "TEAM"), text_of(element, "OPPOSING_TEAM")
    texts = text_of(element, "TEAM_SCORE"), text_of(element, "OPPOSING_TEAM_SCORE")
    where = f"event {event}{f', round {turn}' if turn else ''}"
    if any(name.upper() in _NOBODY for name in names):
        return Unrated(line, "bye")
    if not any(texts):
        return Unrated(line, "no result yet")
    problem = ""
    scores = [number(text) for text in texts]
    players = [match.teams.get(name, "is not in the file") for name in names]
    for name, text, score, seated in zip(names, texts, scores, players, strict=True):
        if isinstance(seated, str):
            problem = problem or f"team {name} {seated}"
        elif score is None:
            problem = problem or f"team {name} has no number as its score: {text!r}"
    if names[0] == names[1]:
        problem = f"team {names[0]} plays itself"
    if problem:
        return Refused(line, f"{where}: {problem}", excerpt(element))
    try:
        moment = played(match.part)
    except BadValue as bad:
        return Refused(line, f"{where}: its DATE {bad}", excerpt(element))
    count = len(element.findall("BOARD"))
    facts = data | ({"round": turn} if turn else {}) | ({"boards": count} if count else {})
    sides = tuple(
        (seated, score)
        for seated, score in zip(players, scores, strict=True)
        if not isinstance(seated, str) and score is not None
    )
    return Session(line, (), sides, moment, round_order(turn), facts)
