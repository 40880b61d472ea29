"""Tables of scores of sessions."""

import json
from collections.abc import Iterator
from math import exp, log, sqrt

import numpy as np
import pytest
from attrs import evolve

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import NothingForecast
from ratingcore.plugin import Forecast, Rated, Sides, State
from tests.testing.toys import Sessions, TeamElo

Played = list[tuple[str, list[list[str]], list[float]]]
"""Day, sides and scores."""


def season(n: int = 150) -> Played:
    """Sessions of two to four sides of two, some of them tied, over a year and a half."""
    random = np.random.default_rng(4)
    strength = random.normal(0.0, 1.0, 12)
    played: Played = []
    for number in range(n):
        month, size = number * 18 // n, 2 + number % 3
        who = random.permutation(12)[: 2 * size].reshape(size, 2)
        came = np.round(strength[who].sum(axis=1) + random.normal(0.0, 1.5, size))
        day = f"{2022 + month // 12}-{1 + month % 12:02d}-{1 + number % 28:02d}"
        played.append((day, [[f"p{i}" for i in side] for side in who.tolist()], came.tolist()))
    return sorted(played, key=lambda session: session[0])


def record(engine: Engine, played: Played, pool: str = "teams") -> None:
    for number, (day, sides, scores) in enumerate(played):
        seated = [rc.Side(names, score) for names, score in zip(sides, scores, strict=True)]
        engine.record(rc.SessionPlayed(uid=f"{pool}-{number}", pool=pool, played=day, sides=seated, order=number))


@pytest.fixture
def engine() -> Iterator[Engine]:
    with rc.open(":memory:") as engine:
        record(engine, season())
        yield engine


def plackett_luce(played: Played) -> tuple[float, float, float]:
    """Log loss and Brier over pairs, and log loss of the winner, by Weng and Lin's formulas in plain loops."""
    mu: dict[str, float] = {}
    var: dict[str, float] = {}
    beta2 = (25.0 / 6.0) ** 2
    losses, squares, winners = [], [], []
    for _, sides, scores in played:
        m = [sum(mu.get(p, 25.0) for p in side) for side in sides]
        v = [sum(var.get(p, (25.0 / 3.0) ** 2) for p in side) for side in sides]
        c, every = sqrt(sum(v) + len(sides) * beta2), range(len(sides))
        worth = [exp(x / c) for x in m]
        loss, square = [], []
        for i in every:
            for j in range(i + 1, len(sides)):
                p = worth[i] / (worth[i] + worth[j])
                y = 0.5 + 0.5 * ((scores[i] > scores[j]) - (scores[i] < scores[j]))
                loss.append(-y * log(p) - (1.0 - y) * log(1.0 - p))
                square.append((p - y) ** 2)
        top = [i for i in every if scores[i] == max(scores)]
        losses.append(sum(loss) / len(loss))
        squares.append(sum(square) / len(square))
        winners.append(sum(-log(worth[i] / sum(worth)) for i in top) / len(top))
        for i in every:
            omega = delta = 0.0
            for q in every:
                if scores[q] >= scores[i]:
                    p = worth[i] / sum(worth[s] for s in every if scores[s] <= scores[q])
                    tied = sum(scores[s] == scores[q] for s in every)
                    omega += v[i] / c * ((i == q) - p) / tied
                    delta += sqrt(v[i]) / c * v[i] / c**2 * p * (1.0 - p) / tied
            for name in sides[i]:
                own = var.get(name, (25.0 / 3.0) ** 2)
                mu[name] = mu.get(name, 25.0) + own / v[i] * omega
                var[name] = own * max(1.0 - own / v[i] * delta, 1e-4)
    return tuple(sum(x) / len(x) for x in (losses, squares, winners))  # type: ignore[return-value]  # three of them


def test_the_measures_are_those_of_a_naive_second_way(engine: Engine) -> None:
    found = engine.compare("teams", ["weng-lin", "trueskill"])
    (row,) = (row for row in found.sessions if row["method"] == "weng-lin")
    log_loss, brier, winner = plackett_luce(season())
    assert row["sessions"] == 150
    assert row["sides"] == sum(len(sides) for _, sides, _ in season())
    assert row["log_loss"] == pytest.approx(log_loss, abs=1e-10)
    assert row["brier"] == pytest.approx(brier, abs=1e-10)
    assert row["winner"] == pytest.approx(winner, abs=1e-10)
    assert 0.0 < float(row["rps"]) < 1.0  # type: ignore[arg-type]  # a number
    assert len(found.scores) == 0
    assert "150 sessions" in found.measured
    assert "nats a session" in found.measured


def test_the_tables_go_into_every_output(engine: Engine) -> None:
    from ratingcore_pages.comparison import report_html

    found = engine.compare("teams", ["weng-lin", "trueskill"])
    rows = json.loads(found.json())["tables"]["sessions"]["rows"]
    assert [row["method"] for row in rows] == list(found.methods)
    assert found.sessions.csv().startswith("rank,method,sessions,sides,log_loss,")
    assert "winner" in str(found)
    assert "Log loss of sessions" in report_html(found)
    facts = {row["fact"]: row["value"] for row in found.provenance}
    assert (facts["games"], facts["sessions"], facts["sessions scored"]) == ("0", "150", "150")


def test_games_and_sessions_of_one_pool_are_scored_each_in_their_kind(engine: Engine) -> None:
    for day in range(1, 11):
        engine.record(rc.GamePlayed(pool="teams", played=f"2022-05-{day:02d}", a="p1", b="p2", score=1.0))
    found = engine.compare("teams", ["trueskill", "weng-lin"])
    assert found.scores["games"] == (10, 10)
    assert found.sessions["sessions"] == (150, 150)
    assert "10 games" in found.measured
    assert "; sessions: " in found.measured
    rows = [row for row in engine.forecasts("teams", "weng-lin") if row["uid"].startswith("teams")]
    assert all(0.0 < row["ahead"] < 1.0 for row in rows)


def test_a_method_that_says_nothing_of_sides_is_left_out_with_the_reason(engine: Engine) -> None:
    found = engine.compare("teams", ["weng-lin", Mute()])
    assert found.left_out["why"] == ("it does not forecast the order of finish of sessions",)
    with pytest.raises(NothingForecast, match="no method can forecast it"):
        engine.compare("teams", [Mute()])
    with pytest.raises(NothingForecast, match="every session was played before"):
        engine.compare("teams", ["weng-lin"], since="2031-01-01")


def test_a_burn_in_and_a_later_start_leave_sessions_unscored(engine: Engine) -> None:
    assert engine.compare("teams", ["weng-lin"], burn_in="games(100)").sessions["sessions"] == (50,)
    late = sum(day >= "2023-01-01" for day, _, _ in season())
    assert engine.compare("teams", ["weng-lin"], since="2023-01-01").sessions["sessions"] == (late,)


def test_a_periodic_method_forecasts_sessions_from_the_end_of_the_last_month(engine: Engine) -> None:
    found = engine.compare("teams", [Sessions(), TeamElo()])
    assert found.sessions["sessions"] == (150, 150)
    rating: dict[str, float] = {}
    losses: list[float] = []
    month, moved = "", dict[str, float]()
    for day, sides, scores in season():
        if day[:7] != month:
            rating = {name: rating.get(name, 1500.0) + moved.get(name, 0.0) for name in {*rating, *moved}}
            month, moved = day[:7], {}
        mean = [sum(rating.get(name, 1500.0) for name in side) / len(side) for side in sides]
        share = [[1.0 / (1.0 + 10.0 ** ((other - own) / 400.0)) for other in mean] for own in mean]
        loss = []
        for i, side in enumerate(sides):
            expected = (sum(share[i]) - 0.5) / (len(sides) - 1)
            for name in side:
                moved[name] = moved.get(name, 0.0) + 20.0 * (scores[i] - expected)
            for j in range(i + 1, len(sides)):
                y = 0.5 + 0.5 * ((scores[i] > scores[j]) - (scores[i] < scores[j]))
                loss.append(-y * log(share[i][j]) - (1.0 - y) * log(share[j][i]))
        losses.append(sum(loss) / len(loss))
    (row,) = (row for row in found.sessions if str(row["method"]).startswith("sessions"))
    assert row["log_loss"] == pytest.approx(sum(losses) / len(losses), abs=1e-9)


class Mute(TeamElo):
    """Team Elo that says of no two sides who is ahead."""

    name = "mute"

    def rate(self, state: State, sides: Sides) -> Rated:
        return evolve(super().rate(state, sides), strengths=None)

    def expected(self, state: State, sides: Sides) -> Forecast:
        return evolve(super().expected(state, sides), strengths=None)


def test_a_method_is_tuned_by_its_forecasts_of_sessions(engine: Engine) -> None:
    tuned = engine.tune("teams", "weng-lin", {"beta": [2.0, 4.0, 8.0]})
    assert tuned.objective == "session_log_loss"
    assert tuned.best.train == min(trial.train for trial in tuned.trials)
    assert tuned.best.train_games + tuned.best.test_games == 150
    assert "sessions: session_log_loss" in str(tuned)
    for objective in ("session_brier", "rps", "session_winner"):
        again = engine.tune("teams", "weng-lin", {"beta": [2.0, 8.0]}, objective=objective)
        assert again.objective == f"session_{objective.removeprefix('session_')}"
        assert again.best.train < 2.0
    split = engine.tune("teams", "weng-lin", {"beta": [25.0 / 6.0]}, train=(None, "2022-12-31"))
    first = [session for session in season() if session[0] <= "2022-12-31"]
    assert split.best.train_games == len(first)
    assert split.best.train == pytest.approx(plackett_luce(first)[0], abs=1e-10)


def test_measures_of_sessions_are_refused_where_there_are_none(engine: Engine) -> None:
    engine.record(rc.GamePlayed(pool="chess", played="2022-05-01", a="p1", b="p2", score=1.0))
    engine.record(rc.GamePlayed(pool="chess", played="2022-05-03", a="p1", b="p2", score=1.0))
    with pytest.raises(NothingForecast, match="session_brier scores sessions, and the pool has none"):
        engine.tune("chess", "elo", {"k": [10, 20]}, objective="session_brier", train=("2022-05-01", "2022-05-02"))
    with pytest.raises(NothingForecast, match="no game of the training span"):
        engine.tune("teams", "weng-lin", {"beta": [2.0, 4.0]}, objective="accuracy")
