"""Rows of players in a TRF file: fixed columns, and a block of ten a round."""

import re
from typing import NamedTuple

from ratingcore.plugin.readers import Who, registered
from ratingcore_chess.titles import SEXES, title_of

ROUNDS = 91
"""Characters before the block of the first round; each block has ten."""
_BLOCK = re.compile(r" ([wWbB -]) (.)  ")
_YEAR = re.compile(r"(?<![0-9])(?:1[5-9]|20)[0-9]{2}(?![0-9])")
_POINTS = {"1": 1.0, "=": 0.5, "+": 1.0, "W": 1.0, "D": 0.5, "H": 0.5, "F": 1.0, "U": 1.0}
_PLAYED = {"1": 1.0, "=": 0.5, "0": 0.0}
ALWAYS = {"H": "bye", "F": "bye", "U": "bye", "Z": "absent", " ": "absent"}
"""Codes for which an opponent's number means nothing, and why they are not rated."""
_MET = {
    "+": "forfeit", "-": "forfeit", "W": "under one move", "D": "under one move", "L": "under one move",
    "*": "no result yet", "X": "no result yet", "?": "no result yet",
}  # fmt: skip
_ALONE = {"+": "forfeit", "-": "absent", "*": "absent", "X": "absent", "?": "absent"}


class Code(NamedTuple):
    """What a round says besides the opponent: the colour, and the code of the result."""

    colour: str
    code: str

    def says(self, opponent: int) -> float | str:
        """Score of a game that was played, or why it is not rated.

        Raises
        ------
        ValueError
            If the code is none, or needs an opponent.
        """
        unrated = ALWAYS.get(self.code)
        if unrated is None and not opponent:
            unrated = _ALONE.get(self.code)
            if unrated is None and (self.code in _PLAYED or self.code in _MET):
                raise ValueError("a result without an opponent")
        if unrated is not None:
            return unrated
        score = _PLAYED.get(self.code)
        if score is None and self.code not in _MET:
            raise ValueError(f"unknown result code {self.code!r}")
        return _MET[self.code] if score is None else score

    @property
    def points(self) -> float:
        """Points that the round gives where nothing else is agreed."""
        return _POINTS.get(self.code, 0.0)


class Row(NamedTuple):
    """A player: rank, who they are, facts, rating (0 for none), points as they stand, opponent and code by round."""

    line: int
    rank: int
    who: Who
    facts: dict[str, str | int]
    rating: int
    points: str
    rounds: list[tuple[int, Code]]
    text: str


def rank_of(text: str) -> int:
    """The rank in columns 5 to 8; `ValueError` if it is none."""
    plain = text[4:8].strip()
    if not (plain.isascii() and plain.isdecimal() and int(plain)):
        raise ValueError(f"its rank is no number: {text[4:8]!r}")
    return int(plain)


def row_of(line: int, text: str, memory: dict[str, Code]) -> Row:
    """The player of a line 001.

    Parameters
    ----------
    memory : dict
        What the ends of blocks mean; there are few, and it grows.

    Raises
    ------
    ValueError
        If the rank is no number, or a round stands in other columns than its own.
    """
    rank = rank_of(text)
    facts: dict[str, str | int] = {}
    if year := _YEAR.search(text[69:79]):
        facts["born"] = int(year[0])
    for name, value in (
        ("title", title_of(text[10:13])),
        ("sex", SEXES.get(text[9:10].lower(), "")),
        ("federation", text[53:56].strip()),
    ):
        if value:
            facts[name] = value
    who = Who(registered("fide", text[57:68]), text[14:47].strip(), str(rank))
    return Row(line, rank, who, facts, rating_of(text), text[80:84].strip(), _rounds(text, memory), text)


def row_by_bytes(line: int, text: str, memory: dict[str, Code]) -> Row:
    """The player of a line 001 whose columns were counted in bytes of UTF-8, as some programs do; see `row_of`."""
    row = row_of(line, text.encode().decode("latin-1"), memory)
    if not row.rounds:  # nothing shows that its columns are those
        raise ValueError(f"it does not stand in its columns: {text[:60]!r}")
    name = row.who.name.encode("latin-1").decode("utf-8", "ignore")
    return row._replace(who=row.who._replace(name=name), text=text)


def rating_of(text: str) -> int:
    """The rating in columns 49 to 52, or 0."""
    plain = text[48:52].strip()
    return int(plain) if plain.isascii() and plain.isdecimal() else 0


def _rounds(text: str, memory: dict[str, Code]) -> list[tuple[int, Code]]:
    end = len(text.rstrip())
    if end <= ROUNDS:
        return []
    text = text[:end].ljust(end + 10)
    found: list[tuple[int, Code]] = []
    for start in range(ROUNDS, end, 10):
        number, rest = text[start : start + 4], text[start + 4 : start + 10]
        code = memory.get(rest)
        if code is None:
            code = _code(rest)
            if code is not None:
                memory[rest] = code
        digits = number.strip(" ")
        if code is None or not (digits.isdecimal() or not digits):
            raise ValueError(f"round {len(found) + 1} does not stand in its columns: {number + rest!r}")
        found.append((int(digits or 0), code))
    return found


def _code(text: str) -> Code | None:
    match = _BLOCK.fullmatch(text)
    if match is None:
        return None
    colour = match[1].lower()
    return Code(colour if colour in "wb" else "", match[2].upper())
