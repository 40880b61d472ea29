"""Solvers of the balance `W R = L R`: elimination for small fields, sparse LU for narrow ones, iteration for others."""

from math import inf
from typing import Any

import numpy as np

from ratingcore.plugin import Floats, Ints
from ratingcore_berkin.field import Field

BALANCE = 1e-12
"""Largest relative difference of the two sides of a player's equation in a solution."""
DENSE = 300
"""Largest number of players for which equations are eliminated one by one, which loses no digit."""
ROUNDS, STEPS = 12, 250
"""Largest number of rounds of the iteration, and of steps in a round."""
SPARSE = 8
"""Largest mean number of entries per player in the table of points for which a direct solution is tried first."""
FILL = 20_000_000
"""Largest number of values in each of the two factors of a direct solution."""


def balance(field: Field, ratio: Floats) -> float:
    """Largest `|W R - L R| / (L R)` of all players, by which a solution is judged.

    The size of the last step is not a criterion: if leagues hardly meet, steps are small from the beginning.
    """
    gave = field.lost * ratio
    with np.errstate(all="ignore"):
        apart = np.abs(field.points @ ratio - gave) / gave
    worst = float(np.max(apart))
    return worst if worst == worst else inf


def stationary(field: Field) -> Floats:
    """Ratings of a strongly connected field up to a factor, all positive; `balance` measures how well they fit.

    All are NaN if they are too far apart for floating point.
    """
    with np.errstate(all="ignore"):  # an overflow is not a rating, and is sorted out afterwards
        ratio = _eliminated(field) if len(field) <= DENSE else _iterated(field, narrow=True)
    return ratio if _reached(ratio) else np.full(len(ratio), np.nan)


def _reached(ratio: Floats) -> bool:
    """Whether all ratings are finite and positive."""
    return bool(np.isfinite(ratio).all() and (ratio > 0.0).all())


def _eliminated(field: Field) -> Floats:
    """The elimination of Grassmann, Taksar and Heyman (1985): no subtraction, so every digit holds."""
    rate = field.points.T.toarray()  # rate[j, i]: from j to those who took points from j
    n = len(rate)
    for k in range(n - 1, 0, -1):
        rate[:k, k] /= rate[k, :k].sum()
        rate[:k, :k] += rate[:k, k, None] * rate[k, None, :k]
    ratio = np.ones(n)
    for k in range(1, n):
        ratio[k] = np.sum(ratio[:k] * rate[:k, k])
    return ratio


def _direct(field: Field) -> Floats | None:
    """Ratings by sparse LU, for a field whose matrix has a narrow band, such as a chain; None for others."""
    from scipy import sparse  # type: ignore[import-untyped]  # scipy has no types
    from scipy.sparse.csgraph import reverse_cuthill_mckee  # type: ignore[import-untyped]  # as above
    from scipy.sparse.linalg import splu  # type: ignore[import-untyped]  # as above

    n = len(field)
    order = reverse_cuthill_mckee((field.points + field.points.T).tocsr(), symmetric_mode=True)
    points = field.points[order][:, order].tocoo()
    reach = np.arange(n, dtype=np.int64)
    np.minimum.at(reach, np.maximum(points.row, points.col), np.minimum(points.row, points.col))
    if int(np.sum(np.arange(n) - reach)) > FILL:
        return None
    matrix = (sparse.diags(field.lost[order]) - points).tocsc()  # its columns add up to zero exactly: no scaling here
    last = n - 1
    free, fixed = matrix[:last, :last], matrix[:last, last].toarray().ravel()
    try:
        parts = splu(free, permc_spec="NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    except RuntimeError:  # singular in floating point: the field is barely connected
        return None
    ratio = np.empty(n)
    ratio[order] = np.append(parts.solve(-fixed), 1.0)
    return ratio


def _iterated(field: Field, narrow: bool) -> Floats:
    """Ratings up to a factor by iteration; the best estimate if the balance does not close.

    Each round runs BiCGSTAB on the factors that correct the last estimate, so that the residual is the balance itself.
    If it gets stuck, a narrow field is solved directly, and groups that hardly meet are weighed against each other, as
    players of a small field.

    Parameters
    ----------
    narrow : bool
        Whether a direct solution may be tried: at once if players have few opponents, else after the first round.
    """
    ratio = field.won / field.lost
    closed = balance(field, ratio)
    for number in range(ROUNDS):
        if narrow and (number > 0 or field.points.nnz <= SPARSE * len(field)):
            narrow = False
            direct = _direct(field)
            if direct is not None and not _reached(direct):
                return direct
            ratio, closed = _closer(field, ratio, closed, direct)
        better = _scaled(ratio * _bicgstab(field, ratio))
        now = balance(field, better)
        if now <= 0.1 * BALANCE or (now <= BALANCE and now >= 0.5 * closed):
            return better
        if now < 0.1 * closed:
            ratio, closed = better, now
        elif not narrow:
            ratio = _smoothed(field, better if now < closed else ratio)
            ratio = _smoothed(field, _scaled(ratio * _weighed(field, ratio)))
            closed = balance(field, ratio)
    return ratio


def _closer(field: Field, ratio: Floats, closed: float, other: Floats | None) -> tuple[Floats, float]:
    """The better balanced of two estimates, and its balance."""
    now = inf if other is None else balance(field, other)
    return (ratio, closed) if other is None or now >= closed else (other, now)


def _scaled(ratio: Floats) -> Floats:
    return ratio * float(len(ratio) / ratio.sum())


def _smoothed(field: Field, ratio: Floats, times: int = 10) -> Floats:
    """Damped steps towards `W R / L`, which remove the largest local errors."""
    for _ in range(times):
        ratio = 0.5 * (ratio + (field.points @ ratio) / field.lost)
    return ratio


def _weighed(field: Field, ratio: Floats) -> Floats:
    """Factor of each player's group that balances what the groups take from each other (Takahashi, 1975)."""
    from scipy import sparse

    flow = (field.points @ sparse.diags(ratio)).tocsr()
    group = _groups(flow, max(len(field) // 8, DENSE))
    n = int(group.max()) + 1
    member = sparse.csr_matrix((np.ones(len(group)), (group, np.arange(len(group)))), (n, len(group)))
    between = (member @ flow @ member.T).tocsr()
    between.setdiag(0.0)
    between.eliminate_zeros()
    small = Field(between, np.asarray(between.sum(axis=0)).ravel())
    return (_eliminated(small) if n <= DENSE else _iterated(small, narrow=False))[group]


def _groups(flow: Any, most: int) -> Ints:
    """Up to `most` groups of players who take many points from each other; each joins the group with most points."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    group = np.arange(flow.shape[0])
    joint = (flow + flow.T).tocsr()
    while joint.shape[0] > most:
        n = joint.shape[0]
        joint.setdiag(0.0)
        joint.eliminate_zeros()
        dearest = np.asarray(joint.argmax(axis=1)).ravel()
        chosen = sparse.csr_matrix((np.ones(n), (np.arange(n), dearest)), (n, n))
        count, which = connected_components(chosen, directed=False)
        member = sparse.csr_matrix((np.ones(n), (which, np.arange(n))), (count, n))
        group = which[group]
        joint = (member @ joint @ member.T).tocsr()
    return group


def _dot(x: Floats, y: Floats) -> Any:
    """The sum of products, in an order that does not depend on how many threads there are."""
    return np.sum(x * y)


def _bicgstab(field: Field, ratio: Floats) -> Floats:
    """Factors that balance `ratio`: the best found from ones, all of them positive (van der Vorst, 1992).

    No rating is fixed: the equations are consistent, and their solutions differ by a factor only.
    """
    weight = 1.0 / (field.lost * ratio)

    def unbalanced(y: Floats) -> Any:
        return y - (field.points @ (ratio * y)) * weight

    y = np.ones(len(ratio))
    residual = -unbalanced(y)
    shadow = residual.copy()
    direction, image = np.zeros_like(y), np.zeros_like(y)
    best, least = y.copy(), inf
    rho = alpha = omega = np.float64(1.0)
    for _ in range(STEPS):
        worst = float(np.abs(residual).max())
        if worst < least and (y > 0.0).all():
            best, least = y.copy(), worst
        if worst <= 0.05 * BALANCE:
            break
        rho_now = _dot(shadow, residual)
        beta = (rho_now / rho) * (alpha / omega)
        rho = rho_now
        direction = residual + beta * (direction - omega * image)
        image = unbalanced(direction)
        alpha = rho / _dot(shadow, image)
        half = residual - alpha * image
        turned = unbalanced(half)
        omega = _dot(turned, half) / _dot(turned, turned)
        if not np.isfinite([alpha, omega]).all() or omega == 0.0:
            break
        y = y + alpha * direction + omega * half
        residual = half - omega * turned
    return best
