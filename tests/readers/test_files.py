"""Text files of tables: lines and their length."""

from io import StringIO

import pytest

from ratingcore.readers.files import Lines


@pytest.mark.parametrize(
    ("line", "long"),
    [("abc\n", False), ("abcd\n", True), ("abcde\n", True), ("abcdefgh\n", True), ("abc", False), ("abcd", True)],
)
def test_a_line_has_so_many_characters_at_most_its_end_included(line: str, long: bool) -> None:
    lines = Lines(StringIO(f"1\n{line}", newline=""), longest=4)
    assert list(lines) == ["1\n", "\n" if long else line]
    assert lines.long == ({2} if long else set())


def test_what_follows_a_line_that_is_too_long_keeps_its_number() -> None:
    lines = Lines(StringIO("abcdefghij\r\n\nab\r\n", newline=""), longest=4)
    assert list(lines) == ["\n", "\n", "ab\r\n"]
    assert lines.long == {1}


@pytest.mark.parametrize(
    ("text", "lines", "long"),
    [
        ("abc\r\nx\n", ["\n", "x\n"], {1}),
        ("abcdefg\r\nx\n", ["\n", "x\n"], {1}),
        ("ab\r\nx\r\n", ["ab\r\n", "x\r\n"], set()),
        ("abc\rde\r", ["abc\r", "de\r"], set()),
        ("abc\r\rde\r", ["abc\r", "\r", "de\r"], set()),
        ("abc\rdefgh\rx\r", ["abc\r", "\n", "x\r"], {2}),
        ("abc\r", ["abc\r"], set()),
    ],
)
def test_an_end_of_two_signs_that_is_cut_apart_is_one(text: str, lines: list[str], long: set[int]) -> None:
    """The second sign was a line of its own, and all numbers after it were one too high."""
    read = Lines(StringIO(text, newline=""), longest=4)
    assert (list(read), read.long) == (lines, long)
