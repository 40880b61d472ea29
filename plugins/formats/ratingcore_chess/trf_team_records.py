"""Records of teams in a TRF report: who plays for which, and at which board."""

from collections import Counter
from collections.abc import Callable, Iterator

from attrs import define, field

from ratingcore.plugin.readers import CannotWrite, Game

_NAME = 32
_TEAMS = 999


@define
class _Team:
    """A team: its members with the boards at which they sat, and what its matches gave."""

    name: str
    number: int = 0
    boards: dict[int, list[int]] = field(factory=dict)
    game_points: float = 0.0
    match_points: float = 0.0
    rank: int = 0

    def members(self) -> list[int]:
        """Ranks of the members, by their usual board."""
        return sorted(self.boards, key=lambda rank: (sum(self.boards[rank]) / len(self.boards[rank]), rank))


@define
class _Match:
    """A match of two teams in a round: game points, and who sat where."""

    turn: int
    one: _Team
    other: _Team
    points: list[float] = field(factory=lambda: [0.0, 0.0])
    boards: dict[int, tuple[int, int]] = field(factory=dict)


class TeamRecords:
    """Makes the records of the teams that the games of a tournament name.

    Parameters
    ----------
    name : str
        Of the report.
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
        self._of: dict[int, str] = {}
        for turn, white, black, game in games:
            self._see(turn, white, black, game)
        short = Counter(team[:_NAME] for team in self._teams)
        if len(self._teams) > _TEAMS or max(short.values(), default=0) > 1:
            raise CannotWrite(name, f"names of teams differ after {_NAME} characters only, or are more than {_TEAMS}")
        self._number()

    @property
    def count(self) -> int:
        """How many teams there are."""
        return len(self._teams)

    def lines(self, code: str) -> Iterator[str]:
        """The records, 013 or 310; with 310 also the order of boards, 300."""
        teams = sorted(self._teams.values(), key=lambda one: one.number)
        for team in teams:
            if len(team.name) > _NAME:
                self._remark(f"the team {team.name!r} is cut to {_NAME} characters")
        if code == "013":
            yield from (f"013 {team.name[:_NAME]:32}{_ranks(team.members())}" for team in teams)
            if any(match.boards for match in self._matches.values()):
                self._remark("TRF16 has no place for boards: write TRF26, --to trf:version=26")
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

    def _see(self, turn: int, white: int, black: int, game: Game) -> None:
        swapped = game.data.get("home") == "b"
        names = [str(game.data.get(side, "")) for side in (("team_b", "team_a") if swapped else ("team_a", "team_b"))]
        board = game.data.get("board", 0)
        seat = board if isinstance(board, int) and 0 < board < 100 else 0
        for rank, name in zip((white, black), names, strict=True):
            if name and self._of.setdefault(rank, name) != name:
                raise CannotWrite(
                    self._name, f"player {rank} of the report played for two teams: {self._of[rank]} and {name}"
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
        """Numbers the teams as the labels of their matches do, `round.team.team`; where they do not tell, by name."""
        told = {name: set(self._labels.get(name, ())) for name in sorted(self._teams)}
        while True:  # whoever has one number left takes it from the others
            sure = {next(iter(found)): name for name, found in told.items() if len(found) == 1}
            left = {name: found if len(found) == 1 else found - sure.keys() for name, found in told.items()}
            if left == told:
                break
            told = left
        for number, name in sure.items():
            if number.isascii() and number.isdecimal() and 0 < int(number) <= _TEAMS:
                self._teams[name].number = int(number)
        taken = {team.number for team in self._teams.values()}
        free = (number for number in range(1, _TEAMS + 1) if number not in taken)
        for name in told:
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
