"""Reads AGA reports: results of tournaments for the American Go Association."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from attrs import field, frozen

from ratingcore.plugin.readers import (
    DatedOptions,
    Days,
    Document,
    Game,
    Item,
    Reader,
    Reason,
    Refused,
    Sample,
    Seed,
    Source,
    Unrated,
    Who,
    event_of,
    one_line,
    round_order,
)
from ratingcore_go.graded_players import GRADE, aga_id, days, facts_of
from ratingcore_go.wall_lists import OLD

_TITLE = re.compile(r"\s*tourn(?:ey|ament)\b[\s:]*(.*)", re.IGNORECASE)
_PLAYERS = re.compile(r"\s*players\s*(?:\([^()]*\)\s*)?:?", re.IGNORECASE)
_GAMES = re.compile(r"\s*games\s*(?:round\s*)?([0-9]{1,4})?\s*(?:\([^()]*\)\s*)?:?", re.IGNORECASE)
_END = re.compile(r"\s*end\s*", re.IGNORECASE)
_COMMENT = re.compile(r"#.*|(?<!:)//.*")


class AgaLine(NamedTuple):
    """A line of a report, with its round, 0 if unknown."""

    number: int
    text: str
    round: int = 0


@frozen
class AgaReport:
    """One tournament of a file.

    Parameters
    ----------
    title, players, games, rest : list of AgaLine
        Its lines, without comments and blank lines; `rest` are those after its end.
    """

    title: list[AgaLine] = field(factory=list)
    players: list[AgaLine] = field(factory=list)
    games: list[AgaLine] = field(factory=list)
    rest: list[AgaLine] = field(factory=list)


def opens(text: str) -> bool:
    """True if a line opens a report."""
    return text[:5].lower() == "tourn" and _TITLE.fullmatch(text) is not None


def lists_players(text: str) -> bool:
    """True if a line opens the list of players."""
    return text[:7].lower() == "players" and _PLAYERS.fullmatch(text) is not None


def reports(source: Source) -> Iterator[AgaReport]:
    """Yields the reports of a file; text before the first, such as a letter, belongs to none of them.

    The heading of games names their round. Of several headings, the third is round 3 unless it names another.
    """
    report: AgaReport | None = None
    part: list[AgaLine] = []
    headings = 0
    for number, line in source.lines(OLD):
        text = _COMMENT.sub("", line).strip()
        if match := _TITLE.fullmatch(text):
            if report is not None:
                yield _ordered(report, headings)
            report, headings = AgaReport(), 0
            part = report.title
            part.append(AgaLine(number, match[1]))
        elif report is None or not text:
            continue
        elif _PLAYERS.fullmatch(text):
            part = report.players
        elif match := _GAMES.fullmatch(text):
            part, headings = report.games, headings + 1
            turn = int(match[1] or -headings)
        elif _END.fullmatch(text):
            part = report.rest
        else:
            part.append(AgaLine(number, text, turn if part is report.games else 0))
    if report is not None:
        yield _ordered(report, headings)


def _ordered(report: AgaReport, headings: int) -> AgaReport:
    """Returns the report with rounds assigned to games whose headings have none, if there are several headings."""
    report.games[:] = [
        line if line.round > 0 else line._replace(round=-line.round if headings > 1 else 0) for line in report.games
    ]
    return report


_PROPERTY = re.compile(r"\b([A-Za-z]{1,20})\s*=\s*('[^']*'|\"[^\"]*\"|\S+)")
_CAPTION = re.compile(r"\W*(?:white|black|w|b|id|aga)\b", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,12}")
_RATING = re.compile(r"[-+]?[0-9]{1,2}\.[0-9]{1,6}")
_STONES = re.compile(r"[0-9]{1,2}")
_KOMI = re.compile(r"-?[0-9]{1,3}(?:\.[0-9]{1,3})?")
_NEAR = 2**14  # a letter may precede the report
_WHITE_WON = {"w": True, "white": True, "b": False, "black": False}


class _Player(NamedTuple):
    who: Who
    rank: str
    line: int


class _Tournament(NamedTuple):
    """Facts shared by all games of a report."""

    event: str
    day: Days
    rounds: int
    players: dict[str, _Player | None]  # by number; None for a number given twice


def sniff(sample: Sample) -> int:
    """Returns the confidence that a sample is such a report: by its opening lines and its list of players."""
    lines = [line.strip() for line in sample.head[:_NEAR].decode("latin-1").splitlines()]
    return 90 if any(map(opens, lines)) and any(map(lists_players, lines)) else 0


def read_aga(source: Source, options: DatedOptions) -> Iterator[Item]:
    """Reads the games of reports in order; players with a number made up for the tournament are identified by name."""
    report = None
    for report in reports(source):
        yield from _items(source, report, options)
    if report is None:
        source.refuse("it is not a report of a tournament: no line begins with TOURNEY")


def _items(source: Source, report: AgaReport, options: DatedOptions) -> Iterator[Item]:
    title = " ".join(line.text for line in report.title)
    properties = {key.lower(): value.strip("'\"") for key, value in _PROPERTY.findall(title)}
    line = report.title[0].number
    start = properties.get("start", "")
    day, warnings = days(start, properties.get("finish", ""), options, line, "month")
    name = one_line(_PROPERTY.sub("", title).partition(",")[0]) or source.name
    event = event_of(name, day.start)
    yield Document(tuple(filter(None, (name, one_line(start)))), event, day.start, day.end)
    yield from warnings
    players: dict[str, _Player | None] = {}
    for row in report.players:
        number, player = _player(row)
        if player is None:
            if not _CAPTION.match(row.text):
                yield Refused(row.number, "is not a player: a row is a number, a name and a rank", row.text)
        elif number in players:
            players[number] = None
            yield Refused(row.number, Reason("two players have the number", number), row.text)
        else:
            players[number] = player
    for one in players.values():
        if one is not None:
            yield from facts_of(one.line, one.who, day, one.rank)
            if _RATING.fullmatch(one.rank):
                yield Seed(one.line, one.who, {"rating": float(one.rank)}, day.at)
    rounds = max((row.round for row in report.games), default=0)
    tournament = _Tournament(event, day, rounds, players)
    for row in report.games:
        if not _CAPTION.match(row.text):
            yield _game(row, tournament, options)
    for row in report.rest:
        if row.text[:1].isdigit():
            yield Refused(row.number, "is after the end of the report", row.text)


def _player(row: AgaLine) -> tuple[str, _Player | None]:
    """Parses the number and the player in a row, with columns separated by tabs or blanks."""
    columns = [column.strip() for column in row.text.split("\t") if column.strip()]
    words = columns if len(columns) >= 3 else row.text.split()
    if len(words) < 2 or not _NUMBER.fullmatch(words[0]) or _NUMBER.fullmatch(words[1]):
        return "", None
    ranks = [at for at in range(2, len(words)) if GRADE.fullmatch(words[at]) or _RATING.fullmatch(words[at])]
    cut = ranks[0] if ranks else len(words) if len(columns) < 3 else 2
    number = str(int(words[0]))
    who = Who(aga_id(number), " ".join(words[1:cut]), number)
    return number, _Player(who, words[cut] if ranks else "", row.number)


def _game(row: AgaLine, tournament: _Tournament, options: DatedOptions) -> Item:
    """Parses a game: the numbers of White and Black, the winner, stones, komi."""
    words = row.text.split()
    if len(words) < 3 or not (_NUMBER.fullmatch(words[0]) and _NUMBER.fullmatch(words[1])):
        return Refused(
            row.number, "is not a game: a game begins with the numbers of White and Black, then w, b or ?", row.text
        )
    result = words[2].lower()
    if result == "?":
        return Unrated(row.number, "no result yet")
    if result not in _WHITE_WON:
        return Refused(row.number, Reason("neither W nor B won", words[2][:40]), row.text)
    sides: list[Who] = []
    for number in (str(int(words[1])), str(int(words[0]))):
        player = tournament.players.get(number)
        if player is None:
            two = number in tournament.players
            why = "two players have the number" if two else "the number is not among the players"
            return Refused(row.number, Reason(why, number), row.text)
        sides.append(player.who)
    stones, komi = (*words[3:5], "", "")[:2]
    if stones and not _STONES.fullmatch(stones):
        return Refused(row.number, Reason("its handicap is not a number of stones", stones[:40]), row.text)
    if komi and not _KOMI.fullmatch(komi):
        return Refused(row.number, Reason("its komi is not a number of points", komi[:40]), row.text)
    data: dict[str, str | int | float] = {"event": tournament.event}
    if row.round:
        data["round"] = row.round
    if stones and int(stones):
        data["handicap"] = int(stones)
    if komi:
        data["komi"] = float(komi)
    played = tournament.day.of_round(options.dates, row.round, tournament.rounds)
    return Game(
        row.number, (str(row.round),) if row.round else (), sides[0], sides[1], 0.0 if _WHITE_WON[result] else 1.0,
        played, round_order(row.round) if row.round else 0, {**data, **tournament.day.dated},
    )  # fmt: skip


AGA = Reader(
    "aga", "reports of go tournaments to the American Go Association", "document", sniff, read=read_aga,
    options=DatedOptions, suffixes=(".txt",),
)  # fmt: skip
