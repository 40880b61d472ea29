"""The `whr` cases, put to the method whr: games of named players on days."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from ratingcore_whr import Whr

from ratingcore.plugin import DAY, Games, Span, State


def played(games: Sequence[Sequence[Any]], who: list[str]) -> Games:
    """Games of (a, b, score of a, day)."""
    a, b = (np.array([who.index(game[side]) for game in games], dtype=np.int32) for side in (0, 1))
    day = np.array([game[3] for game in games], dtype=np.int64)
    at = np.arange(1, len(games) + 1)
    return Games(a, b, np.array([game[2] for game in games], dtype=np.float64), day * DAY, at, Span(0, 2**60))


def history(*, games: Sequence[Sequence[Any]], w2: float = 14.0, prior_games: float = 1.0) -> dict[str, Any]:
    """Everybody on every day they played."""
    who = sorted({name for game in games for name in game[:2]})
    method = Whr(w2=w2, prior_games=prior_games)
    solved = method.rate(State.start(method.columns(), len(who)), played(games, who))
    assert solved.track is not None
    track = solved.track
    rows = zip(track.player, track.day, track.columns["rating"], track.columns["deviation"], strict=True)
    return {
        "nodes": [
            {"player": who[i], "day": int(day) // DAY, "elo": float(elo), "sd": float(sd)} for i, day, elo, sd in rows
        ]
    }


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"whr": history}
