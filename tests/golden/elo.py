"""The `elo.*` cases, put to the method elo."""

from collections.abc import Callable, Sequence
from math import hypot, sqrt
from typing import Any, Literal

from ratingcore_elo import Elo

from ratingcore.plugin import Period
from tests.golden import playing

Curve = Literal["logistic", "normal", "table"]


def expected(*, diff: float, curve: Curve = "logistic", cap: float | None = None) -> dict[str, Any]:
    """Expected score on each curve, with a cap or without."""
    elo = Elo(curve=curve, cap=cap)
    return {"e": float(elo.expected(playing.state(elo, [diff, 0.0]), playing.games([0], [1], [0.5])).expected[0])}


def game(
    *,
    ra: float,
    rb: float,
    score: float,
    ka: float = 20.0,
    kb: float = 20.0,
    curve: Curve = "logistic",
    cap: float | None = None,
    first_move_adv: float = 0.0,
    floor: float | None = None,
) -> dict[str, Any]:
    """Each side by the method with its own K."""
    played = playing.games([0], [1], [score], home=[1.0])
    settings: dict[str, Any] = {"curve": curve, "cap": cap, "first_move": first_move_adv, "floor": floor}
    a, b = (playing.rated(Elo(k=k, **settings), [ra, rb], played) for k in (ka, kb))
    e = float(a.expected[0])
    return {"ea": e, "eb": 1.0 - e, "ra_new": float(a.state["rating"][0]), "rb_new": float(b.state["rating"][1])}


def period(
    *,
    rating: float,
    games: Sequence[tuple[float, float]],
    k: float = 20.0,
    curve: Curve = "logistic",
    cap: float | None = None,
    floor: float | None = None,
) -> dict[str, Any]:
    """The player is row 0, every opponent a row of their own."""
    elo = Elo(k=k, curve=curve, cap=cap, floor=floor, period=Period.parse("month"))
    ratings, scores = [rating, *(r for r, _ in games)], [s for _, s in games]
    result = playing.rated(elo, ratings, playing.games([0] * len(games), [*range(1, len(ratings))], scores))
    return {
        "expected": float(sum(result.expected)),
        "actual": float(sum(scores)),
        "delta": float(sum(result.change[0])),
        "new": float(result.state["rating"][0]),
    }


def drawband(
    *, mu_a: float, mu_b: float, eps: float = 0.0, sigma_a: float = 200.0, sigma_b: float = 200.0
) -> dict[str, Any]:
    """Win, draw and loss; the spread c of the difference is the scale over the root of 2."""
    elo = Elo(curve="normal", scale=hypot(sigma_a, sigma_b) * sqrt(2.0), draw_band=eps)
    forecast = elo.expected(playing.state(elo, [mu_a, mu_b]), playing.games([0], [1], [0.5]))
    e, draw = float(forecast.expected[0]), 0.0 if forecast.draw is None else float(forecast.draw[0])
    return {"p_win": e - draw / 2.0, "p_draw": draw, "p_loss": 1.0 - e - draw / 2.0, "e": e}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {
    "elo.expected": expected,
    "elo.game": game,
    "elo.period": period,
    "elo.drawband": drawband,
}
