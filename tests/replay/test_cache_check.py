"""The check of caches: everything in files is recomputed, and what the rows of the log do not give is dropped."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from ratingcore.columns import cache
from ratingcore.columns.sealed_file import CacheKey, read_sealed, write_sealed
from ratingcore.engine import Engine, open_engine
from ratingcore.events import PlayerDescribed
from ratingcore.replay import checkpoint_store
from ratingcore.replay.checkpoint_store import StateFolder
from tests.columns.making import POOL, game, seed

METHODS = ("elo", "elo:period=month", "chess-bayes", "elo:entry=trial(3)", "adaptive-k")


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep files of everything, however little it is, and games in a file of their own."""
    monkeypatch.setattr(cache, "NEWS", 1)
    monkeypatch.setattr(cache, "SMALL", -1)
    monkeypatch.setattr(checkpoint_store, "WORTH", 0)
    monkeypatch.setattr(checkpoint_store, "FILE_SECONDS", 0.0)
    monkeypatch.setattr(checkpoint_store, "CLOSEST", 4)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_engine(tmp_path / "club.db") as opened:
        opened.record(seed(0, "p1"), *(game(day, f"p{day % 5}", f"q{day % 4}", day % 3 / 2) for day in range(1, 120)))
        opened.record(game(40.5, "p1", "late"), PlayerDescribed(pool=POOL, played=0, player="p1", data={"born": 2000}))
        for method in METHODS:
            opened.rating_list(POOL, method)
            opened.rating_list(POOL, method, through="1970-02-20")
        opened.record(game(130, "p1", "p2"))
        for method in METHODS:
            opened.rating_list(POOL, method)
            opened.rating_list(POOL, method, known_at=100)
        yield opened


def folder(engine: Engine) -> Path:
    assert engine.log.path is not None
    return engine.log.path.with_name("club.db.columns")


def states(engine: Engine) -> list[Path]:
    return sorted((folder(engine) / "1.checkpoints").rglob("*.sealed"))


def test_what_was_kept_is_what_the_rows_give(engine: Engine) -> None:
    before = states(engine)
    checked = engine.core.check_caches()
    assert (checked.pools, checked.checkpoints, checked.damaged) == (1, len(before), ())
    assert len(before) > 20
    assert states(engine) == before
    assert engine.verify(caches=True).damaged == ()


def test_a_column_that_is_wrong_under_right_digests_is_named_and_dropped(engine: Engine) -> None:
    key, rest = CacheKey(engine.log.key), folder(engine) / "1" / "rest"
    (games,) = (folder(engine) / "1").glob("games-*")
    columns = dict(read_sealed(games, key).columns)
    columns["game.score"] = np.where(np.arange(len(columns["game.score"])) == 7, 0.25, columns["game.score"])
    sealed = read_sealed(rest, key)
    facts = {**sealed.facts, "games": [games.name, write_sealed(games, key, {}, columns)]}
    write_sealed(rest, key, facts, sealed.columns)
    (damage,) = engine.verify(caches=True).damaged
    assert damage.endswith("its column game.score differs from the rows of the log")
    assert engine.verify(caches=True).damaged == ()


def test_a_checkpoint_that_is_wrong_under_a_right_digest_is_named_and_dropped(engine: Engine) -> None:
    store = StateFolder(folder(engine) / "1.checkpoints", CacheKey(engine.log.key))
    for number in (0, len(states(engine)) // 2, -1):
        file = next(file for file in store.all() if file.path == states(engine)[number])
        identity, checkpoint = store.read(file)
        rating = checkpoint.state.copy("rating")
        rating[0] += 1e-9
        store.write(evolve(checkpoint, state=checkpoint.state.replace(rating=rating)), identity, file.pinned)
        (damage,) = engine.verify(caches=True).damaged
        assert file.path.name in damage
        assert not file.path.exists()
    assert engine.verify(caches=True).damaged == ()


def test_flipped_bits_are_named_and_dropped(engine: Engine) -> None:
    (games,) = (folder(engine) / "1").glob("games-*")
    for file in (games, states(engine)[3]):
        octets = bytearray(file.read_bytes())
        octets[octets.index(b"\n") + 2] ^= 1
        file.write_bytes(octets)
    damaged = engine.verify(caches=True).damaged
    assert [bool(re.search(r"games-|\.sealed", damage)) for damage in damaged] == [True, True]
    assert engine.verify(caches=True).damaged == ()


def test_a_log_without_caches_has_none_to_check(tmp_path: Path) -> None:
    with open_engine(tmp_path / "new.db") as engine:
        assert engine.verify(caches=True).damaged == ()
    with open_engine(":memory:") as engine:
        engine.record(game(1, "a", "b"))
        assert engine.verify(caches=True).damaged == ()


def test_a_file_of_another_history_is_no_damage(engine: Engine) -> None:
    key, rest = CacheKey(engine.log.key), folder(engine) / "1" / "rest"
    sealed = read_sealed(rest, key)
    write_sealed(rest, key, {**sealed.facts, "digest": "0" * 64}, sealed.columns)
    assert engine.verify(caches=True).damaged == ()
