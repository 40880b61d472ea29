"""Rows of a wall list, in which each player has a line with one cell a round."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ratingcore.plugin.readers import Sample, Source
from ratingcore_go.people import GRADE

OLD = "iso-8859-15"
"""Encoding of tables that are not UTF-8."""
_NEAR = 2**13

_CELL = re.compile(r"([0-9]{1,6})([-+=?])(!?)(?:/?([bw?])([0-9]{0,2}))?(!?)", re.IGNORECASE)
_PIN = re.compile(r"\|\s*([0-9]*)\s*$")
_PLACE = re.compile(r"[0-9]{1,6}\.?")
_BARE = re.compile(r"[0-9]{1,6}\?")  # also how a half point is written in a column before the cells


class Mark(NamedTuple):
    """A cell: the row of the opponent (0 for none), the sign of the result, whether by default, colour and stones."""

    opponent: int
    sign: str
    by_default: bool
    colour: str
    stones: int


class Row(NamedTuple):
    """A player's line.

    Attributes
    ----------
    line, number : int
        Line of the file, and which row it is: cells name opponents by this, not by place.
    name, grade : str
        Empty where the row has no grade, after which nobody can say where the name ends.
    words : tuple of str
        What stands between the grade and the cells.
    marks : tuple of Mark
        One a round; none in a row whose rounds cannot be told.
    pin : str
        What stands after the bar.
    text : str
    flaw : str
        Why the rounds cannot be told.
    """

    line: int
    number: int
    name: str
    grade: str
    words: tuple[str, ...]
    marks: tuple[Mark, ...]
    pin: str
    text: str
    flaw: str = ""


def near(sample: Sample) -> str:
    """The first lines of a file, in which a table is recognised by ASCII."""
    return sample.head[:_NEAR].removeprefix(b"\xef\xbb\xbf").decode("latin-1").replace("\r", "\n")


def is_row(text: str) -> bool:
    """Whether a line is a player's: it has a grade, and ends in a result."""
    words = _PIN.sub("", text).split()
    return len(words) > 2 and _CELL.fullmatch(words[-1]) is not None and any(map(GRADE.fullmatch, words[:-1]))


def table_of(source: Source, header: re.Pattern[str]) -> tuple[dict[str, tuple[int, str]], list[Row]]:
    """Returns the header of a table (by keys in lower case: line and value) and its rows.

    Parameters
    ----------
    header : pattern
        Of a comment that is a line of the header: its key and its value.

    Raises
    ------
    BadFile
        If there is neither.
    """
    values: dict[str, tuple[int, str]] = {}
    lines: list[tuple[int, str]] = []
    for number, line in source.lines(OLD):
        place = 0
        while match := header.match(line, place):  # some programs write several on a line
            values.setdefault(match[1].lower(), (number, match[2].strip()))
            place = match.end()
        lines.append((number, line.partition(";")[0]))
    table = rows(lines)
    if not values and not table:
        source.refuse("it is no table of results: it has neither a header nor a row")
    return values, table


def rows(lines: Iterable[tuple[int, str]]) -> list[Row]:
    """Returns the rows of a table whose lines have no comments.

    Lines before the first row with cells are a heading. After it every line that is not blank counts as a row, even a
    broken one: otherwise the cells would name the wrong opponents.
    """
    table: list[tuple[int, str, list[str], list[re.Match[str]], str]] = []
    for line, text in lines:
        if not text.strip():
            continue
        pin = _PIN.search(text)
        words = (text[: pin.start()] if pin else text).split()
        cells: list[re.Match[str]] = []
        while words and (cell := _CELL.fullmatch(words[-1])):
            cells.append(cell)
            words.pop()
        if table or cells:
            table.append((line, text, words, cells[::-1], pin[1] if pin else ""))
    often = Counter(len(cells) for _, _, _, cells, _ in table if cells)
    rounds = max(often, key=lambda count: (often[count], count), default=0)
    return [_row(number, rounds, *parts) for number, parts in enumerate(table, 1)]


def _row(
    number: int, rounds: int, line: int, text: str, head: list[str], cells: list[re.Match[str]], pin: str
) -> Row:  # fmt: skip
    surplus = len(cells) - rounds
    if surplus > 0 and all(_BARE.fullmatch(cell[0]) for cell in cells[:surplus]):
        head, cells = head + [cell[0] for cell in cells[:surplus]], cells[surplus:]
    flaw = "" if len(cells) == rounds else f"has {len(cells)} results where other rows have {rounds}"
    first = 1 if len(head) > 1 and _PLACE.fullmatch(head[0]) else 0
    grade = next((at for at in range(first, len(head)) if GRADE.fullmatch(head[at])), None)
    name, words = ("", head[first:]) if grade is None else (" ".join(head[first:grade]), head[grade + 1 :])
    marks = () if flaw else tuple(map(_mark, cells))
    return Row(line, number, name, "" if grade is None else head[grade], tuple(words), marks, pin, text.strip(), flaw)


def _mark(cell: re.Match[str]) -> Mark:
    opponent, sign, before, colour, stones, after = cell.groups()
    if colour is None or colour == "?":
        return Mark(int(opponent), sign, bool(before or after), "", 0)
    return Mark(int(opponent), sign, bool(before or after), colour.lower(), int(stones or 0))
