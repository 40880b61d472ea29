"""Rate limits: each caller has a bucket of units, charged before or after the work."""

import time
from collections import OrderedDict
from collections.abc import Callable

from ratingcore_service.problems import TooOften

_ROUNDING = 1e-9
"""Rounding error of sums of units, in seconds."""


class Rates:
    """Buckets of units, by caller.

    Parameters
    ----------
    rate : float, units per second
    burst : float, units
        Capacity of a bucket.
    clock : callable
        Returns the time in seconds.
    most : int
        Number of buckets kept; the least recently used are dropped, so their callers have full ones again.

    Examples
    --------
    >>> rates = Rates(rate=2.0, burst=10.0, clock=lambda: 0.0)
    >>> rates.take("ann", 9.0)
    >>> rates.take("ann", 3.0)
    Traceback (most recent call last):
    ratingcore_service.problems.TooOften: too many requests: wait for the seconds in Retry-After
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic, most: int = 10_000
    ) -> None:
        self._rate, self._burst, self._clock, self._most = rate, burst, clock, most
        self._full: OrderedDict[str, float] = OrderedDict()
        """Time when the bucket of each caller will be full again."""

    def take(self, caller: str, units: float) -> None:
        """Takes units from a caller's bucket; a request larger than a bucket needs a full one.

        Raises
        ------
        TooOften
            If it has fewer; nothing is taken then.
        """
        seconds = self.short(caller, units)
        if seconds:
            raise TooOften(seconds)

    def charge(self, caller: str, units: float) -> None:
        """Takes units that a caller has used, even more than the bucket has; the caller then waits until it refills."""
        self._keep(caller, max(self._full.pop(caller, 0.0), self._clock()) + units / self._rate)

    def short(self, caller: str, units: float) -> float:
        """Like `take`, but returns the seconds to wait until the bucket has enough; 0 if the units were taken."""
        now = self._clock()
        full = self._full.pop(caller, now)
        empty = (full - now if full > now else 0.0) + units / self._rate
        late = empty - max(self._burst, units) / self._rate
        refused = late > _ROUNDING
        self._keep(caller, full if refused else now + empty)
        return late if refused else 0.0

    def _keep(self, caller: str, full: float) -> None:
        self._full[caller] = full
        if len(self._full) > self._most:
            self._full.popitem(last=False)
