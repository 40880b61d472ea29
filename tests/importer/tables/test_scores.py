"""Every word of the score column, and whose ground it was."""

import pytest

from ratingcore.importer.tables import FieldMap, Refused, Unrated
from ratingcore.importer.tables.cells import WORDS, number_parser, score

from .conftest import HEADER, Read


def outcome(read: Read, text: str, fields: FieldMap | None = None) -> object:
    (line,) = read(f'{HEADER}ann,bo,"{text}",2024-03-02', fields)
    return line.outcome if isinstance(line.outcome, Refused | Unrated) else line.outcome.score


@pytest.mark.parametrize("text", ["1-0", "1:0", "W", "win", "Won", "1", "1.0", "1 - 0", "1\u20130", " WIN "])
def test_words_for_a_win_of_a(read: Read, text: str) -> None:
    assert outcome(read, text) == 1.0


@pytest.mark.parametrize(
    "text", ["1/2-1/2", "½-½", "0.5-0.5", "D", "draw", "0.5", ".5", "1/2", "½", "=", "0,5", "\u00bd\u2013\u00bd"]
)
def test_words_for_a_draw(read: Read, text: str) -> None:
    assert outcome(read, text) == 0.5


@pytest.mark.parametrize("text", ["0-1", "0:1", "L", "LOSS", "lost", "0", "0.0"])
def test_words_for_a_win_of_b(read: Read, text: str) -> None:
    assert outcome(read, text) == 0.0


@pytest.mark.parametrize("text", ["+/-", "+--", "-/+", "--+", "1F", "0f", "forfeit", "+", "-", "\u2212"])
def test_forfeits_are_not_rated(read: Read, text: str) -> None:
    assert outcome(read, text) == Unrated("forfeit")


@pytest.mark.parametrize(("text", "why"), [("bye", "bye"), ("*", "no result yet"), ("?", "no result yet")])
def test_byes_and_open_games_are_not_rated(read: Read, text: str, why: str) -> None:
    assert outcome(read, text) == Unrated(why)
    assert outcome(read, "") == Unrated("no result yet")


def test_every_known_word_reads_as_it_is_listed() -> None:
    for word, meaning in WORDS.items():
        assert score(word.upper(), number_parser(".")) == meaning


def test_a_number_is_a_share_of_the_point(read: Read) -> None:
    assert outcome(read, "0.75") == 0.75
    assert outcome(read, "0,75", FieldMap(decimal=",")) == 0.75


@pytest.mark.parametrize("text", ["1.5", "-0.1", "2", "NaN", "inf", "3-1", "0-0", "0,75", "1_0", "x"])
def test_anything_else_is_refused_with_the_value(read: Read, text: str) -> None:
    refused = outcome(read, text)
    assert isinstance(refused, Refused)
    assert refused.reason == f"score is neither a score word nor a number from 0 to 1: {text!r}"
    assert refused.text.replace('"', "") == f"ann,bo,{text},2024-03-02"


@pytest.mark.parametrize(("text", "side"), [("a", "a"), ("B", "b"), ("n", None), ("neutral", None), ("", None)])
def test_home_is_a_side_or_absent(read: Read, text: str, side: str | None) -> None:
    (line,) = read(f"a,b,score,played,home\nann,bo,1,2024-03-02,{text}")
    assert line.outcome.data.get("home") == side


def test_another_home_is_refused(read: Read) -> None:
    (line,) = read("a,b,score,played,home\nann,bo,1,2024-03-02,Leeds")
    assert line.outcome.reason == "home is neither a, b nor neutral: 'Leeds'"
