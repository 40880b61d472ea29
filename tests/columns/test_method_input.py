"""Games and sides as a method reads them, with results that a need leaves out."""

import pytest

from ratingcore.events import DAY
from tests.columns.making import POOL, engine, game, session
from tests.columns.test_view import EVENTS


def test_games_are_read_only_and_span_what_is_there() -> None:
    games = engine(*EVENTS).view(POOL, DAY).games((), "elo")
    assert games.span == (DAY, DAY + 1)
    for column in (games.a, games.b, games.score, games.played, games.position):
        assert not column.flags.writeable
    assert engine(*EVENTS).view(POOL, 0).games((), "elo").span == (0, 0)


def test_games_and_sessions_come_as_sides_in_one_order_of_play() -> None:
    eng = engine(
        game(2, "a", "b", 0.25, order=2), session(2, ("cd", 60.0), ("e", 40.0), order=1), game(1, "f", "g"),
        session(2, ("h", 7.0), ("a", 5.0), ("b", 3.0), order=2), game(2, "c", "e", order=-1),
    )  # fmt: skip
    view = eng.view(POOL)
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
    sides = engine(*EVENTS).view(POOL, through * DAY).sides((), "toy")
    assert len(sides) == [0, 1, 2, 3, 3, 4][through]
    assert len(sides.player) == [0, 2, 6, 8, 8, 11][through] == sides.side[-1]
    assert len(sides.score) == sides.result[-1]
