"""Likelihood of superiority: the chance that one player is stronger than another, given the results so far."""

from collections.abc import Callable
from itertools import pairwise
from math import inf

import numpy as np

from ratingcore.columns.games import Floats, Ints
from ratingcore.errors import CannotSay
from ratingcore.events import Instant
from ratingcore.methods.contract import Method
from ratingcore.methods.curves import ndtr
from ratingcore.methods.state import State
from ratingcore.replay.contract_check import shown_by
from ratingcore.replay.replay import Replay


def certain_of(method: Method) -> CannotSay:
    """Returns the error for a method without deviations."""
    others = ("glicko", "bradley-terry", "whr", "trueskill")
    return CannotSay(method.name, "how sure a rating is", "it has no deviations", others=others)


Joint = Callable[[int, int], float]
"""Covariance of two ratings by the rows of their players."""


def listed_of(method: Method, state: State, at: Instant, rows: Ints) -> tuple[Floats, Floats]:
    """Returns the ratings and deviations of some players on the list at an instant, unrounded.

    Raises
    ------
    CannotSay
        If the method has no deviations.
    """
    shown = shown_by(method, state, at)
    if "deviation" not in shown:
        raise certain_of(method)
    return shown["rating"][rows], shown["deviation"][rows]


def covariance_of(method: Method, state: State, at: Instant, rows: Ints, joint: Joint | None) -> Floats:
    """Returns the (n, n) covariances of some players' ratings; a diagonal matrix if there are no joint ones.

    The growth of a deviation since the player's last result is independent of other players.
    """
    _, deviation = listed_of(method, state, at, rows)
    if joint is None:
        return np.diag(deviation**2)
    players = rows.tolist()
    whole = np.array([[joint(i, j) for j in players] for i in players]).reshape(len(players), len(players))
    grown = deviation**2 - state["deviation"][rows] ** 2
    return np.asarray(0.5 * (whole + whole.T) + np.diag(grown), dtype=np.float64)


def over_the_next(replay: Replay, rows: Ints) -> Floats:
    """Returns the (n,) likelihood that each player is stronger than the next one; NaN for the last."""
    rating, deviation = listed_of(replay.method, replay.state, replay.at, rows)
    own, shared = deviation**2, np.zeros(max(len(rows) - 1, 0))
    if replay.covariance is not None:
        joint, players = replay.covariance, rows.tolist()
        own += np.array([joint(i, i) for i in players]) - replay.state["deviation"][rows] ** 2
        shared = np.array([joint(i, j) for i, j in pairwise(players)])
    chance = stronger(rating[:-1] - rating[1:], own[:-1] + own[1:] - 2.0 * shared, replay.degrees)
    return np.append(chance, np.nan)[: len(rows)]


def stronger(gap: Floats, variance: Floats, degrees: float = inf) -> Floats:
    """Returns the likelihood that a difference is above zero, from its mean and variance, by Student's t or normal."""
    width = np.sqrt(np.maximum(variance, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(
            width > 0.0, ndtr(gap / width, degrees), np.where(np.isnan(width), np.nan, 0.5 + 0.5 * np.sign(gap))
        )
