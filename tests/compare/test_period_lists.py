"""Ratings at the ends of periods."""

from typing import Any

import numpy as np
import pytest
from ratingcore_berkin import Berkin
from ratingcore_elo import Elo
from ratingcore_periodic import Periodic

from ratingcore.columns.view import View
from ratingcore.compare.period_lists import chosen_period, spans
from ratingcore.errors import BadValue
from ratingcore.events import DAY, PlayerDescribed, instant, iso
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from ratingcore.registry import Registry
from ratingcore.replay import fold
from ratingcore.replay.day_lists import first_ratings, watch
from tests.columns.making import POOL, engine, game, seed
from tests.replay.toys import Aged, Pairs, Unrated, Walk, Whole


@pytest.mark.parametrize(
    ("last", "period"), [("2000-02-01", "month"), ("2004-06-01", "quarter"), ("2050-01-01", "year")]
)
def test_the_length_of_the_history_chooses_the_period(last: str, period: str) -> None:
    assert str(chosen_period(instant("2000-01-01"), instant(last))) == period


def test_edges_go_from_the_first_result_to_the_last_whatever_seeds_there_are() -> None:
    view = engine(seed(0, "a"), game(40, "a", "b"), game(100, "a", "b"), seed(400, "b")).core.view(POOL)
    period, edges = spans(view)
    assert str(period) == "month"
    assert [iso(edge) for edge in edges.tolist()] == ["1970-02-01", "1970-03-01", "1970-04-01", "1970-05-01"]


def test_given_periods_and_cuts_are_kept() -> None:
    view = engine(game(0, "a", "b"), game(20, "a", "b")).core.view(POOL)
    assert len(spans(view, "days(7)")[1]) == 5
    assert [iso(edge) for edge in spans(view, Period.parse("cuts(1970-01-10)"))[1].tolist()[:2]] == [
        "1970-01-01", "1970-01-10",
    ]  # fmt: skip


def test_nothing_played_has_no_periods() -> None:
    period, edges = spans(engine(seed(0, "a")).core.view(POOL))
    assert (period, len(edges)) == (None, 0)


@pytest.mark.parametrize("period", ["event", "days(1)", "fortnight"])
def test_tournaments_too_many_periods_and_no_periods_are_refused(period: str) -> None:
    with pytest.raises(BadValue, match="period"):
        spans(engine(game(0, "a", "b"), game(20_000, "a", "b")).core.view(POOL), period)


CUTS = [int(day * DAY) - 1 for day in (1, 20, 31, 45, 59, 90, 91, 200)]
INSTALLED = Registry.installed()
MONTHLY = INSTALLED.method("elo:period=month")


def pool(*more: Any) -> View:
    """Half a year of results, with seeds before, between and after them."""
    random = np.random.default_rng(7)
    days = np.sort(random.integers(2, 170, 120))
    events = [
        game(day, "abcdefgh"[i], "abcdefgh"[j], (0.0, 0.5, 1.0)[random.integers(3)], data={"event": f"t{day // 9}"})
        for day, (i, j) in zip(days.tolist(), random.integers(0, 8, (120, 2)), strict=True)
        if i != j
    ]
    seeds = [seed(0, "a", 1700.0), seed(30.5, "b", 1300.0), seed(46, "z", 1400.0), seed(58, "b", 1500.0)]
    return engine(*seeds, *events, seed(190, "c", 1234.0), *more).core.view(POOL)


def watched(method: Method, view: View, cuts: list[int]) -> list[list[float]]:
    seen: list[list[float]] = []

    def look(number: int, shown: Any) -> None:
        assert number == len(seen)
        seen.append(shown["rating"].tolist())

    watch(method, view, cuts, look)
    return seen


def listed(method: Method, view: View, cuts: list[int]) -> list[list[float]]:
    """The same by a replay for every cut."""
    rows = []
    for at in cuts:
        replay = fold(method, view.cut(at))
        rating = np.full(view.n_players, np.nan)
        rating[: replay.view.n_players] = method.show(replay.state, replay.at)["rating"]
        rows.append(rating.tolist())
    return rows


@pytest.mark.parametrize(
    "text",
    [
        "elo", "elo:period=month", "elo:period=quarter", "elo:period=days(10)", "elo:period=event",
        "elo:period=cuts(1970-02-01;1970-03-20)", "elo:entry=trial(3)", "elo:period=month,entry=pooled(2,6)",
        "periodic", "adaptive-k",
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["cut", "open", "none"])
def test_one_replay_shows_what_a_list_for_every_cut_says_to_the_last_bit(text: str, end: str) -> None:
    view, method = pool(), INSTALLED.method(text)
    if end == "cut":
        view = view.cut(CUTS[-2])
    cuts = [at for at in CUTS if at <= view.through] if end != "open" else [*CUTS, view.through]
    np.testing.assert_array_equal(watched(method, view, cuts), listed(method, view, cuts))


@pytest.mark.parametrize("method", [Walk(), Pairs(), Unrated(), MONTHLY, Periodic()])
def test_seeds_that_came_since_the_last_period_are_seen(method: Method) -> None:
    view = pool()
    np.testing.assert_array_equal(watched(method, view, CUTS), listed(method, view, CUTS))


def test_whole_pool_methods_are_solved_for_every_cut() -> None:
    view = engine(*(game(day, *pair, 0.5) for day, pair in ((1, "ab"), (40, "bc"), (80, "ca")))).core.view(POOL)
    for method in (Whole(), Berkin()):
        np.testing.assert_array_equal(watched(method, view, CUTS), listed(method, view, CUTS))


def test_what_was_said_of_a_player_later_is_not_seen_before() -> None:
    described = PlayerDescribed(pool=POOL, played=50 * DAY, player="a", data={"born": 1900})
    view = engine(game(1, "a", "b"), game(60, "a", "b"), described).core.view(POOL)
    np.testing.assert_array_equal(watched(Aged(), view, CUTS), listed(Aged(), view, CUTS))


def test_no_instants_and_no_results_are_nothing_to_see() -> None:
    assert watched(Elo(), pool(), []) == []
    empty = engine(seed(3, "a", 1700.0)).core.view(POOL)
    np.testing.assert_array_equal(watched(Elo(), empty, [0, 5 * DAY]), [[np.nan], [1700.0]])


def test_the_first_rating_is_the_start_or_the_seed_by_the_first_result() -> None:
    view = engine(seed(0, "a", 1700.0), seed(0, "a", 1650.0), game(1, "a", "b"), seed(2, "b", 1.0)).core.view(POOL)
    assert first_ratings(Elo(), view).tolist() == [1650.0, 1500.0]
    assert np.isnan(first_ratings(INSTALLED.method("elo:entry=trial(3)"), view)).all()
    assert np.isnan(first_ratings(Berkin(), view)).all()
