"""Whole-History Rating: both ways of solving, what time does, what is refused."""

import csv
import re
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
import ratingcore_whr.history as history
import ratingcore_whr.whr as module
from ratingcore_trueskill import EarlierThroughTime
from ratingcore_whr import EarlierWhr, Whr

from ratingcore.engine import Engine
from ratingcore.errors import BadResult
from ratingcore.importer.tables import FieldMap
from ratingcore.log import SqliteLog
from ratingcore.plugin import DAY, Games, Method, Span, State
from ratingcore.registry import Registry
from ratingcore.testing import Law, method_checks
from tests.columns.making import POOL, engine, game, seed
from tests.golden.playing import games

CONGRESS = Path(__file__).parents[2] / "fixtures" / "archives" / "egc2013"


def season(players: int = 30, n: int = 400) -> Games:
    rng = np.random.default_rng(3)
    a = rng.integers(0, players, n).astype(np.int32)
    b = ((a + rng.integers(1, players, n)) % players).astype(np.int32)
    at = np.arange(1, n + 1)
    return Games(a, b, rng.choice([0.0, 0.5, 1.0], n), at * DAY // 3, at, Span(0, n * DAY))


def test_long_histories_are_solved_like_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    whr, games = Whr(w2=100.0), season()
    start = State.start(whr.columns(), 30)
    short = whr.rate(start, games)
    monkeypatch.setattr(history, "DENSE", 4)
    monkeypatch.setattr(module, "DENSE", 4)
    long = whr.rate(start, games)
    assert long.state["rating"] == pytest.approx(short.state["rating"], abs=1e-7)
    assert long.state["deviation"] == pytest.approx(short.state["deviation"], rel=0.1)
    assert short.covariance is not None
    assert long.covariance is not None
    assert long.covariance(1, 2) == pytest.approx(short.covariance(1, 2), rel=1e-5)


def test_the_peak_is_that_of_newtons_method_on_the_whole_matrix() -> None:
    """A second way: every day a row of a full matrix, the curvature and the gradient term by term."""
    whr, games = Whr(w2=100.0, prior_games=0.5), season(12, 150)
    solved = whr.rate(State.start(whr.columns(), 12), games)
    slope = np.log(10.0) / 400.0
    day = (games.played // DAY).tolist()
    sides = [*zip(games.a.tolist(), day, strict=True), *zip(games.b.tolist(), day, strict=True)]
    place = {node: k for k, node in enumerate(sorted(set(sides)))}
    nodes, n = sorted(place), len(place)
    r = np.zeros(n)
    for _ in range(30):
        pull, curve = np.zeros(n), np.zeros((n, n))
        for k, (player, when) in enumerate(nodes):
            if k == 0 or nodes[k - 1][0] != player:
                p = 1.0 / (1.0 + np.exp(-r[k]))
                pull[k] += 0.5 * (1.0 - p) - 0.5 * p
                curve[k, k] += p * (1.0 - p)
            else:
                tie = 1.0 / (100.0 * slope**2 * (when - nodes[k - 1][1]))
                pull[k] -= tie * (r[k] - r[k - 1])
                pull[k - 1] += tie * (r[k] - r[k - 1])
                curve[k - 1 : k + 1, k - 1 : k + 1] += tie * np.array([[1.0, -1.0], [-1.0, 1.0]])
        for g, score in enumerate(games.score.tolist()):
            i, j = place[sides[g]], place[sides[g + len(games)]]
            p = 1.0 / (1.0 + np.exp(r[j] - r[i]))
            pull[i] += score - p
            pull[j] -= score - p
            for one, other, sign in ((i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)):
                curve[one, other] += sign * p * (1.0 - p)
        r += np.linalg.solve(curve, pull)
    assert solved.track is not None
    assert solved.track.player.tolist() == [player for player, _ in nodes]
    assert (solved.track.day // DAY).tolist() == [when for _, when in nodes]
    assert solved.track.columns["rating"] == pytest.approx(r / slope, abs=1e-9)
    known = np.sqrt(np.diag(np.linalg.inv(curve))) / slope
    assert solved.track.columns["deviation"] == pytest.approx(known, rel=1e-11)


def test_games_in_any_order_are_of_the_days_on_which_they_were_played() -> None:
    games = season()
    mixed = np.random.default_rng(5).permutation(len(games))
    start = State.start(Whr().columns(), 30)
    one, two = Whr().rate(start, games), Whr().rate(start, games.take(mixed))
    assert one.state["rating"] == pytest.approx(two.state["rating"], abs=1e-9)
    assert one.fitted[mixed] == pytest.approx(two.fitted, abs=1e-12)


def test_thousands_of_results_of_one_kind_are_weighed_to_all_digits() -> None:
    """Where one always wins, surprise is the smaller of two chances; what they pull by is what the prior pulls back."""
    n, at = 20_000, np.arange(1, 20_001)
    games = Games(at * 0, at * 0 + 1, np.ones(n), at * 0, at, Span(0, DAY))
    solved = Whr().rate(State.start(Whr().columns(), 2), games)
    first = solved.state["rating"][0] * np.log(10.0) / 400.0
    assert first == pytest.approx(-solved.state["rating"][1] * np.log(10.0) / 400.0, rel=1e-12)
    assert n / (1.0 + np.exp(2.0 * first)) == pytest.approx(np.tanh(0.5 * first), rel=1e-10)


def test_a_congress_of_one_day_is_the_fixed_point_of_bradley_and_terry() -> None:
    """fixtures/archives/egc2013, ten rounds booked on one day: minorisation and maximisation moves nobody.

    Every player has met one at the mean twice, once won and once lost. The federation publishes ratings by its own
    method: tests/plugins/test_egf.py.
    """
    engine = Engine(SqliteLog(":memory:"))
    engine.import_file(CONGRESS / "games.csv", "go", FieldMap.load(CONGRESS / "mapping.toml"))
    found = engine.rating_list("go", "whr")
    assert len(found) == 589
    rating = dict(zip(found.player, found.exact["rating"].tolist(), strict=True))
    strength = {player: 10.0 ** (points / 400.0) for player, points in rating.items()}
    won, met = dict.fromkeys(strength, 1.0), {player: 2.0 / (one + 1.0) for player, one in strength.items()}
    with (CONGRESS / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["score"].endswith("F")]
    assert len(rows) == 2226
    for row in rows:
        white, black = row["white"], row["black"]
        share = {"1-0": 1.0, "0-1": 0.0}[row["score"]]
        won[white] += share
        won[black] += 1.0 - share
        for player in (white, black):
            met[player] += 1.0 / (strength[white] + strength[black])
    moved = {player: 400.0 * np.log10(won[player] / met[player]) - rating[player] for player in rating}
    assert max(map(abs, moved.values())) < 1e-9


def test_deviations_are_smaller_where_opponents_stand_still() -> None:
    games = season()
    both = [Whr(deviations=word).rate(State.start(Whr().columns(), 30), games).state for word in ("own", "joint")]
    assert (both[0]["deviation"] < both[1]["deviation"]).all()
    assert both[0]["rating"] == pytest.approx(both[1]["rating"])


def test_no_other_past_is_more_likely() -> None:
    """What games pull a player's days by, all together, is what the prior pulls back."""
    whr, games = Whr(), season()
    solved = whr.rate(State.start(whr.columns(), 30), games)
    surprise = games.score - solved.fitted
    assert solved.track is not None
    for player in range(30):
        pull = surprise[games.a == player].sum() - surprise[games.b == player].sum()
        first = solved.track.columns["rating"][solved.track.player == player][0]
        assert pull == pytest.approx(2.0 / (1.0 + 10.0 ** (-first / 400.0)) - 1.0, abs=1e-7)


def test_deviations_grow_on_the_list_of_a_later_day() -> None:
    whr, games = Whr(w2=300.0), season()
    state = whr.rate(State.start(whr.columns(), 30), games).state
    day = int(state["last"][0])
    now, later = (float(whr.show(state, (day + more) * DAY)["deviation"][0]) for more in (0, 100))
    assert later**2 - now**2 == pytest.approx(300.0 * 100.0)


def test_a_score_that_is_none_is_refused() -> None:
    games = season(4, 3).replaced(score=np.array([1.0, np.nan, 0.0]))
    with pytest.raises(BadResult, match="is not a share of a point"):
        Whr().rate(State.start(Whr().columns(), 4), games)


@method_checks(Whr(), Whr(w2=300.0, deviations="own", mean=1500.0), Whr(prior_games=0.2))
def test_whr_keeps_the_laws(law: Law, method: Whr) -> None:
    law(method)


@pytest.mark.parametrize("text", ["whr", "trueskill-through-time", "bradley-terry", "berkin"])
def test_a_seed_of_another_scale_rates_nobody_without_results(text: str) -> None:
    """Zoe, 2100 of FIDE, was first on a list whose mean is 0, and 100 % against everybody."""
    pool = engine(
        seed(1, "zoe", values={"rating": 2100.0, "deviation": 50.0}), game(20, "ann", "bo"), game(21, "bo", "ann")
    )
    method = Registry.installed().method(text)
    listed = pool.rating_list(POOL, method)
    rows = {row["player"]: row for row in listed}
    assert ([*rows][-1], rows["zoe"]["rank"], rows["zoe"]["rating"]) == ("zoe", None, None)
    assert rows["zoe"].get("deviation") is None
    assert rows["ann"]["rating"] is not None
    alone = engine(seed(1, "zoe", values={"rating": 2100.0})).rating_list(POOL, method)
    assert [row["rating"] for row in alone] == [None]
    replay = pool.core.replay(POOL, method)
    at = {name: row for row, name in enumerate(replay.view.names())}
    share = method.expected(replay.state, games([at["zoe"]], [at["ann"]], [0.5])).expected[0]
    assert np.isnan(share) or share == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("method", "deviation"),
    [
        (EarlierWhr(w2=14.0), sqrt(61.0**2 + 14.0 * 100)),
        (EarlierThroughTime(gamma=3.0), sqrt(61.0**2 + 9.0 * 100)),
    ],
    ids=["whr", "through time"],
)
def test_a_deviation_from_a_seed_grows_from_its_own_day(method: Method, deviation: float) -> None:
    """It stood still on lists until the player had a game."""
    pool = engine(seed(10, "ann", values={"rating": 1500.0, "deviation": 61.0}), game(20, "bo", "cy"))
    listed = pool.rating_list(POOL, method, through="1970-04-21")
    assert {row["player"]: row["deviation"] for row in listed}["ann"] == pytest.approx(deviation, abs=1e-4)


def test_a_climb_that_stops_short_is_noted_on_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = engine(game(0.25, "ann", "bo"), game(3.5, "bo", "cy"))
    assert pool.rating_list(POOL, Whr()).provenance.stopped == ""
    monkeypatch.setattr(history, "STEPS", 1)
    monkeypatch.setattr(module, "STEPS", 1)
    short = engine(game(0.25, "ann", "bo"), game(3.5, "bo", "cy")).rating_list(POOL, Whr())
    assert re.fullmatch(r"after 1 steps, with ratings still \S+ points away", short.provenance.stopped)
    assert "stopped" in str(short)
