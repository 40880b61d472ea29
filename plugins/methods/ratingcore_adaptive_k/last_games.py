"""The last games of a player, packed into one number: a ring of outcomes, and above it their running sum.

Each outcome takes two bits (0 lost, 1 drawn or not yet played, 2 won), with the newest lowest. The sum, in which a win
is 1 and a loss -1, is stored above them, plus the length of the window so that it is never negative. With a column per
game instead of one number, the data would not fit into the cache of a core, and the whole loop was slower by half.
"""

from ratingcore.plugin import kernel

LONGEST = 23
"""Length of the longest window whose outcomes and sum a float64 holds exactly."""


@kernel
def nothing(window: int) -> int:
    """Returns the packed number of a player without games.

    Examples
    --------
    >>> nothing(2) == (2 << 4) + 0b0101
    True
    """
    ring = 0
    for _ in range(window):
        ring = 4 * ring + 1
    return (window << 2 * window) + ring


@kernel
def entered(last: int, outcome: int, window: int) -> int:
    """Returns the packed number after one more game, lost (0), drawn (1) or won (2); the oldest game leaves the ring.

    Examples
    --------
    >>> last = nothing(2)
    >>> for outcome in (2, 2, 0):
    ...     last = entered(last, outcome, 2)
    >>> surplus(last, 2)  # a win and a loss
    0
    """
    oldest = (last >> 2 * window - 2) & 3
    total = (last >> 2 * window) + outcome - oldest
    ring = (4 * last + outcome) & ((1 << 2 * window) - 1)
    return (total << 2 * window) + ring


@kernel
def surplus(last: int, window: int) -> int:
    """Wins less losses in the window.

    Examples
    --------
    >>> surplus(entered(nothing(10), 0, 10), 10)
    -1
    """
    return (last >> 2 * window) - window
