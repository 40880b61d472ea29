"""Times of day in a column of their own."""

from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.events import iso
from ratingcore.importer.day_notes import TimesOfDay
from ratingcore.importer.tables.cells import place_on_day

MAP = {"a": "White", "b": "Black", "score": "Result", "played": "Date"}
EVENING = [("20:30", "ann", "bo", "1-0"), ("18:00", "bo", "cy", "1-0"), ("19:00", "ann", "cy", "0-1")]


def file(folder: Path, rows: list[tuple[str, ...]] = EVENING, heading: str = "Time", name: str = "evening.csv") -> Path:
    lines = [f"Date,{heading},White,Black,Result", *(",".join(("2024-03-02", *row)) for row in rows)]
    (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    return folder / name


def games(engine: rc.Engine) -> list[Any]:
    return sorted((event for _, event in engine.events() if event.kind == "game"), key=lambda game: game.order)


@pytest.mark.parametrize("zone", ["", "Europe/Paris"])
@pytest.mark.parametrize("heading", ["Time", "time", "Uhrzeit", "Hora", "Start", "Heure", "時刻"])
def test_times_beside_the_days_order_the_games(tmp_path: Path, heading: str, zone: str) -> None:
    """The games of a day counted in the order of the rows, and only the command line said that times were not read."""
    with rc.open(":memory:") as engine:
        engine.declare("club", zone=zone)
        report = engine.import_file(file(tmp_path, heading=heading), pool="club", fields=MAP)
        assert [(game.a, game.b) for game in games(engine)] == [("bo", "cy"), ("ann", "cy"), ("ann", "bo")]
        assert {iso(game.played) for game in games(engine)} == {"2024-03-02"}
        assert TimesOfDay(heading, orders=True) in report.notes
        again = engine.import_file(tmp_path / "evening.csv", pool="club", fields=MAP)
        assert (again.accepted, again.duplicates) == (0, 3)


def test_the_order_moves_ratings_as_if_the_rows_were_sorted(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        engine.import_file(file(tmp_path), pool="rows", fields=MAP)
        engine.import_file(file(tmp_path, sorted(EVENING), "Platz", "sorted.csv"), pool="sorted", fields=MAP)
        one, other = (engine.rating_list(pool, "elo") for pool in ("rows", "sorted"))
        assert {who: one.rating(who) for who in one.player} == {who: other.rating(who) for who in other.player}


def test_a_file_that_was_imported_by_days_does_not_come_twice(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        engine.import_file(file(tmp_path), pool="club", fields={**MAP, "order": ""})
        assert {game.order for game in games(engine)} == {0}
        again = engine.import_file(tmp_path / "evening.csv", pool="club", fields=MAP)
        assert (again.accepted, again.duplicates, again.changed) == (0, 3, 0)
        assert TimesOfDay("Time", orders=False) in again.notes
        grown = engine.import_file(
            file(tmp_path, [*EVENING, ("21:00", "dan", "bo", "1-0")], name="more.csv"), fields=MAP
        )
        assert (grown.accepted, grown.changed) == (1, 3)
        amended = engine.import_file(tmp_path / "evening.csv", pool="club", fields={**MAP, "order": "Time"}, amend=True)
        assert (amended.accepted, amended.amended) == (0, 3)


def test_a_file_that_was_taken_back_is_read_with_its_times(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        report = engine.import_file(file(tmp_path), pool="club", fields={**MAP, "order": ""})
        engine.apply(engine.plan.void_all(engine.plan.chosen(positions=report.positions)))
        again = engine.import_file(tmp_path / "evening.csv", pool="club", fields=MAP)
        assert again.accepted == 3
        assert {game.order for game in games(engine)} >= {180000, 190000, 203000}


@pytest.mark.parametrize("odd", ["abends", "90+30", "tba", "45:12", "24:30"])
def test_a_text_that_is_no_time_is_named(tmp_path: Path, odd: str) -> None:
    with rc.open(":memory:") as engine:
        report = engine.import_file(file(tmp_path, [*EVENING, (odd, "dan", "bo", "1-0")]), pool="club", fields=MAP)
        assert {game.order for game in games(engine)} == {0}
        assert TimesOfDay("Time", orders=False, odd=odd) in report.notes
        assert report.accepted == 4


def test_a_game_without_a_time_is_noted(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        report = engine.import_file(file(tmp_path, [*EVENING, ("", "dan", "bo", "1-0")]), pool="club", fields=MAP)
        assert TimesOfDay("Time", orders=True, gaps=True) in report.notes
        assert games(engine)[0].a == "dan"


def test_rounds_go_before_times(tmp_path: Path) -> None:
    (tmp_path / "swiss.csv").write_text(
        "Date,Time,Round,White,Black,Result\n2024-03-02,19:00,2,ann,bo,1-0\n2024-03-02,19:00,1,ann,cy,1-0\n"
    )
    with rc.open(":memory:") as engine:
        engine.import_file(tmp_path / "swiss.csv", pool="club", fields={**MAP, "round": "Round"})
        assert [game.order for game in games(engine)] == [1000, 2000]


def test_other_tables_have_the_same_order(tmp_path: Path) -> None:
    rows = [
        dict(zip(("Date", "Time", "White", "Black", "Result"), ("2024-03-02", *row), strict=True)) for row in EVENING
    ]
    with rc.open(":memory:") as engine:
        engine.import_file(rows, pool="objects", fields=MAP)
        pa = pytest.importorskip("pyarrow")
        engine.import_file(pa.Table.from_pylist(rows), pool="columns", fields=MAP)
        for pool in ("objects", "columns"):
            found = [(game.a, game.b) for game in games(engine) if game.pool == pool]
            assert found == [("bo", "cy"), ("ann", "cy"), ("ann", "bo")]


def test_times_as_places_on_a_day() -> None:
    assert [place_on_day(text) for text in ("", "7", "7:05", "19h30", "7:30 pm", "00:20:05")] == [
        0, 7, 70500, 193000, 193000, 2005,
    ]  # fmt: skip


@pytest.mark.parametrize("mapped", ["", "order", "time"])
def test_a_clock_of_twelve_hours_does_not_order_the_games(tmp_path: Path, mapped: str) -> None:
    """The game at 1:00 counted before those of the morning, and nothing said so."""
    day = [("9:00", "ann", "bo", "1-0"), ("11:30", "bo", "cy", "1-0"), ("1:00", "ann", "cy", "0-1")]
    with rc.open(":memory:") as engine:
        mapping = {**MAP, mapped: "Time"} if mapped else MAP
        report = engine.import_file(file(tmp_path, day), pool="club", fields=mapping, zone="Europe/Paris")
        assert TimesOfDay("Time", orders=bool(mapped), half="1:00") in report.notes
        assert mapped or {game.order for game in games(engine)} == {0}


def test_times_of_one_half_of_the_day_order_the_games(tmp_path: Path) -> None:
    with rc.open(":memory:") as engine:
        evening = [("8:00", "ann", "bo", "1-0"), ("6:30", "bo", "cy", "1-0")]
        assert TimesOfDay("Time", orders=True) in engine.import_file(file(tmp_path, evening), "club", MAP).notes


def test_times_of_half_a_day_are_noted_in_the_column_of_days_too(tmp_path: Path) -> None:
    """The games of the afternoon came before those of the morning, without a word."""
    rows = "".join(f"2024-03-02 {time},ann{time},bo,1\n" for time in ("9:00", "11:30", "1:00"))
    (tmp_path / "games.csv").write_text(f"played,a,b,score\n{rows}")
    with rc.open(":memory:") as engine:
        report = engine.import_file(tmp_path / "games.csv", "club", zone="Europe/Paris")
    assert TimesOfDay("played", orders=True, half="1:00") in report.notes
