"""Reads tournaments of Challonge from its API, with their participants and matches."""

import re
from collections.abc import Iterator
from typing import Any

from ratingcore.plugin.readers import (
    BadValue,
    DatedOptions,
    Document,
    Game,
    Item,
    Reader,
    Reason,
    Refused,
    Sample,
    Source,
    Unrated,
    Warning,
    Who,
    at,
    day_of_round,
    event_of,
    round_order,
)
from ratingcore_servers.values import description, elements, fields, public_id, refused, text, whole, written

_MATCH = re.compile(r'"player1_id"\s*:')
_SCORES = re.compile(r'"scores_csv"\s*:')
_TOURNAMENT = re.compile(r'\s*\{\s*"tournament"\s*:\s*\{')
_GAME = re.compile(r"\s*(-?[0-9]{1,6})\s*-\s*(-?[0-9]{1,6})\s*")
_TIES = ("round robin", "swiss")


class _Tournament:
    """Facts of one tournament in a file, collected until it is complete."""

    def __init__(self, number: str, header: dict[str, Any]) -> None:
        self.number = number
        self.header = header
        self.players: dict[str, Who] = {}
        self.matches: list[tuple[int, dict[str, Any]]] = []

    def enter(self, participant: dict[str, Any]) -> None:
        """Adds a participant, who has further numbers in the groups of a two-stage tournament."""
        names = (text(participant.get(part)) for part in ("name", "display_name", "challonge_username", "username"))
        who = Who(None, next(filter(None, names), ""), text(participant.get("id")))
        for number in (participant.get("id"), *elements(participant.get("group_player_ids"))):
            if text(number) and who.name:
                self.players[text(number)] = who


def _sniff(sample: Sample) -> int:
    head = sample.text
    if head.lstrip()[:1] not in ("{", "["):
        return 0
    if _MATCH.search(head) and _SCORES.search(head):
        return 95
    return 85 if _TOURNAMENT.match(head) and "challonge" in head else 0


def _read(source: Source, options: DatedOptions) -> Iterator[Item]:
    loose: dict[str, _Tournament] = {}
    for line, value in source.json_objects():
        if isinstance(value, Refused):
            yield value
            continue
        whole_one = _whole(line, value)
        if whole_one is not None:
            yield from _items(whole_one, source, options)
        elif not _add(line, value, loose):
            yield refused(line, value, "is not a tournament, participant or match")
    for tournament in loose.values():
        yield from _items(tournament, source, options)


def _whole(line: int, value: Any) -> _Tournament | None:
    """Returns a tournament that is one object with participants and matches; None for other objects."""
    outer = fields(value)
    header = fields(outer.get("tournament")) or outer
    if "matches" not in header and "matches" not in outer:
        return None
    found = _Tournament(text(header.get("id")), header)
    for part in elements(header.get("participants")) + elements(outer.get("participants")) * (header is not outer):
        found.enter(fields(fields(part).get("participant")) or fields(part))
    for part in elements(header.get("matches")) + elements(outer.get("matches")) * (header is not outer):
        found.matches.append((line, fields(fields(part).get("match")) or fields(part)))
    return found


def _add(line: int, value: Any, loose: dict[str, _Tournament]) -> bool:
    """Adds a separate match, participant or tournament to its tournament; False for other objects."""
    for kind in ("match", "participant", "tournament"):
        one = fields(fields(value).get(kind))
        if one:
            number = text(one.get("id" if kind == "tournament" else "tournament_id"))
            tournament = loose.setdefault(number, _Tournament(number, {}))
            if kind == "match":
                tournament.matches.append((line, one))
            elif kind == "participant":
                tournament.enter(one)
            else:
                tournament.header = one
            return True
    if "player1_id" in fields(value):
        return _add(line, {"match": value}, loose)
    return "tournament_id" in fields(value) and _add(line, {"participant": value}, loose)


def _items(tournament: _Tournament, source: Source, options: DatedOptions) -> Iterator[Item]:
    header = tournament.header
    try:
        started = written(header.get("started_at"), source) or written(header.get("start_at"), source)
        ended = written(header.get("completed_at"), source)
        issued = written(header.get("updated_at"), source)
    except BadValue as problem:
        yield Warning(1, problem.cause, problem.value, where=f"tournament {tournament.number}")
        started = ended = issued = None
    start, end = started[1] if started else None, ended[1] if ended else None
    event = event_of(description(header.get("name")) or f"Challonge {tournament.number}", start)
    key = public_id("challonge", tournament.number)
    last = max((_round(match) for _, match in tournament.matches), default=1)
    items: list[Item] = []
    for line, match in tournament.matches:
        item = _match(line, match, tournament, source, options.time)
        if isinstance(item, Game) and not key:
            item = refused(line, match, "the tournament has no id")
        if isinstance(item, Game):
            data = {**item.data, "event": event}
            if item.played is None and start is not None:
                day = day_of_round(options.dates, start, end, _round(match), last)
                item = item._replace(played=at(day), order=round_order(_round(match)))
                data["dated"] = "event"
            item = item._replace(data=data)
        items.append(item)
    unreadable = any(isinstance(item, Refused) for item in items) and not any(isinstance(item, Game) for item in items)
    if key and not unreadable:  # a document without content would void its earlier content
        yield Document((key,), event, start, end, issued[0] if issued else None)
    yield from items


def _round(match: dict[str, Any]) -> int:
    """Returns the round of a match, from 1; the file has negative ones for the losers' bracket."""
    return abs(whole(match.get("round")) or 0)


def _match(
    line: int, match: dict[str, Any], tournament: _Tournament, source: Source, time: str
) -> Game | Unrated | Refused:  # fmt: skip
    where = f"match {text(match.get('id'))}".strip()
    ids = [text(match.get(f"player{seat}_id")) for seat in (1, 2)]
    winner = text(match.get("winner_id"))
    scores = text(match.get("scores_csv"))
    if text(match.get("state")) != "complete":
        return Unrated(line, "no result yet")
    if not all(ids):
        return Unrated(line, "bye")
    tied = winner in ("", "tie")
    if match.get("forfeited") is True or not (tied or scores):
        return Unrated(line, "forfeit")
    if tied and not _may_tie(match, tournament.header):
        return refused(line, match, "it does not name a winner", where)
    if not tied and winner not in ids:
        return refused(line, match, Reason("the winner did not play in it", winner), where)
    unknown = next((number for number in ids if number not in tournament.players), "")
    if unknown:
        return refused(line, match, Reason("the file has no participant of this number", unknown), where)
    key = public_id("challonge", match.get("id"))
    if not key or ids[0] == ids[1]:
        return refused(line, match, Reason("a player meets themselves", ids[0]) if key else "it has no id", where)
    try:
        times = [written(match.get(name), source) for name in ("completed_at", "started_at")]
        moment = (times[0] or times[1]) if time == "end" else (times[1] or times[0])
    except BadValue as problem:
        return refused(line, match, problem, where)
    data = _facts(match, scores)
    if -1 in (data.get("points_a"), data.get("points_b")):
        return Unrated(line, "forfeit")
    a, b = (tournament.players[number] for number in ids)
    score = 0.5 if tied else float(winner == ids[0])
    return Game(line, (key,), a, b, score, moment[0] if moment else None, data=data)


def _may_tie(match: dict[str, Any], header: dict[str, Any]) -> bool:
    """True if a match without a winner may be a tie: in a round robin or Swiss, also as the groups of a first stage."""
    stage = fields(header.get("group_stages_options")).get("stage_type")
    kind = text(stage) if match.get("group_id") is not None and stage else text(header.get("tournament_type"))
    return kind.replace("_", " ").lower() in _TIES


def _facts(match: dict[str, Any], scores: str) -> dict[str, str | int]:
    """Returns the round, and the points of both sides: of the only game, or the games that each won."""
    data: dict[str, str | int] = {}
    if whole(match.get("round")):
        data["round"] = whole(match.get("round")) or 0
    games = [_GAME.fullmatch(one) for one in scores.split(",")]
    points = [(int(game[1]), int(game[2])) for game in games if game is not None]
    if not points or len(points) < len(games):
        return data
    if len(points) > 1:
        points = [(sum(a > b for a, b in points), sum(a < b for a, b in points))]
    data["points_a"], data["points_b"] = points[0]
    return data


CHALLONGE = Reader(
    "challonge", "tournaments of Challonge with participants and matches (JSON)", "document", _sniff, read=_read,
    options=DatedOptions, suffixes=(".json",),
)  # fmt: skip
