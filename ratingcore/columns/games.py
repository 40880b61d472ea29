"""Columns of games in the form that methods read, and the needs by which a method names further fields."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Self

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from ratingcore.events import Instant
from ratingcore.read_only import ReadOnly

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


def frozen_array(array: NDArray[Any]) -> NDArray[Any]:
    """Returns a read-only view of an array; the array itself stays writable."""
    view = array.view()
    view.flags.writeable = False
    return view


def same_value(one: object, other: object) -> bool:
    """True if two values have the same type and equal fields; for `__eq__` of attrs classes that hold arrays.

    Arrays are equal if they have the same shape and equal cells, with NaN equal to itself. Fields that are attrs values
    without an equality of their own are compared in the same way.
    """
    if type(one) is not type(other):
        return False
    names = [field.name for field in attrs.fields(type(one)) if field.eq]  # type: ignore[arg-type]  # attrs classes ask
    return all(_same(getattr(one, name), getattr(other, name)) for name in names)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        blank = one.dtype.kind in "fc" and other.dtype.kind in "fc"
        return np.array_equal(one, other, equal_nan=blank)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if attrs.has(type(one)) and not _has_equality(type(one)):
        return same_value(one, other)
    return bool(one == other or (one != one and other != other))


def _has_equality(kind: type) -> bool:
    return any("__eq__" in vars(one) for one in kind.__mro__[:-1])


def interleaved(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Two columns of games as one of members: a, b, a, b, ..."""
    flat: NDArray[Any] = np.empty(2 * len(a), dtype=a.dtype)
    flat[0::2], flat[1::2] = a, b
    return flat


@lru_cache(maxsize=4)
def first_numbers(n: int) -> NDArray[np.int64]:
    """The first `n` whole numbers from 0 on, read-only; calls with the same `n` share one array."""
    return frozen_array(np.arange(n))


def unsigned(rows: Ints) -> Ints:
    """The same rows as unsigned numbers: compiled loops look these up much faster."""
    return rows.view(f"u{rows.itemsize}")


@frozen
class Need:
    """A field of results or of players that a method reads as numbers.

    Parameters
    ----------
    name : str
        Name of the field: `points_a`, `home`, `born`, ...
    of : {"result", "member", "player"}
        Owner of the field, for alignment: results, their members (only for methods that read sides), or
        the rows of the state. A field of members is one text per result, with a number for each member in the order of
        the sides and their players: `1 2/3 1/3 1 1`.
    default : float or None
        Value of an absent field. If None, results without the field are left out and counted on the list, and a
        player without it is an error.
    words : mapping of str to float
        Numbers for texts, as `{"a": 1.0, "b": -1.0}`; a result with another text is left out, unless `other` is given.
    other : float or None
        Value of texts that are not among the words, for fields with any number of texts, such as names of tournaments.
    labels : bool
        Read the field as a label: equal values give equal numbers, and the numbers mean nothing else.
    leaves_out : bool
        Results whose field is absent or unreadable belong to another part of the pool: the method does not read them,
        but their players stay on the list, and the results count among those of the players. Only for fields of
        results.
    above, least, most : float or None
        Bounds: a number must be greater than `above`, and from `least` to `most`; any other number is unreadable. In a
        field of members, each number must be within the bounds.
    """

    name: str
    of: Literal["result", "member", "player"] = "result"
    default: float | None = field(default=None, kw_only=True)
    words: Mapping[str, float] = field(factory=dict, kw_only=True)
    other: float | None = field(default=None, kw_only=True)
    labels: bool = field(default=False, kw_only=True)
    leaves_out: bool = field(default=False, kw_only=True)
    above: float | None = field(default=None, kw_only=True)
    least: float | None = field(default=None, kw_only=True)
    most: float | None = field(default=None, kw_only=True)

    def allows(self, number: float) -> bool:
        """True if a given number is within the bounds."""
        return (
            (self.above is None or number > self.above)
            and (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
        )


NO_FIELDS: Mapping[str, Floats] = ReadOnly({})


class Span(NamedTuple):
    """A half-open period of played time, in microseconds since 1970."""

    start: Instant
    end: Instant


class Blanks:
    """Scratch columns that every call overwrites; a caller must not keep results that use them."""

    __slots__ = ("_columns", "_next", "_size")

    def __init__(self, size: int) -> None:
        self._columns: list[Floats] = []
        self._size = size
        self._next = 0

    def rewind(self) -> None:
        self._next = 0

    def take(self, size: int) -> Floats:
        if self._next == len(self._columns):
            self._columns.append(np.empty(max(size, self._size)))
        elif len(self._columns[self._next]) < size:  # sides have any number of members
            self._columns[self._next] = np.empty(size)
        column = self._columns[self._next]
        self._next += 1
        return column[:size]


class Games:
    """Read-only columns of games in order of play.

    Attributes
    ----------
    a, b : (n,) int
        Rows of the players in the state.
    score : (n,) float64 in [0, 1]
        Share of the point that `a` took; NaN where it is withheld.
    played : (n,) int64, microseconds since 1970
    position : (n,) int64
        Place of the game in the log.
    span : Span
        The half-open period of the call.
    pair : (n,) int
        Row of the pair of players, for methods with columns per pair; else empty.
    facts, players : mapping of name to float64
        Fields that the method needs, of results and of players.

    `games[name]` is a field the method needs: aligned with the games, or with the rows of the
    state if it is a field of players.
    """

    __slots__ = ("_blanks", "_played", "_position", "a", "b", "facts", "pair", "players", "score", "span")

    def __init__(
        self,
        a: Ints,
        b: Ints,
        score: Floats,
        played: Ints | Callable[[], Ints],
        position: Ints | Callable[[], Ints],
        span: Span,
        facts: Mapping[str, Floats] = NO_FIELDS,
        players: Mapping[str, Floats] = NO_FIELDS,
        pair: Ints | None = None,
        blanks: Blanks | None = None,
    ) -> None:
        self.a = a
        self.b = b
        self.score = score
        self._played = played
        self._position = position
        self.span = span
        self.pair = a[:0] if pair is None else pair
        self.facts = facts
        self.players = players
        self._blanks = blanks

    @property
    def played(self) -> Ints:
        """When each game was played; read from the log at the first look if the games are streamed from there."""
        if callable(self._played):
            self._played = self._played()
        return self._played

    @property
    def position(self) -> Ints:
        """Place of each game in the log, read in the same way."""
        if callable(self._position):
            self._position = self._position()
        return self._position

    def __len__(self) -> int:
        return len(self.a)

    def __getitem__(self, field: str) -> Floats:
        """A needed field of the results or of the players."""
        column = self.facts.get(field)
        return self.players[field] if column is None else column

    def blank(self) -> Floats:
        """A column to fill, one number per game; its content is undefined."""
        return np.empty(len(self.a)) if self._blanks is None else self._blanks.take(len(self.a))

    def part(self, start: int, stop: int, span: Span | None = None, blanks: Blanks | None = None) -> Self:
        """The games from `start` to before `stop`."""
        cut = slice(start, stop)
        facts = {name: column[cut] for name, column in self.facts.items()} if self.facts else self.facts
        return type(self)(
            self.a[cut], self.b[cut], self.score[cut], self.played[cut], self.position[cut],
            span or self.span, facts, self.players, self.pair[cut] if len(self.pair) else None, blanks,
        )  # fmt: skip

    def take(self, which: Ints) -> Self:
        """The games of these indices, in this order."""
        facts = {name: frozen_array(column[which]) for name, column in self.facts.items()}
        pair = frozen_array(self.pair[which]) if len(self.pair) else self.pair
        return type(self)(
            frozen_array(self.a[which]), frozen_array(self.b[which]), frozen_array(self.score[which]),
            frozen_array(self.played[which]), frozen_array(self.position[which]), self.span, facts, self.players, pair,
        )  # fmt: skip

    def then(self, other: "Games", span: Span) -> Self:
        """These games followed by others, with a new span, and with the fields that both have."""
        a, b, score, played, position = (
            frozen_array(np.concatenate([getattr(one, name) for one in (self, other)]))
            for name in ("a", "b", "score", "played", "position")
        )
        facts = {
            name: np.concatenate([self.facts[name], other.facts[name]]) for name in self.facts if name in other.facts
        }
        return type(self)(a, b, score, played, position, span, facts, other.players)

    def replaced(self, **columns: Any) -> Self:  # of as many types as there are attributes
        """The same games with some of these attributes replaced; scratch stays with the original games."""
        own = {name.removeprefix("_"): getattr(self, name) for name in self.__slots__ if name != "_blanks"}
        return type(self)(**(own | columns))

    def seated(self, a: Ints, b: Ints, players: Mapping[str, Floats]) -> Self:
        """The same games and scratch with players in other rows of the state; `players` is aligned with those rows."""
        return type(self)(
            a, b, self.score, self.played, self.position, self.span, self.facts, players, self.pair, self._blanks
        )

    def withheld(self) -> Self:
        """The same games with their scores withheld, for forecasts."""
        return self.replaced(score=np.broadcast_to(np.float64(np.nan), self.a.shape))

    def apart(self, start: int, stop: int) -> Self:
        """A copy of the games from `start` to before `stop`, which shares no memory with other games."""
        part = self.part(start, stop, blanks=self._blanks)
        for name in ("a", "b", "score", "_played", "_position", "pair"):
            setattr(part, name, frozen_array(getattr(part, name).copy()))
        part.facts = {name: frozen_array(column.copy()) for name, column in part.facts.items()}
        return part
