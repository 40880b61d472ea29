"""What rules ask about players: whether they are rated, how many games they have played, how old they are."""

from enum import Enum
from typing import Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadValue, Bools, Floats, Games, State
from ratingcore.plugin.rules import years


class Unrated(Enum):
    """Policy for games with a player who has no rating.

    Examples
    --------
    >>> Unrated.parse("two_pass"), str(Unrated.SKIP)
    (<Unrated.TWO_PASS: 'two_pass'>, 'skip')
    """

    INITIAL = "initial"
    """Nobody is unrated: newcomers have the initial rating."""
    SKIP = "skip"
    """The games count for nobody."""
    TWO_PASS = "two_pass"
    """The first pass of a period rates newcomers, the second uses these ratings."""
    ERROR = "error"
    """The first such game is refused."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads the word of a policy; raises `BadValue` for any other text."""
        if text not in {policy.value for policy in cls}:
            raise BadValue("unrated", text, f"must be one of {', '.join(policy.value for policy in cls)}")
        return cls(text)

    def __str__(self) -> str:
        return str(self.value)


def as_unrated(given: Unrated | str) -> Unrated:
    """Turns a word into the policy it names, and leaves anything else for the validator to refuse."""
    is_word = isinstance(given, str) and given in {policy.value for policy in Unrated}
    return Unrated(given) if is_word else given  # type: ignore[return-value]  # refused by the validator


def no_year(born: Floats) -> Bools:
    """Which years of birth are none; NaN where the log has none is no mistake."""
    return np.asarray((born < 1000.0) | (born > 9999.0))


@frozen(eq=False)
class Experience:
    """What a rule for K reads of each player at the start of a period.

    Parameters
    ----------
    counted, reached, age : (players,) float64
        Games counted; 1 for players who have reached the top; age attained in the year (NaN if unknown).
    """

    counted: Floats
    reached: Floats
    age: Floats

    @classmethod
    def of(cls, state: State, games: Games, *, by_age: bool) -> Self:
        """Reads the columns of a state; zeros where K is one number and the state keeps none."""
        players = len(state["rating"])
        age = np.full(players, np.nan)
        if by_age:
            age = float(years(np.array([games.span.start]))[0]) - games["born"][:players]
        if "counted" in state:
            return cls(state["counted"], state["reached"], age)
        return cls(np.zeros(players), np.zeros(players), age)
