"""Days that a table writes once for several rows, as in merged cells: an empty cell has the day above it."""

from collections.abc import Iterator

from ratingcore.importer.notes import DaysFromAbove
from ratingcore.readers import Note, Refused
from ratingcore.readers.sheets import Sheet


class DaysAbove:
    """Finds the days of rows without one, if the table writes each day once.

    The rows are examined when the first one without a day comes. If two rows in a sequence have the same day, or less
    than half of them have none, a missing day is an error.

    Parameters
    ----------
    column : str
        The column of days.

    Examples
    --------
    >>> rows = [(2, ["2024-03-02"]), (3, [""]), (4, ["2024-03-09"]), (5, [""])]
    >>> above = DaysAbove(Sheet("games.csv", ("day",), lambda used: iter(rows)), "day")
    >>> cells = [""]
    >>> above.fill(5, cells), cells
    (True, ['2024-03-09'])
    """

    def __init__(self, sheet: Sheet, column: str) -> None:
        self._sheet, self._at = sheet, sheet.layout.index(column) if column in sheet.layout else -1
        self._days: dict[int, str] | None = None
        self._filled: list[tuple[int, str]] = []

    def fill(self, line: int, cells: list[str]) -> bool:
        """Puts the day above a row into its cell, if that is empty and has one."""
        if self._at < 0 or cells[self._at].strip():
            return False
        if self._days is None:
            self._days = self._found()
        day = self._days.get(line, "")
        cells[self._at] = day or cells[self._at]
        if day:
            self._filled.append((line, day))
        return day != ""

    def _found(self) -> dict[int, str]:
        """Returns the days of the rows without one, by their lines."""
        found, day, days, fresh = dict[int, str](), "", 0, False
        rows = () if self._sheet.once or self._sheet.objects is not None else self._sheet.rows(frozenset({self._at}))
        for row in rows:
            if isinstance(row, Refused):
                continue
            text = row[1][self._at]
            if not text.strip():
                found[row[0]], fresh = day, False
            elif (text == day and fresh) or ":" in text:
                return {}
            else:
                day, days, fresh = text, days + 1, True
        return found if len(found) >= max(2, days) else {}

    def notes(self) -> Iterator[Note]:
        """Yields a note on the rows that were given the day above them."""
        if self._filled:
            yield DaysFromAbove(len({*self._filled}), *self._filled[0])
