"""A contender: a method that takes part in a simulation, with the way its newcomers enter."""

from collections.abc import Callable
from math import isfinite, isnan
from typing import Literal, Self

from attrs import Attribute, field, frozen

from ratingcore.errors import NotOneOf
from ratingcore.plugin import BadParameter, BadValue, Cadence, Method, Sides
from ratingcore.plugin.analysis import Entering, identity
from ratingcore_laboratory.thesis.published import K


def _named(contender: "Contender", attribute: "Attribute[str]", name: object) -> None:
    if not isinstance(name, str) or not name.strip():
        raise BadValue("name of a contender", name, "must be text")


@frozen
class Contender:
    """A method under a name, with the way its newcomers enter.

    Parameters
    ----------
    name : str
        The random numbers of a contender depend on the seed and this name alone.
    method : Method
        Any method. A periodic method has rounds as periods, whatever its own are; a whole-pool method is solved again
        every round from all results so far.
    entry : {"initial", "trial", "pooled"}
        Newcomers begin at the start of the method (`initial`); or with a performance rating from some games against
        members of the pool, for whom these games do not count (`trial`); or they play on unrated until, at the end of a
        round, enough of their games against rated players lie in the last rounds, and these games count for them alone
        (`pooled`, as in a replay). Players who are there before the first round begin at the start in any case.
    start : float or None, rating points
        Rating at which everybody begins, given as a seed; the method's own if None.
    games : int or None
        Number of games that make a first rating; for a trial, None is `entry_games` of the world.
    rule : {"periodic", "fide2014", "fide2024"}
        Rule that makes a rating of these games; `fide2024`, which may make none, is only for pooled entries by periods.
    months : int
        Rounds in which the games of a pooled entry lie.

    Raises
    ------
    BadParameter
        If newcomers would have no rating, or the method cannot take part in this way.
    """

    name: str = field(validator=_named)
    method: Method
    entry: Literal["initial", "trial", "pooled"] = "initial"
    start: float | None = None
    games: int | None = None
    rule: str = "periodic"
    months: int = 0

    def __attrs_post_init__(self) -> None:
        method = self.method
        if self.entry not in ("initial", "trial", "pooled"):
            raise NotOneOf.of("entry of a contender", self.entry, ("initial", "trial", "pooled"))
        if self.start is not None and not isfinite(self.start):
            raise BadValue("start of a contender", self.start, "must be a finite number")
        if self.games is not None and self.games < 1:
            raise BadValue("games of a trial", self.games, "must be one or more")
        if self.pooled and (self.games is None or self.months < 1):
            raise BadValue("entry of a contender", self.entry, "needs games and months, one or more of each")
        waits = self.pooled and method.cadence is Cadence.PERIODIC  # fide2024 may make no rating: then newcomers wait
        rules = ("periodic", "fide2014", *(["fide2024"] if waits else []))
        if self.rule not in rules:
            raise NotOneOf.of("rule of an entry", self.rule, rules)
        if isinstance(method, Entering):
            why = f"belongs to the contender, entry={method.entry.kind}, not to the method: {method.entry}"
            raise BadParameter(method.name, "entry", why)
        if self.entry != "initial" and (method.reads is Sides or method.cadence is Cadence.RETROSPECTIVE):
            raise BadParameter(method.name, "entry", f"{self.entry} works with games, game by game or by period")
        if isnan(self.begins) and method.cadence is not Cadence.RETROSPECTIVE:
            raise BadParameter(method.name, "rating", "begins unrated: give the contender a start, such as start=1100")

    @property
    def begins(self) -> float:
        """Rating at which a player begins; NaN for a whole-pool method that rates nobody without results."""
        own = next((column.start for column in self.method.columns() if column.name == "rating"), 0.0)
        return own if self.start is None else self.start

    @property
    def pooled(self) -> bool:
        """True if newcomers enter by their results."""
        return self.entry == "pooled"

    @property
    def seeded(self) -> bool:
        """True if first ratings are given from outside."""
        return self.start is not None or self.entry != "initial"

    @property
    def identity(self) -> str:
        """Text of the contender in provenance."""
        start = "" if self.start is None else f", start={self.start}"
        trial = "" if self.entry == "initial" or self.games is None else f", {self.games} games"
        trial += f", {self.months} months" if self.pooled else ""
        rule = "" if self.rule == "periodic" else f", {self.rule}"
        return f"{identity(self.method)} entry={self.entry}{trial}{rule}{start}"

    @classmethod
    def of(cls, name: str, method: Method, start: float | None = None) -> Self:
        """Makes a contender of a method; its entry may be given as `entry=trial(15)` or `entry=pooled(5,26)`."""
        if not isinstance(method, Entering):
            return cls(name, method, "initial", start)
        entry = method.entry
        if entry.kind not in ("trial", "pooled"):
            raise BadParameter(
                method.name, "entry", f"is at_start, trial(n) or pooled(n,months) in a simulation: {entry}"
            )
        kind: Literal["trial", "pooled"] = "trial" if entry.kind == "trial" else "pooled"
        return cls(name, method.method, kind, start, entry.games, entry.rule, entry.months)


START = 1100.0
"""Rating at which everybody begins in the source study."""


def combinations(method: Callable[[str], Method], k: str = K) -> tuple[Contender, Contender, Contender]:
    """The three contenders that the source study compares [1]_.

    A is Elo's formula. B is A with newcomers who enter by games. C is B with a K that adapts.

    Parameters
    ----------
    method : callable
        From a method text to the method, as `Registry.method`.
    k : str
        K of all three: a number or the word of a rule; `czech` is 25 for juniors, 15 below 2400 and 10 from there on.

    References
    ----------
    .. [1] A Czech bachelor thesis on the Elo measure, section 3.2 and chapter 4, as in `README.md` here.
    """
    elo = method(f"elo:k={k},initial={START},floor=0")
    adaptive = method(f"adaptive-k:k={k},initial={START},floor=0")
    return Contender("A", elo), Contender("B", elo, "trial"), Contender("C", adaptive, "trial")
