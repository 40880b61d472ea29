"""Sweeps: many settings in one pass against as many single runs, and sweeps by two workers."""

import shutil

import numpy as np

import ratingcore as rc
from bench.bare import bare
from bench.measure import Results, seconds, wall
from bench.worlds import ColumnLog, log_of, view_of, world
from ratingcore.columns import Span
from ratingcore.compare.sweep import pass_of, sweep
from ratingcore.registry import Registry
from ratingcore.replay import fold

SETTINGS = 64
METHOD = "elo:cap=2000"
"""Elo with a cap: its settings cannot be rated in one pass, so each is replayed."""

_SHARED = "each worker opens the log, and two need two idle cores"


def run(results: Results, games: int) -> None:
    """Print the times of sweeps."""
    _pass(results, games // 5)
    betas, taus = np.linspace(2.0, 8.0, SETTINGS).round(3).tolist(), np.linspace(0.3, 1.2, SETTINGS).round(3).tolist()
    _against_runs(results, "weng-lin", [f"weng-lin:beta={beta}" for beta in betas], games // 10)
    _against_runs(results, "glicko2", [f"glicko2:preset=lichess,tau={tau}" for tau in taus], games // 10)
    _workers(results, games // 5)


def _pass(results: Results, games: int) -> None:
    made = world(games)
    view, registry = view_of(ColumnLog(made)), Registry.installed()
    settings = [registry.method(f"elo:k={k}") for k in np.linspace(4.0, 60.0, SETTINGS).round(3).tolist()]
    first, last = view.first_played or 0, view.last_played or 0
    spans = (Span(first, (first + last) // 2), Span((first + last) // 2, last + 1))
    yard, double, single = seconds(
        bare(made), lambda: pass_of(settings, view, spans), lambda: pass_of(settings, view, spans, single=True)
    )
    one_pass = f"{SETTINGS} settings of elo over {games:,} games in one pass"
    results.row(f"{one_pass}, float64", double / yard / SETTINGS, "x bare", 0.30)
    results.row("  the same in float32", single / yard / SETTINGS, "x bare", 0.20)
    some = [0, SETTINGS // 2, SETTINGS - 1]
    alone = np.concatenate([sweep([settings[number]], view, spans).score for number in some])
    for precision, bound in ((False, 1e-9), (True, 1e-6)):
        swept = pass_of(settings, view, spans, single=precision)
        assert swept is not None
        off = float(np.abs(swept.score[some] - alone).max())
        what = "  log loss against replays, float32" if precision else "  log loss against replays, float64"
        results.row(f"{what}, in units of {bound:g}", off / bound, "nats", 1.0)


def _against_runs(results: Results, name: str, texts: list[str], games: int) -> None:
    """Times one pass against scored runs of each setting, as in `tune`, and against bare folds."""
    view, registry = view_of(ColumnLog(world(games))), Registry.installed()
    settings = [registry.method(text) for text in texts]
    spans = (Span(view.first_played or 0, (view.last_played or 0) + 1),)
    swept, scored, folded = seconds(
        lambda: pass_of(settings, view, spans), lambda: sweep(settings[:1], view, spans),
        lambda: fold(settings[0], view), repeats=3,
    )  # fmt: skip
    results.row(
        f"{len(texts)} settings of {name} over {games:,} games", swept / scored / len(texts), "x scored runs", 0.35
    )
    print(f"  {swept / folded / len(texts):.2f} x as many bare folds, which rate games in parallel, not settings")


def _workers(results: Results, games: int) -> None:
    path = log_of(world(games))
    grid = {"k": "3:50:1"}
    with rc.open(path) as engine:
        engine.core.view("world")
        taken = [wall(lambda jobs=jobs: engine.tune("world", METHOD, grid, jobs=jobs), repeats=3) for jobs in (2, 2, 1)]  # type: ignore[misc]  # the first time the workers are started
    results.row(f"48 settings of {METHOD} by two workers", taken[1] / taken[2], "x one", 0.6, note=_SHARED)
    shutil.rmtree(path.parent)
