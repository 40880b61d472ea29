"""Columns of colours: who had White."""

from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.colours import home_by_colour
from ratingcore.importer.tables.results import sheet_of_results

from .conftest import Write

MAP = {"a": "player", "b": "opponent", "score": "result", "played": "date"}


def file(folder: Path, colours: tuple[str, str], heading: str = "Color", name: str = "games.csv") -> Path:
    path = folder / name
    header = f"date,player,opponent,{heading},result\n" if heading else "date,player,opponent,result\n"
    first, second = (f"{one}," if heading else "" for one in colours)
    path.write_text(f"{header}2024-03-02,ann,bo,{first}1\n2024-03-02,ann,cy,{second}0\n")
    return path


@pytest.mark.parametrize(
    ("heading", "colours"),
    [
        ("Color", ("W", "B")), ("Farbe", ("w", "s")), ("Couleur", ("B", "N")), ("player color", ("White", "Black")),
        ("opponent_colour", ("black", "white")), ("barva", ("bílý", "černý")),
    ],
)  # fmt: skip
def test_the_side_with_white_is_at_home(tmp_path: Path, heading: str, colours: tuple[str, str]) -> None:
    """The column was not read, and nothing said that the first player had Black."""
    with rc.open(":memory:") as engine:
        report = engine.import_file(file(tmp_path, colours, heading), pool="club", fields=MAP)
        games = [event for _, event in engine.events() if event.kind == "game"]
        assert [game.data.get("home") for game in games] == ["a", "b"]
        assert heading not in report.unused_columns
        again = engine.import_file(tmp_path / "games.csv", pool="club", fields=MAP)
        assert (again.duplicates, again.accepted, again.changed) == (2, 0, 0)


def test_a_file_that_was_imported_without_its_colours_is_known(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        engine.import_file(file(tmp_path, ("", ""), ""), pool="club", fields=MAP)
        again = engine.import_file(file(tmp_path, ("W", "B")), pool="club", fields=MAP)
        assert (again.duplicates, again.accepted, again.changed) == (2, 0, 0)


def test_other_colours_and_a_given_ground_are_left_alone(write: Write) -> None:
    sides = FieldMap.parse("a=player,b=opponent,played=date")
    for header, colour, fields in (
        ("date,player,opponent,color", "red", sides),
        ("date,player,opponent,color,home", "W", sides),
        ("date,player,opponent,club color", "W", sides),
        ("date,player,opponent,color", "W", sides.merged(FieldMap.parse("home="))),
    ):
        sheet = sheet_of_results(write(f"{header}\n2024-03-02,ann,bo,{colour},a\n"), fields)
        assert home_by_colour(sheet, fields) == {}


@pytest.mark.parametrize(("results", "noted"), [(("1-0", "0-1"), True), (("1", "0"), False)])
def test_a_result_of_both_sides_beside_a_colour_is_noted(tmp_path: Path, results: tuple[str, str], noted: bool) -> None:
    """1-0 of a player with Black may be a win of White: it was read as theirs without a word."""
    rows = f"2024-03-02,ann,bo,W,{results[0]}\n2024-03-03,ann,bo,B,{results[1]}\n"
    (tmp_path / "games.csv").write_text(f"date,player,opponent,Color,result\n{rows}")
    with rc.open(":memory:") as engine:
        report = engine.import_file(tmp_path / "games.csv", pool="club", fields=MAP)
    words = "its scores are read as those of player first, even where Color is B"
    assert (words in report.warnings) == noted


GROUNDS = [
    ("Venue", "Home,Away,Neutral"), ("H/A", "H,A,N"), ("Ort", "H,A,N"), ("Lieu", "D,E,N"),
    ("Home/Away", "home,@,neutral"),
]  # fmt: skip


@pytest.mark.parametrize(("heading", "words"), GROUNDS)
def test_a_column_of_home_and_away_gives_the_ground_and_exchanges_nothing(
    tmp_path: Path, heading: str, words: str
) -> None:
    """The ground of a team's games was lost, and nothing said whose points come first in an away game."""
    scores = ("3-1", "0-2", "1-1")
    rows = "".join(
        f"2024-03-0{day},Hull,Leeds,{word},{score}\n"
        for day, (word, score) in enumerate(zip(words.split(","), scores, strict=True), 1)
    )
    (tmp_path / "games.csv").write_text(f"date,team,opponent,{heading},result\n{rows}")
    with rc.open(":memory:") as engine:
        report = engine.import_file(
            tmp_path / "games.csv", pool="club", fields=MAP | {"a": "team", "score": "", "points": "result"}
        )
        games = [event for _, event in engine.events() if event.kind == "game"]
    assert [event.data.get("home") for event in games] == ["a", "b", None]
    assert [(event.a, event.score) for event in games] == [("Hull", 1.0), ("Hull", 0.0), ("Hull", 0.5)]
    away = words.split(",")[1]
    assert f"its scores are read as those of team first, even where {heading} is {away}" in report.warnings


def test_a_venue_that_names_places_is_no_ground(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(
        "date,player,opponent,Venue,result\n2024-03-02,ann,bo,H,1-0\n2024-03-03,ann,bo,Ulm,1-0\n"
    )
    with rc.open(":memory:") as engine:
        assert engine.import_file(tmp_path / "games.csv", pool="club", fields=MAP).unused_columns == ["Venue"]


def test_an_opponent_is_named_without_the_word_for_the_ground(tmp_path: Path) -> None:
    """`@ Luton`, `at Derby` and `vs. Leeds` were players beside Luton, Derby and Leeds."""
    names = ["vs. Leeds", "@ Luton", "at Derby", "@York", "Bury", "AT Home", "vsevolod"]
    rows = "".join(f"2024-03-0{day},Hull,{name},W\n" for day, name in enumerate(names, 1))
    for text, expected in ((rows, ["Leeds", "Luton", "Derby", "York", "Bury", "AT Home", "vsevolod"]),
                           ("2024-03-01,@ann,@bo,W\n2024-03-02,@ann,@cy,W\n", ["@bo", "@cy"])):  # fmt: skip
        (tmp_path / "games.csv").write_text(f"date,player,opponent,result\n{text}")
        with rc.open(":memory:") as engine:
            engine.import_file(tmp_path / "games.csv", pool="club", fields=MAP)
            assert [event.b for _, event in engine.events() if event.kind == "game"] == expected
