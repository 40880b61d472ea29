"""Chooses the reader of a file: one of the readers of text tables, of other kinds of tables, or of plugins."""

import csv
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import evolve, field, fields_dict, frozen

from ratingcore.errors import BadFile, BadValue, PluginFails, RatingCoreError
from ratingcore.events import NO_ID, Event, GamePlayed, RatingSeeded
from ratingcore.importer.inputs import Found
from ratingcore.importer.tables.fieldmap import NO_COLUMN, FieldMap
from ratingcore.importer.tables.json_documents import is_document
from ratingcore.importer.tables.results import read_sheet, sheet_of_results
from ratingcore.importer.tables.sessions import PLAYER
from ratingcore.importer.tables.sheets import DELIMITERS, kind_of
from ratingcore.readers import Options, Reader, Refused, Sample, Source
from ratingcore.readers.items import LEFT_OUT
from ratingcore.readers.sheets import Rows, SheetKind, Wanted
from ratingcore.registry import Registry
from ratingcore.safe_text import Filled

NAMED, UNNAMED = 50, 40
"""Confidence of a table reader in a text that may be a table: with the reader's ending in its name, and without."""


@frozen
class TableOptions(Options):
    """Options of tables.

    Parameters
    ----------
    fields : FieldMap
        Columns by field.
    pool : str
        Pool of rows without one.
    without : collection of int
        Lines of rows that are left out, and from which nothing is learnt about the others.
    """

    fields: FieldMap = field(factory=FieldMap)
    pool: str = ""
    without: Collection[int] = ()

    def __attrs_post_init__(self) -> None:
        changes: dict[str, Any] = {
            name: text for name in ("sheet", "query", "somebody") if (text := getattr(self, name, ""))
        }
        if changes:
            object.__setattr__(self, "fields", evolve(self.fields, **changes))


@frozen
class SheetOptions(TableOptions):
    """Options of kinds of tables with several sheets in a file.

    Parameters
    ----------
    sheet : str
        The sheet to read; by default the only visible one that has the columns.
    """

    sheet: str = ""


@frozen
class QueryOptions(TableOptions):
    """Options of databases.

    Parameters
    ----------
    query : str
        Query for the rows: `SELECT ...`.
    """

    query: str = ""


_OPTIONS = {"": TableOptions, "sheet": SheetOptions, "query": QueryOptions}


@frozen
class TableReader(Reader):
    """A reader of rows with named columns, whose meaning the user can set.

    Parameters
    ----------
    kind : SheetKind or None
        The kind of tables of a plugin; None for text.
    """

    kind: SheetKind | None = None


def _read(source: Source, options: Any) -> Iterator[Any]:
    sheet = sheet_of_results(source, options.fields)

    def rows(used: frozenset[int]) -> Rows:
        for row in sheet.rows(used):
            yield row if isinstance(row, Refused) or row[0] not in options.without else Refused(row[0], LEFT_OUT, "")

    kept = evolve(sheet, rows=rows, typed=None) if options.without else sheet
    yield from read_sheet(kept, options.pool or None, options.fields)


def reader_of(kind: SheetKind) -> TableReader:
    """The reader of results in files of one kind of tables."""

    def read(source: Source, options: Any) -> Iterator[Any]:
        if kind_of([kind], Sample(source.name, source.start())) is None:
            source.refuse(Filled("it is no {noun}", noun=kind.noun))
        return _read(source, options)

    return TableReader(
        kind.name, kind.summary, sniff=kind.sniff, read=read, options=_OPTIONS[kind.asks], suffixes=kind.suffixes,
        tables=("pool",), kind=kind,
    )  # fmt: skip


def _is_delimited(sample: Sample) -> int:
    named = sample.name.lower().endswith((".csv", ".tsv"))
    rows = [line for line in sample.text.splitlines() if line.strip() and not line.startswith("#")][:5]
    if not rows or rows[0].lstrip()[:1] in "{[<" or "\0" in (rows[0] if named else sample.text):
        return 0
    if not any(sign in rows[0] for sign in DELIMITERS):
        return NAMED if named else 10
    names = {name.strip().casefold() for sign in DELIMITERS for name in next(csv.reader([rows[0]], delimiter=sign), [])}
    sessions = "session" in names and any(map(PLAYER.fullmatch, names))
    return 80 if {"a", "b"} <= names or sessions else NAMED if named else UNNAMED


_KEY = re.compile(r'"(\w+)"\s*:')


def _is_objects(sample: Sample) -> int:
    line = next((line for line in sample.text.splitlines() if line.strip()), "")
    try:
        keys = set(json.loads(line)) if line.lstrip().startswith("{") else set()
    except (ValueError, RecursionError):
        keys = set()
    if not keys:
        if not is_document(sample.text, bool):
            return 0
        keys = {*_KEY.findall(sample.text)}
        return 80 if {"a", "b"} <= keys else UNNAMED
    named = sample.name.lower().endswith((".jsonl", ".ndjson"))
    return 80 if {"a", "b"} <= keys or "sides" in keys else NAMED if named else UNNAMED


CSV = TableReader(
    "csv", "delimited text with a header line", sniff=_is_delimited, read=_read, options=TableOptions,
    suffixes=(".csv", ".tsv", ".txt"), tables=("pool",),
)  # fmt: skip
JSONL = TableReader(
    "jsonl", "JSON objects: one a line, in an array, or in an answer that holds one", sniff=_is_objects, read=_read,
    options=TableOptions, suffixes=(".jsonl", ".ndjson"), tables=("pool",),
)  # fmt: skip

FRAME = TableReader("table", "a table in memory, such as a DataFrame", read=_read, options=TableOptions)
"""The reader of tables in memory."""


TEXTS = {reader.name: reader for reader in (CSV, JSONL)}
"""The readers of tables that need no plugin."""


def plain_table(sample: Sample, mapped: bool) -> TableReader | None:
    """Returns the reader of a text named like a table that has its columns, or is `mapped`; else None."""
    readers = (one for one in TEXTS.values() if _ends(one, sample))
    return next((one for one in readers if one.sniff(sample) > (0 if mapped else NAMED)), None)


def names_pool(source: Source, fields: FieldMap) -> bool:
    """True if the rows of a table name their pool."""
    if fields.pool or "pool" in fields.fields:
        return bool(fields.pool) or fields.fields["pool"] != NO_COLUMN
    return "pool" in {*sheet_of_results(source, fields).columns} - fields.spent


_RANDOM = re.compile(r"[0-9a-f]{32}")
"""Placeholders for uids of events without an id."""


@frozen
class PlainReader(Reader):
    """A reader made of a function; if a file is imported again, changed rows amend events, missing rows stay."""


class InstalledReaders(Mapping[str, Reader]):
    """The readers of tables and those of plugins, which are loaded when one of them is requested."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    @cached_property
    def _all(self) -> dict[str, Reader]:
        kinds = {kind.name: reader_of(kind) for kind in self._registry.sheets}
        offered = self._registry.readers.items()
        return (
            TEXTS
            | kinds
            | {name: one if isinstance(one, Reader) else _made(name, one) for name, one in offered}
            | TEXTS
        )

    def __getitem__(self, name: str) -> Reader:
        return TEXTS.get(name) or self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


def _made(name: str, function: Callable[[Any], Iterable[Any]]) -> PlainReader:
    def read(source: Source, options: Options) -> Iterator[Any]:
        if source.path is None:
            source.refuse(
                Filled("the reader {name} takes plain files only", name=name), "unpack it, or write it to a file"
            )
        plugin = f"of the reader {name}"
        given = function(source.path)
        if not isinstance(given, Iterable):
            raise PluginFails(plugin, f"it returned {type(given).__name__}, not events")
        events = list(given)  # if it fails in the middle, nothing is imported
        foreign = next((n for n, event in enumerate(events, 1) if not isinstance(event, Event)), 0)
        if foreign:
            raise PluginFails(plugin, f"number {foreign} is of {type(events[foreign - 1]).__name__}, not an event")
        for event in events:
            random = isinstance(event, GamePlayed | RatingSeeded) and _RANDOM.fullmatch(event.uid)
            yield evolve(event, uid=NO_ID) if random else event

    summary = (function.__doc__ or "").strip().partition("\n")[0]
    return PlainReader(name, summary, read=read)


SURE = 50
"""Least confidence, of 100, at which a reader is chosen without asking the user."""


@frozen
class Guess:
    """A reader that may recognise a file, and its confidence, 1 to 100."""

    reader: Reader
    sure: int


def guesses(readers: Mapping[str, Reader], sample: Sample) -> tuple[Guess, ...]:
    """Returns the readers that may recognise a file, surest first; of equally sure ones, first those of its ending."""
    found = [Guess(reader, sure) for reader in readers.values() if (sure := _sure(reader, sample))]
    return tuple(sorted(found, key=lambda one: (-one.sure, not _ends(one.reader, sample), one.reader.name)))


def _ends(reader: Reader, sample: Sample) -> bool:
    return sample.name.lower().endswith(reader.suffixes) if reader.suffixes else False


def _sure(reader: Reader, sample: Sample) -> int:
    """The confidence of a reader; 0 if it fails."""
    try:
        return max(0, min(100, int(reader.sniff(sample))))
    except Exception:  # a plugin may raise anything, and other readers may recognise the file
        return 0


def surest_reader(readers: Mapping[str, Reader], found: Found, *, tables_only: bool = False) -> Reader | None:
    """The reader of a file; None for a file in a folder or an archive that no reader recognises.

    Parameters
    ----------
    readers : mapping of str to Reader
    found : Found
    tables_only : bool
        Whether only readers of tables are tried.

    Raises
    ------
    BadFile
        If the file was named itself, and no reader is sure, or two are equally sure.
    """
    if tables_only:
        readers = {name: one for name, one in readers.items() if isinstance(one, TableReader)}
    best = guesses(readers, found.sample)
    if best and best[0].sure >= SURE and (len(best) == 1 or _before(best[0], best[1], found.sample)):
        return best[0].reader
    if not found.named:
        return None
    if _PAGE.match(found.sample.head):
        raise BadFile(
            found.sample.name,
            "it is a web page or a document to print, not a table",
            "open it in a spreadsheet program, or copy its table into one, and save that as CSV or as a spreadsheet",
        )
    if best and best[0].sure >= UNNAMED and isinstance(best[0].reader, TableReader):
        return best[0].reader  # a text file given by name that no reader is sure of must be a table
    if not found.sample.head:
        raise BadFile(found.sample.name, "it is empty")
    level = best[0].sure if best and best[0].sure >= SURE else 1
    names = [guess.reader.name for guess in best[:3] if guess.sure >= level]
    if not names and b"\0" in found.sample.head and any(_ends(one, found.sample) for one in TEXTS.values()):
        line = found.sample.head.partition(b"\0")[0].count(b"\n") + 1
        why: str = Filled("it is not text: line {line} has a NUL byte", line=line)
        raise BadFile(
            found.sample.name,
            why,
            "if it is text in UTF-16 without a mark, give its encoding: utf-16-le or utf-16-be",
            "utf-16",
        )
    if not names:
        why = "no reader recognises it"
        names = sorted(readers)
    else:
        why = "two readers may recognise it" if best[0].sure >= SURE else "no reader recognises it for certain"
    raise BadFile(found.sample.name, why, f"name its reader: {_or(names)}", "reader")


def printed_in_sheet(readers: Mapping[str, Reader], found: Found, kind: SheetKind) -> Reader | None:
    """Returns the reader of a small spreadsheet that holds another format than a table of results; else None.

    It is one with an option `sheet`, and recognises the cells of the only sheet as it does those of a text.
    """
    others = {
        name: one for name, one in readers.items()
        if "sheet" in fields_dict(one.options) and not isinstance(one, TableReader)
    }  # fmt: skip
    if not others or (found.sample.size or 0) > _PRINTED:
        return None
    try:
        lines = kind.open(found.source.reusable(), Wanted()).lines()
    except RatingCoreError:  # reported when the file is imported
        return None
    text = "\n".join(line for _, line in lines)
    best = guesses(others, Sample(found.sample.name, text.encode()[:_HEAD]))
    return best[0].reader if best and best[0].sure >= SURE else None


_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|<head|<table|<meta|%PDF-|\{\\rtf)", re.IGNORECASE)
"""The beginning of HTML, which some programs call `.xls`, of a PDF, or of rich text."""
_PRINTED = 1_000_000
"""Largest size of a spreadsheet whose cells are looked at before its reader is chosen."""
_HEAD = 65_536


def _before(first: Guess, second: Guess, sample: Sample) -> bool:
    return first.sure > second.sure or (_ends(first.reader, sample) and not _ends(second.reader, sample))


def _or(names: Sequence[str]) -> str:
    return " or ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} or {names[-1]}"


def named_options(reader: str | None) -> tuple[str | None, dict[str, str]]:
    """The name and the options of a reader, spelt `trf:dates=end,players=name`."""
    if reader is None:
        return None, {}
    name, _, rest = reader.partition(":")
    texts = {}
    for part in filter(None, map(str.strip, rest.split(","))):
        option, equals, value = part.partition("=")
        if not equals:
            raise BadValue("reader", reader, "must have options written name=value")
        texts[option.strip()] = value.strip()
    return name.strip(), texts
