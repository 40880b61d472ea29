"""EGF tables: rows that count, both cells of a game, byes, forfeits, and headers that say when and which class."""

from collections import Counter
from pathlib import Path

import pytest
from ratingcore_go import AGA, H9, OPENGOTHA, SGF, TOU

from ratingcore.plugin.readers import Document, Facts, Game, Refused, Seed, Unrated, Warning, Who, at, day_of
from tests.plugins.reader_laws import items, kinds, sniffed

FOLDER = Path(__file__).parents[2] / "fixtures" / "formats" / "egf-h9"
TILLEULS = (FOLDER / "tilleuls.h9").read_bytes()
LOTUS = (FOLDER / "lotus.h9").read_bytes()
CODED = (FOLDER / "T240420X.h9").read_bytes()
HEADER = "; EV[Cup]\n; CL[B]\n; DT[2024-03-02,2024-03-03]\n"


def games(content: bytes | str, **options: str) -> list[Game]:
    """The games of a table."""
    return [item for item in items(H9, content, **options) if isinstance(item, Game)]


def refusals(content: str) -> list[str]:
    """Why pairings of a table are refused."""
    return [item.reason for item in items(H9, content) if isinstance(item, Refused)]


def test_the_samples_give_their_counts() -> None:
    assert kinds(items(H9, TILLEULS)) == {"Document": 1, "Facts": 19, "absent": 4, "Game": 36}
    assert kinds(items(H9, CODED)) == {"Document": 1, "Facts": 48, "absent": 14, "Game": 113}
    assert kinds(items(H9, LOTUS)) == {
        "Document": 1, "Facts": 24, "absent": 96, "Game": 10, "no result yet": 1, "both won": 1,
    }  # fmt: skip
    stones = Counter(game.data.get("handicap", 0) for game in games(TILLEULS))
    assert stones == {0: 17, 1: 4, 2: 3, 3: 3, 4: 5, 7: 1, 8: 1, 9: 2}


def test_several_fields_of_the_header_may_stand_on_a_line() -> None:
    rows = "1 Li Wei 3d FR Pari 2+\n2 Bo Ek 2d SE Goet 1-\n"
    (game,) = games("; CL[A] EV[The [big] cup] DT[2024-03-01]\n" + rows)
    assert game.data == {"event": "The [big] cup (2024-03-01)", "event_class": "A", "round": 1, "dated": "event"}
    assert games("; EV[Cup] of spring\n; DT[2024-03-01]\n" + rows)[0].data["event"] == "Cup (2024-03-01)"


def test_every_sample_is_recognised_and_no_other_reader_claims_it() -> None:
    for content in (TILLEULS, LOTUS, CODED):
        assert sniffed(H9, content) == 95
        assert not any(sniffed(reader, content) for reader in (TOU, OPENGOTHA, AGA, SGF))
    bare = b"\n".join(line for line in TILLEULS.splitlines() if not line.startswith(b";"))
    assert sniffed(H9, bare) == 60
    assert [game.score for game in games(bare)] == [game.score for game in games(TILLEULS)]


def test_a_game_has_black_first_and_the_day_of_the_tournament() -> None:
    found = items(H9, CODED)
    assert found[0] == Document(
        ("T240420X",), "Linden Cup, Quarterfinal (2019-04-20)", day_of("2019-04-20"), day_of("2019-04-21")
    )
    first = games(CODED)[0]
    assert first == Game(
        11, ("1",), Who("egf:19633121", "Valuholm Hugo", "1"), Who("egf:10416990", "Ébilko Ines", "7"), 1.0,
        at(day_of("2019-04-20")), 1000,
        {"event": "Linden Cup, Quarterfinal (2019-04-20)", "round": 1, "dated": "event", "event_class": "A"},
    )  # fmt: skip


@pytest.mark.parametrize(("dates", "days"), [("start", [2, 2, 2]), ("end", [3, 3, 3]), ("spread", [2, 2, 3])])
def test_rounds_are_played_on_the_day_that_is_asked_for(dates: str, days: list[int]) -> None:
    table = HEADER + "1 Ann 1d NL Ams 2+/b0 2-/w0 2=/b0\n2 Bo 2k NL Ams 1-/w0 1+/b0 1=/w0\n"
    found = games(table, dates=dates)
    assert [game.played for game in found] == [at(day_of(f"2024-03-0{day}")) for day in days]
    assert [(game.a.name, game.score, game.order) for game in found] == [
        ("Ann", 1.0, 1000), ("Bo", 1.0, 2000), ("Ann", 0.5, 3000),
    ]  # fmt: skip


def test_byes_absences_and_forfeits_are_unrated() -> None:
    table = HEADER + "1 Ann 1d NL Ams 0+ 2+! 0- 2+!w0\n2 Bo 2k NL Ams 0= 1-! 0? 1-!b0\n"
    assert kinds(items(H9, table)) == {"Document": 1, "Facts": 2, "bye": 1, "absent": 3, "forfeit": 2}


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("1 Ann 1d NL Ams 2+/b0\n2 Bo 2k NL Ams 1+/b0\n", "colours"),
        ("1 Ann 1d NL Ams 2+/b3\n2 Bo 2k NL Ams 1-/w2\n", "3 and 2 stones"),
        ("1 Ann 1d NL Ams 2+/b0\n2 Bo 2k NL Ams 1=/w0\n", "1 and 0.5"),
        ("1 Ann 1d NL Ams 2+/b0\n2 Bo 2k NL Ams 0-\n", "does not have this game"),
        ("1 Ann 1d NL Ams 1+/b0\n", "themselves"),
        ("1 Ann 1d NL Ams 9999+/b0\n", "no player in the file"),
        ("1 Ann 1d NL Ams 2+/b0 2+\n2 Bo 2k NL Ams 1-/w0\n", "results where other rows"),
    ],
)
def test_what_does_not_fit_is_refused(rows: str, why: str) -> None:
    assert any(why in reason for reason in refusals(HEADER + rows))


def test_a_broken_row_still_counts_so_that_nobody_gets_the_games_of_another() -> None:
    table = HEADER + "1 Ann 1d NL Ams 3+/b0\nsomething else\n3 Cy 2k NL Ams 1-/w0\n"
    (game,) = games(table)
    assert (game.a.name, game.b.name) == ("Ann", "Cy")
    assert len(refusals(table)) == 1


def test_half_points_before_the_cells_are_no_cells() -> None:
    table = HEADER + "1 Ann 1d NL Ams 38? 2+/b0\n2 Bo 2k NL Ams 38 1-/w0\n3 Cy 3k NL Ams 37 0-\n"
    assert [game.a.name for game in games(table)] == ["Ann"]
    assert refusals(table) == []


def test_a_row_without_a_grade_has_a_player_whom_nobody_knows() -> None:
    found = items(H9, HEADER + "1 Ann 2+\n2 Bo 2k NL Ams 1-\n")
    (game,) = (item for item in found if isinstance(item, Game))
    assert game.a == Who(None, "", "1")
    assert any(isinstance(item, Warning) for item in found)


@pytest.mark.parametrize(
    ("header", "event_class", "warnings"),
    [
        ("; CL[b]\n; TM[60]", "B", 0), ("; CL[D]\n; TM[29.5]", None, 1), ("; CL[E]", None, 1), ("; ev[x]", None, 0),
    ],
)  # fmt: skip
def test_the_class_is_a_fact_unless_the_games_were_too_fast(
    header: str, event_class: str | None, warnings: int
) -> None:
    found = items(H9, f"{header}\n; DT[2024-03-02]\n1 Ann 1d NL Ams 2+\n2 Bo 2k NL Ams 1-\n")
    assert [item.data.get("event_class") for item in found if isinstance(item, Game)] == [event_class]
    assert sum(isinstance(item, Warning) for item in found) == warnings


@pytest.mark.parametrize("day", ["2024-02-30", "1024-01-01", "soon"])
def test_a_day_that_is_none_is_a_warning_and_no_day(day: str) -> None:
    found = items(H9, f"; EV[x]\n; DT[{day}]\n1 Ann 1d NL Ams 2+\n2 Bo 2k NL Ams 1-\n")
    assert any(isinstance(item, Warning) and day in item.text for item in found)
    (game,) = (item for item in found if isinstance(item, Game))
    assert (game.played, "dated" in game.data) == (None, False)


def test_facts_and_grades() -> None:
    found = items(
        H9, HEADER + "1 Ann 1d NL Ams 0+ |12345678\n2 Bo 20k XX xxxx 0- |0\n3 Cy 3k DE 36 128 0-\n", grade="seed"
    )
    assert [item for item in found if isinstance(item, Facts)] == [
        Facts(4, Who("egf:12345678", "Ann", "1"), {"called": "Ann", "grade": "1d", "federation": "NL", "club": "Ams"},
              at(day_of("2024-03-02"))),
        Facts(5, Who(None, "Bo", "2"), {"grade": "20k"}, at(day_of("2024-03-02"))),
        Facts(6, Who(None, "Cy", "3"), {"grade": "3k", "federation": "DE"}, at(day_of("2024-03-02"))),
    ]  # fmt: skip
    assert [item.values for item in found if isinstance(item, Seed)] == [
        {"rating": 2100.0},
        {"rating": 100.0},
        {"rating": 1800.0},
    ]


def test_lines_may_end_in_any_way_and_everything_after_a_semicolon_is_a_comment() -> None:
    table = HEADER + "\n;.\n1 Ann 1d NL Ams 2+/b0 ; a comment\n\n2 Bo 2k NL Ams 1-/w0\n"
    for end in ("\n", "\r\n", "\r"):
        assert kinds(items(H9, table.replace("\n", end)))["Game"] == 1
        assert sniffed(H9, table.replace("\n", end)) == 95


def test_unrated_pairings_stand_where_they_are() -> None:
    assert [item.line for item in items(H9, LOTUS) if isinstance(item, Unrated) and item.reason == "both won"] == [20]
