"""Which order a list supports: places, tiers, how rarely it is false, and what would change the first place."""

from math import inf

import numpy as np
import pytest

import ratingcore as rc
from ratingcore import Engine
from ratingcore.errors import BadValue, CannotSay
from ratingcore.explain.order import SupportedOrder, critical, studentized_range, supported_order

Game = tuple[str, str, float]


def log_of(games: list[Game], voters: list[str] | None = None) -> Engine:
    engine = rc.open(":memory:")
    engine.record(
        *(
            rc.GamePlayed(pool="p", played="2024-03-02", a=a, b=b, score=s, data={"voter": voters[n]} if voters else {})
            for n, (a, b, s) in enumerate(games)
        )
    )
    return engine


def order_of(engine: Engine, method: str = "bradley-terry", level: float = 0.95) -> SupportedOrder:
    listed = engine.rating_list("p", method)
    return supported_order(engine.core.replay("p", method), listed, level)


def between(a: str, b: str, won: int, lost: int) -> list[Game]:
    return [(a, b, 1.0)] * won + [(a, b, 0.0)] * lost


def test_the_range_is_that_of_scipy() -> None:
    from scipy.stats import studentized_range as published

    for level, players in ((0.95, 2), (0.9, 7), (0.95, 40), (0.99, 12)):
        assert studentized_range(level, players) == pytest.approx(published.ppf(level, players, inf), rel=1e-5)


def test_two_players_are_told_apart_by_students_t_where_there_are_clusters() -> None:
    """A table of Student's t has 2.045 at 29 degrees."""
    assert critical(0.95, 2, 29.0) == pytest.approx(2.045, abs=5e-4)
    assert critical(0.95, 2) == pytest.approx(1.959964, abs=1e-6)


def test_places_and_tiers_follow_from_who_is_surely_ahead_of_whom() -> None:
    """Ann is far ahead; bo and cy are alike; dee is behind everybody."""
    games = between("ann", "bo", 90, 10) + between("ann", "cy", 90, 10) + between("bo", "cy", 52, 48)
    found = order_of(log_of(games + between("bo", "dee", 90, 10) + between("cy", "dee", 90, 10)))
    assert found.player == ("ann", "bo", "cy", "dee")
    assert (found.first.tolist(), found.last.tolist()) == ([1, 2, 2, 4], [1, 3, 3, 4])
    assert (found.tier.tolist(), found.ahead.tolist(), found.tiers[0]) == ([1, 2, 2, 3], [True, False, True], ["ann"])
    apart = "2 of 3 pairs of neighbours can be told apart (at 95% confidence for all pairs at once)"
    assert found.sentence == f"ann is ahead of all others; {apart}"


def test_a_pair_is_compared_by_the_normal_quantile() -> None:
    """Two players have one gap: 1.96 deviations of it, whose variance is 1 / (n p q)."""
    for won, apart in ((61, True), (59, False)):
        gap = np.log(won / (120 - won - 20))
        deviation = 1.0 / np.sqrt(100.0 * (won / 100.0) * (1.0 - won / 100.0))
        assert (gap > 1.959964 * deviation) is np.bool_(apart)
        assert order_of(log_of(between("ann", "bo", won, 100 - won))).ahead.tolist() == [apart]


def test_results_that_are_missing_follow_from_the_gap_in_deviations() -> None:
    found = order_of(log_of(between("ann", "bo", 55, 45)))
    wanted = 100 * (1.959964 / (np.log(55 / 45) * np.sqrt(100 * 0.55 * 0.45))) ** 2 - 100
    assert found.further == ("ann", "bo", pytest.approx(wanted, rel=0.05))


def test_orders_of_equals_are_seldom_false() -> None:
    """Ten equals, half of whose results are drawn: at most .05 of the leagues, and two standard errors."""
    false, leagues = 0, 60
    for number in range(leagues):
        random = np.random.default_rng(number)
        a = random.integers(0, 10, 300)
        b = (a + random.integers(1, 10, 300)) % 10
        score = random.choice([0.0, 0.5, 1.0], 300, p=[0.25, 0.5, 0.25])
        games = [(f"p{i}", f"p{j}", s) for i, j, s in zip(a.tolist(), b.tolist(), score.tolist(), strict=True)]
        found = order_of(log_of(games))
        false += bool((found.first > 1).any())
    assert false / leagues <= 0.05 + 2.0 * np.sqrt(0.05 * 0.95 / leagues)


def test_a_player_without_whom_another_is_first_is_found() -> None:
    """Ann is first because she beats eve, who beats nobody else so often."""
    games = between("ann", "bo", 10, 12) + between("bo", "cy", 12, 10) + between("ann", "cy", 12, 10)
    games += between("ann", "eve", 30, 2) + between("bo", "eve", 10, 12) + between("cy", "eve", 11, 11)
    engine = log_of(games)
    found = order_of(engine)
    assert (found.player[0], found.without) == ("ann", ("eve", "bo"))
    alone = order_of(log_of([game for game in games if "eve" not in game]))
    assert alone.player[0] == "bo"
    assert "without the results of eve, bo would be first" in found.lines()


def test_what_nothing_connects_is_not_compared() -> None:
    games = between("ann", "bo", 9, 5) + between("bo", "cy", 8, 6) + between("dee", "eve", 3, 2)
    found = order_of(log_of(games), "bradley-terry:parts=yes")
    assert (found.player, sorted(found.apart), found.parts) == (("ann", "bo", "cy"), ["dee", "eve"], 2)


def test_few_clusters_support_no_order() -> None:
    games = between("ann", "bo", 20, 10)
    with pytest.raises(CannotSay, match="10 clusters are too few for 2 players: at least 30 are needed"):
        order_of(log_of(games, [f"v{n % 10}" for n in range(30)]), "bradley-terry:clusters=voter")
    many = order_of(log_of(games, [f"v{n}" for n in range(30)]), "bradley-terry:clusters=voter")
    assert many.player == ("ann", "bo")


def test_methods_that_rate_game_by_game_say_it_without_what_would_turn_it() -> None:
    engine = log_of(between("ann", "bo", 30, 5) + between("bo", "cy", 30, 5))
    assert order_of(engine, "glicko").without is None
    with pytest.raises(CannotSay):
        order_of(engine, "elo")
    with pytest.raises(BadValue, match="level"):
        order_of(engine, level=1.0)


def test_equals_share_the_first_place() -> None:
    """One of three equal players was said to be first, and they were ranked 1, 2, 3."""
    cycle = between("ann", "bo", 5, 5) + between("bo", "cy", 5, 5) + between("ann", "cy", 5, 5)
    found = order_of(log_of(cycle))
    assert found.as_table().columns["rank"].tolist() == [1, 1, 1]
    assert found.sentence.startswith("3 players share the first place; 0 of 2 pairs of neighbours can be told apart (")
    found = order_of(
        log_of(cycle + between("cy", "dee", 6, 5) + between("bo", "dee", 6, 5) + between("ann", "dee", 6, 5))
    )
    assert found.rank.tolist() == [1, 1, 1, 4]
    assert found.sentence.startswith(
        "3 players share the first place, and 1 more player cannot be told apart from them;"
    )
    two = order_of(log_of(between("ann", "bo", 6, 5)))
    assert two.sentence.startswith("bo cannot be told apart from ann, who is first (at 95%")
