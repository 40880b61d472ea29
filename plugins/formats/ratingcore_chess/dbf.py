"""Tables of dBase III: a header, fields of fixed width, records."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

_HEADER = struct.Struct("<B3xIHH20x")
_FIELD = struct.Struct("<11sc4xB15x")
_VERSION, _END_OF_FIELDS, _DELETED = 3, 0x0D, ord("*")


class Field(NamedTuple):
    """A column: its name, where it begins in a record, and its width."""

    name: str
    start: int
    width: int


class Table(NamedTuple):
    """The header of a table: its columns by name, where records begin, their width, and how many there are."""

    fields: dict[str, Field]
    start: int
    width: int
    length: int


def table_of(head: bytes) -> Table:
    """The header of a table; `ValueError` if the bytes are none."""
    if len(head) < _HEADER.size:
        raise ValueError("it is shorter than the header of a table")
    version, count, start, width = _HEADER.unpack_from(head)
    if version != _VERSION:
        raise ValueError("it is no dBase III table")
    fields: dict[str, Field] = {}
    at, offset = _HEADER.size, 1
    while at + _FIELD.size <= min(start, len(head)) and head[at] != _END_OF_FIELDS:
        name, _, length = _FIELD.unpack_from(head, at)
        text = name.split(b"\0")[0].decode("ascii", "replace").strip().upper()
        fields.setdefault(text, Field(text, offset, length))
        at, offset = at + _FIELD.size, offset + length
    if at >= len(head) or head[at] != _END_OF_FIELDS or not fields:
        raise ValueError("its header does not end")
    if offset != width or at >= start:
        raise ValueError("its fields do not fill its records")
    return Table(fields, start, width, count)


def records(content: bytes, table: Table) -> Iterator[tuple[int, dict[str, bytes] | None]]:
    """Yields records by number, from 1: bytes by field, blanks cut off; None for one that is deleted.

    Raises
    ------
    ValueError
        If the file holds another number of records than its header says.
    """
    end = table.start + table.length * table.width
    if end > len(content) or content[end:].strip(b"\x1a\0\r\n "):
        raise ValueError(f"its header says {table.length} records, its size says otherwise")
    for index in range(table.length):
        start = table.start + index * table.width
        record = content[start : start + table.width]
        if record[0] == _DELETED:
            yield index + 1, None
        else:
            yield (
                index + 1,
                {
                    field.name: record[field.start : field.start + field.width].strip(b" \0")
                    for field in table.fields.values()
                },
            )
