"""Writes the team records of TRF16 and TRF26, and converts files between the two versions."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby

from attrs import define, field

from ratingcore.plugin.readers import CannotWrite, Game, natural

_NAME = 32
_TEAMS = 999


@define
class _Team:
    """A team: its members with their boards, and the points of its matches."""

    name: str
    number: int = 0
    boards: dict[int, list[int]] = field(factory=dict)
    game_points: float = 0.0
    match_points: float = 0.0
    rank: int = 0

    def members(self) -> list[int]:
        """Ranks of the members, ordered by their usual board."""
        return sorted(self.boards, key=lambda rank: (sum(self.boards[rank]) / len(self.boards[rank]), rank))


@define
class _Match:
    """A match of two teams in a round: its game points and boards."""

    turn: int
    one: _Team
    other: _Team
    points: list[float] = field(factory=lambda: [0.0, 0.0])
    boards: dict[int, tuple[int, int]] = field(factory=dict)


class TeamRecords:
    """Makes the records of the teams named by the games of a tournament.

    Parameters
    ----------
    name : str
        Name of the report, for errors.
    games : list of (round, rank of White, rank of Black, game)
    remark : callable

    Raises
    ------
    CannotWrite
        If a player played for two teams, or names of teams do not fit.
    """

    def __init__(self, name: str, games: list[tuple[int, int, int, Game]], remark: Callable[[str], None]) -> None:
        self._name, self._remark = name, remark
        self._teams: dict[str, _Team] = {}
        self._matches: dict[tuple[int, frozenset[str]], _Match] = {}
        self._labels: dict[str, set[str]] = {}
        self._team_of: dict[int, str] = {}
        for turn, white, black, game in games:
            self._add(turn, white, black, game)
        short = Counter(team[:_NAME] for team in self._teams)
        if len(self._teams) > _TEAMS or max(short.values(), default=0) > 1:
            raise CannotWrite(
                name, f"names of teams differ only after {_NAME} characters, or there are more than {_TEAMS} teams"
            )
        self._number()

    @property
    def count(self) -> int:
        """Number of teams."""
        return len(self._teams)

    def lines(self, code: str) -> Iterator[str]:
        """Returns the records, 013 or 310; with 310 also the order of boards, 300."""
        teams = sorted(self._teams.values(), key=lambda one: one.number)
        for team in teams:
            if len(team.name) > _NAME:
                self._remark(f"the team {team.name!r} is cut to {_NAME} characters")
        if code == "013":
            yield from (f"013 {team.name[:_NAME]:32}{_ranks(team.members())}" for team in teams)
            if any(match.boards for match in self._matches.values()):
                self._remark("TRF16 cannot hold boards, which are left out: write the report as TRF26, version=26")
            return
        self._score()
        for team in teams:
            yield (
                f"310 {team.number:>3} {team.name[:_NAME]:32} {'':5} {'':6} {team.match_points:>6.1f} "
                f"{team.game_points:>6.1f} {team.rank:>3}  {_ranks(team.members())}"
            )
        for match in self._matches.values():
            if match.boards:
                for own, team, other in ((0, match.one, match.other), (1, match.other, match.one)):
                    seats = [match.boards.get(board, (0, 0))[own] for board in range(1, max(match.boards) + 1)]
                    yield f"300 {match.turn:>3} {team.number:>3} {other.number:>3} {_ranks(seats)}"

    def _add(self, turn: int, white: int, black: int, game: Game) -> None:
        swapped = game.data.get("home") == "b"
        names = [str(game.data.get(side, "")) for side in (("team_b", "team_a") if swapped else ("team_a", "team_b"))]
        board = game.data.get("board", 0)
        seat = board if isinstance(board, int) and 0 < board < 100 else 0
        for rank, name in zip((white, black), names, strict=True):
            if name and self._team_of.setdefault(rank, name) != name:
                raise CannotWrite(
                    self._name, f"player {rank} of the report played for two teams: {self._team_of[rank]} and {name}"
                )
            if name:
                self._teams.setdefault(name, _Team(name)).boards.setdefault(rank, []).append(seat)
        if not all(names) or names[0] == names[1]:
            return
        one, other = (self._teams[name] for name in names)
        match = self._matches.setdefault((turn, frozenset(names)), _Match(turn, one, other))
        first = 0 if match.one.name == names[0] else 1
        shares = (1.0 - game.score, game.score) if swapped else (game.score, 1.0 - game.score)
        match.points[first] += shares[0]
        match.points[1 - first] += shares[1]
        if seat and seat not in match.boards:
            match.boards[seat] = (white, black) if first == 0 else (black, white)
        parts = str(game.data.get("match", "")).split(".")
        if len(parts) == 3:
            for name in names:
                self._labels[name] = self._labels.get(name, set(parts[1:])) & set(parts[1:])

    def _number(self) -> None:
        """Numbers the teams by the labels of their matches, `round.team.team`; by name if these are ambiguous."""
        possible = {name: set(self._labels.get(name, ())) for name in sorted(self._teams)}
        while True:  # a number that is the only possible one of a team is impossible for the others
            sure = {next(iter(found)): name for name, found in possible.items() if len(found) == 1}
            left = {name: found if len(found) == 1 else found - sure.keys() for name, found in possible.items()}
            if left == possible:
                break
            possible = left
        for number, name in sure.items():
            if 0 < (natural(number) or 0) <= _TEAMS:
                self._teams[name].number = int(number)
        taken = {team.number for team in self._teams.values()}
        free = (number for number in range(1, _TEAMS + 1) if number not in taken)
        for name in possible:
            self._teams[name].number = self._teams[name].number or next(free)

    def _score(self) -> None:
        for match in self._matches.values():
            one, other = match.points
            match.one.game_points += one
            match.other.game_points += other
            match.one.match_points += 2.0 if one > other else 1.0 if one == other else 0.0
            match.other.match_points += 2.0 if other > one else 1.0 if one == other else 0.0
        standing = [(team.match_points, team.game_points) for team in self._teams.values()]
        for team in self._teams.values():
            team.rank = 1 + sum(1 for one in standing if one > (team.match_points, team.game_points))


def _ranks(ranks: list[int]) -> str:
    return " ".join(f"{rank:>4}" if rank else "0000" for rank in ranks)


_ONLY_26 = (
    "142", "152", "162", "172", "182", "192", "202", "212", "222", "240", "250", "260", "299", "300", "320", "330",
    "352", "362", "801", "802",
)  # fmt: skip
_COLOUR = {"white1": "W", "black1": "B"}
_POINTS = {
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
    "P": ("PAB",),
}
"""Codes of JaVaFo for each code of record 162."""
_SHORT = {"W": ("WW", "BW", "FW", "FPB"), "D": ("WD", "BD", "HPB"), "L": ("WL", "BL")}
_USUAL = dict.fromkeys(("WW", "BW", "FW", "FPB", "PAB"), 1.0) | dict.fromkeys(("WD", "BD", "HPB"), 0.5)
_USUAL |= dict.fromkeys(("WL", "BL", "ZPB", "FL"), 0.0)
_VALUE = re.compile(r"[0-9]{1,2}(\.[0-9])?")
_NUMBER = re.compile(r"[0-9]{1,4}")


def converted(lines: list[str], version: str, remark: Callable[[str], None]) -> list[str]:
    """Converts the lines of a file to a version; records without a counterpart there stay, with a remark.

    Parameters
    ----------
    lines : list of str
    version : {"16", "26"}
    remark : callable
    """
    codes = {line[:3] for line in lines}
    of = _To26(lines, codes) if version == "26" else _To16(lines, codes)
    made: list[str] = []
    for code, group in groupby(lines, key=lambda line: line[:3]):
        rows = list(group)
        made += of.rows(code, rows)
    left = sorted({line[:3] for line in made} & set(of.foreign))
    if left:
        remark(f"records without a counterpart in TRF{version} stay as they are: {', '.join(left)}")
    return made


class _To26:
    """Converts codes of JaVaFo to those of TRF26."""

    foreign: tuple[str, ...] = ("XXR", "XXC", "XXS", "XXA", "XXP", "XXZ")

    def __init__(self, lines: list[str], codes: set[str]) -> None:
        self._codes = codes
        self._rounds = _count(lines)
        self._played = _played(lines)

    def rows(self, code: str, rows: list[str]) -> list[str]:
        """Adjacent lines under one code, converted."""
        made = {
            "XXR": self._round_count, "XXC": self._colour, "XXS": self._points, "XXA": self._accelerated,
            "XXP": self._forbidden, "XXZ": self._absent,
        }.get(code)  # fmt: skip
        return rows if made is None else made(rows)

    def _round_count(self, rows: list[str]) -> list[str]:
        if "142" in self._codes:
            return []
        return [f"142 {row[3:].strip()}" for row in rows]

    def _colour(self, rows: list[str]) -> list[str]:
        made = []
        for row in rows:
            words = row[3:].split()
            colours = [_COLOUR[word] for word in words if word in _COLOUR]
            if colours and "152" not in self._codes:
                made.append(f"152 {colours[0]}")
            rest = [word for word in words if word not in _COLOUR]
            if rest:
                made.append(f"XXC {' '.join(rest)}")
        return made

    def _points(self, rows: list[str]) -> list[str]:
        points = dict(_USUAL)
        for word in " ".join(row[3:] for row in rows).split():
            code, _, value = word.partition("=")
            try:
                points |= dict.fromkeys(_SHORT.get(code.upper(), (code.upper(),)), float(value))
            except ValueError:
                return rows
        if points.keys() != _USUAL.keys() or "162" in self._codes:
            return rows
        made = []
        for code, stands_for in _POINTS.items():
            values = {points[one] for one in stands_for}
            if len(values) > 1 or not 0 <= min(values) <= 99.9:
                return rows
            made.append((code, values.pop()))
        return ["162  " + "    ".join(f"{code}{value:>4.1f}" for code, value in made)]

    def _accelerated(self, rows: list[str]) -> list[str]:
        spans: dict[tuple[float, int, int], list[int]] = {}
        for row in rows:
            words = row[3:].split()
            try:
                player, points = int(words[0]), [float(word) for word in words[1:]]
            except (ValueError, IndexError):
                return rows
            for value, turns in groupby(range(len(points)), key=lambda turn: points[turn]):
                span = list(turns)
                if value:
                    spans.setdefault((value, span[0] + 1, span[-1] + 1), []).append(player)
        return [
            f"250      {value:>4.1f} {first:>3} {last:>3} {one:>4} {other:>4}"
            for (value, first, last), players in spans.items()
            for one, other in _runs(players)
        ]

    def _forbidden(self, rows: list[str]) -> list[str]:
        if not self._rounds:
            return rows
        return [f"260   1 {self._rounds:>3} {_wide(row[3:].split())}" for row in rows]

    def _absent(self, rows: list[str]) -> list[str]:
        """Returns the record of players who will not be paired in the next round."""
        return [f"240 Z {self._played + 1:>3} {_wide(row[3:].split())}" for row in rows]


class _To16:
    """Converts codes of TRF26 to those of JaVaFo; keeps 310 beside the new 013, since it has more content."""

    foreign = _ONLY_26

    def __init__(self, lines: list[str], codes: set[str]) -> None:
        self._codes = codes
        self._rounds = _count(lines)
        self._played = _played(lines)

    def rows(self, code: str, rows: list[str]) -> list[str]:
        """Adjacent lines under one code, converted."""
        made = {
            "142": self._round_count, "152": self._colour, "162": self._points, "250": self._accelerated,
            "260": self._forbidden, "240": self._absent, "310": self._teams,
        }.get(code)  # fmt: skip
        return rows if made is None else made(rows)

    def _round_count(self, rows: list[str]) -> list[str]:
        return [] if "XXR" in self._codes else [f"XXR {row[3:].strip()}" for row in rows]

    def _colour(self, rows: list[str]) -> list[str]:
        colours = {"W": "white1", "B": "black1"}
        if "XXC" in self._codes or any(row[3:].strip().upper() not in colours for row in rows):
            return rows
        return [f"XXC {colours[row[3:].strip().upper()]}" for row in rows]

    def _points(self, rows: list[str]) -> list[str]:
        worth: dict[str, str] = {}
        for row in rows:
            for start in range(5, len(row.rstrip()), 9):
                code, value = row[start : start + 1].upper(), row[start + 1 : start + 5].strip()
                if code not in _POINTS or not _VALUE.fullmatch(value):
                    return rows  # such as X, the points of an unknown result
                worth[code] = value
        if "W" in worth:
            worth.setdefault("P", worth["W"])
        return [f"XXS {' '.join(f'{one}={value}' for code, value in worth.items() for one in _POINTS[code])}"]

    def _accelerated(self, rows: list[str]) -> list[str]:
        points: dict[int, dict[int, float]] = {}
        for row in rows:
            fields = [
                row[start:end].strip() for start, end in ((4, 8), (9, 13), (14, 17), (18, 21), (22, 26), (27, 31))
            ]
            try:
                match, value = float(fields[0] or 0), float(fields[1] or 0)
                first, last, one, other = map(int, fields[2:])
            except ValueError:
                return rows
            if match or not (0 < first <= last < 1000 and 0 < one <= other < 10_000):
                return rows  # match points, which JaVaFo does not have
            for player in range(one, other + 1):
                points.setdefault(player, {}).update(dict.fromkeys(range(first, last + 1), value))
        return [
            f"XXA {player:>4} {' '.join(f'{given.get(turn, 0.0):>4.1f}' for turn in range(1, max(given) + 1))}"
            for player, given in sorted(points.items())
        ]

    def _forbidden(self, rows: list[str]) -> list[str]:
        made = []
        for row in rows:
            first, last, players = row[4:7].strip(), row[8:11].strip(), row[11:].split()
            if not (first == "1" and last.isdecimal() and self._rounds and int(last) >= self._rounds):
                made.append(row)
            else:
                made.append(f"XXP {' '.join(players)}")
        return made

    def _absent(self, rows: list[str]) -> list[str]:
        made = []
        for row in rows:
            turn = row[6:9].strip()
            next_round = natural(turn) == self._played + 1
            made.append(f"XXZ {' '.join(row[9:].split())}" if row[4:5] in "Zz" and next_round else row)
        return made

    def _teams(self, rows: list[str]) -> list[str]:
        if "013" in self._codes:
            return rows
        return rows + [f"013 {row[8:40]:32}{row[73:]}".rstrip() for row in rows]


def _count(lines: list[str]) -> int:
    """Returns the number of rounds in a file; 0 if not given."""
    for line in lines:
        words = line[3:].split()
        if line[:3] in ("142", "XXR") and words and _NUMBER.fullmatch(words[0]):
            return int(words[0])
    return 0


def _played(lines: list[str]) -> int:
    """Returns the last round in which any player has an opponent."""
    last = 0
    for line in lines:
        if line[:3] == "001":
            turns = range(91 + 10 * last, len(line), 10)
            last = max([last, *((at - 81) // 10 for at in turns if line[at : at + 4].strip(" 0"))])
    return last


def _wide(words: list[str]) -> str:
    return " ".join(f"{word:>4}" for word in words)


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Yields spans of consecutive numbers."""
    ordered = sorted(set(numbers))
    start = 0
    for place in range(1, len(ordered) + 1):
        if place == len(ordered) or ordered[place] != ordered[place - 1] + 1:
            yield ordered[start], ordered[place - 1]
            start = place
