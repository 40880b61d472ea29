"""The health of a pool by period."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from ratingcore_berkin import Berkin
from ratingcore_elo import Elo
from ratingcore_periodic import Periodic

from ratingcore.compare.health import OverTime, Way
from ratingcore.engine import Engine
from ratingcore.events import Event
from ratingcore.lists.policy import Window
from ratingcore.methods import Method
from ratingcore.registry import Registry
from ratingcore.report.table import Table
from tests.columns.making import POOL, engine, game, seed, session
from tests.replay.toys import Unrated, Walk

Rows = list[dict[str, Any]]


def health(
    eng: Engine, method: Method | None = None, window: str = "days(40)", top: int = 2, through: str | None = None
) -> Rows:
    """Rows of the health of the pool, month by month."""
    view = eng.core.view(POOL, through)
    found = OverTime(view, {"m": Way.of(method or Elo(), view)}, (), "month", Window.parse(window), top)
    return list(Table("health", "Health", found.health()))


def column(rows: Rows, name: str) -> list[Any]:
    return [row[name] for row in rows]


def test_results_players_and_debuts_are_of_the_period() -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"), game(3, "a", "c"), session(40, ("a", 2.0), ("d", 1.0)))
    january, february = health(eng, Berkin())
    assert (january["games"], january["players"], january["newcomers"]) == (3, 3, 3)
    assert (february["games"], february["players"], february["newcomers"]) == (1, 2, 1)


def test_active_is_who_had_a_result_in_the_window_or_in_the_period() -> None:
    eng = engine(game(1, "a", "b"), game(25, "c", "d"), seed(26, "z"), game(58, "a", "d"))
    assert column(health(eng), "active") == [4, 3]  # b was last seen 57 days before the end of February
    assert column(health(eng, window="days(1)"), "active") == [4, 2]
    assert column(health(eng, window="months(12)"), "active") == [4, 4]


def test_the_network_is_of_the_window() -> None:
    eng = engine(game(1, "a", "b"), game(1, "c", "d"), game(40, "b", "c"), game(100, "a", "b"))
    assert column(health(eng), "components") == [2, 1, 0, 1]
    assert column(health(eng), "active") == [4, 2, 0, 2]
    joined = health(eng, window="months(12)")
    assert column(joined, "components") == [2, 1, 1, 1]
    assert column(joined, "bridges") == [2, 3, 3, 3]


def test_a_period_without_results_has_nothing_in_it() -> None:
    found = health(engine(game(1, "a", "b"), game(100, "a", "b")))
    assert [found[2][name] for name in ("games", "players", "newcomers", "active")] == [0, 0, 0, 0]
    assert (found[0]["largest_share"], found[2]["largest_share"]) == (1.0, None)
    assert len(found) == 4


MONTHLY, QUARTERLY = (Registry.installed().method(f"elo:period={period}") for period in ("month", "quarter"))


def league(days: int = 400, players: int = 12, seeded: int = 1) -> list[Event]:
    """Players who come and go over a year."""
    random = np.random.default_rng(seeded)
    events: list[Event] = []
    for day in range(days):
        first = day * (players - 6) // days
        i, j = random.choice(np.arange(first, first + 6), 2, replace=False)
        events.append(game(day, f"p{i:02}", f"p{j:02}", float(random.integers(3)) / 2))
    return events


def test_newcomers_bring_and_leavers_take_what_they_had_and_play_makes_nothing() -> None:
    eng = engine(game(1, "a", "b"), game(40, "a", "c", 0.5), seed(59, "d", 1700.0), game(70, "c", "d", 0.0))
    january, february, march = health(eng, Elo(k=20.0))
    assert (january["came"], january["brought"], january["total"]) == (2, 3000.0, 3000.0)
    assert (january["mean"], january["top_mean"], january["stayers"]) == (1500.0, 1500.0, None)
    surprise = 20.0 * (0.5 - 1.0 / (1.0 + 10.0 ** (-10.0 / 400.0)))
    assert (february["came"], february["brought"], february["leavers"], february["taken"]) == (1, 1500.0, 1, 1490.0)
    assert february["total"] == pytest.approx(3010.0)
    assert february["stayers"] == pytest.approx(surprise)
    assert (march["came"], march["brought"], march["leavers"]) == (1, 1700.0, 1)
    assert march["taken"] == pytest.approx(1510.0 + surprise)
    assert_allclose([level["made"] for level in (january, february, march)], 0.0, atol=1e-9)


def test_who_comes_back_brings_what_was_left_with() -> None:
    eng = engine(game(1, "a", "b"), game(40, "a", "c", 0.5), game(70, "a", "c", 0.5), game(100, "b", "c", 0.5))
    _, february, _, april = health(eng, Elo())
    assert (february["leavers"], february["taken"]) == (1, 1490.0)
    assert (april["came"], april["returned"], april["carried"]) == (0, 1, 1490.0)


@pytest.mark.parametrize("method", [Elo(), MONTHLY, Elo(k=40.0, scale=200.0)])
def test_where_one_wins_what_another_loses_nothing_is_made(method: Method) -> None:
    rows = health(engine(*league()), method)
    assert_allclose([level["made"] for level in rows], 0.0, atol=1e-9)
    assert sum(level["leavers"] for level in rows) > 0


def test_a_closed_pool_of_such_a_method_has_no_inflation() -> None:
    events = [game(day, "abcd"[day % 4], "abcd"[(day + 1 + day % 3) % 4], 1.0) for day in range(300)]
    rows = health(engine(*events), Elo(), "months(12)", top=4)
    assert_allclose([level["mean"] for level in rows], 1500.0)
    assert_allclose([level["top_mean"] for level in rows], 1500.0)
    assert_allclose([level["panel_mean"] for level in rows], 1500.0)


@pytest.mark.parametrize("method", [Elo(), Walk(), Periodic(), Unrated(), QUARTERLY])
def test_the_sum_is_the_one_before_with_what_was_brought_taken_and_made(method: Method) -> None:
    before = 0.0
    for level in health(engine(*league(), seed(200, "p03", 1900.0), seed(0, "p00", 1111.0)), method):
        came = level["brought"] + level["carried"] - level["taken"] + level["made"]
        assert level["total"] == pytest.approx(before + came, abs=1e-6)
        before = level["total"]


def test_other_starting_ratings_shift_every_level_and_no_change() -> None:
    eng = engine(*league())
    low, high = health(eng, Elo(initial=1500.0)), health(eng, Elo(initial=2500.0))
    for one, other in zip(low, high, strict=True):
        assert_allclose([other["mean"], other["top_mean"]], [one["mean"] + 1000.0, one["top_mean"] + 1000.0])
        assert other["stayers"] == pytest.approx(one["stayers"], abs=1e-6)
        assert (one["came"], one["returned"], one["leavers"]) == (other["came"], other["returned"], other["leavers"])


def test_a_seed_of_somebody_who_plays_on_is_made_from_nothing() -> None:
    eng = engine(game(1, "a", "b", 0.5), seed(35, "a", 1600.0), game(40, "a", "c", 1.0))
    assert health(eng, Elo(), "months(12)")[1]["made"] == pytest.approx(100.0)


def test_the_panel_is_who_is_active_first_and_last() -> None:
    eng = engine(game(1, "a", "b"), game(1, "c", "b", 0.5), game(40, "d", "e"), game(70, "a", "d", 0.5))
    january, *_ = health(eng, window="days(31)", top=10)
    assert (january["panel_mean"], january["top_mean"]) == (1510.0, None)


def test_methods_that_rate_nobody_and_whole_pool_methods_are_watched_too() -> None:
    eng = engine(game(1, "a", "b", 0.5), game(40, "b", "c", 0.5), game(70, "c", "a", 0.5))
    nobody, whole = health(eng, Unrated()), health(eng, Berkin())
    assert {(row["mean"], row["total"], row["panel_mean"]) for row in nobody} == {(None, 0.0, None)}
    assert column(whole, "mean") == pytest.approx([1000.0] * 3)


@pytest.mark.parametrize("events", [(), (seed(1, "a"),)])
def test_where_nothing_was_played_there_are_no_periods(events: tuple[Event, ...]) -> None:
    eng = engine(*events, game(5, "x", "y", pool="other"), seed(1, "a"))
    assert health(eng) == []


def test_one_game_is_enough() -> None:
    (row,) = health(engine(game(1, "żółw", "亀")))
    assert (row["active"], row["mean"], row["panel_mean"]) == (2, 1500.0, 1500.0)


def test_a_cut_view_is_watched_through_its_cut() -> None:
    eng, day = engine(*league()), "1970-03-10"
    cut, whole = health(eng, through=day), health(eng)
    for mine, row in zip(cut[:2], whole[:2], strict=True):
        assert mine | {"panel_mean": None} == row | {"panel_mean": None}
    lately = eng.core.view(POOL, day).timeline.table.part(50, 69)  # games of a day each, since 40 days before April
    active = {eng.core.view(POOL).name(row) for row in (*lately.a.tolist(), *lately.b.tolist())}
    ratings = eng.rating_list(POOL, Elo(), day)
    assert cut[2]["total"] == pytest.approx(sum(map(ratings.rating, active)), abs=1e-3)
