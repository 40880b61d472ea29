"""Results out of files: fields, refusals, and that no row is lost."""

import pytest
from attrs import evolve

from ratingcore.errors import BadFile, BadMapping, ColumnNotFound
from ratingcore.events import NO_ID, GamePlayed, iso
from ratingcore.importer.tables import FieldMap, read_results
from ratingcore.importer.tables.fieldmap import Constant, FromColumn
from ratingcore.readers import Refused, Unrated

from .conftest import HEADER, Read, Write

POINTS = "a,b,played,points_a,points_b\n"


def test_columns_of_the_known_names_need_no_mapping(read: Read) -> None:
    (line,) = read(
        "event,a,b,score,played,order,round,season,unit,boards,importance,handicap,home,note\n"
        "Open,ann,bo,1-0,2024-03-02T10:00,3,5,2024,imp,24,1.5,2,b,seen\n"
    )
    game = line.event
    assert (game.pool, game.a, game.b, game.score, game.order) == ("club", "ann", "bo", 1.0, 3)
    assert iso(game.played) == "2024-03-02T10:00:00Z"
    assert dict(game.data) == {
        "boards": 24, "event": "Open", "handicap": 2, "home": "b", "importance": 1.5,
        "round": 5, "season": 2024, "unit": "imp",
    }  # fmt: skip


def test_any_other_field_of_data_is_taken_when_it_is_mapped(read: Read) -> None:
    (line,) = read("a,b,score,played,city,note\nann,bo,1,2024-03-02,Leeds,seen", "place=city")
    assert dict(line.event.data) == {"place": "Leeds"}


def test_the_first_side_is_at_home_where_only_neutral_ground_is_said(read: Read) -> None:
    table = "a,b,score,played,ground\nann,bo,1,2024-03-02,FALSE\nann,bo,1,2024-03-03,TRUE\nann,bo,1,2024-03-04,\n"
    said = [dict(line.event.data) for line in read(table, "neutral=ground")]
    assert said == [{"home": "a", "neutral": "FALSE"}, {"neutral": "TRUE"}, {}]
    assert next(dict(line.event.data) for line in read(table, "neutral=ground,home=")) == {"neutral": "FALSE"}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("ann,ann,1,2024-03-02", "a player cannot meet themselves: ann"),
        ("ann, ,1,2024-03-02", "b must be a name: ''"),
        (",bo,1,2024-03-02", "a must be a name: ''"),
        ('"a\nnn",bo,1,2024-03-02', "a holds a control character: 'a\\nnn'"),
        ("ann,bo,1.5,2024-03-02", "score must be a score word or a number from 0 to 1: '1.5'"),
        ("ann,bo,NaN,2024-03-02", "score must be a score word or a number from 0 to 1: 'NaN'"),
        ("ann,bo,1,0000-00-00", "played must be an ISO date or time between years 1 and 9999: '0000-00-00'"),
        ("ann,bo,1,2001.??.??", "played is known in part only: '2001.??.??'"),
    ],
)
def test_an_impossible_game_is_refused_with_line_and_reason(read: Read, row: str, reason: str) -> None:
    good = "cy,di,0,2024-03-02\n"
    first, refused, last = read(f"{HEADER}{good}{row}\n{good}")
    assert isinstance(first.event, GamePlayed)
    assert refused == Refused(3, reason, row)
    assert isinstance(last.event, GamePlayed)


def test_names_are_unicode_in_one_spelling_without_blanks_around(read: Read) -> None:
    (line,) = read(HEADER + " A\u030asa , 刘慧 ,½,2024-03-02")
    assert (line.event.a, line.event.b) == ("Åsa", "刘慧")


@pytest.mark.parametrize(
    ("points", "score"), [("3,1", 1.0), ("2,2", 0.5), ("0,4", 0.0), ("10,9", 1.0), ("-2,1.5", 0.0)]
)
def test_the_score_follows_from_the_points(read: Read, points: str, score: float) -> None:
    (line,) = read(f"{POINTS}ann,bo,2024-03-02,{points}")
    assert line.event.score == score
    assert ",".join(map(str, (line.event.data["points_a"], line.event.data["points_b"]))) == points


def test_points_may_have_a_decimal_comma(read: Read) -> None:
    (line,) = read(POINTS.replace(",", ";") + "ann;bo;2024-03-02;1,5;2,5", FieldMap(decimal=","))
    assert dict(line.event.data) == {"points_a": 1.5, "points_b": 2.5}


@pytest.mark.parametrize("points", [",", "3,", ",0"])
def test_a_game_without_points_has_no_result_yet(read: Read, points: str) -> None:
    (line,) = read(f"{POINTS}ann,bo,2024-03-02,{points}")
    assert line.reason == "no result yet"


@pytest.mark.parametrize("points", ["NaN", "inf", "three", "1e999"])
def test_points_that_are_no_number_are_refused(read: Read, points: str) -> None:
    (line,) = read(f"{POINTS}ann,bo,2024-03-02,{points},1")
    assert line.reason == f"points_a must be a finite number: {points!r}"


def test_mapped_points_come_before_a_column_that_happens_to_be_named_score(read: Read) -> None:
    text = "a,b,played,score,home goals,away goals\nann,bo,2024-03-02,3-1,3,1"
    (line,) = read(text, "points_a=home goals,points_b=away goals")
    assert line.event.score == 1.0


def test_a_score_stands_over_points_and_keeps_them(read: Read) -> None:
    (line,) = read("a,b,played,score,points_a,points_b\nann,bo,2024-03-02,0.75,2,2")
    assert (line.event.score, dict(line.event.data)) == (0.75, {"points_a": 2, "points_b": 2})


def test_a_file_without_score_and_points_lacks_a_score(read: Read) -> None:
    with pytest.raises(ColumnNotFound, match="no column 'score' for score"):
        read("a,b,played,points_a\n")


def test_the_pool_is_the_rows_own_or_the_one_given_or_the_mappings(write: Write) -> None:
    path = write("a,b,score,played,league\nann,bo,1,2024-03-02,blitz\nann,bo,1,2024-03-02,\n")
    mapped = FieldMap.parse("pool=league")
    assert [line.event.pool for line in read_results(path, pool="rapid", fields=mapped)] == [
        "blitz",
        "rapid",
    ]
    assert [line.event.pool for line in read_results(path, fields=FieldMap(pool="slow"))] == ["slow"] * 2
    assert isinstance([*read_results(path, fields=mapped)][1], Refused)
    with pytest.raises(BadMapping, match="no pool is named"):
        read_results(path)


def test_a_constant_stands_in_every_row_and_not_in_a_refused_text(read: Read) -> None:
    mapping = FieldMap({"season": Constant("2024"), "played": Constant("2024-03-02")})
    good, bad = read("a,b,score\nann,bo,1\nann,bo,9\n", mapping)
    assert (dict(good.event.data), iso(good.event.played)) == ({"season": 2024}, "2024-03-02")
    assert bad.text == "ann,bo,9"


def test_a_field_that_a_game_does_not_have_is_a_bad_mapping(read: Read) -> None:
    with pytest.raises(BadMapping, match="a game has no field player"):
        read(HEADER, "player=a")


def test_mistakes_in_mapping_and_file_are_raised_before_the_first_line(write: Write) -> None:
    with pytest.raises(BadFile):
        read_results(write(""), pool="club")
    with pytest.raises(ColumnNotFound):
        read_results(write(HEADER), pool="club", fields=FieldMap.parse("a=white"))


def test_lines_come_lazily(write: Write) -> None:
    path = write(HEADER + "ann,bo,1,2024-03-02\n" * 20_000 + '"\n\n')
    lines = read_results(path, pool="club")
    assert next(lines).line == 2
    with pytest.raises(BadFile, match="line 20002"):
        list(lines)


def test_points_that_a_field_cannot_mean_are_refused_with_their_value(read: Read) -> None:
    """They were recorded, and methods by margins counted with them; below 0 is right where points are won and lost."""
    heading = "a,b,played,points_a,points_b,importance\n"
    good, lost, huge, weight = read(
        heading + "ann,bo,2024-03-02,3,1,20\nann,bo,2024-03-03,-3,1,20\nann,bo,2024-03-04,3e10,1,20\n"
        "ann,bo,2024-03-05,3,1,-20\n"
    )  # fmt: skip
    assert (good.event.score, lost.event.data["points_a"]) == (1.0, -3)
    assert (huge.line, huge.reason) == (4, "points_a is more than a billion points: 30000000000.0")
    assert (weight.line, weight.reason) == (5, "importance must not be negative: -20")


SPENT = {
    "home,away,score,played": ("ann,bo,1-0,2024-03-02", "a=home,b=away"),
    "id,b,score,played": ("ann,bo,1-0,2024-03-02", "a=id"),
    "uid,event,score,played": ("ann,bo,1-0,2024-03-02", "a=uid,b=event"),
    "round,season,score,played": ("ann,bo,1-0,2024-03-02", "a=round,b=season"),
    "order,boards,score,played": ("ann,bo,1-0,2024-03-02", "a=order,b=boards"),
    "a,b,unit,played": ("ann,bo,1-0,2024-03-02", "score=unit"),
    "b,a,score,played": ("ann,bo,1-0,2024-03-02", "a=b,b=a"),
    "pool,importance,score,played": ("ann,bo,1-0,2024-03-02", "a=pool,b=importance"),
}
"""Tables a column of which is called like another field than the one that it is mapped to."""


@pytest.mark.parametrize("header", SPENT)
def test_a_column_that_is_mapped_is_not_read_again_for_the_field_of_its_name(read: Read, header: str) -> None:
    """Teams in a column home refused every row, and players in a column id were uids."""
    row, mapping = SPENT[header]
    (line,) = read(f"{header}\n{row}\n", mapping)
    assert line.event == GamePlayed(uid=NO_ID, pool="club", played="2024-03-02", a="ann", b="bo", score=1.0)


def test_a_column_may_be_mapped_twice_give_the_order_or_be_translated_into_a_fact(read: Read) -> None:
    text = "a,b,score,played,round,event\nann,bo,1-0,2024-03-02,3,Open\n"
    (line,) = read(text, "season=round,round=round")
    assert dict(line.event.data) == {"season": 3, "round": 3, "event": "Open"}
    (line,) = read(text, "order=round")
    assert (line.event.order, dict(line.event.data)) == (3, {"round": 3, "event": "Open"})
    (line,) = read(text, FieldMap({"importance": FromColumn("event", {"Open": "20"})}))
    assert dict(line.event.data) == {"importance": 20, "round": 3, "event": "Open"}


@pytest.mark.parametrize(("fields", "side"), [("a=Home,b=Away,home=Home", "a"), ("a=Away,b=Home,home=Home", "b")])
def test_the_column_of_a_side_says_who_is_at_home(write: Write, fields: str, side: str) -> None:
    """The note asked to map the field home, and a column of teams was refused."""
    path = write("Home,Away,played,score\nAlder,Birch,2024-03-02,1-0\n")
    (line,) = read_results(path, pool="club", fields=FieldMap.parse(fields))
    assert line.event.data == {"home": side}  # type: ignore[union-attr]  # a game


@pytest.mark.parametrize(
    "total", ["Summe;;;;;11;", ";;;Total:;;4.5;", "Celkem;11", ";;Итого;;;3;", "合計;;;;;2;;", "Gesamt:;;;;;;"]
)
def test_a_line_of_totals_is_no_game(read: Read, total: str) -> None:
    """It was refused each month, so that --reissue never voided what was missing."""
    header = "Runde;Datum;Uhrzeit;Weiß;Schwarz;Ergebnis;Bemerkung\n"
    rows = "1;2024-03-02;;ann;bo;1;\n1;2024-03-02;;cy;di;0;\n2;2024-03-09;;ann;cy;1;\n"
    *games, last = read(f"{header}{rows}{total}\n", "a=Weiß,b=Schwarz,score=Ergebnis,played=Datum,round=Runde")
    assert [game.event.score for game in games] == [1.0, 0.0, 1.0]
    assert last in (Unrated(5, "not a game"), Unrated(5, "no result yet"))


def test_a_player_may_be_called_like_a_total(read: Read) -> None:
    rows = "a,b,score,played\nSuma,Total,1,2024-03-02\nTotal,bo,7,2024-03-02\nSoma,,1,2024-03-02\n"
    game, refused, total = read(rows)
    assert (game.event.a, game.event.b) == ("Suma", "Total")
    assert (refused.line, refused.reason) == (3, "score must be a score word or a number from 0 to 1: '7'")
    assert total == Unrated(4, "not a game")


@pytest.mark.parametrize("rows", [
    "Datum;Uhrzeit;a;b;score\n3.5.2026;20:30;ann;bo;1\n3.5.2026;10.30 Uhr;bo;cy;1\n"
    "3.5.2026;;cy;di;1\n3.5.2026;25:00;cy;di;1\n",
    '{"Datum": "3.5.2026", "Uhrzeit": "8:30 PM", "a": "ann", "b": "bo", "score": "1"}\n'
    '{"Datum": "3.5.2026", "Uhrzeit": "10h30", "a": "bo", "b": "cy", "score": "1"}\n'
    '{"Datum": "3.5.2026", "Uhrzeit": "", "a": "cy", "b": "di", "score": "1"}\n'
    '{"Datum": "3.5.2026", "Uhrzeit": "soon", "a": "cy", "b": "di", "score": "1"}\n',
])  # fmt: skip
def test_a_time_of_day_may_have_a_column_of_its_own(read: Read, rows: str) -> None:
    """It was taken as a fact of the result, and the order of the day was that of the file."""
    mapping = evolve(FieldMap.parse("played=Datum,time=Uhrzeit"), date="%d.%m.%Y")
    late, early, whole, refused = read(rows, mapping)
    days = [iso(one.event.played) for one in (late, early, whole)]
    assert days == ["2026-05-03T20:30:00Z", "2026-05-03T10:30:00Z", "2026-05-03"]
    assert refused.reason.startswith("time must be a time of day such as 19:30: ")


def test_a_second_time_of_day_is_refused(read: Read) -> None:
    (refused,) = read("a,b,score,played,clock\nann,bo,1,2024-03-02T10:00,19:30\n", "time=clock")
    assert refused.reason == "time is beside a day that has a time: 2024-03-02T10:00: '19:30'"
