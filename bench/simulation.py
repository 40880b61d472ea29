"""The laboratory: the thesis's scenarios against its published table and laws, and a large world."""

import time

import numpy as np
from ratingcore_laboratory import Contender, Laboratory, Trial, World, combinations, trials
from ratingcore_laboratory.thesis.published import DEVIATION

from bench.measure import Results, peak_bytes
from ratingcore.columns import Floats
from ratingcore.registry import Registry

SEEDS = {"thesis-1": 10, "thesis-2": 3, "thesis-3": 3}


def run(results: Results, games: int) -> None:
    """Print the times of the worlds, and their distance from the published table and its laws."""
    contenders = combinations(Registry.installed().method)
    _large(results, contenders, min(100_000, games // 30))
    Laboratory(World.parse("thesis-3:rounds=10"), contenders).run()  # compiles what is left
    began = time.perf_counter()
    third = Laboratory(World.parse("thesis-3"), contenders, 1).run()
    results.row("scenario 3, three contenders", time.perf_counter() - began, "s", 20.0)
    for scenario, seeds in SEEDS.items():
        more = trials(World.parse(scenario), contenders, range(1, seeds + 1)) if scenario != "thesis-3" else [third]
        _judge(results, scenario, list(more))


def _large(results: Results, contenders: tuple[Contender, ...], players: int) -> None:
    """Times a world of many players, including compilation."""
    world = World(players=players, rounds=4, joining_mean=players / 50, leaving_mean=players / 50)
    began = time.perf_counter()
    trial = Laboratory(world, contenders, 1).run()
    count = sum(measures.games for measures in trial["A"].measures)
    work = f"{players:,} players, three contenders of {count:,} games"
    results.row(work, time.perf_counter() - began, "s", 60.0)
    results.row("  the memory of it", peak_bytes() / 2**30, "GB", 2.0)


def _judge(results: Results, scenario: str, runs: list[Trial]) -> None:
    mean = {name: np.mean([trial.series(name, "mean") for trial in runs], axis=0) for name in "ABC"}
    errors = {
        (name, round_): (mean[name][round_ - 1] - printed.mean) / printed.allowed(len(runs))
        for name, cells in DEVIATION[scenario].items()
        for round_, printed in cells.items()
    }
    where = max(errors, key=lambda cell: abs(errors[cell]))
    cells = ", ".join(f"{name}{round_} {4 * by:+.1f}" for (name, round_), by in errors.items() if abs(by) > 0.5)
    text = f"{scenario}, {len(runs)} seeds: largest distance from the table"
    results.row(text, 4.0 * abs(errors[where]), "standard errors", 4.0, note=f"above two: {cells or 'none'}")
    if scenario != "thesis-1":
        stalls = max(mean[name][1] / mean[name][3] for name in "ABC")
        falls = max(mean[name][19] / mean[name][3] for name in "ABC")
        results.row(f"{scenario}: round 2 over round 4", float(stalls), "", 1.06)
        results.row(f"{scenario}: round 20 over round 4", float(falls), "", 0.8)
        return
    ordered = sum(_ordered(trial) for trial in runs)
    results.row(f"{scenario}: runs with C < B < A from round 3 to 20", ordered, "runs", len(runs), at_most=False)
    leads = np.array([_leads(trial) for trial in runs])
    results.row(f"{scenario}: lead in Kendall from round 10, mean of seeds", leads.mean(axis=0).min(), "", 0.02, False)
    note = f"of {leads.size} rounds of runs {int((leads <= 0.0).sum())} are below"
    results.row("  the least of any round of any seed", leads.min(), "", 0.0, False, note)


def _ordered(trial: Trial) -> bool:
    a, b, c = (trial.series(name, "mean")[2:20] for name in "ABC")
    return bool((b < a).all() and (c < b).all())


def _leads(trial: Trial) -> Floats:
    """Lead of B or C, whichever is less, over A in Kendall's tau, by round from 10 on."""
    a, b, c = (trial.series(name, "kendall")[9:] for name in "ABC")
    return np.asarray(np.minimum(b, c) - a)
