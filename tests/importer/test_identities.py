"""Ids with names of two people, and names with two ids, are pointed out; spellings of one name are not."""

import io

import pytest

import ratingcore as rc
from ratingcore.importer.name_notes import IdsOfOneName, NamesOfOneId

GAME = """[Event "Open"]
[Date "2024.03.{day:02}"]
[Round "{day}"]
[White "{white}"]
{fide}[Black "Bo"]
[Result "1-0"]

1-0

"""


def notes(*players: tuple[str, str]) -> list[object]:
    games = [
        GAME.format(day=at, white=name, fide=f'[WhiteFideId "{fide}"]\n' if fide else "")
        for at, (name, fide) in enumerate(players, 1)
    ]
    file = io.BytesIO("".join(games).encode())
    file.name = "open.pgn"
    report = rc.open(":memory:").import_file(file, pool="club")
    return [note for note in report.notes if isinstance(note, NamesOfOneId | IdsOfOneName)]


def test_an_id_with_the_names_of_two_people() -> None:
    """Ann and Zoe Smith were one player without a word."""
    (note,) = notes(("Ann Lee", "3400042"), ("Zoe Smith", "3400042"))
    assert note == NamesOfOneId(1, (("fide:3400042", "Ann Lee", 1, "Zoe Smith", 11),))
    assert str(note) == (
        "1 id has names of several people, and counts as one player: fide:3400042 is Ann Lee on line 1, Zoe Smith on "
        "line 11"
    )


@pytest.mark.parametrize("other", ["Lee, Ann", "A. Lee", "ANN LEE", "GM Ann Lee"])
def test_an_id_whose_name_is_spelt_in_two_ways(other: str) -> None:
    assert notes(("Ann Lee", "3400042"), (other, "3400042")) == []


@pytest.mark.parametrize(("fide", "words"), [("3400050", "fide:3400050 on line 11"), ("", "and has no id elsewhere")])
def test_a_name_with_two_ids_or_with_one_and_without(fide: str, words: str) -> None:
    """Ann was two players without a word."""
    (note,) = notes(("Ann Lee", "3400042"), ("Ann Lee", fide))
    assert str(note) == f"1 name counts as several players: Ann Lee is fide:3400042 on line 1, {words}"
