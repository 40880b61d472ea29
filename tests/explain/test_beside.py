"""What a method lists beside the rating, on every line: held against the lists of those days."""

import numpy as np
import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.events import DAY
from ratingcore.explain.beside import heading
from ratingcore.log import MemoryLog
from ratingcore.methods import Cadence, Method
from ratingcore.registry import Registry
from ratingcore.replay import listed_beside, names_beside, stand
from ratingcore.testing.random_seasons import seasons
from ratingcore.testing.season import POOL

REGISTRY = Registry.installed()
TEXTS = (
    "glicko", "glicko2", "glicko2:preset=lichess", "weng-lin", "trueskill", "elo-mmr", "chess-bayes:drift_var=4",
    "bridge-bayes", "bridge-bayes:tracking=full,drift_var=1", "adaptive-k", "uschess", "fesa", "elo:k=fide2014",
)  # fmt: skip


def listed(eng: Engine, method: Method, player: str, through: int) -> dict[str, object]:
    """What a list through an instant has of a player beside the rating: the second, slower way."""
    standing = stand(method, eng.view(POOL, through))
    row = standing.view.names().index(player)
    shown = method.show(standing.state, through)
    return {name: column[row] for name, column in shown.items() if name != "rating"}


@pytest.mark.parametrize("text", TEXTS)
def test_every_line_has_what_the_list_just_after_it_has(text: str) -> None:
    method = REGISTRY.method(text)
    season = next(iter(seasons(method)))
    eng = Engine(season.log, REGISTRY)
    labels = {column.name: column.labels for column in method.columns() if column.labels}
    looked_at = 0
    for player in season.view.names()[:2]:
        lines = eng.history(POOL, player, method)
        replay = eng.replay(POOL, method, keep=True)
        assert lines
        assert all(tuple(line.columns) == names_beside(method) for line in lines)
        assert all(line.uid == (None if line.position is None else eng.log.uid(line.position)) for line in lines)
        ends = [call.span.end - 1 for call in replay.calls]
        for line, after in list(zip(lines, [*lines[1:], None], strict=True))[::7]:
            at = line.played
            if method.cadence is Cadence.PERIODIC and ends:
                at = next((end for end in ends if end >= at), at)
            if line.score is None or (after is not None and after.played <= at and not ends):
                continue  # of several lines at one moment, the list has the last
            wanted = listed(eng, method, player, at)
            looked_at += 1
            for name, cell in line.columns.items():
                if name in labels:
                    assert cell == labels[name][int(wanted[name])]  # type: ignore[call-overload]  # a code
                else:
                    assert cell == pytest.approx(wanted[name], rel=1e-12, nan_ok=True), (line, name)
    assert looked_at


@pytest.mark.parametrize("text", ["glicko", "glicko2:preset=lichess", "weng-lin", "whr", "bradley-terry"])
def test_an_explanation_begins_and_ends_with_the_columns_of_the_lists(text: str) -> None:
    method = REGISTRY.method(text)
    season = next(iter(seasons(method)))
    eng = Engine(season.log, REGISTRY)
    player, first, last = season.view.names()[0], season.view.first_played, season.view.last_played
    assert first is not None
    assert last is not None
    since = last - 20 * DAY
    told = eng.explain(POOL, player, method, since, last, refits=3)
    for columns, at in ((told.opening_columns, since - 1), (told.closing_columns, last)):
        standing = stand(method, eng.view(POOL, at))
        row = standing.view.names().index(player)
        wanted = method.show(standing.state, standing.at)
        assert columns["deviation"] == pytest.approx(float(wanted["deviation"][row]), rel=1e-12, nan_ok=True)
    assert "deviation" in told.columns
    assert [row["deviation"] for row in told][-1] == told.closing_columns["deviation"]
    assert abs(told.residual) < 1e-9


def test_the_deviation_and_the_volatility_are_those_of_the_published_example() -> None:
    """Glickman, *Example of the Glicko-2 system* (2013): 1464.06, 151.52 and 0.05999 after three games of a period."""
    eng = Engine(MemoryLog(), REGISTRY)
    field = {"x": (1500.0, 200.0), "p": (1400.0, 30.0), "q": (1550.0, 100.0), "r": (1700.0, 300.0)}
    eng.record(
        *(
            rc.RatingSeeded(pool="p", played="2024-01-01", player=name, values={"rating": rating, "deviation": rd})
            for name, (rating, rd) in field.items()
        ),
        *(
            rc.GamePlayed(uid=other, pool="p", played="2024-01-10", a="x", b=other, score=score)
            for other, score in (("p", 1.0), ("q", 0.0), ("r", 0.0))
        ),
    )
    method = "glicko2:tau=0.5,period=month"
    line = eng.history("p", "x", method, "2024-01-31")[-1]
    assert line.rating == pytest.approx(1464.06, abs=0.02)
    assert line.columns["deviation"] == pytest.approx(151.52, abs=0.01)
    assert line.columns["volatility"] == pytest.approx(0.05999, abs=1e-5)
    assert (line.uid, line.time) == ("r", "2024-01-10")
    (first, *_) = eng.forecasts("p", method, "2024-01-31")
    assert (first["deviation_a"], first["deviation_b"]) == (pytest.approx(200.0, abs=0.1), pytest.approx(30.0, abs=0.5))


def test_lines_of_a_whole_pool_method_have_the_deviations_of_its_track() -> None:
    """METHODS of whole-history rating: three games, joint deviations 196.585005, 196.971891, 197.543474."""
    eng = Engine(MemoryLog(), REGISTRY)
    eng.record(
        *(
            rc.GamePlayed(pool="go", played=f"2024-01-0{day}", a="ann", b="bo", score=score)
            for day, score in ((1, 1.0), (2, 0.0), (3, 0.0))
        )
    )
    lines = eng.history("go", "ann", "whr:w2=300")
    wanted = [196.585005, 196.971891, 197.543474]
    assert [line.columns["deviation"] for line in lines] == [pytest.approx(one, abs=1e-5) for one in wanted]


def test_forecasts_have_what_stood_before_the_game() -> None:
    method = REGISTRY.method("glicko2:preset=lichess")
    season = next(iter(seasons(method)))
    eng = Engine(season.log, REGISTRY)
    told, looked_at = list(eng.forecasts(POOL, method)), 0
    games = season.view.games(method.needs, method.name)
    for at in range(0, len(told), max(len(told) // 9, 1)):
        played = int(games.played[at])
        standing = stand(method, eng.view(POOL, played - 1))
        for side, row in (("a", int(games.a[at])), ("b", int(games.b[at]))):
            earlier = any(int(games.played[n]) == played and row in (games.a[n], games.b[n]) for n in range(at))
            if row < len(standing.state["rating"]) and not earlier and not (season.view.seeds.played == played).any():
                (wanted,) = listed_beside(method, standing.state, np.array([row]), played)["deviation"]
                assert told[at][f"deviation_{side}"] == pytest.approx(wanted, rel=1e-12)
                looked_at += 1
    assert looked_at


def test_a_column_that_is_named_like_a_cell_gets_another_heading() -> None:
    assert heading("played", ("played", "rating"), "after") == "played_after"
    eng = Engine(MemoryLog(), REGISTRY)
    eng.record(rc.GamePlayed(uid="g", pool="p", played="2024-01-10", a="x", b="y", score=1.0))
    row = list(eng.explain("p", "x", "uschess"))[1]
    assert row["played"] == "2024-01-10"
    assert row["played_after"] == 1.0


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("glicko2:deviation=300", {"deviation": 300.0, "volatility": 0.06}), ("glicko:c=50", {"deviation": 350.0}),
        ("weng-lin", {"deviation": 25.0 / 3.0}), ("elo", {}), ("elo:entry=trial(3)", {}), ("whr", {}),
    ],
)  # fmt: skip
def test_an_explanation_of_everything_begins_with_what_newcomers_are_listed_with(
    text: str, first: dict[str, float]
) -> None:
    season = next(iter(seasons(REGISTRY.method("glicko2"))))
    told = Engine(season.log, REGISTRY).explain(POOL, season.view.names()[0], text, refits=3)
    assert dict(told.opening_columns) == pytest.approx(first, rel=1e-15)
