"""Opens a table as a sheet: delimited text, JSON, a kind of table that a plugin reads, or a table in memory."""

import csv
import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from functools import partial
from itertools import chain, islice
from os import PathLike
from typing import Any

from attrs import evolve

from ratingcore.errors import BadFile, BadValue
from ratingcore.events.values import RepeatedKey
from ratingcore.importer.inputs import source_at
from ratingcore.importer.reasons import UnevenRow
from ratingcore.importer.tables.cells import is_total
from ratingcore.importer.tables.fieldmap import FieldMap, FromColumn
from ratingcore.importer.tables.json_documents import DECODER, HEAD, Numbered, is_document, objects_of
from ratingcore.importer.tables.repeated_headers import MOVED, RepeatedHeader, rows_by_headers
from ratingcore.methods.wrapped import failing
from ratingcore.readers import Reason, Refused, Sample, Source
from ratingcore.readers.files import LINE, Lines, Path, reading
from ratingcore.readers.sheets import Object, Rows, Sheet, SheetKind, Truth, Values, Wanted, distinct, is_frame, joined
from ratingcore.safe_text import Filled

DELIMITERS = ",;\t|"
SAMPLE = 1000
"""Number of objects that are read to find the columns of a file without a header."""

TOO_LONG = Filled("the line has more than {most} characters", most=f"{LINE:,}")
_RULED = " \t-:+=|"
"""Signs of lines that only separate rows, as in tables of Markdown."""
_QUOTED = re.compile(r'"[^"]*"')
_NAMED_JSON = re.compile(r"\.(jsonl|ndjson)(\.gz)?$", re.IGNORECASE)


HEADER = 50
"""Number of lines that are searched for the header."""
_CELLS = 3
"""Least number of headings of a table: those of a game's two sides, and of its day or its result."""


def open_sheet(source: Source, fields: FieldMap, wanted: Wanted) -> Sheet:
    """Opens a text as a sheet: JSON, or delimited text below its header.

    Raises
    ------
    BadFile
        If the file cannot be read, or is empty.
    """
    encoding = fields.encoding
    with reading(source, encoding) as text:
        start = text.read(HEAD)
    if is_document(start, lambda one: _is_row(one, fields, wanted)):
        selection = fields.sheet or ""
        fits = partial(_is_row, fields=fields, wanted=wanted)
        return _objects(source, wanted.further, lambda: objects_of(source, encoding, selection, fits))
    if fields.sheet is not None:
        raise BadFile(source.name, f"it is not a spreadsheet, and has no sheet {fields.sheet}")
    header, first = _header_line(source, fields, wanted)
    if _NAMED_JSON.search(source.name) or first.lstrip().startswith("{"):
        return _objects(source, wanted.further, lambda: _parsed(source, encoding))
    return _delimited(source, fields, fields.delimiter or _delimiter(first), header, formulas='="' in start)


def _is_row(one: Object, fields: FieldMap, wanted: Wanted) -> bool:
    """True if an object is a result itself, not an object that holds an array of results."""
    sides = fields.fields.get("sides", FromColumn("sides"))
    inside = {column for column in wanted.columns if value_within(one, column) is not None}
    return wanted.fits([*one, *inside]) or (isinstance(sides, FromColumn) and sides.column in one)


def _header_line(source: Source, fields: FieldMap, wanted: Wanted) -> tuple[int, str]:
    """Returns the number of lines before the header, and the header.

    The header is the first line with the wanted columns, else the first line with three filled cells, since titles
    have fewer, else the first line with text.
    """
    with reading(source, fields.encoding) as text:
        lines = Lines(text)
        texts = ((number, line) for number, line in enumerate(lines) if number >= wanted.skip and line.strip())
        top = list(islice((one for one in texts if not _COMMENT.match(one[1])), 1))
        if lines.long:
            form = "line {line} has more than {most} characters"
            raise BadFile(source.name, Filled(form, line=min(lines.long), most=f"{LINE:,}"))
        if not top:
            raise BadFile(source.name, "it is empty")
        top += [one for one in islice(texts, HEADER) if one[0] < wanted.skip + HEADER and not _COMMENT.match(one[1])]
    wide, common = [], _common_delimiter([line for _, line in top])
    for number, line in top:
        sign = fields.delimiter or (common if common and common in line else _delimiter(line))
        try:
            cells = next(csv.reader([line], delimiter=sign, strict=True))
        except csv.Error:  # a heading continues on the next line
            wide.append((number, line))
            continue
        if wanted.fits(distinct([*map(str.strip, cells)])):
            return number, line
        wide += [(number, line)] if sum(map(bool, map(str.strip, cells))) >= _CELLS else []
    return (wide or top)[0]


# Delimited text

_COMMENT = re.compile(rf"#(?![{DELIMITERS}])")


def _uncommented(lines: Lines, skip: int) -> Iterator[str]:
    """Yields the lines of a text; comments and skipped lines before the header become blank.

    A first column named `#` is not a comment.
    """
    rest = iter(lines)
    for number, line in enumerate(rest):
        if number < skip or not line.strip() or _COMMENT.match(line):
            yield "\n"
        else:
            yield line
            break
    yield from rest


def _common_delimiter(lines: Sequence[str]) -> str:
    """Returns the sign that most lines have, if it is one that names and numbers do not hold, unlike a comma."""
    signs = {sign: sum(sign in line for line in lines) for sign in DELIMITERS if sign != ","}
    return next((sign for sign, count in signs.items() if 2 * count > len(lines)), "")


def _delimiter(header: str) -> str:
    bare = _QUOTED.sub("", header)
    return max(DELIMITERS, key=bare.count)


_FORMULA = re.compile(r'="([^"]*)"')
"""A cell that a program writes as a formula, so that a spreadsheet does not change its text: `="1-0"`."""


def _delimited(source: Source, fields: FieldMap, delimiter: str, skip: int, *, formulas: bool) -> Sheet:
    encoding = fields.encoding
    with reading(source, encoding) as text:
        header = _header(source, csv.reader(_uncommented(Lines(text), skip), delimiter=delimiter, strict=True))
    width, least = len(header), _least(distinct(header), fields)

    def rows(used: frozenset[int]) -> Rows:
        with reading(source, encoding) as text:
            plain = Lines(text)
            reader = csv.reader(_uncommented(plain, skip), delimiter=delimiter, strict=True)
            _header(source, reader)
            end, again = reader.line_num, RepeatedHeader(header)
            heads = again.heads
            while True:
                try:
                    for cells in reader:
                        start, end = end + 1, reader.line_num
                        cells = _without_formulas(cells) if formulas else cells
                        if plain.long and not plain.long.isdisjoint(range(start, end + 1)):
                            yield Refused(start, TOO_LONG)
                        elif len(cells) == width and cells[0] > " " and cells[0] not in heads:
                            yield start, cells
                        elif any(cell.strip(_RULED) for cell in cells):
                            placed, heads = again.placed(cells), again.heads
                            if placed is None:
                                yield Refused(start, MOVED, joined(cells, delimiter))
                                continue
                            if not placed:
                                continue
                            cells = placed
                            if (len(cells) < least and not is_total(cells)) or any(map(str.strip, cells[width:])):
                                yield Refused(
                                    start,
                                    Reason.of(UnevenRow(len(cells), width, end if end > start else 0)),
                                    joined(cells, delimiter),
                                )
                            else:  # programs drop or add empty cells at the end of a row
                                yield start, cells[:width] + [""] * (width - len(cells))
                    return
                except csv.Error as problem:
                    # the reader can go on after a bad line, but not after a quote that swallowed further lines
                    start, end = end + 1, reader.line_num
                    if end != start:
                        raise _open_quote(source, start) from None
                    yield Refused(start, Filled("the row cannot be read: {problem}", problem=problem))

    return Sheet(source.name, header, rows, delimiter=delimiter, whole=True)


def _without_formulas(cells: list[str]) -> list[str]:
    return [match[1] if (match := _FORMULA.fullmatch(cell)) else cell for cell in cells]


def _least(header: tuple[str, ...], fields: FieldMap) -> int:
    """Returns the least number of cells of a row, so that players and time are among them."""
    mapped = fields.on(header).fields
    sources = [mapped.get(name, FromColumn(name)) for name in ("a", "b", "played", "session", "player", "at", "rating")]
    columns = {one.column for one in sources if isinstance(one, FromColumn)}
    return max((number for number, column in enumerate(header, 1) if column in columns), default=len(header))


def _header(source: Source, reader: Any) -> tuple[str, ...]:
    try:
        return tuple(map(str.strip, _without_formulas(next(filter(lambda cells: any(map(str.strip, cells)), reader)))))
    except (csv.Error, StopIteration):
        raise _open_quote(source, 1) from None


def _open_quote(source: Source, line: int) -> BadFile:
    return BadFile(source.name, Filled("the quote opened on line {line} is not closed correctly", line=line))


# JSON objects


def _objects(source: Source, further: tuple[str, ...], parsed: Callable[[], Iterator[Numbered]]) -> Sheet:
    sample = [row[1] for row in islice(parsed(), SAMPLE) if not isinstance(row, Refused)]
    columns, further = layout_of(sample, further)
    layout, paths = columns + further, [name for name in further if "." in name]

    def objects() -> Iterator[Numbered]:
        for row in parsed():
            if paths and not isinstance(row, Refused):
                row[1].update({path: value_within(row[1], path) for path in paths})
            yield row

    def rows(used: frozenset[int]) -> Rows:
        for row in objects():
            yield row if isinstance(row, Refused) else cells_of_object(*row, layout, used)

    return Sheet(source.name, columns, rows, further, objects=objects)


def cells_of_object(
    line: int, parsed: Object, layout: tuple[str, ...], used: frozenset[int], examined: frozenset[int] = frozenset()
) -> tuple[int, list[str]] | Refused:
    """Returns the row of an object, with its texts in the order of columns; a nested value in a used column refuses it.

    Unused columns stay empty, except that those in `examined` get their value if it is a text.
    """
    cells, nested, width = [""] * len(layout), [], len(layout)
    for i in examined:
        text = parsed.get(layout[i])
        cells[i] = text if isinstance(text, str) else ""
    for i in used:
        cell = parsed.get(layout[i]) if i < width else None
        if isinstance(cell, str):
            cells[i] = cell
        elif isinstance(cell, bool):
            cells[i] = Truth.of(cell)
        elif cell is not None:
            nested.append(i)
    if nested:
        name = layout[min(nested)]
        return Refused(line, Filled("{column} is not a single value", column=name), reprlib.repr(parsed[name]))
    return line, cells


def layout_of(sample: Sequence[Mapping[str, Any]], further: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the columns of objects, and further columns of later ones; paths that lead nowhere are dropped.

    Examples
    --------
    >>> layout_of([{"id": "1", "white": {"name": "ann"}}], ("round", "white.name", "white.nick"))
    (('id', 'white'), ('round', 'white.name'))
    """
    columns = tuple(dict.fromkeys(str(key) for one in sample for key in one))
    there = [name for name in further if "." not in name or any(value_within(one, name) is not None for one in sample)]
    return columns, tuple(name for name in dict.fromkeys(there) if name not in columns)


def paths_within(sheet: Sheet, columns: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Returns the paths to the values in columns that hold objects, as far as the first rows show them.

    The result is empty for a table that can be read only once, since the import needs its rows.
    """
    if sheet.objects is None or sheet.once:
        return {}
    rows = [row[1] for row in islice(sheet.objects(), SAMPLE) if not isinstance(row, Refused)]
    paths: dict[str, dict[str, None]] = {}
    for name, value in ((name, row.get(name)) for row in rows for name in columns):
        if isinstance(value, Mapping):
            paths.setdefault(name, {}).update(dict.fromkeys(_paths(name, value)))
    return {name: tuple(there) for name, there in paths.items()}


def _paths(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield name
        return
    for key, one in value.items():
        yield from _paths(f"{name}.{key}", one)


def value_within(value: Any, path: str) -> Any:
    """Returns the value at a path of keys and list indices from 0, joined by full stops; None if it leads nowhere."""
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def _parsed(source: Source, encoding: str | None) -> Iterator[Numbered]:
    with reading(source, encoding) as text:
        yield from _parsed_lines(Lines(text))


def _parsed_lines(lines: Lines) -> Iterator[Numbered]:
    for number, line in enumerate(lines, 1):
        plain = line.strip()
        if not plain:
            if number in lines.long:
                yield Refused(number, TOO_LONG)
            continue
        try:
            value = DECODER.decode(plain)
        except RepeatedKey as problem:
            yield Refused(number, str(problem), plain)
            continue
        except (ValueError, RecursionError) as problem:
            yield Refused(number, Filled("the line is not JSON: {problem}", problem=problem), plain)
            continue
        yield (number, value) if isinstance(value, dict) else Refused(number, "the line is not a JSON object", plain)


# Any table


class TableSource(Source):
    """A table in memory, such as a DataFrame.

    Parameters
    ----------
    name : str
        Name of the table in reports, and the source of its batches.
    sheet : callable
        Opens the table, given further columns that later rows may have although the first rows do not.
    zone : tzinfo or None
        Zone of times without one.
    """

    def __init__(self, name: str, sheet: Callable[[tuple[str, ...]], Sheet], zone: tzinfo | None = None) -> None:
        super().__init__(name, lambda: self.refuse("it is not a file"), zone=zone)
        self.sheet = sheet


def kind_of(kinds: Sequence[SheetKind], sample: Sample) -> SheetKind | None:
    """Returns the kind of table that a file is, by its beginning; None for text."""
    sure = [(_sure(kind, sample), kind) for kind in kinds]
    most, kind = max(sure, key=lambda one: one[0], default=(0, None))
    return kind if most > 0 else None


def _sure(kind: SheetKind, sample: Sample) -> int:
    try:
        return int(kind.sniff(sample))
    except Exception:  # a plugin may raise anything, and the file may be of another kind
        return 0


Reads = Callable[[Sequence[str]], bool]
"""Returns whether a table with these headings can be read."""


def open_table(
    path: Path, fields: FieldMap, further: tuple[str, ...], needs: tuple[str, ...], reads: Reads = lambda columns: False
) -> Sheet:
    """Opens a table; times without a zone are in the zone of its source, if it has one.

    Parameters
    ----------
    path : path or Source
    fields : FieldMap
        The format of the table, and its columns by field.
    further : tuple of str
        Columns that later objects may have although the first objects do not.
    needs : tuple of str
        Fields that every row must have; their columns identify the right sheet and its header.
    reads : callable
        Returns whether a header without the columns of `needs` can be read.

    Raises
    ------
    BadFile
        If the table cannot be read, or is empty.
    NotInstalled
        If the table needs a package that is not installed.
    """
    source = source_at(path).reusable()
    columns = {*fields.columns, *(name for name in needs if name not in fields.fields)}
    further = (*further, *(column for column in sorted(fields.columns) if "." in column))
    wanted = Wanted(frozenset(columns), further, "", fields.skip or 0, reads)
    sheet = source.sheet(further) if isinstance(source, TableSource) else _opened(source, fields, wanted)
    sheet = evolve(sheet, zone=source.zone) if source.zone is not None else sheet
    names = sheet.columns if sheet.typed is not None else distinct(sheet.columns)
    if names == sheet.columns:
        return sheet
    doubled = frozenset(name for name in names if sheet.columns.count(name) > 1)
    return evolve(sheet, columns=names, doubled=doubled)


def _opened(source: Source, fields: FieldMap, wanted: Wanted) -> Sheet:
    kind = kind_of(source.sheets, Sample(source.name, source.start()))
    asks = "" if kind is None else kind.asks
    if fields.query is not None and asks != "query":
        raise BadFile(source.name, "it is not a SQLite database, and takes no query", _ELSEWHERE)
    if kind is None:
        return open_sheet(source, fields, wanted)
    if fields.sheet is not None and asks != "sheet":
        raise BadFile(source.name, f"it is not a spreadsheet, and has no sheet {fields.sheet}")
    selection = fields.sheet if asks == "sheet" else fields.query if asks == "query" else None
    with failing(f"of the tables {kind.name}"):
        sheet = kind.open(source, evolve(wanted, selection=selection or ""))
    if asks != "sheet" or sheet.typed is not None:
        return sheet
    return evolve(sheet, rows=lambda used: rows_by_headers(sheet.columns, sheet.rows(used), sheet.delimiter))


_ELSEWHERE = "engine.import_file takes the cursor or the Arrow reader of any other database"


# Tables in memory

_WANTED = (
    "is not a table: a DataFrame, an Arrow table or stream, a cursor of a database, or rows as mappings; "
    "a file is read by import_file"
)


def source_of(
    table: object,
    name: str,
    zone: tzinfo | None = None,
    *,
    again: bool = False,
    kinds: Sequence[SheetKind] = (),
) -> TableSource:
    """Makes a table a source of rows; they are copied only if they are to be read again.

    Parameters
    ----------
    table : object
        An object with an Arrow stream (DataFrames of pandas, polars and others, Arrow's tables, batches and readers),
        a database cursor (DB-API), or an iterable of mappings, one per row.
    name : str
        Name of the table in reports.
    zone : tzinfo or None
        Zone of times without one.
    again : bool
        Whether the rows will be read more than once.
    kinds : sequence of SheetKind
        The kinds of tables that plugins read.

    Raises
    ------
    BadValue
        If the object is anything else.
    BadFile
        If Arrow cannot read it.
    NotInstalled
        If it needs the extra `tables`, which is not installed.

    Examples
    --------
    >>> sheet = source_of([{"white": "ann", "black": "bo"}, {"white": "cy"}], "games").sheet(())
    >>> sheet.columns, list(sheet.rows(frozenset({0, 1})))
    (('white', 'black'), [(1, ['ann', 'bo']), (2, ['cy', ''])])
    """
    opener = next((kind.open_object for kind in kinds if kind.open_object is not None and kind.takes(table)), None)
    if opener is not None:
        sheet = opener(table, name, zone, again)
        return TableSource(name, lambda further: sheet, zone)
    if is_frame(table):
        raise BadValue("table", type(table).__name__, "is a table by columns, which no installed plugin reads")
    described = getattr(table, "description", None)
    if described and isinstance(table, Iterable):
        columns = [str(column[0]) for column in described]
        table = (dict(zip(columns, row, strict=True)) for row in table)
    if isinstance(table, str | bytes | PathLike | Mapping) or not isinstance(table, Iterable):
        raise BadValue("table", type(table).__name__, _WANTED)
    return TableSource(name, _Mappings(name, list(table) if again else table, zone).sheet, zone)


class _Mappings:
    """A table in memory whose rows are mappings of column to value."""

    def __init__(self, name: str, rows: Iterable[Any], zone: tzinfo | None) -> None:
        self._name, self._rows, self._zone = name, rows, zone
        self._once: Iterator[Any] | None = None
        if iter(rows) is rows:
            self._once = iter(rows)
        self._first = list(islice(self._once or rows, SAMPLE))
        if not self._first:
            raise BadFile(name, "it is empty")

    def sheet(self, further: tuple[str, ...]) -> Sheet:
        columns, more = layout_of([row for row in self._first if isinstance(row, Mapping)], further)
        layout, values = columns + more, Values(self._zone)
        paths = {column for column in more if "." in column}

        def rows(used: frozenset[int]) -> Rows:
            for number, row in enumerate(self._all(), 1):
                if isinstance(row, Mapping):
                    cells = [row.get(column) if index in used else None for index, column in enumerate(layout)]
                    for index, column in enumerate(layout) if paths else ():
                        cells[index] = value_within(row, column) if column in paths else cells[index]
                    yield values.row(number, cells, layout)
                else:
                    yield Refused(number, f"the row is not a mapping: {type(row).__name__}", str(row)[:200])

        return Sheet(self._name, columns, rows, more, once=self._once is not None)

    def _all(self) -> Iterator[Any]:
        if self._once is None:
            return iter(self._rows)
        if self._first is _SPENT:
            raise BadFile(self._name, "it can be read only once", "make a list of it first")
        first, self._first = self._first, _SPENT
        return chain(first, self._once)


_SPENT: list[Any] = []
