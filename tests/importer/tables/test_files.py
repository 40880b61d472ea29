"""Bytes to text: compression, encodings, and files that cannot be read."""

import gzip

import pytest

from ratingcore.errors import BadFile
from ratingcore.importer.tables import FieldMap
from ratingcore.readers.files import content

from .conftest import HEADER, Read, Write

GAME = HEADER + "Žofia,Åsa,1-0,2024-03-02\n"


@pytest.mark.parametrize("name", ["games.csv.gz", "games.csv"])
def test_gzip_is_known_by_its_bytes_not_by_its_name(read: Read, name: str) -> None:
    (line,) = read(GAME, name=name, packed=True)
    assert line.event.a == "Žofia"


def test_a_plain_file_may_be_named_like_a_packed_one(read: Read) -> None:
    assert len(read(GAME, name="games.csv.gz")) == 1


@pytest.mark.parametrize("encoding", [None, "utf-8"])
def test_a_byte_order_mark_is_no_part_of_the_first_column(read: Read, encoding: str | None) -> None:
    (line,) = read(b"\xef\xbb\xbf" + GAME.encode(), FieldMap(encoding=encoding))
    assert line.event.b == "Åsa"


def test_another_encoding_is_read_when_it_is_named(read: Read) -> None:
    (line,) = read((HEADER + "Åsa,bo,1,2024-03-02").encode("cp1252"), FieldMap(encoding="cp1252"))
    assert line.event.a == "Åsa"


@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_that_is_no_text_is_named_with_its_line(read: Read, packed: bool) -> None:
    games = HEADER.encode() + b"ann,bo,1,2024-03-02\n" * 5000 + b"\xc5sa,bo,1,2024-03-02\n"
    with pytest.raises(BadFile, match="line 5002 is not utf-8: byte 0xc5") as caught:
        read(games, packed=packed)
    assert "encoding" in caught.value.hint


@pytest.mark.parametrize("content", ["", "\n\n  \n", "\ufeff"])
def test_an_empty_file_is_said_to_be_empty(read: Read, content: str) -> None:
    with pytest.raises(BadFile, match="is empty"):
        read(content)


def test_damaged_gzip_is_a_bad_file(read: Read) -> None:
    with pytest.raises(BadFile, match="ends early or is damaged"):
        read(gzip.compress(GAME.encode())[:-12])


def test_a_missing_file_and_a_folder_are_bad_files(write: Write) -> None:
    path = write("")
    with pytest.raises(BadFile, match="no such file"):
        content(path.with_name("other.csv"))
    with pytest.raises(BadFile, match="is a directory"):
        content(path.parent)
