"""Voids that are taken back after the results came once more."""

from collections.abc import Iterator
from io import BytesIO

import pytest

from ratingcore.engine import Engine, open_engine
from ratingcore.events import GamePlayed
from ratingcore.log.lookup import uid_at

HEAD = b"played,a,b,score\n"
ROWS = b"2024-03-02,ann,bo,1-0\n2024-03-02,cy,dee,0-1\n2024-03-03,ann,cy,1-0\n"


@pytest.fixture
def engine() -> Iterator[Engine]:
    """Three games, positions 1 to 3, that were taken back by positions 4 to 6."""
    with open_engine(":memory:") as made:
        made.import_file(BytesIO(HEAD + ROWS), "p")
        made.apply(made.plan.void_all(made.plan.chosen(positions=[(1, 3)])))
        yield made


def taken_back(engine: Engine, first: int, last: int) -> str:
    plan = engine.plan.void_all(engine.plan.chosen(positions=[(first, last)]))
    engine.apply(plan)
    return "; ".join(map(str, plan.notes))


@pytest.mark.parametrize(
    "rows", [ROWS, ROWS.replace(b"1-0", b"1/2"), ROWS.replace(b"ann,bo,1-0", b"bo,ann,0-1")],
    ids=["the same", "corrected", "from the other side"],
)  # fmt: skip
def test_both_versions_count_after_the_first_one_is_brought_back(engine: Engine, rows: bytes) -> None:
    """Nothing was said, and every game counted twice."""
    engine.import_file(BytesIO(HEAD + rows), "p")
    assert taken_back(engine, 4, 6) == (
        "3 results that count again are in the log a second time, recorded while the first one was void: positions "
        "1 and 7; 2 and 8; 3 and 9; if they are the same, void one of the two"
    )
    assert taken_back(engine, 10, 12) == "", "the voids count once more"


def test_results_that_nothing_came_for_are_not_named(engine: Engine) -> None:
    games = [("p", "2024-03-04", "ann", "bo"), ("q", "2024-03-02", "ann", "bo"), ("p", "2024-03-02", "ann", "dee")]
    engine.record(*[GamePlayed(pool=pool, played=day, a=a, b=b, score=1.0) for pool, day, a, b in games])
    assert taken_back(engine, 4, 6) == ""


def test_a_second_game_of_two_players_on_a_day_that_was_there_before_is_not_named() -> None:
    with open_engine(":memory:") as engine:
        engine.import_file(BytesIO(HEAD + b"2024-03-02,ann,bo,1-0\n2024-03-02,bo,ann,1-0\n"), "p")
        engine.void(uid_at(engine.log, 1))
        assert taken_back(engine, 3, 3) == ""


def test_a_result_that_is_revived_is_named_too(engine: Engine) -> None:
    engine.import_file(BytesIO(HEAD + ROWS), "p")
    (note,) = engine.plan.revive(uid_at(engine.log, 2)).notes
    assert str(note).startswith(
        "1 result that counts again is in the log a second time, recorded while the first one was void: "
        "positions 2 and 8; if they are the same, void one of the two"
    )
