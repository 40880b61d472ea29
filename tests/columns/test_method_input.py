"""Games and sides as a method reads them, with results that a need leaves out."""

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.columns.method_input import NONE, UnreadableResults, unreadable_in_words
from ratingcore.events import DAY
from ratingcore.replay.contract_check import readable_view
from tests.columns.making import POOL, engine, game, session
from tests.columns.test_view import EVENTS


def test_games_are_read_only_and_span_what_is_there() -> None:
    games = engine(*EVENTS).core.view(POOL, DAY).games((), "elo")
    assert games.span == (DAY, DAY + 1)
    for column in (games.a, games.b, games.score, games.played, games.position):
        assert not column.flags.writeable
    assert engine(*EVENTS).core.view(POOL, 0).games((), "elo").span == (0, 0)


def test_games_and_sessions_come_as_sides_in_one_order_of_play() -> None:
    eng = engine(
        game(2, "a", "b", 0.25, order=2), session(2, ("cd", 60.0), ("e", 40.0), order=1), game(1, "f", "g"),
        session(2, ("h", 7.0), ("a", 5.0), ("b", 3.0), order=2), game(2, "c", "e", order=-1),
    )  # fmt: skip
    view = eng.core.view(POOL)
    sides = view.sides((), "toy")
    assert sides.position.tolist() == [3, 5, 2, 1, 4]
    assert sides.played.tolist() == [DAY, 2 * DAY, 2 * DAY, 2 * DAY, 2 * DAY]
    seated = [
        ["".join(view.name(row) for row in sides.player[sides.side[s] : sides.side[s + 1]]) for s in range(first, last)]
        for first, last in zip(sides.result[:-1].tolist(), sides.result[1:].tolist(), strict=True)
    ]
    assert seated == [["f", "g"], ["c", "e"], ["cd", "e"], ["a", "b"], ["h", "a", "b"]]
    assert sides.score.tolist() == [1.0, 0.0, 1.0, 0.0, 60.0, 40.0, 0.25, 0.75, 7.0, 5.0, 3.0]


@pytest.mark.parametrize("through", range(6))
def test_sides_stop_at_the_cut(through: int) -> None:
    sides = engine(*EVENTS).core.view(POOL, through * DAY).sides((), "toy")
    assert len(sides) == [0, 1, 2, 3, 3, 4][through]
    assert len(sides.player) == [0, 2, 6, 8, 8, 11][through] == sides.side[-1]
    assert len(sides.score) == sides.result[-1]


def pool(*events: rc.GamePlayed | rc.SessionPlayed) -> rc.Engine:
    engine = rc.open(":memory:")
    engine.record(*events)
    return engine


def dated(day: int, a: str, b: str, score: float = 1.0, **data: float | str) -> rc.GamePlayed:
    return rc.GamePlayed(uid=f"g{day}{a}{b}", pool="p", played=f"2024-03-{day:02}", a=a, b=b, score=score, data=data)


FIT = [dated(2, "ann", "bo", points_a=3, points_b=1), dated(5, "bo", "cy", 0.0, points_a=0, points_b=1)]
ODD = [dated(1, "zed", "ann"), dated(3, "bo", "ann", points_a="3:1", points_b=2), dated(9, "yo", "xi", points_a=1)]


def test_rows_are_numbered_as_if_the_odd_results_had_never_been_there() -> None:
    with pool(*ODD, *FIT) as mixed, pool(*FIT) as alone:
        method = mixed.registry.method("elo-margin")
        fits, whole = readable_view(method, mixed.core.view("p")), alone.core.view("p")
        assert fits.names() == whole.names() == ["ann", "bo", "cy"]
        assert fits.played_counts().tolist() == whole.played_counts().tolist()
        assert (fits.first_played, fits.last_played) == (whole.first_played, whole.last_played)
        for one, other in zip(fits.timeline.players[1:], whole.timeline.players[1:], strict=True):
            assert one.tolist() == other.tolist()


def test_each_odd_result_has_one_reason_and_counts_from_its_day_on() -> None:
    with pool(*ODD, *FIT) as engine:
        fits = readable_view(engine.registry.method("elo-margin"), engine.core.view("p"))
        assert fits.unreadable.why == ("no points", "unreadable points", "no points")
        assert fits.unreadable.counts(fits.through) == {"no points": 2, "unreadable points": 1}
        assert fits.unreadable.counts(int(fits.unreadable.played[0])) == {"no points": 1}


def test_a_pool_in_which_everything_fits_stays_the_same_object() -> None:
    with pool(*FIT) as engine:
        view = engine.core.view("p")
        assert all(
            readable_view(engine.registry.method(text), view) is view for text in ("elo", "elo-margin", "trueskill")
        )


def test_a_pool_in_which_nothing_fits_says_what_is_missing() -> None:
    games = dated(1, "ann", "bo"), dated(2, "bo", "ann")
    with pool(*games) as engine, pytest.raises(rc.errors.MissingField, match="points_a"):
        engine.rating_list("p", "elo-margin")


def test_reasons_are_told_in_words() -> None:
    assert [unreadable_in_words("session", n) for n in (1, 2)] == ["1 result (session)", "2 results (session)"]
    two = UnreadableResults(np.array([4, 7]), np.array([10, 20]), ("session", "no points"))
    assert two.sentences(15) == ["1 result (session)"]
    assert two.before(20) == [(4, "session"), (7, "no points")]
    assert NONE.sentences(2**62) == []
