"""Days, rounds and names of players as files spell them."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingcore.errors import BadValue
from ratingcore.events import instant
from ratingcore.readers import (
    at_moment,
    clean_name,
    day_of,
    day_of_round,
    identifies_somebody,
    nobody,
    partial_day,
    registered,
)
from ratingcore.readers.spellings import any_nobody


@pytest.mark.parametrize(
    "text", ["2024-03-02", "2024/03/02", "2024.3.2", "20240302", "02.03.2024", "2. 3. 2024", "March 2, 2024"]
)
def test_forms_of_a_day(text: str) -> None:
    assert day_of(text) == date(2024, 3, 2)


@pytest.mark.parametrize(
    ("text", "first", "day"),
    [("02/03/2024", "day", 2), ("03/02/2024", "month", 2), ("24/03/02", "year", 2)],
)
def test_slashes_mean_what_the_format_says(text: str, first: str, day: int) -> None:
    assert day_of(text, first) == date(2024, 3, day)
    with pytest.raises(BadValue):
        day_of(text)


def test_a_day_that_can_be_read_in_one_way_only_needs_no_format() -> None:
    assert {day_of(text) for text in ("21/07/2025", "07/21/2025", "21-07-2025")} == {date(2025, 7, 21)}
    assert (day_of("05/05/2025"), day_of("31/12/99")) == (date(2025, 5, 5), date(1999, 12, 31))


@pytest.mark.parametrize(
    ("text", "forms"),
    [("05/09/2024", "%d/%m/%Y or %m/%d/%Y"), ("21.07.25", "%d.%m.%y or %y.%m.%d")],
)
def test_a_day_that_may_be_another_one_is_refused_with_the_formats_that_read_it(text: str, forms: str) -> None:
    with pytest.raises(BadValue, match=f"may mean more than one day: give the format of the dates, {forms}: '{text}'"):
        day_of(text)
    first, second = forms.split(" or ")
    assert day_of(text, first) != day_of(text, second)


def test_a_year_of_two_digits_begins_with_1969() -> None:
    assert day_of("69/03/02", "%y/%m/%d") == date(1969, 3, 2)
    assert day_of("00/03/02", "%y/%m/%d") == date(2000, 3, 2)
    with pytest.raises(BadValue, match="year ahead"):
        day_of("68/03/02", "%y/%m/%d")


@pytest.mark.parametrize(
    "text", ["", "2024-02-30", "1024-01-01", "2024-1", "20240230", "tomorrow", "2024-3", "202403021"]
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        day_of(text)


def test_more_than_a_year_ahead_is_refused() -> None:
    with pytest.raises(BadValue, match="year ahead"):
        day_of((datetime.now(UTC).date() + timedelta(days=400)).isoformat())


@pytest.mark.parametrize("text", ["1997.??.??", "1997", "1997-00-00", "1997.02.??", "1997-02"])
def test_part_of_a_day_is_refused_unless_somebody_says_how_to_take_it(text: str) -> None:
    with pytest.raises(BadValue, match="part"):
        partial_day(text)
    assert partial_day(text, "last")[0] == (date(1997, 2, 28) if "2" in text else date(1997, 12, 31))


def test_the_last_day_of_a_december_is_in_its_year() -> None:
    assert partial_day("1997-12", "last") == (date(1997, 12, 31), "month")
    assert partial_day("1997-12", "first") == (date(1997, 12, 1), "month")
    assert partial_day("1997-11", "last") == (date(1997, 11, 30), "month")


def test_local_time_without_a_zone_is_only_a_day() -> None:
    moment = datetime(2024, 3, 2, 1, 30)
    assert at_moment(moment) == instant("2024-03-02")
    assert at_moment(moment, ZoneInfo("Europe/Paris")) == instant("2024-03-02T00:30:00Z")


def test_rounds_are_spread_from_the_first_to_the_last_day() -> None:
    days = [day_of_round("spread", date(2024, 3, 1), date(2024, 3, 9), turn, 9).day for turn in range(1, 10)]
    assert days == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert day_of_round("end", date(2024, 3, 1), None, 1, 9) == date(2024, 3, 1)
    before, after = (day_of_round("spread", date(2024, 3, 1), date(2024, 3, 9), turn, 9) for turn in (0, 12))
    assert (before, after) == (date(2024, 3, 1), date(2024, 3, 9))  # no game is outside its tournament


def test_a_name_has_one_spelling() -> None:
    assert clean_name("  Müller ,\tJo\u0308rg\u00a0 ") == "Müller, Jörg"


@pytest.mark.parametrize("text", ["a\x00b", "a\u202eb", "x" * 10_000, "a\u200bb"])
def test_a_name_that_nobody_can_read_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        clean_name(text)


@pytest.mark.parametrize("text", ["", "?", "? ??", "NN", "n.n.", "BYE", "Spielfrei", "TBD", "12"])
def test_a_name_that_tells_nobody(text: str) -> None:
    assert not identifies_somebody(text)


@pytest.mark.parametrize("number", ["0", "-", "stockfish", "", "000", "-1", "1" * 30])
def test_a_number_that_is_no_id(number: str) -> None:
    assert registered("fide", number) is None


@pytest.mark.parametrize(
    ("reason", "names"),
    [
        (
            "bye",
            "BYE, bye, Bye1, 1 (bye), -- bye --, spielfrei, Freilos, exempt, Exempté, descansa, libre, riposo, vrij, "
            "wolny los, pauza, volno, VOĽNÝ LOS, pihenő, szabadnapos, folga, отдыхает, свободен, frilodd, friplads, "
            "frirond, vapaa",
        ),
        ("forfeit", "walkover, Forfait"),
        (
            "unnamed player",
            "?, -, ? ??, —, N.N., N. N., NN, nn, Unknown, Unknown 2, None, null, no name, inconnu",
        ),
        ("deleted account", "[deleted], deleted, Deleted user, anonymous, Guest, Guest 3, anónimo"),
        ("no result yet", "TBD, tba"),
    ],
)
def test_words_for_nobody_in_any_case_with_numbers_and_signs(reason: str, names: str) -> None:
    assert {name: nobody(name) for name in names.split(", ")} == dict.fromkeys(names.split(", "), reason)


@pytest.mark.parametrize(
    "name",
    [
        "Ann", "Bye, Ola", "Ola Bye", "Byers", "Nn. Smith", "None Such", "Guest, John", "1234", "0", "unknown_2020",
        "Na", "Nan", "Wolny", "Frei", "Bay", "Liber", "Unknown Pleasures", "★", "Exempt FC",
    ],
)  # fmt: skip
def test_names_of_somebody(name: str) -> None:
    assert nobody(name) == ""


@given(
    st.lists(st.sampled_from(["bye", "ann", "Byron", "1 (BYE)", "123", "n.n.", "?", "ab", "Bye, Ola", "\u00e9mile"]))
)
@settings(max_examples=50)
def test_many_names_have_somebody_called_nobody_as_each_has(names: list[str]) -> None:
    assert any_nobody(names) == any(map(nobody, names))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("W.O.", "forfeit"), ("nan", "unnamed player"), ("#N/A", "unnamed player"), ("half bye", "bye"),
        ("BYE BYE", "bye"), ("PAB", "bye"), ("requested bye", "bye"), ("N.N. N.N.", "unnamed player"),
        ("nan nan", "unnamed player"), (r"\N", "unnamed player"), ("N/A", "unnamed player"), ("-1", "unnamed player"),
        ("Withdrawn", "unnamed player"), ("No player", "unnamed player"),
        ("N.N., N.N.", "unnamed player"), ("Ann Ann", ""),
        ("pause", "bye"), ("hráč volno", "bye"), ("Winner of match 3", "no result yet"),
        ("Nan", ""), ("Winner, Ola", ""), ("Wo", ""),
    ],
)  # fmt: skip
def test_further_words_for_nobody_are_no_players(name: str, reason: str) -> None:
    """Each of them was a rated opponent."""
    assert nobody(name) == reason
    assert any_nobody([name]) == bool(reason)
