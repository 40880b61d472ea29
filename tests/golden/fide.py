"""The `fide.*` cases, put to the rules of the method elo."""

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import Any, Literal

import numpy as np
from ratingcore_elo import Elo, KRule

from ratingcore.plugin import Period
from tests.golden.playing import games as played
from tests.golden.playing import rated

Regime = Literal["pre2009", "2014", "2022", "2024", "2025"]
MONTH = Period.parse("month")
MOST = KRule("fide2014").at(0)
"""The regime whose K times the games of a period is limited; the cases give K as a number."""


def k_factor(
    *,
    regime: str = "fide2014",
    rating: float = nan,
    games_played: float = 0,
    reached_2400: bool = False,
    age: float = nan,
) -> dict[str, Any]:
    """K at the start of a period."""
    player = (np.array([float(x)]) for x in (rating, games_played, reached_2400, age))
    return {"k": float(KRule.parse(regime).at(0).k(*player)[0])}


def period(
    *,
    rating: float,
    games: Sequence[Mapping[str, Any]],
    regime: Regime = "2024",
    k: float = 20.0,
    games_in_period: int | None = None,
) -> dict[str, Any]:
    """The player is row 0, every opponent a row of their own; null is an opponent without a rating."""
    counted = [game for game in games if game.get("score") is not None]
    ratings = [rating, *(nan if game.get("opp") is None else game["opp"] for game in counted)]
    n = sum(game.get("opp") is not None for game in counted) if games_in_period is None else games_in_period
    k_eff = float(MOST.limited(np.array([float(k)]), np.array([n]))[0])
    elo = Elo(k=k_eff, curve="table", rule=regime, unrated="skip", rounding=True, period=MONTH)
    events = [game.get("event") for game in counted]
    label = {event: float(number) for number, event in enumerate(dict.fromkeys(events), 1)}
    month = played(
        [0] * len(counted), [*range(1, len(ratings))], [game["score"] for game in counted],
        event=[label[event] for event in events],
    )  # fmt: skip
    result = rated(elo, ratings, month)
    change = float(np.sum(result.change[0]))
    return {
        "k_eff": k_eff,
        "sum_dr": float(np.nansum(month.score - result.notes["expected_a"])),
        "change": change,
        "change_rounded": change + float(result.after["rounding"][0]),
        "new": float(result.state["rating"][0]),
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"fide.k_factor": k_factor, "fide.period": period}
