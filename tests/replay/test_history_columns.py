"""Runs that keep what is listed beside ratings: calls are cut so that nobody who is watched sits in one twice."""

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from ratingcore.columns import Floats
from ratingcore.events import DAY
from ratingcore.methods import Method
from ratingcore.methods.state import State
from ratingcore.registry import Registry
from ratingcore.replay import Watch, extra_columns, fold
from ratingcore.replay.history_columns import ColumnRecorder, stretches
from ratingcore.testing.random_seasons import seasons

REGISTRY = Registry.installed()


@pytest.mark.parametrize("number", range(5))
def test_nobody_who_is_watched_sits_twice_in_a_call_and_no_call_ends_too_early(number: int) -> None:
    random = Random(number)
    games = [random.sample(range(8), 2) for _ in range(60)]
    watched = sorted(random.sample(range(8), 3 + number))
    recorder = ColumnRecorder(
        REGISTRY.method("glicko2:preset=lichess"), Watch(np.array(watched)), np.array(games).ravel(),
        np.arange(0, 121, 2), np.zeros(60, dtype=np.int64), 8, 0,
    )  # fmt: skip
    cuts, seen = [], set[int]()
    for at, game in enumerate(games):  # the same rule, written down naively
        mine = set(game) & set(watched)
        if seen & mine:
            cuts.append(at)
            seen = set()
        seen |= mine
    assert recorder.cuts().tolist() == cuts


def test_calls_end_at_cuts_and_hold_no_more_than_they_may() -> None:
    parts = stretches(3, 50, np.array([1, 3, 7, 20, 50, 60]), 10)
    assert [part[0] for part in parts] == [3, 7, 17, 20, 30, 40]
    assert parts[-1][1] == 50
    assert all(one[1] == other[0] for one, other in pairwise(parts))
    assert stretches(5, 5, np.empty(0, dtype=np.int64), 10) == []


@pytest.mark.parametrize("text", ["glicko2:preset=lichess", "weng-lin", "elo:k=fide2014,entry=trial(2)", "glicko"])
def test_what_is_watched_changes_nothing(text: str) -> None:
    method = REGISTRY.method(text)
    season = next(iter(seasons(method)))
    plain, seen = (fold(method, season.view, keep=True, watch=watch) for watch in (None, Watch()))
    for name in method.columns():
        assert np.array_equal(plain.state[name.name], seen.state[name.name], equal_nan=True)
    assert plain.moves is not None
    assert seen.moves is not None
    assert np.array_equal(plain.moves.expected, seen.moves.expected, equal_nan=True)
    assert np.array_equal(plain.moves.change, seen.moves.change, equal_nan=True)
    assert plain.moves.extra_after == {}
    one = fold(method, season.view, keep=True, watch=Watch(np.array([1])))
    assert one.moves is not None
    mine = one.member == 1
    for name, column in one.moves.extra_after.items():
        assert np.array_equal(column[mine], seen.moves.extra_after[name][mine], equal_nan=True)
        assert np.isnan(column[~mine]).all()


class OneTime:
    """Makes a `show` that takes a column of times, and says other numbers for it."""

    def __init__(self, method: Method, wrong: float) -> None:
        self.method, self.wrong, self.calls = method, wrong, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.method, name)

    def show(self, state: State, at: Any) -> Mapping[str, Floats]:
        self.calls += 1
        shown = dict(self.method.show(state, at))
        return (
            shown if np.isscalar(at) or isinstance(at, int) else shown | {"deviation": shown["deviation"] + self.wrong}
        )


@pytest.mark.parametrize("wrong", [0.0, 1e-9])
def test_a_column_of_times_is_asked_only_where_it_gives_the_same_bits(wrong: float) -> None:
    method = REGISTRY.method("glicko2:preset=lichess")
    n = 100
    rng = np.random.default_rng(4)
    state = State({column.name: np.abs(rng.normal(50.0, 5.0, n)) for column in method.columns()})
    at = np.sort(rng.integers(2_000, 3_000, n)) * DAY
    asked = OneTime(method, wrong)
    found = extra_columns(asked, state, np.arange(n), at)["deviation"]  # type: ignore[arg-type]  # it stands for one
    alone = [method.show(state, int(time))["deviation"][row] for row, time in enumerate(at)]
    assert found.tolist() == alone
    assert (asked.calls > len(np.unique(at))) == bool(wrong)
