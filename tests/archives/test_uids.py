"""Uids of rows that have none."""

from ratingcore.archives.uids import uids

from .conftest import HEADER, KEY, Read

GAME = "ann,bo,1,2024-03-02\n"


def test_the_same_content_under_the_same_key_has_the_same_uid() -> None:
    assert uids(KEY)("x") == uids(KEY)("x")
    assert len({uids(KEY)("x"), uids(KEY)("y"), uids("cd" * 32)("x")}) == 3


def test_a_uid_is_marked_as_imported_and_as_long_as_its_digest() -> None:
    uid = uids(KEY)("x")
    assert uid.startswith("i-")
    assert len(uid) == 34


def test_equal_rows_are_different_games_told_apart_by_count(read: Read) -> None:
    found = [line.outcome.uid for line in read(HEADER + GAME * 3)]
    assert len(set(found)) == 3
    assert [line.outcome.uid for line in read(HEADER + GAME * 2)] == found[:2]


def test_spelling_and_place_in_the_file_do_not_matter(read: Read) -> None:
    (plain,) = read(HEADER + "Åsa,bo,1,2024-03-02\n")
    *_, other = read("played;b;score;a\n2024-03-02;x;0;y\n2024/03/02; bo ;1-0;A\u030asa\n")
    assert other.outcome.uid == plain.outcome.uid


def test_every_field_of_the_event_matters(read: Read) -> None:
    header = "a,b,score,played,order,event\n"
    rows = ["ann,bo,1,2024-03-02,0,x", "bo,ann,1,2024-03-02,0,x", "ann,bo,0,2024-03-02,0,x"]
    rows += ["ann,bo,1,2024-03-03,0,x", "ann,bo,1,2024-03-02,1,x", "ann,bo,1,2024-03-02,0,y", "ann,bo,1,2024-03-02,0,"]
    assert len({line.outcome.uid for line in read(header + "\n".join(rows))}) == len(rows)


def test_a_column_of_ids_is_taken_as_it_is(read: Read) -> None:
    assert [line.outcome.uid for line in read("id," + HEADER + "g-1," + GAME)] == ["g-1"]
    assert [line.outcome.uid for line in read("game," + HEADER + "g-1," + GAME, "id=game")] == ["g-1"]


def test_a_row_without_its_id_gets_one_from_its_content(read: Read) -> None:
    (bare,) = read(HEADER + GAME)
    (line,) = read("uid," + HEADER + "," + GAME)
    assert line.outcome.uid == bare.outcome.uid
