"""Lists of a thousand pools in one call, by two workers of a Dask cluster against one engine."""

import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from joblib import parallel_config

import ratingcore as rc
from bench.measure import Results
from bench.worlds import MINUTE, START

POOLS = 1_000

_SHARED = "two workers need two idle cores"


def run(results: Results, games: int) -> None:
    """Print the time of the first lists of all pools, by workers against one engine."""
    import distributed

    count = games // 50
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, other = Path(name, "one.db"), Path(name, "other.db")
        with rc.open(one) as engine:
            _fill(engine, count)
            engine.log.backup(other)
            began = time.perf_counter()
            alone = engine.replay_pools("elo", top=10)
            taken = time.perf_counter() - began
        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster),
            rc.open(other) as engine,
            parallel_config(backend="dask"),
        ):
            engine.replay_pools("elo", engine.pools()[:8], through="2000-01-01", top=10)  # to start
            reported: list[int] = []
            began = time.perf_counter()
            shared = engine.replay_pools("elo", top=10, progress=reported.append)
            by_two = time.perf_counter() - began
    assert [each.id.tolist() for each in shared.values()] == [each.id.tolist() for each in alone.values()]
    assert reported == list(range(1, POOLS + 1))
    results.row(f"{POOLS:,} pools of {count:,} games by two Dask workers", by_two / taken, "x one", 0.8, note=_SHARED)


def _fill(engine: rc.Engine, count: int) -> None:
    random = np.random.default_rng(1)
    a = random.integers(0, 500, count)
    b = (a + random.integers(1, 500, count)) % 500
    scores = random.integers(0, 2, count).astype(float)
    engine.record(*(
        rc.GamePlayed(
            uid=f"g{at}", pool=f"pool {at % POOLS}", played=START + MINUTE * at, a=str(one), b=str(two), score=won
        )
        for at, (one, two, won) in enumerate(zip(a.tolist(), b.tolist(), scores.tolist(), strict=True))
    ))  # fmt: skip
