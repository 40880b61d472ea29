"""Parses the cells of cross-tables, in the spellings of many programs: opponent, score and colour."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ratingcore.plugin.readers import nobody

_BYES = ("", "frei", "not paired", "notpaired")
_FIRST = re.compile(r"([0-9]{1,4})[: ]?([wbsncz])?:?([01½]k?|[-+=*?kwldrxf])?")
_LAST = re.compile(r"([wldrxf]|[-+=]f?)([wbsncz]?)([0-9]{1,4})([wbsncz]?)")
_POINTS = {"1": 1.0, "½": 0.5, "0": 0.0, "w": 1.0, "d": 0.5, "r": 0.5, "l": 0.0, "+": 1.0, "=": 0.5, "-": 0.0}
_ALONE = {
    "": ("absent", 0.0), "0": ("absent", 0.0), "-": ("absent", 0.0), "l": ("absent", 0.0), "u": ("absent", 0.0),
    "z": ("absent", 0.0), "1": ("bye", 1.0), "+": ("bye", 1.0), "w": ("bye", 1.0), "b": ("bye", 1.0),
    "½": ("bye", 0.5), "=": ("bye", 0.5), "d": ("bye", 0.5), "h": ("bye", 0.5), "x": ("forfeit", 1.0),
    "f": ("forfeit", 0.0), "k": ("forfeit", None), "*": ("no result yet", None), "?": ("no result yet", None),
}  # fmt: skip
"""Cells without an opponent: the reason why there is no game, and the points if known."""


class CrosstableCell(NamedTuple):
    """The meaning of a cell.

    `opponent` is 0 if there is none; `outcome` is the score, or why there is none; `points` are None if unknown.
    """

    opponent: int
    outcome: float | str
    colour: str = ""
    points: float | None = None


def plain(cell: str) -> str:
    """Normalises a cell: lower case, a half as ½, no blanks except one between two numbers.

    Examples
    --------
    >>> plain("3 W 1/2"), plain("12/+"), plain("0,5"), plain("5 1")
    ('3w½', '12:+', '½', '5 1')
    """
    text = re.sub("[\u2013\u2014\u2212]", "-", cell.casefold()).replace(",", ".")
    text = re.sub(r"1/2|(?<![0-9])0?\.50?(?![0-9])", "½", text)
    text = re.sub(r"(?<![0-9.])([01])\.0+(?![0-9])", r"\1", text)
    return re.sub(r"\s+(?![01½]$)|(?<![0-9])\s+", "", text.replace("/", ":"))


def is_bye(text: str) -> bool:
    """True if a name or a cell is a word for a bye."""
    return text.strip().casefold() in _BYES or nobody(text) == "bye"


def is_of_grid(cell: str) -> bool:
    """True if a cell may be from a table whose columns are opponents: results, or the mark on the diagonal."""
    return re.fullmatch(r"[01½]{1,8}|[01½] [01½]|[-+=]{1,2}|[^\w½]+|x+", cell) is not None


class Style:
    """Conventions of a table, inferred from all its cells, since a single one such as `3+` or `-1` is ambiguous.

    Parameters
    ----------
    cells : sequence of str
        All cells, in the spelling of `plain`.
    signs : {"auto", "games", "forfeits"}
        Meaning of + and - after an opponent; `auto` infers it from the cells.
    grid : bool
        Whether the columns are opponents.

    Examples
    --------
    >>> Style(["3w1", "-1"], "auto", False).mark("-1")
    CrosstableCell(opponent=0, outcome='bye', colour='', points=1.0)
    >>> Style(["+2", "-1"], "auto", False).mark("-1")
    CrosstableCell(opponent=1, outcome=0.0, colour='', points=0.0)
    """

    def __init__(self, cells: Sequence[str], signs: str, grid: bool) -> None:
        firsts = [] if grid else [match for one in cells if (match := _FIRST.fullmatch(one)) and int(match[1])]
        lasts = [match for one in cells if (match := _LAST.fullmatch(one))]
        results = set("".join(cells)) if grid else {match[3][0] for match in firsts if match[3]}
        colours = {match[2] for match in firsts} | {letter for match in lasts for letter in match.group(2, 4)}
        self._grid, self._signs = grid, signs
        self._opponent_first = any(match[2] or match[3] for match in firsts)
        self._sign_first = any(match[1][0] in "+-=" and (match[2] or int(match[3]) > 1) for match in lasts)
        self._letters = bool(results & set("ldr"))
        if signs == "auto":
            others = bool(results & set("01½ldr"))
            self._signs = "" if others == ("=" in results) else "forfeits" if others else "games"
        # b is white in French (blanc) and Polish (białe), where black is n (noir) or c (czarne)
        self._white = "b" if "w" not in colours and colours & set("ncz") else "w"

    def marks(self, turn: int, cell: str) -> Iterable[tuple[int, CrosstableCell | str]]:
        """Returns pairs of number and meaning: one per game if columns are opponents, else one, numbered by round."""
        if not self._grid:
            return [(turn, self.mark(cell))]
        if not is_of_grid(cell) and cell:
            return [(1, "is not a result")]
        return enumerate((self.against(turn, one) for one in re.sub("[^01½+=-]", "", cell)), 1)

    def mark(self, cell: str) -> CrosstableCell | str:
        """Returns the meaning of a cell, or the reason why it is unclear."""
        signed = re.fullmatch("[-+=]([01½])", cell)
        if signed and signed[1] == "1" and self._opponent_first == self._sign_first:
            return "may be a game against player 1 or a bye: write the bye as a word"
        if signed and (signed[1] != "1" or self._opponent_first):
            return CrosstableCell(0, _ALONE[signed[1]][0], "", _ALONE[signed[1]][1])
        key = re.sub("(?<=^[bhuzxf])-+$|(?<=^-)-+$", "", cell)
        if match := _LAST.fullmatch(cell):
            if int(match[3]):
                return self.against(int(match[3]), match[1], match[2] or match[4], last=True)
            key = match[1][0]
        if (match := _FIRST.fullmatch(cell)) and cell not in _ALONE:
            colour, result = match[2] or "", match[3] or ""
            if self._letters and colour == "w" and not result:
                colour, result = "", "w"
            if int(match[1]):
                return self.against(int(match[1]), result, colour)
            key = result[:1]
        if is_bye(cell.strip("+-=")) and key not in _ALONE:
            return CrosstableCell(0, "bye", "", {"+": 1.0, "=": 0.5}.get(cell[0]))
        return CrosstableCell(0, _ALONE[key][0], "", _ALONE[key][1]) if key in _ALONE else "is not a result"

    def has_result(self, cell: str) -> bool:
        """True if part of a cell can only be a result against an opponent, unlike `2½` and `+12`."""
        marks = (self.mark(part) for part in map(plain, (cell, *cell.split())) if re.search("[wbsnczldxf:]", part))
        return any(isinstance(mark, CrosstableCell) and mark.opponent > 0 for mark in marks)

    def against(self, opponent: int, result: str, colour: str = "", *, last: bool = False) -> CrosstableCell | str:
        """Returns the meaning of a result against an opponent; `last` if the opponent's number follows the result."""
        colour = colour and ("w" if colour == self._white else "b")
        if result in ("", "*", "?"):
            return CrosstableCell(opponent, "no result yet", colour)
        sign = result in "+-" and not last
        if sign and not self._signs:
            return "may be a game or a forfeit: use -o signs=games or -o signs=forfeits"
        points = {"x": 1.0, "f": 0.0, "k": None}.get(result[0], _POINTS.get(result[0]))
        forfeit = result[-1] in "kxf" or (sign and self._signs == "forfeits")
        return CrosstableCell(opponent, "forfeit" if forfeit or points is None else points, colour, points)
