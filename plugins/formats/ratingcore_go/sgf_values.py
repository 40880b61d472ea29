"""Values of the first node of an SGF game: its properties, and what a result and a date mean."""

import re
from collections.abc import Mapping

_PROPERTY = re.compile(r"([A-Za-z]+)\s*((?:\[(?:[^\]\\]++|\\[\s\S])*+\]\s*+)++)")
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\[\s\S])*+)\]")
_ESCAPED = re.compile(r"\\(\r\n|\n\r|[\s\S])")
_WON = re.compile(r"([BW])\s*\+\s*(.*)", re.IGNORECASE | re.DOTALL)
_EVEN = frozenset({"0", "draw", "jigo"})
_DAY = re.compile(r"\s*([0-9]{4}(?:[-/.][0-9]{1,2}){0,2})(?:\s*,.*)?", re.DOTALL)


def properties(node: str) -> dict[str, str]:
    """Returns the first value of each property of a node; of a property that comes twice, the first.

    Lower-case letters of a name mean nothing, as older files have it: `GaMe` is GM.

    Examples
    --------
    >>> properties(r"GM[1]PB[Ann \\] Bo]C[a][b]")
    {'GM': '1', 'PB': 'Ann ] Bo', 'C': 'a'}
    """
    found: dict[str, str] = {}
    for name, values in _PROPERTY.findall(node):
        short = "".join(letter for letter in name if letter.isupper()) or name.upper()
        match = _VALUE.match(values)
        if match is not None:
            found.setdefault(short, " ".join(_ESCAPED.sub(_unescaped, match[1]).split()))
    return found


def _unescaped(match: re.Match[str]) -> str:
    return "" if match[1].isspace() and match[1] not in " \t" else match[1]


def result_of(text: str, words: Mapping[str, str]) -> float | str | None:
    """Returns the share of the point that Black took, or why the game is unrated; None for a result in other words.

    Parameters
    ----------
    words : mapping
        Results in other words, and what they mean.

    Examples
    --------
    >>> result_of("B+R", {}), result_of("W+F", {}), result_of("?", {}), result_of("Black won", {"Black won": "B+"})
    (1.0, 'forfeit', 'no result yet', 1.0)
    """
    plain = words.get(text.strip(), text).strip()
    if plain in ("", "?"):
        return "no result yet"
    if plain.lower() == "void":
        return "annulled"
    if plain.lower() in _EVEN:
        return 0.5
    match = _WON.fullmatch(plain)
    if match is None:
        return None
    if match[2].strip().lower() in ("f", "forfeit"):
        return "forfeit"
    return 1.0 if match[1] in "Bb" else 0.0


def first_day(text: str) -> str:
    """Returns the first day of a list of days, the rest of which may leave out what does not change.

    Examples
    --------
    >>> first_day("1996-12-27,28"), first_day("1996-12,1997-01"), first_day("last spring")
    ('1996-12-27', '1996-12', 'last spring')
    """
    match = _DAY.fullmatch(text)
    return match[1] if match else text
