"""How much results scatter around their expectations, where it differs from what the likelihood assumes.

A draw that counts as half a win and half a loss varies less than a win or a loss, and results of one voter or one
opening vary together. With the scatter B and the curvature H, ratings have the covariances inv(H) B inv(H).
"""

import numpy as np

from ratingcore.plugin import Floats, Ints
from ratingcore.plugin.curves import expit
from ratingcore_bradley_terry.curvature import Curvature, Root
from ratingcore_bradley_terry.field import Field
from ratingcore_bradley_terry.fit import Fit
from ratingcore_bradley_terry.models import rows_at

OWN = 8.0
"""Number of results, of the player who has fewer, at which a pair's own scatter weighs as much as the usual one."""

MOST = 1000.0
"""Upper bound of observed over expected scatter: between anchors far apart, hardly any scatter is expected."""


def of_half_points(fit: Fit) -> Root | None:
    """The root of B if draws are half points; None if there are none and all results weigh 1, since B is then H.

    Each row mixes the scatter of its own results with the usual scatter of its part. The usual one weighs more, the
    fewer results the players have: two draws alone would not scatter at all. A part without half points, or with too
    few results to estimate its scatter, has the scatter that the likelihood expects, which is H apart from weights.
    """
    curvature, field = fit.curvature, fit.curvature.field
    own = field.cluster >= 0
    if not (field.shared * own).any() and (field.weight == 1.0).all():
        return None
    games, few = field.won + field.lost, _few(curvature)
    bend, apart = field.weight * curvature.by_gap, own * field.weight
    expected = expit(fit.theta[field.i] - fit.theta[field.j] + field.shift(fit.edges))
    squares = (field.won - field.shared + expected * (expected * games - 2.0 * field.won)) * apart
    players, parts = len(curvature.part), int(curvature.part.max(initial=0)) + 1
    part = curvature.part[field.i]

    def by_part(column: Floats) -> Floats:
        return np.asarray(np.bincount(part, column, parts), dtype=np.float64)

    numbers = np.bincount(curvature.part, curvature.free[:players], parts) + curvature.free[players:].sum()
    level = np.bincount(curvature.part, curvature.floating, parts) > 0.0
    results, whole = by_part(field.results), by_part(bend * own)
    freedom = results - (numbers - level)
    total = by_part(np.maximum(squares, 0.0))
    estimable = (by_part(field.shared * own) > 0.0) & (freedom > 0.0) & (total > 1e-9 * whole) & (whole > 0.0)
    more = np.divide(results, freedom, out=np.zeros(parts), where=estimable)
    usual = np.minimum(np.divide(total * more, whole, out=np.ones(parts), where=estimable), MOST)
    mixed = (1.0 - few) * squares * more[part] + few * usual[part] * bend
    scatter = np.where(own & estimable[part], np.clip(mixed, 0.0, MOST * bend), bend)
    row = np.arange(len(field.i))
    return _matrix(curvature, field, row, np.sqrt(scatter), np.zeros(len(row)), len(row))


def of_clusters(model: int, fit: Fit) -> tuple[Root, int]:
    """The root of B if the results of a cluster vary together, and the number of clusters.

    As in `of_half_points`, the usual scatter weighs more, the fewer results the players of a row have.
    """
    curvature, field = fit.curvature, fit.curvature.field
    own, few, rows = field.cluster >= 0, _few(curvature), len(field.i)
    gap = fit.theta[field.i] - fit.theta[field.j] + field.shift(fit.edges)
    likely = rows_at(model, gap, fit.draw, field.won, field.drawn, field.lost)
    distinct, cluster = np.unique(field.cluster[own], return_inverse=True)
    row, clusters = np.zeros(rows, dtype=np.int64), len(distinct)
    row[own] = cluster
    results = float(field.results.sum())
    freedom = results - curvature.free.sum() + len(np.unique(curvature.part[curvature.floating > 0.0]))
    more = clusters / max(clusters - 1.0, 1.0) * (results - 1.0) / max(freedom, 1.0)
    by_gap, by_draw = (column * own * np.sqrt(max(more, 0.0)) for column in (likely.slope, likely.draw_slope))
    alone = _matrix(curvature, field, row, by_gap, np.zeros(rows), max(clusters, 1))
    bend = 2.0 * float((field.weight * curvature.by_gap * own).sum())
    usual = min(float((alone.data**2).sum()) / bend, MOST) if bend > 0.0 else 1.0
    part = np.where(own, few * usual, 1.0)
    steep, cross, _ = curvature.steepness
    part = np.sqrt(part * field.weight)
    root = _matrix(
        curvature, field.joined(field), np.concatenate([row, clusters + np.arange(rows)]),
        np.concatenate([by_gap * np.sqrt(1.0 - few), steep * part]),
        np.concatenate([by_draw * np.sqrt(1.0 - few), cross * part]), clusters + rows,
    )  # fmt: skip
    return root, clusters


def of_weights(fit: Fit) -> Root | None:
    """The root of B if every result scatters as expected; None if all results weigh 1, since B is then H."""
    curvature, field, rows = fit.curvature, fit.curvature.field, len(fit.curvature.field.i)
    if (field.weight == 1.0).all():
        return None
    gap, both, draw = (np.sqrt(field.weight) * column for column in curvature.steepness)
    columns = np.concatenate([gap, np.zeros(rows)]), np.concatenate([both, draw])
    return _matrix(curvature, field.joined(field), np.arange(2 * rows), *columns, 2 * rows)


def _few(curvature: Curvature) -> Floats:
    """Weight of the usual scatter in each row: it falls with the number of results of the player who has fewer."""
    field, players = curvature.field, len(curvature.part)
    games = field.results
    met = np.bincount(field.i, games, players) + np.bincount(field.j, games, players)
    return np.asarray(OWN / (OWN + np.minimum(met[field.i], met[field.j])), dtype=np.float64)


def _matrix(curvature: Curvature, field: Field, row: Ints, by_gap: Floats, by_draw: Floats, rows: int) -> Root:
    """A matrix with a row per source of scatter: `by_gap` acts on both players and the terms, `by_draw` on draws."""
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]  # scipy has no types  # slow to import

    n, size = len(curvature.part), len(curvature.free)
    value = np.concatenate([by_gap, -by_gap, *(by_gap * term for term in field.terms.T), by_draw])
    column = np.concatenate([field.i, field.j, np.repeat(np.arange(n, size), len(row))])
    return csr_matrix((value * curvature.free[column], (np.tile(row, 3 + size - 1 - n), column)), (rows, size))
