"""Sessions of many sides out of tables: rows that name their session, and objects with sides."""

import json
import tracemalloc
from itertools import chain, permutations
from typing import Any

import pytest

from ratingcore.errors import BadMapping, ColumnNotFound
from ratingcore.events import NO_ID, GamePlayed, SessionPlayed, iso
from ratingcore.importer.notes import ColumnLeftOut
from ratingcore.importer.tables import read_results
from ratingcore.readers import Refused, Unrated

from .conftest import Read, Write

HEADER = "session,played,side,player,score,boards\n"
EVENING = (
    "A,2024-03-02,1,ann,54.2,24\n",
    "A,2024-03-02,1,bo,,24\n",
    "A,2024-03-02,2,cy,45.8,24\n",
    "A,2024-03-02,2,di,45.8,\n",
)


def sides(line: Any) -> list[tuple[list[str], float]]:
    assert isinstance(line.event, SessionPlayed), line
    return [(list(side.players), side.score) for side in line.event.sides]


def why(line: Any) -> str:
    assert isinstance(line, Refused), line
    return line.reason


def test_rows_of_one_side_column_make_the_sides_of_a_session(read: Read) -> None:
    (line,) = read(HEADER + "".join(EVENING))
    session = line.event
    assert line.line == 2
    assert (session.pool, iso(session.played), dict(session.data)) == ("club", "2024-03-02", {"boards": 24})
    assert sides(line) == [(["ann", "bo"], 54.2), (["cy", "di"], 45.8)]


def test_sides_that_played_different_numbers_of_boards_are_read(read: Read) -> None:
    (line,) = read(
        "session,played,player1,player2,score,boards\nA,2024-03-02,ann,bo,40,24\nA,,cy,di,60,22\nA,,eve,flo,50,24\n"
    )
    assert [score for _, score in sides(line)] == [60.0, 50.0, 40.0]
    assert dict(line.event.data) == {"boards": 24, "boards_by_side": "22 24 24"}


def test_the_line_of_each_pair_makes_two_lines_the_first_of_which_comes_first(read: Read) -> None:
    rows = "A,2024-03-02,EW,ann,bo,60\nA,,NS,cy,di,45\nA,,NS,eve,flo,55\nA,,EW,gil,hal,40\n"
    (line,) = read("session,played,line,player1,player2,score\n" + rows)
    assert [score for _, score in sides(line)] == [55.0, 45.0, 60.0, 40.0]
    assert dict(line.event.data) == {"first_line": 2}
    (other,) = read("session,played,line,player1,player2,score\n" + rows.replace("NS", "7"))
    assert "if the column is something else, map line to none: line=" in why(other)
    (mapped,) = read("session,played,line,player1,player2,score\n" + rows.replace("NS", "7"), "line=")
    assert dict(mapped.event.data) == {}


def test_the_order_of_rows_says_nothing(read: Read) -> None:
    (first,) = read(HEADER + "".join(EVENING))
    for rows in permutations(EVENING):
        (line,) = read(HEADER + "".join(rows))
        assert line == first


def test_without_a_side_column_each_row_is_a_side_of_one_or_more_players(read: Read) -> None:
    (line,) = read("session,played,player1,player2,score\nA,2024-03-02,ann,bo,3\nA,,cy,,1\n")
    assert sides(line) == [(["ann", "bo"], 3.0), (["cy"], 1.0)]


def test_a_place_is_a_score_of_which_less_is_better(read: Read) -> None:
    mapping = "session=contest,played=day,player=handle,place=rank"
    (line,) = read("contest,day,handle,rank\nR1,2024-03-02,bo,2\nR1,2024-03-02,ann,1\nR1,2024-03-02,cy,2\n", mapping)
    assert sides(line) == [(["ann"], -1.0), (["bo"], -2.0), (["cy"], -2.0)]
    assert dict(line.event.data) == {"unit": "place"}


def test_the_same_name_on_another_day_or_in_another_pool_is_another_session(read: Read) -> None:
    rows = "session,played,pool,player,score\n" + "".join(
        f"A,{day},{pool},{player},1\n"
        for day in ("2024-03-02", "2024-03-09")
        for pool in ("x", "y")
        for player in ("ann", "bo")
    )
    found = read(rows)
    assert [(iso(line.event.played), line.event.pool, len(sides(line))) for line in found] == [
        ("2024-03-02", "x", 2), ("2024-03-02", "y", 2), ("2024-03-09", "x", 2), ("2024-03-09", "y", 2),
    ]  # fmt: skip
    assert len({line.event.uid for line in found}) == 4


def test_rows_of_a_session_that_stand_apart_are_one_session(read: Read) -> None:
    other = [row.replace("A,", "B,") for row in EVENING]
    mixed = read(HEADER + "".join(chain.from_iterable(zip(EVENING, other, strict=True))))
    apart = read(HEADER + "".join([*EVENING, *other]))
    assert sorted(str(line[1]) for line in mixed) == sorted(str(line[1]) for line in apart)
    assert len(mixed) == 2


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("A,2024-03-02,3,eve,x,24", "line 6: score must be a finite number: 'x'"),
        ("A,2024-03-02,2,eve,50,24", "line 6: side 2 has a different score on line 4"),
        ("A,2024-03-02,2,eve,,12", "line 6: side 2 has a different number of boards on line 4"),
        ("A,2024-03-02,3,eve,,24", "line 6: eve has no score; leave out those who did not play"),
        ("A,2024-03-02,3,,50,24", "line 6: player must be a name: ''"),
        ("A,2024-03-02,3,eve", "line 6: eve has no score; leave out those who did not play"),
        ("A,2024-03-02,3,eve,50,24,9", "line 6: 7 cells where the header has 6"),
    ],
)
def test_a_row_that_does_not_fit_refuses_its_session_as_a_whole(read: Read, row: str, reason: str) -> None:
    other = "".join(line.replace("A,", "B,") for line in EVENING)
    refused, good = read(f"{HEADER}{''.join(EVENING)}{row}\n{EVENING[0]}{other}")
    assert (refused.line, why(refused)) == (2, f"the session is refused as a whole: {reason}")
    assert sides(good)


def test_a_row_that_cannot_be_read_between_two_sessions_refuses_both(read: Read) -> None:
    other = "".join(line.replace("A,", "B,") for line in EVENING)
    found = read(f"{HEADER}{''.join(EVENING)}A,2024\n{other}")
    assert [why(line).rpartition(": l")[2] for line in found] == ["ine 6: 2 cells where the header has 6"] * 2


def test_a_session_of_one_side_or_of_nobody_who_scored_is_none(read: Read) -> None:
    one, pending, twice = read(
        "session,played,player,score\nA,2024-03-02,ann,1\nB,2024-03-02,ann,\nB,2024-03-02,bo,\n"
        "C,2024-03-02,ann,1\nC,2024-03-02,ann,2\n"
    )
    assert why(one) == "sides of a session must be two or more: 1"
    assert pending.reason == "no result yet"
    assert why(twice) == "a player cannot meet themselves: ann"


def test_a_session_without_a_day_or_a_name_is_refused(read: Read) -> None:
    (nameless,) = read("session,played,player,score\n,2024-03-02,ann,1\n,2024-03-02,bo,2\n")
    assert "session must be a name" in why(nameless)
    (dayless,) = read("session,played,player,score\nA,,ann,1\nA,,bo,2\n")
    assert why(dayless) == "played is not given: ''"


def test_a_name_that_tells_a_player_does_not_go_into_the_uid(read: Read) -> None:
    rows = "session,played,player,score\n{0},2024-03-02,ann,1\n{0},2024-03-02,bo,2\n"
    (named,) = read(rows.format("Final"))
    (telling,) = read(rows.format("ann against bo"))
    assert named.event.uid.startswith(f"{NO_ID} named-session-")
    assert telling.event.uid == NO_ID


def test_columns_that_a_table_of_sessions_lacks_or_cannot_have_are_named(read: Read) -> None:
    with pytest.raises(ColumnNotFound, match="score"):
        read("session,played,player\nA,2024-03-02,ann\n")
    with pytest.raises(BadMapping, match="a session has no field values"):
        read(HEADER, "values=score")


def test_a_table_of_games_may_have_a_column_of_sessions(read: Read) -> None:
    (line,) = read("a,b,score,played,session,player\nann,bo,1,2024-03-02,A,ann\n")
    assert isinstance(line.event, GamePlayed)


def objects(read: Read, *given: Any) -> list[Any]:
    return read("".join(json.dumps(one) + "\n" for one in given), name="sessions.jsonl")


PAIRS = [{"players": ["ann", "bo"], "score": 54.2}, {"players": ["cy", "di"], "score": 45.8}]


def test_an_object_with_sides_is_a_session_and_one_without_a_game(read: Read) -> None:
    session, game = objects(
        read,
        {"played": "2024-03-02", "sides": PAIRS, "unit": "percent", "boards": 24},
        {"played": "2024-03-02", "a": "ann", "b": "bo", "score": 1},
    )
    assert sides(session) == [(["ann", "bo"], 54.2), (["cy", "di"], 45.8)]
    assert dict(session.event.data) == {"unit": "percent", "boards": 24}
    assert (session.event.uid, game.event.a) == (NO_ID, "ann")


def test_objects_with_sides_are_known_wherever_they_stand(read: Read) -> None:
    game = {"played": "2024-03-02", "a": "ann", "b": "bo", "score": 1}
    *games, last = objects(read, *[game] * 1100, {"played": "2024-03-02", "sides": PAIRS, "id": "s-1"})
    assert len(games) == 1100
    assert (last.event.uid, len(sides(last))) == ("s-1", 2)


def test_the_best_place_of_an_object_has_the_highest_score(read: Read) -> None:
    given = [{"players": "ann", "place": 1}, {"players": ["bo"], "place": 2}]
    (line,) = objects(read, {"played": "2024-03-02", "sides": given})
    assert sides(line) == [(["ann"], -1.0), (["bo"], -2.0)]
    assert line.event.data["unit"] == "place"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (5, 'sides are not a list of objects such as {"players": ["ann"], "score": 3}: \'5\''),
        ([], "sides of a session must be two or more: 0"),
        (["ann", "bo"], 'sides must hold objects such as {"players": ["ann"], "score": 3}: \'ann\''),
        ([PAIRS[0], {"players": ["cy"]}], "score is missing for a side; leave out sides that did not play: 'cy'"),
        ([PAIRS[0], {"players": ["cy"], "place": 1}],
         "sides must all have a score, or all have a place: 'score and place'"),
        ([PAIRS[0], {"players": [], "score": 1}], "players must be names: '[]'"),
        ([PAIRS[0], {"players": [["cy"]], "score": 1}], "players must be names: \"[['cy']]\""),
        ([PAIRS[0], {"players": ["cy"], "score": [1]}], "score must be a finite number: \"['1']\""),
        ([PAIRS[0], {"players": ["cy"], "place": 0}], "place must be a place of 1 or more: '0'"),
        ([PAIRS[0], {"players": ["ann"], "score": 1}], "a player cannot meet themselves: ann"),
        ([PAIRS[0], {"players": ["cy"], "score": 1, "weight": 2}],
         "sides may not have this field: a side has players, and a score or a place: 'weight'"),
    ],
)  # fmt: skip
def test_sides_that_are_none_are_refused_with_what_is_wrong(read: Read, given: Any, reason: str) -> None:
    (line,) = objects(read, {"played": "2024-03-02", "sides": given})
    assert why(line) == reason


def test_an_object_with_neither_sides_nor_players_says_so(read: Read) -> None:
    _, line = objects(read, {"played": "2024-03-02", "sides": PAIRS}, {"played": "2024-03-02"})
    assert why(line) == "sides are missing, and so are the fields a and b: ''"


def test_a_long_table_of_sessions_is_read_in_little_memory(write: Write) -> None:
    rows = (f"s{n // 10},2024-03-02,p{n % 997},{n % 7}\n" for n in range(20_000))
    file = write("session,played,player,score\n" + "".join(rows))
    tracemalloc.start()
    count = sum(isinstance(line.event, SessionPlayed) for line in read_results(file, pool="club"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 2_000
    assert peak < 1.2e6  # all of them take 3.4e6


@pytest.mark.parametrize(
    ("scores", "more", "why"),
    [
        ((-12, 12), {"unit": "imp"}, ""),
        ((-1.5, 3), {}, ""),
        ((60, 40), {"unit": "percent"}, ""),
        ((160, -60), {"unit": "percent"}, "score must be from 0 to 100 percent: 160.0"),
        ((40, -60), {"unit": "percent"}, "score must be from 0 to 100 percent: -60.0"),
        ((1e300, 1), {}, "score is more than a billion points: 1e+300"),
        ((1, 2), {"boards": -3}, "boards must not be negative: -3"),
    ],
)
def test_scores_that_their_unit_cannot_mean_are_refused(
    read: Read, scores: tuple[float, float], more: dict[str, Any], why: str
) -> None:
    sides = [{"players": [name], "score": score} for name, score in zip("ab", scores, strict=True)]
    (row,) = read(json.dumps({"played": "2024-03-02", "sides": sides, **more}) + "\n", name="s.jsonl")
    assert (row.reason if isinstance(row, Refused) else "") == why


def test_a_side_of_nobody_is_no_side_and_a_session_of_one_other_is_unrated(read: Read) -> None:
    rows = "A,2024-03-02,1,ann,3,24\nA,,2,BYE,,\nA,,3,cy,1,24\nB,2024-03-02,1,ann,3,\nB,,2,bye,0,\n"
    many, two = read(HEADER + rows)
    assert sides(many) == [(["ann"], 3.0), (["cy"], 1.0)]
    assert dict(many.event.data) == {"boards": 24}
    assert two == Unrated(5, "bye")
    (pair,) = read(HEADER + "A,2024-03-02,1,ann,3,\nA,,1,NN,,\nA,,2,cy,1,\n")
    assert pair == Unrated(2, "unnamed player")
    objects = [
        {"played": "2024-03-02", "sides": [{"players": [name], "score": 1} for name in names]}
        for names in (["ann", "bye", "cy"], ["ann", "BYE"])
    ]
    many, two = read("\n".join(map(json.dumps, objects)), name="games.jsonl")
    assert sides(many) == [(["ann"], 1.0), (["cy"], 1.0)]
    assert two == Unrated(2, "bye")


def test_negative_scores_of_sessions_stay(read: Read) -> None:
    (line,) = read(HEADER + "A,2024-03-02,1,ann,-1,\nA,,2,cy,1,\n")
    assert sides(line) == [(["cy"], 1.0), (["ann"], -1.0)]


TEAMS = "session,played,side,player,score,weights\n"


def test_a_row_says_which_part_of_the_session_its_player_took_part_in(read: Read) -> None:
    """The session was refused, since its rows did not say the same."""
    rows = ["A,2024-03-02,1,ann,1,1", "A,2024-03-02,1,bo,,0.5", "A,2024-03-02,2,di,0,1/4", "A,2024-03-02,2,cy"]
    for order in permutations(rows[1:]):
        (line,) = read(TEAMS + "".join(f"{row}\n" for row in (rows[0], *order)))
        assert sides(line) == [(["ann", "bo"], 1.0), (["cy", "di"], 0.0)]
        assert dict(line.event.data) == {"weights": "1 0.5 1 1/4"}
    (line,) = read(TEAMS.replace("weights", "weight") + "".join(f"{row}\n" for row in rows))
    assert dict(line.event.data) == {"weights": "1 0.5 1 1/4"}
    (line,) = read(TEAMS + "A,2024-03-02,1,ann,1\nA,2024-03-02,2,bo,0,\n")
    assert dict(line.event.data) == {}


def test_weights_of_all_players_in_each_row_stay_those_of_the_session(read: Read) -> None:
    (line,) = read(TEAMS + "A,2024-03-02,1,ann,1,1 1/2\nA,2024-03-02,2,bo,0,1 1/2\n")
    assert dict(line.event.data) == {"weights": "1 1/2"}
    (line,) = read(
        "session,played,player1,player2,score,weights\nA,2024-03-02,ann,bo,1,1 1/2\nA,2024-03-02,cy,di,0,1 1\n"
    )
    assert dict(line.event.data) == {"weights": "1 1/2 1 1"}
    (line,) = read(TEAMS + "A,2024-03-02,1,ann,1,1 1/2\nA,2024-03-02,2,bo,0,1 1/3\n")
    assert "rows of one session must agree" in why(line)
    (line,) = read(TEAMS + "A,2024-03-02,1,ann,1,half\nA,2024-03-02,2,bo,0,1\n")
    assert why(line).endswith("weights must be a finite number: 'half'")


def test_other_facts_of_players_are_left_out_of_the_session_with_a_note(read: Read) -> None:
    text = "session,played,player,score,club,event\nA,2024-03-02,ann,1,Elm,Cup\nA,2024-03-02,bo,0,Oak,Cup\n"
    line, note = read(text, "team=club")
    assert dict(line.event.data) == {"event": "Cup"}
    assert note == ColumnLeftOut("club", 1)
    (line,) = read(text.replace("Oak", "Elm"), "team=club")
    assert dict(line.event.data) == {"event": "Cup", "team": "Elm"}
    (line,) = read(text.replace("Oak,Cup", "Oak,Shield"))
    assert "rows of one session must agree" in why(line)


def test_a_column_that_is_mapped_is_read_for_nothing_else_in_sessions(read: Read) -> None:
    rows = "event,played,player1,player,score\nA,2024-03-02,ann,x,1\nA,2024-03-02,bo,y,0\n"
    (line,) = read(rows, "session=event,player=player1")
    assert (sides(line), dict(line.event.data)) == ([(["ann"], 1.0), (["bo"], 0.0)], {})
    (line,) = read(rows.replace("event", "id"), "session=id,player=player1")
    assert "named-session" in line.event.uid
