"""Newcomers: their games are kept back, and what they make is planted, as a plain-Python fold has it."""

from math import isnan
from random import Random

import numpy as np
import pytest
from attrs import frozen

from ratingcore.engine import Engine
from ratingcore.errors import BadParameter, Unrated
from ratingcore.events import DAY, Event, GamePlayed, RatingSeeded, iso
from ratingcore.log import SqliteLog
from ratingcore.methods.first_ratings import RULES, Entering, Entry, fide2014, fide2024
from ratingcore.methods.text import identity, text_of
from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Rated, State
from ratingcore.registry import Registry
from ratingcore.replay import newcomers
from ratingcore.replay.run import Continuous

POOL = "club"
REGISTRY = Registry.installed()


def league(random: Random, games: int = 90) -> list[Event]:
    """Five seeded players, four newcomers, one of whom is seeded in mid-season; a game every other day."""
    events: list[Event] = [
        RatingSeeded(pool=POOL, played=0, player=f"r{n}", values={"rating": 1500.0 + 60 * n}) for n in range(5)
    ]
    events.append(RatingSeeded(pool=POOL, played=80 * DAY, player="n3", values={"rating": 1450.0}))
    for day in range(games):
        a, b = random.sample([f"r{n}" for n in range(5)] + [f"n{n}" for n in range(4)], 2)
        score = random.choice([0.0, 0.5, 1.0])
        events.append(GamePlayed(pool=POOL, played=2 * day * DAY, a=a, b=b, score=score, uid=f"g{day}"))
    return events


def expected(gap: float) -> float:
    return float(1.0 / (1.0 + 10.0 ** (-gap / 400.0)))


def month(played: int) -> str:
    return iso(played)[:7]


def plain(events: list[Event], enough: int, *, pooled: bool) -> dict[str, float]:
    """Elo with k = 20, newcomers by trial or by calendar month: dictionaries, one game after the other."""
    rating: dict[str, float] = {}
    tried: dict[str, list[tuple[float, float]]] = {}
    seeds = [event for event in events if isinstance(event, RatingSeeded)]
    now = ""
    for game in (event for event in events if isinstance(event, GamePlayed)):
        if pooled and month(game.played) != now:
            now = month(game.played)
            admit(rating, tried, enough)
        for seed in [seed for seed in seeds if seed.played <= game.played]:
            seeds.remove(seed)
            rating[seed.player] = seed.values["rating"]
        known = [player for player in (game.a, game.b) if player in rating]
        if len(known) == 2:
            change = 20.0 * (game.score - expected(rating[game.a] - rating[game.b]))
            rating[game.a] += change
            rating[game.b] -= change
        elif known:
            newcomer = game.b if known[0] == game.a else game.a
            score = game.score if newcomer == game.a else 1.0 - game.score
            tried.setdefault(newcomer, []).append((rating[known[0]], score))
        if not pooled:
            admit(rating, tried, enough)
    return rating


def admit(rating: dict[str, float], tried: dict[str, list[tuple[float, float]]], enough: int) -> None:
    for player, games in tried.items():
        if player not in rating and len(games) >= enough:
            opponents, scores = (np.array(column) for column in zip(*games, strict=True))
            rating[player] = RULES["periodic"](opponents, scores)


def rated(events: list[Event], method: str) -> dict[str, float]:
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*events)
    listed = engine.core.replay(POOL, method)
    return {
        name: float(number)
        for name, number in zip(listed.view.names(), listed.state["rating"], strict=True)
        if not isnan(number)
    }


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("enough", [1, 3, 8])
def test_a_trial_of_n_games_equals_the_plain_fold(seed: int, enough: int) -> None:
    events = league(Random(seed))
    assert rated(events, f"elo:entry=trial({enough})") == pytest.approx(plain(events, enough, pooled=False), abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("enough", [1, 4])
def test_pooled_games_make_a_rating_when_the_month_is_over(seed: int, enough: int) -> None:
    events = league(Random(seed))
    given = rated(events, f"elo:entry=pooled({enough},100)")
    assert given == pytest.approx(plain(events, enough, pooled=True), abs=1e-9)


def test_games_older_than_the_window_do_not_count() -> None:
    seed = RatingSeeded(pool=POOL, played=0, player="r", values={"rating": 1600.0})
    days = [1, 2, 70, 71, 100]
    games = [GamePlayed(pool=POOL, played=day * DAY, a="n", b="r", score=1.0) for day in days]
    assert "n" not in rated([seed, *games], "elo:entry=pooled(4,2)")
    assert rated([seed, *games], "elo:entry=pooled(2,2)")["n"] > 2000.0
    assert "n" not in rated([seed, *games], "elo:entry=pooled(4,2),period=month")
    assert rated([seed, *games], "elo:entry=pooled(2,2),period=month")["n"] > 2000.0


@pytest.mark.parametrize("cadence", ["", ",period=month"])
def test_the_window_of_fide_holds_26_months_with_that_of_the_last_game(cadence: str) -> None:
    def played(month: int, score: float, a: str = "n", b: str = "r") -> GamePlayed:
        return GamePlayed(pool=POOL, played=f"{1970 + month // 12}-{month % 12 + 1:02}-10", a=a, b=b, score=score)

    seeds = [RatingSeeded(pool=POOL, played=0, player=name, values={"rating": 1600.0}) for name in ("r", "s")]
    entry = f"elo:entry=pooled(3,26){cadence}"
    for last, admitted in ((25, True), (26, False), (27, False)):  # months 0 to 25 are 26 of them
        games = [played(0, 1.0), played(1, 0.0), played(last, 0.5), played(30, 0.5, "r", "s")]
        found = rated([*seeds, *games], entry)
        assert ("n" in found) is admitted, last
        assert not admitted or found["n"] == pytest.approx(1600.0)  # half the points against 1600
    # admitted after month 26, from which month 1 is the first of 26: what was lost in month 0 does not count
    games = [played(0, 0.0), played(1, 1.0), played(26, 0.0), played(26, 0.5), played(30, 0.5, "r", "s")]
    assert rated([*seeds, *games], entry)["n"] == pytest.approx(1600.0)


def test_a_periodic_method_rates_newcomers_from_the_next_period_on() -> None:
    seeds = [RatingSeeded(pool=POOL, played=0, player=f"r{n}", values={"rating": 1600.0}) for n in range(2)]
    games = [GamePlayed(pool=POOL, played=day * DAY, a="n", b="r0", score=0.5, uid=f"g{day}") for day in (3, 4, 40)]
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*seeds, *games)
    method = "elo:k=20,period=month,entry=trial(2)"
    lines = engine.history(POOL, "n", method)
    assert [line.opponent for line in lines] == ["r0", "r0", "first rating", "r0"]
    assert lines[2].rating == 1600.0
    assert lines[3].expected == 0.5
    told = list(engine.forecasts(POOL, method))
    assert [row["expected"] for row in told] == [None, None, 0.5]
    assert [row["rating_a"] for row in told] == [None, None, 1600.0]


def test_the_opponents_of_a_trial_do_not_move() -> None:
    events = league(Random(1))
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*events)
    for row in engine.forecasts(POOL, "elo:entry=trial(4)"):
        if row["expected"] is None:
            assert (row["change_a"], row["change_b"]) == (0.0, 0.0)


def test_a_player_without_a_seed_is_refused_if_the_entry_says_so() -> None:
    for method in ("elo:entry=refuse", "elo:entry=refuse,period=month"):
        with pytest.raises(Unrated, match="elo has no rating for n at position 2") as caught:
            rated(
                [
                    RatingSeeded(pool=POOL, played=0, player="r", values={"rating": 1600.0}),
                    GamePlayed(pool=POOL, played=DAY, a="n", b="r", score=1.0),
                ],
                method,
            )
        assert "trial(n)" in caught.value.hint


def test_a_pool_where_nobody_is_rated_rates_nobody() -> None:
    games = [GamePlayed(pool=POOL, played=day * DAY, a="a", b="b", score=1.0) for day in range(5)]
    assert rated(list[Event](games), "elo:entry=trial(2)") == {}


@pytest.mark.parametrize(
    "text",
    ["foo", "trial", "trial(0)", "trial(x)", "trial(5,foo)", "pooled(5)", "refuse(3)", "trial(5,6)", "at_start(1)"],
)
def test_an_entry_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(BadParameter, match="entry"):
        REGISTRY.method(f"elo:entry={text}")


def test_fide2024_needs_a_period_since_it_may_publish_nothing() -> None:
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*league(Random(1)))
    with pytest.raises(BadParameter, match="needs a period"):
        engine.rating_list(POOL, "elo:entry=pooled(5,26,fide2024)")


def test_the_entry_is_part_of_the_identity_and_of_the_text() -> None:
    method = REGISTRY.method("elo:k=15,entry=trial(15)")
    assert isinstance(method, Entering)
    assert method.entry == Entry("trial", 15)
    assert identity(method).endswith("entry=trial(15,periodic))")
    assert REGISTRY.method(text_of(method)) == method
    assert REGISTRY.method("elo:entry=at_start") == REGISTRY.method("elo")


@pytest.mark.parametrize("entry", ["trial(2)", "pooled(5,26,fide2024),period=month", "refuse"])
def test_before_the_first_result_the_list_of_a_method_with_an_entry_is_empty(entry: str) -> None:
    """`ValueError: could not broadcast input array from shape (0,) into shape (0,2)`."""
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*league(Random(3)))
    for cut in ({"through": "1969-12-31"}, {"known_at": 0}):
        assert len(engine.rating_list(POOL, f"elo:entry={entry}", **cut)) == 0  # type: ignore[arg-type]  # either cut


def test_first_ratings_of_fide_as_worked_in_the_source() -> None:
    """Six games, and six wins over 2150 capped at 2200."""
    opponents = np.array([1610.0, 1550.0, 1720.0, 1680.0, 1495.0, 1810.0])
    scores = np.array([1.0, 0.5, 0.0, 1.0, 1.0, 0.0])
    assert (fide2024(opponents, scores).rating, fide2014(opponents, scores).rating) == (1726.0, 1664.0)
    assert fide2024(np.full(6, 2150.0), np.ones(6)).rating == 2200.0
    assert isnan(RULES["fide2024"](np.full(5, 1400.0), np.zeros(5)))


@frozen
class Tide(Method):
    """A toy with a column of the pool: every game lifts the tide, and the tide moves who plays next."""

    name = "tide"
    cadence = Cadence.CONTINUOUS

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 0.0), Column("tide", 0.0, per="pool"))

    def rate(self, state: State, games: Games) -> Rated:
        rating, tide = state.copy("rating"), state.copy("tide")
        change = np.zeros(len(games))
        for g, (a, b) in enumerate(zip(games.a, games.b, strict=True)):
            tide[0] += rating[a] + rating[b]
            change[g] = tide[0]
            rating[a] += tide[0]
            rating[b] -= tide[0]
        return Rated(state.replace(rating=rating, tide=tide), np.full(len(games), 0.5), (change, -change))

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), 0.5))


def test_a_method_with_a_column_of_the_pool_is_cut_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is due waits for no later game, as it may where only the players of a game move."""
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*league(Random(2)))
    method = Entering(Tide(), Entry("trial", 3))
    stops: list[int] = []
    stretch = Continuous._stretch

    def watched(self: Continuous, state: State, start: int, stop: int) -> State:
        stops.append(stop)
        return stretch(self, state, start, stop)

    monkeypatch.setattr(Continuous, "_stretch", watched)
    monkeypatch.setattr(newcomers, "cuts_of", None)  # the cuts that wait for a player are not asked for
    engine.core.replay(POOL, method)
    assert stops == sorted(stops)
    trials = {row["uid"] for row in engine.forecasts(POOL, method) if row["expected"] is None}
    assert trials
