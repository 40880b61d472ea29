"""Formats rows as aligned lines of plain text."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from math import isfinite
from unicodedata import category, east_asian_width

from ratingcore.safe_text import visible

_OVER = {"Mn", "Me", "Cf"}
"""Categories of characters that have no width."""


def shown(value: object) -> str:
    """Formats a cell as text: empty for None, floats with up to 6 decimals.

    Examples
    --------
    >>> [shown(value) for value in (None, 1.0, 0.123456789, "ann")]
    ['', '1', '0.123457', 'ann']
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:z.6f}".rstrip("0").rstrip(".")
    return visible(str(value))


def exactly(value: object) -> str:
    """Formats a cell as text, a float with all its decimals; for numbers that are already rounded.

    Examples
    --------
    >>> [exactly(value) for value in (None, 1512.0, 0.0191432, 1.25e-07, "ann")]
    ['', '1512', '0.0191432', '0.000000125', 'ann']
    """
    if not isinstance(value, float) or not isfinite(value):
        return shown(value)
    text = f"{Decimal(repr(value + 0.0)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def width(text: str) -> int:
    """Returns the number of terminal columns that a text takes: two per wide character, none per combining mark."""
    if text.isascii():
        return len(text)
    return sum(0 if category(char) in _OVER else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def aligned(columns: Sequence[str], rows: Iterable[Mapping[str, object]], rounded: Collection[str] = ()) -> list[str]:
    """Formats headings and rows as aligned lines, with numbers aligned right.

    Parameters
    ----------
    columns : sequence of str
    rows : iterable of mapping
    rounded : collection of str
        Columns whose numbers are already rounded, each to its own digits. They are printed as they are, with aligned
        decimal points. Other floats in a column all get the same number of decimals, at most 6, padded with zeros.

    Examples
    --------
    >>> print("\\n".join(aligned(("player", "rating"), [{"player": "ann", "rating": 1512.5}])))
    player  rating
    ann     1512.5
    """
    body = [[row.get(name) for name in columns] for row in rows]
    texts = _decimals(body, [name in rounded for name in columns])
    right = [any(isinstance(row[n], int | float) for row in body) for n in range(len(columns))]
    heads = list(map(visible, columns))
    widths = [max(width(head), *(width(line[n]) for line in texts), 0) for n, head in enumerate(heads)]
    lines = []
    for line in (heads, *texts):
        cells = [_pad(text, widths[n], right[n]) for n, text in enumerate(line)]
        lines.append("  ".join(cells).rstrip())
    return lines


TEXT = 20
"""Number of terminal columns to which long texts may be cut when a table has little room."""


def aligned_within(
    columns: Sequence[str], rows: Sequence[Mapping[str, object]], rounded: Collection[str], room: int,
    spare: Sequence[str] = (), needed: Collection[str] = (),
) -> tuple[list[str], list[str]]:  # fmt: skip
    """Formats lines like `aligned`, within `room` terminal columns; also returns the columns that had no room.

    Columns are left out until the others fit, with long texts cut. The `spare` columns go first, in their order; then
    the others from the right, except for the first two and the `needed` ones. Texts in `spare` and `needed` columns are
    not cut.

    Examples
    --------
    >>> row = {"player": "ann", "rating": 1512.5, "club": "Reykjavik"}
    >>> lines, left = aligned_within(tuple(row), [row], (), room=20)
    >>> lines, left
    (['player  rating', 'ann     1512.5'], ['club'])
    """
    size = {name: max(map(width, aligned([name], rows, rounded))) for name in columns}
    least = {
        name: max(min(size[name], TEXT), width(name)) for name in columns
        if name not in spare and name not in needed and any(isinstance(row.get(name), str) for row in rows)
    }  # fmt: skip
    kept, first = list(columns), [name for name in spare if name in columns]

    def excess(sizes: Mapping[str, int]) -> int:
        return sum(sizes[name] for name in kept) + 2 * (len(kept) - 1) - room

    first += [name for name in reversed(kept[2:]) if name not in first and name not in needed]
    while excess(size | least) > 0 and first:
        kept.remove(first.pop(0))
    for name in sorted(least.keys() & set(kept), key=lambda name: (-size[name], columns.index(name))):
        size[name] = max(least[name], min(size[name], size[name] - excess(size)))
    cut = [{name: _cut(row.get(name), size[name]) for name in kept} for row in rows]
    return aligned(kept, cut, rounded), [name for name in columns if name not in kept]


def _cut(cell: object, most: int) -> object:
    if not isinstance(cell, str) or width(visible(cell)) <= most:
        return cell
    text = visible(cell)
    while width(text) >= most:
        text = text[:-1]
    return f"{text}…"


def _decimals(body: list[list[object]], rounded: Sequence[bool]) -> list[list[str]]:
    """Formats cells as text, with the same number of decimals for all floats in a column.

    Rounded ones are padded with blanks to the same width instead.
    """
    texts = [[exactly(cell) if rounded[n] else shown(cell) for n, cell in enumerate(row)] for row in body]
    for n in range(len(body[0]) if body else 0):
        floats = [r for r, row in enumerate(body) if isinstance(row[n], float)]
        places = max((len(texts[r][n].partition(".")[2]) for r in floats), default=0)
        for r in floats:
            if not rounded[n]:
                texts[r][n] = f"{body[r][n]:z.{places}f}"
            elif places:
                whole, _, decimals = texts[r][n].partition(".")
                texts[r][n] = f"{whole}{'.' if decimals else ' '}{decimals:<{places}}"
    return texts


def _pad(text: str, size: int, right: bool) -> str:
    space = " " * (size - width(text))
    return space + text if right else text + space
