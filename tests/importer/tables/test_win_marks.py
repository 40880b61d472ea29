"""Scores from columns that mark games won, drawn and lost."""

import pytest

from ratingcore.errors import ScoresInDoubt
from ratingcore.importer.tables import FieldMap, read_results
from ratingcore.importer.tables.results import by_headings, sheet_of_results

from .conftest import Read, Write

SIDES = "a=Player 1,b=Player 2,played=Date"


@pytest.mark.parametrize("heads", ["W,D,L", "Sieg,Unentschieden,Niederlage", "G,E,P", "Won,Drawn,Lost"])
def test_marks_of_draws_are_read_beside_a_column_of_wins(heads: str, read: Read) -> None:
    """A draw has a 0 in the column of wins, and came in as a loss without a word."""
    rows = "2024-03-02,Ann,Bo,1,0,0\n2024-03-03,Bo,Cy,0,1,0\n2024-03-04,Cy,Ann,0,0,1\n"
    found = read(f"Date,Player 1,Player 2,{heads}\n{rows}", f"{SIDES},score={heads.partition(',')[0]}")
    assert [line.event.score for line in found] == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("mark", ["x", "X", "ja"])
def test_a_cross_is_a_mark_of_wins_too(mark: str, read: Read) -> None:
    """Crosses below draws and losses counted, and each one below wins was refused."""
    rows = f"2024-03-02,Ann,Bo,{mark},,\n2024-03-03,Bo,Cy,,{mark},\n2024-03-04,Cy,Ann,,,{mark}\n"
    found = read(f"Date,Player 1,Player 2,S,U,N\n{rows}", f"{SIDES},score=S")
    assert [line.event.score for line in found] == [1.0, 0.5, 0.0]


def test_marks_that_contradict_each_other_are_refused_and_so_is_a_row_without_one(read: Read) -> None:
    rows = "2024-03-02,Ann,Bo,1,0,1\n2024-03-03,Bo,Cy,0,0,0\n2024-03-04,Cy,Ann,1,0,0\n"
    first, second, third = read(f"Date,Player 1,Player 2,W,D,L\n{rows}", f"{SIDES},score=W")
    assert first.reason == "score must be marked in only one of W, D, L: 'W, L'"
    assert second.reason == "score must be marked in one of W, D, L: ''"
    assert third.event.score == 1.0


def test_draws_without_a_column_of_their_own_are_not_losses(read: Read) -> None:
    rows = "2024-03-02,Ann,Bo,1,0\n2024-03-03,Bo,Cy,0,0\n2024-03-04,Cy,Ann,0,1\n"
    won, neither, lost = read(f"Date,Player 1,Player 2,W,L\n{rows}", f"{SIDES},score=W")
    assert (won.event.score, lost.event.score) == (1.0, 0.0)
    assert neither.reason.startswith("score must be marked")


def test_marks_need_no_mapping_but_counts_of_games_are_refused(write: Write) -> None:
    """A row of one win and two draws counted as a win."""
    path = write("Date,Home,Away,W,D,L\n2024-03-02,ann,bo,0,1,0\n2024-03-03,bo,cy,1,2,0\n")
    fields = by_headings(sheet_of_results(path, FieldMap()), FieldMap())
    drawn, several = read_results(path, pool="p", fields=fields)
    assert drawn.event.score == 0.5
    assert several.reason.startswith("D is not a mark, and a row is one result")


@pytest.mark.parametrize("rows", ["1,1,2,2", "1,2,1,1", "2,1,0,1"])
@pytest.mark.parametrize("heading", ["W", "Wins", "Siege"])
def test_numbers_of_wins_do_not_name_the_winner(heading: str, rows: str, read: Read) -> None:
    """A fixed bug: a 2 in a column of wins was read as a win of the second side, as in `1 X 2`."""
    text = "".join(f"2024-03-0{day},ann,bo,{wins}\n" for day, wins in enumerate(rows.split(","), 1))
    with pytest.raises(ScoresInDoubt, match="cannot be read, such as '2'") as problem:
        read(f"Date,Player 1,Player 2,{heading}\n{text}", f"{SIDES},score={heading}")
    assert problem.value.hint.startswith("if it counts games: give each game a row of its own")


def test_a_question_about_draws_is_a_column_of_draws(read: Read) -> None:
    """Forms ask `Was it a tie?`, and a Yes counted as a win."""
    rows = "2024-03-02,Ann,Bo,No\n2024-03-03,Bo,Cy,Yes\n"
    found = read(f"Date,Winner,Loser,Was it a tie?\n{rows}", "a=Winner,b=Loser,score=Winner,played=Date")
    assert [line.event.score for line in found] == [1.0, 0.5]
