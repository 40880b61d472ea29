"""Lines of AGA reports, sorted by what they belong to: the title, the players, the games."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from attrs import field, frozen

from ratingcore.plugin.readers import Source
from ratingcore_go.wall_rows import OLD

_TITLE = re.compile(r"\s*tourn(?:ey|ament)\b[\s:]*(.*)", re.IGNORECASE)
_PLAYERS = re.compile(r"\s*players\s*(?:\([^()]*\)\s*)?:?", re.IGNORECASE)
_GAMES = re.compile(r"\s*games\s*(?:round\s*)?([0-9]{1,4})?\s*(?:\([^()]*\)\s*)?:?", re.IGNORECASE)
_END = re.compile(r"\s*end\s*", re.IGNORECASE)
_COMMENT = re.compile(r"#.*|(?<!:)//.*")


class Line(NamedTuple):
    """A line of a report, and of which round; 0 for none."""

    number: int
    text: str
    round: int = 0


@frozen
class Report:
    """One tournament of a file.

    Parameters
    ----------
    title, players, games, rest : list of Line
        Its lines without comments and blank ones; `rest` is what follows its end.
    """

    title: list[Line] = field(factory=list)
    players: list[Line] = field(factory=list)
    games: list[Line] = field(factory=list)
    rest: list[Line] = field(factory=list)


def opens(text: str) -> bool:
    """Whether a line opens a report."""
    return text[:5].lower() == "tourn" and _TITLE.fullmatch(text) is not None


def lists_players(text: str) -> bool:
    """Whether a line opens the list of players."""
    return text[:7].lower() == "players" and _PLAYERS.fullmatch(text) is not None


def reports(source: Source) -> Iterator[Report]:
    """Yields the reports of a file; what comes before the first, such as a letter, belongs to none.

    Games are of the round that their heading names; where no heading names one and there are several, of the round of
    that place.
    """
    report: Report | None = None
    part: list[Line] = []
    headings = 0
    for number, line in source.lines(OLD):
        text = _COMMENT.sub("", line).strip()
        if match := _TITLE.fullmatch(text):
            if report is not None:
                yield _ordered(report, headings)
            report, headings = Report(), 0
            part = report.title
            part.append(Line(number, match[1]))
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
            part.append(Line(number, text, turn if part is report.games else 0))
    if report is not None:
        yield _ordered(report, headings)


def _ordered(report: Report, headings: int) -> Report:
    """The report with a round for games whose heading names none, if there are several headings."""
    report.games[:] = [
        line if line.round > 0 else line._replace(round=-line.round if headings > 1 else 0) for line in report.games
    ]
    return report
