"""Finds tables in printed texts: titles, a header and rows, with columns separated by signs or alignment."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from ratingcore.plugin.readers import (
    BadFile,
    BadValue,
    Days,
    Filled,
    Sample,
    Source,
    Wanted,
    day_of,
    one_line,
)

Lines = Sequence[tuple[int, str]]
Header = Callable[[Sequence[str]], int | None]
"""Takes the headings of a line; returns the first column whose cells may have blanks inside, None for other lines."""


class PrintedRow(NamedTuple):
    """A row: its line, its cells in the order of the columns, its text, and the flaw if it does not fit the columns."""

    line: int
    cells: tuple[str, ...]
    text: str
    flaw: str = ""


class Printed(NamedTuple):
    """A table: the line of its header, the texts above it, its headings and its rows."""

    line: int
    titles: list[str]
    columns: tuple[str, ...]
    rows: list[PrintedRow]


def lines_of(source: Source, sheet: str) -> Lines:
    """Returns the lines of a text, or the rows of a spreadsheet with their cells joined by tabs."""
    kind = next((one for one in source.sheets if one.sniff(Sample(source.name, source.start())) > 0), None)
    if kind is None:
        return list(enumerate(source.text_lines(), 1))
    try:
        found = kind.open(source, Wanted(selection=sheet))
    except BadFile as problem:
        source.refuse(problem.why, problem.advice, "sheet_of_reader" if problem.setting == "sheet" else "")
    return found.lines()


def tables_of(lines: Lines, header: Header, words: re.Pattern[str]) -> list[Printed]:
    """Returns the tables of a text; a header repeated without a title, as on a new page, continues the table.

    Parameters
    ----------
    words : pattern
        Matches headings; every header has at least one of them, so other lines are skipped.
    """
    heads = []
    for (_, text), (_, below) in pairwise([*lines, (0, "")]):
        heads.append(_head(text, below, header) if words.search(text) else None)
    places = [at for at, head in enumerate(heads) if head]
    tables: list[Printed] = []
    titles = [one_line(text) for _, text in lines[: places[0]] if any(map(str.isalnum, text))] if places else []
    for at, end in pairwise([*places, len(lines)]):
        sign, columns, loose, height = heads[at] or ("", (), 0, 0)
        body = [(line, text) for line, text in lines[at + height : end] if any(map(str.isalnum, text))]
        rows = list(_aligned(lines[at][1], loose, body) if sign == " " else _split(body, sign, len(columns)))
        below_it: list[str] = []
        while rows and _is_title(rows[-1]):
            below_it.insert(0, one_line(rows.pop().text))
        if tables and not titles and columns == tables[-1].columns:
            tables[-1].rows.extend(rows)
        else:
            tables.append(Printed(lines[at][0], titles, columns, rows))
        titles = below_it
    return tables


def _head(text: str, below: str, header: Header) -> tuple[str, tuple[str, ...], int, int] | None:
    """Parses a header; returns its separator, its headings, its first column of results, and its number of lines."""
    for sign in "\t|;,":
        if sign in text:
            cells, under = (_cells(line, sign) for line in (text, below))
            # `Round` above `1`: the numbers of rounds may be on a separate line
            joined = [f"{a} {b}" if b.isdecimal() else a for a, b in zip(cells, under, strict=False)]
            for height, headings in enumerate((cells, joined), 1):
                if (loose := header(headings)) is not None:
                    return sign, tuple(headings), loose, height
    words = [word[0] for word in _WORD.finditer(_unruled(text))]
    return None if (loose := header(words)) is None else (" ", tuple(words), loose, 1)


def _cells(text: str, sign: str) -> list[str]:
    try:
        cells = next(csv.reader([text], delimiter=sign), []) if sign in ";," else text.split(sign)
    except csv.Error:
        cells = [text]
    return [cell.strip() for cell in cells]


def _split(body: Lines, sign: str, width: int) -> Iterator[PrintedRow]:
    for line, text in body:
        cells = _cells(text, sign)
        flaw = Filled("has more cells than the header") if any(cells[width:]) else ""
        yield PrintedRow(line, tuple(cells[:width] + [""] * (width - len(cells))), text.strip(), flaw)


def _is_title(row: PrintedRow) -> bool:
    """True if a line below a table is not one of its rows: it has fewer than three cells, and no leading number."""
    filled = [cell for cell in row.cells if cell]
    return len(filled) < 3 and "R:" not in row.text and re.fullmatch(r"[0-9]+\.?", filled[0] if filled else "") is None


_WORD = re.compile(r"(?:(?:rd|rnd|round|runde|ronde|ronda|loc|fide|uscf)\.? |player (?=name))?\S+", re.IGNORECASE)
_LOOSE = re.compile(
    r"(?<!\S)(?:[WLDXFR] +[0-9]{1,3}|[0-9]{1,3} +[wbsn] +(?:[01½+=-]|1/2|0\.5)|[+=-][WB] +[0-9]{1,3})(?!\S)"
)

_PLAYED = re.compile(r"(?<!\S)[WLD] +[0-9]{1,3}(?!\S)")
"""Cells of a Swiss table; without any, an X is not a result against the number after it, but a player's own cell."""
_HELD = "\u00a0"
"""A blank inside a cell, where no column ends."""


def _unruled(text: str) -> str:
    return text.expandtabs().replace("|", " ").replace(_HELD, " ")


def _aligned(header: str, loose: int, body: Lines) -> Iterator[PrintedRow]:
    """Yields rows of aligned columns, split where every row has blanks."""
    words = list(_WORD.finditer(_unruled(header)))
    tail = words[loose - 1].end() if loose else 0
    swiss, texts = any(_PLAYED.search(_unruled(text), tail) for _, text in body), []

    def held(cell: re.Match[str]) -> str:
        return cell[0] if cell[0][0] == "X" and not swiss else cell[0].replace(" ", _HELD)

    for line, plain in body:
        text = _unruled(plain)
        texts.append((line, text[:tail] + _LOOSE.sub(held, text[tail:])))
    numbered = [text for _, text in texts if re.match(r" *[0-9]", text)] or [text for _, text in texts]
    cuts = [_cut(left, right, numbered) for left, right in pairwise(words)]
    for line, text in texts:
        if all(cut and text[cut - 1 : cut] in " " for cut in cuts):
            cells = [text[start:end] for start, end in pairwise([0, *cuts, len(text) + 1])]
        else:
            cells = re.split(" {2,}", text.strip())
        apart = any("  " in cell.strip() for cell in cells[loose:])  # two cells below one heading
        fits = len(cells) == len(words) and not apart
        flaw = "" if fits else Filled("does not fit into the columns of the header")
        yield PrintedRow(
            line, tuple(cell.replace(_HELD, " ").strip() for cell in cells), text.replace(_HELD, " ").strip(), flaw
        )


def _cut(left: re.Match[str], right: re.Match[str], rows: Sequence[str]) -> int:
    """Returns the start of a column: after the widest gap between two headings, or the nearest of equal ones; else 0.

    Names of two words may leave gaps too, but these are narrower or further from the heading; and so may a cell that is
    shorter than its heading, but its gap begins after the heading does.
    """
    blank = [at for at in range(left.start() + 1, right.end()) if all(row[at : at + 1] in " " for row in rows)]
    gaps = [[at for _, at in run] for _, run in groupby(enumerate(blank), lambda one: one[1] - one[0])]
    ranked = ((gap[0] <= right.start(), len(gap), -abs(gap[-1] + 1 - right.start()), gap[-1] + 1) for gap in gaps)
    return max(ranked, default=(False, 0, 0, 0))[3]


_DAY = re.compile(
    r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}\. ?[0-9]{1,2}\. ?[0-9]{4}"
    r"|[A-Z][a-z]{2,8}\.? [0-9]{1,2},? [0-9]{4}"
)
_DATED = re.compile(rf"(?:dates?|datum|fecha|data|from|vom|von|termin|played)\b|{_DAY.pattern}", re.IGNORECASE)
_NO_NAME = re.compile(
    r"https?:|www\.|chess-results|last update|aktualis|printed|created|cross ?-?table|kreuztabelle|fortschritt"
    r"|rangliste|ranking|standings|(?:after|nach|at) .*round|swiss-manager"
    r"|^(?:[0-9]+\. ?)?(?:round|runde|ronda|ronde)\b",
    re.IGNORECASE,
)


def name_of(titles: Sequence[str]) -> str:
    """Returns the name of a tournament: the first line above its table that is not a date or the title of a table."""
    name = next((one for one in titles if not _NO_NAME.search(one) and not _DATED.match(one)), "")
    return _DAY.sub("", name).strip(" ,:()-")


def days_in(text: str) -> Days:
    """Returns the first and the last day in a text; empty if its days are ambiguous.

    Examples
    --------
    >>> days_in("Date : 2025/09/26 to 2025/10/02").end, days_in("26.09. - 02.10.2025").start
    (datetime.date(2025, 10, 2), None)
    """
    try:
        found = [day_of(one) for one in _DAY.findall(text)]
    except BadValue:
        return Days()
    if not found or len(found) > 2 or found != sorted(found) or re.search("[0-9]{1,2}[./]", _DAY.sub("", text)):
        return Days()
    return Days(found[0], found[-1])


_LAST_DAY = re.compile(rf"[,(\u2013-]\s*(?:am |vom |on |le |il |el |em |dnia )?(?:{_DAY.pattern})\)?$", re.IGNORECASE)
_NO_DAY = re.compile(r"\b(?:stand|state|deadline|meldeschluss|next|nächste|prochain|as of|stan|stav)\b", re.IGNORECASE)


def days_of(titles: Sequence[str], name: str) -> Days | None:
    """Returns the days in a line above a table that begins with a date or the name of the tournament.

    If there is none, it is the day at the end of the only line that has one: `Rundenturnier, 18.10.2025`.
    """
    lines = [one for one in titles if _DATED.match(one) or (name and one.startswith(name))]
    found = next((days for days in map(days_in, lines) if days.start), None)
    ends = [one for one in titles if _LAST_DAY.search(one) and not _NO_NAME.search(one) and not _NO_DAY.search(one)]
    return found or (days_in(ends[0]) if len(ends) == 1 else None)
