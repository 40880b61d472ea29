"""The charts that reports share."""

from typing import Any

import numpy as np

from ratingcore.report.charts import expected_scores
from ratingcore.report.style import FEW, Picture
from ratingcore.report.table import Table

GAPS = np.arange(-400.0, 401.0, 10.0)


def table(*methods: str) -> Table:
    columns = {
        "method": tuple(method for method in methods for _ in GAPS),
        "gap": np.tile(GAPS, len(methods)),
        "expected": np.concatenate([0.5 + GAPS / (1000.0 * (n + 1)) for n in range(len(methods))]),
    }
    return Table("expected_scores", "Expected scores", columns)


def cells(picture: Picture) -> list[dict[str, Any]]:
    """The rows from which a picture is drawn."""
    (rows,) = picture.chart.to_dict()["datasets"].values()
    return list(rows)


def test_every_method_has_a_curve_with_marks_at_gaps_of_its_own() -> None:
    (picture,) = expected_scores(table("elo", "dwz"))
    assert picture.description == "Expected score against gap; at 200 points: elo 0.7, dwz 0.6."
    rows = cells(picture)
    assert len(rows) == 2 * len(GAPS)
    marked = [{row["gap"] for row in rows if row["method"] == name and "mark" in row} for name in ("elo", "dwz")]
    assert marked[0]
    assert not marked[0] & marked[1]


def test_more_methods_than_can_be_told_apart_are_not_drawn() -> None:
    (picture,) = expected_scores(table(*(f"elo:k={k}" for k in range(FEW + 2))))
    drawn = {row["method"] for row in cells(picture)}
    assert drawn == {f"elo:k={k}" for k in range(FEW)}


def test_one_method_gives_the_picture_its_title_and_none_gives_no_picture() -> None:
    assert expected_scores(table("elo"))[0].title == "expected score against gap: elo"
    assert expected_scores(table("elo", "dwz"))[0].title == "expected score against gap"
    assert expected_scores(Table("expected_scores", "Expected scores", {"method": (), "gap": (), "expected": ()})) == []
