"""Peaks: the highest rating that each player ever had, and when they reached it, from one pass over the ledger."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.arrays import Floats, Ints
from ratingcore.errors import CannotSay
from ratingcore.events import Instant
from ratingcore.explain.ledger import moments
from ratingcore.methods.contract import Cadence
from ratingcore.replay.contract_check import shown_by
from ratingcore.replay.ledger import BEFORE, RESULT, SEED, SETTLED, Ledger
from ratingcore.replay.record import Replay

SAME = 1e-6
"""Rating points below which the list's rating and the sum of the lines are the same number."""


class Peak(NamedTuple):
    """The highest rating of a player, unrounded, and the instant at which they first had it."""

    rating: float
    at: Instant


def peaks(replay: Replay, players: Ints | None = None) -> Mapping[int, Peak]:
    """Finds the peak of every player that ever had a rating, by row of the state.

    Counted is every rating that stood: after each result of a method that rates game by game, at the end of each
    period of a periodic one, every seed and first rating, and the rating of the list itself. What a newcomer starts
    from is no rating until something moved it, and what moves a player just before a result stood no moment alone.

    Parameters
    ----------
    replay : Replay
        From the first result on, with its moves kept.
    players : (n,) int or None
        Rows of the state, ascending; None for all.

    Raises
    ------
    CannotSay
        If the method rates the whole pool anew each time, and says nothing of the past.
    """
    if replay.moves is None and replay.track is None:
        why = "it rates the whole pool anew each time, and says nothing of earlier ratings"
        raise CannotSay(replay.method.name, "what rating was the highest", why, "list it by day: --through DAY")
    ledger = replay.ledger(players)
    stood, at = _standing(replay, ledger)
    stood &= np.isfinite(ledger.rating)
    rows, rating, at = ledger.player[stood].astype(np.int64), ledger.rating[stood], at[stood]
    order = np.lexsort((-rating, rows))  # stable: of equal ratings the earliest comes first
    highest, first = np.unique(rows[order], return_index=True)
    top = order[first]
    found = {
        row: Peak(rating, when)
        for row, rating, when in zip(highest.tolist(), rating[top].tolist(), at[top].tolist(), strict=True)
    }
    _see_listed(replay, ledger, found)
    return found


def _standing(replay: Replay, ledger: Ledger) -> tuple[NDArray[np.bool_], Ints]:
    """Which lines left a rating that stood, and when it did."""
    at, _ = moments(replay, ledger)
    stood = ledger.kind != BEFORE
    if replay.method.cadence is not Cadence.PERIODIC or replay.moves is None:
        return stood, at
    # the ratings of a period come together at its end: of its lines only a player's last one is such a rating
    call = _calls(replay, ledger)
    order = np.lexsort((call, ledger.player))
    last = np.ones(len(order), dtype=np.bool_)
    last[:-1] = (np.diff(ledger.player[order]) != 0) | (np.diff(call[order]) != 0)
    stood = ledger.kind == SEED
    stood[order] |= last
    ends = np.array([part.span.end - 1 for part in replay.calls], dtype=np.int64)
    played = ledger.kind == RESULT
    at[played] = ends[call[played]]
    return stood, at


def _calls(replay: Replay, ledger: Ledger) -> Ints:
    """The period in which each line of a periodic method was rated."""
    assert replay.moves is not None, "the replay was not asked to keep moves"
    call = np.zeros(len(ledger), dtype=np.int64)
    of_result = np.isin(ledger.kind, (RESULT, BEFORE))
    stops = np.array([part.stop for part in replay.calls], dtype=np.int64)
    call[of_result] = np.searchsorted(stops, replay.result_of(ledger.source[of_result]), "right")
    settled = ledger.kind == SETTLED
    call[settled] = np.array([line.call for line in replay.moves.after], dtype=np.int64)[ledger.source[settled]]
    seeds = ledger.kind == SEED
    call[seeds] = replay.sown.call[ledger.source[seeds]]
    return call


def _see_listed(replay: Replay, ledger: Ledger, found: dict[int, Peak]) -> None:
    """Counts the rating of the list as well, which may stand above what the lines add up to."""
    listed: Floats = np.asarray(shown_by(replay.method, replay.state, replay.at)["rating"], dtype=np.float64)
    moved = np.unique(ledger.player)
    moved = moved[moved < len(listed)]
    for row, rating in zip(moved.tolist(), listed[moved].tolist(), strict=True):
        if rating == rating and (row not in found or rating > found[row].rating + SAME):
            found[row] = Peak(rating, replay.at)
