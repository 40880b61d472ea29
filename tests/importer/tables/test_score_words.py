"""Words for scores and for games that were not played: each has one meaning, and other texts are refused."""

import pytest

from ratingcore.errors import BadMapping, BadValue
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.cells import number_parser
from ratingcore.importer.tables.fieldmap import settings_of
from ratingcore.importer.tables.score_words import WORDS, score
from ratingcore.readers import Refused, Unrated
from ratingcore.readers.sheets import Moment

from .conftest import HEADER, Read


def outcome(read: Read, text: str, fields: FieldMap | None = None) -> object:
    (line,) = read(f'{HEADER}ann,bo,"{text}",2024-03-02', fields)
    if isinstance(line, Refused):
        return line
    return line.reason if isinstance(line, Unrated) else line.event.score


OUTCOMES = {
    1.0: ("1-0", "1:0", "W", "win", "Won", "1", "1.0", "1 - 0", "1\u20130", " WIN "),
    0.5: (
        "1/2-1/2", "½-½", "0.5-0.5", "D", "draw", "Remis", "0.5", ".5", "1/2", "½", "=", "0,5", "\u00bd\u2013\u00bd",
    ),
    0.0: ("0-1", "0:1", "L", "LOSS", "lost", "0", "0.0"),
    "forfeit": (
        "+/-", "+--", "-/+", "--+", "1F", "0f", "forfeit", "+", "-", "\u2212", "+-", "--", "- : -", "W/O", "w.o.", "wo",
        "Walkover", "FF", "DQ", "DSQ", "DEF", "1-0 ff", "0-1 FF", "0:1 kl.", "1:0 kl", "kampflos", "forfait", "awarded",
        "nicht angetreten", "win by forfeit", "FF loss", "AAW", "3-0 (w/o)",
    ),
    "bye": ("bye", "1 (bye)"),
    "no result yet": (
        "*", "?", "", "cancelled", "Canceled", "postponed", "n/a", "pp", "PP.", "ABD", "abandoned", "reporté",
        "abgesagt", "verlegt", "przełożony", "TBD",
    ),
    "annulled": ("void", "annulé", "annulliert"),
    "retired": ("RET", "ret.", "retired", "1-0 ret.", "6-4 2-1 ret."),
}  # fmt: skip


@pytest.mark.parametrize(("text", "means"), [(text, means) for means, texts in OUTCOMES.items() for text in texts])
def test_a_word_is_a_score_or_says_why_there_is_none(read: Read, text: str, means: float | str) -> None:
    assert outcome(read, text) == means


def test_a_retirement_counts_where_it_is_asked_for_and_the_result_says_who_won(read: Read) -> None:
    counts = FieldMap(retired="counts")
    assert [outcome(read, text, counts) for text in ("1-0 ret.", "0:1 RET")] == [1.0, 0.0]
    assert [outcome(read, text, counts) for text in ("ret.", "6-4 2-1 ret.", "2-1 ret")] == ["retired"] * 3
    with pytest.raises(BadMapping, match="retired is neither unrated nor counts: 'yes'"):
        settings_of("here", {"retired": "yes"})


def test_every_known_word_reads_as_it_is_listed() -> None:
    for word, meaning in WORDS.items():
        assert score(word.upper(), number_parser(".")) == meaning


def test_a_number_is_a_share_of_the_point(read: Read) -> None:
    assert outcome(read, "0.75") == 0.75
    assert outcome(read, "0,75", FieldMap(decimal=",")) == 0.75


@pytest.mark.parametrize(
    "text", ["1.5", "-0.1", "2", "NaN", "inf", "0-0", "1,5", "101%", "1_0", "x", "H", "ann def. bo"]
)
def test_anything_else_is_refused_with_the_value(read: Read, text: str) -> None:
    refused = outcome(read, text)
    assert isinstance(refused, Refused)
    assert refused.reason == f"score must be a score word or a number from 0 to 1: {text!r}"
    assert refused.text.replace('"', "") == f"ann,bo,{text},2024-03-02"


@pytest.mark.parametrize(
    ("text", "score"), [("100%", 1.0), ("55 %", 0.55), ("0%", 0.0), ("12,5%", 0.125), ("0,75", 0.75), ("1,0", 1.0)]
)
def test_shares_in_percent_and_with_a_comma_are_scores(read: Read, text: str, score: float) -> None:
    assert outcome(read, text) == score


def test_a_day_in_a_score_says_where_it_came_from() -> None:
    with pytest.raises(BadValue, match="the cell is a date: the spreadsheet turned 1/2 or 2-1 into it"):
        score(Moment("2024-02-01"), number_parser("."))
