"""Lines of text files at the speed of a file: one kind of ends, and bounds."""

import io
from io import BytesIO
from random import Random
from typing import Any, NoReturn

import pytest

from ratingcore.errors import BadFile, BadValue
from ratingcore.readers import Refused, Source
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
def test_lines_of_what_is_no_text_are_refused(content: bytes) -> None:
    with pytest.raises(BadFile):
        lines(content)


def test_a_mark_alone_is_an_empty_file_and_progress_counts_all_bytes() -> None:
    seen: list[int] = []
    with open_lines(BytesIO(b"\xef\xbb\xbfa\r\nb"), seen.append, refuse) as opened:
        assert list(opened) == [b"a\n", b"b"]
    assert sum(seen) == 7
    assert lines(b"\xef\xbb\xbf") == []


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_every_kind_of_line_end_ends_one_line(end: bytes) -> None:
    source = Source.of_bytes("f", end.join([b"one", b"", b"three"]))
    assert list(source.lines()) == [(1, "one"), (2, ""), (3, "three")]


def test_a_line_end_of_two_bytes_across_two_chunks_is_one() -> None:
    first = b"x" * (2**20 - 1)
    assert [number for number, _ in Source.of_bytes("f", first + b"\r\nb\r").lines()] == [1, 2]


def test_a_line_that_is_too_long_is_counted_and_the_rest_is_read() -> None:
    source = Source.of_bytes("f", b"a\n" + b"x" * (5 * LINE) + b"\nb")
    assert list(source.lines()) == [(1, "a"), (2, ""), (3, "b")]
    assert source.too_long == [2]


def test_a_line_that_is_too_long_ends_where_it_ends_even_at_the_end_of_a_chunk() -> None:
    source = Source.of_bytes("f", b"x" * (3 * LINE - 1) + b"\rb\rc")
    assert list(source.lines()) == [(1, ""), (2, "b"), (3, "c")]


def test_lines_of_a_document_are_decoded_alike_and_bounded() -> None:
    source = Source.of_bytes("f", "é\r\u0160\x85\x0c\r\n".encode() + b"\xe9" + b"\n" + b"x" * (LINE + 1) + b"\nz\n")
    assert source.text_lines() == ["Ã©", "Å\xa0Â…\x0c", "é", "", "z"]
    assert source.too_long == [4]
    assert Source.of_bytes("f", b"").text_lines() == []


def test_a_source_knows_the_files_beside_it_only_where_it_is_told() -> None:
    beside = Source.of_bytes("b.dbf", b"b")
    assert Source.of_bytes("a.dbf", b"a", sibling={"b.dbf": beside}.get).sibling("b.dbf") is beside
    assert Source.of_bytes("a.dbf", b"a").sibling("b.dbf") is None


def test_text_is_utf_8_or_the_old_encoding_of_the_format_and_says_which() -> None:
    assert Source.of_bytes("f", "é".encode()).text() == ("é", "utf-8")
    old = Source.of_bytes("f", "é".encode("cp1252"))
    assert old.text() == ("é", "cp1252")
    assert old.decoded_as == "cp1252"
    assert Source.of_bytes("f", "ł".encode("latin2"), encoding="latin2").text() == ("ł", "latin2")


@pytest.mark.parametrize(
    "content",
    [
        b'{\n  "a": [1,\n  2]}\n',
        b'[{"a": 1},\n {"a": 2}]',
        b'{"a": 1}\n\n{"a": 2}\n',
        b'\n{"a": "' + b"x" * (3 * LINE) + b'"}',
        b"",
    ],
)
def test_json_through_a_pipe_is_read_like_a_file(content: bytes) -> None:
    piped = Source("f", iter([io.BytesIO(content)]).__next__, once=True)
    assert _values(piped) == _values(Source.of_bytes("f", content))


def test_json_lines_through_a_pipe_are_not_kept() -> None:
    piped = Source("f", iter([io.BytesIO(b'{"a": 1}\n' * 9)]).__next__, once=True)
    assert len(list(piped.json_objects())) == 9
    assert piped.once


def test_what_was_looked_at_of_a_pipe_is_read_again() -> None:
    piped = Source("f", iter([io.BytesIO(b"one\ntwo\n")]).__next__, once=True)
    assert piped.start(5) == b"one\nt"
    assert piped.start(100) == b"one\ntwo\n"
    assert list(piped.lines()) == [(1, "one"), (2, "two")]


def _values(source: Source) -> Any:
    try:
        return list(source.json_objects())
    except BadFile as problem:
        return str(problem)


@pytest.mark.parametrize("content", [b"a\0b", b"\xff\xfea\0", b"\xfe\xff\0a"])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile):
        Source.of_bytes("f", content).text()
    with pytest.raises(BadFile):
        list(Source.of_bytes("f", content).lines())


def test_elements_know_their_lines() -> None:
    root = Source.of_bytes("f", b"<a>\n<b/>\n\n<c><d/></c></a>").document()
    assert [(one.tag, one.line) for one in root.iter()] == [("a", 1), ("b", 2), ("c", 4), ("d", 4)]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<a>",
        b"<a></b>",
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>&x;</a>',
        b"<a>" * 100_000,
    ],
)
def test_xml_that_is_broken_deep_or_declares_entities_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile):
        Source.of_bytes("f", content).document()
    with pytest.raises(BadFile):
        list(Source.of_bytes("f", content).rows_of_xml("x"))


def test_xml_is_64_elements_deep_at_most() -> None:
    assert len(list(Source.of_bytes("f", b"<a>" * 64 + b"</a>" * 64).document().iter())) == 64
    with pytest.raises(BadFile, match="deeper than 64"):
        Source.of_bytes("f", b"<a>" * 65 + b"</a>" * 65).document()


def test_xml_may_begin_with_blank_lines_and_end_as_dos_did() -> None:
    content = b'\xef\xbb\xbf\n \r\n<?xml version="1.0"?>\n<a><b/>\n</a>\r\n\x1a'
    source = Source.of_bytes("f", content)
    assert [one.line for one in source.document().iter()] == [4, 4]  # type: ignore[attr-defined]  # an Element
    rows = list(Source.of_bytes("f", content.removesuffix(b"\x1a")).rows_of_xml("b"))
    assert rows == [(4, {})]
    with pytest.raises(BadFile, match="line 5 is not XML"):
        Source.of_bytes("f", content.replace(b"</a>", b"</b>")).document()


@pytest.mark.parametrize("declaration", [b"", b'<?xml version="1.0" encoding="UTF-8"?>', b"\xef\xbb\xbf"])
def test_xml_that_is_not_utf_8_though_it_says_so_is_read_in_the_old_encoding(declaration: bytes) -> None:
    source = Source.of_bytes("f", declaration + "<a>Zoë Šárka</a>".encode("cp1252"))
    assert (source.document().text, source.decoded_as) == ("Zoë Šárka", "cp1252")


def test_xml_is_read_in_the_encoding_it_names_or_the_user_does() -> None:
    named = b'<?xml version="1.0" encoding="iso-8859-2"?>' + "<a>Šárka</a>".encode("iso-8859-2")
    source = Source.of_bytes("f", named)
    assert (source.document().text, source.decoded_as) == ("Šárka", "")
    said = Source.of_bytes("f", b"<a>" + "Šárka".encode("cp1250") + b"</a>", encoding="cp1250")
    assert (said.document().text, said.decoded_as) == ("Šárka", "cp1250")
    with pytest.raises(BadValue, match="encoding must be an encoding of text, such as cp1252: 'what'"):
        Source.of_bytes("f", b"<a/>", encoding="what")


def test_rows_of_xml_hold_attributes_and_texts_of_children() -> None:
    source = Source.of_bytes("f", b'<l>\n<p id="1"><n>ann</n><r/></p>\n<q/><p><n> bo </n></p></l>')
    assert list(source.rows_of_xml("p")) == [(2, {"id": "1", "n": "ann", "r": ""}), (3, {"n": "bo"})]


@pytest.mark.parametrize(
    ("content", "values"),
    [
        (b'{"a": 1}', [(1, {"a": 1})]),
        (b'\n{"a": 1}\n\n{"a": 2}\n', [(2, {"a": 1}), (4, {"a": 2})]),
        (b'[{"a": 1},\n {"a": 2}]', [(1, {"a": 1}), (2, {"a": 2})]),
        (b'[{"a": 1}, {"a": 2}]', [(1, {"a": 1}), (1, {"a": 2})]),
        (b'{\n "a": 1\n}', [(1, {"a": 1})]),
        (b'{\n "a": 1\n}\n{\n "a": 2\n}\n', [(1, {"a": 1}), (4, {"a": 2})]),
        (b"[]", []),
    ],
)
def test_json_comes_value_by_value_with_lines(content: bytes, values: list[tuple[int, object]]) -> None:
    assert list(Source.of_bytes("f", content).json_objects()) == values


def test_a_line_that_is_no_json_is_refused_alone() -> None:
    values = list(Source.of_bytes("f", b'{"a": 1}\n{"a":\n{"a": 2}').json_objects())
    assert [number for number, _ in values] == [1, 2, 3]
    assert isinstance(values[1][1], Refused)
    (number, bad), *others = Source.of_bytes("f", b'{"a"; 1}\n{"a": 2}').json_objects()
    assert (number, isinstance(bad, Refused), others) == (1, True, [(2, {"a": 2})])


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b'{"a": 1, "a": 2}\n{"a": 3}\n', [1, {"a": 3}]),
        (b'{"a": 3}\n{"b": {"a": 1, "a": 1}}\n', [{"a": 3}, 2]),
        (b'[{"a": 3}, {"a": 1, "a": 2}, {"a": 4}]', [{"a": 3}, 1, {"a": 4}]),
        (b'[\n{"a": 3},\n{"a": 1,\n "b": 1,\n "a": 2},\n{"a": 4}]', [{"a": 3}, 3, {"a": 4}]),
        (b'{\n"b": [{"a": 1, "a": 2}]\n}\n{"a": 3}', [1, {"a": 3}]),
    ],
)
@pytest.mark.parametrize("once", [False, True])
def test_an_object_with_a_key_twice_is_refused_alone(content: bytes, lines: list[object], once: bool) -> None:
    """The last value was taken, and nobody told."""
    source = Source.of_bytes("f", content)
    source.once = once
    values = [value for _, value in source.json_objects()]
    assert [one.line if isinstance(one, Refused) else one for one in values] == lines
    (reason,) = [one.reason for one in values if isinstance(one, Refused)]
    assert reason == "the key 'a' occurs twice in one object"


def test_a_json_document_may_be_one_long_line() -> None:
    source = Source.of_bytes("f", b'{"a": "' + b"x" * 2 * LINE + b'"}\n')
    ((number, value),) = source.json_objects()
    assert (number, len(value["a"]), source.too_long) == (1, 2 * LINE, [])


@pytest.mark.parametrize("content", [b"", b"[", b"[1,", b'{"a": NaN\n}', b"{\n" * 100_000, b"[" * 100_000, b"[1 2]"])
def test_what_is_no_json_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile):
        list(Source.of_bytes("f", content).json_objects())


def test_xml_of_countless_elements_attributes_or_letters_is_refused() -> None:
    for content in (b"<r>" + b"<a/>" * 1_000_001 + b"</r>", b"<r>" + b"<a b='' c='' d=''/>" * 250_001 + b"</r>"):
        with pytest.raises(BadFile, match="more than 1,000,000 elements and attributes"):
            Source.of_bytes("f.xml", content).document()
    with pytest.raises(BadFile, match="a field has more than 1,048,576 characters"):
        list(Source.of_bytes("f.xml", b"<r><p><n>" + b"x" * (2**20 + 1) + b"</n></p></r>").rows_of_xml("p"))
    many = b"".join(b"<c%d/>" % number for number in range(3_000))
    with pytest.raises(BadFile, match="a row has more than 1,000 fields"):
        list(Source.of_bytes("f.xml", b"<r><p>" + many + b"</p></r>").rows_of_xml("p"))
