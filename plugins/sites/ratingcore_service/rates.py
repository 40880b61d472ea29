"""How often a caller may ask: a bucket of units for each, which fills again with time."""

import time
from collections import OrderedDict
from collections.abc import Callable

from ratingcore_service.problems import TooOften


class Rates:
    """Buckets of units, by caller.

    Parameters
    ----------
    rate : float, units per second
    burst : float, units
        What a bucket holds at most.
    clock : callable
        Seconds.
    most : int
        Buckets that are kept; a caller who has not asked for longest has a full one again.

    Examples
    --------
    >>> rates = Rates(rate=2.0, burst=10.0, clock=lambda: 0.0)
    >>> rates.take("ann", 9.0)
    >>> rates.take("ann", 3.0)
    Traceback (most recent call last):
    ratingcore_service.problems.TooOften: too many requests: wait for the seconds of Retry-After
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic, most: int = 10_000
    ) -> None:
        self._rate, self._burst, self._clock, self._most = rate, burst, clock, most
        self._full: OrderedDict[str, float] = OrderedDict()
        """By caller, when their bucket will be full again."""

    def take(self, caller: str, units: float) -> None:
        """Takes units out of a caller's bucket; a request of more than a whole bucket needs a full one.

        Raises
        ------
        TooOften
            If it holds fewer; nothing is taken then.
        """
        seconds = self.short(caller, units)
        if seconds:
            raise TooOften(seconds)

    def short(self, caller: str, units: float) -> float:
        """As `take`, but gives the seconds after which the bucket will hold enough; 0 where the units were taken."""
        now = self._clock()
        full = self._full.pop(caller, now)
        empty = (full - now if full > now else 0.0) + units / self._rate
        late = empty - max(self._burst, units) / self._rate
        refused = late > _ROUNDING
        self._full[caller] = full if refused else now + empty
        if len(self._full) > self._most:
            self._full.popitem(last=False)
        return late if refused else 0.0


_ROUNDING = 1e-9
"""Seconds that sums of units may be off."""
