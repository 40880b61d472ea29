"""TRF: rows by their columns, games told by both sides, days, teams and federations."""

from datetime import date

import pytest
from ratingcore_chess.trf_records import Records, row_of

from ratingcore.errors import BadFile
from ratingcore.events import instant
from ratingcore.readers import DayInDoubt, Document, Facts, Refused, Source, Warning, Who
from tests.plugins.chess_files import (
    FORMATS,
    LONG,
    READERS,
    counts,
    games,
    of,
    pairings,
    refusals,
    said,
    seeds,
    sure,
)

FILES = sorted((FORMATS / "trf").glob("*.trf"))
HEAD = "012 Cup\n042 2024/03/01\n052 2024/03/03\n"


def row(rank: int | str, *cells: str, who: str = "", points: str = "") -> str:
    """A player's line with cells such as `   2 w 1`."""
    return (f"001 {rank:>4}      {who or f'Player {rank}':66}{points:>4}       " + "  ".join(cells)).rstrip() + "\n"


def trf(*rows: str, head: str = HEAD) -> bytes:
    return (head + "".join(rows)).encode()


def warnings(content: bytes) -> list[str]:
    return [item.text for item in said("trf", content) if isinstance(item, Warning)]


# files


@pytest.mark.parametrize(
    ("file", "found", "players", "last"),
    [
        ("cr_only_lines", {"game": 904, "forfeit": 86}, 180, 11),
        ("open_284", {"game": 970, "forfeit": 11, "absent": 6}, 284, 7),
        ("swiss_of_a_server", {"game": 56, "bye": 6, "absent": 12}, 13, 10),
        ("loose_title_column", {"game": 4, "bye": 2}, 5, 2),
        ("dutch_2025_c9", {"game": 2, "absent": 1}, 5, 1),
        ("teams_249", {"game": 1030, "forfeit": 98, "absent": 1328}, 249, 14),
    ],
)
def test_pairings_of_files(file: str, found: dict[str, int], players: int, last: int) -> None:
    items = of("trf", f"trf/{file}.trf")
    assert pairings(items) == found
    assert {game.data["round"] for game in games(items)} == set(range(1, last + 1))
    numbers = {who.number for game in games(items) for who in (game.a, game.b)}
    assert len(numbers) <= players
    assert max(map(int, numbers)) <= players


def test_a_file_without_days_leaves_them_to_the_user() -> None:
    assert {game.played for game in games(of("trf", "trf/cr_only_lines.trf"))} == {None}
    (document, *_) = of("trf", "trf/cr_only_lines.trf")
    assert document == Document(("AutoTest Tournament 716150162",), "AutoTest Tournament 716150162")


def test_an_open_has_ids_years_and_its_first_day() -> None:
    items = of("trf", "trf/open_284.trf")
    assert {(game.played, game.data["dated"]) for game in games(items)} == {(instant("2005-07-28"), "event")}
    facts = [item for item in items if isinstance(item, Facts)]
    assert sum(item.who.id is not None for item in facts) == 146
    assert sum("born" in item.data for item in facts) == 283
    assert len(seeds(items)) == 146
    assert {item.data.get("title") for item in facts} == {"GM", "IM", "FM", None}
    last = games(of("trf", "trf/open_284.trf", dates="spread"))[6]
    assert (last.data["round"], last.played) == (7, instant("2005-07-31"))
    assert games(of("trf", "trf/open_284.trf", dates="end"))[0].played == instant("2005-07-31")


def test_a_swiss_of_a_server_is_known_by_its_id() -> None:
    items = of("trf", "trf/swiss_of_a_server.trf")
    assert items[0] == Document(("lichess", "abcdEFGH"), "May Open (2020-05-29)", date(2020, 5, 29), date(2020, 5, 29))
    assert {game.data["event_url"] for game in games(items)} == {"https://lichess.org/swiss/abcdEFGH"}


def test_titles_stand_in_any_alignment_and_rounds_have_days() -> None:
    items = of("trf", "trf/loose_title_column.trf")
    facts = {item.who.name: item.data for item in items if isinstance(item, Facts)}
    assert [facts[name].get("title") for name in facts] == ["GM", "IM", None, "WGM", None]
    assert facts["Kasparov, Garry"] == {
        "born": 1963, "title": "GM", "sex": "m", "federation": "RUS", "called": "Kasparov, Garry",
    }  # fmt: skip
    assert {(game.data["round"], game.played) for game in games(items)} == {
        (1, instant("2025-01-15")), (2, instant("2025-01-16")),
    }  # fmt: skip


def test_teams_have_boards_days_and_a_speed() -> None:
    items = of("trf", "trf/teams_249.trf")
    assert {game.played for game in games(items)} == {instant(f"2024-01-{day:02}") for day in range(1, 15)}
    assert {game.tables["speed"] for game in games(items)} == {"standard"}
    assert len({game.data["team_a"] for game in games(items)} | {game.data["team_b"] for game in games(items)}) == 50
    first = [game for game in games(items) if game.data["round"] == 1]
    assert {game.data["board"] for game in first} == {1}
    assert all("match" in game.data for game in first)
    assert [item.text for item in items if isinstance(item, Warning)] == [
        "15 lines are not records of the format: '         1'"
    ]
    assert [item.data for item in items if isinstance(item, Facts) and "national_id" in item.data] == [
        {"national_id": "L01854"}
    ]
    assert len(seeds(items)) == 249
    assert [seed.values for seed in seeds(of("trf", "trf/teams_249.trf", ratings="national"))] == [{"rating": 2700.0}]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_recognised(path: object) -> None:
    assert sure("trf", path.read_bytes()) == 95  # type: ignore[attr-defined]  # a Path


# cells


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("   2 w 1", "   1 b 0", {"game": 1}),
        ("   2 w =", "0001 B =", {"game": 1}),
        ("   2 w 0", "   1 b 0", {"both lost": 1}),
        ("   2 w 1", "   1 b 1", {"both won": 1}),
        ("   2 w +", "   1 b -", {"forfeit": 1}),
        ("   2 - -", "   1 - -", {"forfeit": 1}),
        ("   2 w W", "   1 b l", {"under one move": 1}),
        ("   2 w *", "   1 b *", {"no result yet": 1}),
        ("   2 w h", "0000 - u", {"bye": 2}),
        ("0000 - F", "     - Z", {"bye": 1, "absent": 1}),
        ("0000 - +", "0000 - -", {"forfeit": 1, "absent": 1}),
        ("0000 - =", "0000 w =", {"bye": 2}),
        ("0000 - 1", "0000 - Z", {"refused": 1, "absent": 1}),
        ("0000 - W", "0000 - *", {"refused": 1, "absent": 1}),
        ("   2 w J", "   1 b 0", {"refused": 1}),
        ("   2 w J", "   1 b K", {"refused": 1}),
        ("0000 - J", "", {"refused": 1}),
        ("   2 w 1", "   1 b =", {"refused": 1}),
        ("   2 w 1", "   1 w 0", {"refused": 1}),
        ("   2 w 1", "", {"refused": 1}),
        ("   2 w 1", "0000 - Z", {"refused": 1, "absent": 1}),
        ("   1 w 1", "", {"refused": 1}),
        ("9999 w 1", "", {"refused": 1}),
        ("   2 w +", "   1 b 0", {"refused": 1}),
    ],
)
def test_cells(one: str, other: str, found: dict[str, int]) -> None:
    assert pairings(said("trf", trf(row(1, one), row(2, other)))) == found


def test_a_game_is_told_from_the_side_of_white() -> None:
    (game,) = games(said("trf", trf(row(7, "   9 b 1"), row(9, "   7 w 0"))))
    assert (game.a, game.b, game.score) == (Who(None, "Player 9", "9"), Who(None, "Player 7", "7"), 0.0)
    assert (game.key, game.order, game.line) == (("1",), 1000, 4)
    assert game.data["home"] == "a"
    (blind,) = games(said("trf", trf(row(7, "   9 - 1"), row(9, "   7 - 0"))))
    assert "home" not in blind.data


def test_sides_that_disagree_are_refused_once_at_the_earlier_row() -> None:
    items = said("trf", trf(row(12, "  40 w 1"), row(40, "  12 b =")))
    assert [(item.line, item.reason) for item in items if isinstance(item, Refused)] == [
        (4, "round 1: 12 - 40: the two rows have results that do not match: '1 and 0.5'")
    ]


def test_blanks_are_absence_up_to_the_last_block_of_the_player() -> None:
    blank = " " * 8
    rows = row(1, blank, "   2 w 1", blank), row(2, blank, "   1 b 0", "   3 w 1"), row(3, blank, blank, "   2 b 0")
    assert pairings(said("trf", trf(*rows))) == {"game": 2, "absent": 4}


@pytest.mark.parametrize(
    "line",
    [
        row("x", "   2 w 1"),
        row(0, "   2 w 1"),
        row(2, "   1 b 0"),
        row(3, "  2  w 1"),
        row(3, "   2 w 11"),
        row(3, "   2 x 1"),
        row(3, "  -2 w 1"),
        row(3, "  \u00b2 w 1"),
        "001\n",
        "001 " + "x" * 300 + "\n",
    ],
)
def test_a_row_out_of_its_columns_or_with_a_wrong_rank_is_refused_alone(line: str) -> None:
    items = said("trf", trf(row(1, "   2 w 1"), row(2, "   1 b 0"), line))
    assert counts(items)["game"] == 1
    assert [item.line for item in items if isinstance(item, Refused)] == [6]


def test_fields_stand_in_their_columns() -> None:
    text = "001    1 wwm  " + f"{'Doe, Jo':33} 2105 FRA {'3400042':>11} {'1969/00/00':10} {'1.5':>4} {'3':>4}  0002 b ="
    row = row_of(1, text, {})
    assert row.who == Who("fide:3400042", "Doe, Jo", "1")
    assert row.facts == {"born": 1969, "title": "WIM", "sex": "f", "federation": "FRA"}
    assert (row.rating, row.points) == (2105, "1.5")
    assert [(opponent, *code) for opponent, code in row.rounds] == [(2, "b", "=")]


@pytest.mark.parametrize("number", ["0", "-1", "000", "x12", ""])
def test_ids_that_are_none(number: str) -> None:
    assert row_of(1, f"001    1      {'Jo':33}          {number:>11}", {}).who.id is None


def test_columns_may_be_counted_in_bytes() -> None:
    """A name with letters of two bytes, padded to 33 bytes: what follows stands further left by as many letters."""
    name = "Müller, Élodie"
    padded = name + " " * (33 - len(name.encode()))
    short = f"001    1      {padded} 2105 FRA {3400042:>11} 1969/00/00  1.0    1     2 w 1\n"
    items = said("trf", trf(short, row(2, "   1 b 0")))
    (game,) = games(items)
    assert (game.a, game.score) == (Who("fide:3400042", name, "1"), 1.0)
    assert [one.values for one in seeds(items)] == [{"rating": 2105.0}]


# records


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("132 2024/03/01 2024/03/02\n132 24/03/03\n", {1: 1, 2: 2, 3: 3}),
        ("132".ljust(91) + "24/03/01            24/03/03\n", {1: 1, 3: 3}),
        ("132 01.03.2024 2. 3. 2024\n", {1: 1, 2: 2}),
        ("132\n", {}),
    ],
)
def test_days_of_rounds(text: str, days: dict[int, int]) -> None:
    records = Records(list(enumerate(text.splitlines(), 1)), "refuse")
    assert records.days() == {turn: date(2024, 3, day) for turn, day in days.items()}


@pytest.mark.parametrize(
    ("start", "end", "rounds", "days"),
    [
        ("21/07/2025", "27/07/2025", "", (21, 27)),
        ("07/21/2025", "07/27/2025", "", (21, 27)),
        ("21.07.2025", "27.07.2025", "21.07.2025 27.07.2025", (21, 27, 21, 27)),
        ("05/07/2025", "15/07/2025", "05/07/25 06/07/25", (5, 15, 5, 6)),  # one day says how all are written
        ("25/07/21", "25/07/27", "25/07/21", (21, 27, 21)),
        ("21/07/25", "27/07/25", "21/07/25 27/07/25", (21, 27, 21, 27)),
        ("21/07/2025", "27/07/2025", "25/07/21 25/07/27", (21, 27, 21, 27)),  # rounds as FIDE has them
        ("2025/07/21", "2025/07/27", "21/07/25 27/07/25", (21, 27, 21, 27)),
        ("2025/07/05", "2025/07/07", "05/07/25 06/07/25 07/07/25", (5, 7, 5, 6, 7)),
    ],
)
def test_days_are_read_in_the_order_in_which_all_of_a_file_make_sense(
    start: str, end: str, rounds: str, days: tuple[int, ...]
) -> None:
    """`132 21/07/25` was read as 25 July 2021, and days of tournaments that begin with the day not at all."""
    records = Records([(1, f"042 {start}"), (2, f"052 {end}"), (3, f"132 {rounds}")], "refuse")
    read = (records.span.start, records.span.end, *records.days().values())
    assert (read, records.remarks) == (tuple(date(2025, 7, day) for day in days), [])


@pytest.mark.parametrize(
    ("start", "end", "form", "days"),
    [
        ("05/09/2024", "06/09/2024", "%d/%m/%Y", (date(2024, 9, 5), date(2024, 9, 6))),
        ("05/09/2024", "06/09/2024", "%m/%d/%Y", (date(2024, 5, 9), date(2024, 6, 9))),
        ("05/09/24", "06/09/24", "%d/%m/%y", (date(2024, 9, 5), date(2024, 9, 6))),
    ],
)
def test_days_that_may_be_others_are_not_read_without_their_format(
    start: str, end: str, form: str, days: tuple[date, date]
) -> None:
    lines = [(1, f"042 {start}"), (2, f"052 {end}"), (3, f"132 {start[:6]}24 {end[:6]}24")]
    unread = Records(lines, "refuse")
    assert (unread.span.start, unread.days()) == (None, {})
    assert all(f"dates, {form}" in one.text or f"or {form}" in one.text for one in unread.remarks[:2])
    wrong = Records([(1, "042 05/09/2024"), (3, "132 05/09/24 21/09/24")], "refuse", "%m/%d/%Y")
    assert (wrong.span.start, wrong.days()) == (None, {})  # a format that does not fit all days is not trusted with any
    other = Records([(1, "042 2024/09/05"), (2, "052 2024/09/06"), (3, "132 24/09/05 24/09/06")], "refuse", form)
    assert [*other.days().values()] == [
        date(2024, 9, 5),
        date(2024, 9, 6),
    ]  # the format is meant for others of a folder
    read = Records(lines, "refuse", form)
    assert (read.span.start, read.span.end, *read.days().values(), read.remarks) == (*days, *days, [])


@pytest.mark.parametrize(
    ("born", "year"),
    [
        ("21/07/1995", 1995), ("21.07.1995", 1995), ("1995/07/21", 1995), ("19950721", 1995), ("95/07/21", 1995),
        ("21/07/95", 1995), ("1995", 1995), ("05/06/07", None), ("20071995", None), ("", None),
    ],
)  # fmt: skip
def test_a_year_of_birth_is_read_wherever_it_can_be_no_other_number(born: str, year: int | None) -> None:
    text = f"001    1      {'Doe, Jo':33} 2105 FRA {'3400042':>11} {born:10} {'1.5':>4} {'3':>4}  0002 b ="
    assert row_of(1, text, {}).facts.get("born") == year


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        ("40/6000+30:900+30", "standard"),
        ("600", "blitz"),
        ("540+1", "blitz"),
        ("900+10", "rapid"),
        ("3540+1", "standard"),
        ("90 min", ""),
        ("", ""),
    ],
)
def test_speeds(text: str, speed: str) -> None:
    assert Records([(1, f"222 {text}")], "refuse").speed() == speed


def test_days_that_are_none_are_remarked_on() -> None:
    for day in ("2024/02/30", "1024/01/01", "soon", "2024"):
        content = trf(row(1, "   2 w 1"), row(2, "   1 b 0"), head=f"012 Cup\n042 {day}\n")
        assert len(warnings(content)) == 1
        assert games(said("trf", content))[0].played is None
    (game,) = games(said("trf", content, partial="first"))
    assert (game.played, game.data["dated"]) == (instant("2024-01-01"), "year")


def test_days_in_doubt_have_their_formats() -> None:
    """They were told in words alone, so that neither the command line nor the desk could say what mends them."""
    content = trf(row(1, "   2 w 1"), row(2, "   1 b 0"), head="012 Cup\n042 05/09/2024\n052 06/09/2024\n")
    forms = ("%d/%m/%Y", "%m/%d/%Y")
    found = [one for one in said("trf", content) if isinstance(one, DayInDoubt)]
    assert [(one.line, one.value, one.forms) for one in found] == [(2, "05/09/2024", forms), (3, "06/09/2024", forms)]
    assert not [one for one in said("trf", content, date_format=forms[0]) if isinstance(one, DayInDoubt)]


def test_counts_and_points_that_differ_are_remarked_on() -> None:
    content = trf(row(1, "   2 w 1", points="0.5"), row(2, "   1 b 0", points="0,0"), head=HEAD + "062 3\n")
    assert warnings(content) == [
        "record 062 gives 3 players, but the file has 2",
        "a player has points that the rounds do not give, first 1: 0.5, not 1",
    ]
    assert warnings(trf(row(1, points="9.0"), head=HEAD + "162 W 3.0\n")) == []


def test_half_a_point_for_a_bye_of_the_old_kind_is_counted() -> None:
    ann, bo = row(1, "0000 - =", "   2 w 1", points="1.5"), row(2, "     - Z", "   1 b 0", points="0.0")
    assert warnings(trf(ann, bo)) == []


def test_titles_that_are_none_of_fide_are_remarked_on_with_their_lines() -> None:
    titles = enumerate(("GM", "NM", "", "ZM", "NM"), 1)
    rows = [f"001 {rank:>4} m{title:>3} Player {rank}\n" for rank, title in titles]
    assert warnings(trf(*rows)) == ["titles that are not FIDE's are left out: NM (line 5, 8), ZM (line 7)"]


def test_keys_of_documents() -> None:
    def key(head: str) -> tuple[str, ...]:
        (document, *_) = said("trf", trf(row(1), head=head))
        assert isinstance(document, Document)
        return document.key

    assert key(HEAD) == ("Cup", "", "2024/03/01")
    assert key("012 Cup\n") == ("Cup",)
    assert key("") == ("file", "file")


def test_boards_and_teams() -> None:
    head = (
        HEAD
        + f"013 {'Home':32}   1    2\n013 {'Away':32}   3    4\n300   1   2   1    1    2\n300   1   1   2    3    4\n"
    )
    rows = row(1, "   3 w 1"), row(2, "   4 b 1"), row(3, "   1 b 0"), row(4, "   2 w 0")
    one, two = games(said("trf", trf(*rows, head=head)))
    assert {name: one.data[name] for name in ("team_a", "team_b", "board", "match")} == {
        "team_a": "Home", "team_b": "Away", "board": 1, "match": "1.1.2",
    }  # fmt: skip
    assert (two.data["team_a"], two.data["board"]) == ("Away", 2)


# bad input


def test_a_file_that_is_none_is_refused() -> None:
    for content in (b"", b"x", b"\n\n", b"PK\x03\x04"):
        with pytest.raises(BadFile):
            said("trf", content)


def test_many_players_and_rounds_and_long_lines_do_no_harm() -> None:
    many = trf(
        *(row(rank, f"{rank + (1 if rank % 2 else -1):4} {'w' if rank % 2 else 'b'} =") for rank in range(1, 10_000))
    )
    assert len(games(said("trf", many))) == 4_999
    wide = trf(row(1, *["   2 w 1"] * 999), row(2, *["   1 b 0"] * 999), row(3, who="n" * 10_000))
    assert len(games(said("trf", wide))) == 999
    source = Source.of_bytes("f", trf(row(1, "   2 w 1"), "001" + "x" * LONG + "\n", row(2, "   1 b 0")))
    assert counts(list(READERS["trf"].read(source, READERS["trf"].configured({}))))["game"] == 1
    assert source.too_long == [5]


def test_refusals_show_the_line() -> None:
    items = said("trf", trf(row(1, "9999 w 1", who="Ann")))
    assert refusals(items) == ["round 1, player 1: no player in the file has the opponent's number: '9999'"]
    assert [item.text[:20].split()[-1] for item in items if isinstance(item, Refused)] == ["Ann"]
