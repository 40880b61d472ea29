"""Bridge: results and parameters that do not fit the model are named with their place."""

from typing import Any

import pytest
from ratingcore_bridge_bayes import BridgeBayes, ratingcore_methods
from ratingcore_bridge_bayes.making import sessions

import ratingcore as rc
from ratingcore.errors import BadField, BadParameter, BadResult, OddResults
from ratingcore.methods.text import build, split
from ratingcore.plugin import Sides, State
from tests.plugins.bridge_tables import DIAG, FIELD, FIXED, FULL, TABLE, known, played


def error(kind: type[Exception], method: BridgeBayes, results: Sides) -> str:
    with pytest.raises(kind) as caught:
        method.rate(known(method, [1500.0] * 8), results)
    return str(caught.value)


@pytest.mark.parametrize("tracking", ["fixed", "diag", "full"])
def test_what_does_not_fit_is_named_with_its_place(tracking: Any) -> None:
    method = BridgeBayes(tracking=tracking, per="board")
    good = (TABLE, [55.0, 45.0])
    told = error(BadResult, method, sessions([good, ([[0, 1], [2]], [55.0, 45.0])]))
    assert told.endswith("position 2: its sides have 2 and 1 players, and the strengths of a side are added up")
    told = error(BadField, method, sessions([good, good], boards=[3.0, 0.0]))
    assert told == "bridge-bayes: field boards must be above zero at position 2: 0.0"
    told = error(BadField, method, sessions([good, (FIELD[:3], [50.0] * 3)], first_line=[0, 3]))
    assert told.endswith("must be a whole number from 1 to 2, both lines need a side at position 2: 3.0")
    assert "first_line" in error(BadField, method, sessions([(FIELD[:3], [50.0] * 3)], first_line=[1.5]))  # type: ignore[list-item]  # what is refused


@pytest.mark.parametrize("method", ["bridge-bayes", "bridge-bayes:tracking=full", "bridge-bayes:tracking=fixed"])
def test_a_game_is_left_out_of_a_list_and_its_forecast_is_refused(method: str) -> None:
    with rc.open(":memory:") as engine:
        pairs = [rc.Side(["ann", "bo"], 54.0), rc.Side(["cy", "di"], 46.0)]
        engine.record(rc.SessionPlayed(pool="club", played="2024-03-01", sides=pairs))
        without = engine.rating_list("club", method)
        engine.record(rc.GamePlayed(pool="club", played="2024-03-02", a="ann", b="bo", score=0.7))
        kind, view = engine.registry.method(method), engine.view("club")
        told = "it is a game, and scores of games are shares of a point, not percents"
        assert [list(row.values()) for row in engine.rating_list("club", method)] == [
            list(row.values()) for row in without
        ]
        with pytest.raises(OddResults, match="1 result"):
            engine.rating_list("club", method, strict=True)
        with pytest.raises(BadResult, match=f"at position 2: {told}"):
            kind.expected(State.start(kind.columns(), 4), view.sides(kind.needs, kind.name).withheld())


@pytest.mark.parametrize("tracking", ["fixed", "diag", "full"])
@pytest.mark.parametrize("scores", [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)])
@pytest.mark.parametrize("seats", [([["ann", "bo"], ["cy", "di"]]), ([["ann"], ["bo"]])])
def test_a_session_of_few_imps_is_no_game(tracking: str, scores: tuple[float, float], seats: list[list[str]]) -> None:
    """A session of 1 : 0 or 0.5 : 0.5 IMPs was refused as a game, with the advice to record it as a session."""
    with rc.open(":memory:") as engine:
        sides = [rc.Side(names, score) for names, score in zip(seats, scores, strict=True)]
        data = {"unit": "imp", "boards": 16}
        engine.record(rc.SessionPlayed(pool="club", played="2024-03-02", sides=sides, data=data))
        listed = engine.rating_list("club", f"bridge-bayes:preset=imp,k=0.004,tracking={tracking}")
    n, surprise = 2 * len(seats[0]), 0.5 * (scores[0] - scores[1]) / 16.0
    step = 0.004 * 200.0**2 / (36.0 / 16.0 + n * 0.004**2 * 200.0**2) * surprise
    assert {row["player"]: row["rating"] for row in listed} == pytest.approx(
        {name: 1500.0 + (step if side == 0 else -step) for side, names in enumerate(seats) for name in names},
        abs=1e-4,
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sigma1=0", "parameter sigma1 must be a positive number: 0.0"),
        ("deviation=0", "parameter deviation must be a positive number: 0.0"),
        ("unit=imp", "parameter k must be given where unit=imp"),
        ("preset=imp", "parameter k must be given where unit=imp"),
        ("tau=1", "parameter tau needs per=board, not session: 1.0"),
        ("tracking=fixed,drift_var=1", "parameter drift_var needs tracking=diag or full"),
        ("players=1", "parameter players must be a whole number from 2 to 2000: 1"),
        ("drift_var=-1", "parameter drift_var must be zero or more"),
    ],
)
def test_bad_parameters(text: str, told: str) -> None:
    with pytest.raises(BadParameter, match=told):
        build(ratingcore_methods()[0], split(f"bridge-bayes:{text}")[1])


def test_presets_and_defaults_follow_the_unit() -> None:
    percent, imp = (build(BridgeBayes, {"preset": name, "k": "0.004"}) for name in ("percent", "imp"))
    assert (percent.s0, percent.per, percent.k) == (50.0, "session", 0.004)  # type: ignore[attr-defined]  # a BridgeBayes
    assert (imp.s0, imp.per, imp.sigma1) == (0.0, "board", 6.0)  # type: ignore[attr-defined]  # a BridgeBayes
    assert BridgeBayes() == BridgeBayes(**BridgeBayes.presets["percent"])
    assert BridgeBayes(unit="imp", k=1.0).s0 == 0.0


def test_a_pool_too_large_for_full_is_refused_and_told_how_to_go_on() -> None:
    with pytest.raises(BadResult, match="position 1: tracking=full has room for 3 players, the pool has 4: raise play"):
        played(BridgeBayes(tracking="full", players=3), [55.0])


def test_only_full_needs_an_excuse() -> None:
    assert [list(method.excuses) for method in (FIXED, DIAG, FULL)] == [[], [], ["relabelling", "rows"]]
