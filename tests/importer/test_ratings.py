"""Ratings in a file, by player, without a log."""

from pathlib import Path

import pytest

from ratingcore.events import instant
from ratingcore.importer.ratings import ratings_in
from ratingcore.registry import Registry


def test_of_several_ratings_the_latest_counts_and_another_of_one_day_is_named(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    rows = ["ann,1500,2024-03-02", "ann,1600,2024-03-02", "bo,1700,2024-03-09", "bo,1800,2024-03-02"]
    file.write_text("\n".join(["player,rating,played", *rows, ""]))
    at, fields = instant("2024-04-01"), {"at": "played"}
    found = ratings_in(file, Registry.installed(), "rapid", at=at, fields=fields)
    assert found.of == {"ann": 1500.0, "bo": 1700.0}
    assert found.unread == ("line 3: rating differs from an earlier row for ann: 1500: 1600.0",)


@pytest.mark.parametrize("column", ["at", "played"])
def test_a_time_in_a_column_of_its_own_name_counts_and_rows_without_one_are_of_the_time_given(
    tmp_path: Path, column: str
) -> None:
    """The time that was given was that of all rows, so the one further down counted."""
    file = tmp_path / "list.csv"
    rows = ["ann,1500,2024-03-09", "ann,1600,2024-03-02", "bo,1700,", "bo,1800,2024-04-02"]
    file.write_text("\n".join([f"player,rating,{column}", *rows, ""]))
    found = ratings_in(file, Registry.installed(), "rapid", at=instant("2024-04-01"))
    assert (found.of, found.unread) == ({"ann": 1500.0, "bo": 1800.0}, ())
