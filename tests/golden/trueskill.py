"""The `trueskill` and `ttt` cases, put to the plugin trueskill: a result of two teams, and games through time."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from ratingcore_trueskill import TrueSkill, TrueSkillThroughTime

from ratingcore.plugin import DAY, Games, Sides, Span, State

Team = Sequence[Sequence[float]]


def session(sizes: Sequence[int], score: Sequence[float], weights: Sequence[float] | None = None) -> Sides:
    """One result of sides of these sizes; members have rows in order."""
    side = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    members = {"weights": np.array(weights, dtype=np.float64) if weights else np.ones(side[-1])}
    at = np.ones(1, dtype=np.int64)
    return Sides(
        np.array([0, len(sizes)]), side, np.arange(side[-1], dtype=np.int32), np.array(score, dtype=np.float64),
        at, at, Span(0, 2), members=members,
    )  # fmt: skip


def known(method: TrueSkill, teams: Sequence[Team]) -> State:
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
    assert track is not None
    rows = zip(track.player, track.day, track.columns["rating"], track.columns["deviation"], strict=True)
    return {
        "nodes": [
            {"player": who[i], "time": int(day) // DAY, "mu": float(mean), "sigma": float(sd)}
            for i, day, mean, sd in rows
        ]
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"trueskill": game, "ttt": history}
