"""Results of many sides with any number of players, as flat columns with offsets."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.games import (
    NO_FIELDS,
    Blanks,
    Floats,
    Games,
    Ints,
    Span,
    first_numbers,
    frozen_array,
    interleaved,
)
from ratingcore.columns.games_in_order import play_order


class Seated(NamedTuple):
    """Players, sides and scores of results with any number of sides, as columns."""

    result: Ints
    side: Ints
    player: Ints
    score: Floats

    @classmethod
    def of(cls, games: Games) -> "Seated":
        """Games as results of two sides with one member each."""
        n = len(games)
        player = interleaved(games.a, games.b).astype(np.int32, copy=False)
        score = interleaved(games.score, 1.0 - games.score)
        result, side = np.arange(0, 2 * n + 1, 2), np.arange(2 * n + 1)
        return cls(frozen_array(result), frozen_array(side), frozen_array(player), frozen_array(score))


class Sides:
    """Read-only columns of results in order of play: sides of each result, members of each side.

    Attributes
    ----------
    result : (n + 1,) int
        `result[r]` to before `result[r + 1]` are the sides of result `r`.
    side : (m + 1,) int
        `side[s]` to before `side[s + 1]` are the members of side `s`.
    player : (k,) int
        Row of each member in the state.
    score : (m,) float64
        Score of each side, in the unit of the session; shares of the point for a game.
    played, position : (n,) int64
        When each result was played (microseconds since 1970), and its place in the log.
    span : Span
        The half-open period of the call.
    games : (n,) bool
        Which results are games of two players; the others are sessions.
    duels : Games or None
        The same results as games, if they were made from games alone, for methods that have a faster way for two
        players. The columns as sides are then made only on demand.
    facts, members, players : mapping of name to float64
        Fields that the method needs: of results, of members and of players.

    `sides[name]` is one of those fields: aligned with the results, with the members, or with the rows of
    the state.
    """

    __slots__ = ("_blanks", "_placed", "_seated", "duels", "facts", "games", "members", "players", "span")
    _COLUMNS = (
        "result", "side", "player", "score", "played", "position", "span", "facts", "players", "games", "members",
    )  # fmt: skip

    def __init__(
        self,
        result: Ints,
        side: Ints,
        player: Ints,
        score: Floats,
        played: Ints,
        position: Ints,
        span: Span,
        facts: Mapping[str, Floats] = NO_FIELDS,
        players: Mapping[str, Floats] = NO_FIELDS,
        games: NDArray[np.bool_] | None = None,
        members: Mapping[str, Floats] = NO_FIELDS,
    ) -> None:
        self._seated: Seated | None = Seated(result, side, player, score)
        self._placed = played, position
        self.span = span
        self.facts = facts
        self.players = players
        self.games = np.broadcast_to(np.False_, len(played)) if games is None else games
        self.members = members
        self.duels: Games | None = None
        self._blanks: Blanks | None = None

    @classmethod
    def of(cls, games: Games, members: Mapping[str, Floats] = NO_FIELDS, blanks: Blanks | None = None) -> Self:
        """The games as results of two sides with one member each, with their fields, and with fields of members."""
        made = cls.__new__(cls)
        made._seated, made._placed = None, (games.a[:0], games.a[:0])
        made.span, made.facts, made.players, made.members = games.span, games.facts, games.players, members
        made.games = np.broadcast_to(np.True_, len(games))
        made.duels = games
        made._blanks = blanks
        return made

    @property
    def seated(self) -> Seated:
        """Players, sides and scores."""
        if self._seated is None:
            assert self.duels is not None
            self._seated = Seated.of(self.duels)
        return self._seated

    @property
    def result(self) -> Ints:
        return self.seated.result

    @property
    def side(self) -> Ints:
        return self.seated.side

    @property
    def player(self) -> Ints:
        return self.seated.player

    @property
    def score(self) -> Floats:
        return self.seated.score

    @property
    def played(self) -> Ints:
        return self._placed[0] if self.duels is None else self.duels.played  # may be read from the log at a first look

    @property
    def position(self) -> Ints:
        return self._placed[1] if self.duels is None else self.duels.position

    @property
    def n_sides(self) -> int:
        """Number of sides, the length of `score`."""
        return len(self.score) if self.duels is None else 2 * len(self)

    @property
    def n_members(self) -> int:
        """Number of members, the length of `player`."""
        return len(self.player) if self.duels is None else 2 * len(self)

    def __len__(self) -> int:
        return len(self.games)

    def with_side(self, sides: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Mask of the results that have one of these sides."""
        if not len(self):
            return np.zeros(0, dtype=np.bool_)
        return np.logical_or.reduceat(sides, self.result[:-1])

    def with_member(self, members: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Mask of the results that have one of these members."""
        if not len(self):
            return np.zeros(0, dtype=np.bool_)
        return np.logical_or.reduceat(members, self.side[self.result[:-1]])

    def __getitem__(self, field: str) -> Floats:
        """A needed field of the results, of their members or of the players."""
        for columns in (self.facts, self.members):
            if field in columns:
                return columns[field]
        return self.players[field]

    def blank(self) -> Floats:
        """A column to fill, one number per member; its content is undefined."""
        return self.blanks(self.n_members)

    def blanks(self, n: int) -> Floats:
        """A column of `n` numbers to fill, one per side or per result; its content is undefined."""
        return np.empty(n) if self._blanks is None else self._blanks.take(n)

    def part(self, start: int, stop: int, span: Span | None = None, blanks: Blanks | None = None) -> Self:
        """The results from `start` to before `stop`."""
        if self.duels is not None:
            fields = {name: column[2 * start : 2 * stop] for name, column in self.members.items()}
            return type(self).of(self.duels.part(start, stop, span or self.span), fields, blanks)
        cut = slice(start, stop)
        sides = slice(int(self.result[start]), int(self.result[stop]))
        members = slice(int(self.side[sides.start]), int(self.side[sides.stop]))
        n = sides.stop - sides.start
        alone = members.stop - members.start == n  # one player per side, because every side has one
        made = type(self)(
            frozen_array(self.result[start : stop + 1] - sides.start),
            first_numbers(n + 1) if alone else frozen_array(self.side[sides.start : sides.stop + 1] - members.start),
            self.player[members],
            self.score[sides],
            self.played[cut],
            self.position[cut],
            span or self.span,
            {name: column[cut] for name, column in self.facts.items()},
            self.players,
            self.games[cut],
            {name: column[members] for name, column in self.members.items()},
        )
        made._blanks = blanks
        return made

    def withheld(self) -> Self:
        """The same results with their scores withheld, for forecasts."""
        if self.duels is not None:
            return type(self).of(self.duels.withheld(), self.members)
        return self.replaced(score=np.broadcast_to(np.float64(np.nan), self.score.shape))

    def replaced(self, **columns: Any) -> Self:  # of as many types as there are attributes
        """The same results with some of these attributes replaced."""
        if self.duels is not None and columns.keys() <= {"facts", "members", "players", "span"}:
            members, seated = columns.pop("members", self.members), self.seated
            made = type(self).of(self.duels.replaced(**columns), members)
            made._seated = seated
            return made
        return type(self)(**({name: getattr(self, name) for name in self._COLUMNS} | columns))

    def apart(self, start: int, stop: int) -> Self:
        """A copy of the results from `start` to before `stop`, which shares no memory with other results."""
        return self.part(start, stop).take(np.arange(stop - start))

    def merged(self, other: "Sides", order: Ints) -> "Sides":
        """The results of both in order of play; `order` breaks ties in time, with values of these results first."""
        both = self.then(other, self.span)
        return both.take(play_order(both.played, order, both.position))

    def then(self, other: "Sides", span: Span) -> "Sides":
        """These results followed by others, with a new span, and with the fields that both have."""
        result = _offsets(np.concatenate([np.diff(self.result), np.diff(other.result)]))
        side = _offsets(np.concatenate([np.diff(self.side), np.diff(other.side)]))
        return type(self)(
            result, side, np.concatenate([self.player, other.player]), np.concatenate([self.score, other.score]),
            np.concatenate([self.played, other.played]), np.concatenate([self.position, other.position]), span,
            _fields(self.facts, other.facts), other.players, np.concatenate([self.games, other.games]),
            _fields(self.members, other.members),
        )  # fmt: skip

    def take(self, which: Ints) -> Self:
        """The results of these indices, in this order."""
        if self.duels is not None:
            seats = np.repeat(2 * np.asarray(which, dtype=np.int64), 2)
            seats[1::2] += 1
            fields = {name: frozen_array(column[seats]) for name, column in self.members.items()}
            return type(self).of(self.duels.take(which), fields)
        sides = _spread(self.result, which)
        members = _spread(self.side, sides)
        return type(self)(
            _offsets(np.diff(self.result)[which]),
            _offsets(np.diff(self.side)[sides]),
            self.player[members],
            self.score[sides],
            self.played[which],
            self.position[which],
            self.span,
            {name: column[which] for name, column in self.facts.items()},
            self.players,
            self.games[which],
            {name: column[members] for name, column in self.members.items()},
        ).frozen()

    def frozen(self) -> Self:
        """The same results, their columns read-only."""
        if self.duels is not None:
            own = {name: frozen_array(getattr(self.duels, name)) for name in ("a", "b", "score", "played", "position")}
            facts = {name: frozen_array(column) for name, column in self.facts.items()}
            fields = {name: frozen_array(column) for name, column in self.members.items()}
            return type(self).of(self.duels.replaced(facts=facts, **own), fields)
        columns = ("result", "side", "player", "score", "played", "position", "games")
        return self.replaced(
            facts={name: frozen_array(column) for name, column in self.facts.items()},
            members={name: frozen_array(column) for name, column in self.members.items()},
            **{name: frozen_array(getattr(self, name)) for name in columns},
        )


def _fields(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> dict[str, Floats]:
    return {name: np.concatenate([column, other[name]]) for name, column in one.items() if name in other}


def _offsets(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _spread(start: Ints, chosen: Ints) -> Ints:
    """Indices of all items of the chosen groups, group by group."""
    sizes = np.diff(start)[chosen]
    ends = np.cumsum(sizes)
    inside = np.arange(int(ends[-1]) if len(ends) else 0)
    return np.asarray(inside + np.repeat(start[chosen] - (ends - sizes), sizes))
