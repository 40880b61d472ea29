"""Views: counts, cuts, who met whom, and what is refused."""

from itertools import permutations

import pytest

from ratingcore.columns import FOREVER
from ratingcore.errors import WrongForm
from ratingcore.events import DAY
from tests.columns.making import POOL, engine, game, seed, session

EVENTS = [
    game(1, "a", "b", uid="g1"), session(2, ("ac", 55.0), ("bd", 45.0)), game(3, "c", "a", 0.5), seed(4, "z"),
    session(5, ("e", 1.0), ("f", 2.0), ("a", 3.0)),
]  # fmt: skip


def counts(through: int | None) -> dict[str, int]:
    view = engine(*EVENTS).core.view(POOL, through)
    return dict(zip(view.names(), view.played_counts().tolist(), strict=True))


def test_results_are_counted_by_player_up_to_the_cut() -> None:
    assert counts(0) == {}
    assert counts(1 * DAY) == {"a": 1, "b": 1}
    assert counts(2 * DAY) == {"a": 2, "b": 2, "c": 1, "d": 1}
    assert counts(4 * DAY) == {"a": 3, "b": 2, "c": 2, "d": 1, "z": 0}
    assert counts(None) == {"a": 4, "b": 2, "c": 2, "d": 1, "z": 0, "e": 1, "f": 1}


@pytest.mark.parametrize("days", range(-1, 31))
def test_counting_from_either_end_gives_the_same(days: int) -> None:
    games = [game(day, "abcd"[day % 4], "abcd"[(day + 1) % 4]) for day in range(30)]
    view = engine(*games).core.view(POOL, days * DAY)
    mine = {name: sum(name in (g.a, g.b) for g in games if g.played <= days * DAY) for name in view.names()}
    assert dict(zip(view.names(), view.played_counts().tolist(), strict=True)) == mine


def test_an_instant_cuts_after_itself_and_a_day_at_its_end() -> None:
    eng = engine(game(1, "a", "b"), game(1.5, "a", "b"), game(2, "a", "b"))
    assert eng.core.view(POOL, DAY).n_games == 1
    assert eng.core.view(POOL, DAY - 1).n_games == 0
    assert eng.core.view(POOL, "1970-01-02").n_games == 2
    assert eng.core.view(POOL, "1970-01-02T12:00").n_games == 2
    assert eng.core.view(POOL).through == FOREVER


def test_first_and_last_result_count_games_and_sessions_but_no_seeds() -> None:
    view = engine(*EVENTS).core.view(POOL, 4 * DAY)
    assert (view.first_played, view.last_played) == (DAY, 3 * DAY)
    nothing = engine(*EVENTS).core.view(POOL, 0)
    assert (nothing.first_played, nothing.last_played) == (None, None)


def test_who_met_is_known_from_games_and_sessions_after_the_cut_too() -> None:
    view = engine(*EVENTS).core.view(POOL, 0)
    names = ["a", "b", "c", "d", "z", "e", "f"]
    row = dict(zip(view.book.keys(view.timeline.players.id.tolist()), view.timeline.players.id.tolist(), strict=True))
    pairs = [(one, other) for one, other in permutations(names, 2)]
    met = {f"{one}{other}" for one, other in pairs if view.self_pairing_after({row[one]: row[other]}) is not None}
    assert met == {
        one + other
        for pair in ("ab", "ac", "ad", "bc", "bd", "cd", "ae", "af", "ef")
        for one, other in (pair, pair[::-1])
    }


def test_a_method_that_reads_games_is_told_how_many_sessions_stand_in_its_way() -> None:
    eng = engine(*EVENTS)
    with pytest.raises(WrongForm, match="elo reads games of two players, pool club holds 2 sessions") as caught:
        eng.core.view(POOL).games((), "elo")
    assert "sides" in caught.value.hint
    assert len(eng.core.view(POOL, DAY).games((), "elo")) == 1


def test_seeds_stop_at_the_cut() -> None:
    eng = engine(seed(1, "a"), seed(3, "b"), game(2, "a", "b"))
    assert eng.core.view(POOL, 2 * DAY).seeds.values["rating"].tolist() == [1600.0]
    assert len(eng.core.view(POOL, 0).seeds.played) == 0
    assert len(eng.core.view(POOL).seeds.played) == 2


def test_everything_known_comes_in_order_of_play_after_the_cut_too() -> None:
    played, position = engine(*EVENTS).core.view(POOL, DAY).known()
    assert position.tolist() == [1, 2, 3, 5]
    assert played.tolist() == [DAY, 2 * DAY, 3 * DAY, 5 * DAY]
