"""The 400-point rule: limits on differences of ratings, by edition of the regulations."""

from collections.abc import Mapping
from math import inf

from attrs import frozen

from ratingcore.plugin.rules import ALWAYS, day


@frozen
class CapRegime:
    """The limit on differences of ratings in one edition of the regulations.

    Parameters
    ----------
    cap : float, rating points
        A greater difference counts as this.
    free_from : float, rating points
        Players with at least this rating are always rated by the true difference.
    once : bool
        Whether only the greatest difference of each player in each event is capped. Games of one call that name no
        event count as one event: the rule allows one capped game per tournament, and nothing shows that there were
        several.
    """

    cap: float = inf
    free_from: float = inf
    once: bool = False


Dated = tuple[tuple[int, CapRegime], ...]
"""Regimes, each with the instant from which it is in force."""

_PRE2009, _2014 = CapRegime(350.0), CapRegime(400.0)
_2022, _2025 = CapRegime(400.0, once=True), CapRegime(400.0, free_from=2650.0)

RULES: Mapping[str, Dated] = {
    "none": ((ALWAYS, CapRegime()),),
    "pre2009": ((ALWAYS, _PRE2009),),
    "2014": ((ALWAYS, _2014),),
    "2022": ((ALWAYS, _2022),),
    "2024": ((ALWAYS, _2014),),
    "2025": ((ALWAYS, _2025),),
    "by-date": (
        (ALWAYS, _PRE2009), (day("2009-07-01"), _2014), (day("2022-01-01"), _2022), (day("2024-03-01"), _2014),
        (day("2025-10-01"), _2025),
    ),
}  # fmt: skip
"""Regimes by the value of the parameter `rule`."""
