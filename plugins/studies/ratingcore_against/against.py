"""Compares a list with ratings of the same players from another source."""

from collections.abc import Iterator, Mapping
from math import isfinite
from os import PathLike
from typing import Any, BinaryIO

import numpy as np
from attrs import frozen

from ratingcore import Engine
from ratingcore.plugin import BadValue
from ratingcore.plugin.analysis import Cell, FieldMap, Published, RatingList, aligned, change_of, ratings_in
from ratingcore.plugin.reports import AsTable, Table, columns_of

COLUMNS = ("player", "ours", "theirs", "difference")
"""Names of the cells of a row."""


@frozen
class Against(AsTable):
    """Differences of a list from other ratings, the largest first.

    `str` gives a table; iterating gives rows as dictionaries: those that differ, then players who are rated only in
    ours, then those only in theirs.

    Parameters
    ----------
    apart : tuple of (str, float, float)
        Players whose ratings differ by more than the tolerance: who, our rating, theirs.
    within : int
        Number of players with the same rating, within the tolerance.
    only_ours, only_theirs : mapping of str to float
        Players who are rated by only one of the two.
    tolerance : float
        The largest difference that is ignored.
    unread : tuple of str
        Rows of theirs that could not be read, with the reason.
    """

    apart: tuple[tuple[str, float, float], ...]
    within: int
    only_ours: Mapping[str, float]
    only_theirs: Mapping[str, float]
    tolerance: float = 0.0
    unread: tuple[str, ...] = ()

    @classmethod
    def between(
        cls,
        ours: Mapping[str, float],
        theirs: Mapping[str, float],
        tolerance: float = 0.0,
        unread: tuple[str, ...] = (),
    ) -> "Against":
        """The differences of two sets of ratings by player."""
        both = ours.keys() & theirs.keys()
        apart = [(who, ours[who], theirs[who]) for who in both if abs(change_of(ours[who], theirs[who])) > tolerance]
        apart.sort(key=lambda one: (-abs(change_of(one[1], one[2])), one[0]))
        return cls(
            tuple(apart),
            len(both) - len(apart),
            {who: ours[who] for who in sorted(ours.keys() - both)},
            {who: theirs[who] for who in sorted(theirs.keys() - both)},
            tolerance,
            unread,
        )

    @property
    def both(self) -> int:
        """Number of players rated by both."""
        return len(self.apart) + self.within

    @property
    def holds(self) -> bool:
        """True if both rate some players, and all of these equally within the tolerance."""
        return not self.apart and self.within > 0

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        for who, ours, theirs in self.apart:
            yield dict(zip(COLUMNS, (who, ours, theirs, change_of(ours, theirs)), strict=True))
        for who, rating in self.only_ours.items():
            yield dict(zip(COLUMNS, (who, rating, None, None), strict=True))
        for who, rating in self.only_theirs.items():
            yield dict(zip(COLUMNS, (who, None, rating, None), strict=True))

    def as_table(self) -> Table:
        """A row per player, as a table."""
        return Table("against", "Differences from other ratings", columns_of(list(self), COLUMNS))

    def __str__(self) -> str:
        lines = aligned(COLUMNS, self, ())
        return "\n".join([*lines, f"{self.within} of {self.both} players are the same"])


def against(
    engine: Engine,
    /,
    rating_list: RatingList | Published | str,
    path: str | PathLike[str] | BinaryIO,
    reader: str | None = None,
    *,
    pool: str | None = None,
    tolerance: float = 0.0,
    fields: Mapping[str, str] | FieldMap | None = None,
    column: str = "rating",
    **options: Any,
) -> Against:
    """Compares a list with the ratings in a file, such as those that a federation published for the same day.

    If the file has several ratings of a player, the latest counts. Players are compared by their keys: the id of their
    register, or their name.

    Parameters
    ----------
    engine : Engine
    rating_list : RatingList, Published or str
        A list, or the name of a published one.
    path : path, "-" or binary file
        A file of ratings in any format that is installed; a table is one of seeds.
    reader : str or None
        Name of the reader, with options as for `import_file`: `fide-list:list=rapid`. None to go by content.
    pool : str or None
        Pool of the list; needed if published lists of several pools have this name.
    tolerance : float >= 0, rating points
        The largest difference that is ignored.
    fields : mapping of str to str, FieldMap or None
        Columns of a table by field: `player`, `rating`, `at`, `pool`.
    column : str
        The column of the list, and the value of a seed, to compare.
    **options
        Options of the reader.

    Returns
    -------
    Against

    Raises
    ------
    BadFile
        If the file cannot be read, or has no ratings.
    BadValue
        If the tolerance is not a number from 0, or the list has no such column.
    UnknownList, SeveralLists, FormulaChanged, CannotRebuild, BadParameter, ArchiveError

    Examples
    --------
    >>> import io, ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> receipt = engine.record(rc.GamePlayed(pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0))
    >>> theirs = io.BytesIO(b"player,rating\\nann,1510\\nbo,1491\\ncy,1600\\n")
    >>> found = against(engine, engine.rating_list("rapid", "elo"), theirs, tolerance=0.5)
    >>> found.apart, found.within, dict(found.only_theirs)
    ((('bo', 1490.0, 1491.0),), 1, {'cy': 1600.0})
    """
    if not (isfinite(tolerance) and tolerance >= 0):
        raise BadValue("tolerance", tolerance, "must be a number from 0 up")
    ours = rating_list if isinstance(rating_list, RatingList) else engine.published_list(rating_list, pool)
    values = ours.values.get(column)
    if values is None or isinstance(values, tuple):
        raise BadValue("column", column, f"must be a column of numbers, one of {', '.join(ours.values)}")
    numbers = zip(ours.player, np.asarray(values, dtype=np.float64).tolist(), strict=True)
    theirs = ratings_in(
        path, engine.registry, ours.pool, at=ours.provenance.at, reader=reader, options=options, fields=fields,
        column=column,
    )  # fmt: skip
    rated = {player: number for player, number in numbers if isfinite(number)}
    return Against.between(rated, theirs.of, tolerance, theirs.unread)
