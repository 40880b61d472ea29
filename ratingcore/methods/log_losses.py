"""Log losses of many settings side by side, for sweeps: chances of what came are multiplied, few logarithms taken."""

from math import log, log1p, sqrt

from ratingcore.columns.arrays import Floats
from ratingcore.methods.kernels import kernel

FEW = 16
"""Results after which products have to be taken into account: chances are 1e-15 at least."""


@kernel
def add_log_losses(n: int, took: float, at: int, chance: Floats, product: Floats, total: Floats) -> None:
    """Takes one result into account under `n` settings, of which the first took the part `took` of the point.

    The chances that the settings gave the first stand from `at` on, and none is taken to be nearer than 1e-15 to 0 or
    1. `product` begins with 1; what is not in it yet goes to `total`.
    """
    for s in range(n):
        p = chance[at + s]
        p = p if p > 1e-15 else 1e-15
        chance[at + s] = p if p < 1.0 - 1e-15 else 1.0 - 1e-15
    if took == 1.0:
        for s in range(n):
            product[s] *= chance[at + s]
    elif took == 0.0:
        for s in range(n):
            product[s] *= 1.0 - chance[at + s]
    elif took == 0.5:
        for s in range(n):
            product[s] *= sqrt(chance[at + s] * (1.0 - chance[at + s]))
    else:
        for s in range(n):
            total[s] -= took * log(chance[at + s]) + (1.0 - took) * log1p(-chance[at + s])


@kernel
def close_log_losses(n: int, product: Floats, total: Floats) -> None:
    """Adds what the products of `n` settings hold to the totals; to be done after each `FEW` results at the latest."""
    for s in range(n):
        total[s] -= log(product[s])
        product[s] = 1.0
