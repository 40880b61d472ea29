"""Derived tables as a store: what is written, found again, taken away, relabelled, and whose tables are left alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ratingcore_sql_tables.tables import CURRENT, HISTORY, End, RatingTables, TableEntry

from ratingcore.errors import LogUnavailable
from ratingcore.log.sqlite.connection import sqlite3
from ratingcore.log.sqlite.tables import tables_in
from tests.log.conftest import Make

PAIR = ("rapid", "elo")


def rating(player: int, name: str, value: float = 1500.0) -> tuple[object, ...]:
    return (*PAIR, player, name, player, value, 2, "{}", 2, "2:00")


def line(player: int, number: int, name: str, opponent: str, change: float | None, value: float | None,
         day: str = "2024-03-02", score: float | None = 1.0) -> tuple[object, ...]:  # fmt: skip
    return (*PAIR, player, number, name, day, f"g{number}", opponent, score, 0.5, change, value, "{}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ratings.db"


@pytest.fixture
def tables(path: Path) -> Iterator[RatingTables]:
    """Tables of two players; the second waits for a first rating."""
    with tables_in(path) as file:
        made = RatingTables(file)
        with made.writing():
            made.make()
            made.add(CURRENT, [rating(1, "ann"), rating(2, "bo")])
            made.add(HISTORY, [
                line(1, 1, "ann", "bo", 10.0, 1510.0), line(1, 2, "ann", "bo + cy", -10.0, 1500.0, "2024-04-01"),
                line(2, 1, "bo", "ann", -0.5, None), line(2, 2, "bo", "ann", 2.0, None),
            ])  # fmt: skip
            made.keep(TableEntry(*PAIR, "elo@1()", 2, "2:00", None, 0, 0, 0, ""))
        yield made


def test_keeping_counts_the_rows_and_they_are_found_whole(tables: RatingTables) -> None:
    (entry,) = tables.entries()
    assert entry == tables.find(*PAIR)
    assert (entry.players, entry.lines) == (2, 4)
    assert tables.whole(entry)
    assert tables.find("rapid", "glicko") is None


@pytest.mark.parametrize(
    "sql", [f"UPDATE {CURRENT} SET rating = 1500.0000001", f"DELETE FROM {HISTORY} WHERE line = 2",
            f"UPDATE {CURRENT} SET rating = x'00'", f"DROP TABLE {HISTORY}"],
)  # fmt: skip
def test_rows_that_somebody_changed_are_not_whole(tables: RatingTables, sql: str) -> None:
    (entry,) = tables.entries()
    tables._run(sql)
    assert not tables.whole(entry)


def test_the_end_of_a_player_is_their_last_line_and_what_waits_for_a_rating(tables: RatingTables) -> None:
    assert tables.ends(PAIR, [1, 2, 3]) == {1: End(2, 1500.0, 0.0), 2: End(2, None, 1.5)}


def test_lines_are_forgotten_from_a_day_on_or_all(tables: RatingTables) -> None:
    tables.forget_lines(PAIR, "2024-04-01")
    assert tables.ends(PAIR, [1])[1] == End(1, 1510.0, 0.0)
    tables.forget_lines(PAIR)
    assert tables.ends(PAIR, [1, 2]) == {}


def test_rows_without_an_entry_are_strays(tables: RatingTables) -> None:
    tables.strays()
    assert tables.whole(tables.entries()[0])
    tables._run("DELETE FROM rating_tables")
    tables.strays()
    assert tables._all(f"SELECT * FROM {CURRENT}") == tables._all(f"SELECT * FROM {HISTORY}") == []


def test_relabelling_reaches_partners_in_opponents_and_keeps_the_tables_whole(tables: RatingTables) -> None:
    with tables.writing():
        assert tables.relabel({2: "(erased 2)"}, erased=1, known=set) == 5
    rows = tables._all(f"SELECT player, opponent FROM {HISTORY} ORDER BY player_id, line")
    assert rows == [
        ("ann", "(erased 2)"), ("ann", "(erased 2) + cy"), ("(erased 2)", "ann"), ("(erased 2)", "ann"),
    ]  # fmt: skip
    (entry,) = tables.entries()
    assert entry.erased == 1
    assert tables.whole(entry)


def test_tables_of_somebody_else_are_left_alone(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute(f"CREATE TABLE {CURRENT} (player TEXT)")
    db.close()
    with tables_in(path) as file, pytest.raises(LogUnavailable, match="has other columns"), file.writing():
        RatingTables(file).make()


def test_a_folder_and_another_log_are_no_place_for_tables(tmp_path: Path, sqlite_log: Make) -> None:
    with pytest.raises(LogUnavailable, match="it is a folder"), tables_in(tmp_path):
        pass
    with pytest.raises(LogUnavailable, match="it is another log"), tables_in(sqlite_log("league.db").path):
        pass


def test_what_fails_while_writing_is_undone(tables: RatingTables) -> None:
    def failing() -> None:
        with tables.writing():
            tables.forget_ratings(PAIR)
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        failing()
    assert tables.whole(tables.entries()[0])
