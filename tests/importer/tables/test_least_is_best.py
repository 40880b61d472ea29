"""Times and places are no scores."""

import pytest

from ratingcore.errors import BadMapping

from .conftest import Read
from .test_sessions import sides

ROWS = "R1,2024-03-02,Ann,83.4\nR1,2024-03-02,Bo,91.2\nR1,2024-03-02,Cy,DNF\nR1,2024-03-02,Di,1:23.4\n"


@pytest.mark.parametrize("heading", ["seconds", "Time (s)", "Rank", "Platz", "Zeit"])
def test_a_time_or_a_place_as_score_is_refused(heading: str, read: Read) -> None:
    """The slowest won without a word."""
    with pytest.raises(BadMapping, match="where less is better, and not a score: map it to place"):
        read(f"session,played,player,{heading}\n{ROWS}", f"score={heading}")


def test_times_as_places_give_the_places_of_their_order(read: Read) -> None:
    (line,) = read(f"session,played,player,seconds\n{ROWS}R1,2024-03-02,Ed,85\n", "place=seconds")[:1]
    assert sides(line) == [(["Ann"], -1.0), (["Di"], -1.0), (["Ed"], -3.0), (["Bo"], -4.0)]
    assert line.event.data["unit"] == "place"


def test_times_as_points_of_two_sides_are_refused(read: Read) -> None:
    with pytest.raises(BadMapping, match="Time 1 is a time, where less is better, and not points"):
        read("played,a,b,Time 1,Time 2\n2024-03-02,Ann,Bo,83.4,91.2\n", "points_a=Time 1,points_b=Time 2")


@pytest.mark.parametrize(("heads", "what"), [("rank1,rank2", "place"), ("Strokes 1,Strokes 2", "number of strokes")])
def test_places_and_strokes_of_two_sides_are_not_points(heads: str, what: str, read: Read) -> None:
    """The side with the worse place won."""
    one, other = heads.split(",")
    with pytest.raises(BadMapping, match=f"{one} is a {what}, where less is better, and not points"):
        read(f"played,a,b,{heads}\n2024-03-02,Ann,Bo,1,2\n", f"points_a={one},points_b={other}")
