"""Who sat on which side of a player's results, and how strong the others were before each."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ratingcore.replay.record import Replay, _walk
from ratingcore.tables.arrays import Floats, Ints
from ratingcore.tables.sides import Sides


class Seats(NamedTuple):
    """Members of a result, by their place among the members of all results, seen from one of them."""

    partners: Sequence[int]
    opponents: Sequence[int]


def seats(replay: Replay, member: int) -> Seats:
    """Who sat beside a member and who sat against it."""
    results = replay.results
    if not isinstance(results, Sides):
        return Seats((), (member ^ 1,))
    side = int(np.searchsorted(results.side, member, "right")) - 1
    result = int(np.searchsorted(results.result, side, "right")) - 1
    mine = range(int(results.side[side]), int(results.side[side + 1]))
    first, last = (int(results.side[results.result[r]]) for r in (result, result + 1))
    return Seats([m for m in mine if m != member], [*range(first, mine.start), *range(mine.stop, last)])


def opposition(replay: Replay, members: Sequence[int]) -> list[float]:
    """Mean rating, just before the result, of all who sat against each of these members; NaN if one is unrated."""
    against = [seats(replay, member).opponents for member in members]
    flat = np.array([m for opponents in against for m in opponents], dtype=np.int64)
    rating = ratings_before(replay, flat)
    ends = np.cumsum([len(opponents) for opponents in against])
    return (
        [float(part.mean()) if len(part) else float("nan") for part in np.split(rating, ends[:-1])] if against else []
    )


def ratings_before(replay: Replay, members: Ints) -> Floats:
    """Ratings of some members just before their results; of others' results only those of the same players are walked.

    Parameters
    ----------
    members : (n,) int
        Places among the members of all results.
    """
    moves = replay.moves
    assert moves is not None, "the replay was not asked to keep moves"
    if moves.held is not None:
        return moves.held[members]
    wanted = np.zeros(replay.view.n_players, dtype=np.bool_)
    wanted[replay.member[members]] = True
    chosen = np.flatnonzero(wanted[replay.member])
    before = np.zeros(len(chosen))
    for moved in moves.before.values():
        before += moved[chosen]
    sown = replay.sown
    seeds = np.flatnonzero(wanted[sown.seeds.player])
    planted = replay.member_start[np.minimum(sown.index[seeds], len(replay.results))]
    order = np.argsort(planted, kind="stable")
    seeds, place = seeds[order], np.searchsorted(chosen, planted[order])
    known = np.empty(len(chosen))
    _walk(
        replay.member[chosen], before, moves.change[chosen], place, sown.seeds.player[seeds], sown.rating[seeds],
        replay.start.copy(), known,
    )  # fmt: skip
    return known[np.searchsorted(chosen, members)]
