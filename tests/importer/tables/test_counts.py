"""Columns by which a row stands for several games."""

import pytest

from ratingcore.readers import Made, Refused

from .conftest import Read


@pytest.mark.parametrize("heading", ["count", "Games", "times", "n", "Anzahl Partien", "num_games"])
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
