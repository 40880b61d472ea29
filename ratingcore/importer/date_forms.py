"""Finds the date format of a table before it is imported."""

from contextlib import closing

from ratingcore.errors import EventError
from ratingcore.importer.files import choose
from ratingcore.importer.inputs import Input, Opening
from ratingcore.importer.reader_choice import InstalledReaders, TableOptions, named_options
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.results import sheet_of_results
from ratingcore.importer.tables.rows import Binding
from ratingcore.readers import Refused, Source
from ratingcore.registry import Registry


def date_forms(
    given: Input, registry: Registry, *, fields: FieldMap, reader: str | None = None, encoding: str | None = None
) -> list[str]:
    """The formats that fit the days of a table of results; empty if they are ISO, or the file is not a table.

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
        Of text that is not UTF-8.

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
    called, texts = named_options(reader)
    opening = Opening(encoding)
    choice = choose([given], InstalledReaders(registry), opening=opening, reader=called, options=texts, fields=fields)
    with closing(choice):
        options = [(one.found.source, one.options) for one in choice.files if isinstance(one.options, TableOptions)]
        return _forms(*options[0]) if len(options) == 1 else []


def _forms(source: Source, options: TableOptions) -> list[str]:
    """The formats that fit the texts of the column of days."""
    sheet = sheet_of_results(source.kept(), options.fields)
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
