"""State of a method between calls: float64 columns that the core owns and passes on read-only."""

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats, Ints, frozen_array


@frozen
class Column:
    """Declaration of a column in a method's state.

    Parameters
    ----------
    name : str
        `rating`, `deviation`, `games`, `season`, ...
    start : float
        Initial value of a player; NaN in `rating` means unrated.
    unit : str
        Unit of the numbers, as shown to people: "points".
    digits : int or None
        Decimals on a list; None keeps the column out of lists.
    significant : int or None
        Least number of significant digits on a list, for a column whose numbers are small: with 6, lists show
        0.0191432 where 4 decimals would leave 0.0191. If any column has it, the rating must have it.
    shape : tuple of int
        Shape of the value in a row, such as (10,) for the last ten scores.
    per : {"player", "pair", "pool"}
        Owner of a row: a player, a pair or the pool.
    labels : tuple of str
        Words for the codes 0, 1, 2, ... of a column that holds a status.
    kept : bool
        Whether a seed without a value for this column leaves it unchanged; else the column returns to `start`.
    seeded : callable or None
        For seeds that give the column `seeded_by` but not this one: returns this column's values, such as the day from
        which a deviation grows, from the instants of the seeds. None for most columns.
    seeded_by : str
        The column that a seed must give for `seeded` to apply.
    """

    name: str
    start: float = 0.0
    unit: str = field(default="", kw_only=True)
    digits: int | None = field(default=4, kw_only=True)
    significant: int | None = field(default=None, kw_only=True)
    shape: tuple[int, ...] = field(default=(), kw_only=True)
    per: Literal["player", "pair", "pool"] = field(default="player", kw_only=True)
    labels: tuple[str, ...] = field(default=(), kw_only=True)
    kept: bool = field(default=True, kw_only=True)
    seeded: Callable[[Ints], Floats] | None = field(default=None, kw_only=True, eq=False)
    seeded_by: str = field(default="deviation", kw_only=True)

    @property
    def meaning(self) -> tuple[object, ...]:
        """Meaning of the numbers: equal for columns of two methods whose numbers mean the same."""
        return self.name, self.unit, self.shape, self.per, self.labels


def carried(old: tuple[Column, ...], new: tuple[Column, ...], state: "State", *, same: bool = False) -> "State":
    """Returns the state in which a rule begins after another one: columns of equal meaning are carried over.

    Equal meaning requires the same name, unit, shape, labels and kind of row, and a named unit. All other columns begin
    at their initial values, and so do the ratings of unrated players.

    Parameters
    ----------
    same : bool
        Whether both rules are of one method: columns without a unit are then carried over, too.

    Examples
    --------
    >>> old = (Column("rating", 1500.0, unit="points"),)
    >>> new = (Column("rating", 1000.0, unit="points"), Column("games", unit="games"))
    >>> both = carried(old, new, State({"rating": np.array([1600.0, np.nan])}))
    >>> both["rating"].tolist(), both["games"].tolist()
    ([1600.0, 1000.0], [0.0, 0.0])
    """
    before = {column.name: column for column in old if column.name in state}
    made = {}
    for column in new:
        was = before.get(column.name)
        if was is not None and was.meaning == column.meaning and (same or column.unit):
            made[column.name] = state[column.name].copy()
        else:
            rows = {"player": len(state["rating"]), "pool": 1, "pair": 0}[column.per]
            made[column.name] = np.full((rows, *column.shape), column.start, dtype=np.float64)
    unrated, start = np.isnan(state["rating"]), next(one.start for one in new if one.name == "rating")
    made["rating"][unrated] = start
    return State({name: frozen_array(one) for name, one in made.items()})


def significant_digits(scale: float, usual: float = 100.0) -> int | None:
    """Returns the significant digits that a column needs by the size of its scale: 6 for a small scale, else None.

    Parameters
    ----------
    scale : float > 0
        Scale set by the parameters: the `scale` of a curve, or the mean rating.
    usual : float > 0
        Least scale for which 4 decimals are enough.

    Examples
    --------
    >>> significant_digits(400.0), significant_digits(1.0)
    (None, 6)
    """
    return None if scale >= usual else 6


class State:
    """Columns of a method, with one row per player (or pair, or pool); `state[name]` is read-only.

    Examples
    --------
    >>> state = State.start((Column("rating", 1500.0),), players=2)
    >>> rating = state.copy("rating")
    >>> rating[0] += 8.0
    >>> state.replace(rating=rating)["rating"].tolist(), state["rating"].tolist()
    ([1508.0, 1500.0], [1500.0, 1500.0])
    """

    __slots__ = ("_columns",)

    def __init__(self, columns: Mapping[str, Floats]) -> None:
        self._columns = dict(columns)

    @classmethod
    def start(cls, columns: tuple[Column, ...], players: int, pairs: int = 0) -> "State":
        """Returns the state before any game."""
        rows = {"player": players, "pair": pairs, "pool": 1}
        filled = {c.name: np.full((rows[c.per], *c.shape), c.start, dtype=np.float64) for c in columns}
        return cls({name: frozen_array(column) for name, column in filled.items()})

    def grown(self, start: "State") -> "State":
        """Returns this state, extended by the further rows of a longer initial state."""
        columns = {}
        for name, fresh in start._columns.items():
            own = self._columns[name]
            columns[name] = own if len(own) == len(fresh) else np.concatenate([own, fresh[len(own) :]])
        return State({name: frozen_array(column) for name, column in columns.items()})

    def copied(self) -> "State":
        """Returns a copy that shares no memory with this state."""
        return State({name: frozen_array(column.copy()) for name, column in self._columns.items()})

    def leading(self, columns: tuple[Column, ...], players: int) -> "State":
        """Returns a copy with the rows of the first players only; columns of pairs or the pool are copied whole."""
        rows = {
            c.name: self._columns[c.name][:players] if c.per == "player" else self._columns[c.name] for c in columns
        }
        return State({name: frozen_array(column.copy()) for name, column in rows.items()})

    def __getitem__(self, name: str) -> Floats:
        return self._columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._columns)

    def copy(self, name: str) -> Floats:
        """Returns a writable copy of a column."""
        return self._columns[name].copy()

    def write(self, name: str, rows: Ints, values: Floats) -> None:
        """Writes into a column in place; only the core may do this, between two calls of the method."""
        column = self._columns[name]
        try:
            column.flags.writeable = True
        except ValueError:  # the method returned a read-only column
            column = self._columns[name] = column.copy()
        column[rows] = values
        column.flags.writeable = False

    def replace(self, **columns: Floats) -> "State":
        """Returns a state with new values in some columns and the other columns shared; no column is added."""
        merged = self._columns.copy()
        for name, column in columns.items():
            old = merged[name]
            if column.shape != old.shape or column.dtype != np.float64:
                raise ValueError(
                    f"column {name} must keep shape {old.shape} and float64: {column.shape}, {column.dtype}"
                )
            merged[name] = frozen_array(column)
        made = State.__new__(State)
        made._columns = merged
        return made
