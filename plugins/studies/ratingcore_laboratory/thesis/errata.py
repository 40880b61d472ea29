"""Errata of the source study that bear on the simulation."""

from collections.abc import Sequence
from typing import Any

from ratingcore_laboratory.thesis.figures import scenario
from ratingcore_laboratory.trial import Trial

ERRATA = (
    ("2.2", "80 % for a lead of 200 points", "76 %: 0.7597 by the logistic curve, 0.7602 by the normal one"),
    ("3.1.1, 4", "variance of strength 400, of appetite 0.3, of comers and goers 15", "standard deviations"),
    ("3.1.1", "period of the sine 312 games, which is games/50", "sin(games/50) has a period of 314.16; here 312"),
    ("2.4.3", "Spearman from x - y", "differences of ranks, and only without ties"),
    ("3.2.2", "the correlation coefficient is adjusted", "the development coefficient K"),
    ("4", "method C: the periodic method is replaced by the modified one", "the continuous method is replaced"),
    ("4", "method C assigns Elo statically", "method A does"),
    ("screenshot", "normality 0.60 to 0.67", "no PPCC of such ratings, which is near 1"),
    ("4", "K of the simulation is not printed", "here 40 for everybody, unless said: most claims come out with it"),
)  # fmt: skip
"""Its section, as printed, right."""


def errata(trials: Sequence[Trial]) -> dict[str, Any]:
    """Columns of the errata; no rows for a world that is not of the source study."""
    rows = ERRATA if scenario(trials) else ()
    return {field: tuple(row[n] for row in rows) for n, field in enumerate(("section", "printed", "right"))}
