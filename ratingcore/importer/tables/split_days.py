"""Joins days that a table splits into three columns: year, month and day."""

from collections.abc import Iterator, Sequence

from attrs import evolve

from ratingcore.importer.tables.fieldmap import NO_COLUMN, FieldMap, FromColumn
from ratingcore.importer.tables.headings import days_of, plain, word_list
from ratingcore.importer.tables.json_documents import Numbered
from ratingcore.readers import Refused
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
