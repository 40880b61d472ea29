"""Days in three columns, and days that are written once for several rows."""

import json

import pytest

from ratingcore.events import iso
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.results import sheet_of_results, unused_columns
from ratingcore.readers import Refused

from .conftest import Read, Write


@pytest.mark.parametrize("parts", ["year,month,day", "Jahr,Monat,Tag", "Año,Mes,Día", "An,Mois,Jour"])
def test_the_day_is_read_from_three_columns(read: Read, parts: str) -> None:
    """The day of the month alone was taken for the day, and every row refused."""
    text = f"{parts},white,black,result\n2024,3,2,ann,bo,1-0\n2024,12,31,ann,cy,0-1\n"
    mapping = f"a=white,b=black,score=result,played={parts.split(',')[2]}"
    assert [iso(line.event.played) for line in read(text, mapping)] == ["2024-03-02", "2024-12-31"]


def test_a_day_that_does_not_exist_is_refused_and_one_with_the_name_of_its_month_wants_a_format(read: Read) -> None:
    text = "year,month,day,a,b,score\n2024,2,30,ann,bo,1\n2024,March,2,ann,bo,1\n"
    assert [type(line) for line in read(text, "played=day")[:2]] == [Refused, Refused]
    named = FieldMap.parse("played=day").merged(FieldMap(date="%d %B %Y"))
    assert iso(read(text.replace("2024,2,30", "2024,May,3"), named)[0].event.played) == "2024-05-03"


def test_one_column_with_the_whole_day_is_read_alone(read: Read) -> None:
    for text in (
        "year,month,day,date,a,b,score\n2023,1,1,2024-03-02,ann,bo,1\n",
        "year,month,day,a,b,score\n2023,1,2024-03-02,ann,bo,1\n",
    ):
        played = "date" if "date" in text else "day"
        assert iso(read(text, f"played={played}")[0].event.played) == "2024-03-02"


def test_objects_have_their_day_in_three_fields_too(read: Read) -> None:
    one = {"year": "2024", "month": "3", "day": "2", "a": "ann", "b": "bo", "score": "1"}
    numbers = one | {"year": 2024, "month": 4, "day": 5}
    found = read(f"{json.dumps(one)}\n{json.dumps(numbers)}\n", "played=day", name="g.jsonl")
    assert [iso(line.event.played) for line in found] == ["2024-03-02", "2024-04-05"]


def test_none_of_the_three_columns_is_called_unused(write: Write) -> None:
    fields = FieldMap.parse("played=day")
    sheet = sheet_of_results(write("year,month,day,a,b,score,city\n2024,3,2,ann,bo,1,Ulm\n"), fields)
    assert unused_columns(sheet, "club", fields) == ["city"]


def test_a_day_written_once_counts_for_the_rows_below(read: Read) -> None:
    """Cells that were merged in a spreadsheet have their day in the first row only; the other rows were refused."""
    text = "played,a,b,score\n2024-03-02,ann,bo,1\n,cy,di,0\n,ed,fi,0\n2024-03-09,ann,cy,1\n,bo,di,1\n,,,1\n"
    *games, total, note = read(text)
    days = [iso(line.event.played) for line in games]
    assert days == ["2024-03-02"] * 3 + ["2024-03-09"] * 2
    assert total.reason == "played must be an ISO date or time between years 1 and 9999: ''"
    assert str(note) == "3 rows have no day, and count on the day above, as in merged cells: line 3, 2024-03-02"


def test_a_day_written_once_has_the_times_of_the_rows_below(read: Read) -> None:
    """Rows below a merged cell were refused as soon as a column of times was mapped."""
    rows = "2024-03-02,19:30,ann,bo,1\n,20:15,cy,di,0\n,,ed,fi,0\n2024-03-09,9:00,ann,cy,1\n,9:00,bo,di,1\n"
    *games, note = read(f"played,at,a,b,score\n{rows}", "time=at")
    times = ["2024-03-02T19:30:00Z", "2024-03-02T20:15:00Z", "2024-03-02", *["2024-03-09T09:00:00Z"] * 2]
    assert [iso(line.event.played) for line in games] == times
    assert "3 rows have no day, and count on the day above" in str(note)


def test_a_round_written_once_beside_its_day_counts_for_the_rows_below(read: Read) -> None:
    """A fixed fault: only the first game of each round had its round."""
    rows = "2024-03-02,1,A,ann,bo,1\n,,,cy,di,0\n,,B,ed,fi,0\n2024-03-09,2,A,ann,cy,1\n,,,bo,di,1\n"
    *games, _ = read(f"played,round,hall,a,b,score\n{rows}", "event=hall")
    assert [line.event.data.get("round") for line in games] == [1, 1, 1, 2, 2]
    assert [line.event.data.get("event") for line in games] == ["A", None, "B", "A", None]  # written in other rows, too


@pytest.mark.parametrize(
    "days",
    [
        ("2024-03-02", "2024-03-02", "", ""),  # the day is written in each row
        ("2024-03-02", "2024-03-03", "2024-03-04", ""),  # one is missing
        ("2024-03-02T19:30Z", "", "", ""),
    ],
)
def test_a_missing_day_is_an_error_where_other_rows_have_their_own(read: Read, days: tuple[str, ...]) -> None:
    text = "".join(f"{day},ann{at},bo,1\n" for at, day in enumerate(days))
    found = read(f"played,a,b,score\n{text}")
    assert [type(line) is Refused for line in found] == [day == "" for day in days]
