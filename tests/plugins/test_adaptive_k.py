"""The adaptive-K method: every condition of its README, against a reading in plain fractions."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from ratingcore_adaptive_k import AdaptiveK
from ratingcore_adaptive_k.last_games import LONGEST, entered, nothing, surplus

from ratingcore import open as open_log
from ratingcore.engine import Engine
from ratingcore.events import DAY, GamePlayed, PlayerDescribed, RatingSeeded
from ratingcore.log import SqliteLog
from ratingcore.plugin import BadResult, Method
from ratingcore.registry import Registry
from ratingcore.testing import Law, method_checks
from tests.golden.playing import games, rated

WON, DREW, LOST = 1.0, 0.5, 0.0


@method_checks(
    AdaptiveK(),
    AdaptiveK(k=40.0, window=3, threshold=0.5, floor=None),
    AdaptiveK(window=5, threshold=2.0 / 3.0, floor=1080.0),
    AdaptiveK(window=1, threshold=0.0, initial=1500.0),
    AdaptiveK(k="fide2014"),
    AdaptiveK(k="czech", window=4),
)
def test_adaptive_k_keeps_the_laws(law: Law, method: Method) -> None:
    law(method)


def boost_of(scores: list[float], window: int = 10, threshold: Fraction = Fraction(3, 5)) -> list[Fraction]:
    """S of each game of a player, by the words of the README."""
    used = {WON: 0, LOST: 0}
    boost = []
    for n in range(1, len(scores) + 1):
        score, so_far, last = scores[n - 1], scores[:n], scores[max(0, n - window) : n]
        success = sum(map(Fraction, so_far)) / n
        recent = sum(map(Fraction, last)) / len(last)
        won = score == WON
        rate, now = (success, recent) if won else (1 - success, 1 - recent)
        due = (
            score != DREW
            and n >= window
            and max(success, 1 - success) >= threshold
            and now > max(success, 1 - success)
            and used[score] + 1 <= so_far.count(LOST if won else WON)
        )
        boost.append(rate if due else Fraction(0))
        if due:
            used[score] += 1
    return boost


def of_row_0(method: AdaptiveK, scores: list[float], rating: float = 1100.0) -> Any:
    """A player in row 0 against as many opponents as games, all rated 1100; as a and as b by turns."""
    n = len(scores)
    turn, others = np.arange(n) % 2 == 0, np.arange(1, n + 1)
    a, b = np.where(turn, 0, others), np.where(turn, others, 0)
    return rated(method, [rating] + [1100.0] * n, games(a, b, np.where(turn, scores, 1.0 - np.array(scores))))


def told(result: Any, note: str) -> list[float]:
    """A note of the player in row 0."""
    a, b = result.notes[f"{note}_a"], result.notes[f"{note}_b"]
    return np.where(np.arange(len(a)) % 2 == 0, a, b).tolist()  # type: ignore[no-any-return]  # floats of an array


@pytest.mark.parametrize("seed", [0, 1, 4, 8, 10])
@pytest.mark.parametrize(
    ("window", "threshold"), [(10, 0.6), (10, 0.55), (10, 0.65), (3, 0.5), (1, 0.0), (LONGEST, 2.0 / 3.0), (7, 1.0)]
)
def test_every_boost_is_the_one_of_the_text(seed: int, window: int, threshold: float) -> None:
    rng = np.random.default_rng(seed)
    luck = [0.5, 0.3 + 0.04 * seed, 0.2][seed % 3]
    scores = rng.choice([WON, DREW, LOST], 160, p=[luck, 0.15, 0.85 - luck]).tolist()
    exact = Fraction(threshold).limit_denominator(100)
    result = of_row_0(AdaptiveK(window=window, threshold=threshold), scores)
    assert told(result, "boost") == [float(s) for s in boost_of(scores, window, exact)]
    assert told(result, "k") == [15.0 * (1.0 + float(s)) for s in boost_of(scores, window, exact)]


def test_random_players_are_boosted_on_wins_and_on_losses() -> None:
    """The comparison above has something to compare."""
    rng = np.random.default_rng(0)
    up, down = (rng.choice([WON, LOST], 160, p=[p, 1.0 - p]).tolist() for p in (0.7, 0.3))
    for scores, column in ((up, "boosts_won"), (down, "boosts_lost")):
        result = of_row_0(AdaptiveK(), scores)
        both = result.state["boosts_won"][0] + result.state["boosts_lost"][0]
        assert both == sum(s > 0 for s in boost_of(scores))
        assert result.state[column][0] > 30


def test_a_success_of_exactly_the_threshold_is_enough() -> None:
    """Six of ten is 0.60 >= 0.60, whatever the order of additions."""
    twenty = [LOST] * 7 + [WON] * 3 + [LOST] + [WON] * 9
    assert sum(twenty) / 20 == 0.6
    assert told(of_row_0(AdaptiveK(), twenty), "boost")[-1] == 0.6
    assert told(of_row_0(AdaptiveK(threshold=0.601), twenty), "boost")[-1] == 0.0


def test_a_last_ten_that_equals_the_whole_is_not_enough() -> None:
    """At game 10 both are the same, and strictly greater is asked."""
    assert told(of_row_0(AdaptiveK(), [LOST] + [WON] * 9), "boost") == [0.0] * 10
    assert told(of_row_0(AdaptiveK(), [LOST] + [WON] * 10), "boost")[-1] == 10 / 11


def test_each_side_is_decided_alone_and_the_sum_of_ratings_is_not_kept() -> None:
    """The opponent may be unboosted."""
    result = of_row_0(AdaptiveK(), [LOST] + [WON] * 10)
    a, b = result.change
    assert abs(a[10] + b[10]) > 1.0
    assert a[:10] + b[:10] == pytest.approx(np.zeros(10), abs=1e-9)


def test_nobody_falls_below_the_floor_and_the_change_is_what_moved() -> None:
    """0 unless said otherwise."""
    played = games([0, 0], [1, 2], [LOST, LOST])
    result = rated(AdaptiveK(), [5.0, 10.0, 10.0], played)
    assert (result.state["rating"][0], result.change[0].tolist()) == (0.0, [-5.0, 0.0])
    assert result.change[1][0] > 7.0
    assert rated(AdaptiveK(floor=None), [5.0, 10.0, 10.0], played).state["rating"][0] < 0.0


@pytest.mark.parametrize("score", [0.3, 0.75, 1e-300, 1.0 - 1e-16])
def test_a_score_that_is_no_win_draw_or_loss_is_refused_with_its_position(score: float) -> None:
    with pytest.raises(BadResult, match=f"adaptive-k cannot rate the result at position 2: .*{score!r}"):
        rated(AdaptiveK(), [1100.0] * 4, games([0, 0, 0], [1, 2, 3], [1.0, score, 0.0]))


# the last games in one number


@pytest.mark.parametrize("window", [1, 2, 10, LONGEST])
def test_the_ring_holds_the_last_games_and_a_float_holds_the_ring(window: int) -> None:
    outcomes = np.random.default_rng(window).integers(0, 3, 200).tolist()
    last = nothing(window)
    for n, outcome in enumerate([*outcomes, *[2] * window], start=1):
        last = entered(last, outcome, window)
        known = [*outcomes, *[2] * window][max(0, n - window) : n]
        assert surplus(last, window) == sum(outcome - 1 for outcome in known)
        assert int(float(last)) == last < 2**53
    assert surplus(last, window) == window


def test_counts_can_be_seeded_and_unknown_last_games_count_as_drawn() -> None:
    """A club that knows its players' records but not their order."""
    with open_log(":memory:") as engine:
        record = {"rating": 1500.0, "games": 100.0, "wins": 30.0, "losses": 60.0}
        engine.record(RatingSeeded(pool="p", played="2024-01-01", player="ann", values=record))
        for day in range(1, 6):
            engine.record(GamePlayed(pool="p", played=f"2024-03-0{day}", a="ann", b=f"b{day}", score=LOST))
        listed = list(engine.rating_list("p", "adaptive-k"))
        player = next(row for row in listed if row["player"] == "ann")
        replay = engine.core.replay("p", "adaptive-k", keep=True)
    assert player["boosts_lost"] == 2.0  # from the fourth loss on: 4 of 10 exceeds the lead of 34 in 104
    assert replay.moves is not None
    assert replay.moves.notes["boost_a"].tolist() == [0.0, 0.0, 0.0, 69 / 104, 70 / 105]


def test_with_a_rule_for_k_and_no_boost_it_is_elo_with_that_rule() -> None:
    """The boost raises the K that the rule gives; a rate of 1 is never reached by a player who has lost."""
    rng = np.random.default_rng(11)
    a = rng.integers(0, 12, 3000)
    b = (a + rng.integers(1, 12, 3000)) % 12
    score = rng.choice([0.0, 0.5, 1.0], 3000)
    engine = Engine(SqliteLog(":memory:"), Registry.installed())
    engine.record(
        RatingSeeded(pool="p", played=0, player="p3", values={"rating": 2390.0}),
        PlayerDescribed(pool="p", played=0, player="p4", data={"born": 1960}),
        *(
            GamePlayed(pool="p", played=int(g) * DAY, a=f"p{i}", b=f"p{j}", score=float(s), uid=f"g{g}")
            for g, (i, j, s) in enumerate(zip(a, b, score, strict=True))
        ),
    )
    ruled = engine.rating_list("p", "adaptive-k:k=by-date,threshold=1,initial=1500")
    plain = engine.rating_list("p", "elo:k=by-date,initial=1500")
    assert {p: ruled.rating(p) for p in ruled.player} == {p: plain.rating(p) for p in plain.player}
    boosted = engine.rating_list("p", "adaptive-k:k=by-date,threshold=0.5,initial=1500")
    assert any(boosted.rating(p) != plain.rating(p) for p in plain.player)
