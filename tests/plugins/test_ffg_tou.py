"""FFG tables: licences, days with the day first, cells without a bar, and the games of the other two formats."""

from pathlib import Path

from ratingcore_go import H9, OPENGOTHA, TOU

from ratingcore.plugin.readers import Document, Facts, Game, Reader, Seed, Unrated, Warning, day_of
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats"
TABLE = (FOLDER / "ffg-tou" / "tilleuls.tou").read_bytes()
SAME = ((TOU, TABLE), (H9, (FOLDER / "egf-h9" / "tilleuls.h9").read_bytes()),
        (OPENGOTHA, (FOLDER / "opengotha" / "tilleuls.xml").read_bytes()))  # fmt: skip
HEADER = ";name=Cup\n;date=02/03/2024\n"


def test_the_sample_gives_its_counts() -> None:
    found = items(TOU, TABLE)
    assert kinds(found) == {"Document": 1, "Warning": 1, "Facts": 19, "absent": 4, "Game": 36}
    assert found[0] == Document(
        ("Coupe des Tilleuls", "26/10/2019"), "Coupe des Tilleuls (2019-10-26)", day_of("2019-10-26")
    )
    ids = [item.who.id for item in found if isinstance(item, Facts)]
    assert (sum(one is not None for one in ids), len(ids)) == (18, 19)
    assert sniffed(TOU, TABLE) == sniffed(TOU, TABLE.replace(b"\n", b"\r")) == 95


def by_names(reader: Reader, content: bytes) -> set[tuple[object, ...]]:
    """The games of a file, by the names of the players."""
    return {
        (item.key[0], item.a.name, item.b.name, item.score, item.played, item.order, tuple(sorted(
            (key, value) for key, value in item.data.items() if key != "event_class"
        )))
        for item in items(reader, content, players="name") if isinstance(item, Game)
    }  # fmt: skip


def test_the_three_files_of_one_tournament_tell_the_same_games() -> None:
    first, second, third = (by_names(reader, content) for reader, content in SAME)
    assert len(first) == 36
    assert first == second == third


def test_forfeits_cannot_be_told_so_every_file_warns() -> None:
    assert any(isinstance(item, Warning) and "forfeits" in item.text for item in items(TOU, TABLE))


def test_a_number_is_left_out_in_ties_and_a_licence_where_there_is_none() -> None:
    table = HEADER + "   1 Ann B  1D 1234567 75Ju  2+w0\n     Cy D   2K         75Ju  1-b0\n"
    found = items(TOU, table, grade="seed")
    (game,) = (item for item in found if isinstance(item, Game))
    assert (game.a.name, game.a.id, game.b.id, game.score) == ("Cy D", None, "ffg:1234567", 0.0)
    assert [item.data for item in found if isinstance(item, Facts)] == [
        {"called": "Ann B", "grade": "1D", "club": "75Ju"}, {"grade": "2K", "club": "75Ju"},
    ]  # fmt: skip
    assert [item.values for item in found if isinstance(item, Seed)] == [{"rating": 2100.0}, {"rating": 1900.0}]


def test_byes_and_absences_are_unrated() -> None:
    found = items(TOU, HEADER + " 1 Ann 1D 75Ju 0+ 0-\n 2 Bo 2D 75Ju 0= 0?\n")
    assert [item.reason for item in found if isinstance(item, Unrated)] == ["bye", "absent", "absent", "absent"]
