"""The numbers of the independent program next to what came out, judged by the spread of its runs."""

from collections.abc import Sequence
from typing import Any

from ratingcore_laboratory.bands import Band
from ratingcore_laboratory.thesis.published import DEVIATION, K
from ratingcore_laboratory.trial import Trial
from ratingcore_laboratory.world import preset_of

NAMES = ("round", "contender", "said", "spread", "here", "low", "high", "difference", "allowed", "within")


def scenario(trials: Sequence[Trial]) -> str | None:
    """The preset of some runs, whatever their number of rounds; None for another world or other contenders."""
    first = trials[0]
    if any(world != first.world for world in first.worlds) or not {"A", "B", "C"} <= set(first.contenders):
        return None
    return preset_of(first.world)


def has_published_k(trials: Sequence[Trial]) -> bool:
    """Whether A, B and C have the K of the independent program."""
    first = trials[0]
    identities = dict(zip(first.contenders, first.identities, strict=True))
    return all(f"(k={float(K)}," in identities[who] for who in "ABC")


def figures(trials: Sequence[Trial]) -> dict[str, Any]:
    """Columns of the table of the independent program next to these; no rows for other worlds or another K.

    `spread` is the standard deviation of one of its runs; `allowed` the distance of four standard errors of a mean over
    as many seeds as there are here; `within` whether the difference is no larger.
    """
    name, rows = scenario(trials), []
    if name and has_published_k(trials):
        for who in "ABC":
            band = Band.of(trials, who, "mean")
            for round_, printed in DEVIATION[name][who].items():
                if round_ > len(band.mean):
                    continue
                here, low, high = (float(x[round_ - 1]) for x in (band.mean, band.lowest, band.highest))
                apart, allowed = here - printed.mean, printed.allowed(len(trials))
                rows.append(
                    (round_, who, printed.mean, printed.spread, here, low, high, apart, allowed, abs(apart) <= allowed)
                )
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(NAMES)
    return dict(zip(NAMES, cells, strict=True))
