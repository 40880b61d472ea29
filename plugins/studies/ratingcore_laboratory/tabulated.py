"""Columns of the tables of a study: measures by round, players, curves, distributions, provenance."""

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from ratingcore import __version__
from ratingcore.plugin import BadValue, Floats, Ints
from ratingcore_laboratory.measures import MEASURES
from ratingcore_laboratory.results import DRAW, LOSS, WIN
from ratingcore_laboratory.trial import Band, Trial

Columns = dict[str, Any]

COUNTS = ("active", "rated", "games")
WHOSE = ("whose_largest", "whose_smallest")
BANDED = tuple(name for name in MEASURES if name not in (*COUNTS, *WHOSE))
"""Measures tabulated with a mean, lowest and highest over seeds."""

DUE = {WIN: "win", DRAW: "draw", LOSS: "lose"}
DONE = {WIN: "won", DRAW: "drawn", LOSS: "lost"}
BOOSTS = ("boosts", "boosts_won", "boosts_lost")
RATED = ("", "_true", "_estimated")
"""Columns of a player among the extremes: who, and both ratings."""

FOLLOWED, BINS = 6, 30
"""Players whose curves are tabulated by default, and the approximate number of bins of a distribution."""


def called(measure: str) -> str:
    """The name of a measure in columns, where `mean` is `deviation`.

    Examples
    --------
    >>> called("mean"), called("kendall")
    ('deviation', 'kendall')
    """
    return {"mean": "deviation"}.get(measure, measure)


def rounds(trials: Sequence[Trial]) -> Columns:
    """Every measure by round and contender: mean, lowest and highest over the seeds."""
    first = trials[0]
    n = len(first.contenders)
    columns: Columns = {
        "round": np.repeat(np.arange(1, first.rounds + 1), n),
        "contender": first.contenders * first.rounds,
    }
    for measure in (*COUNTS, *BANDED):
        bands = [Band.of(trials, name, measure) for name in first.contenders]
        columns[called(measure)] = _woven([band.mean for band in bands])
        if measure in BANDED:
            columns[f"{called(measure)}_low"] = _woven([band.lowest for band in bands])
            columns[f"{called(measure)}_high"] = _woven([band.highest for band in bands])
    return columns


def runs(trials: Sequence[Trial]) -> Columns:
    """Every measure by seed, round and contender."""
    first, each = trials[0], trials[0].rounds * len(trials[0].contenders)
    columns: Columns = {
        "seed": np.repeat([trial.seed for trial in trials], each),
        "round": np.tile(np.repeat(np.arange(1, first.rounds + 1), len(first.contenders)), len(trials)),
        "contender": first.contenders * (first.rounds * len(trials)),
    }
    for measure in MEASURES:
        parts = [_woven([trial.series(name, measure) for name in first.contenders]) for trial in trials]
        values = np.concatenate(parts)
        columns[called(measure)] = _whole(values) if measure in (*COUNTS, *WHOSE) else values
    return columns


def _woven(series: Sequence[Floats]) -> Floats:
    """Series of contenders as one column, round by round."""
    return np.asarray(np.stack(series, axis=1).ravel())


def _whole(values: Floats) -> Any:
    """Floats as whole numbers; None for NaN."""
    return tuple(None if value != value else int(value) for value in values.tolist())


def outcomes(trials: Sequence[Trial]) -> Columns:
    """Expected and actual outcomes over all seeds; a game counts for each of its players."""
    rows: list[tuple[Any, ...]] = []
    for name in trials[0].contenders:
        table = np.sum([trial[name].table.sum(axis=0) for trial in trials], axis=0)
        for should, due in DUE.items():
            total = int(table[should].sum())
            for did, done in DONE.items():
                count = int(table[should, did])
                rows.append((name, due, done, count, count / total if total else None))
    return _columns(("contender", "should", "did", "results", "share"), rows)


def players(trial: Trial) -> Columns:
    """Every player who ever took part, by contender."""
    people, parts = trial.people, []
    for name in trial.contenders:
        standing = trial[name]
        boosts = {name: standing.boosts.get(name, np.full(len(people), np.nan)) for name in BOOSTS}
        table, due_of = standing.table, standing.table.sum(axis=2)
        cells = {
            f"should_{due}_{done}": table[:, should, did] for should, due in DUE.items() for did, done in DONE.items()
        }
        shares = {
            f"should_{due}_{done}_percent": _percent(table[:, should, did], due_of[:, should])
            for should, due in DUE.items() for did, done in DONE.items()
        }  # fmt: skip
        wins, draws, losses = map(standing.results, DONE)
        counts = {"win": wins, "draw": draws, "loss": losses}
        percents = {f"{name}_percent": _percent(count, standing.games) for name, count in counts.items()}
        parts.append({
            "player": np.arange(len(people)), "base": people.base, "true": standing.true,
            "estimated": standing.estimated, "off": standing.estimated - standing.true, "games": standing.games,
            "last_round": standing.last, "appetite": people.appetite, "wins": wins, "draws": draws,
            "losses": losses, **percents, **boosts, "joined": people.joined,
            "left": np.where(people.left < 0, np.nan, people.left), **cells, **shares,
        })  # fmt: skip
    who = tuple(name for name in trial.contenders for _ in range(len(people)))
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    for name in (*BOOSTS, "left"):
        joined[name] = _whole(joined[name])
    return {"contender": who, **joined}


def _percent(part: Ints, whole: Ints) -> Floats:
    """Parts of wholes in percent; NaN if the whole is 0."""
    return np.where(whole > 0, 100.0 * part / np.maximum(whole, 1), np.nan)


def extremes(trial: Trial) -> Columns:
    """The best and the worst estimated player of each round, by contender."""
    rows: list[tuple[Any, ...]] = []
    for round_ in range(trial.rounds):
        for name in trial.contenders:
            standing = trial[name]
            measures, (best, worst) = standing.measures[round_], standing.extremes[round_].tolist()
            rows.append((round_ + 1, name, measures.whose_smallest, *best, measures.whose_largest, *worst))
    names = ("round", "contender", *(f"{which}{what}" for which in ("best", "worst") for what in RATED))
    return _columns(names, rows)


def followed(trial: Trial, requested: Sequence[int] = ()) -> tuple[int, ...]:
    """Players whose curves are tabulated: the given ones, or weak and strong ones who stayed and some who came later.

    Raises
    ------
    BadValue
        If a player is not in the world, or their curve is not kept.
    """
    sample = trial.standings[0].sample
    for player in requested:
        if player not in sample:
            why = f"is not a player of this world with a curve: there are {len(trial.people)}"
            few = len(sample) < len(trial.people)
            more = f", and the curves of {len(sample)} are kept: give follow= to the laboratory" if few else ""
            raise BadValue("player", player, why + more)
    if requested:
        return tuple(dict.fromkeys(requested))
    joined, left = trial.people.joined[sample], trial.people.left[sample]
    stayed, came = (
        sample[(left < 0) & (joined == 0)],
        sample[(left < 0) & (joined > 0) & (joined <= 0.6 * trial.rounds)],
    )
    late = _apart(trial, came, FOLLOWED // 3)
    early = _apart(trial, stayed if len(stayed) else sample, FOLLOWED - len(late))
    return tuple(early + late)


def _apart(trial: Trial, some: Ints, n: int) -> list[int]:
    """A few of the given players, from weak to strong, without the extremes."""
    by = some[np.argsort(trial.people.base[some], kind="stable")]
    if len(by) <= n:
        return [int(player) for player in by]
    return [int(player) for player in by[(np.linspace(0.05, 0.95, n) * (len(by) - 1)).astype(np.int64)]]


def curves(trial: Trial, some: Sequence[int]) -> Columns:
    """True and estimated rating by round of some players whose curves are kept."""
    rows: list[tuple[Any, ...]] = []
    for player in some:
        for name in trial.contenders:
            standing = trial[name]
            place = int(np.searchsorted(standing.sample, player))
            pairs = zip(
                standing.true_curve[:, place].tolist(), standing.estimated_curve[:, place].tolist(), strict=True
            )
            rows += [
                (player, name, round_, true, estimated)
                for round_, (true, estimated) in enumerate(pairs, 1) if estimated == estimated
            ]  # fmt: skip
    return _columns(("player", "contender", "round", "true", "estimated"), rows)


def distributions(trial: Trial) -> Columns:
    """Number of active players with a true, and with an estimated, rating in each bin at the end."""
    stay = trial.people.active
    values = {name: (trial[name].true[stay], trial[name].estimated[stay]) for name in trial.contenders}
    finite = [column[np.isfinite(column)] for pair in values.values() for column in pair]
    everything = np.concatenate(finite)
    if not len(everything):
        return _columns(("contender", "low", "high", "true", "estimated"), [])
    edges = _edges(float(everything.min()), float(everything.max()))
    rows = []
    for name, (true, estimated) in values.items():
        counts = [np.histogram(column[np.isfinite(column)], edges)[0].tolist() for column in (true, estimated)]
        rows += [
            (name, *cells) for cells in zip(edges[:-1].tolist(), edges[1:].tolist(), *counts, strict=True)
        ]  # fmt: skip
    return _columns(("contender", "low", "high", "true", "estimated"), rows)


def _edges(low: float, high: float) -> Floats:
    """Edges of bins at round numbers."""
    rough = max(high - low, 1e-9) / BINS
    power = 10.0 ** np.floor(np.log10(rough))
    width = power * next(step for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))
    return np.asarray(np.arange(np.floor(low / width), np.floor(high / width) + 2) * width)


def made_from(trials: Sequence[Trial]) -> Columns:
    """Provenance of a study: all that is needed to repeat its numbers."""
    first = trials[0]
    world = first.world
    facts = [
        ("world", str(world)),
        ("parameters", ", ".join(f"{each.name}={getattr(world, each.name)}" for each in attrs.fields(type(world)))),
        ("rounds", str(first.rounds)),
        ("seeds", ", ".join(str(trial.seed) for trial in trials)),
        *((f"contender {name}", text) for name, text in zip(first.contenders, first.identities, strict=True)),
        ("ratingcore", __version__),
        ("numpy", f"{np.__version__}, PCG64"),
    ]
    changed = [n for n, other in enumerate(first.worlds, 1) if other != world]
    if changed:
        facts.insert(2, ("changed", f"the world was another from round {changed[0]} on"))
    return _columns(("fact", "value"), facts)


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Columns:
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return dict(zip(names, cells, strict=True))
