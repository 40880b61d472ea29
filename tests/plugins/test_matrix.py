"""Colley, Massey, Keener: numbers of independent packages, closed forms, pools that fall apart, seeds, large pools."""

import json
from typing import Any

import numpy as np
import pytest
import ratingcore_matrix.pool as module
from ratingcore_matrix import Colley, Keener, Massey

from ratingcore.engine import Engine
from ratingcore.errors import BadResult, MissingField
from ratingcore.events import GamePlayed, RatingSeeded
from ratingcore.log import SqliteLog
from ratingcore.plugin import Games, Method, Solved
from ratingcore.registry import Registry
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, state
from tests.golden.world_cups import FIXTURES, world_cups

GOLDEN = json.loads((FIXTURES / "golden" / "whole_pools.json").read_text(encoding="utf-8"))["ratings"]


def solve(method: Method, played: Games, players: int = 0) -> Solved:
    players = players or int(max(played.a.max(), played.b.max())) + 1
    solved = method.rate(state(method, [float("nan")] * players), played)
    assert isinstance(solved, Solved)
    return solved


@pytest.mark.parametrize("text", GOLDEN)
def test_two_world_cups_as_another_package_rates_them(text: str) -> None:
    """fixtures/golden/whole_pools.json; Keener's are printed there to ten decimals."""
    teams, played = world_cups()
    solved = solve(Registry.installed().method(text), played)
    assert dict(zip(teams, solved.state["rating"].tolist(), strict=True)) == pytest.approx(GOLDEN[text], abs=1e-10)
    assert solved.stopped == ""


def test_margins_of_a_tree_are_the_gaps_of_ratings() -> None:
    played = games([0, 1, 2], [1, 2, 3], [1.0, 0.0, 0.5], points_a=[3, 0, 2], points_b=[1, 4, 2])
    rating = solve(Massey(), played).state["rating"]
    assert rating[:-1] - rating[1:] == pytest.approx([2.0, -4.0, 0.0])
    assert rating.mean() == pytest.approx(0.0, abs=1e-12)


def test_the_mean_of_colley_is_a_half_and_who_wins_all_of_two_games_against_equals_has_three_quarters() -> None:
    """Laplace's rule, (1 + 2) / (2 + 2), where the opponents are held at 1/2 by as many wins as losses among others."""
    _, played = world_cups()
    assert solve(Colley(), played).state["rating"].mean() == pytest.approx(0.5)
    one = solve(Colley(), games([0, 1] * 500, [1, 2] * 500, [0.5] * 1000))
    assert one.state["rating"] == pytest.approx([0.5] * 3)


@pytest.mark.parametrize(("skew", "ratio"), [(False, 2.0), (True, ((1 + 0.6**0.5) / (1 - 0.6**0.5)) ** 0.5)])
def test_two_teams_of_keener_are_as_the_roots_of_their_preferences(skew: bool, ratio: float) -> None:
    played = games([0], [1], [1.0], points_a=[3.0], points_b=[0.0])
    rating = solve(Keener(skew=skew), played).state["rating"]
    assert rating[0] / rating[1] == pytest.approx(ratio)
    assert rating.mean() == pytest.approx(1.0)


@pytest.mark.parametrize("kind", [Massey, Keener])
def test_a_pool_that_falls_apart_is_rated_in_parts_if_asked(kind: Any) -> None:
    played = games([0, 2], [1, 3], [1.0, 0.5], points_a=[3, 1], points_b=[1, 1])
    apart = solve(kind(), played)
    assert np.isnan(apart.state["rating"]).all()
    assert np.isnan(apart.fitted).all()
    parts = kind(parts=True)
    solved = solve(parts, played)
    middle = 0.0 if kind is Massey else 1.0
    assert solved.state["rating"].reshape(2, 2).mean(axis=1) == pytest.approx([middle] * 2)
    assert np.isnan(parts.expected(solved.state, games([0], [2], [0.5])).expected).all()


@pytest.mark.parametrize("text", ["colley", "massey:parts=yes", "keener:parts=yes"])
def test_a_seed_is_no_rating_and_ranks_nobody(text: str) -> None:
    with Engine(SqliteLog(":memory:")) as engine:
        engine.record(RatingSeeded(pool="p", played="2024-01-01", player="zed", values={"rating": 2000.0}))
        (before,) = engine.rating_list("p", text)
        points = {"points_a": 2, "points_b": 1}
        engine.record(GamePlayed(pool="p", played="2024-02-01", a="ann", b="bo", score=1.0, data=points))
        after = {row["player"]: (row["rank"], row["status"]) for row in engine.rating_list("p", text)}
    assert (before["rating"], before["rank"], before["status"]) == (None, None, "no results")
    assert after == {"ann": (1, "ok"), "bo": (2, "ok"), "zed": (None, "no results")}


def test_shares_of_the_point_serve_where_there_are_no_points() -> None:
    with Engine(SqliteLog(":memory:")) as engine:
        engine.record(GamePlayed(pool="p", played="2024-02-01", a="ann", b="bo", score=1.0))
        with pytest.raises(MissingField, match="points_a"):
            engine.rating_list("p", "massey")
        assert engine.rating_list("p", "massey:counts=score").rating("ann") == pytest.approx(0.5)


def test_a_long_chain_and_a_wide_pool_are_solved() -> None:
    n = 3000
    won = np.ones(n - 1)
    chain = games(np.arange(n - 1), np.arange(1, n), won, points_a=won, points_b=won - 1.0)
    rating = solve(Massey(), chain).state["rating"]
    assert rating[:-1] - rating[1:] == pytest.approx(np.ones(n - 1), abs=1e-8)
    rng = np.random.default_rng(1)
    a = rng.integers(0, n, 40_000)
    b = (a + rng.integers(1, n, 40_000)) % n
    own, other = rng.poisson(2.0, (2, 40_000)).astype(np.float64)
    wide = games(a, b, (np.sign(own - other) + 1.0) / 2.0, points_a=own, points_b=other)
    assert [solve(kind(), wide).stopped for kind in (Colley, Massey, Keener)] == ["", "", ""]


def test_a_game_without_a_score_is_refused() -> None:
    with pytest.raises(BadResult, match="position 1: it has no score"):
        solve(Colley(), games([0], [1], [float("nan")]))


def test_a_fit_that_stops_short_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SHOWN", -1.0)
    assert "wins left over" in solve(Colley(), games([0], [1], [1.0])).stopped


@method_checks(
    Colley(), Massey(), Massey(counts="score", parts=True, spread=1.0), Keener(), Keener(counts="score", skew=False),
    Keener(per_game=False, parts=True),
)  # fmt: skip
def test_matrix_methods_keep_the_laws(law: Law, method: Method) -> None:
    law(method)
