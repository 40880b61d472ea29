"""Reads contests of Codeforces from its API: standings and rating changes."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from ratingcore.plugin.readers import (
    BadValue,
    Document,
    Item,
    Options,
    Reader,
    Reason,
    Refused,
    Sample,
    Seed,
    Session,
    Source,
    Unrated,
    Who,
    at_moment,
    event_of,
    seen,
)
from ratingcore_servers.values import (
    description,
    elements,
    excerpt,
    fields,
    moment_of,
    public_id,
    refused,
    text,
    whole,
)

_ANSWER = re.compile(r'\s*\[?\s*\{\s*"(?:status|result|comment)"\s*:')
_ROWS = re.compile(r'"(?:rows|ratingUpdateTimeSeconds|participantType)"\s*:')


class _Place(NamedTuple):
    """A row of the standings: a player or a team."""

    players: tuple[str, ...]
    rank: int


class _Contest:
    """Facts of one contest in a file, collected until another one begins."""

    def __init__(self, number: str, line: int) -> None:
        self.number = number
        self.line = line
        self.standings: dict[str, Any] = {}
        self.rows: list[Any] = []
        self.changes: list[Any] = []


def _sniff(sample: Sample) -> int:
    head = sample.text
    if not _ANSWER.match(head) or '"result"' not in head:
        return 0
    return 95 if _ROWS.search(head) else 0


def _read(source: Source, options: Options) -> Iterator[Item]:
    open_one: _Contest | None = None
    known = False
    for line, value in source.json_objects():
        if isinstance(value, Refused):
            yield value
            continue
        parts = list(_parts(value))
        if not any(kind for _, kind, _ in parts):
            if not known:
                source.refuse(_answer(value))
            parts = [("", "", value)]
        known = True
        for number, kind, content in parts:
            if not kind or not number:
                yield refused(line, content, "does not name a contest" if kind else _answer(content))
                continue
            if open_one is None or open_one.number != number:
                if open_one is not None:
                    yield from _items(open_one)
                open_one = _Contest(number, line)
            if kind == "standings":
                open_one.standings = fields(content.get("contest"))
                open_one.rows += elements(content.get("rows"))
            else:
                open_one.changes.append(content)
    if open_one is not None:
        yield from _items(open_one)


def _answer(value: Any) -> str:
    """Returns the problem of a value that is not a contest."""
    comment = description(fields(value).get("comment"))
    return f"the site answered: {comment}" if comment else "it is neither standings nor changes of ratings"


def _parts(value: Any) -> Iterator[tuple[str, str, Any]]:
    """Yields the parts of an answer of the site: id of the contest, kind (`standings`, `change`, empty), and values."""
    result = fields(value).get("result", value)
    if isinstance(result, dict) and "rows" in result:
        yield text(fields(result.get("contest")).get("id")), "standings", result
        return
    for change in result if isinstance(result, list) else [result]:
        if "ratingUpdateTimeSeconds" in fields(change) or {"handle", "oldRating"} <= fields(change).keys():
            yield text(change.get("contestId")), "change", change
        else:
            yield "", "", change


def _items(contest: _Contest) -> Iterator[Item]:
    """Yields the items of a contest; rating changes, if there are any, decide who was rated."""
    places: list[_Place] = []
    seeds: list[tuple[str, float]] = []
    bad: list[Item] = []
    casual = 0
    taken: set[str] = set()
    for row in contest.changes or contest.rows:
        if not contest.changes and _casual(row):
            casual += 1
            continue
        place = _changed(row) if contest.changes else _placed(row)
        again = isinstance(place, _Place) and next((player for player in place.players if player in taken), "")
        problem = place if isinstance(place, str) else Reason("a player is listed twice", again) if again else ""
        if problem or isinstance(place, str):
            bad.append(refused(contest.line, row, problem, f"contest {contest.number}"))
        else:
            taken.update(place.players)
            places.append(place)
            before = whole(fields(row).get("oldRating")) if contest.changes else None
            if before:  # 0 means unrated here, although ratings can be negative
                seeds.append((place.players[0], float(before)))
    if contest.changes:
        changed = {text(row.get("handle")) for row in contest.changes}
        casual += sum(changed.isdisjoint(_handles(row)) for row in contest.rows)
    yield from _session(contest, places, seeds)
    yield from bad
    if casual:
        yield Unrated(contest.line, "casual", casual)


def _casual(row: Any) -> bool:
    return text(fields(fields(row).get("party")).get("participantType")) not in ("CONTESTANT", "")


def _handles(row: Any) -> tuple[str, ...]:
    members = elements(fields(fields(row).get("party")).get("members"))
    return tuple(text(fields(member).get("handle")) for member in members)


def _changed(row: Any) -> _Place | str:
    return _place((text(row.get("handle")),), row.get("rank"))


def _placed(row: Any) -> _Place | str:
    return _place(_handles(row), fields(row).get("rank"))


def _place(handles: tuple[str, ...], rank: Any) -> _Place | str:
    """Returns a row of the standings, or the problem with it."""
    found = whole(rank)
    if not handles or not all(handles):
        return "a row has no handle"
    if len(set(handles)) < len(handles):
        return Reason("a team lists a member twice", ", ".join(handles))
    if found is None or found <= 0:
        return Reason("a side has no rank", ", ".join(handles))
    return _Place(handles, found)


def _session(contest: _Contest, places: list[_Place], seeds: list[tuple[str, float]]) -> Iterator[Item]:
    row: dict[str, Any] = contest.changes[0] if contest.changes else {}
    header = contest.standings
    where = f"contest {contest.number}"
    key = public_id("codeforces", contest.number)
    phase = text(header.get("phase"))
    if not key:
        yield refused(contest.line, header or row, "the id of the contest is not a number", where)
    elif phase not in ("", "FINISHED"):
        yield Unrated(contest.line, "no result yet")
    elif len(places) < 2:
        if places or not (contest.rows or contest.changes):
            yield refused(contest.line, header or row, "fewer than two sides can be read", where)
    else:
        try:
            began = moment_of(header.get("startTimeSeconds"))
            length = timedelta(seconds=whole(header.get("durationSeconds")) or 0)
            ended = moment_of(row.get("ratingUpdateTimeSeconds")) if began is None else began + length
            if ended is not None:
                seen(ended.date())
        except (BadValue, OverflowError) as problem:
            yield Refused(contest.line, Reason.of(problem, where), excerpt(header or row))
            return
        name = description(header.get("name")) or description(row.get("contestName"))
        played = None if ended is None else at_moment(ended)
        end = None if ended is None else ended.date()
        day = end if began is None else began.date()
        event = event_of(name or f"Codeforces {contest.number}", day)
        yield Document((key,), event, day, end)
        for handle, before in seeds:
            yield Seed(contest.line, Who(handle, handle), {"rating": before}, played)
        sides = tuple((tuple(Who(handle, handle) for handle in place.players), float(-place.rank)) for place in places)
        yield Session(contest.line, (key,), sides, played, data={"unit": "place", "event": event})


CODEFORCES = Reader(
    "codeforces", "contests of Codeforces, from contest.standings and contest.ratingChanges (JSON)", "document",
    _sniff, read=_read, suffixes=(".json",),
)  # fmt: skip
