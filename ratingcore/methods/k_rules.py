"""K rules of federations: K by experience and age, by the rules of the day, and their floors and rounding."""

from collections.abc import Mapping
from contextlib import suppress
from math import inf
from typing import Self

import numpy as np
from attrs import field, fields, frozen

from ratingcore.columns.games import Floats, Games, Ints
from ratingcore.errors import NotOneOf
from ratingcore.methods.kernels import kernel

ALWAYS = -(2**62)
"""An instant before all others."""


def day(iso: str) -> int:
    """Returns the instant at which a day begins, in microseconds since 1970.

    Examples
    --------
    >>> day("1970-01-02")
    86400000000
    """
    return int(np.datetime64(iso, "us").astype(np.int64))


def years(played: Ints) -> Ints:
    """Returns the calendar year (UTC) of each instant.

    Examples
    --------
    >>> years(np.array([day("2024-02-29"), day("2025-01-01") - 1])).tolist()
    [2024, 2024]
    """
    return np.asarray(played).astype("M8[us]").astype("M8[Y]").astype(np.int64) + 1970


def in_force(starts: tuple[int, ...], played: Ints) -> Ints:
    """Returns the index of the rule in force at each instant; the first rule also holds before its start.

    `starts` must rise.

    Examples
    --------
    >>> in_force((ALWAYS, day("2009-07-01")), np.array([0, day("2009-07-01")])).tolist()
    [0, 1]
    """
    return np.maximum(np.searchsorted(np.array(starts), played, "right") - 1, 0)


@frozen
class KRegime:
    """K by one edition of the regulations: the first of top, newcomer, junior and standard that applies.

    Parameters
    ----------
    newcomer, standard, top, junior : float >= 0, rating points
        K of newcomers, the standard K, K at the top, and K of juniors.
    newcomer_games : int
        Number of counted games from which a player is no longer a newcomer.
    top_from : float, rating points
        Rating from which K is `top`.
    permanent : bool
        Whether players who once reached `top_from` keep `top` for ever.
    junior_age : float, years
        Oldest age, attained in the calendar year, at which a player is a junior.
    junior_below : float, rating points
        Rating from which juniors have no K of their own.
    most : float, rating points
        Largest product of K and the games of a period; K is lowered to the largest whole number that keeps it.

    Examples
    --------
    >>> K["fide2014"][0][1].k(*(np.array([x]) for x in (1900.0, 12.0, 0.0, 33.0))).tolist()
    [40.0]
    """

    newcomer: float
    standard: float
    top: float
    junior: float = 0.0
    newcomer_games: int = 30
    top_from: float = 2400.0
    permanent: bool = True
    junior_age: float = -inf
    junior_below: float = -inf
    most: float = inf

    @classmethod
    def constant(cls, k: float) -> Self:
        """Returns a regime with the same K for everybody."""
        return cls(newcomer=k, standard=k, top=k)

    def k(self, rating: Floats, counted: Floats, reached: Floats, age: Floats) -> Floats:
        """Returns the K of each player; players whose age is NaN are not juniors."""
        k = np.where((age <= self.junior_age) & (rating < self.junior_below), self.junior, self.standard)
        k = np.where(counted < self.newcomer_games, self.newcomer, k)
        at_top = (rating >= self.top_from) | (self.permanent & (reached > 0.0))
        return np.where(at_top, self.top, k)

    def limited(self, k: Floats, games: Ints) -> Floats:
        """Returns K, lowered to keep `most`, by the number of games of each player in the period.

        Examples
        --------
        Twenty games at K = 40 are rated at 35.

        >>> K["fide2014"][0][1].limited(np.array([40.0, 40.0]), np.array([20, 17])).tolist()
        [35.0, 40.0]
        """
        return np.where(k * games > self.most, np.floor(self.most / np.maximum(games, 1)), k)

    def packed(self) -> tuple[float, ...]:
        """Returns the regime as a row for the kernel `k_of`."""
        return tuple(float(getattr(self, each.name)) for each in fields(KRegime))


@kernel
def k_of(rules: Floats, r: int, rating: float, counted: float, reached: float, age: float) -> float:
    """Returns the K of one player by row `r` of packed regimes: `KRegime.k` for a single player."""
    k: float = rules[r][1]
    if age <= rules[r][7] and rating < rules[r][8]:
        k = rules[r][3]
    if counted < rules[r][4]:
        k = rules[r][0]
    if rating >= rules[r][5] or (rules[r][6] > 0.0 and reached > 0.0):
        k = rules[r][2]
    return k


_PRE2009 = KRegime(25.0, 15.0, 10.0)
_2009 = KRegime(30.0, 15.0, 10.0)
_2014 = KRegime(40.0, 20.0, 10.0, 40.0, junior_age=18.0, junior_below=2300.0, most=700.0)
_RAPID = KRegime(20.0, 20.0, 20.0, most=700.0)
_CZECH = KRegime(
    15.0, 15.0, 10.0, 25.0, newcomer_games=0, permanent=False, junior_age=19.0, junior_below=2200.0
)  # fmt: skip

K: Mapping[str, tuple[tuple[int, KRegime], ...]] = {
    "fide2014": ((ALWAYS, _2014),),
    "fide2009": ((ALWAYS, _2009),),
    "fide_pre2009": ((ALWAYS, _PRE2009),),
    "czech": ((ALWAYS, _CZECH),),
    "by-date": ((ALWAYS, _PRE2009), (day("2009-07-01"), _2009), (day("2014-07-01"), _2014)),
    "rapid-by-date": ((ALWAYS, _RAPID), (day("2022-10-01"), _2014)),
}
"""Rules by word: the regimes of each, with the instant from which each regime holds."""


def _rule(instance: object, attribute: object, word: str) -> None:
    if word not in K:
        raise NotOneOf.of("k", word, K, numbers=True)


@frozen
class KRule:
    """A rule for K, named by a word [1]_ [2]_ [3]_ [4]_.

    Parameters
    ----------
    word : {"fide2014", "fide2009", "fide_pre2009", "czech", "by-date", "rapid-by-date"}
        `by-date` is the FIDE rule of the day; `rapid-by-date` is the FIDE rule of the day for rapid and blitz chess.

    References
    ----------
    .. [1] FIDE Handbook B.02, Rating Regulations 2014 to 2024, section 8.3.3 (K, and K times n of at most 700).
    .. [2] The same, 2009, section 8.56: K of 30 and 15; before July 2009 25 and 15.
    .. [3] A Czech bachelor thesis on the Elo measure, section 2.2.1: K of the Czech federation (README of elo).
    .. [4] FIDE, "Rapid and blitz rating lists", 16 November 2011: K of 20 for all; since October 2022 as in [1]_.

    Examples
    --------
    >>> str(KRule.parse("fide2014")), KRule("by-date").at(day("2010-01-01")).newcomer
    ('fide2014', 30.0)
    """

    word: str = field(validator=_rule)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Returns the rule with a name; raises `BadValue` for any other text."""
        if text not in K:
            raise NotOneOf.of("k", text, K, numbers=True)
        return cls(text)

    def __str__(self) -> str:
        return self.word

    @property
    def regimes(self) -> tuple[KRegime, ...]:
        """The regimes of this rule, the oldest first."""
        return tuple(regime for _, regime in K[self.word])

    @property
    def by_age(self) -> bool:
        """True if a regime has a K for juniors, so that years of birth are read."""
        return any(regime.junior_age > -inf for regime in self.regimes)

    def which(self, played: Ints) -> Ints:
        """Returns the index of the regime in force at each instant."""
        return in_force(tuple(start for start, _ in K[self.word]), played)

    def at(self, when: int) -> KRegime:
        """Returns the regime in force at an instant."""
        return self.regimes[int(self.which(np.array([when]))[0])]

    def packed(self) -> Floats:
        """Returns the regimes as rows, the first argument of the kernel `k_of`."""
        return packed(self.regimes)


def packed(regimes: tuple[KRegime, ...]) -> Floats:
    """Returns regimes as rows for the kernel `k_of`."""
    return np.array([regime.packed() for regime in regimes])


def as_k(given: "float | KRule | str") -> "float | KRule":
    """Turns a number into a float, and a word into the rule it names; leaves anything else for the validator."""
    if isinstance(given, str):
        return KRule(given) if given in K else given  # type: ignore[return-value]  # refused by the validator
    if isinstance(given, int | float) and not isinstance(given, bool):
        with suppress(OverflowError):  # an integer too large for a float is refused by the validator
            return float(given)
    return given


def half_away(x: Floats) -> Floats:
    """Rounds to the nearest whole number, and a half away from zero.

    Numbers are first rounded to ten decimals, so that a sum of 7.4999999999999 counts as 7.5.

    Examples
    --------
    >>> half_away(np.array([-7.5, -12.2, 0.49999999999, 2.5])).tolist()
    [-8.0, -12.0, 1.0, 3.0]
    """
    return np.copysign(np.floor(np.abs(np.round(x, 10)) + 0.5), x) + 0.0


def lifted(games: Games, rating: Floats, floor: float) -> Floats:
    """Returns the points that lift each player of these games who is below the floor to it; 0 for all others."""
    below = np.zeros(len(rating), dtype=np.bool_)
    below[games.a] = below[games.b] = True
    below &= rating < floor
    return np.where(below, floor - rating, 0.0)


def goal_index(goals: Floats) -> Floats:
    """Returns the factor of K for a goal difference: 1 up to one goal, 1.5 for two, 1.75 for three, then 1/8 per goal.

    Examples
    --------
    >>> goal_index(np.array([0.0, 1.0, 2.0, 3.0, 5.0])).tolist()
    [1.0, 1.0, 1.5, 1.75, 2.0]
    """
    return np.where(goals >= 3.0, 1.75 + (goals - 3.0) / 8.0, np.where(goals >= 2.0, 1.5, 1.0))
