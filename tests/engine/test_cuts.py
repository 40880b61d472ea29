"""Cuts in the log and in played time, and what is known there."""

import datetime as dt
from typing import Any

import pytest
from ratingcore_elo import Elo

from ratingcore.engine import Engine
from ratingcore.errors import (
    BadCut,
    BadValue,
)  # fmt: skip
from ratingcore.events import DAY, instant
from ratingcore.log import Head, SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import POOL, engine, game

RECORDED = [instant(f"2024-03-0{day}T12:00") for day in range(1, 6)]


@pytest.fixture
def dated() -> Engine:
    """Five games in four batches: at noon of the first to the fourth of March 2024, two in the third."""
    clock = iter(RECORDED)
    made = Engine(SqliteLog(":memory:", clock=lambda: next(clock)), Registry())
    for count in (1, 1, 2, 1):
        made.record(*(game(1, "ann", "bo") for _ in range(count)))
    return made


@pytest.mark.parametrize(
    ("known_at", "position"),
    [
        (None, 5), (0, 0), (3, 3), (5, 5), ("0", 0), (" 4 ", 4), ("2024-03-01", 1),
        ("2024-03-03", 4), ("2024-03-03T11:59", 2), ("2024-03-03T12:00", 4), ("2030-01-01", 5),
        (dt.date(2024, 3, 2), 2), (dt.datetime(2024, 3, 2, 12), 2), (dt.datetime(2024, 3, 2, 11, tzinfo=dt.UTC), 1),
        (dt.datetime(2024, 3, 2, 13, tzinfo=dt.timezone(dt.timedelta(hours=2))), 1),
    ],
)  # fmt: skip
def test_a_cut_in_the_log_is_a_position_a_text_or_a_time(known_at: Any, position: int, dated: Engine) -> None:
    assert dated.position(known_at) == position
    assert dated.rating_list(POOL, Elo(), known_at=known_at).known_at == position


def test_a_head_is_a_cut_if_it_is_of_this_log(dated: Engine) -> None:
    """Any head was taken by its position, also one of another history."""
    for position in range(6):
        assert dated.position(Head(position, dated.log.digest_at(position))) == position
    assert dated.position(Head.parse(f"3:{dated.log.digest_at(3)[:16]}")) == 3
    with pytest.raises(BadCut, match="known_at is no head of this log: 3:00000"):
        dated.position(Head(3, "0" * 64))


@pytest.mark.parametrize(
    "known_at", [-1, 6, 10**18, "6", "9999999", "²", "-1", "", "yesterday", "2024-13-01", 3.5, Head(6, "a" * 64)]
)
def test_a_cut_that_names_no_point_of_the_log_is_refused(known_at: Any, dated: Engine) -> None:
    with pytest.raises((BadCut, BadValue)):
        dated.position(known_at)


@pytest.mark.parametrize("through", ["soon", "2024-02-30", 3.5, True])
def test_a_cut_in_played_time_that_is_no_time_is_refused(through: Any, dated: Engine) -> None:
    with pytest.raises(BadValue):
        dated.rating_list(POOL, Elo(), through=through)


def test_through_includes_the_day() -> None:
    eng = engine(game(1, "ann", "bo"), game(1.99, "ann", "cy"), game(2, "ann", "dee"))
    assert set(eng.rating_list(POOL, Elo(), through="1970-01-02").player) == {"ann", "bo", "cy"}
    assert set(eng.rating_list(POOL, Elo(), through=dt.date(1970, 1, 2)).player) == {"ann", "bo", "cy"}
    assert set(eng.rating_list(POOL, Elo(), through=dt.datetime(1970, 1, 2, tzinfo=dt.UTC)).player) == {"ann", "bo"}
    assert set(eng.rating_list(POOL, Elo(), through=DAY).player) == {"ann", "bo"}


def test_a_cut_in_the_middle_of_a_batch_knows_its_leading_events(dated: Engine) -> None:
    dated.void(dated.log.uid(3))
    assert [len(dated.replay(POOL, Elo(), known_at=k).results) for k in range(7)] == [0, 1, 2, 3, 4, 5, 4]
