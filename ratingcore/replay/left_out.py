"""What a list was made without: results that a method cannot read, and seeds that it makes nothing of."""

import numpy as np

from ratingcore.columns.view import View
from ratingcore.methods.contract import Cadence, Method
from ratingcore.replay.seeds import naming


def left_out(method: Method, view: View) -> tuple[tuple[str, int], ...]:
    """Why results and seeds of a view play no part in a rating list, and how many of them.

    Left out are results that a need with `leaves_out` cannot read, games between two names that are merged into one
    player, seeds that name no column of the method, and for whole-pool methods seeds before a later one of the player.
    Other results that a method cannot rate are errors.
    """
    counts = {
        f"result with {why}, the first at position {at[0]}": len(at) for why, at in view.left_out(method.needs).items()
    }
    alone = view.alone()
    if len(alone):
        counts[f"game between two names of one player, the first at position {alone[0]}"] = len(alone)
    seeds = view.seeds
    names = naming(seeds, method.columns())
    counts[f"seed that names no column of {method.name}"] = int(np.count_nonzero(~names))
    if method.cadence is Cadence.RETROSPECTIVE:
        players = seeds.player[names]
        counts["seed before a later one of the player"] = len(players) - len(np.unique(players))
    return tuple((why, count) for why, count in counts.items() if count)
