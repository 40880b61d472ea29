"""Who played, period by period, counted by hand."""

from ratingcore.compare.activity import Activity, activity
from ratingcore.compare.spans import spans
from ratingcore.engine import Engine
from ratingcore.lists.policy import Window
from tests.columns.making import POOL, engine, game, seed, session


def told(eng: Engine, window: str = "days(40)", period: str = "month") -> Activity:
    view = eng.view(POOL)
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
