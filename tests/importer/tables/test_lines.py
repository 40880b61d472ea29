"""What became of a line: outcomes are values that compare and print as what they say."""

from ratingcore.importer.tables import Line, Refused, Unrated


def test_outcomes_are_equal_by_what_they_say() -> None:
    assert Line(3, Unrated("bye")) == Line(3, Unrated("bye"))
    assert Line(3, Unrated("bye")) != Line(3, Unrated("forfeit"))
    assert Refused("no date", "ann,bo,1,") != Refused("no date", "cy,di,1,")


def test_a_line_unpacks_into_number_and_outcome() -> None:
    number, outcome = Line(2, Refused("no date", "ann,bo,1,"))
    assert (number, outcome.reason, outcome.text) == (2, "no date", "ann,bo,1,")  # type: ignore[union-attr]  # refused above
