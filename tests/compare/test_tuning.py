"""Parameters tuned on one span and tested on another."""

from collections.abc import Callable, Iterator, Sequence
from math import nan
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

import ratingcore as rc
from ratingcore.columns import Span
from ratingcore.compare import sweep as sweeps
from ratingcore.compare.search import Setting, Trial, axes
from ratingcore.compare.sweep import Sweep
from ratingcore.compare.tuning import Tuned, spans_of
from ratingcore.engine import Engine
from ratingcore.errors import (
    BadGrid,
    BadParameter,
    BadSpans,
    NothingForecast,
    RatingCoreError,
    UnknownName,
    UnknownScore,
)
from ratingcore.events import instant, iso
from ratingcore.importer.tables import FieldMap
from ratingcore.plugin import Method
from tests.columns.making import POOL, engine, game
from tests.compare.making import league as random_league
from tests.testing.liars import Honest

SPANS = (Span(instant("2020-01-01"), instant("2021-01-01")), Span(instant("2021-01-01"), instant("2022-01-01")))


def trial(setting: Setting, train: float, test: float = 0.5, games: int = 100) -> Trial:
    return Trial(setting, f"elo:k={setting[0] if setting else 20}", train, test, games, games)


def tuned(trials: Sequence[Trial], grid: Any, how: Any = "grid", objective: str = "log_loss", **facts: Any) -> Tuned:
    default = facts.pop("default", trial((), 0.6, 0.6))
    return Tuned("p", "elo", "9:ab", how, objective, axes(grid), SPANS, default, tuple(trials), **facts)


# what is concluded


def test_the_best_is_chosen_by_training_alone_and_the_first_of_equals() -> None:
    found = tuned([trial(("10",), 0.5, 0.9), trial(("20",), 0.5, 0.1), trial(("30",), 0.6, 0.0)], {"k": "10:30:10"})
    assert found.best.setting == ("10",)
    assert found.gain == pytest.approx(-0.3)


def test_a_score_that_is_missing_is_never_best() -> None:
    assert tuned([trial(("10",), nan), trial(("20",), 0.7)], {"k": (10, 20)}).best.setting == ("20",)


@pytest.mark.parametrize(
    ("best", "told"),
    [
        ("10", "the best k is at the lower edge of what was tried: 10 of 10:30:10; try lower ones"),
        ("30", "the best k is at the upper edge of what was tried: 30 of 10:30:10; try higher ones"),
        ("20", None),
    ],
)
def test_an_optimum_at_an_edge_is_warned_of(best: str, told: str | None) -> None:
    found = tuned([trial((k,), 0.5 + (k != best) / 10) for k in ("10", "20", "30")], {"k": "10:30:10"})
    assert found.warnings == (() if told is None else (told,))


def test_no_warning_where_the_method_allows_nothing_beyond() -> None:
    found = tuned([trial((k,), 0.5 + float(k)) for k in ("0", "10")], {"k": "0:10:10"}, limits=("k",))
    assert found.warnings == ()


def test_a_parameter_that_makes_no_difference_is_told() -> None:
    trials = [trial((k, home), 0.5 + float(home) / 100) for k in ("10", "20") for home in ("0", "5", "10")]
    (told, *edges) = tuned(trials, {"k": "10:20:10", "home": "0:10:5"}).warnings
    assert told == "k makes no difference here: every value scores the same"
    assert all("home" in edge for edge in edges)


def test_settings_scored_on_different_games_are_told() -> None:
    found = tuned([trial(("10",), 0.6), trial(("20",), 0.5, games=99), trial(("30",), 0.6)], {"k": "10:30:10"})
    assert found.warnings[0].startswith("settings were scored on different games")


def test_it_is_told_in_sentences_and_as_a_table() -> None:
    found = tuned([trial(("10",), 0.6), trial(("20",), 0.5, 0.4), trial(("30",), 0.6)], {"k": "10:30:10"})
    assert str(found).splitlines() == [
        "best of 3 settings of elo in pool p: k=20",
        "train 2020-01-01 to 2020-12-31, 100 games: log_loss 0.500000, as given 0.600000",
        "test  2021-01-01 to 2021-12-31, 100 games: log_loss 0.400000, as given 0.600000",
    ]
    assert list(found.as_table().columns) == [
        "k", "train_log_loss", "test_log_loss", "train_games", "test_games", "method",
    ]  # fmt: skip
    assert [row["k"] for row in found] == [10.0, 20.0, 30.0]
    assert "<table>" in found._repr_html_()


# which time


def days(*spans: Span) -> list[tuple[str, str]]:
    return [(iso(span.start), iso(span.end)) for span in spans]


@pytest.fixture(scope="module")
def view() -> Any:
    return random_league(200, days=1.0).core.view(POOL)


def test_without_spans_three_quarters_of_the_games_are_trained_on(view: Any) -> None:
    train, test = spans_of(view, None, None)
    played = view.known()[0]
    assert (played < train.end).sum() == 150
    assert (train.start, train.end, test.end) == (played[0], test.start, played[-1] + 1)


def test_what_is_not_said_of_one_span_follows_from_the_other(view: Any) -> None:
    first, last = view.first_played, view.last_played
    day = iso(int(view.known()[0][100]))[:10]
    assert spans_of(view, (None, day), None) == (
        Span(first, instant(day) + 86_400_000_000), Span(instant(day) + 86_400_000_000, last + 1),
    )  # fmt: skip
    assert spans_of(view, None, (day, None)) == (Span(first, instant(day)), Span(instant(day), last + 1))


@pytest.mark.parametrize(
    ("spans", "told"),
    [
        (lambda a, m, z: ((None, m), (m, None)), "in common"),
        (lambda a, m, z: ((None, None), (m, None)), "in common"),
        (lambda a, m, z: ((None, z), None), "no time is left for test"),
        (lambda a, m, z: (None, (a, None)), "no time is left for train"),
        (lambda a, m, z: ((z, a), (m, None)), "no time is left for train"),
    ],
)
def test_spans_that_are_none_or_overlap_are_refused(view: Any, spans: Callable[..., Any], told: str) -> None:
    played = view.known()[0]
    with pytest.raises(BadSpans, match=told):
        spans_of(view, *spans(*(iso(int(played[n]))[:10] for n in (0, 100, -1))))


def test_games_of_one_day_cannot_be_split_unless_said() -> None:
    alone = engine(game(1, "a", "b"), game(1, "b", "a")).core.view(POOL)
    with pytest.raises(BadSpans, match="there are too few games, or all are of one day"):
        spans_of(alone, None, None)


GRID = {"k": (10, 20, 40), "first_move": (0, 50)}


def fill(engine: Engine, games: int = 150) -> None:
    random = Random(5)
    events = []
    for n in range(games):
        a, b = random.sample("abcdef", 2)
        score = float(random.random() < 0.5 + 0.08 * (ord(b) - ord(a)) / 2)
        day = f"20{20 + n // 50}-{1 + n % 12:02d}-{1 + n % 28:02d}"
        events.append(rc.GamePlayed(pool="p", played=day, a=a, b=b, score=score, data={"home": "a"}))
    engine.record(*events)


@pytest.fixture(name="league")
def filled(tmp_path: Path) -> Iterator[Engine]:
    with rc.open(tmp_path / "league.db") as engine:
        fill(engine)
        yield engine


def scores(found: Tuned) -> list[tuple[Any, ...]]:
    return [attrs.astuple(trial) for trial in found.trials]


def test_the_best_setting_is_found_and_told_beside_the_one_it_was(league: Engine) -> None:
    found = league.tune("p", "elo", GRID, train=(None, "2021-12-31"), test=("2022-01-01", None))
    assert len(found) == 6
    assert found.best == min(found.trials, key=lambda trial: trial.train)
    assert found.default.method == "elo"
    alone = next(trial for trial in found.trials if trial.method == "elo:k=20,first_move=0")
    assert (alone.train, alone.test) == pytest.approx((found.default.train, found.default.test), rel=1e-12)
    assert {trial.train_games + trial.test_games for trial in found.trials} == {150}


def test_what_happens_after_the_span_of_testing_changes_nothing(league: Engine) -> None:
    spans = {"train": (None, "2020-12-31"), "test": ("2021-01-01", "2021-12-31")}
    before = league.tune("p", "elo", GRID, **spans)  # type: ignore[arg-type]  # spans
    for day in range(1, 20):
        league.record(rc.GamePlayed(pool="p", played=f"2023-01-{day:02d}", a="f", b="a", score=1.0))
    assert scores(league.tune("p", "elo", GRID, **spans)) == scores(before)  # type: ignore[arg-type]  # spans
    assert scores(league.tune("p", "elo", GRID, **spans, known_at=150)) == scores(before)  # type: ignore[arg-type]  # spans


@pytest.mark.parametrize("how", ["random", "optimise"])
def test_the_same_seed_gives_the_same_settings_and_scores(league: Engine, how: str) -> None:
    grid = {"k": "5:60", "first_move": "0:100"}
    one, again = (league.tune("p", "elo", grid, how, n=12, seed=4) for _ in range(2))
    assert scores(one) == scores(again)
    assert len(one) <= 12


def test_parameters_of_the_text_hold_for_every_setting(league: Engine) -> None:
    found = league.tune("p", "elo:scale=300,k=5", {"k": (10, 20)})
    assert [trial.method for trial in found.trials] == ["elo:scale=300,k=10", "elo:scale=300,k=20"]
    assert found.default.method == "elo:scale=300,k=5"


def test_of_a_rule_with_a_history_the_last_step_is_tuned(league: Engine) -> None:
    """A pool that had declared a change of rule was refused as having no such method."""
    steps = "elo:scale=300 then elo:k={} from 2021-07-01"
    league.declare("p", method="elo:scale=300")
    league.declare("p", method="elo:k=40", starting="2021-07-01")
    found = league.tune("p", None, {"k": (10, 40)})
    assert [trial.method for trial in found.trials] == [steps.format(10), steps.format(40)]
    assert attrs.astuple(found.trials[1])[1:] == attrs.astuple(found.default)[1:]
    assert found.trials[0].test != found.default.test


def test_a_method_value_is_tuned_as_its_text(league: Engine) -> None:
    value = league.registry.method("elo:k=5")
    texts, values = (league.tune("p", method, {"k": (10, 20)}) for method in ("elo:k=5", value))
    assert [trial.train for trial in values.trials] == [trial.train for trial in texts.trials]


def test_words_presets_and_entries_can_be_tried(league: Engine) -> None:
    for grid in ({"curve": "logistic,normal"}, {"entry": ("at_start", "trial(3)")}, {"k": "20,czech"}):
        assert len(league.tune("p", "elo", grid)) == 2


def test_a_whole_pool_method_is_refitted_as_often_as_asked(league: Engine) -> None:
    found = league.tune("p", "berkin", {"prior_draws": (1, 3)}, refit="half-year")
    assert all(0.3 < trial.test < 1.5 for trial in found.trials)


@pytest.mark.parametrize(
    ("asked", "error", "told"),
    [
        ({"grid": {"kk": "8:64:4"}}, BadParameter, "elo: parameter kk is unknown"),
        ({"grid": {"k": "-8:64:4"}}, BadParameter, "elo: parameter k must be zero or more: -8.0"),
        ({"grid": {"scale": (400, 0)}}, BadParameter, "elo: parameter scale must be a positive number: 0.0"),
        ({"grid": {"k": "often"}}, BadParameter, "elo: parameter k must be a number, or one of"),
        ({"grid": {"draw_band": (0, 50)}}, BadParameter, "elo: parameter draw_band needs curve=normal"),
        ({"grid": {"k": "8:64"}}, BadGrid, "grid: k has no step: 8:64"),
        ({"grid": {}}, BadGrid, "grid: names no parameter"),
        ({"grid": {"k": "1,2", " k": "3,4"}}, BadGrid, "grid: k is given twice"),
        ({"how": "luck"}, BadGrid, "grid: no search is named 'luck'"),
        ({"how": "random", "n": 0}, BadGrid, "grid: no setting would be tried: n is 0"),
        ({"objective": "luck"}, UnknownScore, "no score named luck"),
        ({"objective": "rps"}, NothingForecast, "nothing in pool p can be scored: rps scores win, draw and loss"),
        (
            {"train": ("2031-01-01", "2031-12-31"), "test": (None, "2020-12-31")},
            NothingForecast,
            "no game of the training span",
        ),
        ({"test": ("2010-01-01", None)}, BadSpans, "no time is left for train"),
        ({"pool": "q"}, UnknownName, "q"),
    ],
)
def test_what_cannot_be_tuned_is_refused(
    league: Engine, asked: dict[str, Any], error: type[RatingCoreError], told: str
) -> None:
    with pytest.raises(error) as refused:
        league.tune(**{"pool": "p", "method": "elo", "grid": {"k": (1, 2)}, **asked})
    assert told in str(refused.value)


def test_an_unknown_parameter_is_refused_with_the_names_at_hand(league: Engine) -> None:
    with pytest.raises(BadParameter) as refused:
        league.tune("p", "elo", {"home": (0, 20)})
    assert refused.value.hint.startswith("elo takes k, curve, scale, draw_band, first_move")


def test_a_pool_without_games_and_one_game_are_refused() -> None:
    with rc.open(":memory:") as engine:
        engine.record(rc.RatingSeeded(pool="p", played="2024-01-01", player="a", values={"rating": 1500.0}))
        with pytest.raises(BadSpans, match="there are no games in pool p"):
            engine.tune("p", "elo", GRID)
        engine.record(rc.GamePlayed(pool="p", played="2024-01-02", a="a", b="b", score=1.0))
        with pytest.raises(BadSpans, match="there are too few games"):
            engine.tune("p", "elo", GRID)


def test_nobody_rated_is_refused(league: Engine) -> None:
    with pytest.raises(NothingForecast, match="no game of the training span has a forecast"):
        league.tune("p", "elo:unrated=skip", {"k": (10, 20)})


def test_an_edge_that_the_method_sets_is_no_reason_to_warn() -> None:
    """Draws alone: the less K the better, and no K is below zero."""
    with rc.open(":memory:") as engine:
        for day in range(1, 29):
            engine.record(rc.GamePlayed(pool="p", played=f"2024-02-{day:02d}", a="a", b="b", score=day % 2 / 1.0))
        found = engine.tune("p", "elo", {"k": "0:40:10"})
        assert found.best.setting == ("0",)
        assert not any("edge" in warning for warning in found.warnings)
        assert any("edge" in warning for warning in engine.tune("p", "elo", {"k": "5:40:5"}).warnings)


# workers


@pytest.mark.parametrize("method", ["elo", "elo:cap=300", "berkin:prior_draws=1"])
def test_processes_give_the_same_numbers(league: Engine, method: str) -> None:
    grid = {"anchor": (900, 1000, 1100)} if "berkin" in method else GRID
    here, there = (league.tune("p", method, grid, refit="year", jobs=jobs) for jobs in (None, 2))
    told, again = ([t.train for t in found.trials] for found in (here, there))
    assert told == pytest.approx(again, rel=1e-12)
    assert [t.method for t in here.trials] == [t.method for t in there.trials]


@pytest.mark.parametrize("count", [2, 3, 4, 8])
@pytest.mark.parametrize(
    ("method", "grid"),
    [("elo", {"k": (10, 20, 30, 40)}), ("elo", {"k": (10, 20, 30, 40), "entry": ("at_start", "trial(3)")}),
     ("elo-margin", {"margin": ("none", "log"), "k": (10, 20)}), ("berkin", {"prior_draws": (1, 2, 3)})],
)  # fmt: skip
def test_any_number_of_workers_gives_the_same_bits(
    league: Engine, method: str, grid: dict[str, Any], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker with one setting would replay it, several share a pass, and these differ in the last bits."""
    facts = {"points_a": 1, "points_b": 3}
    for n in range(40):
        a, b = Random(n).sample("abcdef", 2)
        league.record(rc.GamePlayed(pool="p", played=f"2020-0{1 + n % 9}-01", a=a, b=b, score=0.0, data=facts))
    here = league.tune("p", method, grid, refit="year", jobs=1)
    sent: list[int] = []

    def spread(work: Any, parts: list[Sweep], workers: int) -> Iterator[Any]:
        assert workers <= count
        sent.extend(len(part.methods) for part in parts)
        return map(work, parts)

    monkeypatch.setattr(sweeps, "workers", lambda jobs, parts: min(count, parts) if jobs == count else 1)
    monkeypatch.setattr(sweeps, "run_parts", spread)
    there = league.tune("p", method, grid, refit="year", jobs=count)
    assert repr(scores(there)) == repr(scores(here))  # nobody is rated by a trial here: no number equals itself then
    assert len(sent) > 1
    assert sum(sent) == len(here)


@pytest.mark.parametrize(("method", "grid"), [("elo-margin", {"k": (10, 20, 30)}), ("elo", {"k": (10, 20, 30)}),
                                              ("elo:cap=300", {"k": (10, 20, 30)}),
                                              ("elo-margin", {"margin": ("none", "log"), "k": (10, 20)})])  # fmt: skip
def test_processes_leave_out_odd_results_as_this_one_does(tmp_path: Path, method: str, grid: dict[str, Any]) -> None:
    facts = {"points_a": 3, "points_b": 1}
    with rc.open(tmp_path / "club.db") as engine, rc.open(tmp_path / "alone.db") as alone:
        for number in range(80):
            a, b = (f"p{(number + turn * (1 + number % 3)) % 5}" for turn in range(2))
            played = f"2024-{1 + number // 20:02d}-{1 + number % 20:02d}"
            data = {} if number % 8 == 3 and method.startswith("elo-margin") else facts
            game = rc.GamePlayed(
                uid=f"g{number}", pool="p", played=played, a=a, b=b, score=float(number % 4 > 0), data=data
            )
            engine.record(game)
            if data:
                alone.record(game)
        sides = [rc.Side(["p0"], 1.0), rc.Side(["x"], 0.0)]
        engine.record(rc.SessionPlayed(uid="s", pool="p", played="2024-02-01", sides=sides))
        spans = {"train": (None, "2024-03-10"), "test": ("2024-03-11", None)}
        here, there = (engine.tune("p", method, grid, jobs=jobs, **spans) for jobs in (1, 2))
        clean = alone.tune("p", method, grid, **spans)
    uneven = "margin" in grid  # margins of none need no points, so these settings read what the others leave out
    assert any("on different games" in warning for warning in there.warnings) is uneven
    for made in (there,) if uneven else (there, clean):
        assert [trial.method for trial in made.trials] == [trial.method for trial in here.trials]
        for which in ("train", "test"):
            one, other = ([getattr(trial, which) for trial in tuned.trials] for tuned in (here, made))
            assert one == pytest.approx(other, rel=1e-12)
        assert [trial.train_games for trial in made.trials] == [trial.train_games for trial in here.trials]
    session = "1 result (session)"
    no_points = ("10 results (no points)",) if method.startswith("elo-margin") else ()
    assert set(here.left_out) == set(there.left_out) == {session, *no_points}
    assert session in str(there)
    assert clean.left_out == ()


@pytest.mark.filterwarnings("ignore")  # whatever Dask and what it stands on warn of
def test_the_same_sweep_runs_on_dask_by_parallel_config_alone(league: Engine) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")
    from joblib import effective_n_jobs, parallel_config

    here = league.tune("p", "elo:cap=300", GRID)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, protocol="tcp"
        ) as cluster,
        distributed.Client(cluster),
        parallel_config(backend="dask"),
    ):
        assert effective_n_jobs() == 2
        there = league.tune("p", "elo:cap=300", GRID)
    assert scores(here) == scores(there)


@pytest.mark.filterwarnings("ignore")  # whatever Ray warns of
def test_the_same_sweep_runs_on_ray_by_parallel_config_alone(league: Engine) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]'")
    from joblib import parallel_config
    from ray.util.joblib import register_ray

    here = league.tune("p", "elo:cap=300", GRID)
    register_ray()
    ray.init(num_cpus=2)
    with parallel_config(backend="ray"):
        there = league.tune("p", "elo:cap=300", GRID)
    ray.shutdown()
    assert scores(here) == scores(there)


def unable(*args: object) -> None:
    raise AssertionError("it was sent to a worker")


@pytest.mark.parametrize("kind", ["memory", "what-if"])
def test_what_cannot_travel_is_worked_on_here(league: Engine, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "swept", unable)
    if kind == "memory":
        engine = rc.open(":memory:")
        fill(engine)
    else:
        engine = league.what_if([rc.GamePlayed(pool="p", played="2022-01-01", a="a", b="b", score=1.0)])
    assert len(engine.tune("p", "elo:cap=300", {"k": (10, 20)}, jobs=2)) == 2


def test_workers_rate_by_a_method_that_is_installed_nowhere(league: Engine) -> None:
    league.registry.register(Offer([Honest]), "honest")
    here, there = (league.tune("p", "honest", {"k": (10, 20)}, jobs=jobs) for jobs in (1, 2))
    assert scores(there) == scores(here)


class Offer:
    """A plugin that offers these methods."""

    def __init__(self, kinds: list[type[Method]]) -> None:
        from ratingcore.plugin import hookimpl

        self.ratingcore_methods = hookimpl(lambda: kinds)


# a real archive


def test_the_home_advantage_of_football_is_the_published_one() -> None:
    """The World Football Elo Ratings add 100 points for the home side (eloratings.net, "About the ratings")."""
    folder = Path(__file__).parents[2] / "fixtures" / "archives" / "football"
    with rc.open(":memory:") as engine:
        engine.import_file(folder / "results.csv.gz", "men", FieldMap.load(folder / "mapping.toml"))
        grid = {"k": "12:72:12", "first_move": "0:160:20"}
        spans = {"train": (None, "2005-12-31"), "test": ("2006-01-01", None)}
        found, again = (engine.tune("men", "elo", grid, **spans) for _ in range(2))  # type: ignore[arg-type]  # spans
    assert found.best.setting[1] == "100"
    assert found.best == again.best
    assert found.warnings == ()
    assert found.tested is not None
    assert found.tested.better == found.best.method
    assert found.best.train_games + found.best.test_games == 41_300
