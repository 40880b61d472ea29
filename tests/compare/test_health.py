"""The health of a pool by period."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from ratingcore_berkin import Berkin
from ratingcore_elo import Elo
from ratingcore_periodic import Periodic

from ratingcore.compare.health import Activity, Level, activity, health
from ratingcore.compare.period_lists import spans
from ratingcore.engine import Engine
from ratingcore.errors import BadValue
from ratingcore.events import Event
from ratingcore.lists.policy import Window
from ratingcore.methods import Method
from ratingcore.registry import Registry
from tests.columns.making import POOL, engine, game, seed, session
from tests.replay.toys import Unrated, Walk


def told(eng: Engine, window: str = "days(40)", period: str = "month") -> Activity:
    view = eng.core.view(POOL)
    return activity(view, spans(view, period)[1], Window.parse(window))


def test_results_players_debuts_and_the_median_are_of_the_period() -> None:
    found = told(engine(game(1, "a", "b"), game(2, "a", "b"), game(3, "a", "c"), session(40, ("a", 2.0), ("d", 1.0))))
    january, february = found.periods
    assert (january.results, january.players, january.debuts, january.median) == (3, 3, 3, 2.0)
    assert (february.results, february.players, february.debuts, february.median) == (1, 2, 1, 1.0)


def test_active_is_who_had_a_result_in_the_window_or_in_the_period() -> None:
    eng = engine(game(1, "a", "b"), game(25, "c", "d"), seed(26, "z"), game(58, "a", "d"))
    assert [len(p.active) for p in told(eng).periods] == [4, 3]  # b was last seen 57 days before the end of February
    assert [len(p.active) for p in told(eng, "days(1)").periods] == [4, 2]
    assert [len(p.active) for p in told(eng, "months(12)").periods] == [4, 4]


def test_the_network_is_of_the_window() -> None:
    eng = engine(game(1, "a", "b"), game(1, "c", "d"), game(40, "b", "c"), game(100, "a", "b"))
    found = told(eng)
    assert [p.network.components for p in found.periods] == [2, 1, 0, 1]
    assert [p.network.players for p in found.periods] == [4, 2, 0, 2]
    joined = told(eng, "months(12)")
    assert [p.network.components for p in joined.periods] == [2, 1, 1, 1]
    assert [p.network.bridges for p in joined.periods] == [2, 3, 3, 3]


def test_a_period_without_results_is_told_with_nothing_in_it() -> None:
    found = told(engine(game(1, "a", "b"), game(100, "a", "b")))
    empty = found.periods[2]
    assert (empty.results, empty.players, empty.median, empty.debuts, len(empty.active)) == (0, 0, None, 0, 0)
    assert found.columns["largest"].tolist()[0] == 1.0
    assert str(found.columns["algebraic"][2]) == "nan"
    assert {len(column) for column in found.columns.values()} == {4}


MONTHLY, QUARTERLY = (Registry.installed().method(f"elo:period={period}") for period in ("month", "quarter"))


def levels(eng: Engine, method: Method, window: str = "days(40)", top: int = 2) -> tuple[Level, ...]:
    return health([method], eng.core.view(POOL), "month", window, top).levels[0].periods


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
    january, february, march = levels(eng, Elo(k=20.0))
    assert (january.rated, january.came, january.brought, january.total) == (2, 2, 3000.0, 3000.0)
    assert (january.mean, january.top, january.stayers) == (1500.0, 1500.0, None)
    surprise = 20.0 * (0.5 - 1.0 / (1.0 + 10.0 ** (-10.0 / 400.0)))
    assert (february.came, february.brought, february.left, february.taken) == (1, 1500.0, 1, 1490.0)
    assert february.total == pytest.approx(3010.0)
    assert february.stayers == pytest.approx(surprise)
    assert (march.came, march.brought, march.left) == (1, 1700.0, 1)
    assert march.taken == pytest.approx(1510.0 + surprise)
    assert_allclose([level.made for level in (january, february, march)], 0.0, atol=1e-9)


def test_who_comes_back_brings_what_was_left_with() -> None:
    eng = engine(game(1, "a", "b"), game(40, "a", "c", 0.5), game(70, "a", "c", 0.5), game(100, "b", "c", 0.5))
    _, february, _, april = levels(eng, Elo())
    assert (february.left, february.taken) == (1, 1490.0)
    assert (april.came, april.returned, april.carried) == (0, 1, 1490.0)


@pytest.mark.parametrize("method", [Elo(), MONTHLY, Elo(k=40.0, scale=200.0)])
def test_where_one_wins_what_another_loses_nothing_is_made(method: Method) -> None:
    told = levels(engine(*league()), method)
    assert_allclose([level.made for level in told], 0.0, atol=1e-9)
    assert sum(level.left for level in told) > 0


def test_a_closed_pool_of_such_a_method_has_no_inflation() -> None:
    events = [game(day, "abcd"[day % 4], "abcd"[(day + 1 + day % 3) % 4], 1.0) for day in range(300)]
    told = levels(engine(*events), Elo(), "months(12)", top=4)
    assert_allclose([level.mean for level in told], 1500.0)
    assert_allclose([level.top for level in told], 1500.0)
    assert_allclose([level.panel for level in told], 1500.0)


@pytest.mark.parametrize("method", [Elo(), Walk(), Periodic(), Unrated(), QUARTERLY])
def test_the_sum_is_the_one_before_with_what_was_brought_taken_and_made(method: Method) -> None:
    before = 0.0
    for level in levels(engine(*league(), seed(200, "p03", 1900.0), seed(0, "p00", 1111.0)), method):
        came = level.brought + level.carried - level.taken + level.made
        assert level.total == pytest.approx(before + came, abs=1e-6)
        before = level.total


def test_other_starting_ratings_shift_every_level_and_no_change() -> None:
    eng = engine(*league())
    low, high = levels(eng, Elo(initial=1500.0)), levels(eng, Elo(initial=2500.0))
    for one, other in zip(low, high, strict=True):
        assert_allclose([other.mean, other.top], [one.mean + 1000.0, one.top + 1000.0])  # type: ignore[operator]  # rated
        assert other.stayers == pytest.approx(one.stayers, abs=1e-6)
        assert (one.came, one.returned, one.left) == (other.came, other.returned, other.left)


def test_a_seed_of_somebody_who_plays_on_is_made_from_nothing() -> None:
    eng = engine(game(1, "a", "b", 0.5), seed(35, "a", 1600.0), game(40, "a", "c", 1.0))
    assert levels(eng, Elo(), "months(12)")[1].made == pytest.approx(100.0)


def test_the_panel_is_who_is_active_first_and_last() -> None:
    eng = engine(game(1, "a", "b"), game(1, "c", "b", 0.5), game(40, "d", "e"), game(70, "a", "d", 0.5))
    found = health([Elo()], eng.core.view(POOL), "month", "days(31)")
    (told,) = found.levels
    assert told.panel == ("a",)
    assert told.periods[0].panel == 1510.0
    assert (told.periods[0].top, found.top) == (None, 10)


def test_methods_that_rate_nobody_and_whole_pool_methods_are_watched_too() -> None:
    events = [game(1, "a", "b", 0.5), game(40, "b", "c", 0.5), game(70, "c", "a", 0.5)]
    found = health([Unrated(), Berkin()], engine(*events).core.view(POOL), "month")
    nobody, whole = (told.periods for told in found.levels)
    assert {(level.rated, level.mean, level.total, level.panel) for level in nobody} == {(0, None, 0.0, None)}
    assert [level.rated for level in whole] == [2, 3, 3]
    assert_allclose([level.mean for level in whole], 1000.0)


@pytest.mark.parametrize("events", [[], [seed(1, "a")]])
def test_where_nothing_was_played_there_are_no_periods(events: list[Event]) -> None:
    eng = engine(*events, game(5, "x", "y", pool="other"))
    if not events:
        eng.record(seed(1, "a"))
    found = health([Elo()], eng.core.view(POOL))
    assert (found.period, found.levels[0].periods) == (None, ())


def test_one_game_is_enough() -> None:
    (level,) = levels(engine(game(1, "żółw", "亀")), Elo())
    assert (level.rated, level.mean, level.panel) == (2, 1500.0, 1500.0)


def test_a_cut_view_is_watched_through_its_cut() -> None:
    eng = engine(*league())
    cut = health([Elo()], eng.core.view(POOL, "1970-03-10"), "month", "days(40)", 2)
    whole = levels(eng, Elo())
    assert cut.levels[0].periods[:2] == tuple(
        level._replace(panel=mine.panel) for level, mine in zip(whole[:2], cut.levels[0].periods, strict=False)
    )
    ratings = eng.rating_list(POOL, Elo(), "1970-03-10")
    assert cut.levels[0].periods[2].total == pytest.approx(
        sum(ratings.rating(name) for name in ratings.player if name in active(eng, "1970-03-10")), abs=1e-3
    )


def active(eng: Engine, through: str) -> set[str]:
    view = eng.core.view(POOL, through)
    return {view.name(row) for row in health([], view, "month", "days(40)").activity.periods[-1].active.tolist()}


@pytest.mark.parametrize(("what", "value"), [("top", 0), ("top", True), ("window", "soon"), ("period", "event")])
def test_what_cannot_be_read_is_refused(what: str, value: object) -> None:
    with pytest.raises(BadValue, match=what):
        health([Elo()], engine(game(1, "a", "b")).core.view(POOL), **{what: value})  # type: ignore[arg-type]  # on purpose
