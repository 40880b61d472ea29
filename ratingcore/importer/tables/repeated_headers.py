"""Headers that a table repeats further down, perhaps with its columns in another order for the rows below."""

from collections.abc import Container, Iterator, Sequence

from ratingcore.readers import Refused
from ratingcore.readers.sheets import Rows, distinct, joined
from ratingcore.safe_text import MARK


class _Every:
    """Contains everything."""

    def __contains__(self, item: object) -> bool:
        return True


class RepeatedHeader:
    """Puts the cells of rows into the order of the first header.

    Attributes
    ----------
    heads : container of str
        First cells of the rows that have to be passed to `placed`. Until a header has its columns in another order,
        these are the names of the columns, so that nearly all rows can skip the call.

    Examples
    --------
    >>> again = RepeatedHeader(("date", "white", "black"))
    >>> again.placed(["2024-03-02", "ann", "bo"]), again.placed(["date", "black", "white"])
    (['2024-03-02', 'ann', 'bo'], None)
    >>> again.placed(["date", "black", "white"])
    []
    >>> again.placed(["2024-03-02", "bo", "ann"])
    ['2024-03-02', 'ann', 'bo']
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns, self._names = distinct([*columns]), frozenset(filter(None, columns))
        self._heads = self._names | {MARK + name for name in self._names}
        self.heads: Container[str] = self._heads
        self._order: list[int] = []

    def placed(self, cells: Sequence[str]) -> list[str] | None:
        """Returns the cells of a row in the order of the first header.

        They are None for a header with its columns in another order, and empty for one in the same order.
        """
        if not self._heads.isdisjoint(cells):
            names = distinct([cell.removeprefix(MARK).strip() for cell in cells])
            if self._names <= {*names}:
                order = [names.index(one) if one in names else -1 for one in self._columns]
                moved = any(at != place for place, at in enumerate(order) if self._columns[place])
                before, self._order = self._order, order if moved else []
                self.heads = _Every() if moved else self._heads
                return [] if before == self._order else None
        if not self._order:
            return [*cells]
        return [cells[at] if 0 <= at < len(cells) else "" for at in self._order]


MOVED = "is a header with the columns in another order: the rows below it are read in this order"


def rows_by_headers(columns: Sequence[str], rows: Rows, delimiter: str) -> Iterator[tuple[int, list[str]] | Refused]:
    """Yields the rows of a table with their cells in the order of its first header."""
    again = RepeatedHeader(columns)
    for row in rows:
        if isinstance(row, Refused) or row[1][:1] == [] or row[1][0] not in again.heads:
            yield row
            continue
        cells = again.placed(row[1])
        if cells is None:
            yield Refused(row[0], MOVED, joined(row[1], delimiter))
        elif cells:
            yield row[0], cells
