"""Decides for which rows of a table a given day is that of play: for all, or for those without a day of their own."""

from itertools import islice

from attrs import evolve

from ratingcore.importer.tables.cells import is_clock
from ratingcore.importer.tables.fieldmap import DayOfAll, FieldMap, FromColumn
from ratingcore.importer.tables.headings import CLOCKS, meanings, offered
from ratingcore.importer.tables.split_days import DaysAbove, parts_of_day
from ratingcore.readers.sheets import Sheet

_SEEN = 1_000
"""Number of rows in which times of day are sought."""


def _of_days(sheet: Sheet) -> str:
    """Returns the column that holds the days of a table; empty for a table without days, or only with times of day."""
    if parts := parts_of_day(sheet.columns, FieldMap()):
        return parts[-1]
    if "played" in sheet.columns:
        return "played"
    column = offered(sheet.columns, {}).get("played", "")
    clocks = not sheet.once and meanings(column, CLOCKS) and all(map(is_clock, islice(sheet.cells(column), _SEEN)))
    return "" if clocks else column


def lacks_days(sheet: Sheet, column: str) -> bool:
    """True if some rows of a table with days have none, and it does not write each day once."""
    if sheet.once or column not in sheet.columns or parts_of_day(sheet.columns, FieldMap()):
        return False
    return not DaysAbove(sheet, column).fills and not all(sheet.cells(column))


def own_days(sheet: Sheet, fields: FieldMap) -> str:
    """Returns the column of days of a table for which a day is given; empty if it has none, or no day is given."""
    given = fields.fields.get("played")
    return (given.column or _of_days(sheet)) if isinstance(given, DayOfAll) else ""


def with_own_days(sheet: Sheet, fields: FieldMap) -> FieldMap:
    """Returns the mapping by which a day that is given is that of the rows without one, if the table has days."""
    given, own = fields.fields.get("played"), own_days(sheet, fields)
    if not isinstance(given, DayOfAll) or not own:
        return fields
    return evolve(fields, fields={**fields.fields, "played": FromColumn(own, default=given.value)})
