"""Completes days that a table splits into three columns, or writes once for several rows."""

from collections.abc import Iterator, Sequence

from attrs import evolve

from ratingcore.importer.day_notes import DaysFromAbove
from ratingcore.importer.tables.cells import day_with_clock, day_without_clock
from ratingcore.importer.tables.fieldmap import NO_COLUMN, FieldMap, FromColumn
from ratingcore.importer.tables.headings import days_of, plain, word_list
from ratingcore.importer.tables.json_documents import Numbered
from ratingcore.readers import Note, Refused
from ratingcore.readers.sheets import Rows, Sheet

_YEARS = word_list("year, jahr, annee, ano, anno, jaar, rok, ar, vuosi, ev, год, an, yyyy, 年")
_MONTHS = word_list("month, monat, mois, mes, mese, maand, mesic, miesiac, maned, manad, месяц, honap, mm, 月")
_DAYS = word_list("day, tag, jour, dia, giorno, dag, den, dzien, день, paiva, nap, dd, 日")


def parts_of_day(columns: Sequence[str], fields: FieldMap) -> tuple[str, ...]:
    """Returns the columns of the year, the month and the day of games; empty if one column has the whole day.

    Examples
    --------
    >>> parts_of_day(("Jahr", "Monat", "Tag", "Heim", "Gast"), FieldMap())
    ('Jahr', 'Monat', 'Tag')
    >>> parts_of_day(("year", "month", "day", "date"), FieldMap())
    ()
    """
    parts = [[one for one in columns if plain(one) in words] for words in (_YEARS, _MONTHS, _DAYS)]
    if not all(len(some) == 1 for some in parts):
        return ()
    year, month, day = (some[0] for some in parts)
    given = fields.on(columns).fields.get("played")
    if given is None and any(one != day for one in days_of(columns)):
        return ()
    return (year, month, day) if given in (None, NO_COLUMN, FromColumn(day)) else ()


def with_whole_days(sheet: Sheet, fields: FieldMap) -> Sheet:
    """Returns the table with the whole day in the column of the day, if days are split into three columns."""
    parts = parts_of_day(sheet.columns, fields)
    if not parts:
        return sheet
    year, month, day = map(sheet.layout.index, parts)

    def rows(used: frozenset[int]) -> Rows:
        for row in sheet.rows(used | {year, month} if day in used else used):
            if not isinstance(row, Refused):
                row[1][day] = _joined(row[1][year], row[1][month], row[1][day])
            yield row

    def objects() -> Iterator[Numbered]:
        for row in () if sheet.objects is None else sheet.objects():
            if not isinstance(row, Refused):
                texts = [row[1].get(part) for part in parts]
                if all(isinstance(text, str) for text in texts):
                    row[1][parts[2]] = _joined(*map(str, texts))
            yield row

    return evolve(sheet, rows=rows, objects=None if sheet.objects is None else objects, typed=None)


def _joined(year: str, month: str, day: str) -> str:
    """Joins a day, in ISO or with a month's name; returns `day` itself unless it is a number of at most two digits."""
    year, month, bare = year.strip(), month.strip(), day.strip()
    if not year or not month or not bare.isdecimal() or len(bare) > 2:
        return day
    return f"{year}-{month:0>2}-{bare:0>2}" if month.isdecimal() else f"{bare} {month} {year}"


class DaysAbove:
    """Fills in the days of rows without one from the row above, if the table writes each day once.

    All rows are examined when the first one without a day comes. If two rows in sequence have the same day, or most
    rows have a day, the table does not write each day once, and a missing day is an error.

    Parameters
    ----------
    column : str
        The column of days.
    clock : FromColumn or None
        The column of times of day, if the sheet adds them to the days.
    context : sequence of str
        Columns, such as rounds and tournaments, that are filled in together with the day unless a row without a day has
        a text in them.

    Examples
    --------
    >>> rows = [(2, ["2024-03-02"]), (3, [""]), (4, ["2024-03-09"]), (5, [""])]
    >>> above = DaysAbove(Sheet("games.csv", ("day",), lambda used: iter(rows)), "day")
    >>> cells = [""]
    >>> above.fill(5, cells), cells
    (True, ['2024-03-09'])
    """

    def __init__(self, sheet: Sheet, column: str, clock: FromColumn | None = None, context: Sequence[str] = ()) -> None:
        self._sheet, self._at = sheet, sheet.layout.index(column) if column in sheet.layout else -1
        self._clock = clock if clock is not None and clock.column in sheet.layout else None
        self._clock_at = 0 if self._clock is None else sheet.layout.index(self._clock.column)
        self._context = {sheet.layout.index(name) for name in context if name in sheet.layout} - {self._at}
        self._days: dict[int, tuple[str, dict[int, str]]] | None = None
        """By the line of each row without a day, the day above it, and the texts in that day's row by column."""
        self._filled: list[tuple[int, str]] = []

    @property
    def fills(self) -> bool:
        """True if the table writes each day once."""
        if self._days is None:
            self._days = self._found()
        return bool(self._days)

    def fill(self, line: int, cells: list[str]) -> bool:
        """Fills in an empty day, and the texts that go with it; returns whether there was a day above."""
        if self._at < 0 or cells[self._at].strip():
            return False
        day, texts = (self._days or {}).get(line, ("", {})) if self.fills else ("", {})
        if day:
            for at, text in texts.items():
                cells[at] = cells[at] or text
            cells[self._at] = (
                day if self._clock is None else day_with_clock(day, self._clock.translated(cells[self._clock_at]))
            )
            self._filled.append((line, day))
        return day != ""

    def _found(self) -> dict[int, tuple[str, dict[int, str]]]:
        """Returns the content of `_days`; empty if the table does not write each day once."""
        found, above, days, fresh = dict[int, tuple[str, dict[int, str]]](), ("", dict[int, str]()), 0, False
        rows = () if self._sheet.once or self._sheet.objects is not None else self._rows()
        written = set[int]()
        for line, cells in rows:
            text = cells[self._at] if self._clock is None else day_without_clock(cells[self._at])
            texts = {at: cells[at] for at in self._context if cells[at].strip()}
            if not text.strip():
                found[line], fresh = above, False
                written |= texts.keys()
            elif (text == above[0] and fresh) or ":" in text:
                return {}
            else:
                above, days, fresh = (text, texts), days + 1, True
        for _, texts in found.values():
            for at in written & texts.keys():
                del texts[at]
        return found if len(found) >= max(2, days) else {}

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        for row in self._sheet.rows(frozenset({self._at, *self._context})):
            if not isinstance(row, Refused):
                yield row

    def notes(self) -> Iterator[Note]:
        """Yields a note on the rows that were given the day above them."""
        if self._filled:
            yield DaysFromAbove(len({*self._filled}), *self._filled[0])
