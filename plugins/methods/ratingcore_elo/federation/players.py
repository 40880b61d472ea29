"""Policies for games with players who have no rating."""

from enum import Enum
from typing import Self

from ratingcore.plugin import BadValue


class UnratedPolicy(Enum):
    """Policy for games with a player who has no rating.

    Examples
    --------
    >>> UnratedPolicy.parse("two_pass"), str(UnratedPolicy.SKIP)
    (<UnratedPolicy.TWO_PASS: 'two_pass'>, 'skip')
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


def as_unrated(given: UnratedPolicy | str) -> UnratedPolicy:
    """Turns a word into the policy it names; anything else is left for the validator to refuse."""
    is_word = isinstance(given, str) and given in {policy.value for policy in UnratedPolicy}
    return UnratedPolicy(given) if is_word else given  # type: ignore[return-value]  # refused by the validator
