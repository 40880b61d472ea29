"""The cases of methods that read games of two players, put to these methods."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import hypot, isnan, nan, sqrt
from typing import Any, Literal

import numpy as np
import ratingcore_berkin as berkin
from ratingcore_adaptive_k import AdaptiveK
from ratingcore_berkin.formulas import FLOOR, Variant
from ratingcore_berkin.gauge import Gauge
from ratingcore_bradley_terry import BradleyTerry
from ratingcore_chess_bayes import ChessBayes
from ratingcore_elo import Elo
from ratingcore_elo_margin import EloMargin
from ratingcore_glicko import Glicko, Glicko2
from ratingcore_periodic import Periodic
from ratingcore_whr import Whr

from ratingcore.plugin import DAY, Games, Period, Rated, Span, State
from tests.golden import playing
from tests.golden.playing import games, rated, state
from tests.golden.playing import games as played

# The `elo.*` cases, put to the method elo.

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


# The `elo.mov538`, `elo.nba538` and `football` cases, put to the presets of elo-margin.

HOME = {"a": 1.0, "b": -1.0, "n": 0.0}


def _game(method: EloMargin, ra: float, rb: float, points_a: float, points_b: float, home: str) -> dict[str, Any]:
    score = 0.5 + 0.5 * ((points_a > points_b) - (points_a < points_b))
    facts = {"points_a": points_a, "points_b": points_b, "home": HOME[home], "season": 1.0, "importance": method.k}
    result = rated(method, [ra, rb], games([0], [1], [score], **{name: [x] for name, x in facts.items()}))
    return {
        "e": float(result.expected[0]),
        "mult": float(result.notes["multiplier"][0]),
        "change": float(result.change[0][0]),
        "ra_new": float(result.state["rating"][0]),
        "rb_new": float(result.state["rating"][1]),
    }


def mov538(
    *, ra: float, rb: float, points_a: float, points_b: float, home: str = "n", k: float = 20.0
) -> dict[str, Any]:
    """The form for American football."""
    return _game(EloMargin(**{**EloMargin.presets["nfl538"], "k": k}), ra, rb, points_a, points_b, home)


def nba538(
    *, ra: float, rb: float, points_a: float, points_b: float, home: str = "n", k: float = 20.0
) -> dict[str, Any]:
    """The form for basketball."""
    return _game(EloMargin(**{**EloMargin.presets["nba538"], "k": k}), ra, rb, points_a, points_b, home)


def football(
    *, ra: float, rb: float, goals_a: float, goals_b: float, k: float = 30.0, home: str = "n"
) -> dict[str, Any]:
    """K is the importance of the game."""
    result = _game(EloMargin(**{**EloMargin.presets["football"], "k": k}), ra, rb, goals_a, goals_b, home)
    return {**result, "g": result["mult"]}


# The `periodic.*` cases, put to the method periodic.


def new(*, opponents: Sequence[float], scores: Sequence[float], cap: float = 800.0) -> dict[str, Any]:
    """Row 0 is unrated, every opponent a row of their own."""
    n = len(scores)
    if not n:
        raise ValueError("there are no games")
    month = playing.games([0] * n, range(1, n + 1), scores)
    result = playing.rated(Periodic(cap=cap, initial=None), [nan, *opponents], month)
    mean, rating = float(result.notes["opposition_a"][0]), float(result.state["rating"][0])
    return {"mean": mean, "p": sum(scores) / n, "d": float(result.notes["performance_a"][0]) - mean, "rn": rating}


def single(*, own: float, opp: float, p: float, cap: float = 800.0) -> dict[str, Any]:
    """One game with that share of the point; the mean is of both players."""
    result = playing.rated(Periodic(cap=cap), [own, opp], playing.games([0], [1], [p]))
    a, b = result.state["rating"].tolist()
    gap = float(result.notes["performance_a"][0] - result.notes["opposition_a"][0])
    return {"mean": (a + b) / 2.0, "d": gap, "rn": a}


# The `thesis.sequence` cases, put to the method adaptive-k.


def sequence(
    *,
    games: Sequence[tuple[float, float]],
    r0: float = 1100.0,
    k: float = 15.0,
    window: int = 10,
    threshold: float = 0.6,
    floor: float = 0.0,
) -> dict[str, Any]:
    """The player is row 0, every opponent a row of their own."""
    adaptive = AdaptiveK(k=k, window=window, threshold=threshold, floor=floor)
    ratings, scores = [r0, *(r for r, _ in games)], [s for _, s in games]
    result = playing.rated(adaptive, ratings, playing.games([0] * len(games), range(1, len(ratings)), scores))
    after = list(accumulate(result.change[0].tolist(), initial=float(r0)))[1:]
    return {"ratings": after, "k_used": result.notes["k_a"].tolist()}


# The `bayes3.*` cases, put to the method chess-bayes.

NAMES = {"kind": "model", "eps": "draw_band"}


def update(
    *, ra: float, rb: float, var_a: float, var_b: float, score: float, model: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """One game, its evidence and both posteriors."""
    given = {NAMES.get(key, key): value for key, value in (model or {}).items() if value is not None}
    if "c" in given:  # of the band: the scale over the root of 2
        given["scale"] = given.pop("c") * sqrt(2.0)
    method, played = ChessBayes(**given), games([0], [1], [score])
    start = state(method, [ra, rb]).replace(deviation=np.sqrt([float(var_a), float(var_b)]))
    result = method.rate(start, played)
    assert result.draw is not None
    e, draw = float(result.expected[0]), float(result.draw[0])
    mean, variance = result.state["rating"].tolist(), (result.state["deviation"] ** 2).tolist()
    return {
        "evidence": draw if score == 0.5 else (e if score == 1.0 else 1.0 - e) - 0.5 * draw,
        "mean_a": mean[0],
        "mean_b": mean[1],
        "var_a": variance[0],
        "var_b": variance[1],
    }


# The `berkin.*` cases, put to the plugin berkin.


def solve(*, points: Sequence[Sequence[float]], anchor: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A field at once; without an answer the status alone."""
    given = {key: value for key, value in (anchor or {}).items() if value is not None}
    kind, value = given.get("kind", "geomean"), given.get("value", 1000.0)
    gauge: Gauge
    if kind == "player":
        known = np.full(len(points), nan)
        known[given["index"]] = value
        gauge = berkin.Pinned(known)
    else:
        gauge = berkin.Level(kind, value)
    solution = berkin.solve(np.array(points, dtype=np.float64), gauge)
    return {"status": solution.status, "ratings": solution.rating.tolist() if solution.status == "ok" else None}


def performance(*, opponents: Sequence[float], scores: Sequence[float]) -> dict[str, Any]:
    """One player against fixed opponents."""
    found = berkin.performance(np.array(opponents, dtype=np.float64), np.array(scores, dtype=np.float64))
    return {"r": None if isnan(found.rating) else found.rating, "status": found.status}


def change(
    *,
    variant: Variant,
    ro: float,
    rc: float,
    score: float | None = None,
    L: float = 0.0,  # noqa: N803  # the key of the cases
    n0: float = 20.0,
    wins: float | None = None,
    losses: float | None = None,
) -> dict[str, Any]:
    """One result by 13.10 to 13.12, several by 13.13; all but the exact 13.10 stay above the floor."""
    won = wins if wins is not None else score if score is not None else 0.0
    given = losses if losses is not None else 1.0 - score if score is not None else 0.0
    delta = berkin.change(variant, ro, rc * won, given, lost=L, n0=n0)
    if isnan(delta):
        return {"delta": None, "new": None, "status": "unbounded"}
    new = ro + delta if variant == "13.10" else max(ro + delta, FLOOR * 1000.0)
    return {"delta": delta, "new": new, "status": "zero" if new == 0.0 else "ok"}


# The `bt.mle` cases, put to the method bradley-terry: points of everybody against everybody.


def most_likely(*, points: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Ratings about a mean of 0; null if the field is not strongly connected."""
    a, b, score = [], [], []
    for i, row in enumerate(points):
        for j, won in enumerate(row):
            left = float(won)
            while left > 0.0:  # games of a whole point, and of half of one
                half = left % 1.0 if left < 1.0 else 1.0
                a.append(i)
                b.append(j)
                score.append(half)
                left -= half
    whole = [(x, y) for x, y, s in zip(a, b, score, strict=True) if s == 1.0]
    parts = {(x, y) for x, y, s in zip(a, b, score, strict=True) if s != 1.0}
    drawn = [(x, y) for x, y in parts if x < y]
    assert {(y, x) for x, y in drawn} | set(drawn) == parts
    method, field = BradleyTerry(), [*whole, *drawn]
    result = [1.0] * len(whole) + [0.5] * len(drawn)
    played = games([x for x, _ in field], [y for _, y in field], result)
    solved = method.rate(state(method, np.full(len(points), np.nan)), played)
    reducible = not field or bool((solved.state["status"] == 2.0).any())
    return {
        "status": "reducible" if reducible else "ok",
        "elo": None if reducible else solved.state["rating"].tolist(),
    }


# The `glicko` and `glicko2` cases, put to the methods of the plugin glicko: one player, one period.

GLICKO_Games = Sequence[tuple[float, float, float]]


def _period(method: Glicko | Glicko2, r: float, rd: float, games: GLICKO_Games, **known: list[float]) -> Rated:
    """The period of the player in row 0, every opponent a row of their own."""
    start = state(method, [r, *(rating for rating, _, _ in games)])
    columns = {"deviation": [rd, *(deviation for _, deviation, _ in games)], **known}
    start = start.replace(**{name: np.array(column, dtype=np.float64) for name, column in columns.items()})
    n = len(games)
    return method.rate(start, played([0] * n, range(1, n + 1), [score for _, _, score in games]))


END = 31 * DAY - 1

"""The last instant of January 1970, the period of all cases."""


def glicko(*, r: float, rd: float, games: GLICKO_Games, c: float = 34.64, t: float = 0.0) -> dict[str, Any]:
    """`t` periods have passed for the player; the deviations of the opponents are those of the period."""
    method = Glicko(c=c)
    now = method.clock.now(played([], [], []))
    after = _period(method, r, rd, games, last=[now - t, *(now for _ in games)]).state
    return {name: float(method.show(after, END)[column][0]) for name, column in (("r", "rating"), ("rd", "deviation"))}


def glicko2(*, r: float, rd: float, vol: float, games: GLICKO_Games, tau: float = 0.5) -> dict[str, Any]:
    """One period, the one after that of the deviation; the volatilities of the opponents are of no account."""
    method = Glicko2(tau=tau)
    now = method.clock.now(played([], [], []))
    known = {"volatility": [vol, *(0.06 for _ in games)], "last": [now - 1.0, *(now - 1.0 for _ in games)]}
    after = method.show(_period(method, r, rd, games, **known).state, END)
    names = (("r", "rating"), ("rd", "deviation"), ("vol", "volatility"))
    return {name: float(after[column][0]) for name, column in names}


# The `whr` cases, put to the method whr: games of named players on days.


def whr_played(games: Sequence[Sequence[Any]], who: list[str]) -> Games:
    """Games of (a, b, score of a, day)."""
    a, b = (np.array([who.index(game[side]) for game in games], dtype=np.int32) for side in (0, 1))
    day = np.array([game[3] for game in games], dtype=np.int64)
    at = np.arange(1, len(games) + 1)
    return Games(a, b, np.array([game[2] for game in games], dtype=np.float64), day * DAY, at, Span(0, 2**60))


def history(*, games: Sequence[Sequence[Any]], w2: float = 14.0, prior_games: float = 1.0) -> dict[str, Any]:
    """Everybody on every day they played."""
    who = sorted({name for game in games for name in game[:2]})
    method = Whr(w2=w2, prior_games=prior_games)
    solved = method.rate(State.start(method.columns(), len(who)), whr_played(games, who))
    if solved.track is None:
        return {"nodes": []}
    track = solved.track
    rows = zip(track.player, track.day, track.columns["rating"], track.columns["deviation"], strict=True)
    return {
        "nodes": [
            {"player": who[i], "day": int(day) // DAY, "elo": float(elo), "sd": float(sd)} for i, day, elo, sd in rows
        ]
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {
    "elo.expected": expected,
    "elo.game": game,
    "elo.period": period,
    "elo.drawband": drawband,
    "elo.mov538": mov538,
    "elo.nba538": nba538,
    "football": football,
    "periodic.new": new,
    "periodic.single": single,
    "thesis.sequence": sequence,
    "bayes3.update": update,
    "berkin.solve": solve,
    "berkin.performance": performance,
    "berkin.change": change,
    "bt.mle": most_likely,
    "glicko": glicko,
    "glicko2": glicko2,
    "whr": history,
}
