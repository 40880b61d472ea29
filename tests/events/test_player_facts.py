"""Facts of players in the book of names, each under a key of position, field and value."""

import pytest

from ratingcore.events.player_facts import fact_key, values_of
from ratingcore.events.values import Fact


@pytest.mark.parametrize("field", ["club", ",", ",club", 'a"b', ',"', "a,b", "é", "a\\b"])
def test_a_fact_reads_as_it_was_given_whatever_its_field_is_called(field: str) -> None:
    """A field that began with a comma made every read of the players fail."""
    given: list[Fact] = ["", "SK Praha", '",', "a\\b", ", ", 5, 1.5, True]
    read = values_of([fact_key(7, field, value) for value in given])
    assert [(type(value), value) for value in read] == [(type(value), value) for value in given]
