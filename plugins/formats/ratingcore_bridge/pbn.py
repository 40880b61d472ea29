"""Reads PBN: deals of bridge sessions, whose scores make a result of each session."""

import re
from collections.abc import Iterator
from datetime import date

from ratingcore.plugin.readers import (
    BadValue,
    DatedOptions,
    Document,
    Item,
    Reader,
    Refused,
    Sample,
    Source,
    Warning,
    at,
    event_of,
    partial_day,
    round_order,
    tells_who,
)
from ratingcore.plugin.readers import Session as Played
from ratingcore_bridge.pbn_deals import deals
from ratingcore_bridge.pbn_sessions import Session

_HEAD = re.compile(r'^% ?PBN|^\s*\[\s*(?:Board|Deal|Dealer|Declarer|Vulnerable)\s*"', re.MULTILINE)
_PARTS = ("Round", "Session", "Section", "Stage")


def sniff(sample: Sample) -> int:
    """How sure it is that a sample is PBN: by its first line or the tags of a deal."""
    return (
        95
        if _HEAD.search(sample.head[:4096].removeprefix(b"\xef\xbb\xbf").decode("latin-1").replace("\r", "\n"))
        else 0
    )


def read_pbn(source: Source, options: DatedOptions) -> Iterator[Item]:
    """The sessions of a file: sides are pairs, who are known by the number after their name, if there is one."""
    documents: dict[tuple[str, str], dict[tuple[str, ...], Session]] = {}
    for deal in deals(source):
        tags = deal.tags
        sessions = documents.setdefault((tags.get("Event", ""), tags.get("Date") or tags.get("EventDate", "")), {})
        parts = tuple(tags.get(part, "") for part in _PARTS)
        if parts not in sessions:
            sessions[parts] = Session(deal.line, tags)
        sessions[parts].add(deal)
    if not documents:
        source.refuse("it is no PBN: it has no tag")
    for (name, text), sessions in documents.items():
        yield from _items(source, name, text, sessions, options)


def _items(
    source: Source, name: str, text: str, sessions: dict[tuple[str, ...], Session], options: DatedOptions
) -> Iterator[Item]:
    day, known, why = _day(text, options)
    event = event_of(" ".join(name.split())[:200] or source.name, day)
    yield Document(tuple(filter(None, (name, text))) or (source.name,), event, day)
    if why:
        yield Warning(next(iter(sessions.values())).line, why)
    for parts, session in sessions.items():
        result = session.result()
        yield from session.unrated
        yield from session.refused
        if result is None:
            continue
        unit, boards, pairs = result
        sides = []
        for pair, score in pairs:
            if all(player.id or tells_who(player.name) for player in pair) and pair[0] != pair[1]:
                sides.append((pair, score))
            else:
                names = " and ".join(player.name for player in pair)
                yield Refused(session.line, f"a pair whose names do not tell who they are: {names[:80]!r}", names[:200])
        text_of = " ".join(filter(None, (name, *parts)))[:200]
        if len(sides) < 2:
            yield Refused(session.line, f"a session has two pairs at least: {len(sides)}", text_of)
        elif why:
            yield Refused(session.line, why, text_of)
        else:
            data: dict[str, str | int] = {"unit": unit, "event": event} | ({"boards": boards} if boards else {})
            data |= {part.lower(): value for part, value in zip(_PARTS, parts, strict=True) if value}
            data |= {"dated": known} if known else {}
            order = round_order(parts[0] or parts[1]) if parts[0] or parts[1] else 0
            key = tuple(f"{part} {value}" for part, value in zip(_PARTS, parts, strict=True) if value)
            yield Played(session.line, key, tuple(sides), None if day is None else at(day), order, data)


def _day(text: str, options: DatedOptions) -> tuple[date | None, str, str]:
    """The day of a session, what is known of it, and why it is none."""
    if not text.strip("?. "):
        return None, "", ""
    try:
        return *partial_day(text, options.partial), ""
    except BadValue as problem:
        return None, "", str(problem)


PBN = Reader(
    "pbn", "PBN: deals of bridge sessions with their scores", "document", sniff, read=read_pbn, options=DatedOptions,
    suffixes=(".pbn",),
)  # fmt: skip
