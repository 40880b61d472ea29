"""Files of the tables that the plugin `tables` opens, and what the core reads from them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ratingcore_tables import ratingcore_sheets

from ratingcore.importer.inputs import source_at
from ratingcore.importer.notes import SheetsNotRead
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables import read_results as results
from ratingcore.readers import Made, Source

TABLES = Path(__file__).parents[2] / "fixtures/formats/tables"
SHEETS = tuple(ratingcore_sheets())


def source(path: Path | Source) -> Source:
    """A file that may be a table of any kind."""
    if isinstance(path, Source):
        path.sheets = SHEETS
        return path
    return source_at(path, SHEETS)


def read_results(path: Path | Source, **options: Any) -> Iterator[Any]:
    return results(source(path), **options)


def outcomes(path: Path | Source, **fields: Any) -> list[Any]:
    """What becomes of the rows of a table, wherever they are: events, and why there is none."""
    read = read_results(path, pool="p", fields=FieldMap(**fields))
    rows = [row for row in read if not isinstance(row, SheetsNotRead)]
    return [row.event if isinstance(row, Made) else row._replace(line=0) for row in rows]
