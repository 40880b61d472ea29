"""Learns what the words of a table mean before its rows are read: from all of them, or part by part of a stream."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from ratingcore.errors import BadFile
from ratingcore.importer.tables.cells import is_total
from ratingcore.importer.tables.sheets import cells_of_object
from ratingcore.readers import Refused
from ratingcore.readers.sheets import Sheet

FIRST = 5_000
"""Rows of a part."""

Row = tuple[int, list[str]] | Refused
T = TypeVar("T")

_IN_PARTS = "take back what was recorded of it, and import it from a file, which is judged as a whole"


class Learner(NamedTuple):
    """Learns from the cells of some columns.

    Parameters
    ----------
    columns : frozenset of int
    meet : callable
        Adds rows.
    learn : callable
        Learns from all rows added so far; returns a word whose meaning has changed since it last learnt, if any.
    remark : callable
        How the scores are read, if that is not obvious.
    """

    columns: frozenset[int]
    meet: Callable[[Iterable[Row]], None]
    learn: Callable[[], str]
    remark: Callable[[], str]


class Learning:
    """The learners of one table.

    Attributes
    ----------
    learners : list of Learner
    line : int
        The last line of the rows learnt from before; 0 without any.
    beside : frozenset of int
        Columns that no field is read from, which are examined too.
    """

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self.learners: list[Learner] = []
        self.line = 0
        self.beside: frozenset[int] = frozenset()

    def add(self, learner: Learner) -> None:
        """Adds a learner for columns; constants need none."""
        if max(learner.columns) < self._sheet.width:
            self.learners.append(learner)

    def add_beside(self, learner: Learner) -> None:
        """Adds a learner for columns that no field need be read from, where rows have their texts."""
        if learner.columns and (self._sheet.whole or self._sheet.objects is not None):
            self.beside |= learner.columns
            self.learners.append(learner)

    def learn(self, rows: list[Row]) -> None:
        """Learns from the rows that are read next, and from those before them.

        Raises
        ------
        BadFile
            If they are not scores, or the meaning of a word differs from that in earlier rows.
        """
        some = rows
        if len(rows) < FIRST:  # among more rows a total is a slip
            some = [row for row in rows if isinstance(row, Refused) or not is_total(row[1])]
        for learner in self.learners:
            learner.meet(some)
        self._settle()
        self.line = max((row.line if isinstance(row, Refused) else row[0] for row in rows[-1:]), default=self.line)

    def _settle(self) -> None:
        for learner in self.learners:
            if word := learner.learn():
                why = f"by what follows line {self.line}, {word!r} among its scores means something else"
                raise BadFile(self._sheet.path, f"{why}: nothing more is taken", _IN_PARTS)

    def before(self, rows: Iterator[T], cells: Callable[[list[T]], list[Row]]) -> Iterator[T]:
        """The rows, each yielded once the meanings of its words are known.

        Of a table that can be read again they are learnt from all rows; of any other from every 5,000 and those before
        them, so that a later part may raise what `learn` raises.

        Parameters
        ----------
        cells : callable
            Returns the cells of some rows.
        """
        first = list(islice(rows, FIRST))
        if self._sheet.once:
            return self._by_parts(first, rows, cells)
        if len(first) < FIRST or not self.learners:
            self.learn(cells(first))
        else:
            self._learn_from_all()
        return chain(first, rows)

    def _by_parts(self, some: list[T], rows: Iterator[T], cells: Callable[[list[T]], list[Row]]) -> Iterator[T]:
        while some:
            self.learn(cells(some))
            yield from some
            some = list(islice(rows, FIRST))

    def _learn_from_all(self) -> None:
        some: list[Row] = []
        try:
            for row in self._rows(frozenset().union(*(learner.columns for learner in self.learners))):
                some.append(row)
                if len(some) == FIRST:
                    for learner in self.learners:
                        learner.meet(some)
                    some.clear()
        except BadFile:  # damage is met again when its rows are read
            pass
        for learner in self.learners:
            learner.meet(some)
        self._settle()

    def _rows(self, columns: frozenset[int]) -> Iterator[Row]:
        sheet, beside = self._sheet, self.beside
        if sheet.objects is None:
            return iter(sheet.rows(columns))
        used = columns - beside
        return (
            row if isinstance(row, Refused) else cells_of_object(*row, sheet.layout, used, beside)
            for row in sheet.objects()
        )
