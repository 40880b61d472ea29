"""First ratings of unrated players: the rules of federations, and the entry that names one of them."""

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
"""Gap in rating points that a perfect score is worth: FIDE's convention."""
IMAGINARY, CEILING, FLOOR = 1800.0, 2200.0, 1400.0
"""FIDE 2024: rating of the two imaginary opponents, the most a first rating can be, the least that is published."""


@frozen
class Initial:
    """A first rating by FIDE's rules, with its components.

    Parameters
    ----------
    opposition : float, rating points
        Mean rating of the opponents, the imaginary ones included.
    share : float in [0, 1]
        Share of the points, the imaginary draws included.
    gap : float, rating points
        Points that the share adds to the opposition.
    rating : float, rating points
        Rounded to a whole number.
    """

    opposition: float
    share: float
    gap: float
    rating: float


def _half_up(number: float) -> float:
    return float(floor(round(number, 10) + 0.5))


def fide2024(opponents: Floats, scores: Floats) -> Initial:
    """FIDE since March 2024: two draws with imaginary opponents rated 1800 added, at most 2200 [1]_.

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
    """FIDE until 2024: by table 8.1.1 up to half the points, above that a fixed number of points for each half point.

    Parameters
    ----------
    half_point : float, rating points
        20 since July 2014, 12.5 before.

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
"""Rating of a newcomer from opponents and scores, by the name of the rule; NaN if it publishes none."""


_TEXT = r"(at_start|mean|trial|pooled|refuse)(?:\(([^()]*)\))?"
_FROM = r"(?s)from\(\s*([^,]+?)\s*(?:,(.+))?\)"
_WAYS = ("at_start", "mean(months)", "trial(n,rule)", "pooled(n,months,rule)", "refuse", "from(pool,entry)")

MOST_GAMES, MOST_MONTHS = 10_000, 12_000
"""Number of games that make a rating, and of months for which a game counts, at most."""

_BEYOND = f"asks for more than {MOST_GAMES} games or {MOST_MONTHS} months"


@frozen
class Entry:
    """The way in which an unrated player gets a first rating.

    Texts: `at_start` (the start of the method's columns), `trial(n)` or `trial(n,rule)` (the first
    n games against rated players rate only the newcomer), `pooled(n,months)` or
    `pooled(n,months,rule)` (at the end of a period, once n games against rated players lie in the
    last so many months), `mean` (the mean rating of the pool, before their first game or at the start
    of its period) or `mean(months)` (of those who played in this calendar month or in so many before it),
    `refuse` (a player without a seed is an error), `from(pool)` or `from(pool,entry)` (an unrated player begins each
    tournament with the rating that the rule of another pool gives them through the day before it; where it gives none,
    by the other entry, `at_start` if none is named). In `trial` and `pooled` games between two unrated
    players count for neither; the rule is one of `RULES`.

    Parameters
    ----------
    kind : {"at_start", "mean", "trial", "pooled", "refuse", "from"}
    games : int
        Games against rated players that make a rating.
    months : int
        For `pooled`, months for which such a game counts; for `mean`, months within which a member has played, where
        0 includes everybody who is rated.
    rule : str
        Rule that makes a rating of the games: `periodic`, `fide2024`, `fide2014`.
    pool : str
        The other pool, for `from`.
    otherwise : Entry or None
        Entry of players whom the other pool does not rate, for `from`.

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
        """Reads an entry from text; `BadValue` for any other text."""
        if other := re.fullmatch(_FROM, text.strip()):
            otherwise = cls.parse(other[2] or "at_start")
            if otherwise.pool:
                raise BadValue("entry", text, "names two pools")
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
        """The entry of players whom no other pool rates."""
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
    """A game of a newcomer against a rated player: its month, the rating faced, the newcomer's score."""

    month: int
    opponent: float
    score: float


Carried = Mapping[int, Sequence[NewcomerGame]]
"""Games of newcomers that wait to make a first rating, by the row of the newcomer."""


@frozen
class Entering(Wrapped):
    """A method together with the way its newcomers get a first rating.

    The replay holds back the games of newcomers and plants their first ratings as seeds, without involving the method
    itself.
    """

    method: Method
    entry: Entry = field(factory=Entry)
