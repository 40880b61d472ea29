"""Reads archives of games from Chess.com in JSON, each with the games of one player in one month."""

import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ratingcore.plugin.readers import (
    BadValue,
    Game,
    Item,
    Options,
    Reader,
    Reason,
    Refused,
    Sample,
    Source,
    Unrated,
    Who,
    at_moment,
    one_of,
)
from ratingcore_servers.values import description, elements, fields, moment_of, public_id, refused, text

_BEGINS = re.compile(r"\s*[\[{]")
_KEYS = tuple(re.compile(one) for one in (r'"end_time"\s*:', r'"(?:white|black)"\s*:\s*\{[^{}]*"username"\s*:'))
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?chess\.com/(?:game/)?(live|daily)/(?:game/)?([0-9]{1,20})/?")
_DRAWN = frozenset({"agreed", "repetition", "stalemate", "insufficient", "50move", "timevsinsufficient"})
_SIDES = ("white", "black")


@frozen
class ChesscomOptions(Options):
    """Options of games of Chess.com.

    Parameters
    ----------
    casual : bool
        Whether games that the site did not rate are imported too.
    variants : {"standard", "all"}
        Whether games of variants are imported; a pool template, `"{rules}"`, gives each variant its own pool.
    """

    casual: bool = False
    variants: str = one_of("standard", "all")


def _sniff(sample: Sample) -> int:
    head = sample.text
    return 95 if _BEGINS.match(head) and all(key.search(head) for key in _KEYS) else 0


def _read(source: Source, options: ChesscomOptions) -> Iterator[Item]:
    for line, value in source.json_objects():
        if isinstance(value, Refused):
            yield value
            continue
        archive = fields(value)
        for number, game in enumerate(elements(archive["games"]) if "games" in archive else [value], 1):
            where = f"game {number}" if "games" in archive else ""
            try:
                yield _game(line, where, fields(game), options)
            except BadValue as problem:
                yield refused(line, game, problem, where)


def _game(line: int, where: str, game: dict[str, Any], options: ChesscomOptions) -> Item:
    sides = [fields(game.get(colour)) for colour in _SIDES]
    names = [text(side.get("username")) for side in sides]
    address = _ADDRESS.fullmatch(text(game.get("url")))  # the same key as for an import from PGN
    key = f"chess.com:{address[1]}:{address[2]}" if address else public_id("chesscom", game.get("uuid"))
    rules = description(game.get("rules")) or "chess"
    ends = [text(side.get("result")) for side in sides]
    if not all(names) or not all(ends):
        return refused(line, game, "is not a game of two players with a result each", where)
    if game.get("rated") is False and not options.casual:
        return Unrated(line, "casual")
    if rules != "chess" and options.variants == "standard":
        return Unrated(line, f"variant {rules}")
    score = _score(*ends)
    if score is None:
        return refused(line, game, Reason("the two results contradict each other", " and ".join(ends)), where)
    ended = moment_of(game.get("end_time"))
    tables = {"time_class": description(game.get("time_class")), "rules": rules}
    white, black = (Who(name, name) for name in names)
    event = text(game.get("tournament")).rpartition("/")[2]
    data = {"home": "a"} | ({"event": event} if event else {}) | ({"variant": rules} if rules != "chess" else {})
    played = None if ended is None else at_moment(ended)
    return Game(line, (key,) if key else (), white, black, score, played, data=data, tables=tables)


def _score(white: str, black: str) -> float | None:
    """Returns the score of White, from the outcome of each side; None if the two contradict each other."""
    if white in _DRAWN and black in _DRAWN:
        return 0.5
    ends = [end for end in (white, black) if end not in _DRAWN]
    return float(white == "win") if len(ends) == 2 and ends.count("win") == 1 else None


CHESSCOM = Reader(
    "chesscom", "archives of games of Chess.com (JSON)", "stream", _sniff, read=_read, options=ChesscomOptions,
    suffixes=(".json",), tables=("time_class", "rules"),
)  # fmt: skip
