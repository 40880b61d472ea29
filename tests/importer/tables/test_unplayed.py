"""Columns that say of a game that nobody played it."""

import json
from pathlib import Path

import pytest

import ratingcore as rc
from ratingcore.importer.notes import ScoresReadAs
from ratingcore.importer.tables import FieldMap
from ratingcore.readers import Made, Note, Unrated

from .conftest import Read

ROWS = "2024-03-02,ann,bo,1,{}\n2024-03-02,ann,cy,1,{}\n2024-03-02,bo,cy,1,{}\n"


@pytest.mark.parametrize("heading", ["state", "Spielstatus", "type", "Art", "info 2"])
@pytest.mark.parametrize("keep", [None, "type,Art"])
def test_a_word_under_any_heading_says_that_a_game_was_not_played(read: Read, heading: str, keep: str | None) -> None:
    """Only `Status` was read, and a walkover in a column `state` or `type` counted as a win."""
    keep = heading if keep and heading in keep else None
    text = f"played,a,b,score,{heading}\n" + ROWS.format("played", "walkover", "abgesagt")
    first, forfeit, cancelled = [line for line in read(text, FieldMap(keep=keep)) if not isinstance(line, ScoresReadAs)]
    assert isinstance(first, Made)
    assert [forfeit, cancelled] == [Unrated(3, "forfeit"), Unrated(4, "no result yet")]


def test_how_the_words_were_read_is_noted_with_the_way_to_take_the_rows(read: Read) -> None:
    text = "played,a,b,score,type\n" + ROWS.format("cup", "Walkover", "w.o.")
    (note,) = [line for line in read(text) if isinstance(line, ScoresReadAs)]
    assert note.how == "not played where type is Walkover or w.o.; to take them, map it to none (type=)"
    assert all(isinstance(line, Made) for line in read(text, "type="))


def test_short_words_and_those_about_other_things_leave_a_game_rated(read: Read) -> None:
    """NA is a region, NC a state, and a payment is pending."""
    for words in (("NA", "NC", "NR"), ("pending", "scheduled", "suspended")):
        for heading in ("state", "paid")[words[0] == "pending" :]:
            text = f"played,a,b,score,{heading}\n" + ROWS.format(*words)
            assert all(isinstance(line, Made) for line in read(text)), (heading, words)


def test_a_column_of_many_texts_is_read_as_far_as_it_has_such_words(read: Read) -> None:
    rows = [f"2024-03-02,p{n},q{n},1,text {n}\n" for n in range(600)]
    rows[3] = rows[3].replace("text 3", "walkover")
    rows[590] = rows[590].replace("text 590", "no show")
    found = read("played,a,b,score,info\n" + "".join(rows))
    assert [line.line for line in found if isinstance(line, Unrated)] == [5, 592]


@pytest.mark.parametrize("heading", ["rated", "Gewertet", "counts"])
def test_a_game_that_a_column_calls_unrated_is_casual(read: Read, heading: str) -> None:
    """Such a column was not read, and friendly games counted."""
    found = read(f"played,a,b,score,{heading}\n" + ROWS.format("yes", "no", "FALSE"))
    assert found[1:] == [Unrated(3, "casual"), Unrated(4, "casual")]
    found = read("played,a,b,score,casual\n" + ROWS.format("", "x", "0"))
    assert [type(line) for line in found] == [Made, Unrated, Made]


def test_games_read_by_columns_and_row_by_row_are_the_same_ones(tmp_path: Path) -> None:
    """Of a table whose pool begins, columns are read; of one with objects, their texts."""
    cells = [
        ("2024-03-02", f"p{n % 50}", f"q{n % 49}", "1", "walkover" if n % 1000 == 999 else "cup") for n in range(7000)
    ]
    names = ("played", "a", "b", "score", "type")
    (tmp_path / "g.csv").write_text("\n".join(map(",".join, [names, *cells])))
    nested = [json.dumps(dict(zip(names, one, strict=True)) | {"more": {"x": 1}}) for one in cells]
    (tmp_path / "g.jsonl").write_text("\n".join(nested))
    for name in ("g.csv", "g.jsonl"):
        for begun in (False, True):
            with rc.open(":memory:") as engine:
                if begun:
                    engine.record(rc.GamePlayed(pool="club", played="2024-01-01", a="ann", b="bo", score=1.0))
                report = engine.import_file(tmp_path / name, pool="club")
                assert (report.accepted, len(report.unrated["forfeit"])) == (6993, 7)


@pytest.mark.parametrize(
    ("heading", "says", "reason"),
    [
        ("deleted", "1", "annulled"), ("invalid", "yes", "annulled"), ("valid", "false", "annulled"),
        ("completed", "FALSE", "no result yet"), ("confirmed", "no", "no result yet"), ("W/O", "x", "forfeit"),
        ("gespielt", "nein", "no result yet"), ("ff", "1", "forfeit"), ("forfeit by", "bo", "forfeit"),
        ("Retired player", "ann", "retired"), ("is_forfeit", "true", "forfeit"), ("isCancelled", "1", "no result yet"),
        ("matchIsFinished", "FALSE", "no result yet"),
        ("Game played", "no", "no result yet"),
    ],
)  # fmt: skip
def test_a_flag_by_which_a_game_does_not_count_is_read(read: Read, heading: str, says: str, reason: str) -> None:
    """Games that were deleted, not confirmed or not finished counted like all others."""
    other = {"1": "0", "yes": "no", "x": "", "false": "true", "FALSE": "TRUE", "no": "yes", "nein": "ja"}.get(says, "")
    text = f"played,a,b,score,{heading}\n2024-03-02,ann,bo,1,{other}\n2024-03-02,ann,bo,1,{says}\n"
    counting, not_counting = read(text)
    assert isinstance(counting, Made)
    assert not_counting == Unrated(3, reason)


@pytest.mark.parametrize(
    "word", ["In Progress", "IN_PLAY", "HT", "Live", "PAUSED", "Laufend", "TIMED", "not_started", "1H", "INT"]
)
def test_a_game_that_goes_on_has_no_result_yet(read: Read, word: str) -> None:
    """The score of the moment was recorded as the result."""
    rows = f"2024-03-02,ann,bo,1,0,{word}\n2024-03-03,ann,bo,1,0,FT\n"
    running, ended = read(f"played,a,b,points_a,points_b,Status\n{rows}")
    assert (running.reason, ended.event.score) == ("no result yet", 1.0)


def test_a_live_event_is_no_game_that_goes_on(read: Read) -> None:
    assert read("played,a,b,score,kind\n2024-03-02,ann,bo,1,Live\n")[0].event.score == 1.0


@pytest.mark.parametrize(
    "remark",
    [
        "Wertung", "gewertet", "am grünen Tisch", "Heim nicht angetreten", "Gast n. a.", "walkover", "awarded",
        "away team no show", "forfait", "sur tapis vert", "a tavolino", "no presentado", "incomparecencia",
        "falta de comparência", "walkower", "kontumace", "kontumačně", "kampflos (Gegner krank)", "kampfl.", "kl.",
        "Gegner nicht angetreten", "kampflos; entschuldigt", "Schwarz fehlt", "w.o. (flu)", "opponent did not appear",
        "absent", "adversaire absent", "forfait (malade)", "l'adversaire ne s'est pas présenté", "avversario assente",
        "rival ausente", "no compareció (enfermo)", "adversário não compareceu", "przeciwnik nieobecny",
        "walkower - choroba", "soupeř se nedostavil", "soupeř nepřítomen", "неявка (болезнь)", "соперник не явился",
        "0:1 kampflos wegen Krankheit", "Sieg durch Nichtantreten", "Spiel ging kampflos an Weiß",
    ],
)  # fmt: skip
def test_a_remark_that_a_result_was_awarded_makes_it_unrated(read: Read, remark: str) -> None:
    """Beside 3:0 such a remark was ignored, and the game was rated."""
    text = f"played,a,b,score,Bemerkung\n2024-03-02,ann,bo,3:0,{remark}\n2024-03-02,ann,cy,1:0,Heimsieg in Unterzahl\n"
    lines = [line for line in read(text) if isinstance(line, Made | Unrated)]
    assert [type(line) for line in lines] == [Unrated, Made]
    assert lines[0] == Unrated(2, "forfeit")


@pytest.mark.parametrize(
    "remark",
    ["nicht kampflos", "Formular fehlt", "no forfeit", "pas de forfait", "nie walkower", "missing score sheet"],
)
def test_a_remark_that_there_was_no_forfeit_leaves_the_game(read: Read, remark: str) -> None:
    assert read(f"played,a,b,score,Bemerkung\n2024-03-02,ann,bo,3:0,{remark}\n")[0].event.score == 1.0


@pytest.mark.parametrize("remark", ["kampflos?", "kampflos (?)", "Protest gegen kampflos", "dispute about a walkover"])
def test_a_remark_that_may_mean_a_forfeit_is_refused_with_both_readings(read: Read, remark: str) -> None:
    """It was rated as the result that it contests."""
    found = read(f"played,a,b,score,Bemerkung\n2024-03-02,ann,bo,3:0,{remark}\n2024-03-02,ann,cy,3:0,\n")
    refused, played = [line for line in found if not isinstance(line, Note)]
    assert "may mean a forfeit, or that there was none" in str(refused.reason)
    assert played.event.score == 1.0


@pytest.mark.parametrize(
    "remark",
    ["verlegt auf 12.5.", "vertagt", "reporté au 12/5", "adjourned at move 40", "rinviata al 12/5", "перенесена",
     "aplazada al 12/5", "przełożona na 12.5", "odloženo na 12.5", "adiada para 12/5"],
)  # fmt: skip
def test_a_remark_that_a_game_with_a_score_was_postponed_is_refused_with_both_readings(read: Read, remark: str) -> None:
    """It was rated without a word; without a score, it has no result yet, and a remark may say that it was played."""
    rows = f"2024-03-02,ann,bo,1-0,{remark}\n2024-03-02,ann,cy,,{remark}\n2024-03-02,ann,di,1-0,verlegt und gespielt\n"
    found = read(f"played,a,b,score,Bemerkung\n{rows}2024-03-03,ann,bo,0-1,\n2024-03-03,ann,cy,0-1,verlegt\n")
    refused, unplayed, played, _, alone = [line for line in found if not isinstance(line, Note)]
    assert "may mean that it is still to be played" in str(refused.reason)
    assert [unplayed, alone] == [Unrated(line, "no result yet") for line in (3, 6)]
    assert played.event.score == 1.0


@pytest.mark.parametrize("heading", ["Status", "Kampflos", "Sonstiges"])
def test_a_word_for_a_forfeit_may_have_an_explanation_in_any_column(read: Read, heading: str) -> None:
    text = f"played,a,b,score,{heading}\n2024-03-02,ann,bo,3:0,walkover (injury)\n2024-03-02,ann,cy,3:0,\n"
    assert Unrated(2, "forfeit") in read(text)


def test_a_rating_or_a_result_that_counts_is_no_remark(read: Read) -> None:
    text = "played,a,b,score,Wertung,Status\n2024-03-02,ann,bo,1,3,gewertet\n2024-03-02,ann,cy,0,2,gewertet\n"
    assert [type(line) for line in read(text) if isinstance(line, Made | Unrated)] == [Made, Made]
