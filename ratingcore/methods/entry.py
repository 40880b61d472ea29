"""An entry: how an unrated player gets a first rating, with any method."""

import re
from typing import Literal, Self

from attrs import field, frozen

from ratingcore.errors import BadValue
from ratingcore.methods.contract import Method
from ratingcore.methods.initial import RULES
from ratingcore.methods.wrapped import Wrapped

_TEXT = re.compile(r"(at_start|mean|trial|pooled|refuse)(?:\(([^()]*)\))?")
_WHY = "is none of at_start, mean(months), trial(n,rule), pooled(n,months,rule), refuse"

MOST_GAMES, MOST_MONTHS = 10_000, 12_000
"""Games that make a rating, and months that a game counts, at most."""

_BEYOND = f"asks for more than {MOST_GAMES} games or {MOST_MONTHS} months"


@frozen
class Entry:
    """How an unrated player gets a first rating.

    Texts: `at_start` (the start of the method's columns), `trial(n)` or `trial(n,rule)` (the first
    n games against rated players rate only the newcomer), `pooled(n,months)` or
    `pooled(n,months,rule)` (at the end of a period, once n games against rated players lie in the
    last so many months), `mean` (the mean rating of the pool, before their first game or at the start
    of its period) or `mean(months)` (of those who played in this calendar month or in so many before it),
    `refuse` (a player without a seed is an error). In `trial` and `pooled` games between two unrated
    players count for neither; the rule is one of `ratingcore.methods.initial.RULES`.

    Parameters
    ----------
    kind : {"at_start", "mean", "trial", "pooled", "refuse"}
    games : int
        Games against rated players that make a rating.
    months : int
        How long such a game counts, for `pooled`; within how many a member of the pool has played, for `mean`, where
        0 takes everybody who is rated.
    rule : str
        How the games make a rating: `periodic`, `fide2024`, `fide2014`.

    Examples
    --------
    >>> str(Entry.parse("trial(15)")), Entry.parse("pooled(5,26,fide2024)").months
    ('trial(15,periodic)', 26)
    """

    kind: Literal["at_start", "mean", "trial", "pooled", "refuse"] = "at_start"
    games: int = 0
    months: int = 0
    rule: str = "periodic"

    def __attrs_post_init__(self) -> None:
        if not (0 <= self.games <= MOST_GAMES and 0 <= self.months <= MOST_MONTHS):
            raise BadValue("entry", str(self), _BEYOND)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The entry that a text names; `BadValue` if it names none."""
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            raise BadValue("entry", text, _WHY)
        kind, inside = match.groups()
        words = [word.strip() for word in re.split("[;,]", inside)] if inside else []
        wanted = {"trial": 1, "pooled": 2, "mean": len(words[:1])}.get(kind, 0)
        numbers, rules = words[:wanted], words[wanted:]
        fits = len(numbers) == wanted and len(rules) <= (kind in ("trial", "pooled"))
        if not fits or not all(re.fullmatch("0*[1-9][0-9]*", word) for word in numbers):
            raise BadValue("entry", text, _WHY)
        if any(len(word) > 18 for word in numbers):
            raise BadValue("entry", text, _BEYOND)
        if rules and rules[0] not in RULES:
            raise BadValue("entry", text, f"has a rule that is none of {', '.join(RULES)}")
        games, months = (*([0] if kind == "mean" else []), *map(int, numbers), 0, 0)[:2]
        return cls(kind, games, months, *rules)  # type: ignore[arg-type]  # the pattern knows the kinds

    def __str__(self) -> str:
        if self.kind == "trial":
            return f"trial({self.games},{self.rule})"
        if self.kind == "pooled":
            return f"pooled({self.games},{self.months},{self.rule})"
        return f"mean({self.months})" if self.kind == "mean" and self.months else self.kind


@frozen
class Entering(Wrapped):
    """A method together with the way its newcomers get a first rating.

    The replay keeps back the games of newcomers and plants what they make as seeds; the method itself knows nothing
    of it.
    """

    method: Method
    entry: Entry = field(factory=Entry)
