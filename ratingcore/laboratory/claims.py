"""Claims of the source study and of an independent program about a world, next to what came out; errata included.

Both sources are described in `README.md` beside this file.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import attrs
import numpy as np

from ratingcore.laboratory.bands import Band
from ratingcore.laboratory.trial import Trial
from ratingcore.laboratory.world import PRESETS, World
from ratingcore.tables.arrays import Floats

STUDY, PROGRAM = "source study", "independent program"
ROUNDS = (1, 5, 10, 20, 50)
"""Rounds for which the independent program has numbers."""

DEVIATION: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "thesis-1": {"A": (276, 216, 188, 173, 166), "B": (276, 191, 147, 113, 89), "C": (273, 178, 127, 90, 81)},
    "thesis-2": {"A": (286, 262, 213, 185, 161), "B": (286, 251, 183, 149, 135), "C": (283, 241, 160, 122, 109)},
    "thesis-3": {"A": (281, 257, 203, 168, 139), "B": (281, 250, 185, 146, 117), "C": (278, 240, 159, 115, 101)},
}
"""Mean deviation in rating points at `ROUNDS`; three seeds of the independent program, one in scenario 3."""

KENDALL: Mapping[str, Mapping[str, float]] = {
    "thesis-1": {"A": 0.856, "B": 0.920, "C": 0.916},
    "thesis-2": {"A": 0.831, "B": 0.841, "C": 0.836},
    "thesis-3": {"A": 0.831, "B": 0.842, "C": 0.833},
}
"""Kendall's correlation at round 50, by the independent program."""

ERRATA = (
    ("3.1.1, 4", "variance of strength 400, of appetite 0.3, of comers and goers 15", "standard deviations"),
    ("3.1.1", "period of the sine 312 games, which is games/50", "sin(games/50) has a period of 314.16; here 312"),
    ("2.4.3", "Spearman from x - y", "differences of ranks, and only without ties"),
    ("3.2.2", "the correlation coefficient is adjusted", "the development coefficient K"),
    ("4", "method C: the periodic method is replaced by the modified one", "the continuous method is replaced"),
    ("4", "method C assigns Elo statically", "method A does"),
    ("screenshot", "normality 0.60 to 0.67", "no PPCC of such ratings, which is near 1"),
    ("4", "K of the simulation is not printed", "here 15 below 2400 and 10 from there on, unless said"),
)  # fmt: skip
"""Errata of the source study that bear on the simulation: its section, as printed, right."""


class Claim(NamedTuple):
    """One claim and what became of it; `holds` is None where it cannot be told."""

    claim: str
    by: str
    said: str
    here: str
    holds: bool | None
    remark: str = ""


def scenario(trials: Sequence[Trial]) -> str | None:
    """The preset of some runs, whatever their number of rounds; None for another world or other contenders."""
    first = trials[0]
    if any(world != first.world for world in first.worlds) or not {"A", "B", "C"} <= set(first.contenders):
        return None
    for name, values in PRESETS.items():
        if attrs.evolve(first.world, rounds=World(**values).rounds) == World(**values):
            return name
    return None


def claims(trials: Sequence[Trial]) -> dict[str, Any]:
    """Columns of the claims of a scenario; no rows for any other world."""
    name = scenario(trials)
    rows = list(_claims(name, trials)) if name else []
    return {field: tuple(getattr(claim, field) for claim in rows) for field in Claim._fields}


def _claims(name: str, trials: Sequence[Trial]) -> Iterator[Claim]:
    off, kendall, ppcc = (
        {who: Band.of(trials, who, measure).mean for who in "ABC"} for measure in ("mean", "kendall", "ppcc")
    )
    n = trials[0].rounds
    if name == "thesis-1":
        yield from _fastest(off, n)
        yield from _ordered(kendall, n)
    else:
        yield from _unseen(off, n)
        yield from _late(off, n)
    yield from _turnover(name, off, n)
    yield from _normal(trials, ppcc)


def _fastest(off: Mapping[str, Floats], n: int) -> Iterator[Claim]:
    some = slice(2, min(n, 20))
    held = (off["C"] < off["B"])[some] & (off["B"] < off["A"])[some]
    if len(held):
        yield Claim(
            "entry by games, and a K that adapts, find the strengths sooner", PROGRAM,
            "mean deviation of C < B < A from round 3 to 20", f"in {int(held.sum())} of {len(held)} rounds",
            bool(held.all()),
        )  # fmt: skip


def _ordered(kendall: Mapping[str, Floats], n: int) -> Iterator[Claim]:
    lead = np.minimum(kendall["B"], kendall["C"])[9:] - kendall["A"][9:]
    if len(lead):
        yield Claim(
            "entry by games orders the players better", PROGRAM,
            "Kendall of B and C above A by more than 0.03 from round 10",
            f"by {lead.min():.3f} to {lead.max():.3f}", bool(lead.min() > 0.03),
        )  # fmt: skip


def _unseen(off: Mapping[str, Floats], n: int) -> Iterator[Claim]:
    if n < 8:
        return
    falls = {who: ((x[1] - x[3]) / 2, (x[5] - x[7]) / 2) for who, x in off.items()}
    yield Claim(
        "no method sees that all grow stronger together", PROGRAM,
        "deviation stalls or rises in the first quarter of the sine, rounds 2 to 5, then falls",
        "points a round it falls in rounds 2 to 4, and in 6 to 8: "
        + ", ".join(f"{who} {early:.1f}, {later:.1f}" for who, (early, later) in falls.items()),
        all(early < 0.5 * later for early, later in falls.values()),
    )  # fmt: skip


def _late(off: Mapping[str, Floats], n: int) -> Iterator[Claim]:
    if n < 50:
        return
    yield Claim(
        "who is nearest to the truth late in a long run", STUDY, "A has the smallest mean deviation",
        f"round {n}: " + ", ".join(f"{who} {x[-1]:.1f}" for who, x in off.items()),
        bool(off["A"][-1] < min(off["B"][-1], off["C"][-1])),
        "a matter of K, which the study does not print: it comes out with K = 40, not with K = 15 or 25",
    )  # fmt: skip


def _turnover(name: str, off: Mapping[str, Floats], n: int) -> Iterator[Claim]:
    if n < 20:
        return
    printed = {world: _gain({who: x[3] for who, x in table.items()}) for world, table in DEVIATION.items()}
    here = _gain({who: float(x[19]) for who, x in off.items()})
    others = [gain for world, gain in printed.items() if (world == "thesis-1") != (name == "thesis-1")]
    sign = 1 if name == "thesis-1" else -1
    holds = all(sign * one > sign * other for gain in others for one, other in zip(here, gain, strict=True))
    gains = "; ".join(f"{world} {b:.0%} and {c:.0%}" for world, (b, c) in printed.items())
    yield Claim(
        "the more come and go, the more B and C gain over A", PROGRAM,
        f"share of the deviation of A that B and C save, round 20: {gains}", f"{here[0]:.0%} and {here[1]:.0%}", holds,
        "6 % of the players a round come and go in thesis-1, 4 to 5 % in thesis-2, 2 % in thesis-3",
    )  # fmt: skip


def _gain(off: Mapping[str, float]) -> tuple[float, float]:
    return 1.0 - off["B"] / off["A"], 1.0 - off["C"] / off["A"]


def _normal(trials: Sequence[Trial], ppcc: Mapping[str, Floats]) -> Iterator[Claim]:
    all_of_them = [trial.series(who, "ppcc") for trial in trials for who in "ABC"]
    low, high = (float(pick(np.concatenate(all_of_them))) for pick in (np.min, np.max))
    yield Claim(
        "how normal estimated ratings look", STUDY, "PPCC from 0.60 to 0.67", f"from {low:.4f} to {high:.4f}",
        bool(low >= 0.60 and high <= 0.67),
        "no PPCC of a pool whose correlation with a normal truth is 0.97; those numbers cannot be had again",
    )  # fmt: skip
    both = np.minimum(ppcc["B"], ppcc["C"]) > ppcc["A"]
    yield Claim(
        "whose ratings look most normal", STUDY, "B and C look more normal than A",
        f"both do in {int(both.sum())} of {len(both)} rounds, "
        f"in {int(both[:10].sum())} of the first {len(both[:10])}", bool(both.all()),
        "in the first rounds newcomers with ratings at the limit of an entry stand out",
    )  # fmt: skip


def figures(trials: Sequence[Trial]) -> dict[str, Any]:
    """Columns of the numbers of the independent program next to these; no rows for other worlds or another K."""
    names = ("measure", "round", "contender", "said", "here", "low", "high", "difference_percent", "within_8_percent")
    name, rows = scenario(trials), []
    first = trials[0]
    printed = dict(zip(first.contenders, first.identities, strict=True))
    if name and all("k=czech" in printed[who] for who in "ABC"):
        for measure, called in (("mean", "mean deviation"), ("kendall", "Kendall")):
            for who in "ABC":
                band = Band.of(trials, who, measure)
                figures_of = DEVIATION[name][who] if measure == "mean" else (KENDALL[name][who],)
                for round_, figure in zip(ROUNDS if measure == "mean" else ROUNDS[-1:], figures_of, strict=True):
                    if round_ <= len(band.mean):
                        here, low, high = (float(x[round_ - 1]) for x in (band.mean, band.lowest, band.highest))
                        apart = 100.0 * (here / figure - 1.0)
                        rows.append((called, round_, who, float(figure), here, low, high, apart, abs(apart) <= 8.0))
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return dict(zip(names, cells, strict=True))


def errata(trials: Sequence[Trial]) -> dict[str, Any]:
    """Columns of the errata; no rows for a world that is not of the source study."""
    rows = ERRATA if scenario(trials) else ()
    return {field: tuple(row[n] for row in rows) for n, field in enumerate(("section", "printed", "right"))}
