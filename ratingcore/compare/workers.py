"""A sweep shared among workers: what travels is the address of the log, its head and method texts, never arrays."""

from collections.abc import Sequence

import numpy as np
from attrs import evolve

from ratingcore.compare.sweep import Sweep, Swept, sweep
from ratingcore.errors import BadValue
from ratingcore.lists.cuts import position
from ratingcore.log import Head
from ratingcore.log.opening import open_log
from ratingcore.methods import Method
from ratingcore.methods.entry import Entering
from ratingcore.registry import Registry
from ratingcore.replay.columns import Columns, folder_of
from ratingcore.tables import View

MOST = 1_000
"""Workers at most."""


def shared(asked: Sweep, methods: Sequence[Method], view: View, jobs: int | None) -> Swept:
    """Score settings, here or by workers.

    Parameters
    ----------
    asked : Sweep
        Without an address, its settings are scored here.
    methods : sequence of Method
        What its texts mean here.
    view : View
        The pool it is about.
    jobs : int or None
        Workers, as joblib counts them.
    """
    workers = _count(jobs) if len(methods) > 1 and asked.address is not None and _installed(methods) else 1
    if workers == 1:
        return _score(asked, methods, view)
    from joblib import Parallel, delayed  # type: ignore[import-untyped]  # joblib has no types

    shares = min(len(methods), workers)  # one each, settings dealt out in turn: every piece opens the log
    parts = [evolve(asked, methods=asked.methods[share::shares]) for share in range(shares)]
    done = Parallel(n_jobs=shares)(delayed(swept)(part) for part in parts)
    whole = Swept(*(np.empty((len(methods), len(asked.spans))) for _ in Swept._fields))
    for share, part in enumerate(done):
        whole.score[share::shares], whole.games[share::shares] = part
    return whole


def swept(asked: Sweep) -> Swept:
    """Scores the settings of a sweep in a worker, which opens the log by its address.

    Raises
    ------
    BadCut
        If the log at that address has another history.
    """
    assert asked.address is not None, "only a log with an address is shared"
    with open_log(asked.address, read_only=True) as log:
        registry, pool = Registry.installed(), log.number_of("pool", asked.pool)
        known = position(log, Head(asked.position, asked.digest))
        view = Columns(log, folder_of(log)).view(pool, asked.through, known)
        return _score(asked, [registry.method(text) for text in asked.methods], view)


def _score(asked: Sweep, methods: Sequence[Method], view: View) -> Swept:
    cut = view.cut(asked.through)
    return sweep(methods, cut, asked.spans, asked.objective, asked.refit, single=asked.single)


def _installed(methods: Sequence[Method]) -> bool:
    """Whether a worker finds the methods by their texts."""
    installed = Registry.installed().methods
    kinds = (type(one.method if isinstance(one, Entering) else one) for one in methods)
    return all(installed.get(kind.name) is kind for kind in kinds)


def _count(jobs: int | None) -> int:
    """How many workers there are."""
    if jobs is not None and not -MOST <= jobs <= MOST:
        raise BadValue("jobs", jobs, f"is more than {MOST} workers")
    from joblib import effective_n_jobs

    return int(effective_n_jobs(jobs))
