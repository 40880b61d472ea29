"""Events, recorded as batches and read in order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import (
    BadValue,
    HeadMoved,
)  # fmt: skip
from tests.columns.making import engine, game, seed


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Engine]:
    with rc.open(tmp_path / "club.db") as made:
        yield made


def test_recording_upon_a_head_that_has_moved_is_refused(opened: Engine) -> None:
    head = opened.record(game(1, "ann", "bo")).head
    opened.record(game(2, "ann", "bo"), expect=head)
    with pytest.raises(HeadMoved):
        opened.record(game(3, "ann", "bo"), expect=head)


def test_events_come_with_their_rows_in_order() -> None:
    eng = engine(game(1, "ann", "bo", uid="g"), seed(1, "ann"))
    eng.void("g")
    assert [(row.position, event.kind) for row, event in eng.events()] == [(1, "game"), (2, "seed"), (3, "void")]
    assert [event.kind for _, event in eng.events(after=1, kinds=["void", "game"])] == ["void"]
    assert next(event for _, event in eng.events(kinds=["void"])).of == "g"  # type: ignore[attr-defined]  # a void


@pytest.mark.parametrize("count", [1_709_400_123, 1_709_400_123_456])
def test_a_count_of_seconds_is_no_time(count: int) -> None:
    """`int(time.time())` was recorded as a moment of 1 January 1970, since whole numbers are microseconds."""
    played = {"pool": "p", "a": "ann", "b": "bo", "score": 1.0}
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(uid="g", played=1_709_400_000_000_000, **played))  # type: ignore[arg-type]  # various types
        for refused in (
            lambda: engine.record(rc.GamePlayed(played=count, **played)),  # type: ignore[arg-type]  # as above
            lambda: engine.amend("g", {"played": count}),
        ):
            with pytest.raises(BadValue, match="counts microseconds since 1970, and would be 1970-01-"):
                refused()
        meant = rc.GamePlayed(uid="h", played="1970-01-01T00:29:56Z", **played)  # type: ignore[arg-type]  # as above
        assert engine.record(meant).accepted == 1


def test_a_list_of_events_is_told_from_events() -> None:
    with rc.open(":memory:") as engine, pytest.raises(BadValue, match=r"record\(\*events\)"):
        engine.record([rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0)])  # type: ignore[arg-type]  # the mistake


def test_events_are_an_answer_like_the_others() -> None:
    """They were a generator, without a length or columns."""
    with rc.open(":memory:") as engine:
        for n in range(3):
            engine.record(rc.GamePlayed(uid=f"g{n}", pool="p", played=f"2024-03-0{n + 1}", a="ann", b="bo", score=1.0))
        engine.void("g1", why="slip")
        every, games = engine.events(), engine.events(kinds=["game"])
        assert (len(every), len(games), len(engine.events(1, to=3))) == (4, 3, 2)
        assert [event.uid for _, event in (every[0], every[2], games[-1])] == ["g0", "g2", "g2"]
        assert [row.position for row, _ in every[1:3]] == [2, 3]
        with pytest.raises(IndexError):
            every[4]
        engine.record(rc.GamePlayed(pool="p", played="2024-04-01", a="ann", b="bo", score=1.0))
        assert len(list(every)) == 4, "as they were when they were asked for"
        assert every.as_table()[3] | {"uid": ""} == {
            "position": 4, "kind": "void", "uid": "", "pool": None, "played": None, "order": None, "a": None, "b": None,
            "score": None, "data": None, "of": "g1", "why": "slip", "by": "",
        }  # fmt: skip
        assert engine.players().as_table()[0] == {"player": "ann"}
