"""Days of one column that are written in several ways, and days that a person types."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.errors import BadFile, BadValue, SeveralDays
from ratingcore.events import instant, iso
from ratingcore.importer.day_notes import DaysInUtc, DaysUnread
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.cells import time_parser
from ratingcore.importer.tables.days import UnreadDays, is_no_day, typed_day
from ratingcore.readers.date_forms import moment_by
from tests.importer.tables.conftest import Write


def days(engine: rc.Engine) -> list[str]:
    return [iso(event.played) for _, event in engine.events() if event.kind == "game"]


MIXED = [
    (["3.2.24", "03.02.2024", "5.2.24"], "%d.%m.%Y", ["2024-02-03", "2024-02-03", "2024-02-05"]),
    (["3.2.24", "13.02.2024 18:00", "2024-02-15"], "%d.%m.%y", ["2024-02-03", "2024-02-13T18:00:00Z", "2024-02-15"]),
    (["3/2/24", "25/02/2024", "4.2.2024"], "%d/%m/%Y", ["2024-02-03", "2024-02-25", "2024-02-04"]),
    (["2/3/24", "02/25/2024"], "%m/%d/%Y", ["2024-02-03", "2024-02-25"]),
    (["Mar 2, 2024", "August 5, 2024"], "%d %b %Y", ["2024-03-02", "2024-08-05"]),
    (["Sat 02.03.2024", "So., 03.03.24"], "%d.%m.%Y", ["2024-03-02", "2024-03-03"]),
    (["Saturday, March 2nd, 2024", "2 March 2024"], "%d %b %Y", ["2024-03-02", "2024-03-02"]),
    (["2. März 2024", "9 août 2024", "5 июня 2024"], "%d %b %Y", ["2024-03-02", "2024-08-09", "2024-06-05"]),
    (["2-Mar-24", "10-Mar-24"], "%d %b %y", ["2024-03-02", "2024-03-10"]),
    (["31-12-24", "13-11-24"], "%d-%m-%y", ["2024-12-31", "2024-11-13"]),
    (["2024-3-2", "2024-03-02", "2024/3/4"], "", ["2024-03-02", "2024-03-02", "2024-03-04"]),
]


@pytest.mark.parametrize(("texts", "form", "expected"), MIXED, ids=[one[0][0] for one in MIXED])
def test_days_of_one_order_are_read_by_one_format(
    write: Write, texts: list[str], form: str, expected: list[str]
) -> None:
    """Days with years of two and of four digits had no format that read them all, neither here nor at the desk."""
    file = write("played,a,b,score\n" + "".join(f'"{text}",p{at},q{at},1-0\n' for at, text in enumerate(texts)))
    with rc.open(":memory:") as engine:
        report = engine.import_file(file, pool="club", zone="UTC")
        forms = [one for note in report.notes if isinstance(note, DaysUnread) for one in note.forms]
        assert forms == [form] * bool(form)
        if form:
            report = engine.import_file(file, pool="club", fields=FieldMap(date=form), zone="UTC")
            assert not report.refused
        assert sorted(days(engine)) == sorted(expected)


def test_no_other_format_is_offered_for_what_is_no_day_in_any() -> None:
    """A fixed fault: `%d.%m.%Y` was offered beside `%d.%m.%y`, and then the reverse."""
    days = UnreadDays("%d.%m.%y")
    days.meet("3.10.24", instant("2024-10-03"))
    days.miss(BadValue("played", "31.2.25", "is not a time of the form %d.%m.%y"))
    assert (days.note().forms, days.note().wrong) == ((), ("31.2.25",))


def test_days_that_may_be_of_two_orders_are_refused_with_both(write: Write) -> None:
    file = write("played,a,b,score\n2024-03-02,ann,bo,1-0\n3/2/24,ann,cy,1-0\n04/02/2024,ann,dee,1-0\n")
    with rc.open(":memory:") as engine:
        (note,) = [note for note in engine.import_file(file, "club").notes if isinstance(note, DaysUnread)]
        assert note.forms == ("%d/%m/%Y", "%m/%d/%Y")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1.2.24", "2024-02-01"), ("31-12-24", "2024-12-31"), ("2024-3-2", "2024-03-02"), ("2024/03/05", "2024-03-05")],
)
def test_a_typed_day_is_read_as_in_a_table(text: str, expected: str) -> None:
    """31-12-24 was no day of the calendar, and 2024/03/05 was the third of May."""
    assert typed_day(text) == expected
    assert not is_no_day(text)


@pytest.mark.parametrize(("text", "why"), [("12-11-24", "several"), ("31-12-40", "ahead"), ("31.02.2024", "calendar")])
def test_a_typed_day_that_is_not_read_has_the_right_reason(text: str, why: str) -> None:
    with pytest.raises(
        SeveralDays if why == "several" else BadValue, match="more than one" if why == "several" else why
    ):
        typed_day(text)


def test_a_time_whose_day_is_another_one_in_utc_has_a_note(write: Write) -> None:
    """Midnight of the second of March in Helsinki counted on the first, and nothing said so."""
    rows = "2024-03-02T00:00+02:00,ann,bo,1-0\n2024-03-03T18:00+02:00,bo,cy,1-0\n2024-03-04T01:30:00+02:00,bo,dee,1-0\n"
    file = write(f"played,a,b,score\n{rows}")
    with rc.open(":memory:") as engine:
        expected = DaysInUtc(2, "2024-03-02T00:00+02:00", "2024-03-01")
        assert expected in engine.import_file(file, pool="club").notes
        assert expected in engine.import_file(file, pool="club").notes, "read by rows, since the pool has results"
        engine.declare("zoned", zone="Europe/Helsinki")
        assert expected not in engine.import_file(file, pool="zoned").notes
        assert engine.rating_list("zoned", "elo", through="2024-03-01").player == ()


def test_days_that_a_spreadsheet_exchanged_are_refused(tmp_path: Path) -> None:
    """It made 3 February of 02/03/2024, and left 13/03/2024 a text: with the format of the texts, all were taken."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (("played", "a", "b", "score"), (datetime(2024, 2, 3), "ann", "bo", 1), ("13/03/2024", "bo", "cy", 1)):
        book.active.append(list(row))
    book.save(tmp_path / "games.xlsx")
    fields = FieldMap(date="%d/%m/%Y")
    with rc.open(":memory:") as engine, pytest.raises(BadFile, match="day and month of the dates may be exchanged"):
        engine.import_file(tmp_path / "games.xlsx", "p", fields)


@pytest.mark.parametrize(("text", "form"), [("1032024", "%d%m%Y"), ("40301", "%y%m%d"), ("132024", "%d%m%Y")])
def test_numbers_without_signs_need_all_their_digits(text: str, form: str) -> None:
    """A spreadsheet dropped the 0 of 01032024, and the first of March was read as the tenth."""
    with pytest.raises(BadValue, match="is not a time of the form"):
        moment_by(form, text)
    assert moment_by("%d%m%Y", "01032024").date() == date(2024, 3, 1)


def test_an_hour_of_one_digit_is_read() -> None:
    assert time_parser(None, UTC)("2024-03-02 9:30") == instant("2024-03-02T09:30Z")


@pytest.mark.parametrize("text", ["2024-03-02/03", "2024-03-02-03", "2024-03-02,19:00"])
def test_two_days_are_no_day_with_an_hour(text: str) -> None:
    """2024-03-02/03 was read as three o'clock of that day."""
    with pytest.raises(BadValue, match="is not a day, nor a day and a time with a T or a blank between them"):
        time_parser(None, UTC)(text)


GIVEN = {
    "games.csv": "a,b,score\nann,bo,1-0\nbo,cy,1/2\n",
    "clock.csv": "a,b,score,Zeit\nann,bo,1-0,19:00\nbo,cy,1/2,18:00\n",
    "known.csv": "a,b,score\n" + "".join(f"p{at},q{at},1\n" for at in range(3000)),
    "many.csv": "id,a,b,score\n" + "".join(f"g{at},p{at},q{at},1\n" for at in range(3000)),
    "places.csv": "session,player,place\n1,ann,1\n1,bo,2\n",
    "sides.jsonl": '{"sides": [{"players": ["a"], "score": 1}, {"players": ["b"], "score": 2}]}\n',
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_day_that_is_given_is_that_of_all_rows_of_a_table_without_days(write: Write, name: str) -> None:
    """A fixed bug: it was given to formats of tournaments only, so that a table was refused for having no days."""
    with rc.open(":memory:") as engine:
        report = engine.import_file(write(GIVEN[name], name), pool="club", played="2024-03-02")
        assert report.accepted == len(GIVEN[name].splitlines()) - (name.endswith(".csv") + (name == "places.csv"))
        assert {iso(event.played) for _, event in engine.events() if event.kind != "pool"} == {"2024-03-02"}


@pytest.mark.parametrize("heading", ["played", "Datum", "Timestamp", "Zeit"])
def test_a_day_is_not_given_to_a_table_that_has_days(write: Write, heading: str) -> None:
    file = write(f"a,b,score,{heading}\nann,bo,1,2024-01-07\n")
    with rc.open(":memory:") as engine:
        with pytest.raises(BadFile, match=f"it has days of its own in the column {heading}, so no other day"):
            engine.import_file(file, pool="club", played="2024-03-02")
        engine.import_file(file, pool="club", fields={"played": ""}, played="2024-03-02")
        assert days(engine) == ["2024-03-02"]
        with pytest.raises(BadFile, match=f"it has days of its own in the column {heading}, so no other day"):
            engine.import_file(file, pool="club", fields={"played": heading}, played="2024-03-02")


@pytest.mark.parametrize("mapped", [True, False])
def test_a_day_is_given_to_the_rows_that_have_none(write: Write, mapped: bool) -> None:
    """A row without a day could only be left out: to give a day made the whole file fail."""
    rows = "Ann;Bo;1-0;19.1.2024\nBo;Cy;1-0;\nCy;Di;1-0;19.1.2024\nDi;Ed;1-0;21.1.2024\n"
    file = write(f"Weiß;Schwarz;Ergebnis;Datum\n{rows}")
    with rc.open(":memory:") as engine:
        fields = FieldMap.parse("a=Weiß,b=Schwarz,score=Ergebnis" + ",played=Datum" * mapped)
        fields = fields.merged(FieldMap(date="%d.%m.%Y"))
        report = engine.import_file(file, "club", fields, played="2024-01-20")
        assert (report.accepted, report.refused) == (4, [])
        assert days(engine) == ["2024-01-19", "2024-01-20", "2024-01-19", "2024-01-21"]
    once = write("Weiß;Schwarz;Ergebnis;Datum\nAnn;Bo;1-0;19.1.2024\nBo;Cy;1-0;\nCy;Di;1-0;\n")
    with rc.open(":memory:") as engine, pytest.raises(BadFile, match="it has days of its own"):
        engine.import_file(once, "club", fields, played="2024-01-20")  # the rows below have the day above


def test_a_day_is_given_to_tables_in_memory(write: Write) -> None:
    with rc.open(":memory:") as engine:
        engine.import_file([{"a": "ann", "b": "bo", "score": "1"}], pool="club", played=date(2024, 3, 2))
        assert days(engine) == ["2024-03-02"]


@pytest.mark.parametrize("sign", "-/.")
def test_days_with_the_year_first_and_the_month_last_are_refused(write: Write, sign: str) -> None:
    """Those up to the 12th of a month were recorded on another day, and the others refused."""
    texts = (text.replace("-", sign) for text in ("2024-02-03", "2024-16-03", "2024-03-03"))
    file = write("played,a,b,score\n" + "".join(f"{text},ann,bo,1\n" for text in texts))
    with rc.open(":memory:") as engine:
        with pytest.raises(BadFile, match="so those of 1 other row cannot be trusted") as refused:
            engine.import_file(file, pool="club")
        form = f"%Y{sign}%d{sign}%m"
        assert sign == "." or f"the format {form} reads them" in str(refused.value.hint)
        engine.import_file(file, "club", FieldMap(date=form))
        assert days(engine) == ["2024-03-02", "2024-03-16", "2024-03-03"]
