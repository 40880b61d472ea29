"""The core of an engine: names, cuts, columns, and errors explained."""

import datetime as dt
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.engine import Engine, open_engine
from ratingcore.errors import (
    BadCut,
    BadParameter,
    BadValue,
    MethodNotFound,
    UnknownName,
    UnknownUid,
    WrongForm,
)
from ratingcore.events import DAY, PlayerDescribed, instant
from ratingcore.log import Head, SqliteLog, load_lines
from ratingcore.log.lookup import uid_at
from ratingcore.registry import Registry
from tests.columns.making import POOL, engine, game, seed, session


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Engine]:
    with rc.open(tmp_path / "club.db") as made:
        yield made


def test_a_method_is_a_text_or_a_value() -> None:
    eng = Engine(SqliteLog(":memory:"))
    eng.record(game(1, "ann", "bo"))
    assert eng.rating_list(POOL, "elo:k=24").digest == eng.rating_list(POOL, Elo(k=24.0)).digest
    with pytest.raises(MethodNotFound):
        eng.rating_list(POOL, "eloo")
    with pytest.raises(BadParameter):
        eng.rating_list(POOL, "elo:k=many")


def test_a_pool_of_sessions_alone_cannot_be_rated_by_a_method_of_games() -> None:
    eng = engine(session(1, ("ab", 1.0), ("cd", 2.0)))
    with pytest.raises(WrongForm):
        eng.rating_list(POOL, Elo())
    assert len(eng.rating_list(POOL, Elo(), through=0)) == 0
    assert eng.core.view(POOL).names() == ["a", "b", "c", "d"]


def test_a_pool_of_seeds_alone_is_a_list() -> None:
    eng = engine(seed(3, "ann", 1700.0), seed(4, "bo", 1600.0))
    found = eng.rating_list(POOL, Elo())
    assert [(row["player"], row["rating"], row["games"]) for row in found] == [("ann", 1700.0, 0), ("bo", 1600.0, 0)]
    assert [line.opponent for line in eng.history(POOL, "ann", Elo())] == ["seed"]


def test_a_log_in_memory_and_a_file_have_backups(opened: Engine, tmp_path: Path) -> None:
    for number, one in enumerate((opened, engine(game(1, "ann", "bo")))):
        one.record(game(2, "ann", "bo"))
        one.log.backup(tmp_path / f"{number}.db")
        with rc.open(tmp_path / f"{number}.db") as copy:
            assert copy.log.head == one.log.head
            assert copy.rating_list(POOL, Elo()).digest == one.rating_list(POOL, Elo()).digest


def test_an_export_loads_into_the_same_lists(opened: Engine) -> None:
    opened.record(game(1, "ann", "bo", uid="g"), seed(0, "ann"), session(2, ("ab", 1.0), ("c", 2.0), pool="pairs"))
    opened.amend("g", {"score": 0.5})
    copy = Engine(SqliteLog(":memory:"))
    load_lines(copy.log, opened.export())
    assert copy.log.head == opened.log.head == copy.verify([opened.log.head, str(opened.log.head)]).head
    for known_at in range(5):
        here, there = (e.rating_list(POOL, "elo", known_at=known_at) for e in (opened, copy))
        assert here.digest == there.digest
        assert here.provenance == there.provenance


def test_what_another_process_has_written_is_seen(opened: Engine, tmp_path: Path) -> None:
    opened.record(game(1, "ann", "bo"))
    assert len(opened.rating_list(POOL, "elo")) == 2
    with rc.open(tmp_path / "club.db") as other:
        other.record(game(2, "cy", "dee"), game(0, "eve", "ann"), game(1, "x", "y", pool="new"))
    assert len(opened.rating_list(POOL, "elo")) == 5
    assert len(opened.rating_list("new", "elo")) == 2


def test_a_log_opened_to_read_shows_the_same_lists(opened: Engine, tmp_path: Path) -> None:
    opened.record(game(1, "ann", "bo"))
    with open_engine(tmp_path / "club.db", read_only=True) as reader:
        assert reader.rating_list(POOL, "elo").digest == opened.rating_list(POOL, "elo").digest
    opened.record(game(2, "ann", "bo"))
    with open_engine(tmp_path / "club.db", read_only=True) as reader:
        assert reader.rating_list(POOL, "elo").digest == opened.rating_list(POOL, "elo").digest


def test_a_batch_that_was_refused_leaves_every_list_as_it_was(opened: Engine) -> None:
    opened.record(game(1, "ann", "bo", uid="g"))
    before = opened.rating_list(POOL, "elo")
    with pytest.raises(UnknownUid):
        opened.record(game(2, "cy", "dee"), rc.ResultVoided(of="missing"))
    after = opened.rating_list(POOL, "elo")
    assert (after.digest, after.provenance) == (before.digest, before.provenance)
    with pytest.raises(UnknownName):
        opened.core.player_id("cy")
    opened.record(game(2, "cy", "dee"))
    assert len(opened.rating_list(POOL, "elo")) == 4


def test_pools_are_those_of_the_log_also_when_no_result_is_left() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), game(1, "ann", "bo", pool="other"))
    eng.void("g")
    assert eng.pools() == [POOL, "other"]
    assert len(eng.rating_list(POOL, Elo())) == 0


def test_names_the_log_does_not_know_are_refused_with_those_that_are_near() -> None:
    eng = engine(game(1, "annabel", "bo"))
    with pytest.raises(UnknownName, match="no pool named: clubb") as caught:
        eng.rating_list("clubb", Elo())
    assert caught.value.hint == "did you mean club?"
    with pytest.raises(UnknownName, match="no player named: anabel") as caught:
        eng.history(POOL, "anabel", Elo())
    # a site shows the hint to anybody; the keeper of the log sees the suggestion
    assert (caught.value.hint, caught.value.suggestion) == ("", "did you mean annabel?")
    with pytest.raises(UnknownName):
        Engine(SqliteLog(":memory:"), Registry()).rating_list(POOL, Elo())


def test_one_name_in_two_unicode_forms_is_one_player_and_one_pool() -> None:
    composed, apart = "Zo\u00eb", "Zoe\u0308"
    eng = engine(game(1, composed, "bo", pool=composed))
    assert eng.rating_list(apart, Elo()).pool == composed
    assert eng.history(apart, apart, Elo()) == eng.history(composed, composed, Elo())
    assert len(eng.history(apart, apart, Elo())) == 1


def test_a_player_who_is_not_in_the_pool_at_the_cut_has_no_history() -> None:
    eng = engine(
        game(5, "ann", "bo"),
        game(1, "cy", "dee", pool="other"),
        PlayerDescribed(pool=POOL, player="eve", played=0, data={}),
    )
    for player, cuts in (("cy", {}), ("eve", {}), ("ann", {"through": DAY}), ("ann", {"known_at": 0})):
        with pytest.raises(UnknownName, match=player):
            eng.history(POOL, player, Elo(), **cuts)  # type: ignore[arg-type]  # cuts


RECORDED = [instant(f"2024-03-0{day}T12:00") for day in range(1, 6)]


@pytest.fixture
def dated() -> Engine:
    """Five games in four batches: at noon of the first to the fourth of March 2024, two in the third."""
    clock = chain(RECORDED, repeat(RECORDED[-1]))
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
    assert dated.core.position(known_at) == position
    assert dated.rating_list(POOL, Elo(), known_at=known_at).known_at == position


def test_a_head_is_a_cut_if_it_is_of_this_log(dated: Engine) -> None:
    """Any head was taken by its position, also one of another history."""
    for position in range(6):
        assert dated.core.position(Head(position, dated.log.digest_at(position))) == position
    assert dated.core.position(Head.parse(f"3:{dated.log.digest_at(3)[:16]}")) == 3
    with pytest.raises(BadCut, match="known_at is not a head of this log: 3:00000"):
        dated.core.position(Head(3, "0" * 64))


@pytest.mark.parametrize(
    "known_at", [-1, 6, 10**18, "6", "9999999", "²", "-1", "", "yesterday", "2024-13-01", 3.5, Head(6, "a" * 64)]
)
def test_a_cut_that_names_no_point_of_the_log_is_refused(known_at: Any, dated: Engine) -> None:
    with pytest.raises((BadCut, BadValue)):
        dated.core.position(known_at)


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
    dated.void(uid_at(dated.log, 3))
    assert [len(dated.core.replay(POOL, Elo(), known_at=k).results) for k in range(7)] == [0, 1, 2, 3, 4, 5, 4]
