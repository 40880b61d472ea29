"""What a method may not return: every wrong answer is named, none is made into a list."""

from typing import Any

import numpy as np
import pytest

from ratingcore.engine import Engine
from ratingcore.errors import BrokenContract
from ratingcore.events import DAY, RatingSeeded
from ratingcore.plugin import Cadence, Column, Games, Rated, Solved, State
from ratingcore.replay import Replay, fold
from ratingcore.replay import run as runs
from tests.columns.making import POOL, engine, game, session
from tests.laws.methods import TALLY, Tally
from tests.replay.toys import Monthly, Walk, Wrong, column


def run(method: Any, eng: Engine) -> Replay:
    return fold(method, eng.core.view(POOL), keep=True)


def rated(**otherwise: Any) -> Any:
    """An answer of a method that is right but for this."""

    def answer(state: State, games: Games) -> Rated:
        zero = np.zeros(len(games))
        right = {"state": state, "expected": zero, "change": (zero, zero)}
        return Rated(**right | {name: make(state, games) for name, make in otherwise.items()})

    return answer


def lost(state: State, games: Games) -> State:
    """The state without the rating of the first player of the last game."""
    rating = state.copy("rating")
    rating[games.a[-1]] = np.nan
    return state.replace(rating=rating)


class NoState:
    names = ()


WRONG: dict[str, Any] = {
    "nothing": lambda state, games: None,
    "what a whole-pool method returns": lambda state, games: Solved(state, np.zeros(len(games))),
    "expected of another length": rated(expected=lambda state, games: np.zeros(len(games) + 1)),
    "expected for each player": rated(expected=lambda state, games: np.zeros((len(games), 2))),
    "expected as a list": rated(expected=lambda state, games: [0.0] * len(games)),
    "no expectation": rated(expected=lambda state, games: None),
    "a change of another length": rated(change=lambda state, games: (np.zeros(1), np.zeros(len(games)))),
    "a change of one side": rated(change=lambda state, games: np.zeros(len(games))),
    "a change of three sides": rated(change=lambda state, games: (np.zeros(len(games)),) * 3),
    "a change as numbers": rated(change=lambda state, games: (0.0, 0.0)),
    "no change": rated(change=lambda state, games: None),
    "a draw of another length": rated(draw=lambda state, games: np.zeros(1)),
    "a line before of another length": rated(before=lambda state, games: {"carry": (np.zeros(1), np.zeros(1))}),
    "a line after for each game": rated(after=lambda state, games: {"bonus": np.zeros(len(games) + 7)}),
    "a note of another length": rated(notes=lambda state, games: {"k": np.zeros(1)}),
    "no state": rated(state=lambda state, games: NoState()),
    "a state without a column": rated(state=lambda state, games: State({"rating": state["rating"]})),
    "a state with one more column": rated(
        state=lambda state, games: State({name: state[name] for name in state.names} | {"more": np.zeros(2)})
    ),
    "a state with fewer players": rated(
        state=lambda state, games: State({name: state[name][:1] for name in state.names})
    ),
    "a rating that is lost": rated(state=lambda state, games: lost(state, games)),
    "a state of whole numbers": rated(
        state=lambda state, games: State({name: state[name].astype(int) for name in state.names})
    ),
}


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG.keys())
def test_what_no_method_may_return_breaks_the_contract(answer: Any, keep: bool) -> None:
    eng = engine(*(game(day, "a", "b") for day in range(3)))
    with pytest.raises(BrokenContract, match="wrong breaks the method contract") as caught:
        fold(Wrong(answer=answer), eng.core.view(POOL), keep=keep)
    assert caught.value.hint == "its authors can check wrong against the laws of the contract to learn more"


def test_a_wrong_answer_to_a_later_call_breaks_the_contract_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CHUNK", 2)
    monkeypatch.setattr(runs, "PER_PLAYER", 0)
    right, wrong = rated(), rated(change=lambda state, games: (np.zeros(9), np.zeros(9)))
    method = Wrong(answer=lambda state, games: (wrong if games.played[0] else right)(state, games))
    with pytest.raises(BrokenContract, match="change"):
        run(method, engine(*(game(day, "a", "b") for day in range(4))))


def test_the_result_that_loses_a_rating_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CHUNK", 4)

    def answer(state: State, games: Games) -> Rated:
        expected = np.where(games.played == 6 * DAY, np.nan, 0.5)
        zero = np.zeros(len(games))
        return Rated(lost(state, games) if np.isnan(expected).any() else state, expected, (zero, zero))

    def below_a_floor(state: State, games: Games) -> Rated:
        zero = np.zeros(len(games))
        off = np.where(np.arange(len(state["rating"])) == games.a[-1], np.nan, 0.0)
        return Rated(lost(state, games), zero + 0.5, (zero, zero), after={"below the floor": off})

    eng = engine(*(game(day, "a", "b") for day in range(8)))
    assert np.isnan(fold(Wrong(answer=below_a_floor), eng.core.view(POOL)).state["rating"]).any()
    why = r"it leaves 1 rated player without a number for a rating; see the result at position 7"
    for keep in (True, False):
        with pytest.raises(BrokenContract, match=why):
            fold(Wrong(answer=answer), eng.core.view(POOL), keep=keep)


SOLVED: dict[str, Any] = {
    "a reason for stopping that is not text": lambda state, games: Solved(state, np.zeros(len(games)), stopped=True),  # type: ignore[arg-type]  # on purpose
    "what a continuous method returns": rated(),
    "fitted of another length": lambda state, games: Solved(state, np.zeros(1)),
    "no fitted scores": lambda state, games: Solved(state, None),  # type: ignore[arg-type]  # on purpose
    "a state without a column": lambda state, games: Solved(State({}), np.zeros(len(games))),
}


@pytest.mark.parametrize("answer", SOLVED.values(), ids=SOLVED.keys())
def test_what_no_whole_pool_method_may_return_breaks_the_contract(answer: Any) -> None:
    class WrongInAll(Wrong):
        cadence = Cadence.RETROSPECTIVE

    with pytest.raises(BrokenContract):
        run(WrongInAll(answer=answer), engine(*(game(day, "a", "b") for day in range(3))))


@pytest.mark.parametrize(
    "columns", [(), (Column("mu"),), (Column("rating", per="pair"),), (Column("rating", shape=(2,)),)]
)
def test_a_method_without_a_rating_of_every_player_breaks_the_contract(columns: tuple[Column, ...]) -> None:
    class Bare(Walk):
        def columns(self) -> tuple[Column, ...]:
            return columns

    with pytest.raises(BrokenContract, match="rating"):
        run(Bare(), engine(game(1, "a", "b")))


def test_a_seed_reaches_one_column_though_a_method_returned_one_array_for_two() -> None:
    """Seeds are written in place: with one array for two columns, one seed moved both."""

    class Best(Wrong):
        def columns(self) -> tuple[Column, ...]:
            return (Column("rating", 1.0), Column("best", 1.0), Column("season", 1.0))

    def both(state: State, games: Games) -> Rated:
        same, zero = state.copy("rating") + 1, np.zeros(len(games))
        moved = state.replace(rating=same, best=same, season=np.broadcast_to(np.float64(7.0), same.shape))
        return Rated(moved, zero, (zero, zero))

    planted = RatingSeeded(pool=POOL, played=2 * DAY, player="a", values={"rating": 50.0, "season": 8.0})
    replay = run(Best(answer=both), engine(game(1, "a", "b"), planted, game(3, "c", "b")))
    assert column(replay, "rating") == {"a": 50.0, "b": 2.0, "c": 2.0}
    assert column(replay, "best") == {"a": 2.0, "b": 2.0, "c": 2.0}
    assert column(replay, "season") == {"a": 8.0, "b": 7.0, "c": 7.0}


def test_a_wrong_answer_about_sessions_breaks_the_contract() -> None:
    class Wronger(Tally):
        def rate(self, state: State, games: Any) -> Rated:
            rated = TALLY.rate(state, games)
            return Rated(rated.state, rated.expected, (rated.change, rated.change))

    with pytest.raises(BrokenContract, match="change must be an array, not tuple"):
        run(Wronger(), engine(session(1, ("ab", 1.0), ("c", 0.0))))


def test_a_line_after_is_kept_as_it_was_told_though_its_array_is_a_column() -> None:
    """A seed in a later period wrote into what the history of earlier ones was made of."""

    class Bonus(Monthly):
        def columns(self) -> tuple[Column, ...]:
            return (Column("rating"), Column("bonus"))

        def rate(self, state: State, games: Games) -> Rated:
            bonus, zero = state["bonus"] + 1.0, np.zeros(len(games))
            return Rated(
                state.replace(rating=state["rating"] + bonus, bonus=bonus), zero, (zero, zero), after={"b": bonus}
            )

    planted = RatingSeeded(pool=POOL, played=40 * DAY, player="a", values={"bonus": 50.0})
    replay = run(Bonus(), engine(game(1, "a", "b"), planted, game(60, "a", "b")))
    assert replay.moves is not None
    assert [line.amount.tolist() for line in replay.moves.after] == [[1, 1], [51, 2], [52, 3]]
