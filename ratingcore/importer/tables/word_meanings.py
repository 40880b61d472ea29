"""Learns what the words of a table mean before its rows are read: from all rows, or in parts from a stream."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from ratingcore.errors import BadFile
from ratingcore.importer.tables.cells import is_total
from ratingcore.importer.tables.sheets import cells_of_object
from ratingcore.readers import Refused
from ratingcore.readers.sheets import Sheet
from ratingcore.safe_text import Filled

FIRST = 5_000
"""Number of rows in a part."""

Row = tuple[int, list[str]] | Refused
T = TypeVar("T")

_IN_PARTS = "take back what was recorded from it, and import it as a file: all of a file is read before any is recorded"


class Learner(NamedTuple):
    """Learns from the cells of some columns.

    Parameters
    ----------
    columns : frozenset of int
    meet : callable
        Adds the texts of some rows.
    learn : callable
        Learns from all rows added so far; returns a word whose meaning changed since the last call, if any.
    remark : callable
        Returns how the scores are read; empty if that is obvious.
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
        The line of the last row that was learnt from; 0 at first.
    examined : frozenset of int
        Columns that no field is read from, but that are examined too.
    """

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self.learners: list[Learner] = []
        self.line = 0
        self.examined: frozenset[int] = frozenset()

    def add(self, learner: Learner) -> None:
        """Adds a learner, unless it reads a constant rather than a column."""
        if max(learner.columns) < self._sheet.width:
            self.learners.append(learner)

    def add_unread(self, learner: Learner) -> None:
        """Adds a learner for columns that no field is read from, if the table's rows include unused columns."""
        if learner.columns and (self._sheet.whole or self._sheet.objects is not None):
            self.examined |= learner.columns
            self.learners.append(learner)

    def learn(self, rows: list[Row]) -> None:
        """Learns from the rows that are read next, in addition to all earlier ones.

        Raises
        ------
        BadFile
            If the scores are in doubt, or a word now means something else than in earlier rows.
        """
        some = rows
        if len(rows) < FIRST:  # in a longer table a row of totals hardly matters
            some = [row for row in rows if isinstance(row, Refused) or not is_total(row[1])]
        for learner in self.learners:
            learner.meet(some)
        self._settle()
        self.line = max((row.line if isinstance(row, Refused) else row[0] for row in rows[-1:]), default=self.line)

    def _settle(self) -> None:
        for learner in self.learners:
            if word := learner.learn():
                form = "after line {line}, the word {word} gives its scores another meaning: nothing more is imported"
                raise BadFile(self._sheet.path, Filled(form, line=self.line, word=repr(word)), _IN_PARTS)

    def before(self, rows: Iterator[T], cells: Callable[[list[T]], list[Row]]) -> Iterator[T]:
        """Yields the rows, each once the meanings of its words are known.

        If the table can be read again, meanings are learnt from all its rows. Otherwise they are learnt anew
        after every 5,000 rows, from all rows so far, so the error that `learn` raises may come after some rows.

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
        except BadFile:  # the same damage is reported when the rows are read
            pass
        for learner in self.learners:
            learner.meet(some)
        self._settle()

    def _rows(self, columns: frozenset[int]) -> Iterator[Row]:
        sheet, examined = self._sheet, self.examined
        if sheet.objects is None:
            return iter(sheet.rows(columns))
        used = columns - examined
        return (
            row if isinstance(row, Refused) else cells_of_object(*row, sheet.layout, used, examined)
            for row in sheet.objects()
        )
