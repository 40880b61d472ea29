"""First ratings of unrated players: rules of federations, and the entries by which newcomers join a pool."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import floor, nan
from types import MappingProxyType
from typing import Literal, NamedTuple, Self

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats
from ratingcore.errors import BadValue, NotOneOf
from ratingcore.methods.contract import Method
from ratingcore.methods.curves import normal_gap, table_gap
from ratingcore.methods.wrapped import Wrapped
from ratingcore.validators import instance_of, one_of

CAP = 800.0
"""Gap in rating points that a perfect score is worth, by FIDE's convention."""
IMAGINARY, CEILING, FLOOR = 1800.0, 2200.0, 1400.0
"""FIDE 2024: rating of the two imaginary opponents, highest first rating, and lowest published rating."""


@frozen
class Initial:
    """First rating by FIDE's rules, with its components.

    Parameters
    ----------
    opposition : float, rating points
        Mean rating of the opponents, including imaginary ones.
    share : float in [0, 1]
        Share of the points, including those of imaginary draws.
    gap : float, rating points
        Points that the share adds to the opposition.
    rating : float, rating points
        First rating, rounded to a whole number.
    """

    opposition: float
    share: float
    gap: float
    rating: float


def _half_up(number: float) -> float:
    return float(floor(round(number, 10) + 0.5))


def fide2024(opponents: Floats, scores: Floats) -> Initial:
    """FIDE since March 2024: adds two draws with imaginary opponents rated 1800; gives at most 2200 [1]_.

    References
    ----------
    .. [1] FIDE, *Rating Regulations* (handbook B.02), in force from 1 March 2024, 8.2.

    Examples
    --------
    >>> opponents = np.array([1610.0, 1550.0, 1720.0, 1680.0, 1495.0, 1810.0])
    >>> fide2024(opponents, np.array([1.0, 0.5, 0.0, 1.0, 1.0, 0.0]))
    Initial(opposition=1683.125, share=0.5625, gap=43.0, rating=1726.0)
    """
    n = len(scores)
    opposition = (float(np.sum(opponents)) + 2.0 * IMAGINARY) / (n + 2)
    share = (float(np.sum(scores)) + 1.0) / (n + 2)
    gap = float(table_gap(np.array([share]))[0])
    return Initial(opposition, share, gap, min(_half_up(opposition + gap), CEILING))


def fide2014(opponents: Floats, scores: Floats, half_point: float = 20.0) -> Initial:
    """FIDE until 2024: table 8.1.1 up to half the points, beyond that a fixed gain for each half point above.

    Parameters
    ----------
    half_point : float, rating points
        Gain for each half point: 20 since July 2014, 12.5 before.

    Examples
    --------
    >>> opponents = np.array([1610.0, 1550.0, 1720.0, 1680.0, 1495.0, 1810.0])
    >>> fide2014(opponents, np.array([1.0, 0.5, 0.0, 1.0, 1.0, 0.0])).rating
    1664.0
    """
    n, made = len(scores), float(np.sum(scores))
    opposition, share = float(np.mean(opponents)), made / n
    above = 2.0 * made - n
    gap = half_point * above if above > 0 else float(table_gap(np.array([share]))[0])
    return Initial(opposition, share, gap, _half_up(opposition + gap))


def _periodic(opponents: Floats, scores: Floats) -> float:
    gap = float(normal_gap(np.array([float(np.sum(scores)) / len(scores)]))[0])
    return max(0.0, float(np.mean(opponents)) + min(max(gap, -CAP), CAP))


def _published(opponents: Floats, scores: Floats) -> float:
    rating = fide2024(opponents, scores).rating
    return rating if rating >= FLOOR else nan


RULES: Mapping[str, Callable[[Floats, Floats], float]] = MappingProxyType(
    {
        "periodic": _periodic,
        "fide2024": _published,
        "fide2014": lambda opponents, scores: fide2014(opponents, scores).rating,
    }
)
"""Functions, by name of a rule, from opponents and scores to a first rating; NaN if the rule publishes none."""


_TEXT = r"(at_start|mean|trial|pooled|refuse)(?:\(([^()]*)\))?"
_FROM = r"(?s)from\(\s*([^,]+?)\s*(?:,(.+))?\)"
_WAYS = ("at_start", "mean(months)", "trial(n,rule)", "pooled(n,months,rule)", "refuse", "from(pool,entry)")

MOST_GAMES, MOST_MONTHS = 10_000, 12_000
"""Largest number of games that make a rating, and of months for which a game counts."""

_BEYOND = f"has more than {MOST_GAMES} games or {MOST_MONTHS} months"


@frozen
class Entry:
    """The way in which an unrated player gets a first rating.

    It is one of these texts:

    - `at_start`: the initial rating of the method.
    - `trial(n)` or `trial(n,rule)`: the first n games against rated players make the rating, and rate only the
      newcomer.
    - `pooled(n,months)` or `pooled(n,months,rule)`: a rating at the end of the first period at which n games against
      rated players lie within the last `months` months.
    - `mean` or `mean(months)`: the mean rating of the pool, before the first game of the newcomer or at the start of
      that period; with `months`, of those who played in this calendar month or in that many months before it.
    - `refuse`: a player without a seed is an error.
    - `from(pool)` or `from(pool,entry)`: the rating in another pool, by its rule, on the day before a tournament. A
      player without such a rating enters by the other entry, or by `at_start`.

    With `trial` and `pooled`, a game between two unrated players counts for neither; the rule is one of `RULES`.

    Parameters
    ----------
    kind : {"at_start", "mean", "trial", "pooled", "refuse", "from"}
    games : int
        Number of games against rated players that make a rating.
    months : int
        For `pooled`, number of months for which such a game counts. For `mean`, number of months within which a player
        must have played to be part of the mean; 0 includes all rated players.
    rule : str
        Rule that makes a rating from the games: `periodic`, `fide2024`, `fide2014`.
    pool : str
        The other pool, for `from`.
    otherwise : Entry or None
        Entry for players whom the other pool does not rate, for `from`.

    Examples
    --------
    >>> str(Entry.parse("trial(15)")), Entry.parse("pooled(5,26,fide2024)").months
    ('trial(15,periodic)', 26)
    """

    kind: Literal["at_start", "mean", "trial", "pooled", "refuse", "from"] = field(
        default="at_start", validator=one_of("at_start", "mean", "trial", "pooled", "refuse", "from")
    )
    games: int = field(default=0, validator=instance_of(int))
    months: int = field(default=0, validator=instance_of(int))
    rule: str = field(default="periodic", validator=one_of(*RULES))
    pool: str = ""
    otherwise: "Entry | None" = None

    def __attrs_post_init__(self) -> None:
        if not (0 <= self.games <= MOST_GAMES and 0 <= self.months <= MOST_MONTHS):
            raise BadValue("entry", str(self), _BEYOND)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads an entry from a text; raises `BadValue` for any other text."""
        if other := re.fullmatch(_FROM, text.strip()):
            otherwise = cls.parse(other[2] or "at_start")
            if otherwise.pool:
                raise BadValue("entry", text, "must name one pool, not two")
            return cls("from", pool=other[1], otherwise=otherwise)
        match = re.fullmatch(_TEXT, text.strip())
        if match is None:
            raise NotOneOf.of("entry", text, _WAYS)
        kind, inside = match.groups()
        words = [word.strip() for word in re.split("[;,]", inside)] if inside else []
        wanted = {"trial": 1, "pooled": 2, "mean": len(words[:1])}.get(kind, 0)
        numbers, rules = words[:wanted], words[wanted:]
        fits = len(numbers) == wanted and len(rules) <= (kind in ("trial", "pooled"))
        if not fits or not all(re.fullmatch("0*[1-9][0-9]*", word) for word in numbers):
            raise NotOneOf.of("entry", text, _WAYS)
        if any(len(word) > 18 for word in numbers):
            raise BadValue("entry", text, _BEYOND)
        if rules and rules[0] not in RULES:
            raise BadValue("entry", text, f"needs a rule that is one of {', '.join(RULES)}")
        games, months = (*([0] if kind == "mean" else []), *map(int, numbers), 0, 0)[:2]
        return cls(kind, games, months, *rules)  # type: ignore[arg-type]  # the pattern knows the kinds

    @property
    def own(self) -> "Entry":
        """The entry for players whom no other pool rates."""
        return self.otherwise or self

    def __str__(self) -> str:
        if self.kind == "from":
            return f"from({self.pool})" if self.own.kind == "at_start" else f"from({self.pool},{self.own})"
        if self.kind == "trial":
            return f"trial({self.games},{self.rule})"
        if self.kind == "pooled":
            return f"pooled({self.games},{self.months},{self.rule})"
        return f"mean({self.months})" if self.kind == "mean" and self.months else self.kind


AT_ONCE = ("at_start", "mean")
"""Entries under which every game is rated."""


class NewcomerGame(NamedTuple):
    """Game of a newcomer against a rated player: its month, the opponent's rating, and the newcomer's score."""

    month: int
    opponent: float
    score: float


Carried = Mapping[int, Sequence[NewcomerGame]]
"""Games of newcomers that are too few for a first rating so far, by the row of the newcomer."""


@frozen
class Entering(Wrapped):
    """A method together with the way its newcomers get a first rating.

    The replay does this without the method: it holds back the games of newcomers, and sets their first ratings as it
    does seeds.
    """

    method: Method
    entry: Entry = field(factory=Entry)
