"""Names: one spelling, and those that tell nobody who it is."""

import pytest

from ratingcore.errors import BadValue
from ratingcore.readers import clean_name, registered, tells_who


def test_a_name_has_one_spelling() -> None:
    assert clean_name("  Müller ,\tJo\u0308rg\u00a0 ") == "Müller, Jörg"


@pytest.mark.parametrize("text", ["a\x00b", "a\u202eb", "x" * 10_000, "a\u200bb"])
def test_a_name_that_nobody_can_read_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        clean_name(text)


@pytest.mark.parametrize("text", ["", "?", "? ??", "NN", "n.n.", "BYE", "Spielfrei", "TBD", "12"])
def test_a_name_that_tells_nobody(text: str) -> None:
    assert not tells_who(text)


@pytest.mark.parametrize("number", ["0", "-", "stockfish", "", "000", "-1", "1" * 30])
def test_a_number_that_is_no_id(number: str) -> None:
    assert registered("fide", number) is None
