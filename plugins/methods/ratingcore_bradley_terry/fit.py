"""The most likely strengths: Newton's method on all strengths, all terms and the draw parameter at once."""

from typing import NamedTuple

import numpy as np

from ratingcore.plugin import Floats, Ints
from ratingcore_bradley_terry.curvature import Curvature
from ratingcore_bradley_terry.field import Field
from ratingcore_bradley_terry.models import RAO_KUPPER, rows_at

STEPS = 200
STILL = 1e-10
"""Size of a step, in natural logarithms, below which the next one would be lost in rounding."""
SHOWN = 1e-7
"""Largest last step that changes no number of a list; a climb that ends with a larger one has stopped short."""
EDGE, LOW, HIGH = 20.0, -30.0, 15.0
"""Bounds of the terms and of the draw parameter: without a finite solution, the climb ends there."""


class Fit(NamedTuple):
    """The most likely strengths, terms and draw parameter, in natural logarithms; `moved` is the last step."""

    theta: Floats
    edges: Floats
    draw: float
    curvature: Curvature
    moved: float


def fitted(model: int, field: Field, theta: Floats, edges: Floats, draw: float, free: Floats, part: Ints) -> Fit:
    """Climbs from given parameters to the most likely ones; those that are not `free` stay as given."""
    n, terms = len(theta), slice(len(theta), len(theta) + len(edges))
    theta, edges, free = theta.copy(), edges.copy(), free.copy()
    held = np.bincount(part, 1.0 - free[:n]) > 0.0
    floating = np.where(held[part], 0.0, 1.0)
    low = 1e-9 if model == RAO_KUPPER else LOW

    def seen(theta: Floats, edges: Floats, draw: float) -> tuple[float, Floats, Curvature]:
        """Log-likelihood, its gradient and its curvature."""
        gap = theta[field.i] - theta[field.j] + field.shift(edges)
        rows = rows_at(model, gap, draw, field.won, field.drawn, field.lost)
        of_players = np.bincount(field.i, rows.slope, n) - np.bincount(field.j, rows.slope, n)
        gradient = np.concatenate([of_players, rows.slope @ field.terms, [rows.draw_slope.sum()]])
        of_players = np.bincount(field.i, rows.by_gap, n) + np.bincount(field.j, rows.by_gap, n)
        diagonal = np.concatenate([of_players, rows.by_gap @ field.terms**2, [rows.by_draw.sum()]])
        curvature = Curvature(field, rows.by_gap, rows.by_both, rows.by_draw, diagonal, free, part, floating)
        return float(rows.likelihood.sum()), gradient, curvature

    now, gradient, curvature = seen(theta, edges, draw)
    moved = 1.0
    for _ in range(STEPS):
        step = curvature.solved(gradient * free, min(1e-2, max(moved * moved, 1e-9)))
        most = float(np.abs(step[:n]).max(initial=0.0))
        taken = min(1.0, 4.0 / most) if most > 4.0 else 1.0
        while True:
            further = theta + taken * step[:n]
            to_edges = np.where(free[terms] > 0.0, np.clip(edges + taken * step[terms], -EDGE, EDGE), edges)
            least = max(low, 0.25 * draw) if low > 0.0 else low
            to_draw = float(np.clip(draw + taken * step[-1], least, HIGH)) if free[-1] else draw
            better, gradient, curvature = seen(further, to_edges, to_draw)
            if better >= now - 1e-9 * abs(now) or taken < 1e-9:
                break
            taken *= 0.5
        steps = (np.abs(further - theta).max(initial=0.0), np.abs(to_edges - edges).max(), abs(to_draw - draw))
        moved = float(max(steps))
        theta, edges, draw, now = further, to_edges, to_draw, better
        if moved < STILL:
            break
    return Fit(theta, edges, draw, curvature, moved)
