"""Rows as aligned lines of plain text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from unicodedata import category, east_asian_width

_OVER = {"Mn", "Me", "Cf"}
"""Categories of characters with no width of their own."""


def shown(value: Any) -> str:
    """A cell as text: empty for None, floats with up to 6 decimals.

    Examples
    --------
    >>> [shown(value) for value in (None, 1.0, 0.123456789, "ann")]
    ['', '1', '0.123457', 'ann']
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:z.6f}".rstrip("0").rstrip(".")
    return one_line(str(value))


def one_line(text: str) -> str:
    """A text made safe for one line of a terminal: control characters are escaped.

    Examples
    --------
    >>> print(one_line("default,\\nnot played"))
    default,\\nnot played
    """
    if text.isprintable():
        return text
    return "".join(char if category(char) != "Cc" else char.encode("unicode_escape").decode() for char in text)


def width(text: str) -> int:
    """Columns of a terminal that a text takes: two for wide characters, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(0 if category(char) in _OVER else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def aligned(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Headings and rows as aligned lines, numbers to the right.

    Examples
    --------
    >>> print("\\n".join(aligned(("player", "rating"), [{"player": "ann", "rating": 1512.5}])))
    player  rating
    ann     1512.5
    """
    body = [[row.get(name) for name in columns] for row in rows]
    texts = _decimals(body)
    right = [any(isinstance(row[n], int | float) for row in body) for n in range(len(columns))]
    widths = [max(width(name), *(width(line[n]) for line in texts), 0) for n, name in enumerate(columns)]
    lines = []
    for line in ([*columns], *texts):
        cells = [_pad(text, widths[n], right[n]) for n, text in enumerate(line)]
        lines.append("  ".join(cells).rstrip())
    return lines


def _decimals(body: list[list[Any]]) -> list[list[str]]:
    """Cells as text: the floats of a column with the decimals that the longest of them needs."""
    texts = [[shown(cell) for cell in row] for row in body]
    for n in range(len(body[0]) if body else 0):
        floats = [r for r, row in enumerate(body) if isinstance(row[n], float)]
        places = max((len(texts[r][n].partition(".")[2]) for r in floats), default=0)
        for r in floats:
            texts[r][n] = f"{body[r][n]:z.{places}f}"
    return texts


def _pad(text: str, size: int, right: bool) -> str:
    space = " " * (size - width(text))
    return space + text if right else text + space
