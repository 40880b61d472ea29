"""Looks at a table before it is imported: the format of its dates, its columns, and its first rows."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice

from attrs import frozen

from ratingcore.errors import EventError
from ratingcore.events import When
from ratingcore.importer.file_choice import choose
from ratingcore.importer.inputs import Input, Opening
from ratingcore.importer.reader_choice import InstalledReaders, TableOptions, named_options
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.fieldmap import FromColumn
from ratingcore.importer.tables.results import by_headings, sheet_of_results
from ratingcore.readers import Refused, Source
from ratingcore.registry import Registry


def date_forms(
    given: Input,
    registry: Registry,
    *,
    fields: FieldMap,
    reader: str | None = None,
    encoding: str | None = None,
    played: When | None = None,
) -> list[str]:
    """Returns the date formats that fit a table of results; empty for ISO dates, and for files that are not tables.

    Parameters
    ----------
    given : path or binary file
    registry : Registry
        Registry with the readers.
    fields : FieldMap
        Columns by field.
    reader : str or None
        Name of the reader, with options; None to go by content.
    encoding : str or None
        Encoding of text that is not UTF-8.
    played : str, date, datetime, int or None
        Day of the results of a table without days.

    Raises
    ------
    BadFile, ColumnNotFound, BadMapping, BadParameter

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b"played,a,b,score\\n06/09/2024,ann,bo,1-0\\n21/02/2025,bo,ann,1-0\\n")
    >>> date_forms(file, Registry.installed(), fields=FieldMap())
    ['%d/%m/%Y']
    """
    with _table(given, registry, fields, reader, encoding, played) as table:
        return [] if table is None else _forms(*table)


@frozen
class FirstRows:
    """The beginning of a table of results.

    Parameters
    ----------
    columns : tuple of str
    fields : mapping of str to str
        Column of each field, chosen by the user or recognised by its heading.
    rows : tuple of tuples of str
    lines : tuple of int
        Line of each row in the file.
    """

    columns: tuple[str, ...]
    fields: dict[str, str]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]


def first_rows(
    given: Input, registry: Registry, *, fields: FieldMap, most: int, reader: str | None = None,
    encoding: str | None = None, played: When | None = None,
) -> FirstRows | None:  # fmt: skip
    """Returns the beginning of a table of results; None if the file is not a table.

    `most` is the largest number of rows; the other parameters and the errors are those of `date_forms`.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b"Spring cup\\n\\ndate,white,black,res.\\n2024-03-02,ann,bo,1-0\\n")
    >>> found = first_rows(file, Registry.installed(), fields=FieldMap(), most=5, reader="csv")
    >>> found.fields["a"], found.rows
    ('white', (('2024-03-02', 'ann', 'bo', '1-0'),))
    """
    with _table(given, registry, fields, reader, encoding, played) as table:
        if table is None:
            return None
        source, options = table
        sheet = sheet_of_results(source.reusable(), options.fields)
        mapped = by_headings(sheet, options.fields).fields
        width = len(sheet.columns)
        rows = sheet.rows(frozenset(range(width)))
        top = [(row[0], tuple(row[1][:width])) for row in islice(rows, most) if not isinstance(row, Refused)]
        columns = {field: one.column for field, one in mapped.items() if isinstance(one, FromColumn)}
        lines, texts = zip(*top, strict=True) if top else ((), ())
        return FirstRows(sheet.columns, columns, texts, lines)


@contextmanager
def _table(
    given: Input, registry: Registry, fields: FieldMap, reader: str | None, encoding: str | None, played: When | None
) -> Iterator[tuple[Source, TableOptions] | None]:
    """Yields the only table of a file, with its options; None if the file holds no table, or several."""
    called, texts = named_options(reader)
    opening = Opening(encoding)
    choice = choose(
        [given], InstalledReaders(registry), opening=opening, reader=called, options=texts, fields=fields, played=played
    )
    with closing(choice):
        found = [(one.found.source, one.options) for one in choice.files if isinstance(one.options, TableOptions)]
        yield found[0] if len(found) == 1 else None


def _forms(source: Source, options: TableOptions) -> list[str]:
    """Returns the date formats that fit the texts of the column of days."""
    sheet = sheet_of_results(source.reusable(), options.fields)
    bound = Binding(sheet, options.fields)
    played = bound.required("played", bound.day())
    if sheet.typed is not None or played.index >= sheet.width:
        return []
    rows = sheet.rows(frozenset({played.index}))
    for text in dict.fromkeys(row[1][played.index] for row in rows if not isinstance(row, Refused)):
        try:
            played[text]
        except EventError as problem:
            bound.days.miss(problem)
    return bound.days.forms()
