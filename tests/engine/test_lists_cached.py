"""Published lists and the cache: they are made from the log itself, and rows are read once."""

from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.columns.sealed_file import CacheKey, read, write
from ratingcore.errors import ListDiffers
from ratingcore.log import SqliteLog
from tests.columns.making import POOL, game


@pytest.fixture
def cached(tmp_path: Path) -> Path:
    """A log with columns and checkpoints in files."""
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(*(game(day, f"p{day % 7}", f"q{day % 5}", day % 3 / 2) for day in range(1200)))
        engine.rating_list(POOL, "elo")
    return tmp_path / "club.db"


def _forge(path: Path) -> None:
    """Turn every game round in the columns, under digests that are right."""
    with rc.open(path) as engine:
        key = CacheKey(engine.log.key)
    rest = path.with_name("club.db.columns") / "1" / "rest"
    sealed = read(rest, key)
    turned = {"tail.a": sealed.columns["tail.b"], "tail.b": sealed.columns["tail.a"]}
    write(rest, key, sealed.facts, {**sealed.columns, **turned})


def test_nothing_is_published_from_a_cache_that_is_wrong(cached: Path) -> None:
    with rc.open(cached) as engine:
        true = engine.rating_list(POOL, "elo")
    _forge(cached)
    with rc.open(cached) as engine:
        wrong = engine.rating_list(POOL, "elo")
        assert wrong.seal != true.seal
        head = engine.log.head
        with pytest.raises(ListDiffers, match="is not what the rows of the log give") as caught:
            engine.publish(wrong, "spring")
        assert "make the list again" in caught.value.hint
        assert engine.log.head == head, "nothing was written"
        made = engine.rating_list(POOL, "elo")
        assert made.seal == true.seal, "the cache was dropped"
        assert engine.publish(made, "spring").seal == true.seal


def test_a_published_list_and_a_proof_read_no_cache(cached: Path) -> None:
    with rc.open(cached) as engine:
        true = engine.rating_list(POOL, "elo")
        engine.publish(true, "spring")
    _forge(cached)
    with rc.open(cached) as engine:
        wrong = engine.rating_list(POOL, "elo")
        assert wrong.seal != true.seal
        assert engine.published_list("spring").seal == true.seal
        assert engine.prove(true.document("json"))
        assert not engine.prove(wrong.document("json"))


def test_rows_are_read_once_however_many_lists_are_published(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    games = SqliteLog.games
    monkeypatch.setattr(
        SqliteLog, "games", lambda log, pool, after, to: read.append(to - after) or games(log, pool, after, to)
    )
    with rc.open(cached) as engine:
        for number in range(5):
            engine.publish(engine.rating_list(POOL, "elo"), f"list {number}")
    assert sum(read) < 1200 + 100
