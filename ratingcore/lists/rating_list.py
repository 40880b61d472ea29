"""A rating list: players in order of rating, columnar and immutable, with its provenance."""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from ratingcore.events import canonical
from ratingcore.lists.provenance import Provenance
from ratingcore.methods.contract import Method
from ratingcore.methods.text import identity
from ratingcore.replay.record import Replay
from ratingcore.tables.arrays import Floats, Ints, frozen_array

if TYPE_CHECKING:
    from ratingcore.lists.diff import ListDiff

Cell = str | int | float | None

_WHOLE = 2.0**52
"""From here on every float is a whole number."""


def rounded(column: Floats, digits: int) -> Floats:
    """The numbers with so many decimals, a half away from zero.

    Examples
    --------
    >>> rounded(np.array([0.5, -1.25, 2.4499]), 1).tolist()
    [0.5, -1.3, 2.4]
    """
    scale = 10.0**digits
    exact = np.abs(column) < _WHOLE / scale  # what is larger, or no number, has no decimals to lose
    size = np.abs(np.where(exact, column, 0.0)) * scale
    whole = np.round(size, 6)  # 12.4499999999 that stands for 12.45 counts as 12.45
    return np.where(exact, np.copysign(np.floor(whole + 0.5) / scale, column), column) + 0.0


@frozen(eq=False, repr=False)
class RatingList:
    """Players by rating: rank, player, rating, games and the method's further columns.

    Equal ratings share a rank and stand in alphabetical order; players without a rating come last
    and have no rank.

    Parameters
    ----------
    provenance : Provenance
    player : tuple of str
        In order of rank.
    rank : (n,) int
        0 for the unrated.
    games : (n,) int
        Results the player took part in.
    values : mapping of name to (n,) float64 or tuple of cells
        `rating` first; rounded to the digits of the column, NaN where there is none.
    """

    provenance: Provenance
    player: tuple[str, ...]
    rank: Ints
    games: Ints
    values: Mapping[str, Floats | tuple[Cell, ...]]

    @property
    def pool(self) -> str:
        """The pool that is listed."""
        return self.provenance.pool

    @property
    def known_at(self) -> int:
        """How many events of the log the list knew."""
        return self.provenance.known_at

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the cells of a row."""
        further = [name for name in self.values if name != "rating"]
        return ("rank", "player", "rating", "games", *further)

    def __len__(self) -> int:
        return len(self.player)

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        """Rows from the top, as dictionaries."""
        columns: dict[str, list[Any]] = {
            "rank": [rank or None for rank in self.rank.tolist()],
            "player": list(self.player),
            "rating": [],
            "games": self.games.tolist(),
        }
        for name, column in self.values.items():
            columns[name] = list(column) if isinstance(column, tuple) else [_cell(x) for x in column.tolist()]
        for cells in zip(*columns.values(), strict=True):
            yield dict(zip(columns, cells, strict=True))

    @cached_property
    def _row(self) -> dict[str, int]:
        return {player: row for row, player in enumerate(self.player)}

    def __contains__(self, player: object) -> bool:
        return player in self._row

    def rating(self, player: str) -> float:
        """Rating of a player as listed; NaN for the unrated.

        Raises
        ------
        KeyError
            If the player is not on the list.
        """
        return float(np.asarray(self.values["rating"], dtype=np.float64)[self._row[player]])

    @cached_property
    def digest(self) -> str:
        """sha256 of the rows: equal rows, equal digest."""
        rows = [list(row.values()) for row in self]
        return hashlib.sha256(canonical([list(self.columns), rows]).encode()).hexdigest()

    def diff(self, other: "RatingList") -> "ListDiff":
        """What another list says otherwise."""
        from ratingcore.lists.diff import ListDiff  # the two know each other

        return ListDiff.between(self, other)

    def with_grades(self, table: str) -> "RatingList":
        """The list with a last column `grade`: what a table calls each rating as it is listed.

        Parameters
        ----------
        table : str
            One of `ratingcore.lists.grades.TABLES`.
        """
        from ratingcore.lists.grades import grade  # words are wanted by few lists

        found = tuple(grade(table, rating) for rating in np.asarray(self.values["rating"], dtype=np.float64).tolist())
        return evolve(self, values=MappingProxyType({**self.values, "grade": found}))

    def __str__(self) -> str:
        return "\n".join([*self.table(10), *self.provenance.lines()])

    __repr__ = __str__

    def table(self, top: int | None = None) -> list[str]:
        """The first rows as aligned lines of text, under their headings."""
        from ratingcore.lists.text import aligned  # drawn on request only

        shown = [row for _, row in zip(range(len(self) if top is None else top), self, strict=False)]
        lines = aligned(self.columns, shown)
        left = len(self) - len(shown)
        return [*lines, f"... and {left} more"] if left else lines


def _cell(number: float) -> float | None:
    return None if number != number else number


def rating_list(replay: Replay, version: str) -> RatingList:
    """The list of a replay: what the method shows on its day, rounded and ranked."""
    view, method = replay.view, replay.method
    shown = _shown(method, replay)
    games = view.played_counts()
    names = np.array(view.names(), dtype=object)
    order, rank = _ranked(shown["rating"], names)
    values = {name: _labelled(method, name, column[order]) for name, column in shown.items()}
    provenance = Provenance(view.pool, identity(method), view.known_at, view.digest, view.through, replay.at, version)
    player = tuple(names[order].tolist())
    return RatingList(provenance, player, frozen_array(rank), frozen_array(games[order]), MappingProxyType(values))


def _shown(method: Method, replay: Replay) -> dict[str, Floats]:
    digits = {column.name: column.digits for column in method.columns()}
    columns = method.show(replay.state, replay.at)
    listed = {name: rounded(column, _or(digits.get(name), 4)) for name, column in columns.items()}
    return {"rating": listed.pop("rating"), **listed}


def _or(digits: int | None, default: int) -> int:
    return default if digits is None else digits


def _labelled(method: Method, name: str, column: Floats) -> Floats | tuple[str, ...]:
    labels = next((c.labels for c in method.columns() if c.name == name), ())
    return tuple(labels[int(code)] for code in column) if labels else frozen_array(column)


def _ranked(rating: Floats, names: Any) -> tuple[Ints, Ints]:
    """Order of the rows from the top, and the rank of each in that order."""
    key = np.where(np.isnan(rating), np.inf, -rating)
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]
    starts = np.flatnonzero(np.concatenate([[len(key) > 0], sorted_key[1:] != sorted_key[:-1]]))
    ends = np.append(starts, len(key))[1:]
    rank = np.empty(len(key), dtype=np.int64)
    for start, end in zip(starts, ends, strict=True):
        rank[start:end] = start + 1
        if end - start > 1:
            tied = order[start:end]
            order[start:end] = tied[np.argsort(names[tied].astype(str), kind="stable")]
    rank[np.isinf(sorted_key)] = 0
    return order, rank
