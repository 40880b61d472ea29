"""Tables for people and programs."""

import csv
import io
import json
import sys
from datetime import UTC, date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from ratingcore_pages.comparison import report_html

import ratingcore as rc
from ratingcore.errors import NotInstalled
from ratingcore.report.table import Table, person, with_visible_names

DAY = np.array(["2024-03-02", "2024-03-02T10:00"], dtype="M8[us]")


@pytest.fixture
def table() -> Table:
    columns = {"player": ("Zoë <b>", None), "at": DAY, "rating": np.array([1500.123456789, np.nan]), "games": (3, None)}
    return Table("curves", "Ratings & more", columns, "points")


def test_rows_have_none_where_there_is_no_number_and_times_as_texts(table: Table) -> None:
    assert list(table) == [
        {"player": "Zoë <b>", "at": "2024-03-02", "rating": 1500.123456789, "games": 3},
        {"player": None, "at": "2024-03-02T10:00:00Z", "rating": None, "games": None},
    ]
    assert len(table) == 2


def test_a_column_has_the_cells_of_the_rows(table: Table) -> None:
    assert table["rating"] == (1500.123456789, None)


def test_csv_has_every_digit(table: Table) -> None:
    assert list(csv.reader(io.StringIO(table.csv())))[1] == ["Zoë <b>", "2024-03-02", "1500.123456789", "3"]


def test_json_has_no_nan(table: Table) -> None:
    told = json.loads(json.dumps(table.json(), allow_nan=False))
    assert told["unit"] == "points"
    assert told["rows"][1]["rating"] is None


def test_html_escapes_what_names_hold(table: Table) -> None:
    told = table._repr_html_()
    assert "Zoë &lt;b&gt;" in told
    assert "<caption>Ratings &amp; more, points</caption>" in told


def test_polars_takes_a_table_through_arrow(table: Table) -> None:
    frame = pl.DataFrame(table)
    assert frame["rating"].to_list() == [1500.123456789, None]
    assert frame.schema["at"] == pl.Datetime("us")
    assert frame["games"].to_list() == [3, None]


def test_pandas_and_pyarrow_take_a_table_through_arrow(table: Table) -> None:
    taken = pa.table(table)
    assert taken.column("player").to_pylist() == ["Zoë <b>", None]
    frame = taken.to_pandas()
    assert frame["at"].tolist() == pd.to_datetime(DAY).tolist()


def test_pandas_makes_the_same_frame_of_a_table_without_arrow(table: Table) -> None:
    """It made a frame of what iterating gives: of a history without uids, and with days as numbers."""
    facts = {"day": ("2024-03-02", None), "fide title": ("GM", None), "class": (1, "A")}
    odd = Table("facts", "Facts", facts | dict(table.columns))
    frame = pd.DataFrame(odd)
    assert frame.columns.tolist() == [*facts, *table.columns]
    assert frame["at"].tolist() == pd.to_datetime(DAY).tolist()
    assert frame["day"].tolist() == [date(2024, 3, 2), None]
    assert (frame["fide title"][0], frame["class"].tolist()) == ("GM", [1, "A"])
    assert len(pd.DataFrame(Table("none", "None", {"day": ()}))) == 0


def test_a_table_without_rows_keeps_its_columns() -> None:
    empty = Table("left_out", "Left out", {"method": (), "why": ()})
    assert len(empty) == 0
    assert pl.DataFrame(empty).columns == ["method", "why"]
    assert empty.csv() == "method,why\n"
    assert str(empty) == "method  why"


def test_without_pyarrow_arrow_says_what_to_install(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NotInstalled, match="pyarrow") as caught:
        table.__arrow_c_stream__()
    assert caught.value.hint == 'pip install "ratingcore[tables]"'


def test_columns_that_take_time_are_made_once_and_when_they_are_looked_at() -> None:
    made: list[int] = []

    def make() -> dict[str, tuple[int, ...]]:
        made.append(1)
        return {"n": (1, 2)}

    table = Table("late", "Late", make)
    assert not made
    assert [row["n"] for row in table] == [1, 2]
    assert len(table) == 2
    assert made == [1]


def test_arrays_that_come_out_are_read_only(table: Table) -> None:
    with pytest.raises(ValueError, match="read-only"):
        table.columns["rating"][0] = 1.0  # type: ignore[index]  # that it is refused is what is tested


def club() -> rc.Engine:
    engine = rc.open(":memory:")
    players = ("fide:15", "bo", "cy", "di")
    for day in range(1, 25):
        for a, b in ((0, 1), (2, 3), (0, 3), (1, 2)):
            score = (day * 7 + a * 3 + b) % 3 / 2
            game = rc.GamePlayed(pool="p", played=f"2024-03-{day:02}", a=players[a], b=players[b], score=score)
            engine.record(game)
    engine.rename("fide:15", "Ann <Lee>")
    return engine


def test_a_player_is_their_key_and_what_they_are_called() -> None:
    assert person("fide:15", {"fide:15": "Ann Lee"}) == "fide:15 (Ann Lee)"
    assert person("bo", {"fide:15": "Ann Lee"}) == "bo"


def test_tables_for_people_name_players_and_others_stay() -> None:
    made = club().compare("p", ["elo", "elo:k=40"])
    named = with_visible_names(made, made.called)
    assert set(named.curves["player"]) == {"fide:15 (Ann <Lee>)", "bo", "cy", "di"}
    assert set(made.curves["player"]) == {"fide:15", "bo", "cy", "di"}
    assert named.scores is made.scores
    assert with_visible_names(made, {}) is made


def test_the_page_of_a_comparison_shows_them_and_its_command_names_keys() -> None:
    page = report_html(club().compare("p", ["elo", "elo:k=40"]))
    assert "fide:15 (Ann &lt;Lee&gt;)" in page
    assert "--player fide:15 " in page
    assert "(Ann <Lee>)</td>" not in page


def test_days_are_dates_in_data_frames_and_texts_in_rows() -> None:
    """They were texts in both, so that nobody could plot them over time."""
    table = Table("t", "T", {"played": ("2024-03-02", None), "a": ("2024-03-02", "x")})
    assert pl.DataFrame(table).to_dict(as_series=False) == {
        "played": [date(2024, 3, 2), None],
        "a": ["2024-03-02", "x"],
    }
    assert table[0] == {"played": "2024-03-02", "a": "2024-03-02"}
    late = Table("t", "T", {"played": ("2024-03-02", "2024-03-02T19:30:00+01:00")})
    times = [datetime(2024, 3, 2, tzinfo=UTC), datetime(2024, 3, 2, 18, 30, tzinfo=UTC)]
    assert pl.DataFrame(late)["played"].to_list() == times
    assert pl.DataFrame(Table("t", "T", {"last": ("never",)}))["last"].to_list() == ["never"]
