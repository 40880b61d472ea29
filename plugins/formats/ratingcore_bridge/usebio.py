"""Reads USEBIO: every session of pairs, individuals or teams with its published scores."""

import re
from collections.abc import Iterator
from datetime import date

from ratingcore.plugin.readers import (
    BadValue,
    Document,
    Item,
    Options,
    Reader,
    Refused,
    Sample,
    Session,
    Source,
    Warning,
    at,
    day_of,
)
from ratingcore_bridge.usebio_elements import Element, Part, line_of, parts, text_of, whole
from ratingcore_bridge.usebio_matches import matches
from ratingcore_bridge.usebio_sides import LINES, Score, boards, sides

_PROLOGUE = (("<?", "?>"), ("<!--", "-->"))
_DOCTYPE = re.compile(r"<!DOCTYPE\s+USEBIO\b")

_PAIRS = {
    "MP_PAIRS": Score("percent", "PERCENTAGE"),
    "BUTLER_PAIRS": Score("imp", "TOTAL_SCORE"),
    "CROSS_IMPS": Score("imp", "TOTAL_SCORE"),
    "CROSS_IMP": Score("imp", "TOTAL_SCORE"),  # the same, as some programs spell it
    "AGGREGATE": Score("points", "TOTAL_SCORE"),
    "SWISS_PAIRS": Score("vp", "TOTAL_SCORE"),
    "SWISS_PAIRS_CROSS_IMPS": Score("imp", "TOTAL_SCORE"),
    "SWISS_PAIRS_BUTLER_IMPS": Score("imp", "TOTAL_SCORE"),
}
"""Types of event for pairs: the unit of their scores, and where a pair's score stands."""
_TEAMS = ("SWISS_TEAMS", "TEAMS_OF_FOUR", "TEAMS")
_MATCH_UNITS = {"VPS": "vp", "VP": "vp", "IMPS": "imp", "IMP": "imp", "CROSS_IMPS": "imp", "PERCENTAGE": "percent"}
"""Units by what an event says of the scores of its matches; others are points."""
TYPES = (*_PAIRS, "INDIVIDUAL", *_TEAMS)
"""Types of event that are read."""


def _sniff(sample: Sample) -> int:
    rest = sample.text.lstrip()
    while ends := [end for begin, end in _PROLOGUE if rest.startswith(begin)]:
        rest = rest.partition(ends[0])[2].lstrip()
    if _DOCTYPE.match(rest):
        return 99
    return 99 if rest[:7] == "<USEBIO" and rest[7:8] in tuple(" \t\r\n>") else 0


def _read(source: Source, options: Options) -> Iterator[Item]:
    root = source.document()
    if root.tag != "USEBIO":
        source.refuse(f"its root is {root.tag}, not USEBIO")
    club = text_of(root, "CLUB/CLUB_ID_NUMBER") or text_of(root, "CLUB/CLUB_NAME")
    events = root.findall("EVENT")
    if not events or not club:
        source.refuse("it has no event" if club else "it names no club")
    for event in events:
        yield from _event(club, event)


def _event(club: str, event: Element) -> Iterator[Item]:
    """The items of an event; one of which nothing can be read opens no document, so that nothing is taken back."""
    number = text_of(event, "EVENT_IDENTIFIER")
    kind = event.get("EVENT_TYPE", "").strip().upper()
    if not number:
        yield Refused(line_of(event), "an event has no EVENT_IDENTIFIER", kind)
        return
    if kind not in TYPES:
        why = f"event {number}: its type is not one of {', '.join(TYPES)}: {kind or 'none'}"
        yield Refused(line_of(event), why, kind)
        return
    uid, name = f"usebio:{club}:{number}", (event.findtext("EVENT_DESCRIPTION") or "").strip() or number
    items = list(_sessions(event, kind, number, uid, name))
    unreadable = any(isinstance(item, Refused) for item in items)
    if any(isinstance(item, Session) for item in items) or not unreadable:
        try:
            day = _day(whole(event))
        except BadValue:  # its sessions have days of their own
            day = None
        yield Document((uid,), name, day)
    yield from items


def _sessions(event: Element, kind: str, number: str, uid: str, name: str) -> Iterator[Item]:
    by_pair = kind in _TEAMS and event.find(".//PARTICIPANTS/TEAM/PAIR/CROSS_IMPS") is not None
    unit = _MATCH_UNITS.get(text_of(event, "MATCH_SCORING_METHOD").upper())
    if kind in _TEAMS and not by_pair:
        yield from matches(event, number, uid, {"unit": unit or "points", "event": name}, _played)
        return
    found = parts(event)
    if not found:
        yield Refused(line_of(event), f"event {number}: it has no PARTICIPANTS", kind)
    elif found[0].label and event.find("PARTICIPANTS") is not None:
        yield Warning(line_of(event), f"event {number}: its sessions are read, not its totals over them")
    if by_pair and event.find(".//MATCH") is not None:
        yield Warning(line_of(event), f"event {number}: the cross-IMPs of its pairs are read, not its matches")
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
        yield from _session(part, path, score, number, f"{uid}:{part.label}" if part.label else uid, name)


def _session(part: Part, path: str, score: Score, number: str, uid: str, name: str) -> Iterator[Session | Refused]:
    """One session of sides, after the refusals of the sides that cannot be read."""
    where = f"event {number}{f', session {part.label}' if part.label else ''}"
    found, bad = sides(part.element, path, score, where)
    yield from bad
    line = line_of(part.element)
    if len(found) < 2:
        if found or not bad:
            yield Refused(line, f"{where}: it has {len(found)} sides, not two or more", name)
        return
    try:
        played = _played(part)
    except BadValue as problem:
        yield Refused(line, f"{where}: its DATE {problem}", part.date)
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


def _day(part: Part) -> date | None:
    """The day of a part of an event; None if the file gives none."""
    return day_of(part.date, slashes="day") if part.date else None


def _played(part: Part) -> int | None:
    day = _day(part)
    return None if day is None else at(day)


USEBIO = Reader(
    "usebio", "sessions of duplicate bridge in USEBIO (XML)", "document", _sniff, read=_read, suffixes=(".xml",)
)
