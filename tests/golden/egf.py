"""The `egf` cases, put to the method egf."""

from collections.abc import Callable
from typing import Any

from ratingcore_egf import Egf

from tests.golden.playing import games, rated


def game(
    *,
    ra: float,
    rb: float,
    score: float,
    variant: str = "2021",
    handicap: float = 0.0,
    handicap_points: float | None = None,
) -> dict[str, Any]:
    """One game that is an event; before 2021 both sides expect half of epsilon less than their share."""
    names: dict[str, Any] = {"classic": "gor"}
    egf = Egf(variant=names.get(variant, variant), handicap_points=handicap_points)
    result = rated(egf, [ra, rb], games([0], [1], [score], handicap=[handicap], event_class=[1.0]))
    less = 0.5 * egf.epsilon if egf.variant == "gor" else 0.0
    share = float(result.expected[0])
    return {
        "ea": share - less,
        "eb": 1.0 - share - less,
        "ra_new": float(result.state["rating"][0]),
        "rb_new": float(result.state["rating"][1]),
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"egf": game}
