"""A file appears under its name only when all of it is written."""

from pathlib import Path

import pytest

from ratingcore.atomic_file import atomic_file


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text("old")
    with atomic_file(path, "manifest.1") as part:
        part.write_text("new")
        assert (part, path.read_text()) == (tmp_path / "manifest.1", "old")
    assert path.read_text() == "new"


def test_a_folder_that_is_not_there_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "list.csv"
    with pytest.raises(FileNotFoundError) as caught, atomic_file(path) as part:
        part.write_text("rank")
    assert caught.value.filename == str(path)


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text("old")

    def fail() -> None:
        with atomic_file(path) as part:
            part.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("manifest.json", "old")]
