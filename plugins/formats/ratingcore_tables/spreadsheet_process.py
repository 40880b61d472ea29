"""Reads a spreadsheet in a process of its own, with bounded memory, and writes its rows as JSON lines.

A damaged or hostile spreadsheet can make the library ask for any amount of memory, which ends its process. The program
takes the path of the file, or `-` for standard input, and the name of a sheet, or nothing for all visible ones.
"""

import json
import sys
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any

MEMORY, SECONDS = 2**31, 300
"""Limits of memory, in bytes, and of CPU time, in seconds."""


def cell(value: Any) -> Any:
    """Converts the value of a cell for JSON: a day or time becomes an object with its text."""
    if isinstance(value, datetime | date):
        return {"at": value.isoformat()}
    return str(value) if isinstance(value, time | timedelta) else value


def bound() -> None:
    """Limits memory and CPU time of this process, if the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_CORE, 0)):
            resource.setrlimit(what, (most, most))


def write(what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")


def main(path: str, wanted: str) -> None:
    """Writes the names of the sheets, then each non-empty row: index of its sheet, row number, cells."""
    import python_calamine

    bound()
    try:
        book = python_calamine.load_workbook(BytesIO(sys.stdin.buffer.read()) if path == "-" else path)
        sheets = [one for one in book.sheets_metadata if str(one.typ).endswith(".WorkSheet")]
        write([one.name for one in sheets])
        for place, one in enumerate(sheets):
            if one.name == wanted or (not wanted and str(one.visible).endswith(".Visible")):
                page = book.get_sheet_by_name(one.name)
                for number, row in enumerate(page.iter_rows() if page.start else (), 1):
                    if any(value != "" for value in row):
                        write([place, number, [cell(value) for value in row]])
    except (python_calamine.CalamineError, OSError) as error:
        write({"error": (str(error).splitlines() or [""])[0][:200]})
    write({})


if __name__ == "__main__":
    main(*sys.argv[1:])
