"""Reads games exported by Lichess in JSON: one object per line, or a single object."""

import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ratingcore.plugin.readers import (
    BadValue,
    Facts,
    Filled,
    Game,
    Item,
    Reader,
    Reason,
    Refused,
    Sample,
    Seed,
    Source,
    TimedOptions,
    Unrated,
    Who,
    at_moment,
    one_of,
)
from ratingcore_servers.values import description, fields, moment_of, public_id, refused, text, whole

_MOST = 100_000
"""Number of players whose seeds are remembered; beyond it, seeds may repeat, which is harmless and saves memory."""
_BEGINS = re.compile(r"\s*[\[{]")
_KEYS = tuple(re.compile(rf'"{name}"\s*:') for name in ("id", "players", "createdAt"))
_OTHER = (
    (re.compile(r'\s*\[?\s*\{\s*"rank"\s*:[^{}]*"username"\s*:'), "an arena result"),
    (re.compile(r'\s*\[\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"points"\s*:\s*\['), "a rating history"),
    (re.compile(r'\s*\{\s*"(?:blitz|rapid|standard)"\s*:\s*\['), "a rating history"),
)
_UNPLAYED = {
    "created": "no result yet", "started": "no result yet", "aborted": "under one move", "noStart": "under one move",
    "cheat": "annulled",
}  # fmt: skip
_DRAWN = frozenset({"draw", "stalemate", "outoftime", "timeout", "variantEnd", "insufficientMaterialClaim"})
_TITLES = frozenset({"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"})
"""Titles of FIDE; the site has some of its own, such as BOT."""
_SCORES = {"white": 1.0, "black": 0.0}


@frozen
class LichessOptions(TimedOptions):
    """Options of games of Lichess.

    Parameters
    ----------
    casual : bool
        Whether casual games are rated too.
    variants : {"standard", "all"}
        Whether games of variants are imported; a pool template, `"{variant}"`, gives each variant its own pool.
    """

    casual: bool = False
    variants: str = one_of("standard", "all")


def _sniff(sample: Sample) -> int:
    head = sample.text
    if not _BEGINS.match(head):
        return 0
    if all(key.search(head) for key in _KEYS):
        return 95
    return 55 if any(pattern.match(head) for pattern, _ in _OTHER) else 0


def _read(source: Source, options: LichessOptions) -> Iterator[Item]:
    rated: set[tuple[str, str]] = set()
    titles: dict[str, str] = {}
    for line, value in source.json_objects():
        if isinstance(value, Refused):
            yield value
        elif not {"id", "players", "createdAt"} <= fields(value).keys():
            yield refused(line, value, f"is not a game{_otherwise(value)}")
        else:
            yield from _game(line, value, options, rated, titles)


def _otherwise(value: Any) -> str:
    """Returns the kind of an object that is not a game; empty if unknown."""
    names = fields(value).keys()
    if {"rank", "username"} <= names:
        return ": an arena result"
    return ": a rating history" if "points" in names or {"blitz", "rapid"} <= names else ""


def _game(
    line: int, game: dict[str, Any], options: LichessOptions, rated: set[tuple[str, str]], titles: dict[str, str]
) -> Iterator[Item]:
    """Yields the items of a game: new titles and ratings of its players, then the game."""
    variant = _variant(game)
    reason = _unrated(game, variant, options)
    if reason:
        yield Unrated(line, reason)
        return
    key = public_id("lichess", game["id"])
    score = _score(game)
    sides = {colour: fields(fields(game["players"]).get(colour)) for colour in ("white", "black")}
    nobody = next((colour for colour, side in sides.items() if not _handle(side)), "")
    try:
        created = moment_of(game["createdAt"], 1000)
        began = played = None if created is None else at_moment(created)
        moved = moment_of(game.get("lastMoveAt"), 1000) if options.time == "end" else None
        if moved is not None and (created is None or moved > created):
            played = at_moment(moved)
    except BadValue as problem:
        yield refused(line, game, problem)
        return
    if not key:
        yield refused(line, game, Reason("has no id of a game", text(game["id"])))
    elif nobody and (level := whole(sides[nobody].get("aiLevel"))) is not None:
        yield refused(line, game, Reason(Filled("{player} is the computer", player=nobody), f"level {level}"))
    elif nobody:
        yield Unrated(line, "unnamed player")
    elif score is None:
        yield refused(
            line, game, f"does not name a winner: status {_status(game)!r}, winner {text(game.get('winner'))!r}"
        )
    else:
        white, black = (Who(_handle(side), _handle(side)) for side in sides.values())
        tables = {name: text(game[name]) for name in ("speed", "variant", "perf") if text(game.get(name))}
        tables["variant"] = variant
        for who, side in ((white, sides["white"]), (black, sides["black"])):
            yield from _described(line, who, side, began, tables, rated, titles)
        event = description(game.get("tournament")) or description(game.get("swiss"))
        data = {"home": "a"} | ({"event": event} if event else {})
        if variant != "standard":
            data["variant"] = variant
        yield Game(line, (key,), white, black, score, played, data=data, tables=tables)


def _variant(game: dict[str, Any]) -> str:
    named = game.get("variant")
    return description(named.get("key") if isinstance(named, dict) else named) or "standard"


def _status(game: dict[str, Any]) -> str:
    """Returns how a game ended; in streams, `status` is a number, and `statusName` has the name."""
    status = game.get("status")
    return text(game.get("statusName")) or text(status.get("name") if isinstance(status, dict) else status)


def _unrated(game: dict[str, Any], variant: str, options: LichessOptions) -> str:
    """Returns the reason why a game is unrated; empty if it is rated."""
    status = _status(game)
    if status in _UNPLAYED:
        return _UNPLAYED[status]
    if game.get("annulled") is True:
        return "annulled"
    if game.get("rated") is not True and not options.casual:
        return "casual"
    return f"variant {variant}" if variant != "standard" and options.variants == "standard" else ""


def _score(game: dict[str, Any]) -> float | None:
    """Returns the score of White; None if the game has none."""
    winner = text(game.get("winner"))
    if winner:
        return _SCORES.get(winner)
    return 0.5 if _status(game) in _DRAWN else None


def _handle(side: dict[str, Any]) -> str:
    user = fields(side.get("user"))
    return text(user.get("name")) or text(user.get("id"))


def _described(
    line: int, who: Who, side: dict[str, Any], played: int | None, tables: dict[str, str],
    rated: set[tuple[str, str]], titles: dict[str, str],
) -> Iterator[Item]:  # fmt: skip
    """Yields a player's title when it is new, and their rating once for each kind of game."""
    title = description(fields(side.get("user")).get("title")).upper()
    if title in _TITLES and titles.get(who.name) != title:
        titles[who.name] = title
        yield Facts(line, who, {"title": title}, played)
    rating = whole(side.get("rating"))
    kind = who.name, tables.get("perf", "")
    if rating is not None and rating > 0 and kind not in rated:
        if len(rated) >= _MOST:
            rated.clear()
        rated.add(kind)
        yield Seed(line, who, {"rating": float(rating)}, played, tables)


LICHESS = Reader(
    "lichess", "games exported by Lichess (JSON, one a line or one alone)", "stream", _sniff, read=_read,
    options=LichessOptions, suffixes=(".ndjson", ".json"), tables=("speed", "variant", "perf"),
)  # fmt: skip
