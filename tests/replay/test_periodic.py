"""Periodic methods: what is called when, and which periods are closed."""

from typing import Any

import pytest

from ratingcore.errors import BrokenContract
from ratingcore.events import DAY
from ratingcore.explain.history import history
from tests.columns.making import engine, game, seed, session
from tests.replay.leagues import league, run
from tests.replay.toys import Monthly, Tables, Toy, ratings


def spans(method: Toy) -> list[tuple[int, int]]:
    return [(call.span[0] // DAY, call.span[1] // DAY) for call in method.calls]


def test_periods_are_called_once_each_empty_ones_too() -> None:
    method = Monthly()
    replay = run(method, engine(game(2, "a", "b"), game(3, "a", "b"), game(100, "a", "c")))
    assert [call.positions for call in method.calls] == [[1, 2], [], [], [3]]
    assert spans(method) == [(0, 31), (31, 59), (59, 90), (90, 120)]
    assert ratings(replay) == {"a": 100 + 10 - 4 + 5, "b": 100 - 10 - 4, "c": 100 - 1 - 5}


def test_a_call_holds_only_players_who_had_appeared_by_its_end() -> None:
    method = Monthly()
    run(method, engine(game(2, "a", "b"), seed(40, "c"), game(100, "d", "a"), game(99, "e", "a")))
    assert [len(call.state["rating"]) for call in method.calls] == [2, 3, 3, 5]


@pytest.mark.parametrize(
    ("through", "called"), [(0, 0), (29, 0), (30, 1), (31, 1), (58, 2), (119, 4), (120, 4), (200, 6)]
)
def test_only_periods_that_are_closed_by_the_cut_count(through: int, called: int) -> None:
    """January 1970 ends on day 30."""
    method = Monthly()
    eng = engine(game(2, "a", "b"), game(40, "a", "b"), game(100, "a", "c"))
    replay = run(method, eng, through=(through + 1) * DAY - 1)
    assert len(method.calls) == called
    assert len(replay.results) == sum(len(call.positions) for call in method.calls)
    assert replay.at == (through + 1) * DAY - 1


def test_the_instant_before_a_period_ends_does_not_close_it() -> None:
    method = Monthly()
    run(method, engine(game(2, "a", "b")), through=31 * DAY - 2)
    assert not method.calls
    run(method, engine(game(2, "a", "b")), through=31 * DAY - 1)
    assert len(method.calls) == 1


def test_a_list_through_the_end_of_a_month_is_the_list_of_a_log_that_ends_there() -> None:
    eng = league()
    early = engine(*(event for _, event in eng.events() if event.played < 90 * DAY))
    assert ratings(run(Monthly(), eng, through=90 * DAY - 1)) == ratings(run(Monthly(), early, through=90 * DAY - 1))


def test_fixed_cuts_close_at_their_days_only() -> None:
    method = Monthly(cut="cuts(1970-01-11;1970-01-21)")
    eng = engine(game(5, "a", "b"), game(10, "a", "b"), game(19, "a", "b"), game(25, "a", "b"))
    run(method, eng)
    assert [call.positions for call in method.calls] == [[1], [2, 3], [4]]


@pytest.mark.parametrize(
    ("day", "positions"), [(9, []), (10, [[1]]), (15, [[1]]), (20, [[1], [2, 3]]), (30, [[1], [2, 3]])]
)
def test_a_stretch_between_fixed_cuts_is_not_closed_before_its_end(day: int, positions: list[list[int]]) -> None:
    """It was closed at the cut in played time, wherever that fell; cuts are on day 10 and on day 20."""
    method = Monthly(cut="cuts(1970-01-11;1970-01-21)")
    eng = engine(game(5, "a", "b"), game(10, "a", "b"), game(19, "a", "b"), game(25, "a", "b"))
    run(method, eng, through=day * DAY - 1)
    assert [call.positions for call in method.calls] == positions


def event(day: float, name: str | None, a: str = "a", b: str = "b", score: float = 1.0) -> Any:
    return game(day, a, b, score, data={"event": name})


def test_tournaments_are_rated_in_the_order_in_which_they_ended() -> None:
    method = Monthly(cut="event")
    eng = engine(event(1, "long"), event(2, "short"), event(3, "short"), event(9, "long"), event(5, "later"))
    replay = run(method, eng)
    assert [call.positions for call in method.calls] == [[2, 3], [5], [1, 4]]
    assert method.calls[2].span == (DAY, 9 * DAY + 1)
    assert replay.results.position.tolist() == [2, 3, 5, 1, 4]


def test_a_tournament_that_goes_on_is_not_closed_though_some_of_it_was_played() -> None:
    method = Monthly(cut="event")
    eng = engine(event(1, "long"), event(2, "short"), event(9, "long"))
    replay = run(method, eng, through=5 * DAY)
    assert [call.positions for call in method.calls] == [[2]]
    assert ratings(replay) == {"a": 104, "b": 94}


def test_games_of_no_tournament_are_rated_day_by_day() -> None:
    method = Monthly(cut="event")
    run(method, engine(event(1, None), event(1.5, None), event(2, None), event(2, "open")))
    assert [call.positions for call in method.calls] == [[1, 2], [3], [4]] or [
        call.positions for call in method.calls
    ] == [[1, 2], [4], [3]]


def test_sessions_of_overlapping_tournaments_are_kept_in_the_order_they_were_rated() -> None:
    """What calls returned was kept where the results had stood before they were put side by side."""
    eng = engine(
        session(1, ("a", 1.0), ("b", 2.0), ("c", 3.0), data={"event": "long"}),
        session(2, ("de", 5.0), ("f", 6.0), data={"event": "short"}),
        session(3, ("a", 7.0), ("bcd", 8.0), ("e", 9.0), ("f", 10.0), data={"event": "long"}),
    )
    replay = run(Tables(), eng)
    assert replay.results.position.tolist() == [2, 1, 3]
    moves = replay.moves
    assert moves is not None
    assert moves.change.tolist() == [5, 5, 6, 1, 2, 3, 7, 8, 8, 8, 9, 10]
    assert moves.expected.tolist() == [10, 12, 2, 4, 6, 14, 16, 18, 20]
    for row in range(replay.view.n_players):
        assert history(replay, row)[-1].rating == replay.state["rating"][row]


def test_a_periodic_method_without_a_period_breaks_the_contract() -> None:
    class Endless(Monthly):
        period = None

    with pytest.raises(BrokenContract, match="periodic and has no period"):
        run(Endless(), engine(game(1, "a", "b")))
