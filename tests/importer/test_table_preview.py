"""The format of the days of a file is found out before it is imported, from all of its rows."""

import io

import pytest

from ratingcore.errors import ArchiveError, ColumnNotFound
from ratingcore.importer.table_preview import date_forms
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import Constant
from ratingcore.registry import Registry


def forms(
    *days: str, fields: FieldMap | None = None, heading: str = "played", encoding: str | None = None
) -> list[str]:
    """The formats of the days of a table."""
    lines = [f"{heading},a,b,score", *(f"{day},Ján,bo,1-0" for day in days)]
    file = io.BytesIO("\n".join(lines).encode(encoding or "utf-8"))
    return date_forms(file, Registry.installed(), fields=fields or FieldMap(), encoding=encoding)


def test_all_rows_have_a_say() -> None:
    many = ["01/02/2024"] * 6_000
    assert forms(*many) == ["%d/%m/%Y", "%m/%d/%Y"]
    assert forms(*many, "13/02/2024") == ["%d/%m/%Y"]
    assert forms(*many, "02/13/2024", "31/31/2024") == ["%m/%d/%Y"], "one that is not a day of any format has none"


@pytest.mark.parametrize("days", [["2024-03-02"], ["soon"], ["1709337600"]])
def test_days_that_need_no_format_have_none(days: list[str]) -> None:
    assert forms(*days) == []


def test_days_in_iso_beside_others_have_the_format_of_the_others() -> None:
    assert forms("2024-03-02", "02/03/2024") == ["%d/%m/%Y", "%m/%d/%Y"]
    assert forms("2024-03-02", "3.2.24", "03.02.2024") == ["%d.%m.%Y"]


def test_the_mapping_and_the_encoding_of_the_file_are_heeded() -> None:
    assert forms("21.02.2024", fields=FieldMap.parse("played=Den"), heading="Den", encoding="cp1250") == ["%d.%m.%Y"]
    assert forms("21.02.2024", fields=FieldMap({"played": Constant("2024-03-02")})) == []
    with pytest.raises(ColumnNotFound):
        forms("21.02.2024", heading="Den")
    with pytest.raises(ArchiveError):
        forms("21.02.2024", fields=FieldMap.parse("played=other"))


def test_a_tournament_is_no_table() -> None:
    trf = b"012 Open\n042 2024/03/02\n001    1 m    Ann                               1500             1.0    1\n"
    assert date_forms(io.BytesIO(trf), Registry.installed(), fields=FieldMap(), reader="trf") == []
