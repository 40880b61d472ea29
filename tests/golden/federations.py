"""The cases of federations, put to their methods: FIDE, DWZ, EGF, FESA, US Chess, FIFA, and tables of grades."""

from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import Any, Literal

import numpy as np
from ratingcore_dwz import Dwz
from ratingcore_egf import Egf
from ratingcore_elo import Elo, KRule
from ratingcore_fesa import Fesa
from ratingcore_fesa.points import moved
from ratingcore_football import Fifa
from ratingcore_uschess.formulas import short

from ratingcore.methods.first_ratings import fide2014, fide2024
from ratingcore.plugin import Period
from ratingcore.registry import Registry
from tests.golden.playing import games, rated
from tests.golden.playing import games as played

# The `fide.*` cases, put to the rules of the method elo.

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


# The `fide.initial` cases, put to FIDE's rules for first ratings.


def initial(regime: str, games: list[list[float]], half_point_bonus: float | None = None) -> dict[str, Any]:
    opponents, scores = np.array(games, dtype=np.float64).T
    half_point = half_point_bonus or {"2009": 12.5}.get(regime, 20.0)
    made = fide2024(opponents, scores) if regime == "2024" else fide2014(opponents, scores, half_point)
    return {"ra": made.opposition, "p": made.share, "dp": made.gap, "ru": made.rating}


# The `dwz` cases, put to the method dwz.


def dwz_event(*, rating: float, e: float, games: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """One event of the player in row 0, every opponent a row of their own."""
    result = rated(Dwz(development=e), [rating, *(r for r, _ in games)], _played([s for _, s in games]))
    return {
        "expected": float(sum(result.expected)),
        "new": rating + float(sum(result.change[0])),
        "new_rounded": float(result.state["rating"][0]),
    }


def _played(scores: list[float]) -> Any:
    return games([0] * len(scores), [*range(1, len(scores) + 1)], scores)


# The `egf` cases, put to the method egf.


def egf_game(
    *,
    ra: float,
    rb: float,
    score: float,
    variant: str = "2021",
    handicap: float = 0.0,
    handicap_points: Any = "by-stones",
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


# The `fesa` cases, put to the method fesa.


def fesa_game(*, rating: float, opp: float, score: float) -> dict[str, Any]:
    """One game that is a tournament."""
    result = rated(Fesa(), [rating, opp], games([0], [1], [score]))
    one = [np.array([float(x)]) for x in (rating, opp, score)]
    return {"k": float(result.notes["k_a"][0]), "d_raw": float(moved(*one)[0]), "d": float(result.change[0][0])}


# The `uscf` cases, put to the short form of the plugin uschess: one player, one event, every opponent once.


def uschess_event(*, rating: float, games_before: float, games: Sequence[Sequence[float]]) -> dict[str, Any]:
    """The new rating, the bonus in it, and K; without games the rating stays."""
    pairs = np.array(games, dtype=np.float64).reshape(-1, 2)
    met = np.unique(pairs[:, 0], return_counts=True)[1]
    if not len(met):
        return {"new": rating, "bonus": 0.0, "k": None}
    step = short(rating, games_before, pairs[:, 0], pairs[:, 1], 14.0, bool(met.max() > 2))
    return {"new": step.rating, "bonus": step.bonus, "k": step.k}


# The `grade` cases, put to the tables of the methods' plugins.


def grade(*, table: str, rating: float) -> dict[str, Any]:
    """What a table calls a rating."""
    return {"grade": Registry.installed().grade(table)(rating)}


# The `fifa_sum` cases, put to the method fifa.

OUTCOMES = {"a": (1.0, 0.0), "b": (0.0, 0.0), "draw": (0.5, 0.0), "a_pens": (0.5, 1.0), "b_pens": (0.5, -1.0)}


def match(
    *, points_a: float, points_b: float, result: str, importance: float, knockout: bool = False
) -> dict[str, Any]:
    """One match of a given importance."""
    score, shootout = OUTCOMES[result]
    facts = {
        "importance": importance,
        "tournament": np.nan,
        "stage": float(knockout),
        "shootout": shootout,
        "window": 1.0,
    }
    after = rated(Fifa(), [points_a, points_b], games([0], [1], [score], **{name: [x] for name, x in facts.items()}))
    return {
        "we": float(after.expected[0]),
        "change_a": float(after.change[0][0]),
        "change_b": float(after.change[1][0]),
        "new_a": float(after.state["rating"][0]),
        "new_b": float(after.state["rating"][1]),
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {
    "fide.k_factor": k_factor,
    "fide.period": period,
    "fide.initial": initial,
    "dwz": dwz_event,
    "egf": egf_game,
    "fesa": fesa_game,
    "uscf": uschess_event,
    "grade": grade,
    "fifa_sum": match,
}
