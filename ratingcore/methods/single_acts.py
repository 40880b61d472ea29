"""Single acts of a federation: what the first day of a rule does to ratings, once."""

import re
from abc import ABC, abstractmethod

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats
from ratingcore.errors import BadValue
from ratingcore.methods.k_rules import half_away
from ratingcore.validators import between, finite

_WHY = "is neither raised(level,share) nor raised(level,share,whole)"


class SingleAct(ABC):
    """What is done to the ratings of a pool on the first day of a rule, and never again."""

    @abstractmethod
    def after(self, rating: Floats) -> Floats:
        """The ratings after it; who is unrated stays so."""


@frozen
class Raised(SingleAct):
    """Ratings below a level gain a share of what they lack to it.

    FIDE did so on 1 March 2024: R + 0.40 (2000 - R) for ratings R below 2000 [1]_.

    Parameters
    ----------
    level : float, rating points
    share : float in [0, 1]
    whole : bool
        Whether ratings that move are rounded to whole points, a half away from zero.

    References
    ----------
    .. [1] FIDE Qualification Commission, "New rating regulations come into force", 1 March 2024.

    Examples
    --------
    >>> str(Raised(2000.0, 0.4)), Raised(2000.0, 0.4).after(np.array([1000.0, 1500.0, 1950.0, 2010.0])).tolist()
    ('raised(2000.0,0.4)', [1400.0, 1700.0, 1970.0, 2010.0])
    """

    level: float = field(validator=finite)
    share: float = field(validator=between(0.0, 1.0))
    whole: bool = False

    def __str__(self) -> str:
        return f"raised({self.level},{self.share}{',whole' if self.whole else ''})"

    def after(self, rating: Floats) -> Floats:
        moved = rating + self.share * (self.level - rating)
        return np.where(rating < self.level, half_away(moved) if self.whole else moved, rating)


def act_of(text: str | None) -> SingleAct | None:
    """The act that a text names; None for None.

    Raises
    ------
    BadValue
        If it names none.

    Examples
    --------
    >>> act_of("raised(2000,0.4,whole)")
    Raised(level=2000.0, share=0.4, whole=True)
    """
    if text is None:
        return None
    match = re.fullmatch(r"raised\(([^,()]+),([^,()]+)(,\s*whole\s*)?\)", text.strip())
    try:
        level, share = (float(number) for number in (match.groups()[:2] if match else ("", "")))
    except ValueError:
        raise BadValue("once", text, _WHY) from None
    return Raised(level, share, bool(match and match[3]))
