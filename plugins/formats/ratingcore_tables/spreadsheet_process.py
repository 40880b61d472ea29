"""Reads a spreadsheet in a process of its own, with bounded memory, and writes its rows as JSON lines.

A damaged or hostile spreadsheet can make the library ask for any amount of memory, which ends its process. The program
takes the path of the file, or `-` for standard input, and the name of a sheet, or nothing for all visible ones.
"""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from html import unescape
from io import BytesIO
from typing import IO, Any
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

MEMORY, SECONDS = 2**31, 300
"""Limits of memory, in bytes, and of CPU time, in seconds."""
ROWS = 1 << 20
"""Largest number of rows that one tag may repeat."""


def cell(value: Any) -> Any:
    """Converts the value of a cell for JSON: a day or time becomes an object with its text."""
    if isinstance(value, datetime | date):
        return {"at": value.isoformat()}
    return str(value) if isinstance(value, time | timedelta) else value


CHUNK = 1 << 20
_TAG = re.compile(rb"<(?:\w+:)?(table|table-row|row)(\s[^<>]*)?>")
_FACT = re.compile(rb"""(?:\w+:)?([\w-]+)\s*=\s*["']([^"']*)["']""")


def hidden_rows(file: Any) -> dict[str, list[int]]:
    """Returns the numbers of the rows that an xlsx or ods file hides or filters out, by sheet; else nothing."""
    found: dict[str, list[int]] = {}
    with suppress(BadZipFile, ElementTree.ParseError, KeyError, ValueError), ZipFile(file) as packed:
        if "content.xml" in packed.namelist():
            with packed.open("content.xml") as content:
                _of_open_document(content, found)
            return found
        links = ElementTree.fromstring(packed.read("xl/_rels/workbook.xml.rels"))
        parts = {one.get("Id"): one.get("Target", "") for one in links}
        book = ElementTree.fromstring(packed.read("xl/workbook.xml"))
        for sheet in book.iter():
            part = next((parts[value] for name, value in sheet.items() if name.endswith("}id") and value in parts), "")
            if sheet.tag.endswith("}sheet") and part:
                with packed.open(part[1:] if part.startswith("/") else f"xl/{part}") as content:
                    found[sheet.get("name", "")] = _of_worksheet(content)
    return found


def _of_worksheet(content: IO[bytes]) -> list[int]:
    number, hidden = 0, []
    for _, facts in _tags(content):
        number = int(facts.get(b"r", number + 1))
        if facts.get(b"hidden") in (b"1", b"true"):
            hidden.append(number)
    return hidden


def _of_open_document(content: IO[bytes], found: dict[str, list[int]]) -> None:
    number, hidden = 0, list[int]()
    for tag, facts in _tags(content):
        if tag == b"table":
            number, hidden = 0, found.setdefault(unescape(facts.get(b"name", b"").decode()), [])
            continue
        repeated = int(facts.get(b"number-rows-repeated", 1))
        if facts.get(b"visibility") in (b"collapse", b"filter"):
            hidden.extend(range(number + 1, number + min(repeated, ROWS) + 1))
        number += repeated


def _tags(content: IO[bytes]) -> Iterator[tuple[bytes, dict[bytes, bytes]]]:
    """Yields the names and attributes of the tags of tables and rows."""
    held = b""
    while part := content.read(CHUNK):
        held += part
        for tag in _TAG.finditer(held):
            yield tag[1], dict(_FACT.findall(tag[2] or b""))
        held = held[held.rindex(b"<") :] if b"<" in held and b">" not in held[held.rindex(b"<") :] else b""


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
        content = BytesIO(sys.stdin.buffer.read()) if path == "-" else path
        book = python_calamine.load_workbook(content)
        hidden = hidden_rows(content)
        sheets = [one for one in book.sheets_metadata if str(one.typ).endswith(".WorkSheet")]
        write([one.name for one in sheets])
        for place, one in enumerate(sheets):
            if one.name == wanted or (not wanted and str(one.visible).endswith(".Visible")):
                page, unseen = book.get_sheet_by_name(one.name), {*hidden.get(one.name, ())}
                for number, row in enumerate(page.iter_rows() if page.start else (), 1):
                    if any(value != "" for value in row):
                        write([place, number, number in unseen, [cell(value) for value in row]])
    except (python_calamine.CalamineError, OSError) as error:
        write({"error": (str(error).splitlines() or [""])[0][:200]})
    write({})


if __name__ == "__main__":
    main(*sys.argv[1:])
