"""Ids of many rows in which a player is named, found as in each row by itself."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingcore.corrections.mentions import Mentions
from ratingcore.importer.name_notes import NamesInIds
from ratingcore.importer.remarks import ResultRemarks

_NAMES = st.lists(st.text("abAS1\u017f\u00df-", min_size=1, max_size=7), min_size=2, max_size=5, unique=True)


@given(st.lists(st.text("abABs1-", min_size=1, max_size=9), min_size=1, max_size=6), _NAMES, st.data())
def test_ids_with_a_name_are_those_that_mention_it(uids: list[str], names: list[str], data: st.DataObject) -> None:
    """Ids as bytes and as texts; the long s and the sharp s are s and ss without regard to case."""
    places = st.lists(st.integers(0, len(names) - 1), min_size=len(uids), max_size=len(uids))
    a, b = (np.array(data.draw(places)) for _ in range(2))
    speaking = [
        uid
        for uid, one, other in zip(uids, a.tolist(), b.tolist(), strict=True)
        if Mentions([names[one]]).within(uid) or Mentions([names[other]]).within(uid)
    ]
    given_ids: tuple[Any, ...] = uids, np.array([uid.encode() for uid in uids])
    for ids in given_ids:
        remarks = ResultRemarks()
        assert remarks.add_ids(ids, names, a, b) == bool(speaking)
        assert remarks.notes() == ([NamesInIds(len(speaking), speaking[0])] if speaking else [])


@pytest.mark.parametrize("uid", ["zo\u00eb-1", "1 ZO\u00cb"])
def test_ids_beyond_ascii_may_name_a_player(uid: str) -> None:
    remarks = ResultRemarks()
    assert remarks.add_ids(["x", uid], ["ann", "zo\u00eb"], np.array([0, 0]), np.array([0, 1]))
    assert remarks.notes() == [NamesInIds(1, uid)]
