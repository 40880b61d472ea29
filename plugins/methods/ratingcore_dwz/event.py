"""Rates the games of an event together: each player's surprise over the coefficient E and the number of games."""

import numpy as np

from ratingcore.plugin import Floats, Forecast, Games, Ints, Rated, State, summed
from ratingcore.plugin.curves import Curve

CURVE = Curve("normal")
WHOLE = 2.0**52
"""From here on every float64 is a whole number."""


def expected_scores(state: State, games: Games) -> Forecast:
    """Score expected from the ratings before the event."""
    return Forecast(CURVE.share(state["rating"][games.a] - state["rating"][games.b]))


def played(games: Games, players: int) -> Ints:
    """Games of each player in the event."""
    return np.bincount(games.a, minlength=players) + np.bincount(games.b, minlength=players)


def rated_event(state: State, games: Games, share: Floats, development: Floats, *, rounding: bool) -> Rated:
    """Rates the event with a coefficient E for each player: R + 800 (W - We) / (E + n)."""
    rating = state["rating"]
    n = played(games, len(rating))
    # points for a whole point of surprise: 800 / (E + n), n the games of the player in the event
    weight_a, weight_b = (800.0 / (development[side] + n[side]) for side in (games.a, games.b))
    change_a, change_b = weight_a * (games.score - share), weight_b * (share - games.score)
    moved = rating + summed(games, change_a, change_b, len(rating))
    notes = {"weight_a": weight_a, "weight_b": weight_b}
    if not rounding:
        return Rated(state.replace(rating=moved), share, (change_a, change_b), notes=notes)
    fraction = (n > 0) & (np.abs(moved) < WHOLE)
    final = moved.copy()
    final[fraction] = np.floor(np.round(moved[fraction], 10) + 0.5)
    after = {"rounding": np.where(n > 0, final - moved, 0.0)}
    return Rated(state.replace(rating=final), share, (change_a, change_b), after=after, notes=notes)
