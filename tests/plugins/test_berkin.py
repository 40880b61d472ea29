"""Berkin's whole pool: the worked numbers of its README, every status, and the laws of the kit."""

from itertools import product
from typing import Any

import numpy as np
import pytest
import ratingcore_berkin as berkin
from ratingcore_berkin import Berkin, EarlierBerkin, Level, Pinned
from ratingcore_berkin import stationary as solving
from ratingcore_berkin.field import Field, first_seen, numbered
from ratingcore_berkin.solution import STATUS, solve_field
from ratingcore_berkin.stationary import BALANCE, balance, stationary

from ratingcore.engine import Engine
from ratingcore.errors import BadParameter, BadResult
from ratingcore.events import GamePlayed, RatingSeeded
from ratingcore.log import SqliteLog
from ratingcore.methods import Method
from ratingcore.plugin import Floats, Games, Solved, State
from ratingcore.registry import Registry
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games

WORKED = np.array([[0, 3, 2.5], [1, 0, 2], [1.5, 2, 0]])
"""The worked field of the README."""


def solved(method: Berkin, played: Games, players: int, **seeds: dict[int, float]) -> Solved:
    start = State.start(method.columns(), players)
    for name, values in seeds.items():
        column = start.copy(name)
        column[list(values)] = list(values.values())
        start = start.replace(**{name: column})
    return method.rate(start, played)


def words(state: State) -> list[str]:
    return [STATUS[int(code)] for code in state["status"]]


def played(*results: tuple[int, int, float]) -> Games:
    a, b, score = zip(*results, strict=True)
    return games(a, b, score)


CIRCLE = played((0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (0, 1, 0.5))
TWO_CIRCLES = played((0, 1, 1.0), (1, 0, 1.0), (2, 3, 1.0), (3, 2, 1.0), (2, 3, 1.0), (0, 2, 1.0))


@method_checks(
    Berkin(),
    Berkin(gauge="mean", anchor=100.0),
    Berkin(gauge="player", prior_draws=1.0),
    Berkin(components=True, points=1500.0),
)
def test_berkin_keeps_the_laws(law: Law, method: Method) -> None:
    law(method)


# the worked numbers


def test_the_worked_field() -> None:
    """37/71, 15/71, 19/71, and the same about 1000 and in points."""
    solution = berkin.solve(WORKED)
    assert solution.rating / solution.rating.sum() == pytest.approx(np.array([37, 15, 19]) / 71, rel=1e-14)
    assert solution.rating == pytest.approx([1687.276260, 684.030916, 866.439161], abs=5e-7)
    assert berkin.points(solution.rating) == pytest.approx([90.874478, -65.969708, -24.904771], abs=5e-7)
    x = solution.rating * WORKED.sum(axis=0)
    assert x / x.sum() == pytest.approx([0.365613, 0.296443, 0.337945], abs=5e-7)


def test_the_gauges() -> None:
    ratio = np.array([37.0, 15.0, 19.0])
    assert berkin.solve(WORKED, Level("mean", 100.0)).rating == pytest.approx(ratio * 300 / 71)
    pinned = berkin.solve(WORKED, Pinned(np.array([np.nan, 1500.0, np.nan])))
    assert pinned.rating == pytest.approx(ratio * 100)
    assert pinned.rating[1] == 1500.0
    two = berkin.solve(WORKED, Pinned(np.array([1000.0, 900.0, np.nan]))).rating
    assert two[0] * two[1] == pytest.approx(900_000.0)


# the method


def test_games_give_the_ratings_of_their_points() -> None:
    rows = [(i, j) for i, j in product(range(3), repeat=2) for _ in range(int(2 * WORKED[i, j])) if i != j]
    found = solved(Berkin(), played(*((i, j, 1.0) for i, j in rows)), 3)
    assert found.state["rating"] == pytest.approx(berkin.solve(WORKED).rating, rel=1e-12)
    assert words(found.state) == ["ok"] * 3
    rating = found.state["rating"]
    assert found.fitted == pytest.approx([rating[i] / (rating[i] + rating[j]) for i, j in rows])


def test_a_field_that_is_not_strongly_connected_has_no_ratings() -> None:
    found = solved(Berkin(), TWO_CIRCLES, 4)
    assert np.isnan(found.state["rating"]).all()
    assert words(found.state) == ["reducible"] * 4
    assert np.isnan(found.fitted).all()


def test_components_are_rated_each_by_itself_and_never_compared() -> None:
    found = solved(Berkin(components=True), TWO_CIRCLES, 4)
    assert found.state["rating"] == pytest.approx([1000.0, 1000.0, 1000 * np.sqrt(2), 1000 / np.sqrt(2)])
    assert found.state["component"].tolist() == [1, 1, 2, 2]
    assert np.isnan(found.fitted).tolist() == [False] * 5 + [True]


def test_who_lost_nothing_is_unbounded_and_who_won_nothing_is_zero() -> None:
    both = played((0, 1, 1.0), (1, 0, 1.0), (2, 0, 1.0), (0, 3, 1.0), (1, 4, 1.0), (4, 3, 1.0))
    for components in (False, True):
        found = solved(Berkin(components=components), both, 5)
        middle = "ok" if components else "reducible"
        assert words(found.state) == [middle, middle, "unbounded", "zero", "reducible"]
        assert found.state["rating"][3] == 0.0
        assert np.isnan(found.state["rating"][[2, 4]]).all()


def test_prior_draws_join_any_field_and_keep_perfect_scores_finite() -> None:
    """The imaginary player is worth the mean, and no part of the gauge."""
    one = played((0, 1, 1.0), (2, 3, 1.0))
    rating = solved(Berkin(prior_draws=2.0, gauge="mean"), one, 4).state["rating"]
    high, low = rating[0], rating[1]
    assert rating.tolist() == pytest.approx([high, low, high, low])
    assert rating.mean() == pytest.approx(1000.0)
    assert high * 1.0 == pytest.approx(low * 1.0 + 1.0 * rating.mean())
    assert low * 2.0 == pytest.approx(1.0 * rating.mean())


def test_a_player_without_results_is_unrated_and_moves_nobody() -> None:
    """A seed of another scale was listed as a rating on this one; where seeds fix the scale, it is on it."""
    plain, more = (
        solved(Berkin(prior_draws=1.0), CIRCLE, 3),
        solved(Berkin(prior_draws=1.0), CIRCLE, 5, rating={4: 1200.0}),
    )
    assert more.state["rating"][:3].tolist() == plain.state["rating"].tolist()
    assert np.isnan(more.state["rating"][3:]).all()
    assert words(more.state)[3:] == ["no results"] * 2
    for kept in (Berkin(gauge="player"), EarlierBerkin()):
        assert solved(kept, CIRCLE, 5, rating={0: 1000.0, 4: 1200.0}).state["rating"][4] == 1200.0


def test_seeds_of_players_fix_the_scale_only_where_they_are_asked_to() -> None:
    free = solved(Berkin(), CIRCLE, 3)
    assert solved(Berkin(), CIRCLE, 3, rating={0: 2000.0}).state["rating"].tolist() == free.state["rating"].tolist()
    fixed = solved(Berkin(gauge="player"), CIRCLE, 3, rating={0: 2000.0}).state["rating"]
    assert fixed[0] == 2000.0
    assert fixed / free.state["rating"] == pytest.approx(fixed[0] / free.state["rating"][0])


def test_without_a_seeded_player_there_is_no_anchor() -> None:
    found = solved(Berkin(gauge="player"), CIRCLE, 3)
    assert words(found.state) == ["no anchor"] * 3
    assert np.isnan(found.state["rating"]).all()
    half = solved(Berkin(gauge="player", components=True), TWO_CIRCLES, 4, rating={1: 500.0})
    assert words(half.state) == ["ok", "ok", "no anchor", "no anchor"]


def test_points_are_shown_on_request_about_each_component() -> None:
    method = Berkin(points=1500.0)
    shown = method.show(solved(method, CIRCLE, 4, rating={3: 1e6}).state, 0)
    assert np.nanmean(shown["points"]) == pytest.approx(1500.0)
    assert np.isnan(shown["points"][3])
    split = Berkin(points=0.0, components=True)
    shown = split.show(solved(split, TWO_CIRCLES, 4).state, 0)
    assert shown["points"] == pytest.approx([0.0, 0.0, 60.205999, -60.205999], abs=5e-7)
    assert "points" not in Berkin().show(solved(Berkin(), CIRCLE, 3).state, 0)


def test_a_withheld_score_is_refused_with_its_position() -> None:
    with pytest.raises(BadResult, match=r"position 2: it has no score"):
        solved(Berkin(), played((0, 1, 1.0), (1, 0, np.nan)), 2)


# in a log


def club(*events: Any) -> Engine:
    engine = Engine(SqliteLog(":memory:"), Registry.installed())
    engine.record(*events)
    return engine


def won(day: int, a: str, b: str, score: float = 1.0) -> GamePlayed:
    return GamePlayed(pool="club", played=f"2024-03-{day:02}", a=a, b=b, score=score)


def test_a_list_names_the_status_of_everybody() -> None:
    engine = club(won(1, "ann", "bo"), won(2, "bo", "ann"), won(3, "cy", "ann"))
    rows = {
        row["player"]: (row["rating"], row["status"]) for row in engine.rating_list("club", "berkin:components=yes")
    }
    assert rows == {"ann": (1000.0, "ok"), "bo": (1000.0, "ok"), "cy": (None, "unbounded")}
    assert engine.rating_list("club", "berkin").rating("ann") != engine.rating_list("club", "berkin").rating("ann")


@pytest.mark.parametrize(("gauge", "rating"), [("geomean", 1000.0), ("player", 902.0)])
def test_of_two_seeds_of_a_player_the_later_stands_where_seeds_are_read_at_all(gauge: str, rating: float) -> None:
    seeds = [
        RatingSeeded(pool="club", played=f"2024-01-0{d}", player="ann", values={"rating": 900.0 + d}) for d in (1, 2)
    ]
    march = club(won(1, "ann", "bo"), won(2, "bo", "ann"), *seeds).rating_list("club", f"berkin:gauge={gauge}")
    assert march.rating("ann") == rating
    assert march.provenance.left_out == (("seed before a later one of the player", 1),)


def test_forecasts_come_from_the_months_before() -> None:
    engine = club(won(1, "ann", "bo"), won(2, "bo", "ann"), won(3, "ann", "bo"), GamePlayed(
        pool="club", played="2024-05-01", a="bo", b="ann", score=1.0))  # fmt: skip
    expected = [row["expected"] for row in engine.forecasts("club", "berkin")]
    assert expected[:3] == [None] * 3
    assert expected[3] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([[0.0, 1.0]], r"must be a square table: \(1, 2\)"),
        ([[0.0, -1.0], [1.0, 0.0]], r"must be zero or more: -1.0 of 0 against 1"),
        ([[0.0, np.nan], [1.0, 0.0]], r"must be zero or more: nan of 0 against 1"),
    ],
)
def test_a_table_that_holds_no_points_is_refused(points: Any, said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        berkin.solve(np.array(points))


@pytest.mark.parametrize(
    ("opponents", "scores", "said"),
    [
        ([1000.0], [1.0, 0.0], "one for each opponent"),
        ([-1.0], [1.0], "opponents must be zero or more: -1.0"),
        ([1000.0], [1.5], "scores must be from 0 to 1: 1.5"),
    ],
)
def test_a_performance_refuses_what_is_no_result(opponents: Any, scores: Any, said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        berkin.performance(np.array(opponents), np.array(scores))


def table(players: int, met: int, seed: int = 0, spread: float = 1.0) -> Floats:
    """Points of a random field in which everybody drew with the next one, so that it is strongly connected."""
    rng = np.random.default_rng(seed)
    points = np.zeros((players, players))
    strength = rng.normal(0.0, spread, players)
    for _ in range(met):
        i, j = rng.choice(players, 2, replace=False)
        first = rng.random() < 1 / (1 + np.exp(strength[j] - strength[i]))
        points[i, j] += first
        points[j, i] += not first
    for i in range(players):
        points[i, i - 1] += 0.5
        points[i - 1, i] += 0.5
    return points


def dense(points: Floats) -> Floats:
    """One row of `diag(L) - W` replaced by ones."""
    a = np.diag(points.sum(axis=0)) - points
    a[0] = 1.0
    return np.asarray(np.linalg.solve(a, np.eye(len(points))[0]))


def clubs(count: int, size: int, met: int, seed: int = 1) -> Field:
    """Clubs in a line, each joined to the next by one draw."""
    rng = np.random.default_rng(seed)
    points = np.zeros((count * size, count * size))
    for c in range(count):
        inside = slice(c * size, (c + 1) * size)
        points[inside, inside] = table(size, met, seed=int(rng.integers(1000)))
        if c:
            points[c * size, (c - 1) * size] = points[(c - 1) * size, c * size] = 0.5
    return Field.of_points(points)


def chain(up: Floats, down: Floats) -> Field:
    """Players in a line who met their neighbours only."""
    from scipy import sparse  # type: ignore[import-untyped]  # scipy has no types

    points = sparse.diags([up, down], [1, -1]).tocsr()
    return Field(points, np.asarray(points.sum(axis=0)).ravel())


def normed(ratio: Floats) -> Floats:
    return ratio / ratio.sum()


@pytest.mark.parametrize("players", [2, 3, 10, 120])
def test_the_elimination_agrees_with_the_dense_solution(players: int) -> None:
    points = table(players, 5 * players)
    ratio = stationary(Field.of_points(points))
    assert normed(ratio) == pytest.approx(normed(dense(points)), rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_ratings_are_the_cofactors_of_the_balance(seed: int) -> None:
    """The Markov chain tree theorem."""
    points = table(6, 15, seed)
    a = np.diag(points.sum(axis=0)) - points
    keep = [[k for k in range(6) if k != i] for i in range(6)]
    cofactor = np.array([np.linalg.det(a[np.ix_(rows, rows)]) for rows in keep])
    assert normed(berkin.solve(points).rating) == pytest.approx(normed(cofactor), rel=1e-10)


@pytest.mark.parametrize("players", [400, 700])
def test_the_iteration_agrees_with_the_elimination(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field.of_points(table(players, 15 * players))
    ratio = stationary(field)
    monkeypatch.setattr(solving, "DENSE", players)
    assert normed(ratio) == pytest.approx(normed(stationary(field)), rel=1e-9)


@pytest.mark.parametrize("spread", [0.5, 2.0])
def test_clubs_that_hardly_met_are_balanced(spread: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Power steps stop here with small changes and large errors."""
    field = clubs(8, 60, 1500)
    ratio = stationary(field)
    assert balance(field, ratio) <= BALANCE
    monkeypatch.setattr(solving, "DENSE", len(field))
    assert normed(ratio) == pytest.approx(normed(stationary(field)), rel=1e-7)


def test_groups_are_weighed_where_nothing_else_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    field = clubs(40, 12, 60)
    monkeypatch.setattr(solving, "FILL", 0)
    monkeypatch.setattr(solving, "STEPS", 20)
    monkeypatch.setattr(solving, "ROUNDS", 100)
    ratio = stationary(field)
    monkeypatch.setattr(solving, "DENSE", len(field))
    assert normed(ratio) == pytest.approx(normed(stationary(field)), rel=1e-7)


def test_a_chain_of_ten_thousand_is_solved_directly() -> None:
    """In a chain the ratio of neighbours is that of their points."""
    rng = np.random.default_rng(2)
    up, down = rng.integers(1, 6, 9999) * 0.5, rng.integers(1, 6, 9999) * 0.5
    field = chain(up, down)
    ratio = stationary(field)
    exact = np.concatenate([[0.0], np.cumsum(np.log(down / up))])
    assert np.log(ratio) - np.log(ratio[0]) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("players", [200, 2000])
def test_ratings_further_apart_than_numbers_reach_are_none(players: int) -> None:
    steep = chain(np.full(players - 1, 1000.0), np.ones(players - 1))
    assert np.isnan(stationary(steep)).all()
    found = solve_field(steep, Level(), False, 0.0, lambda: np.arange(players))
    assert {STATUS[int(code)] for code in found.code} == {"too far apart"}
    assert np.isnan(found.rating).all()


def test_a_balance_that_does_not_close_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    field = clubs(8, 60, 1500)
    monkeypatch.setattr(solving, "ROUNDS", 1)
    monkeypatch.setattr(solving, "STEPS", 2)
    assert balance(field, stationary(field)) > BALANCE
    monkeypatch.setattr("ratingcore_berkin.solution.stationary", lambda field: np.array([1.0, 1.0, 1.1]))
    assert solved(Berkin(), CIRCLE, 3).stopped == "at a balance of 9.1e-02"
    monkeypatch.undo()
    assert solved(Berkin(), CIRCLE, 3).stopped == ""


def test_the_balance_of_nonsense_is_infinite() -> None:
    assert balance(Field.of_points(table(3, 5)), np.array([1.0, np.nan, 1.0])) == np.inf


def test_parts_are_numbered_by_their_first_game_the_winner_first() -> None:
    late = games([2, 0, 1], [3, 1, 0], [0.0, 1.0, 1.0])
    turned = games([3, 1, 0], [2, 0, 1], [1.0, 0.0, 0.0])
    for season in (late, turned):
        seen = first_seen(season, np.arange(4), 4)
        assert numbered(np.array([0, 0, 1, 2]), seen).tolist() == [2, 2, 1, 0]


@pytest.mark.parametrize(
    ("scores", "rating", "status"), [([1, 1], None, "unbounded"), ([0, 0], 0.0, "zero"), ([1, 0], 900.0, "ok")]
)
def test_performances_without_a_number_say_so(scores: list[float], rating: float | None, status: str) -> None:
    found = berkin.performance(np.array([900.0, 800.0]), np.array(scores))
    assert found.status == status
    assert np.isnan(found.rating) if rating is None else found.rating == rating


def test_a_field_of_games_is_that_of_its_points() -> None:
    made = Field.of_games(games([0, 1, 0], [1, 0, 1], [1.0, 0.5, 0.25]), np.arange(2), 2)
    assert made.points.toarray().tolist() == [[0.0, 1.75], [1.25, 0.0]]
    assert made.lost.tolist() == [1.25, 1.75]
    assert made.won.tolist() == [1.75, 1.25]
