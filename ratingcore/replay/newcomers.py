"""The schedule of newcomers of a continuous method: which games are kept back, and who enters when."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.arrays import Ints
from ratingcore.events import Instant
from ratingcore.methods.entry import Entry
from ratingcore.methods.kernels import kernel

NEVER = 2**62


def months_of(played: Ints) -> NDArray[np.int64]:
    """Calendar month of each instant, counted from January 1970."""
    return played.astype("M8[us]").astype("M8[M]").astype(np.int64)


def month_of(played: Instant) -> int:
    """Calendar month of one instant."""
    return int(months_of(np.array([played]))[0])


class Schedule(NamedTuple):
    """Which games are rated and which make first ratings; it follows from who met whom, before any rating is known.

    Attributes
    ----------
    rated : (n,) bool
        Whether both players are rated when they meet: only these games go to the method.
    trial : (t,) int
        Games between a newcomer and a rated player that make the newcomer's first rating, in order.
    newcomer, opponent : (t,) int
        Who met in them.
    admitted : (players,) int
        Index of the first game a newcomer is rated for; `NEVER` for the others.
    """

    rated: NDArray[np.bool_]
    trial: Ints
    newcomer: Ints
    opponent: Ints
    admitted: Ints


def schedule(entry: Entry, a: Ints, b: Ints, month: Ints, seeded: Ints, now: int = NEVER) -> Schedule:
    """Returns who is rated when.

    Parameters
    ----------
    month : (n,) int
        Calendar month of each game, for pooled entry.
    seeded : (players,) int
        Index of the first game a player is rated for by a seed; `NEVER` for newcomers.
    now : int
        Month in which the view ends: nobody enters later.
    """
    kind = np.zeros(len(a), dtype=np.int64)
    admitted = np.full(len(seeded), NEVER)
    recent = np.full((len(seeded), max(entry.games, 1)), -NEVER)
    seen = np.zeros(len(seeded), dtype=np.int64)
    window = entry.months if entry.kind == "pooled" else 0
    _sort(a, b, month, seeded, entry.games, window, kind, admitted, recent, seen)
    months_of_admission = admitted.copy()
    if window:  # admitted from a month on: from the first game of that month
        some = (admitted < NEVER) & (admitted <= now)
        admitted[some] = np.searchsorted(month, admitted[some])
        admitted[~some] = NEVER
    admitted[seeded <= admitted] = NEVER
    games = np.flatnonzero((kind == _TRIAL_A) | (kind == _TRIAL_B))
    of_a = kind[games] == _TRIAL_A
    newcomer = np.where(of_a, a[games], b[games])
    counts = admitted[newcomer] < NEVER
    if window:  # of those who are admitted, what lies in the months before
        first = months_of_admission[newcomer] - window
        counts &= month[games] >= first
    opponent = np.where(of_a, b[games], a[games])
    return Schedule(kind == _RATED, games[counts], newcomer[counts], opponent[counts], admitted)


_RATED, _TRIAL_A, _TRIAL_B, _NEITHER = 0, 1, 2, 3


@kernel
def _sort(
    a: Ints,
    b: Ints,
    month: Ints,
    seeded: Ints,
    wanted: int,
    window: int,
    kind: Ints,
    admitted: Ints,
    recent: Ints,
    seen: Ints,
) -> None:
    """Sort games by who is rated; `recent[p]` are the months of the newcomer's last games, in a ring."""
    for g in range(len(a)):
        i, j = a[g], b[g]
        now = month[g] if window > 0 else g
        i_rated = seeded[i] <= g or admitted[i] <= now
        j_rated = seeded[j] <= g or admitted[j] <= now
        if i_rated and j_rated:
            continue
        if not i_rated and not j_rated:
            kind[g] = 3
            continue
        p = j if i_rated else i
        kind[g] = 2 if i_rated else 1
        if wanted == 0:
            continue  # nobody enters by playing
        recent[p][seen[p] % wanted] = month[g]
        seen[p] += 1
        if seen[p] >= wanted:
            if window == 0:
                admitted[p] = g + 1
            elif month[g] - recent[p][seen[p] % wanted] < window:  # the oldest of the last `wanted`
                admitted[p] = month[g] + 1
