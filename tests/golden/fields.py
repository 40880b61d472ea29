"""The cases of methods that read sessions of any number of sides, put to these methods."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from ratingcore_bridge_bayes import BridgeBayes
from ratingcore_bridge_bayes.sample_sessions import sessions
from ratingcore_contests import Codeforces, EloMmr
from ratingcore_trueskill import TrueSkill, TrueSkillThroughTime
from ratingcore_weng_lin import WengLin

from ratingcore.plugin import DAY, Games, Rated, Sides, Span, State

# The `trueskill` and `ttt` cases, put to the plugin trueskill: a result of two teams, and games through time.

Team = Sequence[Sequence[float]]


def session(
    sizes: Sequence[int], score: Sequence[float], weights: Sequence[float] | None = None, **facts: float
) -> Sides:
    """One result of sides of these sizes; members have rows in order."""
    side = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    members = {"weights": np.array(weights, dtype=np.float64) if weights else np.ones(side[-1])}
    at = np.ones(1, dtype=np.int64)
    return Sides(
        np.array([0, len(sizes)]), side, np.arange(side[-1], dtype=np.int32), np.array(score, dtype=np.float64),
        at, at, Span(0, 2), {name: np.full(1, value) for name, value in facts.items()}, members=members,
    )  # fmt: skip


def known(method: TrueSkill | WengLin, teams: Sequence[Team]) -> State:
    """The players of teams, each of a rating and a deviation."""
    pairs = np.array([player for team in teams for player in team], dtype=np.float64)
    start = State.start(method.columns(), players=len(pairs))
    return start.replace(rating=pairs[:, 0].copy(), deviation=pairs[:, 1].copy())


def game(
    *,
    team_a: Team,
    team_b: Team,
    score: float,
    beta: float = 25.0 / 6.0,
    tau: float = 25.0 / 300.0,
    p_draw: float = 0.1,
) -> dict[str, Any]:
    """All players after the result."""
    method = TrueSkill(beta=beta, drift=tau, draw_chance=p_draw)
    result = session([len(team_a), len(team_b)], [score, 1.0 - score])
    after = method.rate(known(method, [team_a, team_b]), result).state
    row = iter(zip(after["rating"].tolist(), after["deviation"].tolist(), strict=True))
    return {"team_a": [list(next(row)) for _ in team_a], "team_b": [list(next(row)) for _ in team_b]}


def history(
    *,
    games: Sequence[Sequence[Any]],
    mu: float = 0.0,
    sigma: float = 6.0,
    beta: float = 1.0,
    gamma: float = 0.03,
) -> dict[str, Any]:
    """Everybody at every time they played; games are (winner, loser, time)."""
    who = sorted({name for played in games for name in played[:2]})
    order = sorted(games, key=lambda played: played[2])
    a, b = (np.array([who.index(played[side]) for played in order], dtype=np.int32) for side in (0, 1))
    at = np.arange(1, len(games) + 1)
    time = np.array([round(played[2] * DAY) for played in order], dtype=np.int64)
    method = TrueSkillThroughTime(initial=mu, deviation=sigma, beta=beta, gamma=gamma)
    results = Games(a, b, np.ones(len(order)), time, at, Span(0, 2**60))
    track = method.rate(State.start(method.columns(), len(who)), results).track
    if track is None:
        return {"nodes": []}
    rows = zip(track.player, track.day, track.columns["rating"], track.columns["deviation"], strict=True)
    return {
        "nodes": [
            {"player": who[i], "time": int(day) // DAY, "mu": float(mean), "sigma": float(sd)}
            for i, day, mean, sd in rows
        ]
    }


# The `wenglin` cases, put to the method weng-lin: one result, ranks as scores turned round.


def teams(*, model: Any, teams: Sequence[Sequence[Sequence[float]]], ranks: Sequence[float]) -> dict[str, Any]:
    """All players after the result."""
    method = WengLin(model=model)
    after = method.rate(known(method, teams), session([len(team) for team in teams], [-rank for rank in ranks])).state
    row = iter(zip(after["rating"].tolist(), after["deviation"].tolist(), strict=True))
    return {"teams": [[list(next(row)) for _ in team] for team in teams]}


# The `codeforces` and `elommr.*` cases, put to the methods of the plugin contests.


def contest(who: Sequence[int], ranks: Sequence[float]) -> Sides:
    """One contest of these rows of players, with these places."""
    n, at = len(who), np.ones(1, dtype=np.int64)
    score = -np.array(ranks, dtype=np.float64)
    return Sides(np.array([0, n]), np.arange(n + 1), np.array(who, dtype=np.int32), score, at, at, Span(0, 2))


def codeforces(*, ratings: Sequence[float], ranks: Sequence[float]) -> dict[str, Any]:
    """Changes of everybody."""
    method = Codeforces()
    start = State.start(method.columns(), len(ratings)).replace(rating=np.array(ratings, dtype=np.float64))
    return {"deltas": method.rate(start, contest(range(len(ratings)), ranks)).change.tolist()}


def _start(method: EloMmr, players: Sequence[Sequence[float]]) -> State:
    pairs = np.array(players, dtype=np.float64)
    start = State.start(method.columns(), len(players))
    return start.replace(rating=pairs[:, 0].copy(), deviation=pairs[:, 1].copy())


def one(*, players: Sequence[Sequence[float]], ranks: Sequence[float]) -> dict[str, Any]:
    """One contest, with the performance of everybody."""
    method = EloMmr()
    after = method.rate(_start(method, players), contest(range(len(players)), ranks)).state
    columns = zip(after["past"][:, 0].tolist(), after["rating"].tolist(), after["deviation"].tolist(), strict=True)
    return {"players": [{"perf": p, "mu": mu, "sig": sig} for p, mu, sig in columns]}


def several(*, players: Sequence[Sequence[float]], rounds: Sequence[Sequence[float | None]]) -> dict[str, Any]:
    """Contests one after another; null is absent."""
    method = EloMmr()
    state = _start(method, players)
    for ranks in rounds:
        there = [(n, rank) for n, rank in enumerate(ranks) if rank is not None]
        if there:
            state = method.rate(state, contest([n for n, _ in there], [rank for _, rank in there])).state
    columns = zip(state["rating"].tolist(), state["deviation"].tolist(), strict=True)
    return {"players": [{"mu": mu, "sig": sig} for mu, sig in columns]}


# The `bridge.*` cases, put to the method bridge-bayes.

VARIANCE = 200.0**2

"""The default deviation, squared."""


def _known(method: BridgeBayes, means: Sequence[float], variances: Sequence[float]) -> State:
    """Players known since day 0."""
    start = State.start(method.columns(), players=len(means))
    columns = {"rating": np.array(means, dtype=np.float64), "deviation": np.sqrt(np.array(variances, dtype=np.float64))}
    if "last" in start:
        columns["last"] = np.zeros(len(means))
    return start.replace(**columns)


def _halves(lineup: Sequence[int]) -> list[list[int]]:
    middle = len(lineup) // 2
    return [list(lineup[:middle]), list(lineup[middle:])]


def _rated(method: BridgeBayes, state: State, results: Sides) -> Rated:
    return method.rate(state, results)


def update(
    *,
    s: float,
    ratings: Sequence[float],
    variances: Sequence[float] | None = None,
    s0: float = 50.0,
    k: float = 4.0 / 1500.0,
    sigma1: float = 6.0,
) -> dict[str, Any]:
    """One result, its exact covariances."""
    n = len(ratings)
    method = BridgeBayes(s0=s0, k=k, sigma1=sigma1, tracking="full", players=max(n, 2))
    one, other = _halves(range(n))
    rated = _rated(
        method,
        _known(method, ratings, variances or [VARIANCE] * n),
        sessions([([one, other], [s, 2.0 * s0 - s])]),
    )
    covariance = rated.state["covariance"][0]
    return {
        "expected_score": float(rated.expected[0]),
        "predictive_var": float(rated.notes["variance"][0]),
        "means": rated.state["rating"].tolist(),
        "vars": (rated.state["deviation"] ** 2).tolist(),
        "cov_partners_ns": float(covariance[one[0], one[1]]) if len(one) > 1 else None,
        "cov_opponents": float(covariance[one[0], other[0]]),
    }


def sequence(
    *,
    players: Sequence[Sequence[float]],
    boards: Sequence[Mapping[str, Any]],
    mode: Literal["fixed", "diag", "full"] = "diag",
    s0: float = 50.0,
    k: float = 4.0 / 1500.0,
    sigma1: float = 6.0,
    drift_var: float = 0.0,
) -> dict[str, Any]:
    """`dt` days pass before each board, for everybody; idle players are brought up to the last day."""
    method = BridgeBayes(
        s0=s0, k=k, sigma1=sigma1, tracking=mode, drift_var=0.0 if mode == "fixed" else drift_var,
        players=max(len(players), 2),
    )  # fmt: skip
    days = np.cumsum([float(board.get("dt") or 0.0) for board in boards])
    played = [(_halves(board["lineup"]), [board["score"], 2.0 * s0 - board["score"]]) for board in boards]
    variances = [VARIANCE if variance is None else variance for _, variance in players]
    start = _known(method, [mean for mean, _ in players], variances)
    state = _rated(method, start, sessions(played, days.tolist())).state
    at = round(float(days[-1]) * DAY) if len(days) else 0
    return {"means": method.show(state, at)["rating"].tolist(), "vars": method.variances(state, at).tolist()}


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {
    "trueskill": game,
    "ttt": history,
    "wenglin": teams,
    "codeforces": codeforces,
    "elommr.round": one,
    "elommr.sequence": several,
    "bridge.update": update,
    "bridge.sequence": sequence,
}
