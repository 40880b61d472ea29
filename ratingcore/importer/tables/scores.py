"""Parses the words of a result: the score, forfeits and byes, and the home side."""

from ratingcore.errors import BadValue
from ratingcore.importer.tables.cells import Moment
from ratingcore.importer.tables.lines import Unrated
from ratingcore.importer.tables.numbers import Number

FORFEIT, BYE, NO_RESULT = Unrated("forfeit"), Unrated("bye"), Unrated("no result yet")

WON = frozenset({"1-0", "1:0", "w", "win", "won"})
DRAWN = frozenset(
    {"1/2-1/2", "1/2:1/2", "½-½", "½:½", "0.5-0.5", "0.5:0.5", "0,5-0,5", "0,5:0,5", "1/2", "½", "0,5", "="}
    | {"d", "draw", "drawn"}
)
LOST = frozenset({"0-1", "0:1", "l", "loss", "lost"})
FORFEITED = frozenset(
    {"+", "-", "+/-", "-/+", "-/-", "+--", "--+", "---", "+:-", "-:+", "-:-", "1f", "0f", "½f", "1/2f"}
    | {"1-0f", "0-1f", "0-0f", "forfeit"}
)
PENDING = frozenset({"", "*", "?"})

_DASHES = str.maketrans({"\u2013": "-", "\u2014": "-", "\u2212": "-", " ": None, "\xa0": None})

WORDS: dict[str, float | Unrated] = (
    dict.fromkeys(WON, 1.0)
    | dict.fromkeys(DRAWN, 0.5)
    | dict.fromkeys(LOST, 0.0)
    | dict.fromkeys(FORFEITED, FORFEIT)
    | dict.fromkeys(PENDING, NO_RESULT)
    | {"bye": BYE}
)
"""Outcome of every score word, case-folded; a lone plus or minus is how rating reports write a forfeit."""


def score(text: str, number: Number) -> float | Unrated:
    """Share of the point that `a` took by a score word or a number, or why there is no result.

    Raises
    ------
    BadValue
        If the text is neither a word for a score nor a number from 0 to 1.
    """
    outcome = WORDS.get(text.translate(_DASHES).casefold())
    if outcome is not None:
        return outcome
    if type(text) is Moment:
        raise BadValue("score", text, "the cell is a date: the spreadsheet turned 1/2 or 2-1 into it")
    value = number(text)
    if value is None or not 0.0 <= value <= 1.0:
        raise BadValue("score", text, "is neither a score word nor a number from 0 to 1")
    return float(value)


def score_of_points(a: float, b: float) -> float:
    """Score of `a`: 1 for more points than `b`, 0.5 for as many, 0 for fewer."""
    return 1.0 if a > b else 0.0 if a < b else 0.5


def home(text: str) -> str | None:
    """Side that played at home, or None on neutral ground.

    Raises
    ------
    BadValue
        If the text names neither a side nor neutral ground.
    """
    side = text.casefold()
    if side in {"a", "b"}:
        return side
    if side in {"", "n", "neutral"}:
        return None
    raise BadValue("home", text, "is neither a, b nor neutral")
