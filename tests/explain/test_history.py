"""Histories: every line is there, in the order in which things moved, and the lines add up; of one and of all."""

from random import Random

import numpy as np
import pytest
from ratingcore_bradley_terry.bradley_terry import BradleyTerry
from ratingcore_elo import Elo
from ratingcore_whr import Whr

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import RatingCoreError
from ratingcore.events import DAY, PlayersMerged, RatingSeeded
from ratingcore.explain.history import Line, described_lines, heading, history, results_of
from ratingcore.log import SqliteLog
from ratingcore.log.lookup import uid_at
from ratingcore.methods import Cadence, Method
from ratingcore.registry import Registry
from ratingcore.replay import Replay, extra_columns, extra_names, fold, stand
from ratingcore.testing.random_seasons import seasons
from ratingcore.testing.season import POOL as SEASON
from tests.columns.making import POOL, engine, game, seed, session
from tests.laws.histories import POOLS, League
from tests.laws.methods import TALLY
from tests.replay.leagues import league
from tests.replay.toys import Monthly, Tables, Walk, Whole


def told(method: object, eng: Engine, player: str, **cuts: object) -> list[Line]:
    return list(eng.history(POOL, player, method, **cuts))  # type: ignore[arg-type]  # cuts


def brief(lines: list[Line]) -> list[tuple[int, str, float, float]]:
    return [(line.played // DAY, line.opponent, line.change, line.rating) for line in lines]


def test_lines_before_a_game_stand_before_it_and_a_seed_before_both() -> None:
    eng = engine(game(1, "a", "b", 0.0), game(2, "a", "b"), seed(2, "a", 500.0))
    assert brief(told(Walk(), eng, "a")) == [
        (1, "b", -5, 95), (2, "seed", 405, 500), (2, "back", -40, 460), (2, "b", 5, 465),
    ]  # fmt: skip
    assert brief(told(Walk(), eng, "b")) == [(1, "a", 5, 105), (2, "back", -0.5, 104.5), (2, "a", -5, 99.5)]


def test_scores_and_expectations_are_those_of_the_players_side() -> None:
    eng = engine(game(1, "a", "b", 0.75))
    (a,), (b,) = told(Elo(), eng, "a"), told(Elo(), eng, "b")
    assert (a.score, a.expected, a.position, a.change) == (0.75, 0.5, 1, 5.0)
    assert (b.score, b.expected, b.position, b.change) == (0.25, 0.5, 1, -5.0)


def test_lines_at_the_end_of_a_period_stand_after_its_games() -> None:
    eng = engine(game(1, "a", "b"), game(40, "a", "b"))
    lines = told(Monthly(), eng, "a")
    assert brief(lines) == [(1, "b", 5, 105), (30, "lost", -1, 104), (40, "b", 5, 109), (58, "lost", -1, 108)]
    assert [line.position for line in lines] == [1, None, 2, None]


def test_a_seed_in_an_empty_period_stands_between_the_lines_of_the_periods_around_it() -> None:
    """It stood after the lines of all empty periods, and took back what came after it."""
    eng = engine(game(1, "a", "b"), seed(70, "a", 500.0), game(125, "a", "b"))
    lines = told(Monthly(), eng, "a")
    assert [line.opponent for line in lines] == ["b", "lost", "lost", "seed", "lost", "lost", "b", "lost"]
    assert [line.rating for line in lines] == [105, 104, 103, 500, 499, 498, 503, 502]
    assert lines[-1].rating == fold(Monthly(), eng.core.view(POOL)).state["rating"][0]


def test_a_seed_in_a_period_with_games_comes_after_those_that_were_played_before_it() -> None:
    eng = engine(game(1, "a", "b"), game(32, "a", "b"), seed(50, "a", 500.0), game(51, "a", "b"))
    lines = told(Monthly(), eng, "a")
    assert [line.opponent for line in lines] == ["b", "lost", "b", "seed", "b", "lost"]
    assert [line.rating for line in lines] == [105, 104, 109, 500, 505, 504]


METHODS = [
    Walk(),
    Monthly(),
    Monthly(cut="days(3)"),
    Monthly(cut="event"),
    Elo(),
    Elo(k=32, floor=1400.0),
    Elo(period=Monthly().period),
]


@pytest.mark.parametrize("method", METHODS, ids=str)
@pytest.mark.parametrize("through", [None, 100 * DAY])
def test_histories_add_up_to_the_state_for_everybody(method: Walk, through: int | None) -> None:
    view = league().core.view(POOL, through)
    replay = fold(method, view, keep=True)
    for row in range(view.n_players):
        rating = float(replay.start[row])
        for line in history(replay, row):
            assert line.rating == pytest.approx(rating + line.change, abs=1e-9)
            rating = line.rating
        assert rating == pytest.approx(replay.state["rating"][row], abs=1e-9)


@pytest.mark.parametrize("method", [TALLY, Tables(), Tables(cut="days(5)")], ids=str)
def test_histories_of_sessions_add_up_too(method: Tables) -> None:
    view = league(sessions=True, games=60).core.view(POOL)
    replay = fold(method, view, keep=True)
    for row in range(view.n_players):
        lines = history(replay, row)
        assert lines[-1].rating == pytest.approx(replay.state["rating"][row], abs=1e-9)
        assert len([line for line in lines if line.score is not None]) == view.played_counts()[row]


def test_opponents_of_a_session_are_named_or_counted() -> None:
    eng = engine(session(1, ("ab", 3.0), ("cd", 1.0)), session(2, ("a", 3.0), ("b", 1.0), ("c", 2.0)))
    lines = told(TALLY, eng, "a")
    assert [(line.opponent, line.score, line.expected) for line in lines] == [
        ("c + d", 3.0, 2.0),
        ("2 sides", 3.0, 2.0),
    ]


def test_a_merged_player_is_found_under_every_name_with_all_results() -> None:
    eng = engine(game(1, "ann", "bo"), game(2, "anna", "cy"), PlayersMerged(uid="m", keep="ann", other="anna"))
    assert told(Elo(), eng, "anna") == told(Elo(), eng, "ann")
    assert [line.opponent for line in told(Elo(), eng, "anna")] == ["bo", "cy"]
    assert [line.opponent for line in told(Elo(), eng, "anna", known_at=2)] == ["cy"]


def test_a_seed_that_names_another_column_is_a_line_that_moves_nothing() -> None:
    eng = engine(game(1, "a", "b"), RatingSeeded(pool=POOL, played=2 * DAY, player="a", values={"count": 5.0}))
    assert brief(told(Walk(), eng, "a")) == [(1, "b", 5, 105), (2, "seed", 0, 105)]


def test_a_whole_pool_method_shows_its_track() -> None:
    eng = engine(game(1, "a", "b"), game(2, "a", "b"))
    assert brief(told(Whole(), eng, "a")) == [(1, "as seen from now", 1, 101)]


@pytest.mark.parametrize(("method", "tracked"), [(Whr(), True), (BradleyTerry(), False)], ids=str)
def test_results_by_a_whole_pool_method_have_the_rating_of_their_day(method: Method, tracked: bool) -> None:
    view = league().core.view(POOL)
    replay, walked = fold(method, view, keep=True), fold(Elo(), view, keep=True)
    of_all = results_of(replay)
    for row in range(view.n_players):
        lines = results_of(replay, row)
        assert of_all.take(of_all.ledger.player == row).score.tolist() == lines.score.tolist()
        expected = [line for line in history(walked, row) if line.score is not None]
        assert [*zip(lines.played.tolist(), lines.position.tolist(), lines.score.tolist(), strict=True)] == [
            (line.played, line.position, line.score) for line in expected
        ]
        assert lines.opponents(replay) == [line.opponent for line in expected]
        rating = {line.played: line.rating for line in history(replay, row)}
        known = np.isfinite(lines.ledger.rating)
        assert known.all() if tracked else not known.any()
        assert lines.ledger.rating[known].tolist() == [rating[at] for at in lines.played[known].tolist()]


def test_a_whole_pool_method_without_a_track_has_nothing_to_tell() -> None:
    from ratingcore.plugin import Cadence, Solved
    from tests.replay.toys import Wrong

    class Silent(Wrong):
        cadence = Cadence.RETROSPECTIVE

    silent = Silent(answer=lambda state, games: Solved(state, np.zeros(len(games))))
    assert told(silent, engine(game(1, "a", "b")), "a") == []


INSTALLED = (
    "elo", "elo:period=month", "elo:period=days(2)", "elo:preset=fide", "elo-margin:preset=football",
    "periodic:period=days(5)", "elo:entry=trial(2)", "elo:period=days(3),entry=pooled(2,1)", "adaptive-k", "berkin",
    "egf", "elo:period=event", "dwz", "bridge-bayes", "chess-bayes", "berkin-change",
)  # fmt: skip


def by_row(replay: Replay) -> list[list[Line]]:
    """The lines of all players at once, by row of the state."""
    lines = described_lines(replay, replay.ledger())
    ledger, names = lines.ledger, lines.opponents(replay)
    rows: list[list[Line]] = [[] for _ in range(replay.view.n_players)]
    columns = (lines.played, lines.position, lines.score, lines.expected, ledger.change, ledger.rating, ledger.player)
    cells = zip(names, *(column.tolist() for column in columns), strict=True)
    for name, played, position, score, expected, change, rating, row in cells:
        rows[row].append(Line(played, position or None, name, score, expected, change, rating))
    return rows


def same(one: list[Line], other: list[Line]) -> bool:
    def plain(line: Line) -> tuple[object, ...]:
        return tuple(None if cell != cell else cell for cell in line)  # a table has one word for both

    return [plain(line) for line in one] == [plain(line) for line in other]


@pytest.mark.parametrize("method", INSTALLED)
@pytest.mark.parametrize("sessions", [False, True])
def test_columns_hold_every_line_of_every_history(method: str, sessions: bool) -> None:
    held = 0
    for number in range(6):
        random = Random(f"{method}{number}")
        league = League(random, sessions)
        with rc.open(":memory:") as engine:
            for _ in range(random.randint(1, 25)):
                try:
                    engine.record(*league.batch())
                except RatingCoreError:  # not every correction is possible
                    continue
            for pool in set(POOLS) & set(engine.pools()):
                if not engine.core.view(pool).n_players:
                    continue
                try:
                    replay = engine.core.replay(pool, method, keep=True)
                except RatingCoreError:  # not every method rates every log
                    continue
                found = by_row(replay)
                for row in range(replay.view.n_players):
                    told = history(replay, row)
                    assert same(found[row], told), (number, row, found[row], told)
                    held += len(told)
    assert held or sessions or method == "berkin"  # a whole pool has no past


REGISTRY = Registry.installed()
TEXTS = (
    "glicko", "glicko2", "glicko2:preset=lichess", "weng-lin", "trueskill", "elo-mmr", "chess-bayes:drift_var=4",
    "bridge-bayes", "bridge-bayes:tracking=full,drift_var=1", "adaptive-k", "uschess", "fesa", "elo:k=fide2014",
)  # fmt: skip


def listed(eng: Engine, method: Method, player: str, through: int) -> dict[str, object]:
    """What a list through an instant has of a player beside the rating: the second, slower way."""
    standing = stand(method, eng.core.view(SEASON, through))
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
        lines = eng.history(SEASON, player, method)
        replay = eng.core.replay(SEASON, method, keep=True)
        assert lines
        assert all(tuple(line.columns) == extra_names(method) for line in lines)
        assert all(line.uid == (None if line.position is None else uid_at(eng.log, line.position)) for line in lines)
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
    told = eng.explain(SEASON, player, method, since, last, refits=3)
    for columns, at in ((told.opening_columns, since - 1), (told.closing_columns, last)):
        standing = stand(method, eng.core.view(SEASON, at))
        row = standing.view.names().index(player)
        wanted = method.show(standing.state, standing.at)
        assert columns["deviation"] == pytest.approx(float(wanted["deviation"][row]), rel=1e-12, nan_ok=True)
    assert "deviation" in told.columns
    assert [row["deviation"] for row in told][-1] == told.closing_columns["deviation"]
    assert abs(told.residual) < 1e-9


def test_the_deviation_and_the_volatility_are_those_of_the_published_example() -> None:
    """Glickman, *Example of the Glicko-2 system* (2013): 1464.06, 151.52 and 0.05999 after three games of a period."""
    eng = Engine(SqliteLog(":memory:"), REGISTRY)
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
    eng = Engine(SqliteLog(":memory:"), REGISTRY)
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
    told, looked_at = list(eng.forecasts(SEASON, method)), 0
    games = season.view.games(method.needs, method.name)
    for at in range(0, len(told), max(len(told) // 9, 1)):
        played = int(games.played[at])
        standing = stand(method, eng.core.view(SEASON, played - 1))
        for side, row in (("a", int(games.a[at])), ("b", int(games.b[at]))):
            earlier = any(int(games.played[n]) == played and row in (games.a[n], games.b[n]) for n in range(at))
            if row < len(standing.state["rating"]) and not earlier and not (season.view.seeds.played == played).any():
                (wanted,) = extra_columns(method, standing.state, np.array([row]), played)["deviation"]
                assert told[at][f"deviation_{side}"] == pytest.approx(wanted, rel=1e-12)
                looked_at += 1
    assert looked_at


def test_a_column_that_is_named_like_a_cell_gets_another_heading() -> None:
    assert heading("played", ("played", "rating"), "after") == "played_after"
    eng = Engine(SqliteLog(":memory:"), REGISTRY)
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
    told = Engine(season.log, REGISTRY).explain(SEASON, season.view.names()[0], text, refits=3)
    assert dict(told.opening_columns) == pytest.approx(first, rel=1e-15)
