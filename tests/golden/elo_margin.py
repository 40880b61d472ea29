"""The `elo.mov538`, `elo.nba538` and `football` cases, put to the presets of elo-margin."""

from collections.abc import Callable
from typing import Any

from ratingcore_elo_margin import EloMargin

from tests.golden.playing import games, rated

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


ADAPTERS: dict[str, Callable[..., dict[str, Any]]] = {"elo.mov538": mov538, "elo.nba538": nba538, "football": football}
