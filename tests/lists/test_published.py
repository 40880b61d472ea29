"""What the log keeps of a published list, and how it is found again."""

import pytest
from ratingcore_elo import Elo

import ratingcore as rc
from ratingcore.columns import FOREVER
from ratingcore.engine import Engine
from ratingcore.errors import BadValue, HeadMoved, SeveralLists, UnknownList
from ratingcore.events import ListPublished, instant, last_instant
from ratingcore.lists.published import find_published, published_lists, uid_of
from ratingcore.log import SqliteLog
from ratingcore.registry import Registry
from tests.columns.making import POOL, game

NOON = instant("2024-04-01T12:00")


@pytest.fixture
def eng() -> Engine:
    made = Engine(SqliteLog(":memory:", clock=lambda: NOON), Registry.installed())
    made.record(game(1, "ann", "bo"), game(40, "bo", "ann"), game(1, "cy", "dee", pool="blitz"))
    return made


def test_the_event_holds_the_question_and_the_seal_and_no_digest_of_names(eng: Engine) -> None:
    found = eng.rating_list(POOL, Elo(), through="1970-02-03", policy="min_games=1,digits=0")
    eng.publish(found, "1970-02")
    row, event = list(eng.events())[-1]
    assert isinstance(event, ListPublished)
    assert (event.pool, event.name, event.played) == (POOL, "1970-02", last_instant("1970-02-03"))
    assert dict(event.data) == {
        "method": found.provenance.method, "known_at": 3, "digest": eng.log.digest_at(3), "seal": found.seal,
        "players": 2, "version": found.provenance.version, "through": last_instant("1970-02-03"),
        "policy": "min_games=1,digits=0",
    }  # fmt: skip
    assert found.digest not in str(row)
    assert "ann" not in str(row)


def test_what_is_read_back_is_what_was_published(eng: Engine) -> None:
    found = eng.rating_list(POOL, Elo())
    published = eng.publish(found, "all")
    assert list(published_lists(eng.log)) == [published]
    made = found.provenance
    assert (published.name, published.pool, published.position, published.recorded) == ("all", POOL, 4, NOON)
    assert (published.known_at, published.digest, published.through, published.at) == (3, made.digest, FOREVER, made.at)
    assert (published.seal, published.players, published.policy) == (found.seal, 2, "")
    assert (published.method, published.version) == (made.method, made.version)
    assert str(published.head) == f"3:{made.digest}"


def test_lists_are_read_in_the_order_of_publication_of_all_pools_or_of_one(eng: Engine) -> None:
    for pool, name in ((POOL, "b"), ("blitz", "z"), (POOL, "a"), ("blitz", "a")):
        eng.publish(eng.rating_list(pool, Elo()), name)
    assert [(found.pool, found.name) for found in eng.published()] == [
        (POOL, "b"), ("blitz", "z"), (POOL, "a"), ("blitz", "a"),
    ]  # fmt: skip
    assert [found.name for found in eng.published("blitz")] == ["z", "a"]
    assert find_published(eng.log, "z").pool == "blitz"
    assert find_published(eng.log, "a", eng.core.pool_id("blitz")).position == 7
    with pytest.raises(SeveralLists, match="lists of several pools were published as a: club, blitz"):
        find_published(eng.log, "a")


def test_a_name_that_was_never_given_is_told_with_those_that_are_near(eng: Engine) -> None:
    eng.publish(eng.rating_list(POOL, Elo()), "2024-03")
    with pytest.raises(UnknownList, match="no list was published as: 2024-3") as caught:
        eng.published_list("2024-3")
    assert caught.value.hint == "did you mean 2024-03?"
    with pytest.raises(UnknownList, match="no list of pool blitz was published as: 2024-03"):
        eng.published_list("2024-03", "blitz")


def test_a_list_event_that_somebody_recorded_by_hand_is_no_published_list(eng: Engine) -> None:
    pool = eng.core.pool_id(POOL)
    eng.record(
        ListPublished(pool=POOL, played=0, name="march"),
        ListPublished(pool=POOL, played=0, name="april", uid=uid_of(eng.log.key, pool, "april")),
        ListPublished(pool=POOL, played=0, name="may", data={"seal": "x" * 64, "method": "elo@1()"}),
    )
    assert not eng.published()
    with pytest.raises(UnknownList):
        eng.published_list("april")


def test_the_uid_of_a_publication_follows_from_key_pool_and_name() -> None:
    uids = {uid_of(key, pool, name) for key in ("k", "l") for pool in (1, 2) for name in ("a", "b")}
    assert len(uids) == 8
    assert uid_of("k", 1, "a") in uids


@pytest.mark.parametrize("name", ["Zoë im März", "李", "a:b", "march 2024", "e\u0301"])
def test_any_name_will_do(eng: Engine, name: str) -> None:
    found = eng.rating_list(POOL, Elo())
    eng.publish(found, name)
    assert eng.published_list(name).digest == found.digest
    assert eng.core.position(f"list:{name}") == 3


def test_a_name_with_white_space_at_its_ends_is_refused(eng: Engine) -> None:
    with pytest.raises(BadValue, match="white space"):
        eng.publish(eng.rating_list(POOL, Elo()), " spaced ")


def test_a_name_with_the_word_list_before_it_is_that_name_and_no_list_is_published_as_one() -> None:
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        march = engine.rating_list("p", "elo")
        engine.publish(march, name="all of 1990")
        assert engine.core.published("list:all of 1990").name == "all of 1990"
        with pytest.raises(BadValue, match="begins with list:"):
            engine.publish(march, name="list:march")


def test_a_list_is_found_without_going_through_the_others(eng: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Publishing looked at every list that had been published before: 1,600 lists took 28 seconds."""
    listed = eng.rating_list(POOL, Elo())
    read = []
    rows, find = SqliteLog.rows, SqliteLog.find
    monkeypatch.setattr(SqliteLog, "rows", lambda *args: (read.append(row) or row for row in rows(*args)))
    monkeypatch.setattr(SqliteLog, "find", lambda *args: (found := find(*args), read.extend(found))[0])
    work = []
    for n in range(40):
        read.clear()
        eng.publish(listed, f"list {n}")
        eng.rating_list(POOL, Elo(), known_at=f"list {n}")
        work.append(len(read))
    assert work[-1] <= work[1]


def test_a_list_is_published_where_the_log_stands_as_expected_or_was_published_already(eng: Engine) -> None:
    listed, seen = eng.rating_list(POOL, Elo()), eng.log.head
    eng.record(game(50, "bo", "ann"))
    with pytest.raises(HeadMoved):
        eng.publish(listed, "1970-02", expect=seen)
    now = eng.log.head
    published = eng.publish(listed, "1970-02", expect=now)
    assert eng.publish(listed, "1970-02", expect=now) == published
