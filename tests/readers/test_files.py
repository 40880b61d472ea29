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
