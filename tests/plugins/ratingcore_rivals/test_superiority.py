"""Likelihood of superiority, held against formulas and matrices of its own."""

from math import erf, log, nan, sqrt
from random import Random

import numpy as np
import pytest
import ratingcore_bradley_terry.curvature as curvature
from ratingcore_bradley_terry import bradley_terry as module
from ratingcore_rivals.superiority import MOST, matrix, superiority

import ratingcore as rc
from ratingcore.errors import BadValue, CannotSay, UnknownName

PLAYERS = tuple("abcdefg")


def league() -> rc.Engine:
    dice, engine = Random(11), rc.open(":memory:")
    for day in range(120):
        a, b = dice.sample(PLAYERS, 2)
        played = str(np.datetime64("2023-01-05") + 2 * day)
        engine.record(rc.GamePlayed(pool="p", played=played, a=a, b=b, score=dice.choice((0.0, 0.5, 1.0))))
    return engine


ENGINE = league()


def normal(x: float) -> float:
    return 0.5 + 0.5 * erf(x / sqrt(2.0))


@pytest.mark.parametrize("method", ["glicko", "glicko2", "weng-lin", "trueskill", "chess-bayes", "whr:deviations=own"])
def test_without_joint_deviations_it_is_the_normal_curve_of_gap_and_both_deviations(method: str) -> None:
    listed = ENGINE.rating_list("p", method, through="2023-12-31").with_exact()
    found = superiority(ENGINE, listed).chance
    rows = [(row["rating_exact"], row["deviation_exact"]) for row in map(dict, listed)]
    for i, (mine, error) in enumerate(rows):
        for j, (theirs, other_error) in enumerate(rows):
            if i != j:
                wanted = normal((mine - theirs) / sqrt(error**2 + other_error**2))  # type: ignore[operator]  # numbers
                assert found[i, j] == pytest.approx(wanted, abs=1e-9)


def information(rating: dict[str, float]) -> np.ndarray:
    """The curvature of the Bradley-Terry likelihood at these ratings, game by game."""
    slope, matrix = log(10.0) / 400.0, np.zeros((len(PLAYERS), len(PLAYERS)))
    for row in ENGINE.forecasts("p", "elo"):
        i, j = PLAYERS.index(row["a"]), PLAYERS.index(row["b"])
        share = 1.0 / (1.0 + 10.0 ** ((rating[row["b"]] - rating[row["a"]]) / 400.0))
        weight = share * (1.0 - share) * slope**2
        matrix[[i, j], [i, j]] += weight
        matrix[[i, j], [j, i]] -= weight
    return matrix


@pytest.mark.parametrize("dense", [True, False])
def test_joint_deviations_of_bradley_terry_are_counted_in(dense: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not dense:
        for one in (curvature, module):
            monkeypatch.setattr(one, "DENSE", 2)
        monkeypatch.setattr(curvature, "SMALL", 2)
    listed = ENGINE.rating_list("p", "bradley-terry@2")
    rating = dict(zip(listed.player, np.asarray(listed.values["rating"]).tolist(), strict=True))
    covariance = np.linalg.pinv(information(rating))
    found = superiority(ENGINE, listed)
    more = ENGINE.with_columns(listed, "superiority")
    for row, player in enumerate(found.player):
        for column, other in enumerate(found.player):
            i, j = PLAYERS.index(player), PLAYERS.index(other)
            if i != j:
                width = sqrt(covariance[i, i] + covariance[j, j] - 2.0 * covariance[i, j])
                assert found.chance[row, column] == pytest.approx(
                    normal((rating[player] - rating[other]) / width), abs=2e-4
                )
    over_next = [cell["superiority"] for cell in map(dict, more)]
    assert over_next[:-1] == pytest.approx(np.diag(found.chance, 1).tolist(), abs=6e-5)
    assert over_next[-1] is None


def test_joint_deviations_of_whole_history_are_counted_in() -> None:
    listed = ENGINE.rating_list("p", "whr", through="2023-12-31")
    joint = superiority(ENGINE, listed).chance
    own = superiority(ENGINE, ENGINE.rating_list("p", "whr:deviations=own", through="2023-12-31")).chance
    replay = ENGINE.core.replay("p", "whr", "2023-12-31", keep=True)
    i, j = (replay.view.row_of(number) for number in listed.id[:2].tolist())
    assert replay.covariance is not None
    shown = (
        dict(next(iter(listed.with_exact())))["deviation_exact"],
        dict(list(listed.with_exact())[1])["deviation_exact"],
    )
    width = sqrt(shown[0] ** 2 + shown[1] ** 2 - 2.0 * replay.covariance(i, j))  # type: ignore[operator]  # numbers
    gap = listed.exact["rating"][0] - listed.exact["rating"][1]
    assert joint[0, 1] == pytest.approx(normal(gap / width), abs=1e-6)
    assert abs(joint[0, 1] - own[0, 1]) > 1e-4


def test_of_two_one_is_stronger_and_of_oneself_nothing_is_said() -> None:
    chance = superiority(ENGINE, ENGINE.rating_list("p", "bradley-terry")).chance
    assert np.isnan(np.diag(chance)).all()
    off = ~np.eye(len(chance), dtype=bool)
    assert (chance + chance.T)[off] == pytest.approx(1.0)


def test_players_are_compared_in_the_order_in_which_they_are_named() -> None:
    listed = ENGINE.rating_list("p", "glicko")
    found = superiority(ENGINE, listed, ("c", "a"))
    assert found.player == ("c", "a")
    assert list(found.as_table().columns) == ["player", "over c", "over a"]
    every = superiority(ENGINE, listed)
    at = {player: row for row, player in enumerate(every.player)}
    assert found.chance[0, 1] == every.chance[at["c"], at["a"]]
    with pytest.raises(UnknownName, match="zed on this list"):
        superiority(ENGINE, listed, ("zed",))


def test_a_method_without_deviations_refuses() -> None:
    listed = ENGINE.rating_list("p", "elo")
    for ask in (lambda: superiority(ENGINE, listed), lambda: ENGINE.with_columns(listed, "superiority")):
        with pytest.raises(CannotSay, match="elo cannot say how sure a rating is: it has no deviations"):
            ask()


def test_players_whom_nothing_connects_are_not_compared() -> None:
    engine = league()
    for score in (1.0, 0.0):
        engine.record(rc.GamePlayed(pool="p", played="2023-03-01", a="x", b="y", score=score))
    found = superiority(engine, engine.rating_list("p", "bradley-terry:parts=true"), ("a", "x", "y"))
    assert np.isnan(found.chance[0]).all()
    assert found.chance[1].tolist() == pytest.approx([nan, nan, 0.5], nan_ok=True)


def test_a_matrix_of_very_many_is_refused() -> None:
    replay = ENGINE.core.replay("p", "glicko", keep=True)
    with pytest.raises(BadValue, match="must be at most 2000: take the top"):
        matrix(replay, np.zeros(MOST + 1, dtype=np.int64))
