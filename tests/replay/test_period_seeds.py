"""Seeds inside a period count from their own day on; results of the period before it are rated without them."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from ratingcore_glicko import Glicko

from ratingcore.compare.forecasts import forecast
from ratingcore.events import DAY, GamePlayed, RatingSeeded
from ratingcore.explain.history import history
from ratingcore.registry import Registry
from ratingcore.replay import fold
from tests.columns.making import POOL, engine, game, session
from tests.replay.leagues import installed, run
from tests.replay.toys import Monthly, Tables, column, ratings


def seed(day: float, player: str, **values: float) -> RatingSeeded:
    return RatingSeeded(pool=POOL, played=int(day * DAY), player=player, values=values or {"rating": 500.0})


def method(text: str) -> Any:
    return Registry.installed().method(text)


def test_a_result_before_the_seed_is_rated_without_it() -> None:
    """Ann's game of the 5th counted as one of a player with 1800."""
    eng = engine(game(5, "ann", "bo"), seed(9, "ann", rating=1800.0), game(15, "cy", "ann"))
    rated = ratings(run(method("elo:period=month"), eng))
    upset = 20 * (1 - 1 / (1 + 10 ** (300 / 400)))
    assert rated == pytest.approx({"ann": 1800 - upset, "bo": 1490, "cy": 1500 + upset}, rel=0, abs=1e-9)


def test_a_seed_after_all_games_of_its_player_sets_the_rating() -> None:
    eng = engine(game(5, "ann", "bo"), seed(9, "ann", rating=1800.0))
    assert ratings(run(method("elo:period=month"), eng)) == {"ann": 1800, "bo": 1490}


def test_a_seed_comes_before_a_game_of_exactly_its_time() -> None:
    eng = engine(game(5, "ann", "bo"), game(9, "ann", "cy", 0.5), seed(9, "ann", rating=1500.0))
    assert ratings(run(method("elo:period=month"), eng)) == {"ann": 1500, "bo": 1490, "cy": 1500}


def test_what_a_seed_does_not_name_is_as_the_results_before_it_left_it() -> None:
    eng = engine(game(5, "ann", "bo"), seed(9, "ann", rating=300.0), game(15, "ann", "bo", 0.0))
    replay = run(Monthly(), eng)
    assert ratings(replay) == {"ann": 300 - 5 - 1, "bo": 100 - 5 + 5 - 1}
    assert column(replay, "count")["ann"] == 2  # a call before the seed, and one with it


def test_seeds_of_one_player_in_one_period_follow_each_other() -> None:
    eng = engine(
        game(5, "ann", "bo"), seed(9, "ann", rating=1800.0), game(12, "ann", "bo"), seed(13, "ann", rating=1200.0),
        game(15, "ann", "bo"),
    )  # fmt: skip
    high, low = (20 * (1 - 1 / (1 + 10 ** ((1500 - own) / 400))) for own in (1800.0, 1200.0))
    replay = run(method("elo:period=month"), eng)
    assert ratings(replay) == pytest.approx({"ann": 1200 + low, "bo": 1490 - high - low}, rel=0, abs=1e-9)
    assert [line.rating for line in history(replay, 0)] == pytest.approx(
        [1510, 1800, 1800 + high, 1200, 1200 + low], rel=0, abs=1e-9
    )


def test_a_deviation_given_on_a_later_day_leaves_earlier_results_alone() -> None:
    plain = engine(game(5, "ann", "bo"), game(40, "cy", "dee"))
    given = engine(game(5, "ann", "bo"), seed(9, "ann", rating=1900.0, deviation=60.0), game(40, "cy", "dee"))
    glicko = Glicko(period=Monthly().period)
    one, other = (ratings(run(glicko, eng)) for eng in (plain, given))
    assert one["bo"] == other["bo"]
    assert other["ann"] == 1900


def test_members_of_sessions_have_their_seeds_from_their_day_on() -> None:
    eng = engine(
        session(1, ("ab", 2.0), ("c", 1.0), data={"event": "open"}), seed(2, "a", rating=700.0),
        session(3, ("a", 5.0), ("bc", 4.0), data={"event": "open"}),
    )  # fmt: skip
    assert ratings(run(Tables(), eng))["a"] == 705


def league(rng: np.random.Generator, months: int = 4) -> list[Any]:
    events: list[Any] = []
    for _ in range(60):
        a, b = rng.choice(8, 2, replace=False)
        day = float(rng.integers(0, 30 * months))
        events.append(game(day, f"p{a}", f"p{b}", float(rng.choice([0, 0.5, 1]))))
    for _ in range(12):
        events.append(
            seed(float(rng.integers(0, 30 * months)), f"p{rng.integers(8)}", rating=float(rng.integers(1000, 2000)))
        )
    return events


def by_hand(events: list[Any], edges: list[int]) -> dict[str, float]:
    """Elo by periods in a plain loop: a result has the ratings of the period's start, or of seeds in it before."""
    rating: dict[str, float] = {}
    for begin, end in pairwise(edges):
        start, gained = dict(rating), dict.fromkeys([f"p{i}" for i in range(8)], 0.0)
        mine = [event for event in events if begin <= event.played < end]
        for event in sorted(mine, key=lambda one: (one.played, isinstance(one, GamePlayed))):
            if isinstance(event, RatingSeeded):
                start[event.player], gained[event.player] = event.values["rating"], 0.0
                continue
            a, b = start.setdefault(event.a, 1500.0), start.setdefault(event.b, 1500.0)
            surprise = 20 * (event.score - 1 / (1 + 10 ** ((b - a) / 400)))
            gained[event.a] += surprise
            gained[event.b] -= surprise
        rating = {name: value + gained[name] for name, value in start.items()}
    return rating


@pytest.mark.parametrize("number", range(8))
def test_random_leagues_are_rated_as_by_a_plain_loop(number: int) -> None:
    events = league(np.random.default_rng(number))
    monthly = method("elo:period=month")
    replay = run(monthly, engine(*events))
    edges = replay.method.period.edges(0, 200 * DAY).tolist()
    assert ratings(replay) == pytest.approx(by_hand(events, edges), rel=0, abs=1e-9)
    for row in range(replay.view.n_players):
        assert history(replay, row)[-1].rating == pytest.approx(replay.state["rating"][row], abs=1e-9)


@pytest.mark.parametrize("by", ["", " by event end", " by event start"])
@pytest.mark.parametrize("number", range(4))
def test_a_rule_by_tournament_followed_by_itself_changes_nothing_beside_seeds_inside_tournaments(
    number: int, by: str
) -> None:
    """With seeds of open tournaments in the ratings already, results before them were rated from the seeds."""
    rng = np.random.default_rng(number)
    events = []
    for event in league(rng):
        if isinstance(event, GamePlayed):
            event = evolve(event, data={"event": f"open {int(event.played // DAY) // 25 * 2 + int(rng.integers(3))}"})
        events.append(event)
    view = engine(*events).core.view(POOL)
    rule = f"dwz then dwz from {np.datetime64(45, 'D')}{by}"
    whole, split = (fold(method(text), view, keep=True).state for text in ("dwz", rule))
    assert list(whole["rating"]) == list(split["rating"])


TEXTS = ("elo:period=month", "glicko:period=month", "elo:k=fide2014,period=month")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("day", [33, 45, 70])
def test_a_rule_followed_by_itself_changes_nothing_beside_a_seed_in_mid_period(text: str, day: int) -> None:
    eng = installed(engine(*league(np.random.default_rng(day))))
    whole, split = (
        list(fold(method(rule), eng.core.view(POOL)).state["rating"])
        for rule in (text, f"{text} then {text} from {np.datetime64(day, 'D')}")
    )
    assert whole == split


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("day", [33, 45, 70])
def test_an_explanation_since_a_day_in_mid_period_adds_up(text: str, day: int) -> None:
    eng = installed(engine(*league(np.random.default_rng(day))))
    for number in range(8):
        told = eng.explain(POOL, f"p{number}", text, since=np.datetime64(day, "D").item())
        moved = sum(line.contribution or 0.0 for line in told.lines)
        assert told.opening + moved == pytest.approx(told.closing, rel=0, abs=1e-6)
        assert "shown by the list alone" not in [line.opponent for line in told.lines]


def test_a_forecast_after_a_seed_inside_a_period_knows_it() -> None:
    eng = engine(game(5, "ann", "bo"), seed(9, "ann", rating=1800.0), game(15, "cy", "ann"))
    made = forecast(method("elo:period=month"), eng.core.view(POOL))
    expected = 1 / (1 + 10 ** (300 / 400))
    assert made.expected.tolist()[-1] == pytest.approx(expected, rel=0, abs=1e-12)
