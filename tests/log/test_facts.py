"""What a log says of itself."""

import pytest

from ratingcore.errors import BadCut
from ratingcore.log import EMPTY, Head


def test_a_head_is_read_as_it_is_printed() -> None:
    head = Head(17, "0123456789abcdef" * 4)
    assert Head.parse(str(head)) == head
    assert Head.parse(str(EMPTY)) == EMPTY


def test_twelve_digits_of_a_digest_are_enough_in_any_case() -> None:
    assert Head.parse("17: 0123456789AB ") == Head(17, "0123456789ab")


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "17", "17:", "17:0123456789a", "17:0123456789ag", "17:0123456789ab:", "0123456789ab:17"),
        *(f"{position}:0123456789ab" for position in ("x", "-1", "²", "1.5", "1 7", "9" * 5000)),
    ],
)
def test_what_is_no_anchor_is_refused(text: str) -> None:
    with pytest.raises(BadCut, match="is not POSITION:DIGEST with 12 or more hexadecimal digits"):
        Head.parse(text)
