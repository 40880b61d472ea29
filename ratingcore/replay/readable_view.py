"""The view that a method rates: without the results that it cannot read, which a list counts by reason."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ratingcore.columns.method_input import Reads
from ratingcore.columns.sides import Sides
from ratingcore.columns.view import View
from ratingcore.errors import OddResults
from ratingcore.log import Log
from ratingcore.methods.contract import Bools, Cadence, Method
from ratingcore.methods.wrapped import Wrapped
from ratingcore.replay.contract_check import needs_of, refused
from ratingcore.replay.seeds import naming

_SHOWN = 5
"""Odd results that an error names; the others are counted."""


def fitting(method: Method, view: View) -> View:
    """Returns the view without the results that a method cannot read; the view itself if it can read all of them.

    Odd to a method are sessions where it reads games, results without a field that it needs or with an unreadable
    one, and those that it refuses. Where it can read no result of the pool, the view comes back as it is, and rating
    it raises what is missing.
    """
    reads = _reads(method)
    if reads.sides and not reads.needs and reads.refusing is None:
        return view
    plain = not any(need.of != "player" for need in reads.needs) and reads.refusing is None
    if plain and not len(view.timeline.sessions.played):
        return view
    return view.fitting(reads, method.name, _refuses(method, reads))


def odd_in(method: Method, view: View) -> dict[int, str]:
    """Returns why a method cannot read results of a view, by position; all of them, where it can read none."""
    reads = _reads(method)
    return view.odd_to(reads, method.name, _refuses(method, reads))


def _refuses(method: Method, reads: Reads) -> Callable[[Any], Mapping[str, Bools]]:
    def refuses(results: Any) -> Mapping[str, Bools]:
        return refused(method.name, reads.refusing.refuses(results), len(results))

    return refuses


def _reads(method: Method) -> Reads:
    inner = method
    while isinstance(inner, Wrapped):
        inner = inner.method
    refusing = None if type(inner).refuses is Method.refuses else inner
    return Reads(needs_of(method), method.reads is Sides, refusing)


def check_all_fit(method: Method, view: View, log: Log) -> None:
    """Refuses a view that holds results which a method cannot read.

    Raises
    ------
    OddResults
        With the uids of the first of them.
    """
    odd = fitting(method, view).odd.before(view.through)
    if odd:
        uids = log.uids([at for at, _ in odd[:_SHOWN]])
        first = tuple((uid, why) for uid, (_, why) in zip(uids, odd, strict=False))
        raise OddResults(method.name, view.pool, len(odd), first)


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
