"""A rating list: players in order of rating, columnar and immutable, with its provenance."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict, cast
from uuid import UUID

import attrs
import numpy as np
from attrs import evolve, field, frozen

from ratingcore.columns.games import Floats, Ints, frozen_array, same_value
from ratingcore.columns.log_history import NameBook
from ratingcore.errors import BadValue
from ratingcore.events.values import Key, player_key
from ratingcore.lazy_imports import Later
from ratingcore.lists.player_names import copied_names
from ratingcore.lists.policy import Cell, cell, change_of, rows_digest
from ratingcore.lists.provenance import Provenance
from ratingcore.read_only import ReadOnly
from ratingcore.report.aligned_text import aligned
from ratingcore.report.table import AsTable, Table

if TYPE_CHECKING:
    from ratingcore.lists.diff import ListDiff
    from ratingcore.lists.documents import ListSheet, document
    from ratingcore.lists.signatures import SigningKey
else:  # most lists are neither compared nor written
    ListDiff = Later("ratingcore.lists.diff", "ListDiff")
    ListSheet, document, SigningKey = (
        Later(f"ratingcore.lists.{module}", name)
        for module, name in (("documents", "ListSheet"), ("documents", "document"), ("signatures", "SigningKey"))
    )


class ListedRow(TypedDict):
    """A row of a rating list; a column that only some lists have is read by `row.get("deviation")`."""

    rank: int | None
    player: str
    rating: float | None
    games: int
    called: NotRequired[str | None]
    deviation: NotRequired[float | None]
    volatility: NotRequired[float | None]
    provisional: NotRequired[str | None]
    rank_before: NotRequired[int | None]
    rank_change: NotRequired[int | None]
    rating_change: NotRequired[float | None]
    peak: NotRequired[float | None]
    peak_at: NotRequired[str | None]
    points: NotRequired[float | None]
    grade: NotRequired[str | int | None]


@frozen(eq=False, repr=False)
class RatingList(AsTable):
    """Players by rating: rank, player, rating, games and the method's further columns.

    Equal ratings share a rank and are in alphabetical order, unless a policy ranks them differently; players
    without a rating come last and have no rank.

    Parameters
    ----------
    provenance : Provenance
    people : NameBook
        Names of the players by id.
    id : (n,) int
        Id of each player in the log, in order of rank.
    rank : (n,) int
        Rank of each player; 0 for the unrated.
    games : (n,) int
        Number of results of each player.
    values : mapping of name to (n,) float64 or tuple of cells
        Columns of the list, `rating` first, rounded to the digits of the column; NaN for a missing number.
    exact : mapping of name to (n,) float64
        Unrounded numbers of the columns that rounding may change.
    added : tuple of str
        Columns outside the list proper and its seal: grades, peaks, changes since another list.
    more : int
        Number of players below the top, if only the top was requested; such a list has no digest and cannot be
        published.
    called : tuple of str or None
        Visible names of the players in order of rank, None for players without one; empty if nobody has one. They are
        not part of the list proper.
    part : str
        Description of the rows, if some were chosen or their order was changed; empty for a whole list. A part has no
        digest, either.
    joined : mapping of int to int
        The id under which each merged player counts.
    """

    provenance: Provenance
    people: NameBook = field(eq=False)
    id: Ints
    rank: Ints
    games: Ints
    values: Mapping[str, Floats | tuple[Cell, ...]]
    exact: Mapping[str, Floats]
    added: tuple[str, ...] = ()
    more: int = 0
    called: tuple[str | None, ...] = ()
    part: str = ""
    joined: Mapping[int, int] = field(factory=dict, eq=False)

    def __eq__(self, other: object) -> bool:
        return same_value(self, other) and isinstance(other, RatingList) and self.player == other.player

    def __hash__(self) -> int:
        return hash(self.provenance)

    def __reduce__(self) -> tuple[type["RatingList"], tuple[object, ...]]:
        """Pickles the list with its names; after an erasure, owners of pickled lists must delete them."""
        fields = (getattr(self, one.name) for one in attrs.fields(RatingList) if one.name != "people")
        provenance, *others = fields
        return RatingList, (provenance, copied_names(self.people, self.id), *others)

    @cached_property
    def player(self) -> tuple[str, ...]:
        """Keys of the players in order of rank, looked up on first use."""
        return tuple(self.people.keys(self.id.tolist()))

    @property
    def pool(self) -> str:
        """The pool that is listed."""
        return self.provenance.pool

    @property
    def left_out(self) -> Mapping[str, int]:
        """Number of results that the method cannot read, by reason; empty if it can read all."""
        return dict(self.provenance.unreadable)

    @property
    def known_at(self) -> int:
        """Number of events of the log from which the list was made."""
        return self.provenance.known_at

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the cells of a row."""
        further = [name for name in self.values if name != "rating"]
        called = ["called"] if self.called else []
        return ("rank", "player", *called, "rating", "games", *further)

    def __len__(self) -> int:
        return len(self.id)

    def __iter__(self) -> Iterator[ListedRow]:
        """Rows from the top, as dictionaries."""
        names = self.columns
        for cells in self.cells(self.player):
            yield cast(ListedRow, dict(zip(names, cells, strict=True)))

    def cells(self, who: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
        """Yields rows from the top as tuples in the order of `columns`, with the texts `who` for the players."""
        ranks = [rank or None for rank in self.rank.tolist()]
        columns = [
            column if isinstance(column, tuple) else [cell(number) for number in column.tolist()]
            for name, column in sorted(self.values.items(), key=lambda item: item[0] != "rating")
        ]
        called = [self.called] if self.called else []
        return zip(ranks, who, *called, columns[0], self.games.tolist(), *columns[1:], strict=True)

    @cached_property
    def _row(self) -> dict[str, int]:
        return {player: row for row, player in enumerate(self.player)}

    def __contains__(self, player: object) -> bool:
        return (player_key(player) if isinstance(player, str | int | UUID) else player) in self._row

    def rating(self, player: Key) -> float:
        """Returns the rating of a player as listed; NaN if unrated.

        Raises
        ------
        KeyError
            If the player is not on the list.
        """
        return float(np.asarray(self.values["rating"], dtype=np.float64)[self._row[player_key(player)]])

    @cached_property
    def digest(self) -> str:
        """sha256 of the rows without visible names; equal rows have equal digests."""
        self._check_whole()
        hashed = evolve(self, called=())
        return rows_digest(hashed.columns, hashed.cells(self.player))

    @cached_property
    def etag(self) -> str:
        """Value of the HTTP header `ETag` for the list, in quotes; it changes whenever the list may change.

        It depends on the head of the log, the request and the erased names, and is the same in every process. The
        engine keeps recent lists, so at an unchanged head this costs less than reading the rows.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> etag = engine.rating_list("rapid", "elo:k=24").etag
        >>> engine.rating_list("rapid", "elo:k=24").etag == etag, engine.rating_list("rapid", "elo:k=25").etag == etag
        (True, False)
        """
        added, gone = {name: self.values[name] for name in self.added}, sorted(self.people.erased & {*self.id.tolist()})
        content = repr((self.provenance, len(self), self.more, self.part, added, self.called, gone))
        return f'"{sha256(content.encode()).hexdigest()[:32]}"'

    @cached_property
    def seal(self) -> str:
        """sha256 of the rows of the list proper, with the log's commitment to each name in place of the name.

        Rows are in order of rank and commitment. So the erasure of a name does not change the seal, and only somebody
        who has the log can compute it: the seal alone does not help to guess a name.
        """
        self._check_whole()
        proper = self.proper
        commitments = self.people.commitments(self.id.tolist())
        by = np.lexsort((np.array(commitments, dtype=np.str_), self.rank)).tolist()
        rows = list(proper.cells(commitments))
        return rows_digest(proper.columns, (rows[at] for at in by))

    def _check_whole(self) -> None:
        """Raises `BadValue` if players are missing or their order was changed."""
        if self.more:
            raise BadValue("top", len(self), f"leaves out {self.more} players; make the list without it")
        if self.part:
            raise BadValue("the list", self.part, "is only a part of another list; use the whole list")

    @property
    def whole(self) -> bool:
        """True if all players are on the list in order of rank; only such a list has a digest."""
        return not self.more and not self.part

    def taken(self, rows: Ints, part: str, *, ranked_anew: bool = False) -> "RatingList":
        """Returns a list of some of the rows, or of all rows in another order.

        Parameters
        ----------
        rows : (m,) int
            Indices of rows, in the new order.
        part : str
            Description of these rows for people.
        ranked_anew : bool
            Whether to rank these players among themselves; else they keep their ranks.
        """
        rank = self.rank[rows]
        if ranked_anew:
            rated, dense = np.sort(rank[rank > 0]), self.provenance.policy.ties == "dense"
            order = np.unique(rated) if dense else rated
            rank = np.where(rank > 0, np.searchsorted(order, rank) + 1, 0)
        values = {
            name: column[rows] if isinstance(column, np.ndarray) else tuple(column[row] for row in rows.tolist())
            for name, column in self.values.items()
        }
        return evolve(
            self, id=frozen_array(self.id[rows]), rank=frozen_array(rank), games=frozen_array(self.games[rows]),
            values=ReadOnly(values), exact=ReadOnly({name: column[rows] for name, column in self.exact.items()}),
            called=tuple(self.called[row] for row in rows.tolist()) if self.called else (), part=part,
        )  # fmt: skip

    @property
    def proper(self) -> "RatingList":
        """The list without added columns and visible names."""
        if not self.added and not self.called:
            return self
        values = {name: column for name, column in self.values.items() if name not in self.added}
        return evolve(self, values=ReadOnly(values), added=(), called=())

    def document(self, form: str, name: str = "", *, sign: str | Path | None = None) -> str:
        """Returns the list as a text, with its provenance.

        Parameters
        ----------
        form : {"csv", "csv-spreadsheet", "json", "markdown"}
            CSV with the provenance in leading lines that begin with `#`, or a form of it for Excel; JSON, which
            `Engine.prove` can check against the log; or a Markdown table with the provenance below.
        name : str
            Name under which the list was published, if any.
        sign : path or None
            PEM file of a private Ed25519 key with which to sign a JSON document. The signature does not cover columns
            that were added to the list.

        Raises
        ------
        BadValue
            If the format is unknown, or cannot carry a signature.
        BadKey
            If the file has no such key.
        NotInstalled
            If the extra `sign` is not installed.
        """
        texts = {column for column, values in self.values.items() if isinstance(values, tuple)} | {"player", "called"}
        rows = tuple(self.cells(self.player))
        sheet = ListSheet(
            self.columns, rows, frozenset(texts), self.rounded_columns, self.provenance, self.proper.digest, self.seal
        )
        return document(sheet, form, name, None if sign is None else SigningKey.read(sign))

    def diff(self, other: "RatingList") -> "ListDiff":
        """Returns the differences from this list to another."""
        fine = self.rounded_columns | other.rounded_columns
        questions = "; ".join(self.provenance.questions(other.provenance))
        return evolve(ListDiff.between(self._places, other._places, "rating" in fine), questions=questions)

    @property
    def _places(self) -> dict[str, tuple[int | None, float | None]]:
        self._check_whole()
        ratings = np.asarray(self.values["rating"], dtype=np.float64).tolist()
        ranks = [rank or None for rank in self.rank.tolist()]
        return dict(zip(self.player, zip(ranks, map(cell, ratings), strict=True), strict=True))

    def with_grades(self, grade: Callable[[float], str | int | None]) -> "RatingList":
        """Returns the list with a last column `grade`, made from the listed ratings.

        Parameters
        ----------
        grade : callable
            Returns the grade of a rating, or None; for grades of a federation, `engine.registry.grade("egf")`.
        """
        ratings = np.asarray(self.values["rating"], dtype=np.float64).tolist()
        return self.with_cells(grade=tuple(None if isnan(rating) else grade(rating) for rating in ratings))

    def since(self, other: "RatingList") -> "RatingList":
        """Returns the list with columns `rank_before`, `rank_change` (up is positive) and `rating_change`.

        Parameters
        ----------
        other : RatingList
            An older list of all players; newcomers have empty cells in the three columns. A player whose name is new
            by a merge is compared with the merged player who was listed, with the foremost if there are several.

        Raises
        ------
        OtherQuestion
            If the lists differ in pool, method or digits.
        """
        self.provenance.check_same_question(other.provenance)
        other._check_whole()
        merged = {self.joined[one]: row for row, one in reversed([*enumerate(other.id.tolist())]) if one in self.joined}
        rows = [
            other._row.get(player, merged.get(number, -1))
            for player, number in zip(self.player, self.id.tolist(), strict=True)
        ]
        before = [int(other.rank[row]) if row >= 0 else 0 for row in rows]
        was = np.asarray(other.values["rating"], dtype=np.float64)
        now = np.asarray(self.values["rating"], dtype=np.float64).tolist()
        changes = [
            change_of(rating, float(was[row])) if row >= 0 else nan for row, rating in zip(rows, now, strict=True)
        ]
        moved = [old - new if old and new else None for old, new in zip(before, self.rank.tolist(), strict=True)]
        return self.with_cells(
            rank_before=tuple(rank or None for rank in before),
            rank_change=tuple(moved),
            rating_change=tuple(map(cell, changes)),
        )

    def with_exact(self) -> "RatingList":
        """Returns the list with further columns, such as `rating_exact`, that have the unrounded numbers as float64.

        Digest and seal do not include them, so that both are the same on every machine.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> found = engine.rating_list("rapid", "elo:initial=0.5,k=0.3")
        >>> [(row["rating"], row["rating_exact"]) for row in found.with_exact()]
        [(0.65, 0.65), (0.35, 0.35)]
        """
        return self.with_cells(**{f"{name}_exact": column for name, column in self.exact.items()})

    def as_table(self) -> Table:
        """Returns the list with its exact columns as a table, for Arrow, polars and pandas."""
        return self.with_exact()._table

    def _repr_html_(self) -> str:
        return self._table._repr_html_()

    @property
    def _table(self) -> Table:
        cells: dict[str, object] = {
            "rank": tuple(rank or None for rank in self.rank.tolist()), "player": self.player, "called": self.called,
            "rating": self.values["rating"], "games": self.games, **self.values,
        }  # fmt: skip
        return Table("list", f"Rating list of {self.pool}", {name: cells[name] for name in self.columns})

    @property
    def rounded_columns(self) -> frozenset[str]:
        """Columns whose numbers a table prints unchanged: exact ones, or all if six decimals may be too few."""
        policy = self.provenance.policy
        if policy.significant is not None or (policy.digits or 0) > 6:
            return frozenset(self.columns)
        return frozenset(f"{name}_exact" for name in self.exact)

    @cached_property
    def digits(self) -> Mapping[str, int]:
        """Number of decimals that the numbers of each column need, up to six.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> dict(engine.rating_list("rapid", "elo:k=25", policy="digits=1").digits)
        {'rating': 1}
        """
        numbers = {
            name: [one for one in column if isinstance(one, float)] if isinstance(column, tuple) else column
            for name, column in self.values.items()
        }
        every = {name: np.asarray(column, dtype=np.float64) for name, column in numbers.items() if len(column)}
        return ReadOnly({name: _decimals(column) for name, column in every.items()})

    def with_cells(self, **columns: Floats | tuple[Cell, ...]) -> "RatingList":
        """Returns the list with further last columns, in the order of its rows; digest and seal do not include them.

        Examples
        --------
        >>> import ratingcore as rc
        >>> engine = rc.open(":memory:")
        >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
        >>> listed = engine.rating_list("rapid", "elo").with_cells(team=("White", "Black"))
        >>> [(row["player"], row["team"]) for row in listed]
        [('ann', 'White'), ('bo', 'Black')]
        """
        added = tuple(dict.fromkeys((*self.added, *columns)))
        values = {name: column for name, column in self.values.items() if name not in columns}
        return evolve(self, values=ReadOnly({**values, **columns}), added=added)

    def __str__(self) -> str:
        return "\n".join([*([self.part] if self.part else []), *self.table(10), *self.provenance.lines()])

    __repr__ = __str__

    def table(self, top: int | None = None) -> list[str]:
        """Returns the headings and the first rows as aligned lines of text."""
        shown = [row for _, row in zip(range(len(self) if top is None else top), self, strict=False)]
        lines = aligned(self.columns, shown, self.rounded_columns)
        left = len(self) + self.more - len(shown)
        return [*lines, f"... and {left} more"] if left else lines


_WHOLE = 2.0**53
"""From this number on a float has no decimals, and rounding it could overflow."""


def _decimals(numbers: Floats) -> int:
    """Returns the number of decimals that the numbers of a column need, up to six."""
    there = np.round(numbers[np.abs(numbers) < _WHOLE], 6)
    first = float(there[0]) if len(there) else 0.0  # testing one number first rules out most values of p
    fits = (p for p in range(6) if round(first, p) == first and np.array_equal(np.round(there, p), there))
    return next(fits, 6)
