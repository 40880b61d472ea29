"""Columns of scores as a whole: letters that mean something beside each other, points in one cell, no scores."""

import io
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from ratingcore.cli.words import hint
from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadFile, BadMapping, ScoresInDoubt
from ratingcore.importer.notes import ScoresReadAs
from ratingcore.importer.report import ImportReport
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import FromColumn
from ratingcore.importer.tables.headings import readings
from ratingcore.readers import Made, Unrated

from .conftest import Read


@pytest.fixture
def engine() -> Iterator[Engine]:
    with open_engine(":memory:") as engine:
        yield engine


def take(engine: Engine, scores: list[str], fields: FieldMap | None = None, **said: Any) -> ImportReport:
    rows = [f"{date(2000, 1, 1) + timedelta(days=n)},ann,bo,{score}" for n, score in enumerate(scores)]
    file = io.BytesIO("\n".join(["played,a,b,score", *rows, ""]).encode())
    report = engine.import_file(file, "club", fields, reader="csv", **said)
    assert report.adds_up
    return report


def taken(engine: Engine) -> list[float]:
    return [event.score for _, event in engine.events()]


WON_DRAWN_LOST = [
    "W D L", "W T L", "H D A", "h d a", "1 X 2", "S U N", "V N D", "V N P", "G N P", "V E D", "G E P", "W G V", "Z R P",
    "V R P", "\u0412 \u041d \u041f", "V O F", "Home Draw Away", "Sieg Unentschieden Niederlage", "victoire nul défaite",
    "1 0.5 0",
]  # fmt: skip


@pytest.mark.parametrize("letters", WON_DRAWN_LOST)
def test_letters_for_won_drawn_and_lost_are_read_by_the_column(engine: Engine, letters: str) -> None:
    won, drawn, lost = letters.split()
    report = take(engine, [won, drawn, lost, "", lost, "postponed"])
    assert taken(engine) == [1.0, 0.5, 0.0, 0.0]
    assert report.unrated == {"no result yet": [5, 7]}


@pytest.mark.parametrize(
    ("scores", "read"),
    [
        ("1 2 2 1", [1.0, 0.0, 0.0, 1.0]), ("1 0 0 1", [1.0, 0.0, 0.0, 1.0]), ("H A", [1.0, 0.0]),
        ("N N D", [0.5, 0.5, 0.0]), ("N S", [0.0, 1.0]), ("1 X", [1.0, 0.5]),
    ],
)  # fmt: skip
def test_some_of_the_letters_are_enough_if_they_mean_one_thing(engine: Engine, scores: str, read: list[float]) -> None:
    take(engine, scores.split())
    assert taken(engine) == read


@pytest.mark.parametrize(
    ("scores", "advice"),
    [
        ("N V W N V", 'score = { column = "score", words = { W = "1", D = "1/2", L = "0" } }'),
        ("3 1 0", 'words = { 3 = "1", 1 = "1/2", 0 = "0" }'),
        ("2 1 0 0 1 1 1", 'words = { 2 = "1", 1 = "1/2", 0 = "0" }'),
        ("1-0 0-1 0-0 1-1", "if these are points of both sides: fields={'points': 'score'}"),
        ("1-0 ann cy bo", "words = {"),
    ],
)
def test_a_column_of_other_things_is_refused_whole_with_what_would_read_it(
    engine: Engine, scores: str, advice: str
) -> None:
    with pytest.raises(BadFile, match=r"of its scores cannot be read, such as .* nothing was imported") as caught:
        take(engine, scores.split())
    assert advice in caught.value.hint
    assert engine.log.head.position == 0


def test_a_slip_among_scores_is_refused_alone(engine: Engine) -> None:
    report = take(engine, ["1-0", "1/2-1/2", "2-1", "0-1", "1-0"])
    assert [line for line, _, _ in report.refused] == [4]
    assert [line for line, _, _ in take(engine, ["1-0", "1/2-1/2", "zz", "0-1", "1-0"]).refused] == [4]


@pytest.mark.parametrize(
    "scores",
    [
        "2-1 1-1 0-0 1-0 0-3",
        "2:1 1:1 0:0 1:0 0:3",
        "3\u20131 2\u20132 0\u20130 4\u20130 1\u20132",
        "2:1(1:0) 1:1 0:0 1:0 0:1",
    ],
)
def test_points_of_both_sides_in_one_column_are_points(engine: Engine, scores: str) -> None:
    report = take(engine, [*scores.split(), "3-0 ff", "-:-", "0--1"])
    assert taken(engine) == [1.0, 0.5, 0.5, 1.0, 0.0]
    assert report.unrated == {"forfeit": [7, 8, 9]}
    assert "its scores are read as points of both sides" in report.warnings
    first = next(event for _, event in engine.events())
    assert dict(first.data) == {"points_a": int(scores[0]), "points_b": int(scores[2])}


def test_extra_time_and_a_shoot_out_leave_the_points_of_both_sides(engine: Engine) -> None:
    """Such rows were refused, and the rest of the table was taken."""
    scores = ["2-1 (aet)", "1-1 (4-3 pens)", "1-1 p. 4-3", "2-2 (1-1) (aet) (5-4 p)", "3-0", "0-2"]
    rows = [{"played": f"2024-01-0{day}", "a": "ann", "b": "bo", "score": score} for day, score in enumerate(scores, 1)]
    assert engine.import_file(rows, "p").accepted == len(scores)
    assert engine.log.games(1, 0, engine.log.head.position).score.tolist() == [1, 0.5, 0.5, 0.5, 1, 0]


def test_points_in_one_column_are_mapped(engine: Engine) -> None:
    fields = FieldMap({"points": FromColumn("score")})
    report = take(engine, ["1-0", "1-1", "2½-1.5", "abc", "1-0 ret."], fields)
    assert taken(engine) == [1.0, 0.5, 1.0]
    assert (report.unrated, [line for line, _, _ in report.refused]) == ({"retired": [6]}, [5])
    assert report.refused[0][1].startswith("score must be")
    with pytest.raises(BadMapping, match="the score follows from points, so map one of the two"):
        take(engine, ["1-0"], FieldMap({"points": FromColumn("score"), "score": FromColumn("score")}))


def test_the_mapping_to_copy_has_all_that_was_mapped(engine: Engine) -> None:
    file = b"date,home_team,away_team,result\n2024-01-01,Alder,Birch,1-1\n2024-01-08,Birch,Alder,1-0\n"
    given = FieldMap.parse("a=home_team,b=away_team,played=date,score=result")
    with pytest.raises(BadFile) as caught:
        engine.import_file(io.BytesIO(file * 2), "p", given, reader="csv")
    assert caught.value.points == {"a": "home_team", "b": "away_team", "played": "date", "points": "result"}
    assert "--map a=home_team,b=away_team,played=date,points=result, which gives points_a" in hint(caught.value)


def test_a_file_is_judged_by_all_of_its_rows_if_the_first_are_in_doubt(engine: Engine) -> None:
    first = ["1-0", "0-1"] * 2_400 + ["5"] * 200  # as many slips as may be, at the beginning
    with pytest.raises(BadFile, match="6200 of its scores cannot be read"):
        take(engine, [*first, *["5"] * 6_000])
    assert len(take(engine, [*first, *["1-0"] * 400]).refused) == 200


def test_what_can_be_read_once_only_is_judged_by_its_first_rows(engine: Engine) -> None:
    rows = ({"played": "2024-03-02", "a": "ann", "b": f"bo {n}", "score": "HDA"[n % 3]} for n in range(7_000))
    assert engine.import_file(rows, "p").accepted == 7_000
    assert taken(engine)[:3] == [1.0, 0.5, 0.0]


def test_letters_of_football_data_are_home_draw_and_away(engine: Engine) -> None:
    file = (
        b"Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\nE0,2024-08-16,Ashford,Barrow,1,0,H\n"
        b"E0,2024-08-17,Corby,Ashford,0,2,A\nE0,2024-08-24,Barrow,Corby,1,1,D\n"
    )
    fields = {"a": "HomeTeam", "b": "AwayTeam", "played": "Date", "score": "FTR"}
    assert engine.import_file(io.BytesIO(file), "e0", fields).accepted == 3
    assert taken(engine) == [1.0, 0.0, 0.5]


@pytest.mark.parametrize("columns", ["points_a,points_b", "score,points_a,points_b"])
def test_points_of_minus_one_are_those_of_a_side_that_did_not_play(engine: Engine, columns: str) -> None:
    score = "1-0," if columns.startswith("score") else ""
    rows = [f"2024-03-0{day},ann,bo,{score}{points}" for day, points in enumerate(("0,-1", "-1,2", "2,0", "3,1"), 1)]
    file = io.BytesIO("\n".join([f"played,a,b,{columns}", *rows, ""]).encode())
    report = engine.import_file(file, "p", reader="csv")
    assert (report.accepted, report.unrated) == (2, {"forfeit": [2, 3]})


def test_a_retirement_beside_the_name_of_the_winner_counts_where_it_is_asked_for(engine: Engine) -> None:
    file = b"played,a,b,winner,score\n2024-03-02,ann,bo,bo,6-4 2-1 ret.\n2024-03-03,ann,bo,ann,W/O\n"
    fields = FieldMap.parse("score=winner")
    assert engine.import_file(io.BytesIO(file), "p", fields, reader="csv").unrated == {"retired": [2], "forfeit": [3]}
    counts = FieldMap(fields.fields, retired="counts")
    assert engine.import_file(io.BytesIO(file), "p", counts, reader="csv").unrated == {"forfeit": [3]}
    assert taken(engine) == [0.0]


@pytest.mark.parametrize(
    ("scores", "way"),
    [
        ("01-Jan 1-Feb", "a spreadsheet made dates of results such as 1-1"),
        ("Jan-01 Feb-01", "a spreadsheet made dates of results such as 1-1"),
        ("02:01:00 03:02:00", "a spreadsheet made times of results such as 2:1"),
        ("TRUE FALSE", 'words = { TRUE = "1", FALSE = "0" }'),
        ("+ = -", 'words = { "+" = "1", "=" = "1/2", "-" = "0" }'),
        ("Ann_wins Bo_wins", "leave only the names in the column, and call it winner"),
    ],
)
def test_texts_that_are_no_scores_are_refused_with_what_to_do(scores: str, way: str, read: Read) -> None:
    """All were advised to give meanings to W, D and L, which the column does not have."""
    rows = "".join(f'2024-03-02,Ann,Bo,"{one.replace("_", " ")}"\n' for one in scores.split())
    with pytest.raises(ScoresInDoubt) as caught:
        read(f"played,a,b,score\n{rows}")
    assert way in caught.value.advice


@pytest.mark.parametrize(
    ("scores", "read"),
    [
        ("6-4 3-6 7-6(5)|2-6 3-6", [(2, 1), (0, 2)]), ("4-6,6-4,6-2|8-6", [(2, 1), (1, 0)]),
        ("11:5; 9:11; 11:7; 11:6|5:11; 6:11; 4:11", [(3, 1), (0, 3)]),
    ],
)  # fmt: skip
def test_sets_in_one_cell_are_points_of_both_sides(engine: Engine, scores: str, read: list[tuple[int, int]]) -> None:
    """They were refused for lack of a column of winners."""
    report = take(engine, [f'"{one}"' for one in scores.split("|")])
    assert [(event.data["points_a"], event.data["points_b"]) for _, event in engine.events()] == read
    assert "its scores are read as sets of both sides" in report.warnings


@pytest.mark.parametrize(
    "scores",
    [
        "4-3, 2-1|2-2, 1-0|1-1, 0-1|3-0, 1-0", "4-0 0-1 0-1|1-0 0-0 2-1|3-0 0-1 0-1",
        "20-18 15-35 22-20 22-20|20-18 15-25 22-20 31-22", "2-1 0-1|6-2 1-3",
    ],
)  # fmt: skip
def test_halves_periods_and_legs_are_not_sets(scores: str, engine: Engine) -> None:
    """A draw of 2-2 that was 1-0 at half-time was a win, and 79-93 after four quarters too."""
    with pytest.raises(ScoresInDoubt):
        take(engine, [f'"{one}"' for one in scores.split("|")])
    assert not engine.log.head.position


def test_sets_without_a_winner_are_refused_alone(engine: Engine) -> None:
    """A match that was broken off at 1-1, and a number of sets that looks like a set, would be guesses."""
    report = take(engine, ["6-4 6-2", "6-4 4-6", "2-1", "6-1 6-0", "6-4 2-1 ret."])
    assert [line for line, _, _ in report.refused] == [3, 4]
    assert report.unrated == {"retired": [6]}


@pytest.mark.parametrize(
    ("score", "read"),
    [
        ("W 2-1", (2, 1)), ("L 2-1", (1, 2)), ("L 1-2", (1, 2)), ("D 2-2", (2, 2)),
        ("3:1 (25:20; 22:25; 25:17; 25:21)", (3, 1)), ("3:2 n.P.", (3, 2)), ("2\u20131[1]", (2, 1)),
        ("3.0-1.0", (3, 1)), ("\uff12\uff1a\uff11", (2, 1)),
    ],
)  # fmt: skip
def test_points_are_read_with_what_sites_write_beside_them(engine: Engine, score: str, read: tuple[int, int]) -> None:
    take(engine, [score, *(["W 3-0"] if {*score} & {*"WLD"} else ["2-1", "0-3"])])
    event = next(event for _, event in engine.events())
    assert (event.data["points_a"], event.data["points_b"]) == read


@pytest.mark.parametrize("scores", ["'1-0 '0-1 '1/2", '="1-0" ="0-1" ="1/2"', "1.0-0.0 0.0-1.0 0.5-0.5"])
def test_what_a_spreadsheet_adds_to_a_score_is_left_out(engine: Engine, scores: str) -> None:
    take(engine, ['"{}"'.format(one.replace('"', '""')) for one in scores.split()])
    assert taken(engine) == [1.0, 0.0, 0.5]


def test_minus_one_is_a_number_of_points_beside_other_negative_ones(engine: Engine) -> None:
    """Games of golf and cards with -1 were forfeits."""
    rows = [f"2024-03-0{day},ann,bo,{points}" for day, points in enumerate(("-2,3", "-1,4", "5,-1"), 1)]
    file = io.BytesIO("\n".join(["played,a,b,points_a,points_b", *rows, ""]).encode())
    assert engine.import_file(file, "p", reader="csv").accepted == 3
    assert taken(engine) == [0.0, 0.0, 1.0]


def test_the_sets_of_a_game_may_have_columns_of_their_own(read: Read) -> None:
    """With the first set mapped as the score, its winner won the match."""
    rows = "2024-03-02,Ann,Bo,9-11,11-5,11-7\n2024-03-03,Bo,Cy,5-11,6-11,\n"
    rows += "2024-03-04,Bo,Cy,,,\n2024-03-05,Bo,Cy,11-1,w/o,\n"
    found = read(f"Date,Player 1,Player 2,Set 1,Set 2,Set 3\n{rows}", "a=Player 1,b=Player 2,played=Date,score=Set 1")
    assert [(row.event.score, dict(row.event.data)) for row in found[:2]] == [
        (1.0, {"points_a": 2, "points_b": 1}), (0.0, {"points_a": 0, "points_b": 2})
    ]  # fmt: skip
    assert [row.reason for row in found[2:4]] == ["no result yet", "forfeit"]
    tied, _ = read("Date,a,b,Set 1,Set 2\n2024-03-02,ann,bo,11-1,4-11\n", "played=Date,score=Set 1")
    assert tied.reason.startswith("score has equally many sets for both sides")


def test_a_letter_behind_the_points_does_not_exchange_them(engine: Engine) -> None:
    """`0:3 (W)` is an awarded game in Germany, not a win of the first side."""
    report = take(engine, ["2:1", "0:3 (W)", "0:1", "1:1"])
    assert [line for line, _, _ in report.refused] == [3]


def test_a_plus_does_not_hide_that_a_loss_is_minus_one(engine: Engine) -> None:
    """Beside +1 the draws, which were 0, counted as losses."""
    with pytest.raises(BadFile) as caught:
        take(engine, ["+1", "0", "-1", "0", "+1"])
    assert 'words = { 1 = "1", 0 = "1/2", -1 = "0" }' in caught.value.hint


def test_a_score_in_brackets_is_not_a_footnote(engine: Engine) -> None:
    """It was left out as one, and the game had no result yet."""
    report = take(engine, ["1-0", "[0-1]", "1/2"])
    assert [line for line, _, _ in report.refused] == [3]


LETTERS = [
    ("Résultat", "V D N", "1 0 .5"),
    ("Résultat", "D D", "0 0"),
    ("Risultato", "V P N", "1 0 .5"),
    ("Esito", "V P S", "1 .5 0"),
    ("Resultado", "G P E", "1 0 .5"),
    ("Resultado", "V D E", "1 0 .5"),
    ("Ergebnis", "S N U", "1 0 .5"),
    ("Ergebnis", "N N", "0 0"),
    ("Ergebnis", "G V", "1 0"),
    ("Wynik", "W P R", "1 0 .5"),
    ("Wynik", "W P", "1 0"),
    ("Uitslag", "W V G", "1 0 .5"),
    ("Uitslag", "V G", "0 .5"),
    ("Tulos", "V T", "1 .5"),
    ("Eredmény", "V D", "0 .5"),
    ("Result", "V D", "1 0"),
    ("Result", "W D L", "1 .5 0"),
    ("Result", "Win Lose Tie", "1 0 .5"),
    ("Result", "gagné perdu nul", "1 0 .5"),
    ("Result", "wygrana porażka remis", "1 0 .5"),
    ("Result", "vitória derrota empate", "1 0 .5"),
    ("Result", "winst verlies gelijkspel", "1 0 .5"),
]


@pytest.mark.parametrize(("heading", "words", "scores"), LETTERS)
def test_letters_mean_what_they_mean_in_the_language_of_the_heading(
    heading: str, words: str, scores: str, read: Read
) -> None:
    """A column of `D` under `Résultat` counted as draws, and Polish losses were refused beside wins that counted."""
    rows = "".join(f"ann,bo,2024-03-{day:02},{word}\n" for day, word in enumerate(words.split(), 1))
    found = read(f"a,b,played,{heading}\n{rows}", f"score={heading}")
    assert [line.event.score for line in found if isinstance(line, Made)] == [*map(float, scores.split())]


@pytest.mark.parametrize(
    ("heading", "words"), [("Result", "V G"), ("Result", "W P"), ("Result", "V T"), ("Esito", "V P")]
)
def test_letters_that_may_mean_two_things_are_refused_with_both(heading: str, words: str, read: Read) -> None:
    rows = "".join(f"ann,bo,2024-03-{day:02},{word}\n" for day, word in enumerate(words.split(), 1))
    with pytest.raises(
        ScoresInDoubt, match=r"its scores may mean . = 1, . = 0.5, . = 0 or . = 1, . = 0.5, . = 0"
    ) as why:
        read(f"a,b,played,{heading}\n{rows}", f"score={heading}")
    assert f'score = {{ column = "{heading}", words = {{ ' in why.value.hint


def test_letters_before_points_are_those_of_one_language(read: Read) -> None:
    """`V 3-1` was refused, and so was everything beside it."""
    found = read("a,b,played,score\nann,bo,2024-03-01,V 3-1\nann,cy,2024-03-02,D 0-2\nann,di,2024-03-03,N 1-1\n")
    assert [line.event.score for line in found if isinstance(line, Made)] == [1.0, 0.0, 0.5]
    assert found[1].event.data == {"points_a": 0, "points_b": 2}


SHOOT_OUTS = [
    ("1-1 (4-2 pens)", 0.5, "draws after a shoot-out: 1-1 (4-2 pens)"),
    ("1:1 n.V. 4:3 i.E.", 0.5, "draws after a shoot-out: 1:1 n.V. 4:3 i.E."),
    ("0:0 (3:1 n.E.)", 0.5, "draws after a shoot-out: 0:0 (3:1 n.E.)"),
    ("3-3 SO", 0.5, "draws after a shoot-out: 3-3 SO"),
    ("4-3 SO", 1.0, "won by the winner of a shoot-out: 4-3 SO"),
    ("W 1-1 (4-3 p)", 1.0, "won by the winner of a shoot-out: W 1-1 (4-3 p)"),
    ("L 1-1 (3-4 p)", 0.0, "won by the winner of a shoot-out: L 1-1 (3-4 p)"),
    ("D 1-1 (3-4 p)", 0.5, "draws after a shoot-out: D 1-1 (3-4 p)"),
    ("2-2 a.e.t.", 0.5, ""),
]


@pytest.mark.parametrize(("text", "score", "remark"), SHOOT_OUTS)
@pytest.mark.parametrize("form", ["{}", "W {}"])
def test_a_shoot_out_is_a_draw_unless_the_table_names_its_winner(
    text: str, score: float, remark: str, form: str, engine: Engine
) -> None:
    """`W 1-1 (4-3 p)` was refused, and nothing said that shoot-outs were draws."""
    if text[0].isdigit():
        form = "{}"
    rows = f"ann,bo,2024-03-01,{form.format('2-0')}\nann,cy,2024-03-02,{text}\nann,di,2024-03-03,{form.format('3-0')}\n"
    report = engine.import_file(io.BytesIO(f"a,b,played,score\n{rows}".encode()), "p", name="games.csv")
    assert report.accepted == 3
    (found,) = [one.score for _, one in engine.events() if one.kind == "game" and "cy" in (one.a, one.b)]
    assert found == score
    assert [note.how for note in report.notes if isinstance(note, ScoresReadAs) and "shoot" in note.how] == (
        [remark] if remark else []
    )


def test_w_and_b_beside_white_and_black_name_the_winner(read: Read) -> None:
    """Wins of White counted, and those of Black were refused."""
    rows = "".join(f"2024-03-0{day},ann,bo,{word}\n" for day, word in enumerate("WBD", 1))
    for heads, scores in (("White,Black", [1.0, 0.0, 0.5]), ("Black,White", [0.0, 1.0, 0.5])):
        first, second = heads.split(",")
        found = read(f"date,{heads},result\n{rows}", f"a={first},b={second},score=result,played=date")
        assert [line.event.score for line in found if isinstance(line, Made)] == scores


def test_points_of_white_and_black_are_read_with_their_forfeits(read: Read) -> None:
    """`Pkt. Weiss` was not known, and a forfeit of `-` and `+` was refused as no number."""
    rows = "2024-03-01,ann,bo,½,½\n2024-03-02,ann,cy,-,+\n2024-03-02,bo,cy,1,0\n2024-03-03,bo,di,+,-\n"
    columns = ("played", "Spieler A", "Spieler B", "Pkt. Weiss", "Pkt. Schwarz")
    (fields,) = readings(columns, {})
    assert fields == {"a": columns[1], "b": columns[2], "points_a": columns[3], "points_b": columns[4]}
    lines = read(f"{','.join(columns)}\n{rows}", ",".join(f"{field}={column}" for field, column in fields.items()))
    rated = [line for line in lines if isinstance(line, Made | Unrated)]
    found = [line.event.score if isinstance(line, Made) else line.reason for line in rated]
    assert found == [0.5, "forfeit", 1.0, "forfeit"]
