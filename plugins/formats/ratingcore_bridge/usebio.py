"""Reads USEBIO: the sessions of pairs, individuals or teams, with their published scores."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import NamedTuple
from xml.etree.ElementTree import Element

from ratingcore.plugin.readers import (
    BadValue,
    Document,
    Filled,
    Item,
    Options,
    Reader,
    Reason,
    Refused,
    Sample,
    Session,
    Source,
    Unrated,
    Warning,
    Who,
    at,
    clean_name,
    day_of,
    identifies_somebody,
    nobody,
    one_line,
    round_order,
)


class Division(NamedTuple):
    """An event, or a session or section of it.

    Attributes
    ----------
    label : str
        The ids of session and section, `2:A`; empty for a whole event.
    element : Element
    date : str
        The day as written in it, or in its parent.
    """

    label: str
    element: Element
    date: str


def line_of(element: Element) -> int:
    """Returns the line an element begins on."""
    return getattr(element, "line", 1)


def text_of(element: Element, path: str) -> str:
    """Returns the text of a descendant, found by its path, with one blank between words; empty if missing."""
    return " ".join((element.findtext(path) or "").split())


def excerpt(element: Element) -> str:
    """Returns the beginning of the texts of an element, for a report."""
    return one_line(" ".join(element.itertext()))


def whole(event: Element) -> Division:
    """Returns an event as a single part."""
    return Division("", event, text_of(event, "DATE"))


def inner(part: Division) -> Iterator[Division]:
    """Yields the sessions and sections inside a part, labelled by their ids, or by their order if they have none."""
    used: set[str] = set()
    for kind in ("SESSION", "SECTION"):
        for order, element in enumerate(part.element.findall(kind), 1):
            own = element.get(f"{kind}_ID") or text_of(element, f"{kind}_ID") or str(order)
            own = " ".join(own.split())
            if own in used:
                own = f"{own}.{order}"
            used.add(own)
            date = text_of(element, "DATE") or text_of(element, f"{kind}_DATE") or part.date
            yield Division(f"{part.label}:{own}" if part.label else own, element, date)


def parts(event: Element) -> list[Division]:
    """Returns the innermost parts of an event that have participants of their own."""
    return _below(whole(event))


def _below(part: Division) -> list[Division]:
    deeper = [one for below in inner(part) for one in _below(below)]
    return deeper or ([part] if part.element.find("PARTICIPANTS") is not None else [])


LINES = ("NS", "EW")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})")


class Score(NamedTuple):
    """The unit of a session's scores, and the name of the element with a side's score."""

    unit: str
    element: str


class ScoredSide(NamedTuple):
    """A side of a session: its players, their line (NS, EW or empty), and their score."""

    players: tuple[Who, ...]
    line: str
    score: float


def points_of(text: str) -> float | None:
    """Returns a number, also with a decimal comma or a percent sign; None for other texts.

    Examples
    --------
    >>> points_of("56.25"), points_of("56,25"), points_of("-3"), points_of("nan"), points_of("")
    (56.25, 56.25, -3.0, None, None)
    """
    plain = text.strip().removesuffix("%").strip().replace(",", ".")
    return float(plain) if _NUMBER.fullmatch(plain) else None


def who(player: Element) -> Who | str:
    """Returns a player, by their national number if they have one; or the problem with them."""
    given, name = text_of(player, "NATIONAL_ID_NUMBER"), text_of(player, "PLAYER_NAME")
    found = Who(given if given.strip("0") else None, name)
    try:
        known = clean_name(found.id or name)
    except BadValue as problem:
        return Reason.of(problem)
    if found.id is None and not known:
        return "it has neither a number nor a name"
    if found.id is not None or identifies_somebody(known):
        return found
    return Reason("it has no name that identifies the player", name)


def sides(part: Element, path: str, score: Score, where: str) -> tuple[list[ScoredSide], list[Refused]]:
    """Returns the sides of a session in the order of the file, and refusals of those that cannot be read.

    A pair without players and points sat out, and is left out.
    """
    found: list[ScoredSide] = []
    bad: list[Refused] = []
    for element in part.iterfind(path):
        players = [element] if element.tag == "PLAYER" else element.findall("PLAYER")
        points = points_of(text_of(element, score.element))
        if not players and not points:
            continue
        side = _side(element, players, points, score)
        if isinstance(side, ScoredSide):
            found.append(side)
        else:
            bad.append(Refused(line_of(element), Reason.of(side, where), excerpt(element)))
    return found, bad


def _side(element: Element, players: list[Element], points: float | None, score: Score) -> ScoredSide | str:
    """Returns a side, or the problem with it."""
    single = element.tag == "PLAYER"
    named = text_of(element, "PLAYER_NUMBER" if single else "PAIR_NUMBER")
    who_is_it = f"{'player' if single else 'pair'} {named}".strip()
    if not single and len(players) != 2:
        return Reason(Filled("it has {n} players, not 2", n=len(players)), where=who_is_it)
    known = [who(player) for player in players]
    for one in known:
        if isinstance(one, str):
            return Reason.of(one, who_is_it if single else f"a player of {who_is_it}")
    if points is None:
        return Reason(
            Filled("it has no number in {element}", element=score.element),
            text_of(element, score.element),
            where=who_is_it,
        )
    seated = tuple(one for one in known if isinstance(one, Who))
    return ScoredSide(seated, text_of(element, "DIRECTION").upper(), points)


def teams(part: Element) -> dict[str, tuple[Who, ...] | str]:
    """Returns the players of each team by its number, or the problem with one of them."""
    found: dict[str, tuple[Who, ...] | str] = {}
    for team in part.iterfind("PARTICIPANTS/TEAM"):
        own = team.get("TEAM_ID") or text_of(team, "TEAM_ID") or text_of(team, "TEAM_NUMBER")
        players = [who(player) for player in team.iter("PLAYER")]
        problem = next((one for one in players if isinstance(one, str)), "")
        seated = tuple(dict.fromkeys(one for one in players if isinstance(one, Who)))
        own = " ".join(own.split())
        if own in found:
            found[own] = "it occurs twice"
        elif problem:
            found[own] = Reason.of(problem, "a player")
        else:
            found[own] = seated or "it has no players"
    return found


def boards(part: Element, lined: bool) -> int:
    """Returns the number of boards that most pairs played; 0 if the file has no boards.

    If pairs stay in their line (`lined`), NS 3 and EW 3 are two different pairs.
    """
    played: Counter[tuple[str, str]] = Counter()
    for match in (part, *part.iter("MATCH")):
        for line in match.iterfind("BOARD/TRAVELLER_LINE") if match is not part else _tables(part):
            for direction in LINES:
                name = f"{direction}_PAIR_NUMBER"
                pair = text_of(line, name) or (text_of(match, name) if match is not part else "")
                if pair:
                    played[direction if lined else "", pair] += 1
    often = Counter(played.values()).most_common()
    return max((count for count, pairs in often if pairs == often[0][1]), default=0)


def _tables(part: Element) -> list[Element]:
    """Returns the traveller lines of a part's boards, except those of its matches."""
    inside = [*part.iterfind("BOARD/TRAVELLER_LINE")]
    for below in (*part.iterfind("SESSION"), *part.iterfind("SECTION")):
        inside += _tables(below)
    return inside


Teams = dict[str, tuple[Who, ...] | str]


class _Match(NamedTuple):
    """A match, the part of the event that contains it, and the teams of that part."""

    element: Element
    part: Division
    teams: Teams


def matches(
    event: Element, number: str, uid: str, data: dict[str, str | int], played: Callable[[Division], int | None]
) -> Iterator[Item]:
    """Yields the matches of an event.

    Parameters
    ----------
    number, uid : str
        The event's number, and the prefix of its matches' uids.
    data : dict
        Facts of every match.
    played : callable
        Returns the time of a part of the event; `BadValue` if its day is invalid.
    """
    found = list(_found(whole(event), _all_teams(event)))
    if not found:
        yield Refused(line_of(event), Reason("it has no MATCH", where=Filled("event {number}", number=number)))
    seen: dict[tuple[str, str, str, str], tuple[float, float]] = {}
    times: dict[tuple[str, str, str, str], int] = {}
    for match in found:
        item = _match(match, number, data, played)
        if isinstance(item, Session):
            turn = text_of(match.element, "ROUND_NUMBER")
            a, b = text_of(match.element, "TEAM"), text_of(match.element, "OPPOSING_TEAM")
            scores = item.sides[0][1], item.sides[1][1]
            if seen.get((match.part.label, turn, b, a)) == (scores[1], scores[0]):
                yield Warning(
                    item.line,
                    "a match is listed from both sides",
                    f"{b} and {a}",
                    where=Filled("event {number}", number=number),
                )
                continue
            key = match.part.label, turn, a, b
            seen.setdefault(key, scores)
            times[key] = times.get(key, 0) + 1
            label = ":".join(one for one in (uid, *key, str(times[key]) if times[key] > 1 else "") if one)
            item = item._replace(key=(label,))
        yield item


def _found(part: Division, known: Teams) -> Iterator[_Match]:
    """Yields the matches in a part of an event and below it."""
    own = teams(part.element) or known
    yield from (_Match(element, part, own) for element in part.element.iterfind("MATCH"))
    for below in inner(part):
        yield from _found(below, own)


def _all_teams(event: Element) -> Teams:
    """Returns the teams of all sessions and sections, for matches in parts without teams of their own."""
    found: Teams = {}
    for part in (*event.iter("SESSION"), *event.iter("SECTION")):
        for own, players in teams(part).items():
            found[own] = players if found.get(own, players) == players else "it has other players in another section"
    return found


def _match(match: _Match, event: str, data: dict[str, str | int], played: Callable[[Division], int | None]) -> Item:
    """Returns a match as a session, or the reason why it is not one."""
    element = match.element
    line, turn = line_of(element), text_of(element, "ROUND_NUMBER")
    names = text_of(element, "TEAM"), text_of(element, "OPPOSING_TEAM")
    texts = text_of(element, "TEAM_SCORE"), text_of(element, "OPPOSING_TEAM_SCORE")
    where = f"event {event}{f', round {turn}' if turn else ''}"
    if any(name == "0" or nobody(name) for name in names):
        return Unrated(line, "bye")
    if not any(texts):
        return Unrated(line, "no result yet")
    problem = ""
    scores = [points_of(text) for text in texts]
    players = [match.teams.get(name, "it is not in the file") for name in names]
    for name, text, score, seated in zip(names, texts, scores, players, strict=True):
        if isinstance(seated, str):
            problem = problem or Reason.of(seated, f"team {name}")
        elif score is None:
            problem = problem or Reason("it has no number as its score", text, where=Filled("team {name}", name=name))
    if names[0] == names[1]:
        problem = Reason("it plays itself", where=Filled("team {name}", name=names[0]))
    if problem:
        return Refused(line, Reason.of(problem, where), excerpt(element))
    try:
        moment = played(match.part)
    except BadValue as bad:
        return Refused(line, Reason.of(bad, where), excerpt(element))
    count = len(element.findall("BOARD"))
    facts = data | ({"round": turn} if turn else {}) | ({"boards": count} if count else {})
    sides = tuple(
        (seated, score)
        for seated, score in zip(players, scores, strict=True)
        if not isinstance(seated, str) and score is not None
    )
    return Session(line, (), sides, moment, round_order(turn), facts)


_PAIRS = {
    "MP_PAIRS": Score("percent", "PERCENTAGE"),
    "BUTLER_PAIRS": Score("imp", "TOTAL_SCORE"),
    "CROSS_IMPS": Score("imp", "TOTAL_SCORE"),
    "CROSS_IMP": Score("imp", "TOTAL_SCORE"),  # another spelling, used by some programs
    "AGGREGATE": Score("points", "TOTAL_SCORE"),
    "SWISS_PAIRS": Score("vp", "TOTAL_SCORE"),
    "SWISS_PAIRS_CROSS_IMPS": Score("imp", "TOTAL_SCORE"),
    "SWISS_PAIRS_BUTLER_IMPS": Score("imp", "TOTAL_SCORE"),
}
"""Types of event for pairs: the unit of their scores, and the element of a pair's score."""
_TEAMS = ("SWISS_TEAMS", "TEAMS_OF_FOUR", "TEAMS")
_MATCH_UNITS = {"VPS": "vp", "VP": "vp", "IMPS": "imp", "IMP": "imp", "CROSS_IMPS": "imp", "PERCENTAGE": "percent"}
"""Units of match scores by their names in events; others are points."""
TYPES = (*_PAIRS, "INDIVIDUAL", *_TEAMS)
"""Types of event that can be read."""


def _sniff(sample: Sample) -> int:
    return 99 if sample.root == "USEBIO" else 0


def _read(source: Source, options: Options) -> Iterator[Item]:
    root = source.document()
    if root.tag != "USEBIO":
        source.refuse(Filled("its root is {root}, not {wanted}", root=root.tag[:40], wanted="USEBIO"))
    club = text_of(root, "CLUB/CLUB_ID_NUMBER") or text_of(root, "CLUB/CLUB_NAME")
    events = root.findall("EVENT")
    if not events or not club:
        source.refuse("it has no event" if club else "it does not name a club")
    for event in events:
        yield from _event(club, event, options.date_format or "day")


def _event(club: str, event: Element, form: str) -> Iterator[Item]:
    """Yields the items of an event; an unreadable event opens no document, so that no earlier content is voided.

    `form` says whether day or month comes first in its dates, or gives their format.
    """
    number = text_of(event, "EVENT_IDENTIFIER")
    kind = event.get("EVENT_TYPE", "").strip().upper()
    if not number:
        yield Refused(line_of(event), "an event has no EVENT_IDENTIFIER", kind)
        return
    if kind not in TYPES:
        why = Reason(
            Filled("its type is not one of {types}", types=", ".join(TYPES)),
            kind or "none",
            where=Filled("event {number}", number=number),
        )
        yield Refused(line_of(event), why, kind)
        return
    uid, name = f"usebio:{club}:{number}", (event.findtext("EVENT_DESCRIPTION") or "").strip() or number
    items = list(_sessions(event, kind, number, uid, name, form))
    unreadable = any(isinstance(item, Refused) for item in items)
    if any(isinstance(item, Session) for item in items) or not unreadable:
        try:
            day = _day(whole(event), form)
        except BadValue:  # its sessions have their own days
            day = None
        yield Document((uid,), name, day)
    yield from items


def _sessions(event: Element, kind: str, number: str, uid: str, name: str, form: str) -> Iterator[Item]:
    by_pair = kind in _TEAMS and event.find(".//PARTICIPANTS/TEAM/PAIR/CROSS_IMPS") is not None
    unit = _MATCH_UNITS.get(text_of(event, "MATCH_SCORING_METHOD").upper())
    if kind in _TEAMS and not by_pair:
        yield from matches(event, number, uid, {"unit": unit or "points", "event": name}, partial(_played, form=form))
        return
    found = parts(event)
    if not found:
        yield Refused(
            line_of(event), Reason("it has no PARTICIPANTS", where=Filled("event {number}", number=number)), kind
        )
    elif found[0].label and event.find("PARTICIPANTS") is not None:
        yield Warning(
            line_of(event),
            "its sessions are read, and its overall totals are not",
            where=Filled("event {number}", number=number),
        )
    if by_pair and event.find(".//MATCH") is not None:
        yield Warning(
            line_of(event),
            "the cross-IMPs of its pairs are read, not its matches",
            where=Filled("event {number}", number=number),
        )
    for part in found:
        if by_pair:
            path, score = "PARTICIPANTS/TEAM/PAIR", Score("imp", "CROSS_IMPS")
        elif kind == "INDIVIDUAL":
            percent = part.element.find("PARTICIPANTS/PLAYER/PERCENTAGE") is not None
            path = "PARTICIPANTS/PLAYER"
            score = Score("percent", "PERCENTAGE") if percent else Score("points", "TOTAL_SCORE")
        else:
            path, score = "PARTICIPANTS/PAIR", _PAIRS[kind]
            if unit and kind.startswith("SWISS"):
                score = score._replace(unit=unit)
        yield from _session(part, path, score, number, f"{uid}:{part.label}" if part.label else uid, name, form)


def _session(
    part: Division, path: str, score: Score, number: str, uid: str, name: str, form: str
) -> Iterator[Session | Refused]:  # fmt: skip
    """Yields the refusals of unreadable sides, then the session of the others."""
    where = f"event {number}{f', session {part.label}' if part.label else ''}"
    found, bad = sides(part.element, path, score, where)
    yield from bad
    line = line_of(part.element)
    if len(found) < 2:
        if found or not bad:
            yield Refused(line, Reason(Filled("it has {n} sides, not two or more", n=len(found)), where=where), name)
        return
    try:
        played = _played(part, form)
    except BadValue as problem:
        yield Refused(line, Reason.of(problem, where), part.date)
        return
    lined = {side.line for side in found} == set(LINES)
    if lined:
        found.sort(key=lambda side: LINES.index(side.line))
    data: dict[str, str | int] = {"unit": score.unit, "event": name}
    if count := boards(part.element, lined):
        data["boards"] = count
    if lined:
        data["first_line"] = sum(side.line == LINES[0] for side in found)
    yield Session(line, (uid,), tuple((side.players, side.score) for side in found), played, data=data)


def _day(part: Division, form: str) -> date | None:
    """Returns the day of a part of an event; None if the file has none."""
    return day_of(part.date, form) if part.date else None


def _played(part: Division, form: str) -> int | None:
    day = _day(part, form)
    return None if day is None else at(day)


USEBIO = Reader(
    "usebio", "sessions of duplicate bridge in USEBIO (XML)", "document", _sniff, read=_read, suffixes=(".xml",)
)
