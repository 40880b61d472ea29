"""Results of many sides as flat columns: taken apart, put together, withheld."""

import numpy as np
import pytest

from ratingcore.columns import Games, Sides, Span
from tests.columns.making import POOL, engine, game, session

GAMES = Games(
    np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([1.0, 0.5, 0.0]), np.array([10, 20, 30]), np.array([1, 2, 3]),
    Span(10, 31), {"home": np.array([1.0, 0.0, -1.0])}, {"born": np.array([1990.0, 1991.0, 1992.0])},
)  # fmt: skip


def results(sides: Sides) -> list[tuple[int, list[tuple[list[int], float]]]]:
    """Each result as its position, and players and score of each of its sides."""
    found = []
    for r, position in enumerate(sides.position.tolist()):
        seats = range(int(sides.result[r]), int(sides.result[r + 1]))
        seated = [(sides.player[sides.side[s] : sides.side[s + 1]].tolist(), float(sides.score[s])) for s in seats]
        found.append((position, seated))
    return found


@pytest.fixture
def sides() -> Sides:
    """Four results of different forms."""
    return engine(
        game(1, "a", "b", 0.25), session(2, ("cd", 60.0), ("e", 40.0)), session(3, ("a", 1.0), ("bc", 2.0), ("d", 3.0)),
        game(4, "e", "c"),
    ).core.view(POOL).sides((), "toy")  # fmt: skip


def test_every_games_is_a_sides() -> None:
    sides = Sides.of(GAMES)
    assert results(sides) == [
        (1, [([0], 1.0), ([1], 0.0)]),
        (2, [([1], 0.5), ([2], 0.5)]),
        (3, [([2], 0.0), ([0], 1.0)]),
    ]
    assert (len(sides), sides.span) == (3, GAMES.span)
    assert sides["home"].tolist() == [1.0, 0.0, -1.0]
    assert sides["born"].tolist() == [1990.0, 1991.0, 1992.0]
    assert sides.blank().shape == (6,)


def test_games_as_sides_are_the_same_results_however_they_are_cut() -> None:
    weights = {"weights": np.arange(6.0)}
    lazy = Sides.of(GAMES, weights)
    laid = Sides(
        lazy.result, lazy.side, lazy.player, lazy.score, lazy.played, lazy.position, lazy.span, lazy.facts,
        lazy.players, np.ones(3, dtype=np.bool_), weights,
    )  # fmt: skip
    for cut in (
        lambda sides: sides.part(1, 3), lambda sides: sides.take(np.array([2, 0])), lambda sides: sides.apart(0, 2),
        lambda sides: sides.frozen(), lambda sides: sides.replaced(facts={"home": np.zeros(3)}),
    ):  # fmt: skip
        one, other = cut(Sides.of(GAMES, weights)), cut(laid)
        assert one.duels is not None
        assert other.duels is None
        assert results(one) == results(other)
        assert one["weights"].tolist() == other["weights"].tolist()
        assert one["home"].tolist() == other["home"].tolist()
        assert (one.n_sides, one.n_members, one.span) == (other.n_sides, other.n_members, other.span)
        assert one.games.all()
        assert not one.score.flags.writeable
    assert np.isnan(lazy.withheld().score).all()
    assert len(lazy.withheld().score) == 6
    assert lazy.replaced(score=np.zeros(6)).duels is None


@pytest.mark.parametrize("start", range(5))
@pytest.mark.parametrize("length", range(5))
def test_a_part_is_that_stretch_of_the_results(sides: Sides, start: int, length: int) -> None:
    stop = min(4, start + length)
    if start > stop:
        return
    part = sides.part(start, stop, Span(1, 2))
    assert results(part) == results(sides)[start:stop]
    assert part.span == (1, 2)
    assert part.result[0] == part.side[0] == 0


@pytest.mark.parametrize("which", [[], [0], [3, 1], [2, 0, 3, 1], [1, 1]])
def test_taking_gives_those_results_in_that_order(sides: Sides, which: list[int]) -> None:
    everything = results(sides)
    assert results(sides.take(np.array(which, dtype=np.int64))) == [everything[r] for r in which]


def test_withheld_results_keep_everything_but_the_scores(sides: Sides) -> None:
    withheld = sides.withheld()
    assert np.isnan(withheld.score).all()
    assert withheld.score.shape == sides.score.shape
    assert withheld.player is sides.player
    games = GAMES.withheld()
    assert np.isnan(games.score).all()
    assert games["home"] is GAMES["home"]


def test_a_part_of_games_keeps_fields_and_players_aligned() -> None:
    part = GAMES.part(1, 3)
    assert part.a.tolist() == [1, 2]
    assert part["home"].tolist() == [0.0, -1.0]
    assert part["born"].tolist() == [1990.0, 1991.0, 1992.0]
    assert GAMES.take(np.array([2, 0]))["home"].tolist() == [-1.0, 1.0]
    with pytest.raises(KeyError):
        part["away"]
