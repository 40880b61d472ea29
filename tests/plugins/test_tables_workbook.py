"""Workbooks: cells come back as they went in, whatever they look like."""

from io import BytesIO

import openpyxl
import pytest
from ratingcore_tables import workbook as module
from ratingcore_tables.workbook import workbook

from ratingcore.errors import CannotWrite


def test_cells_come_back() -> None:
    rows = [["ann", 1510.5, 3, None], ["=1+1", -1.0, 0, "@x"], ["007", 1.0, 1, "柯洁"]]
    book = openpyxl.load_workbook(
        BytesIO(workbook({"ratings": (["player", "rating", "n", "note"], rows), "b": ((), [])}))
    )
    assert book.sheetnames == ["ratings", "b"]
    cells = [[cell.value for cell in row] for row in book["ratings"].iter_rows()]
    assert cells == [["player", "rating", "n", "note"], *rows]
    assert book["ratings"]["A3"].data_type == "s"


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 3)
    workbook({"s": (["n"], [[1], [2]])})
    with pytest.raises(CannotWrite, match="more than 2 rows"):
        workbook({"s": (["n"], [[1], [2], [3]])})
    with pytest.raises(CannotWrite, match="more than 32767 characters"):
        workbook({"s": (["n"], [["x" * 40_000]])})
