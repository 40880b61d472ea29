"""Soundness of columns that come from files: no index in them leads outside another column."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns.arrays import Ints
from ratingcore.columns.cache_key import Damaged
from ratingcore.columns.timeline import NEVER, SeedTable, Timeline
from ratingcore.events.times import FIRST, LAST


def see_sound(timeline: Timeline, names: int, *, in_order: bool = False) -> None:
    """Raises `Damaged` if a compiled loop over the columns could read or write beyond one of them.

    Digests do not make this superfluous: whoever can read the log can make files with the right digests, and a loop
    without bounds must not be handed to them.

    Parameters
    ----------
    timeline : Timeline
    names : int
        How many names the log has: players are numbered among them.
    in_order : bool
        Whether the games are known to be in order of time. No loop takes a time for an index, so here a stamp may be
        trusted, which spares reading a column that a list may not need.
    """
    players, sessions, seeds = timeline.players, timeline.sessions, timeline.seeds
    n = len(players.id)
    for piece in timeline.table.pieces:
        _see(_equally_long(piece._asdict()), "games")
        _see(_below(piece.a, n) and _below(piece.b, n), "players of games")
        _see(_timely(piece.played[[0, -1]]) if in_order and len(piece.a) else _in_order(piece.played), "times of games")
    _see(_equally_long(players._asdict()), "players")
    _see(_below(players.id - 1, names) and np.bincount(players.id).max(initial=0) <= 1, "ids of players")
    _see(_in_order(players.first) and _timely(players.debut[players.debut != NEVER]), "times of players")
    _see(len(sessions.position) == len(sessions.order) == len(sessions.played), "sessions")
    _see(_offsets(sessions.result, len(sessions.played), len(sessions.score)), "results of sessions")
    _see(_offsets(sessions.side, len(sessions.score), len(sessions.player)), "sides of sessions")
    _see(_below(sessions.player, n), "players of sessions")
    _see(_in_order(sessions.played), "times of sessions")
    _see(_equally_long({**dict(zip(SeedTable._fields, seeds[:4], strict=False)), **seeds.values}), "seeds")
    _see(_below(seeds.player, n), "players of seeds")
    _see(_in_order(seeds.played), "times of seeds")
    _see(timeline.results is not None and len(timeline.results) == n, "counts of results")


def _see(sound: bool, what: str) -> None:
    if not sound:
        raise Damaged(f"its {what} do not fit")


def _equally_long(columns: Mapping[str, NDArray[Any]]) -> bool:
    return len({len(column) for column in columns.values()}) == 1


def _below(rows: Ints, n: int) -> bool:
    """Whether all of them are from 0 to below `n`; seen without a sign, a negative one is huge: one pass is enough."""
    return not len(rows) or int(rows.view(rows.dtype.str.replace("i", "u")).max()) < n


def _in_order(played: Ints) -> bool:
    return bool((played[1:] >= played[:-1]).all()) and _timely(played[[0, -1]] if len(played) else played)


def _timely(times: Ints) -> bool:
    return bool(((times >= FIRST) & (times <= LAST)).all())


def _offsets(starts: Ints, groups: int, items: int) -> bool:
    """Whether these are the starts of so many groups in a column of so many items, and its end."""
    whole = len(starts) == groups + 1 and int(starts[0]) == 0 and int(starts[-1]) == items
    return whole and bool((starts[1:] >= starts[:-1]).all())
