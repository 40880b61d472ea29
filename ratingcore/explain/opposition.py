"""Partners and opponents of a member of a result, and how strong the opponents were before it."""

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from ratingcore.columns.sides import Sides
from ratingcore.replay.ledger import RESULT, Ledger
from ratingcore.replay.record import Replay


class Seats(NamedTuple):
    """Members of a result, by their place among the members of all results, seen from one of them."""

    partners: Sequence[int]
    opponents: Sequence[int]


def seats(replay: Replay, member: int) -> Seats:
    """Partners and opponents of a member."""
    results = replay.results
    if not isinstance(results, Sides):
        return Seats((), (member ^ 1,))
    side = int(np.searchsorted(results.side, member, "right")) - 1
    result = int(np.searchsorted(results.result, side, "right")) - 1
    mine = range(int(results.side[side]), int(results.side[side + 1]))
    first, last = (int(results.side[results.result[r]]) for r in (result, result + 1))
    return Seats([m for m in mine if m != member], [*range(first, mine.start), *range(mine.stop, last)])


def opposition(replay: Replay, ledger: Ledger, members: Sequence[int]) -> list[float]:
    """Mean rating, just before the result, of all who sat against each of these members; NaN if one is unrated.

    Parameters
    ----------
    ledger : Ledger
        With every line of the opponents.
    members : sequence of int
        Places among the members of all results.
    """
    assert replay.moves is not None, "the replay was not asked to keep moves"
    against = [seats(replay, member).opponents for member in members]
    flat = np.array([m for opponents in against for m in opponents], dtype=np.int64)
    if replay.moves.held is not None:
        rating = replay.moves.held[flat]
    else:
        own = ledger.source[ledger.kind == RESULT]
        rating = ledger.before_results[np.searchsorted(own, flat)]
    ends = np.cumsum([len(opponents) for opponents in against])
    return [float(part.mean()) if len(part) else nan for part in np.split(rating, ends)[:-1]]
