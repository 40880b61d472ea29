"""Files that commands make: new, and whole or not at all."""

from pathlib import Path

import pytest

from ratingcore.cli.console import Mistake
from ratingcore.cli.files import new_file, write_new


def test_nothing_is_left_of_a_file_that_was_not_finished(tmp_path: Path) -> None:
    def fail() -> None:
        with new_file(str(tmp_path / "list.csv")) as file:
            file.write(b"rank,player\n")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_made_meanwhile_is_kept(tmp_path: Path) -> None:
    """The check before the work is not enough: a comparison may take minutes."""
    path = tmp_path / "list.csv"

    def write_slowly() -> None:
        with new_file(str(path)) as file:
            path.write_text("mine")
            file.write(b"ours")

    with pytest.raises(Mistake, match="this path exists already"):
        write_slowly()
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_a_text_is_written_as_it_is(tmp_path: Path) -> None:
    write_new(str(tmp_path / "list.csv"), "Zoë\r\nann\n")
    assert (tmp_path / "list.csv").read_bytes() == "Zoë\r\nann\n".encode()
    with pytest.raises(Mistake):
        write_new(str(tmp_path / "list.csv"), "other")
