"""Writes tables as an Excel workbook, a sheet each; texts stay texts, whatever they begin with."""

import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ratingcore.plugin.readers import CannotWrite, NotInstalled

ROWS = 1_048_576
"""Rows that a sheet has at most, its header among them."""
_CELL = 32_767
_SINCE = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)

Table = tuple[Sequence[str], Iterable[Sequence[Any]]]
"""Names of columns, and rows of cells: texts, numbers, None."""


def workbook(sheets: Mapping[str, Table]) -> bytes:
    """The bytes of an xlsx file with these tables.

    Parameters
    ----------
    sheets : mapping of str to Table
        By the names of the sheets; rows are read once.

    Raises
    ------
    CannotWrite
        If there are more rows than a sheet has, or a text longer than a cell.
    NotInstalled
        If the extra `sheets` is not installed.
    """
    try:
        from openpyxl import Workbook  # type: ignore[import-untyped]  # has no types
        from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped]  # as above
    except ImportError:
        raise NotInstalled("openpyxl", "xlsx", "sheets") from None
    book = Workbook(write_only=True)
    book.properties.created = book.properties.modified = _SINCE  # the time of writing is no part of the data
    for name, (columns, rows) in sheets.items():
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        try:
            sheet.append(list(columns))
            for number, row in enumerate(rows, 2):
                if number > ROWS:
                    raise CannotWrite(
                        f"the sheet {name}", f"it has more than {ROWS - 1} rows", "write .csv or .parquet"
                    )
                sheet.append([_text(WriteOnlyCell, sheet, cell) if isinstance(cell, str) else cell for cell in row])
        except BaseException:
            sheet.close()  # it is written to a temporary file, which would stay open
            raise
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


def _text(make: Any, sheet: Any, text: str) -> Any:
    """A cell that is a text even if it begins with =, which would make it a formula."""
    if len(text) > _CELL:
        raise CannotWrite(f"the sheet {sheet.title}", f"a text has more than {_CELL} characters: {text[:40]!r}")
    cell = make(sheet, value=text)
    cell.data_type = "s"
    return cell
