"""Runs of C with different thresholds: the rate of success from which C raises K."""

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from attrs import frozen

from ratingcore.plugin import BadValue, Method
from ratingcore_laboratory.contender import START, Contender
from ratingcore_laboratory.run import trials
from ratingcore_laboratory.thesis.published import THRESHOLDS as PRINTED
from ratingcore_laboratory.thesis.published import K
from ratingcore_laboratory.trial import Band, Trial
from ratingcore_laboratory.world import World, preset_of

THRESHOLDS: tuple[float, ...] = tuple(PRINTED)
"""The thresholds that the source study compares."""

COLUMNS = ("round", "threshold", "deviation", "deviation_low", "deviation_high", "said")


def called(threshold: float) -> str:
    """Name of the contender of a threshold.

    Examples
    --------
    >>> called(0.55)
    'C 55 %'
    """
    return f"C {100.0 * threshold:.10g} %"


@frozen(eq=False)
class Thresholds:
    """Runs of one world with contenders that differ from C only in their threshold.

    The threshold is the least rate of success for a boost.

    Parameters
    ----------
    thresholds : tuple of float in [0, 1]
    k : str
        K of all of them.
    trials : tuple of Trial
        One for each seed; the contenders are in the order of the thresholds.
    """

    thresholds: tuple[float, ...]
    k: str
    trials: tuple[Trial, ...]

    @classmethod
    def play(
        cls, world: World, method: Callable[[str], Method], thresholds: Sequence[float] = THRESHOLDS,
        seeds: Sequence[int] = (1,), jobs: int | None = 1, *, k: str = K,
    ) -> Self:  # fmt: skip
        """Plays a world once for each seed, with a contender for each threshold.

        Parameters
        ----------
        method : callable
            Returns the method of a method text, as `Registry.method` does.
        thresholds : sequence of float in [0, 1]
        seeds, jobs
            As in `trials`.
        k : str

        Examples
        --------
        >>> from ratingcore.plugin.analysis import Registry
        >>> world = World(players=60, rounds=12, joining_mean=4, joining_sd=0, leaving_mean=4, leaving_sd=0)
        >>> made = Thresholds.play(world, Registry.installed().method, [0.55, 0.65])
        >>> made.trials[0].contenders, len(made.columns()["round"])
        (('C 55 %', 'C 65 %'), 24)
        """
        if not thresholds or len(set(thresholds)) < len(thresholds):
            raise BadValue("thresholds", list(thresholds), "must be one or more different numbers")
        contenders = [
            Contender(called(each), method(f"adaptive-k:k={k},threshold={each},initial={START},floor=0"), "trial")
            for each in thresholds
        ]
        return cls(tuple(thresholds), k, tuple(trials(world, contenders, seeds, jobs)))

    def band(self, threshold: float) -> Band:
        """Mean deviation by round under a threshold."""
        return Band.of(self.trials, called(threshold), "mean")

    @property
    def rounds(self) -> int:
        """Rounds that were played."""
        return self.trials[0].rounds

    @property
    def answer(self) -> str:
        """Which threshold is nearest to the truth early and late, in sentences."""
        curves = {each: self.band(each).mean for each in self.thresholds}
        last = {each: float(curve[-1]) for each, curve in curves.items() if np.isfinite(curve[-1])}
        if not last:
            return "There is no result: nobody with a rating is left."
        early = min(self.rounds, 10)
        first = {each: float(curve[:early].mean()) for each, curve in curves.items() if each in last}
        order, soonest = sorted(last, key=last.__getitem__), min(first, key=first.__getitem__)
        ends = ", ".join(f"{each:.4g} {last[each]:.1f}" for each in order)
        least = curves[soonest]
        return (
            f"Over the first {early} rounds the threshold {soonest:.4g} is nearest to the truth: {least.min():.1f} "
            f"points off in its best round, {int(np.argmin(least)) + 1}, and {least[-1]:.1f} in the last one. "
            f"Points off the truth after {self.rounds} rounds: {ends}."
        )

    def columns(self) -> dict[str, Any]:
        """A row per round and threshold: mean, lowest and highest deviation over the seeds, and the published number.

        Published numbers exist only for `thesis-1` with a K of 40.
        """
        n, bands = self.rounds, [self.band(each) for each in self.thresholds]
        known = PRINTED if preset_of(self.trials[0].world) == "thesis-1" and self.k == K else {}

        def woven(name: str) -> Any:
            return np.stack([getattr(band, name) for band in bands], axis=1).ravel()

        cells = (
            np.repeat(np.arange(1, n + 1), len(bands)), np.tile(np.array(self.thresholds), n),
            *map(woven, ("mean", "lowest", "highest")),
            tuple(known.get(each, {}).get(round_) for round_ in range(1, n + 1) for each in self.thresholds),
        )  # fmt: skip
        return dict(zip(COLUMNS, cells, strict=True))
