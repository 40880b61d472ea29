"""Files, folders, archives and pipes as sources, within bounds."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]  # no types
import pytest

import ratingcore as rc
from ratingcore.errors import BadFile
from ratingcore.importer import inputs
from ratingcore.importer.inputs import Found, Input, Opening, Unreadable
from tests.guests import needs_tables


def found(*given: Input) -> list[tuple[str, bytes]]:
    """Names below the folder, and contents."""
    files = []
    for one in Opening().found(given):
        if isinstance(one, Unreadable):
            raise one.problem
        with one.source.open() as file:
            content = file.read()
        assert content.startswith(one.sample.head)
        files.append((one.source.name, content))
    return files


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def tarred(path: Path, members: dict[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]  # a mode
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_packed_files_are_read_as_they_were(tmp_path: Path, ending: str, pack: object) -> None:
    path = tmp_path / f"games.pgn.{ending}"
    path.write_bytes(pack(b"content"))  # type: ignore[operator]  # one of three functions
    assert found(path) == [(str(tmp_path / "games.pgn"), b"content")]


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden", "c/d.txt", ".git/e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    assert [content for _, content in found(tmp_path)] == [b"a.txt", b"b.txt", b"c/d.txt"]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_members_of_a_tar_are_files_again_and_again(tmp_path: Path, mode: str) -> None:
    path = tarred(tmp_path / "a.tar", {"x/one": b"1" * 100_000, "two": b"2", ".three": b"3"}, mode)
    one, two = Opening().found([path])
    assert isinstance(one, Found)
    assert isinstance(two, Found)
    for _ in range(2):  # in any order
        with two.source.open() as file:
            assert file.read() == b"2"
        with one.source.open() as file:
            assert file.read() == b"1" * 100_000


def test_members_of_a_zip_are_files_and_their_names_only_labels(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"../../evil": b"1", "/etc/b": b"2", "__MACOSX/c": b"3"})
    assert [(name.removeprefix(str(path)), content) for name, content in found(path)] == [
        ("/../../evil", b"1"), ("//etc/b", b"2"),
    ]  # fmt: skip


def test_a_spreadsheet_is_no_archive(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.xlsx", {"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"})
    assert [name for name, _ in found(path)] == [str(path)]


def test_what_is_packed_twice_is_refused(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"a": b"1"}).read_bytes()
    with pytest.raises(BadFile, match="packed twice"):
        found(zipped(tmp_path / "outer.zip", {"inner.zip": inner}))
    (tmp_path / "a.gz").write_bytes(gzip.compress(gzip.compress(b"1")))
    with pytest.raises(BadFile, match="packed twice"):
        found(tmp_path / "a.gz")


@pytest.mark.parametrize("kind", ["gz", "zip"])
def test_a_bomb_is_refused(tmp_path: Path, kind: str) -> None:
    path, zeros = tmp_path / f"bomb.{kind}", bytes(2**27)
    path.write_bytes(gzip.compress(zeros)) if kind == "gz" else zipped(path, {"zeros": zeros})
    with pytest.raises(BadFile, match="times its size"):
        found(path)


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MEMBERS", 3)
    with pytest.raises(BadFile, match="more than 3 members"):
        found(zipped(tmp_path / "a.zip", {str(n): b"" for n in range(4)}))
    with pytest.raises(BadFile, match="more than 3 members"):
        found(tarred(tmp_path / "a.tar", {str(n): b"" for n in range(4)}))
    assert len(found(zipped(tmp_path / "b.zip", {str(n): b"" for n in range(3)}))) == 3
    assert len(found(tarred(tmp_path / "b.tar", {str(n): b"" for n in range(3)}))) == 3


@pytest.mark.parametrize("cut", [3, 20, 60])
def test_what_ends_early_is_refused(tmp_path: Path, cut: int) -> None:
    for name in ("a.gz", "a.zip", "a.tar.gz"):
        path = tmp_path / name
        if name == "a.gz":
            path.write_bytes(gzip.compress(bytes(range(256)) * 4))
        elif name == "a.zip":
            zipped(path, {"x": bytes(range(256)) * 4})
        else:
            tarred(path, {"x": bytes(range(256)) * 4}, "w:gz")
        path.write_bytes(path.read_bytes()[:-cut] if name == "a.zip" else path.read_bytes()[:cut])
        with pytest.raises(BadFile):
            found(path)


@pytest.mark.parametrize("kept", [700, 1024, 1200, 1535])
def test_a_tar_that_ends_between_two_members_is_refused(tmp_path: Path, kept: int) -> None:
    """Cut within the header of the second member, or before it, the first was imported, and the rest passed over."""
    path = tarred(tmp_path / "a.tar", {"one": b"1", "two": b"2"})
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(BadFile, match="tar file ends early or is damaged: unexpected end of data"):
        found(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        found(tmp_path / "none")
    with pytest.raises(BadFile, match="pipe or a device"):
        found("/dev/zero")


class Pipe(io.RawIOBase):
    """A stream that can be read once."""

    def __init__(self, content: bytes) -> None:
        self._file = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, into: memoryview) -> int:  # type: ignore[override]  # a buffer
        return self._file.readinto(into[:1000])


def test_a_pipe_is_read_once_or_kept() -> None:
    content = bytes(range(256)) * 1000
    (one,) = Opening().found([io.BufferedReader(Pipe(content))])
    assert isinstance(one, Found)
    with one.source.open() as file:
        assert file.read() == content
    with pytest.raises(BadFile, match="only once"):
        one.source.open()
    (kept,) = Opening().found([io.BufferedReader(Pipe(content))])
    assert isinstance(kept, Found)
    for _ in range(2):
        with kept.source.reusable().open() as file:
            assert file.read() == content


def test_files_know_those_beside_them(tmp_path: Path) -> None:
    (tmp_path / "One.dbf").write_bytes(b"1")
    (tmp_path / "TWO.DBF").write_bytes(b"2")
    archive = zipped(tmp_path / "a.zip", {"x/One.dbf": b"1", "x/TWO.DBF": b"2", "two.dbf": b"3"})
    for given in (tmp_path / "One.dbf", archive):
        first = next(one for one in Opening().found([given]) if isinstance(one, Found) and "One" in one.source.name)
        two = first.source.sibling("two.dbf")
        assert two is not None
        with two.open() as file:
            assert file.read() == b"2"
        assert first.source.sibling("three.dbf") is None


@pytest.mark.parametrize("name", ["", "season.xlsx"])
@pytest.mark.parametrize("ahead", [b"", b"what was read before"])
@needs_tables
def test_a_spreadsheet_comes_from_an_open_file_with_a_name_or_without(name: str, ahead: bytes) -> None:
    """It was refused as a damaged zip file: what is packed is read from its end."""
    book, content = openpyxl.Workbook(), io.BytesIO()
    for row in (("played", "a", "b", "score"), ("2024-03-02", "ann", "bo", 1)):
        book.active.append(row)
    book.save(content)
    file = io.BytesIO(ahead + content.getvalue())
    file.seek(len(ahead))
    if name:
        file.name = name
    with rc.open(":memory:") as engine:
        assert engine.import_file(file, pool="p").accepted == 1


def test_an_archive_comes_from_an_open_file() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.csv", "played,a,b,score\n2024-03-02,ann,bo,1\n")
    content.seek(0)
    with rc.open(":memory:") as engine:
        assert engine.import_file(content, pool="p").accepted == 1
    with rc.open(":memory:") as engine, pytest.raises(BadFile, match="cannot read a file: the zip file is damaged"):
        engine.import_file(io.BytesIO(b"PK\x03\x04 and nothing more"), pool="p")


def test_members_of_a_zip_that_unpack_to_far_more_than_it_has_are_refused_together(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(4):  # each of them is small enough by itself
            packed.writestr(f"{number}.csv", bytes(20 * 2**20))
    (found,) = Opening().found([path])
    assert isinstance(found, Unreadable)
    assert "it unpacks to more than 200 times its size" in str(found.problem)
