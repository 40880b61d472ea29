"""Parses the records of a TRF file; a player's row has fixed columns, and ten characters for each round."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from ratingcore.plugin.readers import (
    BadValue,
    Days,
    Filled,
    Warning,
    Who,
    day_or_why,
    day_unread,
    natural,
    registered,
)
from ratingcore_chess.titles import SEXES, title_of

FIRST_ROUND = 91
"""Characters before the first round; each round has ten."""
_BLOCK = re.compile(r" ([wWbB -]) (.)  ")
_YEAR = re.compile(r"(?<![0-9])(?:1[5-9]|20)[0-9]{2}(?![0-9])|^(?:19|20)[0-9]{2}(?=[01][0-9][0-3][0-9]\s*$)")
_SHORT_YEAR = re.compile(r"^(3[2-9]|[4-9][0-9])[-/.][0-9]|[0-9][-/.](3[2-9]|[4-9][0-9])$")
"""A year of birth of the last century with two digits, from 32, since smaller numbers may be days of the month."""
_POINTS = {"1": 1.0, "=": 0.5, "+": 1.0, "W": 1.0, "D": 0.5, "H": 0.5, "F": 1.0, "U": 1.0}
_PLAYED = {"1": 1.0, "=": 0.5, "0": 0.0}
NO_GAME = {"H": "bye", "F": "bye", "U": "bye", "Z": "absent", " ": "absent"}
"""Codes of rounds without a game, whose opponent is ignored if there is one, and the reasons why they are unrated."""
_UNRATED_GAME = {
    "+": "forfeit", "-": "forfeit", "W": "under one move", "D": "under one move", "L": "under one move",
    "*": "no result yet", "X": "no result yet", "?": "no result yet",
}  # fmt: skip
_NO_OPPONENT = {"+": "forfeit", "=": "bye", "-": "absent", "*": "absent", "X": "absent", "?": "absent"}
"""The other codes that need no opponent, and why the round is unrated if there is none."""


class Code(NamedTuple):
    """A player's round without the opponent: the colour and the code of the result."""

    colour: str
    code: str

    def outcome(self, opponent: int) -> float | str:
        """Returns the score of a played game, or the reason why the round is not rated.

        Raises
        ------
        ValueError
            If the code is unknown, or needs an opponent.
        """
        unrated = NO_GAME.get(self.code)
        if unrated is None and not opponent:
            unrated = _NO_OPPONENT.get(self.code)
            if unrated is None and (self.code in _PLAYED or self.code in _UNRATED_GAME):
                raise ValueError(Filled("a result without an opponent"))
        if unrated is not None:
            return unrated
        score = _PLAYED.get(self.code)
        if score is None and self.code not in _UNRATED_GAME:
            raise BadValue(Filled("the result"), self.code, "must be a code of TRF, such as 1, = or 0")
        return _UNRATED_GAME[self.code] if score is None else score

    @property
    def points(self) -> float:
        """Points of the round, unless the file defines others."""
        return _POINTS.get(self.code, 0.0)


class PlayerRecord(NamedTuple):
    """A player's row: rank, name and id, facts, rating (0 for none), points as written, opponent and code by round."""

    line: int
    rank: int
    who: Who
    facts: dict[str, str | int]
    rating: int
    points: str
    rounds: list[tuple[int, Code]]
    text: str


def rank_of(text: str) -> int:
    """Returns the rank in columns 5 to 8; raises `ValueError` if it is invalid."""
    rank = natural(text[4:8].strip())
    if not rank:
        raise BadValue(Filled("the starting rank"), text[4:8], "must be a whole number in columns 5 to 8")
    return rank


def row_of(line: int, text: str, memory: dict[str, Code]) -> PlayerRecord:
    """Parses the player in a line 001.

    Parameters
    ----------
    memory : dict
        Cache of the few distinct combinations of colour and code; it is extended.

    Raises
    ------
    ValueError
        If the rank is not a number, or a round is not in its columns.
    """
    rank = rank_of(text)
    facts: dict[str, str | int] = {}
    if year := _YEAR.search(text[69:79]):
        facts["born"] = int(year[0])
    elif year := _SHORT_YEAR.search(text[69:79].strip()):
        facts["born"] = 1900 + int(year[1] or year[2])
    for name, value in (
        ("title", title_of(text[10:13])),
        ("sex", SEXES.get(text[9:10].lower(), "")),
        ("federation", text[53:56].strip()),
    ):
        if value:
            facts[name] = value
    who = Who(registered("fide", text[57:68]), text[14:47].strip(), str(rank))
    return PlayerRecord(line, rank, who, facts, rating_of(text), text[80:84].strip(), _rounds(text, memory), text)


def row_by_bytes(line: int, text: str, memory: dict[str, Code]) -> PlayerRecord:
    """Parses a line 001 whose columns were counted in bytes of UTF-8, as some programs do; see `row_of`."""
    row = row_of(line, text.encode().decode("latin-1"), memory)
    if not row.rounds:  # only rounds can confirm that its columns are in bytes
        raise BadValue(Filled("the row"), text[:60], "must have each field in its columns")
    name = row.who.name.encode("latin-1").decode("utf-8", "ignore")
    return row._replace(who=row.who._replace(name=name), text=text)


def rating_of(text: str) -> int:
    """Returns the rating in columns 49 to 52, or 0."""
    return natural(text[48:52].strip()) or 0


def _rounds(text: str, memory: dict[str, Code]) -> list[tuple[int, Code]]:
    end = len(text.rstrip())
    if end <= FIRST_ROUND:
        return []
    text = text[:end].ljust(end + 10)
    found: list[tuple[int, Code]] = []
    for start in range(FIRST_ROUND, end, 10):
        number, rest = text[start : start + 4], text[start + 4 : start + 10]
        code = memory.get(rest)
        if code is None:
            code = _code(rest)
            if code is not None:
                memory[rest] = code
        digits = number.strip(" ")
        if code is None or not (digits.isdecimal() or not digits):
            raise BadValue(
                Filled("round {turn}", turn=len(found) + 1), number + rest, "must have each field in its columns"
            )
        found.append((int(digits or 0), code))
    return found


def _code(text: str) -> Code | None:
    match = _BLOCK.fullmatch(text)
    if match is None:
        return None
    colour = match[1].lower()
    return Code(colour if colour in "wb" else "", match[2].upper())


KNOWN = frozenset(
    (
        "001", "012", "013", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "142",
        "152", "162", "172", "182", "192", "202", "212", "222", "240", "250", "260", "299", "300", "310", "320", "330",
        "352", "362", "801", "802",
    )
)  # fmt: skip
"""Codes of records that the format defines. Those of JaVaFo begin with XX."""
POINTS = frozenset(("162", "250", "299", "XXS", "XXA"))
"""Records that change how many points a result is worth."""
_SWISS = re.compile(r"https?://lichess\.org/swiss/([A-Za-z0-9]{8})/?")
_DATE = re.compile(r"[0-9]{1,4}([./-]) ?[0-9]{1,2}\1 ?[0-9]{1,4}|[0-9]{8}")
_TIME = re.compile(r"(?:[0-9]+/)?([0-9]{1,6})(?:\+([0-9]{1,5}))?")
_ORDERS = (("year", "year"), ("day", "day"), ("month", "month"), ("day", "year"), ("month", "year"))
"""Orders of dates to try: the part that comes first in the days of the tournament, and in those of its rounds, which
FIDE writes as yy/mm/dd."""
_LONG = timedelta(days=300)
"""A longer tournament is plausible only if no other reading of its days makes it shorter."""


class Records:
    """The records of a file by code. If several have one code, `value` and `number` read the first.

    Attributes
    ----------
    remarks : list of Warning
    """

    def __init__(self, lines: list[tuple[int, str]], partial: str, date_format: str = "") -> None:
        self._lines: dict[str, list[tuple[int, str]]] = {}
        for number, text in lines:
            self._lines.setdefault(text[:3], []).append((number, text))
        self._partial = partial
        self._round_days = list(self._days_of_rounds())
        self._order = self._date_order(date_format)
        self.remarks: list[Warning] = []
        self.name = self.value("012")
        (start, part), (end, _) = self._day("042"), self._day("052")
        self.span = Days(start, end, part)

    def of(self, code: str) -> list[tuple[int, str]]:
        """Returns the lines with a code, with their numbers."""
        return self._lines.get(code, [])

    def value(self, code: str) -> str:
        """Returns the value after a code, without blanks around it; empty if missing."""
        return self.of(code)[0][1][3:].strip() if self.of(code) else ""

    def number(self, code: str) -> int:
        """Returns the number after a code; 0 if missing."""
        words = self.value(code).split()
        return natural(words[0]) or 0 if words else 0

    def url(self) -> str:
        """Returns the web address that some files have in place of the city; empty if there is none."""
        city = self.value("022")
        return city if city.startswith(("https://", "http://")) else ""

    def key(self) -> tuple[str, ...]:
        """Returns the key of the tournament, the same in later issues of the file; empty without a name and a start."""
        swiss = _SWISS.fullmatch(self.value("022"))
        if swiss:
            return ("lichess", swiss[1])
        start = self.value("042")
        if not self.name and not start:
            return ()
        return (self.name, self.value("022"), start) if start else (self.name,)

    def speed(self) -> str:
        """Returns the class of the encoded time control, by FIDE's limits for 60 moves; empty if unreadable."""
        text = self.value("222")
        seconds = 0
        for period in text.split(":"):
            match = _TIME.fullmatch(period.strip())
            if match is None:
                return ""
            seconds += int(match[1]) + 60 * int(match[2] or 0)
        return "blitz" if seconds <= 600 else "rapid" if seconds < 3_600 else "standard"

    def days(self) -> dict[int, date]:
        """Returns the days of rounds; notes unreadable days in `remarks`."""
        found: dict[int, date] = {}
        for line, turn, text in self._round_days:
            day, _, why = day_or_why(text, slashes=self._order[1])
            if day is not None:
                found.setdefault(turn, day)
            elif why:
                self.remarks.append(day_unread(line, f"day of round {turn}", why))
        return found

    def _days_of_rounds(self) -> Iterator[tuple[int, int, str]]:
        """Yields line, round and day: by column if the days are in the columns of rounds, else in order."""
        turn = 0
        for line, text in self.of("132"):
            if not text[3:FIRST_ROUND].strip():
                for column in range(FIRST_ROUND, len(text), 10):
                    yield line, (column - FIRST_ROUND) // 10 + 1, text[column : column + 10].strip()
            else:
                for match in _DATE.finditer(text[3:]):
                    turn += 1
                    yield line, turn, match[0]

    def _date_order(self, form: str) -> tuple[str, str]:
        """Returns the most plausible order of day, month and year for the tournament's days, and for those of rounds.

        An order is plausible if it reads many days, few of them outside the tournament, and the tournament is not long.
        If two orders are equally plausible, both are empty; unless they only differ in the days of rounds, where FIDE's
        order is preferred.
        """
        orders = ((form, form), (form, form.replace("%Y", "%y")), (form, "year")) if form else _ORDERS
        by_doubt: dict[tuple[int, ...], dict[tuple[date | None, ...], tuple[str, str]]] = {}
        for order in orders:
            start, end = (day_or_why(self.value(code), self._partial, order[0])[0] for code in ("042", "052"))
            rounds = [day_or_why(text, slashes=order[1])[0] for _, _, text in self._round_days]
            days = sorted(filter(None, (start, end, *rounds)))
            outside = sum(day is not None and not (start or day) <= day <= (end or day) for day in (start, *rounds))
            long = bool(days) and days[-1] - days[0] > _LONG
            doubt = -len(days), outside, long
            if not (form and long and order[1] == "year"):
                by_doubt.setdefault(doubt, {}).setdefault((start, end, *rounds), order)
        best = by_doubt[min(by_doubt)]
        texts = (self.value("042"), self.value("052"), *(text for _, _, text in self._round_days))
        if form and -min(by_doubt)[0] < sum(map(bool, texts)):
            if not any(next(iter(best))[:2]):
                return self._date_order("")  # the format was given for other files
            return "", ""  # if a format does not fit all days, it is not trusted for any
        of_fide = [order for order in best.values() if order[1] == "year"]
        if len(best) == 1 or form:
            return next(iter(best.values()))
        return of_fide[0] if of_fide and len({days[:2] for days in best}) == 1 else ("", "")

    def _day(self, code: str) -> tuple[date | None, str]:
        day, part, why = day_or_why(self.value(code), self._partial, self._order[0])
        if why:
            self.remarks.append(day_unread(self.of(code)[0][0], f"record {code}", why))
        return day, part


class Teams:
    """The teams of a file: each player's team, and their board in a round."""

    def __init__(self, records: Records) -> None:
        self._team: dict[int, str] = {}
        self._board: dict[tuple[int, int], tuple[int, str]] = {}
        names: set[str] = set()
        for code, name, members in (("310", slice(8, 40), 73), ("013", slice(4, 36), 36)):
            for _, text in records.of(code):
                team = text[name].strip()
                names.add(team)
                for rank in _numbers(text, members):
                    self._team.setdefault(rank, team)
        self.count = len(names)
        for _, text in records.of("300"):
            turn, one, other = (text[at : at + 3].strip() for at in (4, 8, 12))
            if (number := natural(turn)) is not None:
                for board, rank in enumerate(_numbers(text, 16, blanks=True), 1):
                    self._board[number, rank] = board, ".".join((turn, *sorted((one, other))))

    def facts(self, turn: int, white: int, black: int) -> dict[str, str | int]:
        """Returns the facts about teams of a game of two ranks: `team_a`, `team_b`, `match` and `board`, if known."""
        facts: dict[str, str | int] = {}
        for side, rank in (("team_a", white), ("team_b", black)):
            if self._team.get(rank):
                facts[side] = self._team[rank]
        place = self._board.get((turn, white)) or self._board.get((turn, black))
        if place:
            facts["board"], facts["match"] = place
        return facts


def _numbers(text: str, start: int, *, blanks: bool = False) -> list[int]:
    """Returns the numbers in fields of four characters, five apart; 0 for a blank field if blanks count."""
    fields = (text[at : at + 4].strip() for at in range(start, len(text), 5))
    numbers = (0 if blanks and not one else natural(one) for one in fields)
    return [number for number in numbers if number is not None]
