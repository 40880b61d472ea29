"""Peaks: the highest rating of a player is the highest of all lists, found without making them."""

from datetime import date, timedelta

import numpy as np
import pytest
from attrs import evolve
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.errors import CannotSay, ForeignList
from ratingcore.events import DAY, iso
from ratingcore.explain.history import peaks
from ratingcore.methods import Period, Track
from ratingcore.replay import fold
from tests.columns.making import POOL, game
from tests.columns.making import engine as made_of
from tests.replay.toys import Whole

START = date(2023, 1, 1)
DAYS = [START + timedelta(n) for n in range(0, 420, 6)]
NAMES = "abcdefg"
LISTED = 6e-4
"""What rounding takes from a listed rating at most: three decimals in one of the methods, four in most."""

CONTINUOUS = (
    "elo:k=60", "elo:k=fide2014", "adaptive-k", "chess-bayes", "berkin-change",
    "elo:k=60,entry=trial(3)", "elo-margin:margin=log,home=40,carry=0.3,k=60",
)  # fmt: skip
PERIODIC = (
    "elo:period=month,k=60", "periodic:period=month", "periodic:period=month,initial=none", "elo:period=quarter,k=60",
    "elo:preset=fide,period=month", "elo:period=month,k=60,entry=pooled(3,12)", "dwz:period=month", "fesa:period=month",
    "elo:k=60,floor=1480,period=month", "elo:k=60,mean=1500,period=month", "elo:k=60,period=event", "egf:period=event",
)  # fmt: skip


def season() -> rc.Engine:
    """A game every six days for more than a year; two players are seeded on the first day, one in the middle."""
    rng = np.random.default_rng(11)
    engine = rc.open(":memory:")
    for player, day, rating in (("a", START, 1700.0), ("b", START, 1400.0), ("c", date(2023, 7, 1), 1900.0)):
        engine.record(rc.RatingSeeded(pool="p", played=str(day), player=player, values={"rating": rating}))
    for number, day in enumerate(DAYS[1:]):
        a, b = rng.permutation(list(NAMES))[:2].tolist()
        points = rng.integers(0, 5, 2).tolist()
        score = 0.5 + 0.5 * float(np.sign(points[0] - points[1]))
        data = {"points_a": points[0], "points_b": points[1], "season": day.year * 4 + day.month // 4, "home": "a"}
        data |= {"event": f"E{number // 4}"}
        engine.record(rc.GamePlayed(pool="p", played=str(day), a=a, b=b, score=score, data=data))
    return engine


ENGINE = season()


def highest_of_lists(method: str, days: list[date]) -> dict[str, tuple[float, str]]:
    """Brute force: the highest listed rating of those who were moved by then, and the first day that listed it."""
    top: dict[str, tuple[float, str]] = {}
    for day in days:
        seeded = {"a", "b"} | ({"c"} if day >= date(2023, 7, 1) else set())
        for row in ENGINE.rating_list("p", method, through=str(day)):
            rating = row["rating"]
            if isinstance(rating, float) and (row["games"] or row["player"] in seeded):
                player = str(row["player"])
                if player not in top or rating > top[player][0] + 5e-5:
                    top[player] = rating, str(day)
    return top


def shown(method: str) -> dict[str, tuple[float, str]]:
    found = ENGINE.peaks("p", method)
    return {player: (peak.rating, iso(peak.at // DAY * DAY)) for player, peak in found.items()}


@pytest.mark.parametrize("method", CONTINUOUS)
def test_the_peak_is_the_highest_of_all_daily_lists(method: str) -> None:
    every = sorted({*DAYS, date(2023, 7, 1)})
    assert shown(method) == {
        player: (pytest.approx(rating, abs=LISTED), day)
        for player, (rating, day) in highest_of_lists(method, every).items()
    }


@pytest.mark.parametrize("method", PERIODIC)
def test_the_peak_of_a_periodic_method_is_the_highest_of_its_lists(method: str) -> None:
    """Within a period nothing has moved: what its games add up to on the way is not a rating that anybody had."""
    assert "period=" in method
    if "period=event" in method:
        closed = [*DAYS[4::4], DAYS[-1]]
    else:
        every = np.arange("2023-02", "2024-05", dtype="M8[M]")
        firsts = every[2::3] if "quarter" in method else every
        closed = [day - timedelta(1) for day in firsts.astype("M8[D]").tolist()]
    assert shown(method) == {
        player: (pytest.approx(rating, abs=LISTED), day)
        for player, (rating, day) in highest_of_lists(method, sorted({START, date(2023, 7, 1), *closed})).items()
    }


@pytest.mark.parametrize("method", ["elo:k=60", "elo:period=month,k=60", "fesa:period=month", "dwz:period=month"])
def test_nobody_is_listed_above_their_peak(method: str) -> None:
    for through in ("2023-01-15", "2023-06-20", "2024-02-10", None):
        listed = ENGINE.with_columns(ENGINE.rating_list("p", method, through=through), show="peak")
        assert listed.columns[-2:] == ("peak", "peak_at")
        assert all(row["peak"] is None or row["peak"] >= row["rating"] for row in listed)  # type: ignore[operator]  # numbers both


def test_of_equal_ratings_the_first_counts() -> None:
    days = {1: 1.0, 2: 0.0, 3: 0.0, 4: 1.0}
    ann = made_of(*(game(day, "ann", "bo", score) for day, score in days.items())).peaks(POOL, Elo(k=0.0))["ann"]
    assert ann == (1500.0, DAY)


def test_a_player_who_has_only_lost_peaks_after_the_first_game_and_not_where_everybody_starts() -> None:
    engine = made_of(game(1, "ann", "bo"), game(2, "ann", "bo"))
    assert engine.peaks(POOL, Elo(k=20.0))["bo"] == (1490.0, DAY)


def test_a_carry_over_before_a_game_is_no_rating_that_stood() -> None:
    """Low players are lifted towards 1505 just before their first game of a season, which they lose again."""
    method = "elo-margin:carry=0.5,margin=none,k=40"
    with rc.open(":memory:") as engine:
        engine.record(rc.RatingSeeded(pool="p", played="2022-01-01", player="low", values={"rating": 1000.0}))
        for number, season in enumerate((2022, 2023), 1):
            data = {"season": season}
            engine.record(
                rc.GamePlayed(
                    pool="p", played=f"{season}-05-01", a="low", b="x", score=0.0, data=data, uid=f"g{number}"
                )
            )
        lines = engine.history("p", "low", method)
        lifted = next(line for line in lines if line.opponent == "season carry-over")
        peak = engine.peaks("p", method)["low"]
    assert lifted.rating > lines[-1].rating
    assert peak == (lines[-1].rating, lines[-1].played)


def test_a_period_that_is_open_has_moved_nobody() -> None:
    engine = made_of(game(3, "ann", "bo"), game(40, "ann", "bo"), game(50, "cy", "bo"))
    method = Elo(period=Period.parse("month"))
    found = engine.peaks(POOL, method, through="1970-02-20")
    assert (found["ann"].rating, iso(found["ann"].at // DAY * DAY)) == (1510.0, "1970-01-31")
    assert "cy" not in found


def test_a_track_is_the_past_of_a_method_in_hindsight() -> None:
    method = Whole()
    replay = fold(method, made_of(game(1, "ann", "bo"), game(2, "ann", "bo")).core.view(POOL))
    assert replay.track is not None
    last = replay.state["rating"].tolist()  # which this method puts a point above its track
    assert peaks(replay) == {row: (rating, replay.at) for row, rating in enumerate(last)}
    higher = {"rating": replay.track.columns["rating"] + 3.0}
    past = evolve(replay, track=Track(replay.track.player, replay.track.day, higher))
    assert peaks(past) == {row: (rating + 2.0, replay.track.day[row]) for row, rating in enumerate(last)}


def test_a_method_that_knows_no_past_says_so() -> None:
    with pytest.raises(CannotSay, match="berkin cannot say what rating was the highest: it rates the whole pool anew"):
        ENGINE.peaks("p", "berkin")


def test_one_player_has_the_peak_that_all_have() -> None:
    replay = ENGINE.core.replay("p", "elo:k=60", keep=True)
    every = peaks(replay)
    assert {row: peaks(replay, np.array([row]))[row] for row in every} == every


def test_a_list_gets_the_peaks_up_to_its_own_cuts_with_its_own_digits() -> None:
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(uid="g1", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        engine.record(rc.GamePlayed(uid="g2", pool="p", played="2024-03-09", a="ann", b="bo", score=0.0))
        old = engine.rating_list("p", "elo:k=24", through="2024-03-05", policy="digits=1")
        engine.record(rc.GamePlayed(uid="g3", pool="p", played="2024-03-04", a="ann", b="bo", score=1.0))
        assert [row["peak"] for row in engine.with_columns(old, show="peak")] == [1512.0, 1488.0]
        now = engine.with_columns(engine.rating_list("p", "elo:k=24", policy="digits=1"), show="peak")
        assert [(row["player"], row["peak"], row["peak_at"]) for row in now] == [
            ("ann", 1523.2, "2024-03-04"), ("bo", 1490.4, "2024-03-09"),
        ]  # fmt: skip
        assert now.seal == engine.rating_list("p", "elo:k=24", policy="digits=1").seal
        engine.erase("ann")
        erased = engine.with_columns(engine.rating_list("p", "elo:k=24"), show="peak")
        assert all(row["peak"] is not None for row in erased)
    with pytest.raises(ForeignList):
        ENGINE.with_columns(old, show="peak")


def test_peaks_on_a_fine_scale_have_the_digits_of_the_rating() -> None:
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        fine = engine.with_columns(engine.rating_list("p", "elo:scale=1,initial=0,k=0.0123456789"), show="peak")
    assert [(row["rating"], row["peak"]) for row in fine] == [(0.00617284, 0.00617284), (-0.00617284, -0.00617284)]


def test_what_if_answers_with_peaks_too() -> None:
    more = rc.GamePlayed(pool="p", played="2024-06-01", a="g", b="a", score=1.0)
    trial = ENGINE.what_if([more])
    listed = trial.with_columns(trial.rating_list("p", "elo:k=60"), show="peak")
    assert len(listed) == len(NAMES)


def test_sessions_move_ratings_like_games() -> None:
    with rc.open(":memory:") as engine:
        for day, score in (("2024-03-02", 60.0), ("2024-03-09", 40.0)):
            sides = [rc.Side(["ann", "bo"], score), rc.Side(["cy", "di"], 100.0 - score)]
            engine.record(rc.SessionPlayed(pool="c", played=day, sides=sides))
        found = {name: iso(peak.at) for name, peak in engine.peaks("c", "bridge-bayes").items()}
    assert found == {"ann": "2024-03-02", "bo": "2024-03-02", "cy": "2024-03-09", "di": "2024-03-09"}
