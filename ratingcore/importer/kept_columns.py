"""Chooses which unused columns of a table become fields of its results, so that slices can be made by them."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from ratingcore.errors import BadValue
from ratingcore.events import Row
from ratingcore.events.kinds import RESULT_FIELDS
from ratingcore.events.values import Fact
from ratingcore.importer.notes import SHOWN, MaybePools
from ratingcore.importer.recorded_games import batches_from
from ratingcore.importer.tables.cells import fact_parser
from ratingcore.importer.tables.clocks import order_by_clock
from ratingcore.importer.tables.colours import home_by_colour
from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.importer.tables.headings import is_of_pools
from ratingcore.log.contract import Log
from ratingcore.log.local_times import RESULTS
from ratingcore.log.lookup import corrections_of, decoder_of
from ratingcore.readers import Note, Refused
from ratingcore.readers.sheets import Sheet

SEEN = 5_000
"""Largest number of rows, or of recorded results, that are examined."""
FEW = 10
"""Largest number of different values of a column: this, or a tenth of the rows if that is more, but at most half."""
_LONGEST = 100
"""Largest number of characters of a value."""
_PLAYERS = ("a", "b", "player")
_NAME = re.compile(r"[\w.-]+")
_READ = fact_parser("", ".")


def further_fields(
    log: Log, source: str, pool: str, sheet: Sheet, fields: FieldMap, unused: Sequence[str], own: Collection[str],
    *, imported_before: bool,
) -> tuple[FieldMap, list[str], list[Note]]:  # fmt: skip
    """Returns the mapping of a table's further fields, the columns that become fields of the same name, and notes.

    A column of colours becomes the field `home`, and a column of times of day the order on the day. If a file of this
    name was imported before without one of these fields, its later issues do not get the field either.

    Parameters
    ----------
    source, pool, unused
        As for `kept_columns`.
    own : collection of str
        Unused columns with the name of a field.
    imported_before : bool
        Whether a file of this name was imported before.
    """
    home = home_by_colour(sheet, fields) if unused else {}
    free = [name for name in unused if name not in own]
    kept = kept_columns(log, source, pool, sheet, fields, free, {*home, "order"} if imported_before else ())
    order, notes = order_by_clock(sheet, fields, free, known=imported_before and "order" not in kept)
    if imported_before and kept.isdisjoint(home):
        home = {}
    names = [name for name in free if name in kept and FromColumn(name) not in order.values()]
    return FieldMap({name: FromColumn(name) for name in (*own, *names)} | home | order), names, notes


def kept_columns(
    log: Log,
    source: str,
    pool: str,
    sheet: Sheet,
    fields: FieldMap,
    unused: Collection[str],
    others: Collection[str] = (),
) -> set[str]:
    """Chooses the unused columns of a table that become fields of its results.

    The first rows of a pool's first file decide: `weight` and columns of few different texts become fields, but not
    other columns of numbers, nor columns about a single player. Later files keep the fields that the counting results
    of the pool or of their source have. So a file has the same content when it is imported again, and a file that was
    taken back decides nothing.

    Parameters
    ----------
    source, pool : str
        Source of the file, and the pool of its rows, if they do not name it.
    unused : collection of str
        Columns that no field is read from.
    others : collection of str
        Fields from columns of other names: a first file keeps all of them, later files those that results have.
    """
    free = {name for name in unused if _NAME.fullmatch(name)} - {*RESULT_FIELDS, *fields.fields, *sheet.unreadable}
    if not free and not others:
        return set()
    recorded = _recorded_fields(log, source, pool)
    if recorded is not None:
        return (free | {*others}) & recorded
    return {*others} if sheet.once else _with_few_texts(sheet, fields, free & {*sheet.columns}) | {*others}


def _recorded_fields(log: Log, source: str, pool: str) -> set[str] | None:
    """Returns the fields of the first counting results of a pool and of a source; None if there are no results.

    `order` is among them if a result of the source has an order, or if the source has no results.
    """
    number, decoded, now = log.book.find("pool", pool), decoder_of(log), corrections_of(log)
    if pool and "{" not in pool and number is None:
        return None

    def counting(rows: Iterable[Row]) -> Iterator[Row]:
        return islice((read for row in rows if (read := now.read(row)) is not None), SEEN)

    of_pool, of_source = list(counting(log.rows(0, None, RESULTS, number))), list[Row]()
    for batch in islice(batches_from(log, source), 1):
        of_source += counting(log.rows(batch.first - 1, batch.last, RESULTS))
    rows = of_pool + of_source
    ordered = {"order"} if not of_source or any(row.order for row in of_source) else set[str]()
    facts = (row.facts if row.kind == "game" else getattr(decoded(row), "data", {}) for row in rows)
    return ordered.union(*facts) if rows else None


def _with_few_texts(sheet: Sheet, fields: FieldMap, free: set[str]) -> set[str]:
    """Returns `weight` and the columns with few different texts in the first rows, except columns about one player."""
    places = {name: at for at, name in enumerate(sheet.columns)}
    sources = {name: fields.fields.get(name, FromColumn(name)) for name in _PLAYERS}
    players = [places[one.column] for one in sources.values() if isinstance(one, FromColumn) and one.column in places]
    rows = list(islice(_cells(sheet, {*players, *(places[name] for name in free)}), SEEN))
    names = {row[at] for row in rows for at in players} - {""}
    kept = free & {"weight"}
    for name in free - kept:
        column = [row[places[name]] for row in rows]
        values = _texts(column)
        few = values is not None and len(values) <= min(max(FEW, len(rows) // 10), len(rows) // 2)
        if few and names.isdisjoint(column) and not any(_follows([row[at] for row in rows], column) for at in players):
            kept.add(name)
    return kept


def _cells(sheet: Sheet, used: Collection[int]) -> Iterator[Sequence[str]]:
    """Yields the cells of rows; values of JSON other than texts and Booleans become `_NOT_TEXT`."""
    if sheet.objects is None:
        yield from (row[1] for row in sheet.rows(frozenset(used)) if not isinstance(row, Refused))
        return
    for one in sheet.objects():
        if not isinstance(one, Refused):
            cells = [one[1].get(name) for name in sheet.columns]
            yield ["" if cell is None else str(cell) if isinstance(cell, str | bool) else _NOT_TEXT for cell in cells]


_NOT_TEXT = " " * (_LONGEST + 1)
"""A text that is too long for a field, so that its column is not kept."""


def _texts(column: Sequence[str]) -> set[Fact] | None:
    """Returns the different values of a column; None if none is a text, or any is too long or unreadable."""
    different = {*column} - {""}
    if any(len(text) > _LONGEST for text in different):
        return None
    try:
        values = {value for value in map(_READ, different) if value is not None}
    except BadValue:
        return None
    return values if any(isinstance(value, str) for value in values) else None


def _follows(players: Sequence[str], column: Sequence[str]) -> bool:
    """True if a column varies, but is always the same for each player."""
    pairs = {*zip(players, column, strict=True)}
    return len({*column}) > 1 and len(pairs) == len({*players})


def maybe_pools(sheet: Sheet, pool: str, unread: Sequence[str]) -> Iterator[Note]:
    """Yields notes on unread columns that may name pools, while the results of all their groups go to one pool."""
    columns = () if sheet.once or "{" in pool else [name for name in unread if name in sheet.columns]
    for column in filter(is_of_pools, columns):
        values = tuple(dict.fromkeys(filter(None, sheet.cells(column))))
        if 1 < len(values) <= _GROUPS:
            yield MaybePools(column, values[: SHOWN + 1], pool)


_GROUPS = 200
"""Largest number of groups in a file; a column with more different texts is not one of groups."""
