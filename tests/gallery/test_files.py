"""Files of archives: checked by digest, never downloaded unasked, and named with what to do where they are missing."""

from pathlib import Path

import pytest

from gallery import files
from gallery.archives import ARCHIVES
from gallery.files import Download, FileMissing, Form, Shipped, WrongFile, located

TEXT = b"play1,play2\n1,2\n"
DOWNLOAD = Download(
    "https://example.org/table.rda",
    (
        Form("table.rda", "md5:ea8f012310ece7c8cee42b9c559c08dc"),
        Form("table.csv", "sha256:048746ff2b6e2cce8c05a99b9787267ec2e319b077a203abe11834ad547bb932"),
    ),
)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **named: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr(files, "urlopen", refuse)


def test_a_missing_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileMissing) as caught:
        located([DOWNLOAD], tmp_path)
    assert "table.rda is not in" in str(caught.value)
    assert "https://example.org/table.rda" in caught.value.hint
    assert "md5:ea8f" in caught.value.hint


def test_another_file_of_the_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.rda").write_bytes(b"something else")
    with pytest.raises(WrongFile, match="is not the expected file: it has md5:"):
        located([DOWNLOAD], tmp_path)


def test_another_form_with_the_same_facts_does(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(TEXT)
    assert located([DOWNLOAD], tmp_path) == {"table.rda": tmp_path / "table.csv"}


def test_size_is_checked_where_no_digest_is_published(tmp_path: Path) -> None:
    sized = Download("https://example.org/games.csv", (Form("games.csv", f"bytes:{len(TEXT)}"),))
    (tmp_path / "games.csv").write_bytes(TEXT)
    assert located([sized], tmp_path)
    (tmp_path / "games.csv").write_bytes(TEXT[:-1])
    with pytest.raises(WrongFile, match=r"bytes:15, the archive declares bytes:16"):
        located([sized], tmp_path)


def test_a_download_is_fetched_when_asked_and_then_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    published = tmp_path / "published"
    published.write_bytes(TEXT)
    monkeypatch.setattr(files, "urlopen", lambda address, timeout: published.open("rb"))
    sized = Download("https://example.org/games.csv", (Form("games.csv", f"bytes:{len(TEXT)}"),))
    assert located([sized], tmp_path / "new", fetch=True)["games.csv"].read_bytes() == TEXT
    with pytest.raises(WrongFile):
        located([DOWNLOAD], tmp_path / "new", fetch=True)


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.key)
def test_every_archive_says_where_its_files_come_from_and_what_one_may_do(archive: files.Download) -> None:
    assert archive.origin
    assert archive.licence
    for file in archive.files:
        if isinstance(file, Shipped):
            assert file.found(Path()).is_file()
        else:
            assert file.address.startswith("https://")
            assert all(form.check.partition(":")[0] in {"sha256", "md5", "bytes"} for form in file.forms)
