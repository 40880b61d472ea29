"""The stamp of a look differs after whatever changes an answer, and of an unchanged file a look is taken once."""

from pathlib import Path

import ratingcore as rc


def _game(day: int) -> rc.GamePlayed:
    return rc.GamePlayed(pool="rapid", played=f"2024-03-{day:02d}", a="ann", b="bo", score=1.0)


def test_the_stamp_is_that_of_a_look_after_every_append_and_erasure(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as engine, rc.open(path) as other:
        seen = [other.log.look().stamp]
        for change in (
            lambda: engine.record(_game(2)),
            lambda: other.record(_game(3)),
            lambda: engine.erase("ann"),
            lambda: engine.record(_game(4)),
        ):
            change()
            assert other.log.look().stamp == engine.log.look().stamp
            seen.append(other.log.look().stamp)
        assert len(set(seen)) == 5


def test_inside_a_transaction_the_stamp_is_what_it_would_leave(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(_game(2))
        before = engine.log.look().stamp
        try:
            with engine.log.writing():
                engine.record(_game(3))
                assert engine.log.look().stamp.position == 2
                raise RuntimeError
        except RuntimeError:
            pass
        assert engine.log.look().stamp == before


def test_an_unchanged_file_is_not_looked_at_again(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(_game(2))
        assert engine.log.look() is engine.log.look()


def test_a_log_in_memory_and_a_what_if_have_stamps_too() -> None:
    engine = rc.open(":memory:")
    engine.record(_game(2))
    assert engine.log.look().stamp.position == 1
    assert engine.what_if([_game(3)]).log.look().stamp.position == 2
