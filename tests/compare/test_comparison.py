"""The comparison of methods."""

import json
from collections.abc import Callable, Iterator, Sequence
from math import nan
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from joblib import parallel_config

import ratingcore as rc
from ratingcore.columns import View
from ratingcore.compare import common_games
from ratingcore.compare.common_games import common
from ratingcore.compare.comparison import Comparison
from ratingcore.compare.forecasts import Forecasts, forecast
from ratingcore.engine import Engine
from ratingcore.errors import BadValue, MethodNotFound, NothingForecast, SameMethod, UnknownName
from ratingcore.methods import Method
from ratingcore.methods.periods import Period
from tests.compare.making import told

Compare = Callable[..., Comparison]


def league(engine: Engine, games: int = 300, players: int = 12, pool: str = "p", seed: int = 1) -> None:
    """A league of players of known strength, a round a day, some draws."""
    random = np.random.default_rng(seed)
    skill = random.normal(0.0, 300.0, players)
    events = []
    for g in range(games):
        a, b = random.choice(players, 2, replace=False).tolist()
        chance = 1.0 / (1.0 + 10.0 ** ((skill[b] - skill[a]) / 400.0))
        score = 0.5 if random.random() < 0.1 else float(random.random() < chance)
        day = np.datetime64("2020-01-01") + g * 2
        facts = {"event": f"cup {g % 3}", "points_a": 2 * score + 1, "points_b": 2 * (1 - score) + 1}
        events.append(
            rc.GamePlayed(
                pool=pool, played=str(day), a=f"Zoë {a}", b=f"Zoë {b}", score=score, data=facts, uid=f"{pool}{g}"
            )
        )
    engine.record(*events)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with rc.open(":memory:") as engine:
        league(engine)
        yield engine


def column(found: Comparison, table: str, name: str) -> tuple[object, ...]:
    return found.tables[table][name]


def test_methods_are_ranked_by_log_loss_and_scored_on_the_same_games(engine: Engine) -> None:
    found = engine.compare("p", ["elo", "elo:k=40", "berkin:prior_draws=1", "chess-bayes"])
    losses = column(found, "scores", "log_loss")
    assert list(losses) == sorted(losses)  # type: ignore[type-var]  # all are numbers
    assert set(column(found, "scores", "games")) == {found.scores["games"][0]}
    assert column(found, "scores", "method") == found.methods
    assert found.reference == "elo"


def test_the_log_loss_is_that_of_the_forecasts_before_each_game(engine: Engine) -> None:
    found = engine.compare("p", ["elo"])
    rows = list(engine.forecasts("p", "elo"))
    p, y = np.array([row["expected"] for row in rows]), np.array([row["score"] for row in rows])
    expected = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    assert found.scores["log_loss"][0] == pytest.approx(expected, rel=1e-12)
    assert found.measured.startswith(f"elo: log loss {expected:.4f} over 300 games")


def test_a_difference_is_the_reference_less_the_method(engine: Engine) -> None:
    found = engine.compare("p", ["elo", "elo:k=5"], reference="elo:k=5")
    by_method = {row["method"]: row for row in found.scores}
    gap = by_method["elo:k=5"]["log_loss"] - by_method["elo"]["log_loss"]  # type: ignore[operator]  # numbers
    assert by_method["elo"]["better_by"] == pytest.approx(gap, abs=1e-12)
    assert by_method["elo:k=5"]["better_by"] is None
    assert {row["by"] for row in found.pairs} == {"players", "periods", "players and periods", "periods, bootstrap"}
    assert [row["used"] for row in found.pairs].count(True) == 1


def test_games_one_method_cannot_forecast_are_scored_for_none_and_counted_for_it(engine: Engine) -> None:
    found = engine.compare("p", ["elo", "berkin:prior_draws=1"])
    unrated = dict(zip(found.scores["method"], found.scores["unrated"], strict=True))
    assert unrated["elo"] == 0
    assert unrated["berkin:prior_draws=1"] > 0  # type: ignore[operator]  # a number
    assert found.scores["games"][0] == 300 - unrated["berkin:prior_draws=1"]  # type: ignore[operator]  # a number


def test_a_method_that_cannot_forecast_is_left_out_with_its_reason(engine: Engine) -> None:
    for day in range(1, 29):
        engine.record(rc.GamePlayed(pool="bare", played=f"2020-02-{day:02}", a="x", b="y", score=day % 2))
    found = engine.compare("bare", ["elo-margin", "elo", "elo:k=40"])
    assert found.left_out["method"] == ("elo-margin",)
    assert "points_a" in str(found.left_out["why"][0])
    assert found.reference == "elo"
    assert found.scores["games"][0] == 28


def test_a_game_that_one_method_cannot_read_is_scored_for_none_and_told(engine: Engine) -> None:
    before = engine.compare("p", ["elo-margin", "elo"])
    engine.record(rc.GamePlayed(pool="p", played="2029-01-09", a="x", b="y", score=1.0))
    found = engine.compare("p", ["elo-margin", "elo"])
    assert found.scores["log_loss"] == pytest.approx(before.scores["log_loss"])
    told = dict(zip(found.provenance["fact"], found.provenance["value"], strict=True))
    assert told["left out by elo-margin"] == "1 result (no points)"
    assert "left out by elo" not in told


def test_nothing_is_compared_where_no_method_can_forecast(engine: Engine) -> None:
    engine.record(rc.GamePlayed(pool="bare", played="2020-01-09", a="x", b="y", score=1.0))
    with pytest.raises(NothingForecast, match="no method can forecast") as caught:
        engine.compare("bare", ["elo-margin", "berkin"])
    assert "points_a" in caught.value.hint
    assert "no scored result is between players" in caught.value.hint


def test_methods_without_a_common_game_are_told_which_to_leave_out(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def apart(method: Method, view: View, refit: Period | str | None, text: str) -> Forecasts:
        found = forecast(method, view, refit, text)
        early = np.arange(len(found.expected)) < 200
        return evolve(found, expected=np.where(early == (text == "elo"), found.expected, np.nan))

    monkeypatch.setattr(common_games, "forecast", apart)
    with pytest.raises(NothingForecast, match="there is no game that every method can forecast") as caught:
        engine.compare("p", ["elo", "glicko"])
    assert caught.value.hint.endswith("; leave out the method with the most games missing, glicko")


def test_sessions_alone_leave_nothing_to_score_for_a_method_of_games(engine: Engine) -> None:
    sides = [rc.Side(("x",), 2.0), rc.Side(("y",), 1.0), rc.Side(("z",), 0.0)]
    engine.record(rc.SessionPlayed(pool="sessions", played="2024-03-02", sides=sides))
    with pytest.raises(NothingForecast, match="no method can forecast it") as caught:
        engine.compare("sessions", ["elo"])
    assert "elo" in caught.value.hint


def test_a_session_among_games_leaves_the_scores_of_methods_that_read_games_as_they_were(engine: Engine) -> None:
    before = engine.compare("p", ["elo", "elo:k=40"])
    sides = [rc.Side(("Zoë 1",), 2.0), rc.Side(("Zoë 2",), 1.0), rc.Side(("Zoë 3",), 0.0)]
    engine.record(rc.SessionPlayed(pool="p", played="2020-02-02", sides=sides))
    found = engine.compare("p", ["elo", "elo:k=40"])
    assert found.scores["log_loss"] == pytest.approx(before.scores["log_loss"])
    assert found.scores["games"] == before.scores["games"]


def test_one_game_gives_numbers_without_intervals(engine: Engine) -> None:
    engine.record(rc.GamePlayed(pool="one", played="2020-01-09", a="x", b="y", score=1.0))
    found = engine.compare("one", ["elo", "elo:k=40"])
    assert found.scores["log_loss"][0] == pytest.approx(np.log(2.0))
    assert found.scores["log_loss_low"] == (None, None)
    assert found.measured.startswith("no difference can be seen in 1 game:")
    assert "an interval needs ten players and ten months" in found.measured
    assert json.loads(found.json())["tables"]["scores"]["rows"][0]["games"] == 1


def test_all_draws_are_scored(engine: Engine) -> None:
    for day in range(1, 20):
        engine.record(rc.GamePlayed(pool="d", played=f"2020-01-{day:02d}", a="x", b=f"y{day % 4}", score=0.5))
    found = engine.compare("d", ["elo", "elo:k=40"])
    assert found.scores["accuracy"] == (0.5, 0.5)
    assert found.scores["log_loss"] == pytest.approx((np.log(2.0), np.log(2.0)))
    assert "not distinguishable" in found.measured


def test_since_scores_later_games_of_the_same_ratings(engine: Engine) -> None:
    found = engine.compare("p", ["elo"], since="2021-01-01")
    rows = [row for row in engine.forecasts("p", "elo") if row["played"] >= "2021-01-01"]
    assert found.scores["games"][0] == len(rows)
    p, y = np.array([row["expected"] for row in rows]), np.array([row["score"] for row in rows])
    assert found.scores["log_loss"][0] == pytest.approx(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))
    with pytest.raises(NothingForecast, match="before the first"):
        engine.compare("p", ["elo"], since="2031-01-01")


def test_burn_in_leaves_games_of_newcomers_unscored(engine: Engine) -> None:
    seen: dict[str, int] = {}
    wanted = 0
    for row in engine.forecasts("p", "elo"):
        wanted += min(seen.get(row["a"], 0), seen.get(row["b"], 0)) >= 10
        for player in (row["a"], row["b"]):
            seen[player] = seen.get(player, 0) + 1
    assert engine.compare("p", ["elo"], burn_in="each(10)").scores["games"][0] == wanted


@pytest.mark.parametrize("methods", [["elo", "elo"], ["elo", "elo:k=20"]])
def test_the_same_method_twice_is_refused(engine: Engine, methods: Sequence[str]) -> None:
    with pytest.raises(SameMethod):
        engine.compare("p", methods)


def test_what_is_unknown_is_refused(engine: Engine) -> None:
    with pytest.raises(MethodNotFound):
        engine.compare("p", ["eloo"])
    with pytest.raises(BadValue, match="must be one of the methods: elo"):
        engine.compare("p", ["elo"], reference="elo:k=40")
    with pytest.raises(BadValue, match="shoe_size"):
        engine.compare("p", ["elo"], cohorts=("gap", "shoe_size"))
    with pytest.raises(UnknownName):
        engine.compare("p", ["elo"], players=["nobody"])
    with pytest.raises(UnknownName):
        engine.compare("q", ["elo"])
    with pytest.raises(BadValue, match="burn-in"):
        engine.compare("p", ["elo"], burn_in="some")
    with pytest.raises(BadValue, match="one or more"):
        engine.compare("p", [])


def test_cohorts_of_one_kind_add_up_to_all_games(engine: Engine) -> None:
    found = engine.compare("p", ["elo", "elo:k=40"], cohorts=("gap", "strength", "experience", "year", "event"))
    for by in ("gap", "strength", "experience", "year", "event"):
        rows = [row for row in found.cohorts if row["by"] == by and row["method"] == "elo:k=40"]
        assert sum(row["games"] for row in rows) == 300  # type: ignore[misc]  # numbers
        mean = sum(row["games"] * row["log_loss"] for row in rows) / 300  # type: ignore[misc,operator]  # numbers
        assert mean == pytest.approx(dict(zip(found.methods, found.scores["log_loss"], strict=True))["elo:k=40"])
    assert {row["cohort"] for row in found.cohorts if row["by"] == "event"} == {"cup 0", "cup 1", "cup 2"}


def test_outcomes_are_scored_for_methods_that_tell_draws(engine: Engine) -> None:
    found = engine.compare("p", ["elo", "chess-bayes"])
    assert set(found.outcomes["method"]) <= {"elo", "chess-bayes"}
    assert "chess-bayes" in found.outcomes["method"]
    assert all(0.0 < rps < 1.0 for rps in found.outcomes["rps"])  # type: ignore[operator]  # numbers


def test_curves_are_the_ratings_of_lists_at_the_ends_of_periods(engine: Engine) -> None:
    found = engine.compare("p", ["elo", "periodic"], players=["Zoë 3"])
    assert set(found.curves["player"]) == {"Zoë 3"}
    checked = 0
    for row in found.curves:
        listed = engine.rating_list("p", str(row["method"]), through=str(row["at"]))
        ratings = dict(zip(listed.player, listed.values["rating"], strict=True))
        if row["rating"] is not None and row["at"] < "2021-08-01":  # type: ignore[operator]  # a text
            assert ratings["Zoë 3"] == pytest.approx(row["rating"], abs=1e-4)
            checked += 1
    assert checked > 10


def test_curves_have_the_deviations_of_those_lists_where_a_method_has_any(engine: Engine) -> None:
    assert "deviation" not in engine.compare("p", ["elo"], players=["Zoë 3"]).curves.columns
    for text in ("glicko", "chess-bayes:drift_var=4"):
        checked = 0
        for row in engine.compare("p", ["elo", text], players=["Zoë 3"]).curves:
            if row["method"] == "elo":
                assert row["deviation"] is None
            elif row["deviation"] is not None and row["at"] < "2021-08-01":  # type: ignore[operator]  # a text
                listed = engine.rating_list("p", text, through=str(row["at"]))
                (wanted,) = (one["deviation"] for one in listed if one["player"] == "Zoë 3")
                assert wanted == pytest.approx(row["deviation"], abs=1e-4)
                checked += 1
        assert checked > 10


def test_by_default_the_five_with_most_games_are_followed(engine: Engine) -> None:
    count: dict[str, int] = {}
    for row in engine.forecasts("p", "elo"):
        for player in (row["a"], row["b"]):
            count[player] = count.get(player, 0) + 1
    followed = set(engine.compare("p", ["elo"]).curves["player"])
    assert len(followed) == 5
    assert min(count[str(player)] for player in followed) >= sorted(count.values())[-5]


def test_the_tables_of_lists_are_there_for_every_method(engine: Engine) -> None:
    found = engine.compare("p", ["elo", "elo:k=40", "periodic"])
    assert set(found.agreement["method"]) == {"elo:k=40", "periodic"}
    assert all(row["rank"] != row["rank_against"] for row in found.movers)
    assert set(found.ranks.columns) == {"player", "elo", "elo:k=40", "periodic"}
    assert set(found.health["method"]) == set(found.methods)
    for method in found.methods:
        rows = [row for row in found.distributions if row["method"] == method]
        assert sum(row["players"] for row in rows) == 12  # type: ignore[misc]  # numbers


def test_every_table_goes_out_as_csv_json_html_and_arrow(engine: Engine) -> None:
    found = engine.compare("p", ["elo", "periodic"])
    told = json.loads(found.json())
    for name, table in found.tables.items():
        assert pl.DataFrame(table).height == len(table) == len(told["tables"][name]["rows"])
        assert found.csv(name).count("\n") == len(table) + 1
    page = found._repr_html_()
    assert found.answer in page
    assert "http" not in page
    assert found.measured in str(found)


def test_a_comparison_is_the_same_when_it_is_made_again(engine: Engine) -> None:
    def told() -> str:
        facts = json.loads(engine.compare("p", ["elo", "berkin:prior_draws=1"], seed=7).json())
        for row in facts["tables"]["scores"]["rows"]:
            del row["seconds"]
        return json.dumps(facts)

    assert told() == told()


def test_what_is_recorded_later_does_not_change_a_comparison_known_earlier(engine: Engine) -> None:
    head = engine.log.head
    before = engine.compare("p", ["elo", "elo:k=40"])
    engine.record(rc.GamePlayed(pool="p", played="2020-01-05", a="Zoë 1", b="Zoë 2", score=1.0))
    again = engine.compare("p", ["elo", "elo:k=40"], known_at=head)
    assert again.scores["log_loss"] == before.scores["log_loss"]
    assert engine.compare("p", ["elo", "elo:k=40"]).scores["games"][0] == 301


def test_provenance_tells_what_the_comparison_is_recomputed_from(engine: Engine) -> None:
    facts = dict(
        zip(*(engine.compare("p", ["elo"], since="2020-02-01").provenance[n] for n in ("fact", "value")), strict=True)
    )
    assert facts["head"] == str(engine.log.head)
    assert str(facts["method elo"]).startswith("elo@1(k=20.0")
    assert facts["since"] == "2020-02-01"
    assert facts["ratingcore"] == rc.__version__


def test_tables_can_be_looked_at_when_the_log_is_closed(tmp_path: Path) -> None:
    with rc.open(tmp_path / "p.db") as engine:
        league(engine)
        found = engine.compare("p", ["elo", "elo-margin", "periodic", "berkin:prior_draws=1"])
    empty = {"left_out", "outcomes", "sessions", "session_cohorts", "session_reliability"}
    assert all(len(table) or name in empty for name, table in found.tables.items())


def test_two_pools_of_one_log_are_compared_apart(engine: Engine) -> None:
    league(engine, 50, pool="q", seed=9)
    assert engine.compare("q", ["elo"]).scores["games"] == (50,)


def test_a_merged_player_is_one(engine: Engine) -> None:
    engine.record(rc.GamePlayed(pool="p", played="2020-01-09", a="Zoe One", b="Zoë 2", score=1.0))
    assert "Zoe One" in engine.compare("p", ["elo"]).ranks["player"]
    engine.merge("Zoë 1", "Zoe One")
    found = engine.compare("p", ["elo", "elo:k=40"])
    assert "Zoe One" not in found.ranks["player"]
    assert found.scores["games"] == (301, 301)


def test_a_comparison_is_ready_for_gaps_and_strength_by_the_reference_whatever_the_scale(engine: Engine) -> None:
    found = engine.compare("p", ["berkin:prior_draws=1", "elo"], cohorts=("gap",))
    assert found.reference == "berkin:prior_draws=1"
    assert sum(row["games"] for row in found.cohorts) == 2 * found.scores["games"][0]  # type: ignore[misc,operator]


def test_errors_of_cohorts_allow_for_players_and_months_as_those_of_all_games_do(engine: Engine) -> None:
    league(engine, 900, pool="long", seed=5)
    made = engine.compare("long", ["elo", "elo:k=60"], cohorts=["strength"])
    for row in made.cohorts:
        assert (row["better_by"] is None) == (row["method"] == "elo")
    every = [row for row in made.cohorts if row["method"] == "elo:k=60" and row["error"] is not None]
    assert every
    for row in every:
        assert row["better_by_low"] < row["better_by"] < row["better_by_high"]  # type: ignore[operator]  # numbers
    whole = next(row["error"] for row in made.pairs if row["used"])
    assert min(row["error"] for row in every) > 0.5 * whole  # type: ignore[operator, type-var]  # numbers


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_forecast_what_is_forecast_here(tmp_path: Path, backend: str) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        league(engine, games=120)
        methods = ["elo", "elo:k=40", "berkin:prior_draws=1", "adaptive-k"]
        here = engine.compare("p", methods)
        with parallel_config(backend=backend, n_jobs=2):
            there = engine.compare("p", methods)
        assert untimed(there) == untimed(here)


def with_odd_results(path: Path) -> rc.Engine:
    """A league in which every tenth game has no points, one was refused by its score, and one result is a session."""
    random = np.random.default_rng(3)
    engine = rc.open(path)
    names = [f"p{number}" for number in range(8)]
    for number in range(160):
        a, b = random.choice(8, 2, replace=False).tolist()
        points = {"points_a": int(random.integers(0, 5)), "points_b": int(random.integers(0, 5))}
        score = 0.3 if number == 77 else 0.5 * float(1 + np.sign(points["points_a"] - points["points_b"]))
        engine.record(
            rc.GamePlayed(
                uid=f"g{number}", pool="p", played=f"2024-{1 + number // 28:02d}-{1 + number % 28:02d}",
                a=names[a], b=names[b], score=score, data={} if number % 10 == 0 else points,
            )
        )  # fmt: skip
    sides = [rc.Side(["p0", "p1"], 2.0), rc.Side(["p2", "p3"], 1.0)]
    engine.record(rc.SessionPlayed(uid="s", pool="p", played="2024-02-03", sides=sides))
    return engine


def test_workers_leave_out_the_odd_results_that_are_left_out_here(tmp_path: Path) -> None:
    with with_odd_results(tmp_path / "club.db") as engine:
        methods = ["elo", "elo-margin", "adaptive-k", "weng-lin", "berkin:prior_draws=1"]
        here = engine.compare("p", methods, jobs=1)
        there = engine.compare("p", methods, jobs=2)
        assert untimed(there) == untimed(here)
        facts = {row["fact"]: row["value"] for row in there.provenance}
        assert facts["left out by elo-margin"] == "16 results (no points), 1 result (session)"
        assert facts["left out by adaptive-k"] == "1 result (session), 1 result (neither win, draw nor loss)"
        assert "left out by weng-lin" not in facts


def untimed(found: Comparison) -> dict[str, object]:
    """All that a comparison says, without how long its forecasts took."""
    said = json.loads(found.json())
    for table in said["tables"].values():
        for row in table["rows"]:
            row.pop("seconds", None)
    return dict(said)


def test_only_games_that_every_method_forecasts_are_common() -> None:
    one, other = told([0.5, nan, 0.5]), told([nan, 0.5, 0.5])
    found = common([one, other])
    assert found is not None
    assert found.tolist() == [False, False, True]
    assert common([told([0.5, 0.5])]) is None
    assert common([one, other, told([nan, nan, nan])]) is not None
    assert found.tolist() == common([one, other, told([nan, nan, nan])]).tolist()  # type: ignore[union-attr]  # as above


def test_home_without_a_game_that_says_who_is_at_home_is_noted() -> None:
    """Points for home changed nothing, and nothing said so."""
    with rc.open(":memory:") as engine:
        for day in range(1, 29):
            engine.record(rc.GamePlayed(pool="p", played=f"2024-02-{day:02}", a="ann", b="bo", score=day % 3 / 2))
        noted = {"fact": "home of elo:first_move=50", "value": "no game has a home side"}
        assert noted in list(engine.compare("p", ["elo", "elo:first_move=50"]).provenance)
        engine.record(rc.GamePlayed(pool="p", played="2024-03-01", a="ann", b="bo", score=1.0, data={"home": "a"}))
        assert noted not in list(engine.compare("p", ["elo", "elo:first_move=50"]).provenance)
