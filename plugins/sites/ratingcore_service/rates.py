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
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, units: float) -> None:
        """Takes units out of a caller's bucket; a request of more than a whole bucket needs a full one.

        Raises
        ------
        TooOften
            If it holds fewer; nothing is taken then.
        """
        now = self._clock()
        left, then = self._buckets.pop(caller, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        missing = min(units, self._burst) - left
        self._buckets[caller] = (left if missing > 0 else left - units, now)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        if missing > 0:
            raise TooOften(missing / self._rate)
