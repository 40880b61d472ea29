"""Scores from a column that says who won."""

import re

import pytest

from ratingcore.errors import ScoresInDoubt
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import FromColumn
from ratingcore.readers import Unrated

from .conftest import Read


def test_a_column_of_winners_names_the_side_its_heading_or_a_score_word(read: Read) -> None:
    rows = ["gpt", "llama", "model_a", "model_b", "A", "tie", "tie (bothbad)", "draw", "", "other", "1"]
    found = read(
        "played,model_a,model_b,winner\n" + "".join(f"2024-03-02,gpt,llama,{winner}\n" for winner in rows),
        "a=model_a,b=model_b,score=winner",
    )
    assert [line.event.score for line in found[:8]] == [1.0, 0.0, 1.0, 0.0, 1.0, 0.5, 0.5, 0.5]
    assert found[8] == Unrated(10, "no result yet")
    assert [line.reason for line in found[9:]] == [
        f"score names neither side, and is not a score word: '{winner}'" for winner in ("other", "1")
    ]
    swapped = read("played,black_id,white_id,winner\n2024-03-02,ann,bo,white\n", "a=black_id,b=white_id,score=winner")
    assert swapped[0].event.score == 0.0


def test_a_score_beside_the_winner_says_draws_forfeits_and_contradictions(read: Read) -> None:
    scores = ["6-4 6-3", "1-0", "1/2", "forfeit", "0-1", ""]
    found = read(
        "played,winner,loser,score\n" + "".join(f"2024-03-02,ann,bo,{score}\n" for score in scores),
        "a=winner,b=loser,score=winner",
    )
    assert [line.event.score for line in (*found[:3], found[5])] == [1.0, 1.0, 0.5, 1.0]
    assert found[3] == Unrated(5, "forfeit")
    assert found[4].reason == "score is not a win of ann: '0-1'"


def test_the_winner_decides_where_the_scores_are_written_winner_first(read: Read) -> None:
    """The column of winners was left out, and player1 won every game."""
    rows = ["ann,bo,bo,3-1", "cy,di,cy,3-0", "ann,cy,cy,3-2", "bo,di,,2-2", "bo,di,,3-1", "bo,di,bo,w/o"]
    found = read(
        "played,a,b,winner,sets\n" + "".join(f"2024-03-02,{row}\n" for row in rows), "score=winner,points=sets"
    )
    assert [(line.event.score, line.event.data) for line in found[:4]] == [
        (0.0, {"points_a": 1, "points_b": 3}),
        (1.0, {"points_a": 3, "points_b": 0}),
        (0.0, {"points_a": 2, "points_b": 3}),
        (0.5, {"points_a": 2, "points_b": 2}),
    ]
    assert found[4:6] == [Unrated(6, "no result yet"), Unrated(7, "forfeit")]
    assert found[6].how == "points of both sides, the winner first"


def test_points_beside_the_winner_are_those_of_both_sides_in_order_where_most_of_them_fit_so(read: Read) -> None:
    """Line 4 says 3-2 where b won: the winner counts, and an import names the line."""
    rows = ["ann,bo,bo,1-3", "di,cy,cy,0-3", "bo,cy,cy,3-2", "ann,bo,,3-0"]
    found = read(
        "played,a,b,winner,sets\n" + "".join(f"2024-03-02,{row}\n" for row in rows), "score=winner,points=sets"
    )
    assert [(line.event.score, *line.event.data.values()) for line in found[:4]] == [
        (0.0, 1, 3), (0.0, 0, 3), (0.0, 3, 2), (1.0, 3, 0)
    ]  # fmt: skip
    assert found[4].how == "points of both sides"


def test_letters_of_full_time_results_are_known_though_only_one_of_them_occurs(read: Read) -> None:
    header = "played,a,b,FTHG,FTAG,FTR\n"
    (lost,) = read(header + "2024-03-02,ann,bo,0,3,A\n", "score=FTR,points_a=FTHG,points_b=FTAG")
    assert (lost.event.score, lost.event.data) == (0.0, {"points_a": 0, "points_b": 3})


def test_a_score_that_contradicts_the_winner_beside_it_is_refused(read: Read) -> None:
    """The column of winners was left out, and ann won a game that bo did."""
    rows = ["1-0,ann", "0-1,bo", "1/2,", "1/2,draw", "1-0,white", "*,", "w/o,ann", "1-0,bo"]
    found = read("played,a,b,score,winner\n" + "".join(f"2024-03-02,ann,bo,{row}\n" for row in rows))
    assert [line.event.score for line in found[:5]] == [1.0, 0.0, 0.5, 0.5, 1.0]
    assert [line.reason for line in found[5:]] == [
        "no result yet", "forfeit", "winner is not who won: the other columns give ann 1: 'bo'"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "hint"),
    [
        (("3-1", "3-0"), r"if these are points of both sides: .*score.*winner.*points.*score"),
        (("1", "1"), "map the score to the column that counts"),
    ],
)
def test_nothing_is_taken_where_many_scores_are_the_winners(read: Read, scores: tuple[str, str], hint: str) -> None:
    """Winners of the second side alone were lost then, or lost their games."""
    rows = [f"2024-03-02,ann,bo,{scores[n % 2]},{('ann', 'bo')[n % 2]}" for n in range(8)]
    with pytest.raises(ScoresInDoubt, match=r"4 scores, such as .*, contradict the column winner") as caught:
        read("\n".join(["played,a,b,score,winner", *rows, ""]))
    assert re.search(hint, caught.value.hint)


def test_a_score_that_is_mapped_is_not_compared_with_a_winner(read: Read) -> None:
    (line,) = read("played,a,b,score,winner\n2024-03-02,ann,bo,1-0,bo\n", "score=score")
    assert line.event.score == 1.0


@pytest.mark.parametrize(
    ("table", "of"),
    [
        ("played,player,opponent,result,score\n{day},ann,bo,L,3-1\n{day},bo,cy,W,3-2\n{day},cy,ann,L,3-0\n", "result"),
        ("played,a,b,points_a,points_b,winner\n{day},ann,bo,1,3,ann\n{day},bo,cy,4,0,cy\n", "winner"),
        ("played,a,b,points_a,points_b,winner\n{day},ann,bo,1,1,ann\n{day},bo,cy,1,1,bo\n", "winner"),
    ],
)
def test_another_column_that_says_otherwise_is_not_passed_over(read: Read, table: str, of: str) -> None:
    """Points decided against the winner beside them, and scores against a column of won and lost, without a word."""
    mapping = ("a=player,b=opponent",) if "opponent" in table else ()
    with pytest.raises(ScoresInDoubt, match=f"contradict the column {of}: nothing was imported"):
        read(table.format(day="2024-03-02"), *mapping)


def test_columns_that_agree_with_the_points_are_read_for_nothing(read: Read) -> None:
    rows = ["3,1,ann,H", "1,1,,D", "0,2,bo,A", "2,0,ann,H", "0,1,ann,A"]
    table = "played,a,b,points_a,points_b,winner,result\n" + "".join(f"2024-03-02,ann,bo,{row}\n" for row in rows)
    *found, slip = read(table)
    assert [line.event.score for line in found] == [1.0, 0.5, 0.0, 1.0]
    assert slip.reason == "winner is not who won: the other columns give ann 0: 'ann'"


def test_a_draw_in_a_table_of_winners_and_losers_is_none_of_their_wins(read: Read) -> None:
    """A column `score` said so, one called `result` was not read."""
    rows = "2024-03-02,ann,bo,1/2-1/2\n2024-03-02,bo,cy,1-0\n2024-03-02,cy,ann,0-1\n2024-03-02,cy,ann,*\n"
    found = read("played,winner,loser,result\n" + rows, "a=winner,b=loser,score=winner")
    assert [line.event.score for line in found[:3]] == [0.5, 1.0, 1.0]
    assert found[3].reason == "no result yet"


def test_a_winner_is_named_by_the_letter_of_a_heading(read: Read) -> None:
    """W was a win of Black, whose column was the first."""
    rows = "2024-03-02,ann,bo,W\n2024-03-02,ann,bo,B\n2024-03-02,ann,bo,x\n"
    found = read("played,Black,White,winner\n" + rows, "a=Black,b=White,score=winner")
    assert [line.event.score for line in found] == [0.0, 1.0, 0.5]


def test_a_zero_in_a_column_of_winners_may_be_either_side(read: Read) -> None:
    """Of 0 and 1, the 1 was taken as the first side and the 0 refused."""
    table = "played,player1,player2,winner\n2024-03-02,ann,bo,1\n2024-03-02,bo,cy,0\n"
    with pytest.raises(ScoresInDoubt, match="the first side or the second") as caught:
        read(table, "a=player1,b=player2,score=winner")
    assert 'words = { 0 = "player1", 1 = "player2" }' in caught.value.hint


def test_a_score_that_begins_with_a_zero_is_no_number(read: Read) -> None:
    """01, which is 0-1 without its hyphen, was a win of the first side."""
    line, draw = read("played,a,b,score\n2024-03-02,ann,bo,01\n2024-03-02,ann,bo,0.5\n")
    assert line.reason == "score must be a score word or a number from 0 to 1: '01'"
    assert draw.event.score == 0.5


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (["1.234,99", "3,3"], "numbers with a decimal point: 1.234 is 1.234, not 1234"),
        (["1,0", "0.5,0.5", "0,0"], "points of both sides, 0-0 as a draw"),
        (["1,0", "0,0"], ""),
        (["1.234,1.5"], ""),
    ],
)
def test_points_that_may_be_meant_otherwise_are_pointed_out(read: Read, points: list[str], said: str) -> None:
    found = read("played,a,b,points_a,points_b\n" + "".join(f"2024-03-02,ann,bo,{one}\n" for one in points))
    remarks = [one.how for one in found[len(points) :]]
    assert [remark[: len(said)] for remark in remarks] == ([said] if said else [])


def test_rows_that_another_column_says_were_not_played_are_unrated(read: Read) -> None:
    """A forfeit was rated as a win, since only the column of scores was read for it."""
    rows = ["1-0,,played", "1-0,yes,played", "0-1,,cancelled", "0-1,no,Finished"]
    found = read("played,a,b,score,Forfeit,Status\n" + "".join(f"2024-03-02,ann,bo,{row}\n" for row in rows))
    assert [getattr(line, "reason", "") for line in found] == ["", "forfeit", "no result yet", ""]


@pytest.mark.parametrize(
    "table", ["points_a,points_b\n2024-03-02,ann,bo,1.234,999\n", 'score\n2024-03-02,ann,bo,"1,234-999"\n']
)
def test_points_that_may_be_thousands_are_asked_about(read: Read, table: str) -> None:
    """1,234 against 999 was a loss."""
    table = f"played,a,b,{table}2024-03-02,bo,cy,{'3-1' if '-999' in table else '3,1'}\n"
    with pytest.raises(ScoresInDoubt, match=r"1[.,]234 beside 999 may be 1234"):
        read(table)
    assert read(table, FieldMap(decimal="."))[0].event.score == 0.0


def test_sides_that_a_column_of_winners_calls_otherwise_are_asked_about(read: Read) -> None:
    """The draws of a file were taken, and nothing else of it."""
    rows = "".join(f"2024-03-02,r{n},b{n},{'Draw' if n == 3 else 'Blue' if n % 2 else 'Red'}\n" for n in range(8))
    table, mapping = f"played,R_fighter,B_fighter,Winner\n{rows}", "a=R_fighter,b=B_fighter,score=Winner"
    with pytest.raises(ScoresInDoubt, match="name neither side: nothing was imported") as caught:
        read(table, mapping)
    words = 'words = { Red = "R_fighter", Blue = "B_fighter" }'
    assert words in caught.value.hint
    fields = FieldMap.parse(mapping).fields
    meant = {"Red": "R_fighter", "Blue": "B_fighter"}
    found = read(table, FieldMap({**fields, "score": FromColumn("Winner", meant)}))
    assert [line.event.score for line in found] == [1.0, 0.0, 1.0, 0.5, 1.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("numbers", ["1 0 1 -1 1", "1.0 0.0 1.0 -1.0 1.0"])
def test_one_loss_as_minus_one_puts_the_zeros_in_doubt(read: Read, numbers: str) -> None:
    """The row was refused as a slip, and every draw was a loss."""
    rows = "".join(f"2024-03-02,ann,bo,{number}\n" for number in numbers.split())
    with pytest.raises(ScoresInDoubt, match="in doubt: nothing was imported") as caught:
        read(f"played,a,b,score\n{rows}")
    assert '1 = "1", 0 = "1/2", -1 = "0"' in caught.value.hint


@pytest.mark.parametrize("said", ["NA,NA", "-,-", "null,null", "NA,"])
def test_points_that_say_there_are_none_are_no_result(read: Read, said: str) -> None:
    """Games to come were refused rows."""
    found = read(f"played,a,b,points_a,points_b\n2024-03-02,ann,bo,{said}\n2024-03-02,ann,bo,w/o,\n")
    assert found == [Unrated(2, "no result yet"), Unrated(3, "forfeit")]


@pytest.mark.parametrize("heading", ["Comment", "note", "Bemerkung", "Anmerkungen", "Poznámka"])
def test_a_remark_that_a_game_was_not_played_makes_it_unrated(read: Read, heading: str) -> None:
    """Walkovers of a season of tennis were rated, since its remarks were not read."""
    remarks = ["Completed", "Walkover", "Retired", "kampflos", "NA", "w/o", "Spielabbruch", "a close game"]
    found = read(f"played,a,b,score,{heading}\n" + "".join(f"2024-03-02,ann,bo,1-0,{one}\n" for one in remarks))
    reasons = ["", "forfeit", "retired", "forfeit", "", "forfeit", "no result yet", ""]
    assert [getattr(line, "reason", "") for line in found] == reasons
    table = f"played,a,b,score,{heading}\n2024-03-02,ann,bo,1-0,Walkover\n"
    assert read(table, f"{heading}=")[0].event.score == 1.0


@pytest.mark.parametrize("draw", ["0", "X", "x", "-", "draw"])
@pytest.mark.parametrize("sides", ["white,black", "player 1,player 2", "home,away"])
def test_numbered_winners_are_read_as_one_column(read: Read, sides: str, draw: str) -> None:
    """They were refused, and a dash among them was a forfeit."""
    a, b = sides.split(",")
    text = f"played,{sides},winner\n2024-03-02,ann,bo,1\n2024-03-02,ann,cy,2\n2024-03-02,bo,cy,{draw}\n"
    *games, note = read(text, f"a={a},b={b},score=winner")
    assert [line.event.score for line in games] == [1.0, 0.0, 0.5]
    assert note.how == f"1 = 1, {draw.casefold()} = 0.5, 2 = 0"


def test_ids_in_a_column_of_winners_are_no_numbers_of_sides(read: Read) -> None:
    text = "played,a,b,winner\n2024-03-02,1,2,2\n2024-03-02,2,3,2\n2024-03-02,2,1,1\n"
    assert [line.event.score for line in read(text, "score=winner")] == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("heading", "no", "yes"),
    [("Draw", "0", "1"), ("Drawn", "no", "yes"), ("Remis", "", "x"), ("Empate", "false", "true"), ("tie", "", "½")],
)
def test_a_column_of_draws_beside_winner_and_loser_is_read(read: Read, heading: str, no: str, yes: str) -> None:
    """It was not, and the first player won the drawn games."""
    text = f"played,winner,loser,{heading}\n2024-03-02,ann,bo,{no}\n2024-03-02,ann,cy,{yes}\n"
    assert [line.event.score for line in read(text, "a=winner,b=loser,score=winner")] == [1.0, 0.5]
    rows = "".join(f"2024-03-02,{row},{yes}\n" for row in ("ann,bo,0.5", "ann,cy,1", "ann,di,"))
    text = f"played,a,b,score,{heading}\n{rows}"
    drawn, contrary, alone = read(text)
    assert (drawn.event.score, alone.event.score) == (0.5, 0.5)
    assert contrary.reason == f"{heading} is that of a draw: the other columns give 1: '{yes}'"


def test_a_column_of_outcomes_beside_winner_and_loser_is_read(read: Read) -> None:
    """It was not: D was a win, and L agreed with one."""
    text = "played,winner,loser,outcome\n" + "".join(f"2024-03-02,ann,bo,{word}\n" for word in "WDL")
    won, drawn, lost = read(text, "a=winner,b=loser,score=winner")
    assert (won.event.score, drawn.event.score) == (1.0, 0.5)
    assert lost.reason == "score is not a win of ann: 'L'"


@pytest.mark.parametrize("header", ["played,White,Black,Result", "played,Black,White,Result"])
def test_results_of_go_give_the_colour_of_the_winner(read: Read, header: str) -> None:
    """W+R and B+3.5 were no scores, and nothing but a list of all of them in a mapping could read them."""
    rows = "2024-03-02,ann,bo,W+R\n2024-03-03,ann,bo,B+3.5\n2024-03-04,ann,bo,Jigo\n2024-03-05,ann,bo,B+F\n"
    first, second, drawn, forfeit = read(f"{header}\n{rows}", "a=White,b=Black,score=Result")
    assert (forfeit.reason, drawn.event.score) == ("forfeit", 0.5)
    assert (first.event.score, second.event.score) == (1.0, 0.0)
    assert first.event.a == ("ann" if header.startswith("played,White") else "bo")


def test_a_winner_with_fewer_points_is_not_a_loser(read: Read) -> None:
    """In golf the winner has fewer strokes, and all winners had lost."""
    rows = "2024-03-02,ann,72,bo,75\n2024-03-03,cy,3,bo,1\n2024-03-04,cy,1,bo,1\n"
    fewer, won, drawn = read(f"played,winner,w,loser,l\n{rows}", "a=winner,b=loser,points_a=w,points_b=l")
    assert fewer.reason.startswith("w is less than 75, but winner names the winner")
    assert (won.event.score, drawn.event.score) == (1.0, 0.5)
