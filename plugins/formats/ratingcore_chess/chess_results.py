"""Reads the XML files that pairing programs send to chess-results.com."""

import re
from collections.abc import Iterator
from datetime import date, datetime
from xml.etree.ElementTree import Element as Node

from attrs import frozen

from ratingcore.plugin.readers import (
    DatedOptions,
    Days,
    Document,
    Element,
    Facts,
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
    at,
    at_moment,
    day_or_why,
    day_unread,
    event_of,
    natural,
    number_or_text,
    one_of,
    registered,
    round_order,
)
from ratingcore_chess.titles import SEXES, other_titles, title_of

_YEAR = re.compile(r"(?<![0-9])(?:1[89]|20)[0-9]{2}")
_CLOCK = re.compile("([01]?[0-9]|2[0-3]):([0-5][0-9])")
_POINTS = {"1": 1.0, "1.0": 1.0, "0.5": 0.5, "0": 0.0, "0.0": 0.0, "½": 0.5}
_NOBODY = {"-1": "bye", "-2": "absent"}
_TEAMS = ("2", "3")


@frozen
class ResultsOptions(DatedOptions):
    """Options of files for chess-results.com.

    Parameters
    ----------
    ratings : {"fide", "national"}
        Ratings that become seeds.
    """

    ratings: str = one_of("fide", "national")


def sniff(sample: Sample) -> int:
    """Returns the confidence that a sample is such a file: by its root."""
    return 95 if sample.root == "chessresults" else 0


def read_results(source: Source, options: ResultsOptions) -> Iterator[Item]:
    """Reads the tournament of a file for chess-results.com."""
    root = source.document()
    tournament = root.find("tournamentdata/tournament")
    if root.tag != "chessresults" or tournament is None:
        source.refuse("it has no element chessresults with a tournament in it")
    yield from _Tournament(source, options, root, tournament).items()


def _of(element: Node, name: str) -> str:
    return (element.get(name) or "").strip()


def _line(element: Node) -> int:
    return element.line if isinstance(element, Element) else 1


class _Tournament:
    def __init__(self, source: Source, options: ResultsOptions, root: Node, tournament: Node) -> None:
        self._zone = source.zone
        self._options = options
        self._root = root
        self._warnings: list[Warning] = []
        (start, part), (end, _) = self._day(tournament, "from"), self._day(tournament, "to")
        self._days = Days(start, end, part)
        name = _of(tournament, "name")
        self._event = event_of(name, self._days.start)
        key = _of(tournament, "key")
        self._key = (key,) if key.strip("0") else (name, _of(tournament, "from"))
        self._teams = {_of(one, "no"): _of(one, "teamname") for one in root.iterfind("teams/team")}
        self._team_event = _of(tournament, "type") in _TEAMS
        self._rounds = {_of(one, "round"): one for one in root.iterfind("rounds/round")}
        rounds = natural(_of(tournament, "rounds"), 4)
        self._last = len(self._rounds) if rounds is None else rounds
        self._players: dict[str, tuple[Who, Node]] = {}
        self._times: dict[str, tuple[int | None, int, str]] = {}

    def items(self) -> Iterator[Item]:
        """Yields the document, facts and seeds of players, and pairings."""
        yield Document(self._key, self._event, self._days.start, self._days.end)
        for player in self._root.iterfind("players/player"):
            yield from self._player(player)
        for pairing in self._root.iterfind("playerpairings/playerpairing"):
            yield self._pairing(pairing)
        yield from self._warnings
        yield from other_titles((_of(one, "title"), _line(one)) for one in self._root.iterfind("players/player"))

    def _player(self, player: Node) -> Iterator[Item]:
        line, number = _line(player), _of(player, "no")
        last, first = _of(player, "lastname"), _of(player, "firstname")
        who = Who(registered("fide", _of(player, "fideid")), f"{last}, {first}" if first else last, number)
        if number in self._players:
            yield Refused(line, Reason("an earlier player has the same number", number), who.name)
            return
        self._players[number] = who, player
        born = _YEAR.search(_of(player, "dob"))
        values: dict[str, str | int] = {
            "born": int(born[0]) if born else 0,
            "sex": SEXES.get(_of(player, "sex").lower(), ""),
            "title": title_of(_of(player, "title")),
            "federation": _of(player, "fed"),
            "club": _of(player, "clubname") or _of(player, "club"),
            "called": who.name if who.id and self._options.players == "id" else "",
        }
        day = self._days.at
        facts = {name: value for name, value in values.items() if value}
        if facts:
            yield Facts(line, who, facts, day)
        rating = natural(_of(player, "rtgfide" if self._options.ratings == "fide" else "rtgnat"), 4)
        if rating:
            yield Seed(line, who, {"rating": float(rating)}, day)

    def _pairing(self, pairing: Node) -> Item:
        line = _line(pairing)
        white, black = _of(pairing, "whiteno"), _of(pairing, "blackno")
        written = [_of(pairing, name).replace(",", ".") for name in ("reswhite", "resblack")]
        turn = _of(pairing, "round")
        nobody = _NOBODY.get(black) or _NOBODY.get(white)
        if nobody or _of(pairing, "forfeit").strip("-") or {"+", "-"} & {*written}:
            return Unrated(line, nobody or "forfeit")
        if not any(written):
            return Unrated(line, "no result yet")
        scores = [_POINTS.get(one) for one in written]
        if scores == [0.0, 0.0]:
            return Unrated(line, "both lost")
        text = f"round {turn}, pairing {_of(pairing, 'pairing')}: {white} - {black} {written[0]} : {written[1]}"[:200]
        missing = [number for number in (white, black) if number not in self._players]
        if missing:
            return Refused(line, Reason("the file has no player with the number", missing[0][:40]), text)
        one, other = scores
        if one is None or other is None or one + other != 1:
            return Refused(
                line, Reason("its results do not add up to 1", f"{written[0][:20]} and {written[1][:20]}"), text
            )
        return self._game(line, turn, pairing, white, black, one)

    def _game(self, line: int, turn: str, pairing: Node, white: str, black: str, score: float) -> Game:
        if turn not in self._times:
            self._times[turn] = self._time(turn)
        played, order, dated = self._times[turn]
        (a, first), (b, second) = self._players[white], self._players[black]
        values: dict[str, str | int] = {
            "event": self._event, "round": number_or_text(turn), "home": "a", "dated": dated,
        }  # fmt: skip
        if self._team_event:
            values |= {
                "team_a": self._teams.get(_of(first, "teamno"), ""),
                "team_b": self._teams.get(_of(second, "teamno"), ""),
                "board": number_or_text(_of(pairing, "board")),
                "match": f"{turn}.{_of(pairing, 'pairing')}",
            }
        data = {name: value for name, value in values.items() if value != ""}
        return Game(line, (turn,), a, b, score, played, order, data)

    def _time(self, turn: str) -> tuple[int | None, int, str]:
        """Returns the time of a round, its order, and a fact if its day is only that of the tournament."""
        element = self._rounds.get(turn)
        day, part = (None, "") if element is None else self._day(element, "date")
        if element is not None and day is not None:
            clock = _CLOCK.match(_of(element, "time"))
            if clock and self._zone:
                return (
                    at_moment(datetime(day.year, day.month, day.day, int(clock[1]), int(clock[2])), self._zone),
                    0,
                    "",
                )
            return at(day), round_order(turn), part
        number = natural(turn)
        played = self._days.of_round(self._options.dates, 1 if number is None else number, self._last)
        return played, round_order(turn), self._days.dated.get("dated", "")

    def _day(self, element: Node, name: str) -> tuple[date | None, str]:
        """Returns the day in an attribute, and how much of it is known: `year`, `month`, or empty for all."""
        day, part, why = day_or_why(_of(element, name), self._options.partial, self._options.date_format)
        if why:
            self._warnings.append(day_unread(_line(element), f"{element.tag} {name}", why))
        return day, part


CHESS_RESULTS = Reader(
    "chess-results", "XML files of pairing programs for chess-results.com", "document", sniff, read=read_results,
    options=ResultsOptions,
)  # fmt: skip
