"""Cross-tables in the layouts of pairing programs: the games that a person reads in them, or a clear refusal."""

import io
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from ratingcore.cli.words import hint
from ratingcore.engine import Engine, open_engine
from ratingcore.errors import BadFile
from ratingcore.events import instant, moment
from ratingcore.log.lookup import corrections_of, decoder_of
from ratingcore.readers import Document, Facts, Game, Item, Warning, Who
from tests.plugins.chess_files import FORMATS, READERS, games, of, pairings, refusals, said, seeds, sure

FOLDER = FORMATS / "crosstable"
Line = tuple[int, str, str, float]

SWISS = {
    (1, "Ann", "Di", 1.0),
    (1, "Bo", "Ed", 0.5),
    (2, "Ann", "Bo", 0.5),
    (3, "Ann", "Cy", 1.0),
    (3, "Bo", "Di", 1.0),
}
"""Games of the Swiss tournament of the fixtures, from the side of the player who comes first in the alphabet."""
WHITE = {(1, "Ann"), (1, "Bo"), (2, "Bo"), (3, "Cy"), (3, "Di")}
"""Who had White in them."""
UNPLAYED = {"bye": 2, "absent": 1, "forfeit": 1}

LAYOUTS = {
    "tabs, opponent, colour and result": """
Rk.\tName\tRtg\t1.Rd\t2.Rd\t3.Rd\tPts.
1\tAnn\t2100\t4w1\t2b½\t3b1\t2½
2\tBo\t2000\t5w½\t1w½\t4b1\t2
3\tCy\t1900\t-1\t4w+\t1w0\t2
4\tDi\t1800\t1b0\t3b-\t2w0\t0
5\tEd\t\t2b½\t-0\t-½\t1
""",
    "German: s for black, slashes": """
Nr.\tTeilnehmer\tTWZ\t1\t2\t3\tPunkte
1.\tAnn\t2100\t4w/1\t2s/½\t3s/1\t2,5
2.\tBo\t2000\t5w/½\t1w/½\t4s/1\t2,0
3.\tCy\t1900\t+\t4/+\t1w/0\t2,0
4.\tDi\t1800\t1s/0\t3/-\t2w/0\t0,0
5.\tEd\t\t2s/½\t-\tspielfrei\t0,5
""",
    "French: b for white, n for black": """
Pl;Nom;Elo;R1;R2;R3;Pts
1;Ann;2100;4b1;2n0,5;3n1;2,5
2;Bo;2000;5b0,5;1b0,5;4n1;2
3;Cy;1900;exempt;4b+;1b0;2
4;Di;1800;1n0;3n-;2b0;0
5;Ed;;2n0,5;;exempt;1
""",
    "aligned, results in letters": """
No  Name  Feder Rtg  Loc Id   1    2    3   Total
1.  Ann   AUT   2100    101  4:W  2:D  3:W   2.5
2.  Bo          2000    102  5:D  1:D  4:W   2
3.  Cy    GER   1900    103  0:+  5:   1:L   2
4.  Di          1800    104  1:L  0:-  2:L   0
5.  Ed                  105  2:D  3:   0:=   1
""",
    "aligned, the letter before the opponent": """
No. Name     Rate   1      2      3    Tot
1   Ann      1500  W   4  D   2  W   3  2.5
2   Bo       1400  D   5  D   1  W   4  2
3   Cy       1300  B---   X   4  L   1  2
4   Di       1200  L   1  F   3  L   2  0
5   Ed       1100  D   2  U---   H---   1
""",
    "bars, blanks in cells": """
| # | Player | Rating | Rd 1 | Rd 2 | Rd 3 | Total |
|---|--------|--------|------|------|------|-------|
| 1 | Ann | 2100 | 4 w 1 | 2 b 1/2 | 3 b 1 | 2.5 |
| 2 | Bo | 2000 | 5 w 1/2 | 1 w 0.5 | 4 b 1 | 2 |
| 3 | Cy | 1900 | bye | 4 w + | 1 w 0 | 2 |
| 4 | Di | 1800 | 1 b 0 | 3 b - | 2 w 0 | 0 |
| 5 | Ed | | 2 b 1/2 | -- | bye | 1 |
""",
    "commas, names in quotes": """
Rank,Name,Elo,Round 1,Round 2,Round 3,Points
1,"Ann",2100,4W1,2B½,3B1,2.5
2,"Bo",2000,5W½,1W½,4B1,2
3,"Cy",1900,+BYE,4W+,1W0,2
4,"Di",1800,1B0,3B-,2W0,0
5,"Ed",,2B½,,-BYE,1
""",
    "signs before the opponent": """
 Pos NAME       Rtg  T  Fed  Pts |  1     2     3   |
-----------------------------------------------------
   1 Ann       2100    NSW  2.5 | +W4   =B2   +B3  |
   2 Bo        2000 FM NSW  2.0 | =W5   =W1   +B4  |
   3 Cy        1900    NSW  2.0 | +BYE  +F4   -W1  |
   4 Di        1800    NSW  0.0 | -B1   -F3   -W2  |
   5 Ed           0    NSW  1.0 | =B2    --   =BYE |
""",
}  # fmt: skip


def read(text: str, **options: str) -> list[Item]:
    return said("crosstable", text.encode(), **options)


def played(items: list[Item]) -> set[Line]:
    """The games by round, from the side of the player who comes first in the alphabet."""
    found = set()
    for game in games(items):
        a, b, score = game.a.name.split(",")[-1].strip(), game.b.name.split(",")[-1].strip(), game.score
        turn = int(game.data.get("round", 0))
        found.add((turn, a, b, score) if a < b else (turn, b, a, 1 - score))
    assert len(found) == len(games(items))
    return found


def refusal(text: str, **options: str) -> str:
    """Why a whole text is refused, and what to do."""
    with pytest.raises(BadFile) as refused:
        read(text, **options)
    return f"{refused.value.why} / {refused.value.advice}"


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_each_layout_gives_the_games_that_a_person_reads(text: str) -> None:
    assert sure("crosstable", text.encode()) == 85
    items = read(text)
    assert refusals(items) == []
    if "5:   1:L" in text:  # a round that is not over, and an absence
        assert pairings(items) == {"game": 5, "no result yet": 1, "bye": 2, "absent": 1}
    else:
        assert pairings(items) == {"game": 5, **UNPLAYED}
    assert played(items) == SWISS
    white = {(int(game.data["round"]), game.a.name) for game in games(items) if game.data.get("home") == "a"}
    assert white in (WHITE, set())


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_every_sample_is_recognised_by_this_reader_alone(file: Path) -> None:
    content = file.read_bytes()
    assert sure("crosstable", content) == 85
    assert not [name for name in READERS if name != "crosstable" and sure(name, content)]


def test_no_other_sample_is_taken_for_a_cross_table() -> None:
    others = [file for file in FORMATS.rglob("*") if file.is_file() and file.parent != FOLDER]
    assert len(others) > 40
    assert [file for file in others if sure("crosstable", file.read_bytes())] == []
    for text in (
        "white,black,result\nann,bo,1-0\nbo,cy,0-1\n",
        "session,player,1,2,3\na,ann,10,12,9\na,bo,8,9,13\n",
        "name,1,2,3\nann,0.2,0.5,0.3\nbo,0.5,0.1,0.4\n",
        "player  points  1.   2.   3.\nann          6   1  0.0  0.0\nbo           1   0  0.5  0.5\n",
    ):
        assert sure("crosstable", text.encode()) == 0


def test_a_progress_table_as_a_site_publishes_it() -> None:
    """Players are numbered by rank and by start rank, and only the latter makes both sides agree."""
    items = of("crosstable", "crosstable/progress.txt")
    assert items[0] == Document(
        ("Linden Open 2025", "2025-09-26"), "Linden Open 2025 (2025-09-26)",
        moment(instant("2025-09-26")).date(), moment(instant("2025-10-02")).date(),
    )  # fmt: skip
    assert pairings(items) == {"game": 5, **UNPLAYED}
    assert played(items) == SWISS
    assert {(int(game.data["round"]), game.a.name.split(", ")[1]) for game in games(items)} == WHITE
    assert {(game.played, game.data["dated"]) for game in games(items)} == {(instant("2025-09-26"), "event")}
    assert {game.played for game in games(of("crosstable", "crosstable/progress.txt", dates="spread"))} == {
        instant(day) for day in ("2025-09-26", "2025-09-29", "2025-10-02")
    }
    ann = next(item for item in items if isinstance(item, Facts))
    assert (ann.who, ann.data) == (Who(None, "Alder, Ann", "1"), {"title": "GM", "federation": "AUT"})
    assert {seed.who.name: seed.values["rating"] for seed in seeds(items)} == {
        "Alder, Ann": 2100.0, "Birch, Bo": 2000.0, "Cedar, Cy": 1900.0, "Dogwood, Di": 1800.0,
    }  # fmt: skip
    assert not [item for item in items if isinstance(item, Warning)]


def test_a_wall_chart_has_two_lines_a_player() -> None:
    items = of("crosstable", "crosstable/wallchart.txt")
    assert pairings(items) == {"game": 5, **UNPLAYED}
    assert [(game.a.id, game.b.id, game.score) for game in games(items)] == [
        ("uschess:10000001", "uschess:10000004", 1.0), ("uschess:10000002", "uschess:10000001", 0.5),
        ("uschess:10000003", "uschess:10000001", 0.0), ("uschess:10000002", "uschess:10000005", 0.5),
        ("uschess:10000004", "uschess:10000002", 0.0),
    ]  # fmt: skip
    assert [seed.values["rating"] for seed in seeds(items)] == [1500.0, 1300.0, 1100.0]  # 1400P12 is provisional


def test_columns_may_be_opponents() -> None:
    items = of("crosstable", "crosstable/grid.txt")
    assert pairings(items) == {"game": 6}
    assert played(items) == {
        (0, "Ann Alder", "Bo Birch", 1.0), (0, "Ann Alder", "Cy Cedar", 0.5), (0, "Ann Alder", "Di Dogwood", 1.0),
        (0, "Bo Birch", "Cy Cedar", 1.0), (0, "Bo Birch", "Di Dogwood", 0.5), (0, "Cy Cedar", "Di Dogwood", 1.0),
    }  # fmt: skip
    assert {str(game.data.get("home")) for game in games(items)} == {"None"}


def test_opponents_may_meet_twice_and_cells_may_be_numbers_of_a_spreadsheet() -> None:
    twice = "No;Spieler;1;2;3;Punkte\n1;Ann;X;1½;01;2,5\n2;Bo;0½;X;11;2,5\n3;Cy;1 0;00;X;1\n"
    assert [(game.a.name, game.b.name, game.score, game.key) for game in games(read(twice))] == [
        ("Ann", "Bo", 1.0, ("1",)), ("Ann", "Bo", 0.5, ("2",)), ("Ann", "Cy", 0.0, ("1",)), ("Ann", "Cy", 1.0, ("2",)),
        ("Bo", "Cy", 1.0, ("1",)), ("Bo", "Cy", 1.0, ("2",)),
    ]  # fmt: skip
    sums = "No;Name;1;2\n1;Ann;*;1,5\n2;Bo;0,5;*\n"  # 1½ of two games: nobody knows which of them were drawn
    items = read(sums)
    assert games(items) == []
    assert "2: is not a result: '1,5'" in refusals(items)
    open_pairing = "No;Name;1;2;3\n1;Ann;**;1;\n2;Bo;0;**;+\n3;Cy;;-;**\n"
    assert pairings(read(open_pairing)) == {"game": 1, "forfeit": 1}


def test_a_list_of_pairings_gives_the_rounds_with_their_days() -> None:
    items = of("crosstable", "crosstable/rounds.txt")
    assert pairings(items) == {"game": 4, "bye": 2, "forfeit": 2, "absent": 1}
    assert played(items) == SWISS - {(3, "Bo", "Di", 1.0)}
    assert [item.key for item in items if isinstance(item, Document)] == [
        ("Linden Open 2025", "2025-09-26", f"round {turn}") for turn in (1, 2, 3)
    ]
    assert [game.played for game in games(items)] == [
        instant(day) for day in ("2025-09-26", "2025-09-26", "2025-09-27", "2025-09-28")
    ]
    assert {str(game.data["event"]) for game in games(items)} == {"Linden Open 2025 (2025-09-26)"}
    one = "Cup\nRound 2\nBo.\tWhite\tResult\tBlack\n1\tAnn\t1:0\tBo\n2\tCy\t\tDi\n3\tEd\t1 - 1\tFi\n4\tGo\t0-0\tHe\n"
    assert pairings(read(one)) == {"game": 1, "no result yet": 1, "refused": 1, "both lost": 1}
    more = one + "Round 3\n1\tAnn\t1:0\tCy\n"
    assert "line 8 begins a round, but no line below it names the columns" in refusal(more)
    assert refusals(read(one + "5\tAnn\t1-0\tIda\n"))[1:] == ["pairs a player twice in a round"]
    assert "names its round / write a line such as Round 3" in refusal(one.replace("Round 2\n", ""))


def test_pairings_may_have_their_result_behind_both_players() -> None:
    """No reader was sure of the pairings of Swiss-Chess."""
    text = (
        "SF Musterstadt\n\n5. Runde am 09.11.2025\n"
        "Tisch\tTNr\tTeilnehmer\tPunkte\t-\tTNr\tTeilnehmer\tPunkte\tErgebnis\tAt\n"
        "1\t1.\tMüller, Hans\t(3½)\t-\t4.\tBraun, Lisa\t(3)\t½ - ½\t\n"
        "2\t3.\tSchmidt, Peter\t(2½)\t-\t2.\tJäger, Uwe\t(3)\t0 - 1\t\n"
        "3\t6.\tÖzdemir, Ali\t(2)\t-\t5.\tHoffmann, Eva\t(2)\t+ - -\tK\n"
        "4\t7.\tRoth, Kai\t(1)\t-\t\tspielfrei\t\t+ - -\t\n"
    )
    assert sure("crosstable", text.encode()) >= 50
    items = read(text)
    assert pairings(items) == {"game": 2, "forfeit": 1, "bye": 1}
    assert played(items) == {(5, "Hans", "Lisa", 0.5), (5, "Peter", "Uwe", 0.0)}


@pytest.mark.parametrize(
    ("cells", "score"),
    [
        (("2:1", "1:0"), 1.0), (("2 1", "1 0"), 1.0), (("2½", "1½"), 0.5), (("W2", "L1"), 1.0), (("d2", "d1"), 0.5),
        (("R2", "R1"), 0.5), (("L2b", "W1w"), 0.0), (("+w2", "-b1"), 1.0), (("=2", "=1"), 0.5), (("2=", "1="), 0.5),
        (("2W", "1L"), 1.0), (("2w0.0", "1b1.0"), 0.0), (("2/1", "1/0"), 1.0),
    ],
)  # fmt: skip
def test_a_game_is_spelt_in_many_ways(cells: tuple[str, str], score: float) -> None:
    one, other = cells
    # of `=2` and `=1` a third game decides that a sign before a number is a result
    more = ("=4", "=3") if "=" in one[:1] else ("", "")
    text = f"No\tName\tR1\n1\tAnn\t{one}\n2\tBo\t{other}\n3\tCy\t{more[0]}\n4\tDi\t{more[1]}\n"
    (game, *_) = games(read(text))
    assert (game.score if game.a.name == "Ann" else 1 - game.score) == score


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (("2w+", "1b-"), "forfeit"), (("2+", "1-"), "forfeit"), (("X2", "F1"), "forfeit"), (("+f2", "-f1"), "forfeit"),
        (("2w1K", "1b0K"), "forfeit"), (("2w", "1b"), "no result yet"), (("2w*", "1b*"), "no result yet"),
        (("2w0", "1b0"), "both lost"),
    ],
)  # fmt: skip
def test_a_pairing_without_a_rated_result_is_counted(cells: tuple[str, str], reason: str) -> None:
    text = f"No\tName\tR1\n1\tAnn\t{cells[0]}\n2\tBo\t{cells[1]}\n3\tCy\t4w1\n4\tDi\t3b0\n"
    assert pairings(read(text)) == {"game": 1, reason: 1}


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        *((cell, "bye") for cell in ("bye", "+BYE", "Freilos", "0:=", "0:+", "-1", "-½", "B---", "H---", "½", "1")),
        *((cell, "absent") for cell in ("-0", "0:-", "L 0", "--", "U---", "", "0", "-")),
        ("K", "forfeit"), ("*", "no result yet"),
    ],
)  # fmt: skip
def test_a_round_without_an_opponent_is_counted(cell: str, reason: str) -> None:
    items = read(f"No\tName\tR1\n1\tAnn\t2w1\n2\tBo\t1b0\n3\tCy\t{cell}\n")
    assert pairings(items) == {"game": 1, reason: 1}


def test_the_word_for_a_bye_may_be_a_player() -> None:
    items = read("No\tName\tR1\tR2\n1\tAnn\t2:W\t3:W\n2\tBo\t1:L\t0:-\n3\tBYE\t\t1:L\n")
    assert pairings(items) == {"game": 1, "bye": 1, "absent": 1}


def test_signs_after_an_opponent_are_refused_where_no_cell_decides_what_they_mean() -> None:
    text = "No\tName\tR1\n1\tAnn\t2+\n2\tBo\t1-\n"
    assert "may be a game or a forfeit: use -o signs=games or -o signs=forfeits" in read_reason(text)
    assert pairings(read(text, signs="forfeits")) == {"forfeit": 1}
    assert [game.score for game in games(read(text, signs="games"))] == [1.0]
    assert "may be a game or a forfeit" in read_reason(text + "3\tCy\t4=\n4\tDi\t3=\n5\tEd\t6:1\n6\tFi\t5:0\n")


def read_reason(text: str) -> str:
    try:
        return " ".join(refusals(read(text)))
    except BadFile as problem:
        return str(problem)


def test_minus_one_is_a_bye_or_a_loss_as_the_other_cells_say() -> None:
    bye = "No\tName\tR1\tR2\n1\tAnn\t2w1\t-1\n2\tBo\t1b0\t3w1\n3\tCy\t-1\t2b0\n"
    assert pairings(read(bye)) == {"game": 2, "bye": 2}
    loss = "No\tName\tR1\tR2\n1\tAnn\t+2\t=3\n2\tBo\t-1\t+3\n3\tCy\tbye\t=1\n"
    assert "round 2: 2 - 3: the opponent's row does not have this game" in refusals(read(loss))
    assert [game.score for game in games(read(loss))] == [1.0, 0.5]
    mixed = "No\tName\tR1\tR2\n1\tAnn\t+2\t2w1\n2\tBo\t-1\t1b0\n"
    assert "R1: may be a game against player 1 or a bye: write the bye as a word: '-1'" in refusals(read(mixed))


def test_both_sides_of_a_game_must_agree() -> None:
    text = "No\tName\tR1\tR2\n1\tAnn\t2w1\t2b½\n2\tBo\t1b½\t1b½\n"
    assert refusals(read(text)) == [
        "round 1: 1 - 2: the two rows have results that do not match: '1 and 0.5'",
        "round 2: 1 - 2: the two rows have colours that do not match",
    ]
    assert refusals(read("No\tName\tR1\n1\tAnn\t2w1\n2\tBo\t3b0\n3\tCy\t7w0\n")) == [
        "round 1: 1 - 2: the opponent's row does not have this game",
        "round 1: 2 - 3: the opponent's row does not have this game",
        "round 1, player 3: no player in the file has the opponent's number: '7'",
    ]  # fmt: skip


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_one_wrong_cell_never_makes_another_game(text: str) -> None:
    true = played(read(text))
    cells = set(
        re.findall(r"(?<=[\t;|, ])(?:[0-9]?[wWbBsn:/]?/?[WDL+=-]?[WBF]?[0-9½+=-]|[WDL] +[0-9])(?=[\t;|, \n])", text)
    )
    assert len(cells) > 5
    for line in text.splitlines()[2:]:
        for old, new in permutations(cells, 2):
            for place in [at for at in range(len(line)) if line.startswith(old, at)][-3:]:
                if len(old) == len(new):
                    changed = line[:place] + new + line[place + len(old) :]
                    assert games_or_none(text.replace(line, changed)) <= true, changed


def games_or_none(text: str) -> set[Line]:
    try:
        return played(read(text))
    except BadFile:
        return set()


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_a_table_with_a_line_less_has_no_other_games(text: str) -> None:
    true, lines = played(read(text)), text.splitlines(keepends=True)
    for place in range(len(lines)):
        assert games_or_none("".join(lines[:place] + lines[place + 1 :])) <= true
        assert games_or_none("".join(lines[:place])) <= true


def test_columns_may_come_in_any_order() -> None:
    rows = [line.split("\t") for line in LAYOUTS["tabs, opponent, colour and result"].strip().splitlines()]
    for order in ([6, 5, 4, 3, 2, 1, 0], [1, 4, 3, 0, 5, 2, 6]):
        text = "\n".join("\t".join(row[at] for at in order) for row in rows)
        assert played(read(text)) == SWISS
    without = "\n".join("\t".join(row[1:]) for row in rows)  # no numbers: the order of the rows
    assert played(read(without)) == SWISS


def test_rank_and_number_that_both_fit_are_refused() -> None:
    text = "Rk\tSNo\tName\tR1\n1\t3\tAnn\t2:1\n2\t4\tBo\t1:0\n3\t1\tCy\t4:1\n4\t2\tDi\t3:0\n"
    why = refusal(text)
    assert "the cells below line 1 may refer to the column Rk or to SNo / remove from the table the column" in why


def test_a_table_of_results_without_opponents_is_refused() -> None:
    assert "name no opponents" in refusal("Rank\tName\tR1\tR2\n1\tAnn\t1\t0\n2\tBo\t½\t1\n")
    assert "name no opponents" in refusal("Rank\tName\t1\t2\n1\tAnn\t1\t0\n2\tBo\t0\t1\n")
    assert "no line names the columns" in refusal("1 Ann 2w1\n2 Bo 1b0\n")


def test_rounds_that_the_header_does_not_name_are_refused() -> None:
    rows = "1\tAnn\t2w1\t3b1\n2\tBo\t1b0\t\n3\tCy\t\t1w0\n"
    assert "names the rounds 1, 1: name each round once" in refusal(f"No\tName\tR1\tR1\n{rows}")
    assert "names the rounds 1, 22: name each round once" in refusal(f"No\tName\tR1\tR22\n{rows}")
    for text in (f"No\tName\tRtg\tR1\tR2\n{rows}", f"No\tName\t\tR1\tR2\n{rows}"):
        assert "has results, but no round number" in refusal(text)


def test_a_row_that_does_not_fit_is_refused() -> None:
    tabs = "No\tName\tR1\n1\tAnn\t2w1\n2\tBo\t1b0\n3\tCy\t\t4w1\n4\tDi\t-0\n"
    assert refusals(read(tabs)) == ["has more cells than the header"]
    aligned = LAYOUTS["aligned, results in letters"].replace("2.  Bo          ", "2.  Bo of a very long name ")
    found = games_or_none(aligned)
    assert {(turn, a, b, score) for turn, a, b, score in found if "Bo" not in a + b} <= SWISS
    assert "does not fit" in read_reason(aligned)


@pytest.mark.parametrize("wide", ["  ", "     "])
@pytest.mark.parametrize("points", ["Pts", "Points"])
def test_an_own_cell_of_an_aligned_round_robin_is_no_result_against_the_number_after_it(wide: str, points: str) -> None:
    """`X   0` was one cell, and a column shorter than its heading `Points` ended before it."""
    rows = (("Nr. Name   ", "1", "2", "3", points), (" 1. Ann Lee", "X", "1", "0", "1"),
            (" 2. Bo Diaz", "0", "X", "1", "1"), (" 3. Cy Hart", "1", "0", "X", "1"))  # fmt: skip
    text = "Club\n18.10.2024\n\n" + "\n".join(wide.join(row) for row in rows) + "\n"
    found = [(one.a.name, one.b.name, one.score) for one in read(text) if isinstance(one, Game)]
    assert sorted(found) == [("Ann Lee", "Bo Diaz", 1.0), ("Ann Lee", "Cy Hart", 0.0), ("Bo Diaz", "Cy Hart", 1.0)]


def test_points_that_the_cells_do_not_give_are_a_remark() -> None:
    text = LAYOUTS["tabs, opponent, colour and result"].replace("2½", "3", 1)
    (remark,) = [item for item in read(text) if isinstance(item, Warning)]
    assert remark == Warning(
        2, "points that are not the sum of the cells, which follows in brackets, 1 in all: Ann 3 (2.5)"
    )


@pytest.mark.parametrize(
    ("title", "event", "day"),
    [
        ("Cup\nDate : 2025/09/26 to 2025/10/02", "Cup (2025-09-26)", "2025-09-26"),
        ("Cup\n26.09.2025 - 02.10.2025", "Cup (2025-09-26)", "2025-09-26"),
        ("Spring Cup 2024-03-02\nLast update 03.10.2025", "Spring Cup (2024-03-02)", "2024-03-02"),
        ("Cup, March 2, 2024", "Cup (2024-03-02)", "2024-03-02"),
        ("Cup\nDate 26.09. - 02.10.2025", "Cup", None), ("Cup\nLast update 03.10.2025 18:22", "Cup", None),
        ("Cup\nRegistration until 2024-01-10", "Cup", None), ("", "file", None),
        ("Cup\nStand, 18.10.2025", "Cup", None),
        ("SC Tal\nRundenturnier, 18.10.2025", "SC Tal (2025-10-18)", "2025-10-18"),
        ("https://example.org\nCross Table after round 3\nCup", "Cup", None),
    ],
)  # fmt: skip
def test_lines_above_the_table_give_name_and_day(title: str, event: str, day: str | None) -> None:
    items = read(f"{title}\n\nNo\tName\tR1\n1\tAnn\t2w1\n2\tBo\t1b0\n")
    assert isinstance(items[0], Document)
    assert items[0].event == event
    assert [game.played for game in games(items)] == [None if day is None else instant(day)]


def test_a_file_may_hold_the_tables_of_several_sections() -> None:
    one = "No\tName\tR1\n1\tAnn\t2w1\n2\tBo\t1b0\n"
    items = read(f"Open\n{one}\nReserve\n{one.replace('Ann', 'Cy').replace('Bo', 'Di')}")
    assert [item.event for item in items if isinstance(item, Document)] == ["Open", "Reserve"]
    assert {game.a.name for game in games(items)} == {"Ann", "Cy"}
    new_page = "No\tName\tR1\n3\tCy\t4w1\n4\tDi\t3b0\n"
    assert played(read(one + new_page)) == {(1, "Ann", "Bo", 1.0), (1, "Cy", "Di", 1.0)}
    grid = "No\tName\t1\t2\n1\tAnn\t*\t1\n2\tBo\t0\t*\n"
    assert "the name or the players of one above it" in refusal(f"Open\n{one}\nThe same as a grid\n{grid}")


def test_ids_are_taken_where_their_register_is_named() -> None:
    text = "No\tName\tFIDE-ID\tLoc Id\tClub\tR1\n1\tAnn\t3400042\t7\tOak\t2w1\n2\tBo\t0\t8\t\t1b0\n"
    (game,) = games(read(text))
    assert (game.a, game.b) == (Who("fide:3400042", "Ann", "1"), Who(None, "Bo", "2"))
    assert [item.data for item in read(text) if isinstance(item, Facts)] == [{"called": "Ann", "club": "Oak"}]


def results(engine: Engine) -> dict[tuple[str, str], float]:
    """The scores of the pool by players, White first, corrections applied."""
    now, event = corrections_of(engine.log), decoder_of(engine.log)
    read = [now.read(row) for row in engine.log.rows(0, None, ("game",))]
    found: list[Any] = [event(row) for row in read if row is not None]
    return {(game.a, game.b): game.score for game in found}


def test_a_table_that_is_issued_again_is_corrected() -> None:
    """A result and a name are mended, a game became a forfeit, and a round was added."""
    first = "Cup\n2024-03-02\nNo\tName\tR1\tR2\n1\tAnn\t2w1\t3b1\n2\tBo\t1b0\t4w1\n3\tCy\t4w½\t1w0\n4\tDy\t3b½\t2b0\n"
    again = (
        "Cup\n2024-03-02\nNo\tName\tR1\tR2\tR3\n1\tAnn\t2w½\t3b1\t4w1\n2\tBo\t1b½\t4w+\t3b1\n"
        "3\tCy\t4w½\t1w0\t2w0\n4\tDi\t3b½\t2b-\t1b0\n"
    )
    with open_engine(":memory:") as engine:
        assert engine.import_file(io.BytesIO(first.encode()), "club", reader="crosstable").accepted == 4
        assert engine.import_file(io.BytesIO(first.encode()), "club", reader="crosstable").duplicates == 4
        report = engine.import_file(io.BytesIO(again.encode()), "club", reader="crosstable")
        assert (report.accepted, report.amended, report.voided, report.refused) == (2, 2, 1, [])
        scores = results(engine)
    assert scores == {
        ("Ann", "Bo"): 0.5, ("Cy", "Di"): 0.5, ("Cy", "Ann"): 0.0, ("Ann", "Di"): 1.0, ("Cy", "Bo"): 0.0,
    }  # fmt: skip


def _of_year(name: str, title: str, day: str, players: str = "Ann Bo Cy", scores: str = "101") -> io.BytesIO:
    """A round robin of three players under a title."""
    (a, b, c), flip = players.split(), {"0": "1", "1": "0"}
    x, y, z = scores
    rows = (f"1\t{a}\t2w{x}\t3b{y}\t", f"2\t{b}\t1b{flip[x]}\t\t3w{z}", f"3\t{c}\t\t1w{flip[y]}\t2b{flip[z]}")
    file = io.BytesIO("\n".join([f"{title} {day}".strip(), "No\tName\tR1\tR2\tR3", *rows, ""]).encode())
    file.name = name
    return file


@pytest.mark.parametrize("players", ["Ann Bo Cy", "Di Ed Fy"])
@pytest.mark.parametrize("title", ["Blitz Cup", ""])
def test_a_table_of_the_same_title_on_another_day_is_another_tournament(title: str, players: str) -> None:
    """The blitz tournament of 2025 overwrote that of 2024, whose title has no day either."""
    with open_engine(":memory:") as engine:

        def counts(day: str, *of: str) -> tuple[int, int, int, int]:
            file = _of_year("blitz.txt", title, "", *of)
            report = engine.import_file(file, "club", reader="crosstable", played=day)
            return report.accepted, report.amended, report.voided, report.duplicates

        assert counts("2024-12-27") == (3, 0, 0, 0)
        assert counts("2025-12-27", players, "010") == (3, 0, 0, 0)
        assert counts("2026-12-27", players, "000") == (3, 0, 0, 0)
        assert counts("2025-12-27", players, "000") == (0, 1, 0, 2), "a corrected table still corrects"
        assert counts("2024-12-27") == counts("2026-12-27", players, "000") == (0, 0, 0, 3)
        assert counts("2024-12-28") == (0, 3, 0, 0), "its day was corrected"
        assert counts("2024-12-28") == (0, 0, 0, 3)
        assert counts("2027-12-20", players, "000") == (3, 0, 0, 0), "the same players won again"


def test_a_day_in_the_title_or_given_with_the_file_is_of_the_same_tournament() -> None:
    with open_engine(":memory:") as engine:
        for day, scores, first in (("2024-12-27", "101", "given"), ("2025-12-27", "000", "in the title")):
            bare, dated = _of_year("a.txt", "Cup", "", scores=scores), _of_year("b.txt", "Cup", day, scores=scores)
            both = [(bare, {"played": day}), (dated, {})]
            taken = [
                engine.import_file(file, "club", reader="crosstable", **day_given)
                for file, day_given in (both if first == "given" else both[::-1])
            ]
            assert [(one.accepted, one.amended, one.voided) for one in taken] == [(3, 0, 0), (0, 3, 0)]


def test_a_table_without_a_day_and_one_of_another_pool_say_so_and_name_their_players() -> None:
    """It `would void 9 of 9 results`, since no row had a day; those of another pool had bare ids."""
    with open_engine(":memory:") as engine:
        engine.import_file(_of_year("a.txt", "Cup", ""), "club", reader="crosstable", played="2024-12-27")
        undated = engine.import_file(_of_year("a.txt", "Cup", ""), "other", reader="crosstable")
        assert {str(reason) for _, reason, _ in undated.refused} == {
            "played is not known, since the result has no date: ''"
        }
        moved = engine.import_file(_of_year("a.txt", "Cup", ""), "other", reader="crosstable", played="2024-12-27")
        assert "other, 2024-12-27, Ann - Bo 1" in [text for _, _, text in moved.refused]


def test_a_round_of_another_season_in_a_file_of_the_same_name_is_another_round() -> None:
    """The fifth round of the next season voided that of the last one."""

    def round_of(day: str, *lines: str) -> io.BytesIO:
        text = f"5. Runde am {day}\nWeiß\tErgebnis\tSchwarz\n" + "".join(f"{line}\n" for line in lines)
        file = io.BytesIO(text.encode())
        file.name = "runde.txt"
        return file

    first = "Ann\t1-0\tBo", "Cy\t1-0\tDi", "Ed\t0-1\tFi"
    with open_engine(":memory:") as engine:
        assert engine.import_file(round_of("09.11.2025", *first), "club").accepted == 3
        new = engine.import_file(round_of("08.11.2026", "Ann\t0-1\tCy", "Bo\t1-0\tEd", "Di\t0-1\tFi"), "club")
        assert (new.accepted, new.amended, new.voided) == (3, 0, 0)
        corrected = engine.import_file(round_of("09.11.2025", "Ann\t0-1\tBo", *first[1:]), "club")
        assert (corrected.accepted, corrected.amended, corrected.duplicates) == (0, 1, 2)
        others = engine.import_file(round_of("09.11.2025", "Go\t0-1\tHa"), "club", reader="crosstable")
        assert [str(reason) for _, reason, _ in others.refused] == [
            "it would void 3 of 3 results: is the file complete?"
        ]


def test_a_spreadsheet_is_read_like_a_text(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    for row in (
        ["Cup"], ["Date", "2024-03-02"], [], ["No.", "Name", "1.Rd", "2.Rd", "Pts"], [1, "Ann", "2w1", "3b½", 1.5],
        [2, "Bo", "1b0", -1, 1], [3, "Cy", 0, "1w½", 0.5],
    ):  # fmt: skip
        book.active.append(row)
    book.save(tmp_path / "cross.xlsx")
    with open_engine(":memory:") as engine:
        report = engine.import_file(tmp_path / "cross.xlsx", "club", reader="crosstable")
        assert (report.accepted, report.unrated, report.refused) == (2, {"bye": [6], "absent": [7]}, [])
        assert results(engine) == {("Ann", "Bo"): 1.0, ("Cy", "Ann"): 0.5}
        again = engine.import_file(tmp_path / "cross.xlsx", "club")  # it was taken for a table of results
        assert (again.reader, again.duplicates) == ("crosstable", 2)
    book.create_sheet("Other").append(["x"])
    book.save(tmp_path / "two.xlsx")
    with open_engine(":memory:") as engine, pytest.raises(BadFile) as refused:
        engine.import_file(tmp_path / "two.xlsx", "club", reader="crosstable")
    assert refused.value.advice == "give the sheet that is meant"
    assert hint(refused.value) == "choose one by -o sheet=NAME"  # --sheet is for tables
    with open_engine(":memory:") as engine:
        assert engine.import_file(tmp_path / "two.xlsx", "club", reader="crosstable", sheet="Sheet").accepted == 2
