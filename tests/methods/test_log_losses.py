"""Log losses side by side: products of chances against a logarithm for each result."""

from math import log

import numpy as np
import pytest

from ratingcore.methods.log_losses import FEW, add_log_losses, close_log_losses


@pytest.mark.parametrize("compiled", [False, True], ids=["lists", "compiled"])
def test_products_hold_the_log_losses_of_each_setting(compiled: bool) -> None:
    if compiled:
        pytest.importorskip("numba", reason="there is nothing to compile with")
    add, close = (
        (kernel.compiled if compiled else kernel.__call__) for kernel in (add_log_losses, close_log_losses)
    )  # fmt: skip
    rng, n = np.random.default_rng(4), 3
    took = rng.choice([0.0, 0.5, 1.0, 0.3], 50)
    chances = rng.random((50, n))
    chances[:FEW, 1], took[:FEW] = 0.0, 1.0  # sixteen times what could not be
    product, total, wanted = np.ones(n), np.zeros(n), np.zeros(n)
    for g, (score, row) in enumerate(zip(took.tolist(), chances, strict=True)):
        room = np.concatenate([np.full(2, 0.7), row])  # the chances stand behind other numbers
        add(n, score, 2, room, product, total)
        if g % FEW == FEW - 1:
            close(n, product, total)
        for s, chance in enumerate(row.tolist()):
            p = min(max(chance, 1e-15), 1.0 - 1e-15)
            wanted[s] -= score * log(p) + (1.0 - score) * log(1.0 - p)
    close(n, product, total)
    assert total == pytest.approx(wanted, rel=1e-12)
    assert product.tolist() == [1.0] * n
