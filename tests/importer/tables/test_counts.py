"""Columns by which a row is not one more game."""

import pytest

from ratingcore.readers import Made, Refused

from .conftest import Read


@pytest.mark.parametrize("heading", ["count", "Games", "times", "n", "Anzahl Partien", "num_games", "qty"])
def test_a_row_of_several_games_is_refused(read: Read, heading: str) -> None:
    """It counted as one game, without a word."""
    rows = f"played,a,b,score,{heading}\n2024-03-02,ann,bo,1,3\n2024-03-02,ann,cy,1,1\n2024-03-02,bo,cy,1,\n"
    refused, one, empty = read(rows)
    assert isinstance(refused, Refused)
    assert f"map it to none ({heading}=): 3" in str(refused.reason)
    assert isinstance(one, Made)
    assert isinstance(empty, Made)
    assert all(isinstance(line, Made) for line in read(rows, f"{heading}="))


def test_numbers_of_rows_and_unplayed_games_are_no_counts(read: Read) -> None:
    rows = "played,a,b,score,n\n2024-03-02,ann,bo,1,1\n2024-03-02,ann,cy,1,2\n2024-03-02,bo,cy,1,3\n"
    assert all(isinstance(line, Made) for line in read(rows))
    assert not any(isinstance(line, Refused) for line in read("played,a,b,score,games\n2024-03-02,ann,bo,w/o,0\n"))


@pytest.mark.parametrize(
    ("heading", "says"), [("Replaces", "2"), ("Korrektur zu", "2"), ("Action", "delete"), ("op", "UPDATE")]
)
def test_a_row_that_corrects_another_one_is_refused(read: Read, heading: str, says: str) -> None:
    """The wrong result counted beside the right one, without a word."""
    other = "" if says == "2" else "add"
    rows = f"played,a,b,score,{heading}\n2024-03-02,ann,bo,1,{other}\n2024-03-02,ann,bo,0,{says}\n"
    game, correction = read(rows)
    assert isinstance(game, Made)
    assert isinstance(correction, Refused)
    assert str(correction.reason).startswith(f"{heading} makes the row a correction of another one")
    assert all(isinstance(line, Made) for line in read(rows, f"{heading}="))


def test_other_actions_and_changes_of_ratings_are_no_corrections(read: Read) -> None:
    rows = "played,a,b,score,Action,Change\n2024-03-02,ann,bo,1,insert,+12\n2024-03-02,ann,cy,1,,-3\n"
    assert all(isinstance(line, Made) for line in read(rows))
