"""Results for which a formula has no number because of their players' ratings: they are left out, and counted."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import evolve

from ratingcore.columns.games import Floats, Games
from ratingcore.columns.sides import Sides
from ratingcore.methods.contract import Bools, Change, Rated
from ratingcore.methods.state import State
from ratingcore.methods.strengths import Strengths, placed


def of_players(results: Games | Sides, which: Bools) -> Bools:
    """Returns a mask of the results in which a player of these rows takes part.

    Parameters
    ----------
    results : Games or Sides
    which : (players,) bool
    """
    if not which.any():  # the usual case, and much quicker
        return np.zeros(len(results), dtype=np.bool_)
    if isinstance(results, Games):
        return np.asarray(which[results.a] | which[results.b])
    return results.with_member(which[results.player])


def leaving_out(
    odd: Mapping[str, Bools], rate: Callable[[State, Any], Rated], state: State, results: Games | Sides
) -> Rated:
    """Rates the results for which a formula has a number; the others change no rating, and have no forecast.

    It is for rare cases that depend on the state before a call, such as a seeded deviation below 0.

    Parameters
    ----------
    odd : mapping of str to (n,) bool
        Masks of the results without a number, by reason in a few words; a result counts under its first reason.
    rate : callable
        Rates the other results from the same state.
    state : State
    results : Games or Sides

    Examples
    --------
    >>> one = np.arange(2)
    >>> games = Games(one * 0, one + 1, np.array([1.0, 0.0]), one, one, span=(0, 2))
    >>> half = lambda state, games: Rated(state, np.full(len(games), 0.5), (games.score - 0.5, 0.5 - games.score))
    >>> rated = leaving_out({"a deviation below 0": np.array([False, True])}, half, State({}), games)
    >>> rated.expected.tolist(), rated.change[0].tolist(), dict(rated.left_out)
    ([0.5, nan], [0.5, 0.0], {'a deviation below 0': 1})
    """
    masks = {why: which for why, which in odd.items() if which.any()}
    if not masks:
        return rate(state, results)
    rateable, left_out = np.ones(len(results), dtype=np.bool_), {}
    for why, which in masks.items():
        left_out[why] = int(np.count_nonzero(which & rateable))
        rateable &= ~which
    rated = over_all(rate(state, results.take(np.flatnonzero(rateable))), rateable, results)
    return evolve(rated, left_out={why: count for why, count in left_out.items() if count})


def over_all(rated: Rated, which: Bools, results: Games | Sides) -> Rated:
    """Extends the return value of `rate` for some results to all results: the others get no change and no forecast."""
    sides = members = which
    if isinstance(results, Sides):
        sides = np.repeat(which, np.diff(results.result))
        members = np.repeat(sides, np.diff(results.side))

    def moved(change: Change) -> Change:
        if isinstance(change, tuple):
            return _spread(change[0], which, 0.0), _spread(change[1], which, 0.0)
        return _spread(change, members, 0.0)

    def strengths() -> Strengths:
        assert of_rated is not None
        return placed(None, of_rated(), np.flatnonzero(sides), len(sides))

    of_rated = rated.strengths
    return evolve(
        rated,
        expected=_spread(rated.expected, sides),
        change=moved(rated.change),
        draw=None if rated.draw is None else _spread(rated.draw, which),
        before={label: moved(change) for label, change in rated.before.items()},
        notes={name: _spread(note, which) for name, note in rated.notes.items()},
        strengths=None if of_rated is None else strengths,
    )


def _spread(column: Floats, which: Bools, blank: float = np.nan) -> Floats:
    """Spreads a column of the rated results over all results."""
    whole = np.full(len(which), blank)
    whole[which] = column
    return whole
