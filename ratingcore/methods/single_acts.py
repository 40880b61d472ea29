"""Single acts of federations: changes of all ratings, made once on the first day of a rule."""

import re
from abc import ABC, abstractmethod

import numpy as np
from attrs import field, frozen

from ratingcore.columns.games import Floats
from ratingcore.errors import NotOneOf
from ratingcore.methods.k_rules import half_away
from ratingcore.validators import between, finite

_ACTS = ("raised(level,share)", "raised(level,share,whole)", "lifted(from(pool),gap)")


class SingleAct(ABC):
    """Base of single acts, which change the ratings of a pool once, on the first day of a rule.

    Attributes
    ----------
    pool : str
        The other pool whose ratings the act reads; empty for none.
    """

    pool: str = ""

    @abstractmethod
    def after(self, rating: Floats, elsewhere: Floats) -> Floats:
        """Returns the ratings after the act; unrated players stay unrated.

        Parameters
        ----------
        rating : (players,) float64
        elsewhere : (players,) float64
            Ratings of the same players in the other pool on the day before, or NaN.
        """


@frozen
class Raised(SingleAct):
    """Act that raises ratings below a level by a share of the gap to the level.

    FIDE did so on 1 March 2024: R + 0.40 (2000 - R) for ratings R below 2000 [1]_.

    Parameters
    ----------
    level : float, rating points
    share : float in [0, 1]
    whole : bool
        Whether raised ratings are rounded to whole points, a half away from zero.

    References
    ----------
    .. [1] FIDE Qualification Commission, "New rating regulations come into force", 1 March 2024.

    Examples
    --------
    >>> rating, elsewhere = np.array([1000.0, 1950.0, 2010.0]), np.full(3, np.nan)
    >>> str(Raised(2000.0, 0.4)), Raised(2000.0, 0.4).after(rating, elsewhere).tolist()
    ('raised(2000.0,0.4)', [1400.0, 1970.0, 2010.0])
    """

    level: float = field(validator=finite)
    share: float = field(validator=between(0.0, 1.0))
    whole: bool = False

    def __str__(self) -> str:
        return f"raised({self.level},{self.share}{',whole' if self.whole else ''})"

    def after(self, rating: Floats, elsewhere: Floats) -> Floats:
        moved = rating + self.share * (self.level - rating)
        return np.where(rating < self.level, half_away(moved) if self.whole else moved, rating)


@frozen
class Lifted(SingleAct):
    """Act that lifts a rating far below the player's rating in another pool to `gap` points below that rating.

    FIDE did so on 1 October 2022 with rapid and blitz ratings more than 100 points below the standard rating [1]_.

    Parameters
    ----------
    pool : str
    gap : float, rating points

    References
    ----------
    .. [1] "Nuove regole FIDE per i rating Rapid&Blitz", scacchierando.it, 2022: 2283 became 2632, 100 below 2732.

    Examples
    --------
    >>> rapid, standard = np.array([2283.0, 2650.0, 2000.0]), np.array([2732.0, 2732.0, np.nan])
    >>> str(Lifted("standard", 100.0)), Lifted("standard", 100.0).after(rapid, standard).tolist()
    ('lifted(from(standard),100.0)', [2632.0, 2650.0, 2000.0])
    """

    pool: str
    gap: float = field(validator=finite)

    def __str__(self) -> str:
        return f"lifted(from({self.pool}),{self.gap})"

    def after(self, rating: Floats, elsewhere: Floats) -> Floats:
        return np.fmax(rating, elsewhere - self.gap)


def act_of(text: str | None) -> SingleAct | None:
    """Reads an act from text; None for None.

    Raises
    ------
    BadValue
        If the text is not an act.

    Examples
    --------
    >>> act_of("raised(2000,0.4,whole)")
    Raised(level=2000.0, share=0.4, whole=True)
    """
    if text is None:
        return None
    if other := re.fullmatch(r"lifted\(\s*from\(([^()]+)\)\s*,([^,()]+)\)", text.strip()):
        try:
            return Lifted(other[1].strip(), float(other[2]))
        except ValueError:
            raise NotOneOf.of("once", text, _ACTS) from None
    match = re.fullmatch(r"raised\(([^,()]+),([^,()]+)(,\s*whole\s*)?\)", text.strip())
    try:
        level, share = (float(number) for number in (match.groups()[:2] if match else ("", "")))
    except ValueError:
        raise NotOneOf.of("once", text, _ACTS) from None
    return Raised(level, share, bool(match and match[3]))
