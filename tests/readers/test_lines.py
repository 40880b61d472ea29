"""Lines of text files at the speed of a file: one kind of ends, and bounds."""

from io import BytesIO
from random import Random
from typing import NoReturn

import pytest

from ratingcore.errors import BadFile
from ratingcore.readers.source import LINE, open_lines


def refuse(why: str, advice: str) -> NoReturn:
    raise BadFile("f", why, advice)


class Small(BytesIO):
    """A file that gives few bytes at a time, as a decompressor may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size, 7) if size and size > 0 else size)


def lines(content: bytes, file: type[BytesIO] = BytesIO) -> list[bytes]:
    with open_lines(file(content), lambda count: None, refuse) as opened:
        return list(opened)


@pytest.mark.parametrize("file", [BytesIO, Small])
def test_lines_are_those_of_splitlines_with_one_kind_of_end(file: type[BytesIO]) -> None:
    random = Random(14)
    for _ in range(300):
        content = b"".join(random.choices((b"\r", b"\n", b"\r\n", b"a", b"[b", b"\xe9"), k=random.randrange(60)))
        assert [line.rstrip(b"\n") for line in lines(content, file)] == content.splitlines()


def test_line_ends_across_chunks_are_one() -> None:
    content = (b"x" * (LINE - 1) + b"\r\n") * 3 + b"\r" * 5
    assert [len(line) for line in lines(content)] == [LINE, LINE, LINE, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("length", [LINE - 1, LINE, LINE + 1, 2 * LINE, 5 * LINE + 3])
def test_of_a_line_that_is_too_long_the_first_bytes_come(length: int) -> None:
    found = lines(b"a\n" + b"x" * length + b"\nb\n" + b"y" * length)
    assert [found[0], found[2]] == [b"a\n", b"b\n"]
    assert len(found[1]) == min(length, LINE + 1) + 1
    assert len(found[3]) == min(length, LINE + 1)


@pytest.mark.parametrize("content", [b"\xff\xfea", b"\xfe\xffa", b"a\0", b"a" * 3 * LINE + b"\0"])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile):
        lines(content)


def test_a_mark_alone_is_an_empty_file_and_progress_counts_all_bytes() -> None:
    seen: list[int] = []
    with open_lines(BytesIO(b"\xef\xbb\xbfa\r\nb"), seen.append, refuse) as opened:
        assert list(opened) == [b"a\n", b"b"]
    assert sum(seen) == 7
    assert lines(b"\xef\xbb\xbf") == []
