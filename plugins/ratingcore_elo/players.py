"""Players as rules look at them: whether they are rated, what they have played, how old they are."""

from enum import Enum
from typing import Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadField, BadValue, Floats, Games, State, years


class Unrated(Enum):
    """What becomes of games with a player who has no rating.

    Examples
    --------
    >>> Unrated.parse("two_pass"), str(Unrated.SKIP)
    (<Unrated.TWO_PASS: 'two_pass'>, 'skip')
    """

    INITIAL = "initial"
    """There are none: newcomers have the initial rating."""
    SKIP = "skip"
    """They count for nobody."""
    TWO_PASS = "two_pass"
    """The first pass of a period rates newcomers, the second uses what came out."""
    ERROR = "error"
    """They are refused."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The policy that a text names; `BadValue` if it names none."""
        if text not in {policy.value for policy in cls}:
            raise BadValue("unrated", text, f"must be one of {', '.join(policy.value for policy in cls)}")
        return cls(text)

    def __str__(self) -> str:
        return str(self.value)


def as_unrated(given: Unrated | str) -> Unrated:
    """A word as the policy it names; what names none is left for the validator to refuse."""
    known = isinstance(given, str) and given in {policy.value for policy in Unrated}
    return Unrated(given) if known else given  # type: ignore[return-value]  # refused by the validator


def born(method: str, games: Games, players: int) -> Floats:
    """Year of birth of each player, NaN where it is not known.

    Raises
    ------
    BadField
        If somebody who plays has a year of birth that is no year.
    """
    year = games["born"][:players]
    odd = (year < 1000.0) | (year > 9999.0)
    if odd.any():
        for g in np.flatnonzero(odd[games.a] | odd[games.b])[:1].tolist():
            player = games.a[g] if odd[games.a[g]] else games.b[g]
            raise BadField(
                method, "born", float(year[player]), f"a player of position {games.position[g]}", "must be a year"
            )
    return year


@frozen(eq=False)
class Experience:
    """Columns a rule for K reads, a row a player, at the start of a period.

    Parameters
    ----------
    counted, reached, age : (players,) float64
        Games counted, 1 for who has reached the top, age attained in the year (NaN where it is not known).
    """

    counted: Floats
    reached: Floats
    age: Floats

    @classmethod
    def of(cls, method: str, state: State, games: Games, *, by_age: bool) -> Self:
        """The experience of all players of a state; where the state does not keep it, none."""
        players = len(state["rating"])
        age = np.full(players, np.nan)
        if by_age:
            age = float(years(np.array([games.span.start]))[0]) - born(method, games, players)
        if "counted" in state:
            return cls(state["counted"], state["reached"], age)
        return cls(np.zeros(players), np.zeros(players), age)
