"""A list held against other ratings, in Python."""

import io

import pytest
from ratingcore_against import against

import ratingcore as rc
from ratingcore.errors import BadValue

THEIRS = b"who,elo\nann,1700\nbo,1600\n"
MAPPED = {"player": "who", "rating": "elo"}


def test_a_mapping_in_python_says_which_columns_hold_what() -> None:
    with rc.open(":memory:") as engine:
        engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0))
        listed = engine.rating_list("p", "elo")
        found = against(engine, listed, io.BytesIO(THEIRS), fields=MAPPED)
        assert [who for who, *_ in found.apart] == ["ann", "bo"]
        for given in ({"tolerance": -1.0}, {"column": "player"}, {"column": "height"}):
            with pytest.raises(BadValue):
                against(engine, listed, io.BytesIO(THEIRS), fields=MAPPED, **given)
