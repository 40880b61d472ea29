"""Chooses the files to import from paths, folders, archives and tables in memory, and the reader of each."""

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from os import PathLike
from pathlib import PurePath
from typing import cast

from attrs import evolve, field, frozen

from ratingcore.errors import BadFile, BadMapping
from ratingcore.events import When
from ratingcore.importer.inputs import Found, Input, Opening, Unreadable, input_name
from ratingcore.importer.reader_choice import (
    FRAME,
    TableOptions,
    TableReader,
    plain_table,
    printed_in_sheet,
    surest_reader,
)
from ratingcore.importer.remarks import is_ambiguous
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.sheets import source_of
from ratingcore.readers import Options, Reader, Sample
from ratingcore.readers.sheets import SheetKind


@frozen
class Chosen:
    """A file to import, its reader and the reader's options, and what is decided about names that it gives."""

    found: Found
    reader: Reader
    options: Options
    names: FieldMap = field(factory=FieldMap)


@frozen
class Choice:
    """The files to import, those that cannot be read, and those without a reader."""

    files: list[Chosen]
    problems: list[Unreadable]
    unknown: list[str]

    def close(self) -> None:
        """Closes files that readers left open."""
        for one in self.files:
            one.found.source.close()


def choose(
    inputs: Sequence[Input],
    readers: Mapping[str, Reader],
    *,
    opening: Opening | None = None,
    reader: str | None = None,
    options: Mapping[str, str] | None = None,
    fields: FieldMap | None = None,
    pool: str | None = None,
    played: When | None = None,
    keep_going: bool = False,
) -> Choice:
    """Opens files and chooses the reader of each; nothing is written, and no log is needed.

    Parameters
    ----------
    inputs : sequence of path, "-" or binary file
        Files, folders, archives, standard input.
    readers : mapping of str to Reader
    opening : Opening or None
        How files are opened.
    reader : str or None
        Name of the reader of all files; None to choose one for each by its content.
    options : mapping of str to str or None
        Options of the reader.
    fields : FieldMap or None
        Columns of tables by field; if given, all files are tables.
    pool : str or None
        Pool given by the user; a table's column `pool` is then read only if it is mapped.
    played : str, date, datetime, int or None
        Day of the results of tables without days.
    keep_going : bool
        Whether to set unreadable files aside; otherwise they raise an error, unless in a folder or an archive.

    Raises
    ------
    BadFile
        If a file cannot be opened, or no reader recognises it.
    BadParameter
        If an option is unknown to its reader.
    """
    date = {} if fields is None or fields.date is None else {"date_format": fields.date}
    mapped = fields is not None and evolve(fields, date=None, meant=None, nobody=None) != FieldMap()
    if reader is not None and reader not in readers:
        name = (opening or Opening()).name or input_name(inputs[0]) or "the input"
        raise BadFile(name, f"no reader is named {reader}: installed are {', '.join(readers) or 'none'}")
    if mapped and reader is not None and not isinstance(readers[reader], TableReader):
        assert fields is not None, "it is mapped"
        raise BadMapping(fields.where, f"only tables can be mapped, and reader {reader} does not read tables")
    choice = Choice([], [], [])
    for found in (opening or Opening()).found(inputs):
        try:
            if isinstance(found, Unreadable):
                raise found.problem
            if reader is not None:
                one: Reader | None = readers[reader]
            else:
                one = plain_table(found.sample, mapped) or surest_reader(readers, found, tables_only=mapped)
                if isinstance(one, TableReader) and one.kind is not None and one.kind.asks == "sheet" and not mapped:
                    one = printed_in_sheet(readers, found, one.kind) or one
            if one is None:
                choice.unknown.append(found.source.name)
                continue
            found.source.sheets = _kinds([one] if isinstance(one, TableReader) else readers.values())
            configured = one.configured(date | {**(options or {})})
            if isinstance(configured, TableOptions):
                of_table = evolve(fields or configured.fields, date=configured.date_format or None)
                configured = evolve(configured, fields=of_table.in_pool(pool).on_day(played))
            choice.files.append(Chosen(found, one, configured, fields or FieldMap()))
        except BadFile as problem:
            if found.named and not keep_going:
                raise
            choice.problems.append(Unreadable(problem.path, problem, found.named))
    return choice


def _kinds(readers: Iterable[Reader]) -> tuple[SheetKind, ...]:
    """Returns the kinds of tables that some readers read."""
    return tuple(one.kind for one in readers if isinstance(one, TableReader) and one.kind is not None)


def is_file(given: object) -> bool:
    """True for a path or an open file, as opposed to a table in memory."""
    return isinstance(given, str | PathLike) or hasattr(given, "read")


def is_folder_path(given: object) -> bool:
    """True for the path of a folder."""
    return isinstance(given, str | PathLike) and os.path.isdir(given)


def choice_of_table(
    table: object, fields: FieldMap, name: str, zone: tzinfo | None, kinds: Sequence[SheetKind] = (),
    options: Mapping[str, str] | None = None, *, again: bool = False,
) -> Choice:  # fmt: skip
    """Returns a table in memory as the only file of an import; `again` if it will be read more than once.

    Raises
    ------
    BadValue
        If it is not a table.
    BadParameter
        If an option is unknown for tables.
    """
    configured = cast(TableOptions, FRAME.configured(options or {}))
    source = source_of(table, name, zone, again=again or is_ambiguous(fields.date), kinds=kinds)
    found = Found(source, Sample(name, b""), named=True)
    return Choice([Chosen(found, FRAME, evolve(configured, fields=fields))], [], [])


def origin_of(reader: Reader, name: str) -> str:
    """Returns the source of a file's batches: its name, preceded by its reader unless it is a table."""
    base = PurePath(name).name or name
    return base if isinstance(reader, TableReader) else f"{reader.name}:{base}"[-300:]
