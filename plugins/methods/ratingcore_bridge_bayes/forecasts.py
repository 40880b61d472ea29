"""Forecasts of future results: the strengths of the sides on the day they play, and their variances."""

import numpy as np

from ratingcore.plugin import DAY, Floats, State, Strengths
from ratingcore_bridge_bayes.joint import Joint
from ratingcore_bridge_bayes.model_rows import Reading


def strengths_before(reading: Reading, expected: Floats, state: State, drift: float) -> Strengths:
    """Strengths of the sides before their results, in the form of `Outcome.strengths`.

    For fields of more than two sides, the covariances between players that tracking=full keeps are ignored.

    Parameters
    ----------
    expected : (sides,) float64, units of the score
    drift : float >= 0, rating points squared a day
    """
    sides = reading.sides
    joint = Joint.of(state) if "covariance" in state.names else None
    whole = None if joint is None else joint.covariances(0.0, 0.0)
    own = (state["deviation"] ** 2 if whole is None else np.diag(whole))[sides.player]
    if drift > 0.0:
        day = np.repeat(sides.played / DAY, np.diff(reading.start))
        since = (state["last"] if joint is None else joint.since)[sides.player]
        own = own + drift * np.maximum(np.nan_to_num(day - since), 0.0)
    seat = reading.seats(slice(0, len(own)))
    variance = np.zeros(len(sides))
    if len(sides):
        variance += reading.noise + reading.method.k**2 * np.add.reduceat(own * seat**2, reading.start[:-1])
    if whole is not None:
        for r in np.flatnonzero(np.diff(sides.result) == 2).tolist():
            member, weights, _ = reading.rows(r)
            shared = whole[np.ix_(member, member)]
            np.fill_diagonal(shared, 0.0)
            variance[r] += float((weights @ shared @ weights.T).item())
    start = reading.start
    fields = {r: reading.spreads(r, own[int(start[r]) : int(start[r + 1])]) for r in reading.fields.tolist()}
    return reading.strengths(expected, variance, fields)
