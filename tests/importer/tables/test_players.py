"""Ratings out of files."""

from pathlib import Path
from typing import Any

import pytest

from ratingcore.errors import BadMapping, BadValue, ColumnNotFound
from ratingcore.events import NO_ID, PlayerDescribed, iso
from ratingcore.importer.tables import FieldMap, read_seeds
from ratingcore.importer.tables.fieldmap import FromColumn
from ratingcore.importer.tables.players import read_players
from ratingcore.readers import Made, Refused

from .conftest import Write


def seeds(path: Path, fields: FieldMap | str | None = None, at: str | None = None) -> list[Any]:
    mapping = FieldMap.parse(fields) if isinstance(fields, str) else fields
    return list(read_seeds(path, pool="club", fields=mapping, at=at))


def test_columns_of_the_known_names_need_no_mapping(write: Write) -> None:
    path = write("player,at,rating,deviation,volatility,counted,club\nann,2024-01-01,1600,80.5,0.06,12,Leeds\n")
    (line,) = seeds(path)
    seed = line.event
    assert (line.line, seed.pool, seed.player, iso(seed.played)) == (2, "club", "ann", "2024-01-01")
    assert dict(seed.values) == {"counted": 12.0, "deviation": 80.5, "rating": 1600.0, "volatility": 0.06}


def test_every_other_mapped_name_is_a_column_of_the_state(write: Write) -> None:
    path = write("team;elo;rd;date;form\nann;1600,5;80;01.02.2024;3\n")
    mapping = FieldMap.parse("player=team,rating=elo,deviation=rd,at=date,streak=form")
    (line,) = seeds(path, FieldMap(decimal=",", date="%d.%m.%Y").merged(mapping))
    assert dict(line.event.values) == {"deviation": 80.0, "rating": 1600.5, "streak": 3.0}
    assert iso(line.event.played) == "2024-02-01"


def test_an_empty_cell_names_no_column(write: Write) -> None:
    first, second = seeds(write("player,at,rating,deviation\nann,2024-01-01,,80\nbo,2024-01-01,,\n"))
    assert dict(first.event.values) == {"deviation": 80.0}
    assert second == Refused(3, "seed has no value: 'bo'", "bo,2024-01-01,,")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (",2024-01-01,1600", "player must be a name: ''"),
        ("ann,2024-13-32,1600", "played must be an ISO date or time between years 1 and 9999: '2024-13-32'"),
        ("ann,2024-01-01,strong", "rating must be a finite number: 'strong'"),
        ("ann,2024-01-01,NaN", "rating must be a finite number: 'NaN'"),
        ("ann,1600", "2 cells where the header has 3"),
    ],
)
def test_an_impossible_seed_is_refused(write: Write, row: str, reason: str) -> None:
    assert seeds(write(f"player,at,rating\n{row}\n")) == [Refused(2, reason, row)]


def test_a_rating_of_zero_beside_ratings_of_hundreds_is_that_of_nobody(write: Write) -> None:
    """Lists of clubs write 0 for players without a rating, who began at 0 without a word."""
    ann, bo, cy = seeds(write("player,at,rating\nann,2024-01-01,0\nbo,2024-01-01,1650\ncy,2024-01-01,0.0\n"))
    assert bo.event.values["rating"] == 1650.0
    why = "rating is 0 among ratings of hundreds: leave the row out if the player has no rating: '0'"
    assert ann == Refused(2, why, "ann,2024-01-01,0")
    assert isinstance(cy, Refused)


@pytest.mark.parametrize(("low", "high"), [("-120", "400"), ("25.3", "40")])
def test_zero_is_a_rating_of_a_scale_that_has_it(write: Write, low: str, high: str) -> None:
    ann = seeds(write(f"player,at,rating\nann,2024-01-01,0\nbo,2024-01-01,{low}\ncy,2024-01-01,{high}\n"))[0]
    assert ann.event.values["rating"] == 0.0


@pytest.mark.parametrize("sign", ["\t", ";", "|"])
@pytest.mark.parametrize("top", ["", "SC Tal, Liste 2025\n"])
def test_pasted_ratings_may_have_commas_in_names_and_numbers(write: Write, sign: str, top: str) -> None:
    """The comma of `1712,5` won over the tab, and a row became the header."""
    text = "Name\tDWZ\nMüller, Hans\t1712,5\nBraun, Lisa\t1650-45\nJäger, Uwe\t1500 - 3\n".replace("\t", sign)
    found = seeds(write(top + text), "player=Name,rating=DWZ", "2024-01-01")
    assert [(line.event.player, line.event.values["rating"]) for line in found] == [
        ("Müller, Hans", 1712.5), ("Braun, Lisa", 1650.0), ("Jäger, Uwe", 1500.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Vorname;Nachname;Jg.", "Ann;Lee;61"), ("Name;Vorname;Geburtsjahr", "Lee;Ann;1961"),
        ("First name,Last name,born", "Ann,Lee,12.03.1961"), ("Nom;Prénom;naissance", "Lee;Ann;12/03/1961"),
        ("Nombre;Apellidos;nacimiento", "Ann;Lee;61"), ("Cognome;Nome;nascita", "Lee;Ann;61"),
        ("Nome;Apelido;nascimento", "Ann;Lee;61"), ("Imię;Nazwisko;rok urodzenia", "Ann;Lee;61"),
        ("Jméno;Příjmení;ročník", "Ann;Lee;61"), ("Фамилия;Имя;год рождения", "Lee;Ann;61"),
    ],
)  # fmt: skip
def test_first_and_last_names_are_joined_and_births_are_years(write: Write, header: str, row: str) -> None:
    """They had no column of names, `Nom` alone named a family, and 61 was a year of the Roman Empire."""
    path = write(f"{header}\n{row}\n")
    with pytest.raises(ColumnNotFound) as missing:
        read_players(path, pool="club")
    columns = FieldMap({field: FromColumn(column) for field, column in missing.value.readings[0].items()})
    unused, rows = read_players(path, pool="club", fields=columns)
    (described,) = [one.event for one in rows if isinstance(one, Made) and isinstance(one.event, PlayerDescribed)]
    assert (described.player, dict(described.data), unused) == ("Ann Lee", {"born": 1961}, ())


def test_a_truth_value_is_no_name_of_a_player(write: Write) -> None:
    """A player called true came into being."""
    rows = '{"player": "true", "rating": 1600}\n{"player": true, "rating": 1500}\n'
    named, bad = seeds(write(rows, "seeds.jsonl"), at="2024-01-01")
    assert named.event.player == "true"
    assert (bad.line, bad.reason) == (2, "player must be a name, not true or false: 'true'")
    rows = '{"player": false, "born": 1990}\n{"player": "ann", "called": true}\n{"player": "bo", "called": "true"}\n'
    outcomes = list(read_players(write(rows, "players.jsonl"), pool="club")[1])
    assert [(one.line, one.reason) for one in outcomes if isinstance(one, Refused)] == [
        (1, "player must be a name, not true or false: 'false'"),
        (2, "called must be a name, not true or false: 'true'"),
    ]
    events = [one.event for one in outcomes if isinstance(one, Made)]
    assert [event.called for event in events if isinstance(event, PlayerDescribed)] == ["true"]


def test_one_time_for_all_rows_stands_over_a_column_that_is_not_mapped(write: Write) -> None:
    path = write("player,played,rating\nann,120,1600\nbo,,1500\n")
    assert {iso(line.event.played) for line in seeds(path, at="2024-01-01")} == {"2024-01-01"}
    with pytest.raises(BadValue):
        seeds(path, at="soon")


def test_a_mapped_time_stands_and_its_empty_cells_take_the_one_given(write: Write) -> None:
    path = write("player,day,rating\nann,2023-01-01,1600\nbo,,1500\n")
    found = [iso(line.event.played) for line in seeds(path, "at=day", at="2024-01-01")]
    assert found == ["2023-01-01", "2024-01-01"]
    assert isinstance(seeds(path, "played=day")[1], Refused)


def test_without_any_time_the_mapping_is_bad(write: Write) -> None:
    path = write("player,rating\nann,1600\n")
    with pytest.raises(BadMapping, match="no time: map at to a column"):
        seeds(path)
    with pytest.raises(BadMapping, match="at and played are the same field"):
        seeds(path, "at=rating,played=rating")


def test_a_file_without_values_lacks_a_rating(write: Write) -> None:
    with pytest.raises(ColumnNotFound, match="no column 'rating' for rating"):
        seeds(write("player,at\nann,2024-01-01\n"))
    with pytest.raises(BadMapping, match="a seed has no field score"):
        seeds(write("player,at\nann,2024-01-01\n"), "score=at")


def test_the_uid_of_a_seed_is_the_id_that_is_mapped_or_left_to_the_log(write: Write) -> None:
    rows = "player,at,rating,id\nann,2024-01-01,1600,7\nann,2024-01-01,1600,\n"
    assert [line.event.uid for line in seeds(write(rows))] == [NO_ID, NO_ID]
    assert seeds(write(rows), "uid=id")[1].event.uid == NO_ID
    assert seeds(write(rows), "uid=id")[0].event.uid == "7"


def test_objects_are_seeds_too(write: Write) -> None:
    (line,) = seeds(write('{"player": "ann", "at": "2024-01-01", "rating": 1600.5}\n', "seeds.jsonl"))
    assert dict(line.event.values) == {"rating": 1600.5}


def test_a_column_that_is_mapped_is_read_for_nothing_else(write: Write) -> None:
    (seed,) = seeds(write("rating,counted,at\nann,1600,2024-01-01\n"), "player=rating,rating=counted")
    assert (seed.event.player, dict(seed.event.values)) == ("ann", {"rating": 1600.0})
    unused, rows = read_players(
        write("called,club,born\nann,1990,x\n"), pool="p", fields=FieldMap.parse("player=called,born=club")
    )
    (row,) = rows
    assert (unused, row.event.player, row.event.called, dict(row.event.data)) == (("born",), "ann", "", {"born": 1990})
