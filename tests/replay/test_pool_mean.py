"""Newcomers who enter at the mean of the pool, as a plain-Python fold has it, and what is wrong with that."""

from itertools import pairwise
from math import fsum
from random import Random

import pytest

from ratingcore.engine import Engine
from ratingcore.errors import BadParameter
from ratingcore.events import DAY, Event, GamePlayed, RatingSeeded, iso
from ratingcore.log import SqliteLog
from ratingcore.methods.first_ratings import Entry
from ratingcore.methods.text import identity
from ratingcore.registry import Registry
from tests.replay.test_newcomers import POOL, expected, league

REGISTRY = Registry.installed()
END = "1970-06-30"
"""The games of `league` end two days before: a period must be closed to be rated."""


def month(played: int) -> int:
    year, months = iso(played)[:7].split("-")
    return 12 * int(year) + int(months)


def plain(events: list[Event], months: int | None, *, period: bool) -> dict[str, float]:
    """Elo with k = 20: dictionaries, one game or one calendar month after the other."""
    rating: dict[str, float] = {}
    last: dict[str, int] = {}
    games = [event for event in events if isinstance(event, GamePlayed)]
    seeds = [event for event in events if isinstance(event, RatingSeeded)]
    batches = [[game] for game in games]
    if period:
        batches = [[g for g in games if month(g.played) == m] for m in sorted({month(g.played) for g in games})]
    for batch in batches:
        now = month(batch[0].played)
        for seed in [s for s in seeds if (month(s.played) <= now if period else s.played <= batch[0].played)]:
            if any(seed.player in (game.a, game.b) and game.played < seed.played for game in batch):
                continue  # it counts from its own day on, inside the period
            seeds.remove(seed)
            rating[seed.player] = seed.values["rating"]
        pool = [rating[p] for p in rating if months is None or (p in last and now - last[p] <= months)]
        pool = pool or list(rating.values())
        mean = fsum(pool) / len(pool) if pool else 1500.0
        newcomers = {p for game in batch for p in (game.a, game.b)} - rating.keys()
        rating |= dict.fromkeys(newcomers, mean)
        gains = dict.fromkeys(rating, 0.0)
        for game in [*batch, None]:
            for seed in [s for s in seeds if month(s.played) <= now and (game is None or s.played <= game.played)]:
                if period:
                    seeds.remove(seed)
                    rating[seed.player], gains[seed.player] = seed.values["rating"], 0.0
            if game is None:
                break
            change = 20.0 * (game.score - expected(rating[game.a] - rating[game.b]))
            gains[game.a] += change
            gains[game.b] -= change
            last[game.a] = last[game.b] = now
        rating = {player: rating[player] + gains[player] for player in rating}
    return rating


@pytest.mark.parametrize("period", [False, True], ids=["game by game", "by month"])
@pytest.mark.parametrize("months", [None, 1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_the_mean_of_the_pool_equals_the_plain_fold(seed: int, months: int | None, period: bool) -> None:
    events = league(Random(seed))
    spelt = "mean" if months is None else f"mean({months})"
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*events)
    made = engine.core.replay(POOL, f"elo:k=20,entry={spelt}" + (",period=month" if period else ""), through=END)
    given = dict(zip(made.view.names(), made.state["rating"].tolist(), strict=True))
    assert given == pytest.approx(plain(events, months, period=period), abs=1e-9)


@pytest.mark.parametrize("period", ["", ",period=month"])
def test_the_first_of_a_pool_begin_where_the_method_begins(period: str) -> None:
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(GamePlayed(pool=POOL, played=DAY, a="ann", b="bo", score=1.0))
    made = engine.rating_list(POOL, f"elo:initial=1200,entry=mean{period}", through=END)
    assert (made.rating("ann"), made.rating("bo")) == (1210.0, 1190.0)


@pytest.mark.parametrize("method", ["elo:entry=mean", "elo:period=month,entry=mean", "elo:entry=mean(3)"])
def test_changes_and_first_ratings_lead_to_the_listed_rating(method: str) -> None:
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*league(Random(7)))
    made = engine.rating_list(POOL, method, through=END)
    for player in ("n0", "n1", "n2", "r0"):
        lines = engine.history(POOL, player, method, through=END)
        assert lines[-1].rating == pytest.approx(made.rating(player), abs=1e-4)
        for before, after in pairwise(lines):
            assert after.rating == pytest.approx(before.rating + after.change, abs=1e-9)


def test_what_is_recorded_later_leaves_the_list_as_it_was_known_alone() -> None:
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(*league(Random(3)))
    method = "elo:entry=mean(2)"
    then = engine.rating_list(POOL, method, through="1970-05-31")
    engine.record(GamePlayed(pool=POOL, played=DAY, a="late", b="r0", score=1.0))
    known = engine.rating_list(POOL, method, through="1970-05-31", known_at=then)
    assert known.digest == then.digest
    assert engine.rating_list(POOL, method, through="1970-05-31").digest != then.digest


def test_when_weak_players_leave_newcomers_begin_higher() -> None:
    """The argument of the thesis against this entry: the mean rises, and nobody plays better."""
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    for name, rating in (("ann", 1800.0), ("bo", 1800.0), ("weak", 900.0), ("feeble", 900.0)):
        engine.record(RatingSeeded(pool=POOL, played=0, player=name, values={"rating": rating}))
    engine.record(GamePlayed(pool=POOL, played=DAY, a="weak", b="feeble", score=0.5))
    for day, newcomer in ((2, "early"), (65, "late")):
        engine.record(GamePlayed(pool=POOL, played=day * DAY, a="ann", b="bo", score=0.5))
        engine.record(GamePlayed(pool=POOL, played=(day + 1) * DAY, a="ann", b=newcomer, score=0.5))
    first = {name: engine.history(POOL, name, "elo:entry=mean(1)")[0].rating for name in ("early", "late")}
    assert first["early"] == 1350.0
    assert first["late"] > 1790.0


def test_the_entry_is_part_of_the_identity() -> None:
    assert identity(REGISTRY.method("elo:entry=mean(12)")).endswith("entry=mean(12))")
    assert identity(REGISTRY.method("elo:entry=mean")).endswith("entry=mean)")
    assert (Entry.parse("mean(12)").months, Entry.parse("mean").months) == (12, 0)


def test_a_method_that_begins_unrated_is_refused() -> None:
    engine = Engine(SqliteLog(":memory:"), REGISTRY)
    engine.record(GamePlayed(pool=POOL, played=DAY, a="ann", b="bo", score=1.0))
    with pytest.raises(BadParameter, match="entry needs a method that rates the first players: mean"):
        engine.rating_list(POOL, "elo:unrated=skip,entry=mean")
