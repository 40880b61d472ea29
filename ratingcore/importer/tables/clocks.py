"""Reads a time of day from a column of its own: as part of the time of a game, or as its place on the day."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise

from attrs import evolve

from ratingcore.importer.day_notes import TimesOfDay
from ratingcore.importer.tables.cells import day_with_clock, is_clock
from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.importer.tables.headings import CLOCKS, meanings
from ratingcore.importer.tables.json_documents import Numbered
from ratingcore.importer.tables.sessions import is_of_sessions
from ratingcore.readers import Note, Refused
from ratingcore.readers.sheets import Rows, Sheet


def with_clock(sheet: Sheet, fields: FieldMap) -> Sheet:
    """Returns the table with the time of day added to each day, if `time` is mapped to a separate column."""
    day, clock = fields.fields.get("played", FromColumn("played")), fields.fields.get("time")
    if not (isinstance(day, FromColumn) and isinstance(clock, FromColumn)):
        return sheet
    if not {day.column, clock.column} <= {*sheet.layout} or day.column == clock.column:
        return sheet
    at, by, objects = sheet.layout.index(day.column), sheet.layout.index(clock.column), sheet.objects

    def rows(used: frozenset[int]) -> Rows:
        for row in sheet.rows(used | {by} if at in used else used):
            if not isinstance(row, Refused):
                row[1][at] = day_with_clock(row[1][at], clock.translated(row[1][by]))
            yield row

    def timed() -> Iterator[Numbered]:
        for row in () if objects is None else objects():
            if not isinstance(row, Refused):
                one, other = row[1].get(day.column), row[1].get(clock.column)
                if isinstance(one, str) and isinstance(other, str):
                    row[1][day.column] = day_with_clock(one, clock.translated(other))
            yield row

    return evolve(sheet, rows=rows, objects=None if objects is None else timed)


def order_by_clock(
    sheet: Sheet, fields: FieldMap, unused: Sequence[str], *, known: bool
) -> tuple[dict[str, FromColumn], list[Note]]:
    """Maps the order on the day to an unused column of times of day; the note says whether the times are read.

    Only the order is read from them, since a time needs a zone, and a game that was recorded on its day is the same
    game. Rounds, and any other order of the table, go before times of day.

    Parameters
    ----------
    unused : sequence of str
        Columns that no field is read from.
    known : bool
        Whether results of this file are in the log without an order.

    Examples
    --------
    >>> rows = [(2, ["2024-03-02", "19:30"]), (3, ["2024-03-02", "18:00"])]
    >>> sheet = Sheet("games.csv", ("played", "Uhrzeit"), lambda used: iter(rows))
    >>> [*order_by_clock(sheet, FieldMap(), ["Uhrzeit"], known=False)[0]]
    ['order']
    """
    given = {*sheet.columns, *fields.fields}
    clocks = [name for name in unused if name in sheet.columns and meanings(name, CLOCKS)]
    mapped = [one.column for field in ("time", "order") if isinstance(one := fields.fields.get(field), FromColumn)]
    for name in mapped if not sheet.once else ():
        if name in sheet.columns and (text := _of_half_days({*sheet.cells(name)})):
            return {}, [TimesOfDay(name, orders=True, half=text)]
    played = fields.fields.get("played", FromColumn("played"))
    if not mapped and not sheet.once and isinstance(played, FromColumn) and played.column in sheet.columns:
        times = {match[1] for text in islice(sheet.cells(played.column), _SEEN) if (match := _TIMED.search(text))}
        if text := _of_half_days(times):
            return {}, [TimesOfDay(played.column, orders=True, half=text)]
    if not clocks or sheet.once or not {"order", "round"}.isdisjoint(given):
        return {}, []
    if "time" in fields.fields or is_of_sessions(sheet, fields):
        return {}, []
    texts = {name: {*sheet.cells(name)} for name in clocks}
    odd = {name: next((text for text in sorted(some) if not is_clock(text)), "") for name, some in texts.items()}
    read = [name for name, some in texts.items() if not odd[name] and any(some)]
    half = {name: _of_half_days(texts[name]) for name in read}
    if any(half.values()):
        return {}, [TimesOfDay(name, orders=False, half=text) for name, text in half.items() if text]
    if len(read) != 1 or known:
        return {}, [TimesOfDay(name, orders=False, odd=odd[name]) for name in clocks if any(texts[name])]
    return {"order": FromColumn(read[0])}, [TimesOfDay(read[0], orders=True, gaps="" in texts[read[0]])]


_TIMED = re.compile("^.*[0-9][T ]([0-9]{1,2}:[0-9]{2})(?::00)?$")
"""A day with a time of day behind it, of no offset."""
_SEEN = 1_000
"""Number of rows in which days with times are examined."""
_HALF = 12 * 60
"""Minutes of half a day."""
_OF_HALF = re.compile(r"(?:0?[1-9]|1[0-2])([:.h])[0-5][0-9]")


def _of_half_days(texts: Collection[str]) -> str:
    """Returns the earliest text of times that a clock of 12 hours gives in another order; empty if it is of 24 hours.

    The longest pause is taken as the night, so that 9:00, 11:30 and 1:00 are of the morning and the afternoon.

    Examples
    --------
    >>> _of_half_days(["9:00", "1:00", "11:30"]), _of_half_days(["9:00", "11:30", "13:00"]), _of_half_days(["6:30"])
    ('1:00', '', '')
    """
    filled = [text for text in texts if text]
    if len(filled) < 2 or not all(map(_OF_HALF.fullmatch, filled)):
        return ""
    minutes = {text: int(hour) * 60 + int(minute) for text in filled for hour, minute in [re.split("[:.h]", text)]}
    ordered = sorted({*minutes.values()})
    pauses = [after - before for before, after in pairwise(ordered)]
    return min(minutes, key=minutes.__getitem__) if max(pauses, default=0) > _HALF + ordered[0] - ordered[-1] else ""
