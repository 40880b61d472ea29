"""First ratings: what a rule of entry may be; what it does is tested where logs are replayed."""

from typing import Any

import pytest

from ratingcore.errors import BadParameter, BadValue
from ratingcore.methods.first_ratings import Entry


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"kind": "lottery"}, "parameter kind must be one of"),
        ({"kind": "trial", "games": 5, "rule": "guess"}, "parameter rule must be one of"),
        ({"kind": "trial", "games": 2.5}, "parameter games must be a whole number"),
        ({"kind": "trial", "games": -1}, "entry"),
    ],
)
def test_an_entry_out_of_range_is_refused_by_parameter(given: Any, why: str) -> None:
    with pytest.raises((BadParameter, BadValue), match=why):
        Entry(**given)
