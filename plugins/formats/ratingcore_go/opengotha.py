"""Reads tournament files of OpenGotha, the pairing program of most European go tournaments."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from ratingcore.plugin.readers import (
    BadValue,
    DatedOptions,
    Days,
    Document,
    Element,
    Filled,
    Game,
    Item,
    Reader,
    Reason,
    Refused,
    Sample,
    Seed,
    Source,
    Unrated,
    Warning,
    Who,
    at_moment,
    event_of,
    natural,
    one_line,
    registered,
    round_order,
)
from ratingcore_go.graded_players import aga_id, days, facts_of

_ROOT = re.compile(r"<Tournament\b[^<>]{0,2000}\bdataVersion\s*=")
_SCORES = {"RESULT_BLACKWINS": 1.0, "RESULT_WHITEWINS": 0.0, "RESULT_EQUAL": 0.5}
_UNRATED = {"RESULT_BOTHWIN": "both won", "RESULT_BOTHLOSE": "both lost", "RESULT_UNKNOWN": "no result yet"}


class _Tournament(NamedTuple):
    """Facts shared by all games of a file."""

    event: str
    day: Days
    rounds: int
    players: dict[str, Who | None]  # by their key in the file; None if two players share one


def sniff(sample: Sample) -> int:
    """Returns the confidence that a sample is such a file: by its root."""
    wide = sample.head.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = sample.head[:4096].decode("utf-16" if wide else "latin-1", "replace")
    return 99 if _ROOT.search(text) else 0


def read_opengotha(source: Source, options: DatedOptions) -> Iterator[Item]:
    """Yields the games of a file; byes are unrated, and ratings from no federation become seeds marked `guessed`."""
    root = source.document()
    if root.tag != "Tournament" or root.get("dataVersion") is None:
        wanted = "Tournament dataVersion=..."
        source.refuse(Filled("its root is {root}, not {wanted}", root=root.tag[:40], wanted=wanted))
    general = _elements(root, "TournamentParameterSet/GeneralParameterSet")
    set_up = general[0].attrib if general else {}
    line = (general or [root])[0].line
    day, warnings = days(set_up.get("beginDate", ""), set_up.get("endDate", ""), options, line)
    short = one_line(set_up.get("shortName", ""))
    name = one_line(set_up.get("name", "")) or short or source.name
    event = event_of(name, day.start)
    issued = None
    try:
        if saved := root.get("saveDT", ""):
            issued = at_moment(datetime.strptime(saved.strip(), "%Y%m%d%H%M%S").replace(tzinfo=UTC))
    except (ValueError, BadValue):
        warnings.append(Warning(root.line, "its saveDT is not a time", saved[:40]))
    key = tuple(filter(None, (short or name, one_line(set_up.get("beginDate", "")))))
    yield Document(key, event, day.start, day.end, issued)
    yield from warnings
    players: dict[str, Who | None] = {}
    for number, element in enumerate(_elements(root, "Players/Player"), 1):
        called = _key(element.get("name", "") + element.get("firstName", ""))
        who = _who(element, str(number))
        players[called] = None if called in players else who
        yield from _known(element, who, day)
    games = _elements(root, "Games/Game")
    turns = (
        natural(turn, 4) or 0
        for turn in (set_up.get("numberOfRounds", ""), *(game.get("roundNumber", "") for game in games))
    )
    tournament = _Tournament(event, day, max(turns), players)
    for game in games:
        yield _game(game, tournament, options)
    for bye in _elements(root, "ByePlayers/ByePlayer"):
        yield Unrated(bye.line, "bye")


def _key(name: str) -> str:
    """Returns the key by which a file identifies a player."""
    return "".join(name.split()).upper()


def _elements(root: Element, path: str) -> list[Element]:
    return [found for found in root.iterfind(path) if isinstance(found, Element)]  # always true; for the type checker


def _who(element: Element, number: str) -> Who:
    get = element.get
    who = registered("egf", get("egfPin", "")) or registered("ffg", get("ffgLicence", "")) or aga_id(get("agaId", ""))
    return Who(who, f"{get('name', '')} {get('firstName', '')}".strip(), number)


def _known(element: Element, who: Who, day: Days) -> Iterator[Item]:
    """Yields the facts and the rating of a player."""
    line, get = element.line, element.get
    yield from facts_of(line, who, day, get("grade", "") or get("rank", ""), get("country", ""), get("club", ""))
    origin, rating = get("ratingOrigin", ""), get("rating", "")
    if re.fullmatch(r"-?[0-9]{1,4}", rating) and origin:
        yield Seed(line, who, {"rating": float(rating)}, day.at, guessed=not origin.startswith(("EGF", "FFG", "AGA")))


def _game(game: Element, tournament: _Tournament, options: DatedOptions) -> Item:
    line, get = game.line, game.get
    text = " ".join(f'{name}="{value}"' for name, value in game.attrib.items())[:200]
    result = get("result", "").strip()
    if result.endswith("_BYDEF"):
        return Unrated(line, "forfeit")
    if result in _UNRATED:
        return Unrated(line, _UNRATED[result])
    if result not in _SCORES:
        return Refused(line, Reason("its result is not one that the format has", result[:40]), text)
    turn, stones = get("roundNumber", "").strip(), get("handicap", "0").strip() or "0"
    number, handicap = natural(turn, 4), natural(stones, 4)
    if not number:
        return Refused(line, Reason("its round is not a number from 1", turn[:40]), text)
    if handicap is None:
        return Refused(line, Reason("its handicap is not a number of stones", stones[:40]), text)
    sides: list[Who] = []
    for colour in ("blackPlayer", "whitePlayer"):
        key = _key(get(colour, ""))
        if key not in tournament.players:
            return Refused(
                line, Reason(Filled("its {colour} is not a player of the file", colour=colour), key[:80]), text
            )
        who = tournament.players[key]
        if who is None:
            return Refused(line, Reason("two players of the file have the name", key[:80]), text)
        sides.append(who)
    return Game(
        line, tuple(filter(None, (str(number), one_line(get("tableNumber", ""))))), sides[0], sides[1], _SCORES[result],
        tournament.day.of_round(options.dates, number, tournament.rounds), round_order(number),
        {
            "event": tournament.event, "round": number,
            **({"handicap": handicap} if handicap else {}), **tournament.day.dated,
        },
    )  # fmt: skip


OPENGOTHA = Reader(
    "opengotha", "tournament files of OpenGotha", "document", sniff, read=read_opengotha, options=DatedOptions,
    suffixes=(".xml",),
)  # fmt: skip
