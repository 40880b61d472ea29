"""Validation: forged exports whose digests are right are refused, with the line and what is wrong with it."""

import json
from random import Random
from typing import Any

import pytest

from ratingcore.errors import BadTransfer
from ratingcore.events import GamePlayed, Row, canonical
from ratingcore.events.times import LAST
from ratingcore.log import EMPTY, Name, load_lines, verify
from ratingcore.log.chain import commitment
from tests.log.conftest import Make
from tests.log.forging import NAMES, correction, crafted, game, name

DEEP = '{"x":' + "[" * 5000 + "]" * 5000 + "}"
SESSION = Row(1, "s-1", "session", 1, 0, 0, None, None, None, None, '{"sides":[[[2],1.0],[[3],0.0]]}')
SEED = Row(1, "r-1", "seed", 1, 0, 0, 2, None, None, None, '{"values":{"rating":1500.0}}')
MERGE = Row(1, "m-1", "merge", None, None, 0, 2, 3, None, None, None)
LIST = Row(1, "l-1", "list", 1, 0, 0, None, None, None, None, '{"name":"2024"}')
PLAYER = Row(1, "p-1", "player", 1, 0, 0, 2, None, None, None, '{"born":1980}')


def sides(text: str) -> Row:
    return SESSION._replace(data='{"sides":' + text + "}")


def amend(changes: str) -> list[Row]:
    return [game(), correction(2, "amend", 1, '{"set":' + changes + "}")]


GOOD: list[list[Row]] = [
    [game(), game(2, data='{"home":"a","points_a":3.5}'), game(3, score=0.0, order=-5)],
    [SESSION], [SEED], [MERGE], [LIST], [PLAYER],
    [game(), correction(2, "void", 1), correction(3, "void", 2, '{"why":5}')],
    [MERGE, correction(2, "unmerge", 1), correction(3, "void", 2)],
    amend('{"home":null,"score":0.5}'), amend('{"a":3,"b":2}'),
]  # fmt: skip

ROWS: dict[str, tuple[list[Row], str]] = {
    "score 7": ([game(score=7.0)], "score must be a number from 0 to 1: 7.0"),
    "score below 0": ([game(score=-0.5)], "score must be a number from 0 to 1: -0.5"),
    "a score without a dot": ([game(score=1)], "score is not as an append writes it: 1"),
    "a score of minus zero": ([game(score=-0.0)], "score is not as an append writes it: -0.0"),
    "a score that is text": ([game(score="1.0")], "score must be a number from 0 to 1: '1.0'"),
    "no score": ([game(score=None)], "no game has these fields"),
    "a meets a": ([game(b=2)], "a player cannot meet themselves: name 2"),
    "year 148000": ([game(played=4_600_000_000_000_000_000)], "must be an ISO date or time between years 1 and 9999"),
    "played is text": ([game(played="2024-03-02")], "played is not as an append writes it: '2024-03-02'"),
    "played is true": ([game(played=True)], "time must be an ISO date"),
    "played is huge": ([game(played=10**30)], "time must be an ISO date"),
    "order beyond 32 bits": ([game(order=-(2**31) - 1)], "order must be a whole number of 32 bits"),
    "order is a float": ([game(order=0.0)], "order must be a whole number of 32 bits"),
    "a player who is a pool": ([game(a=1)], "player is not the id of a player: 1"),
    "a pool that is a player": ([game(pool=2)], "pool is not the id of a pool: 2"),
    "a pool that is none": ([game(pool=99)], "pool is not the id of a pool: 99"),
    "a player without id": ([game(a=None)], "no game has these fields"),
    "a player as text": ([game(a="2")], "has no id of a name where one belongs: '2'"),
    "a player as float": ([game(a=2.0)], "has no id of a name where one belongs: 2.0"),
    "a game without a pool": ([game(pool=None)], "no game has these fields"),
    "a game that refers": ([game(), game(2, ref=1)], "no game has these fields"),
    "an empty uid": ([game(uid="")], "uid must be a name: ''"),
    "a blank uid": ([game(uid="  ")], "uid must be a name: '  '"),
    "a uid of a million": ([game(uid="x" * 10**6)], "uid has 1000000 characters, more than 1000"),
    "a uid with escape codes": ([game(uid="\x1b[2J")], "uid holds a control character"),
    "a uid that is a number": ([game(uid=5)], "position, uid and kind are not a number and two texts"),
    "a uid twice": ([game(), game(2, uid="g-1")], "its uid is there already: g-1"),
    "an unknown kind": ([game(kind="revolution")], "there is no such kind: 'revolution'"),
    "a kind that is not text": ([game(kind=["game"])], "position, uid and kind are not a number and two texts"),
    "a position that is true": ([game(position=True)], "position, uid and kind are not a number and two texts"),
    "data that is a list": ([game(data="[]")], "data must be a mapping of names to facts: []"),
    "data that is null": ([game(data="null")], "data is not as an append writes it: 'null'"),
    "data that is empty": ([game(data="")], "data is not as an append writes it: ''"),
    "data that is not JSON": ([game(data="{")], "no game has these fields"),
    "data that is a number": ([game(data=5)], "no game has these fields"),
    "data nested 5,000 deep": ([game(data=DEEP)], " "),  # what is said depends on the room that is left on the stack
    "data with a list": ([game(data='{"x":[1]}')], "x must be text, a number, true or false: [1]"),
    "data with NaN": ([game(data='{"x":NaN}')], "x must be a finite number: nan"),
    "data with Infinity": ([game(data='{"x":-Infinity}')], "x must be a finite number: -inf"),
    "data beyond every float": ([game(data='{"x":1e999}')], "x must be a finite number: inf"),
    "data beyond 64 bits": ([game(data='{"x":' + "9" * 30 + "}")], "x does not fit into 64 bits"),
    "data with a million digits": ([game(data='{"x":' + "9" * 10**6 + "}")], "no game has these fields"),
    "data with a key twice": ([game(data='{"x":1,"x":2}')], "data is not as an append writes it"),
    "data with blanks": ([game(data='{"x": 1}')], "data is not as an append writes it"),
    "data out of order": ([game(data='{"y":1,"x":2}')], "data is not as an append writes it"),
    "data with a null": ([game(data='{"x":null}')], "data is not as an append writes it"),
    "data with a score": ([game(data='{"score":7.0}')], "data repeats a field of the event"),
    "data with a NUL": ([game(data='{"x":"\\u0000"}')], "x holds a character that cannot be stored"),
    "data with half a character": ([game(data='{"x":"\\ud800"}')], "x holds a character that cannot be stored"),
    "sides that are text": ([sides('"ann, bo"')], "no session has these fields"),
    "sides of names": ([sides('[[["ann"],1.0],[["bo"],0.0]]')], "has no id of a name where one belongs: 'ann'"),
    "no sides": ([SESSION._replace(data="{}")], "no session has these fields"),
    "a session without data": ([SESSION._replace(data=None)], "no session has these fields"),
    "one side": ([sides("[[[2],1.0]]")], "sides of a session must be two or more: 1"),
    "an empty side": ([sides("[[[2],1.0],[[],0.0]]")], "players must be one or more on each side"),
    "a player on two sides": ([sides("[[[2],1.0],[[2],0.0]]")], "a player cannot meet themselves: name 2"),
    "a side with text for a score": ([sides('[[[2],"x"],[[3],0.0]]')], "score must be a finite number: 'x'"),
    "a side with a whole number": ([sides("[[[2],1],[[3],0.0]]")], "data is not as an append writes it"),
    "a session with seats": ([SESSION._replace(a=2)], "a is not as an append writes it: 2"),
    "a seed with text": (
        [SEED._replace(data='{"values":{"rating":"high"}}')],
        "rating must be a finite number: 'high'",
    ),
    "a seed with NaN": ([SEED._replace(data='{"values":{"rating":NaN}}')], "rating must be a finite number: nan"),
    "a seed of nothing": ([SEED._replace(data='{"values":{}}')], "values must map one or more columns to numbers: {}"),
    "a seed with a list": ([SEED._replace(data='{"values":[1]}')], "values must map one or more columns to numbers"),
    "a seed with more": ([SEED._replace(data='{"x":1,"values":{"rating":1.0}}')], "data is not as an append writes it"),
    "a merge of one with themselves": ([MERGE._replace(b=2)], "other must be another name than keep: 'name 2'"),
    "a merge of a pool": ([MERGE._replace(b=1)], "player is not the id of a player: 1"),
    "a list without a name": ([LIST._replace(data='{"x":1}')], "no list has these fields"),
    "a list with a number for a name": ([LIST._replace(data='{"name":5}')], "name must be a name: 5"),
    "a list with escape codes": ([LIST._replace(data='{"name":"\\u001b[2J"}')], "name holds a control character"),
    "a description with an order": ([PLAYER._replace(order=3)], "order is not as an append writes it: 3"),
    "a void of what comes later": ([correction(1, "void", 2), game(2)], "void refers to something not before it: 2"),
    "a void of itself": ([game(), correction(2, "void", 2)], "void refers to something not before it: 2"),
    "a void of nothing": ([game(), correction(2, "void", 0)], "void refers to something not before it: 0"),
    "a void of text": ([game(), correction(2, "void", "g-1")], "void refers to something not before it: 'g-1'"),
    "a void without a target": ([game(), correction(2, "void", None)], "no void has these fields"),
    "a void of a merge": ([MERGE, correction(2, "void", 1)], "cannot void position 1: it is a merge"),
    "a void of a list": ([LIST, correction(2, "void", 1)], "cannot void position 1: it is a list"),
    "a void with a pool": ([game(), correction(2, "void", 1)._replace(pool=1)], "no void has these fields"),
    "a void with more": ([game(), correction(2, "void", 1, '{"x":1}')], "data is not as an append writes it"),
    "a void for a player": ([game(), correction(2, "void", 1, '{"why":2}')], "note is not the id of a note: 2"),
    "a void for a text": ([game(), correction(2, "void", 1, '{"why":"x"}')], "has no id of a name where one belongs"),
    "an unmerge of a game": ([game(), correction(2, "unmerge", 1)], "cannot unmerge position 1: it is a game"),
    "an unmerge of a void": (
        [game(), correction(2, "void", 1), correction(3, "unmerge", 2)], "cannot unmerge position 2: it is a void",
    ),
    "an amendment of a void": (
        [game(), correction(2, "void", 1), correction(3, "amend", 2, '{"set":{"x":1}}')], "cannot amend position 2",
    ),
    "an amendment to score 7": (amend('{"score":7.0}'), "score must be a number from 0 to 1: 7.0"),
    "an amendment to text": (amend('{"score":"x"}'), "score must be a number from 0 to 1: 'x'"),
    "an amendment to a meeting of one": (amend('{"b":2}'), "a player cannot meet themselves: name 2"),
    "an amendment to a player without id": (amend('{"b":"bo"}'), "has no id of a name where one belongs: 'bo'"),
    "an amendment to year 148000": (amend('{"played":4600000000000000000}'), "between years 1 and 9999"),
    "an amendment of another kind's field": (amend('{"values":{"rating":1.0}}'), "a game has no values"),
    "an amendment of nothing": (amend("{}"), "changes must map one or more fields to values: {}"),
    "an amendment that is text": (amend('"score"'), "no amend has these fields"),
    "an amendment without changes": ([game(), correction(2, "amend", 1)], "no amend has these fields"),
    "an amendment with NaN": (amend('{"x":NaN}'), "x must be a finite number: nan"),
}  # fmt: skip


def loading(make: Make, lines: list[str]) -> BadTransfer:
    """The error that names a line; the log stays empty."""
    copy = make()
    with pytest.raises(BadTransfer) as caught:
        load_lines(copy, lines)
    assert copy.head == EMPTY
    return caught.value


@pytest.mark.parametrize("rows", GOOD)
def test_what_an_append_writes_is_loaded(make: Make, rows: list[Row]) -> None:
    copy = make()
    assert load_lines(copy, crafted([(NAMES, rows)], source=4)).head.position == len(rows)
    assert verify(copy).batches == 1


@pytest.mark.parametrize(("rows", "why"), ROWS.values(), ids=ROWS)
def test_a_row_that_no_append_writes_is_refused(make: Make, rows: list[Row], why: str) -> None:
    error = loading(make, crafted([(NAMES, rows)]))
    assert why in error.why
    forged = 0 if len(rows) == 1 or rows[0].kind == "void" else len(rows) - 1
    assert error.line == 3 + len(NAMES) + forged


NAMED: dict[str, tuple[Name, str]] = {
    "an unknown kind": (name(6, "x", "club"), "'club' is not a kind of name"),
    "escape codes": (name(6, "\x1b[2J"), "player holds a control character"),
    "a pool with escape codes": (name(6, "a\nb", "pool"), "pool holds a control character"),
    "blank": (name(6, " "), "player must be a name: ' '"),
    "empty": (name(6, ""), "a player has no name"),
    "an empty source": (name(6, "", "source"), "a source has no name"),
    "not NFC": (name(6, "Zoe\u0308"), "the name of a player is not in Unicode form NFC"),
    "a NUL": (name(6, "why\0", "note"), "note holds a character that cannot be stored"),
    "a thousand and one": (name(6, "x" * 1001), "the name of a player has 1001 characters, more than 1000"),
    "twice": (name(6, "ann"), "there is a player of this name already: ann"),
    "another key": (name(6, "another", "key"), "the key of the log differs from the one that the digests cover"),
    "an erased key": (name(6, "k", "key")._replace(key=None, salt=None), "the key of the log differs"),
    "a float for an id": (name(6, "x")._replace(id=6.0), "id and batch of a name are not whole numbers: 6.0, 1"),  # type: ignore[arg-type]  # forged
    "erased, without a digest": (Name(6, "player", None, None, "", 1), "name 6 has no digest: ''"),
}  # fmt: skip


@pytest.mark.parametrize(("forged", "why"), NAMED.values(), ids=NAMED)
def test_a_name_that_no_append_writes_is_refused(make: Make, forged: Name, why: str) -> None:
    error = loading(make, crafted([([*NAMES, forged], [game()])]))
    assert why in error.why
    assert error.line == 8


@pytest.mark.parametrize(
    "key",
    [
        '[1, "club","A"]', '[1,"club",null]', '[1,"club",["A"]]', '["1","club","A"]', '[1,"","A"]', '[1,"club"]', "[1]",
        '[true,"club","A"]', '[1.0,"club","A"]', '[1,"club",NaN]', '{"club":"A"}', "club", "", "A\0",
    ],
)  # fmt: skip
def test_a_fact_of_a_player_is_kept_as_an_append_keeps_it(make: Make, key: str) -> None:
    error = loading(make, crafted([([*NAMES, name(6, key, "fact")], [game()])]))
    assert error.why.startswith("a fact of a player is not as an append writes it: ")
    assert error.line == 8


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ('{"born":[6]}', "born is the id of a fact that another event states: 6"),
        ('{"club":[7]}', "club is the id of a fact that another event states: 7"),
        ('{"club":[2]}', "fact is not the id of a fact: 2"),
        ('{"club":[99]}', "fact is not the id of a fact: 99"),
        ('{"club":["6"]}', "has no id of a name where one belongs: '6'"),
        ('{"club":[true]}', "has no id of a name where one belongs: True"),
        ('{"club":[6,6]}', "data is not as an append writes it"),
        ('{"club":[]}', "no player has these fields"),
        ('{"club":{"6":6}}', "club must be text, a number, true or false"),
    ],
)
def test_a_description_states_facts_of_its_own_and_no_others(make: Make, data: str, why: str) -> None:
    facts = [name(6, '[1,"club","A"]', "fact"), name(7, '[2,"club","B"]', "fact")]
    good = crafted([([*NAMES, facts[0]], [PLAYER._replace(data='{"club":[6]}')])])
    assert load_lines(make(), good).head.position == 1
    assert why in loading(make, crafted([([*NAMES, *facts], [PLAYER._replace(data=data)])])).why


@pytest.mark.parametrize("key", ['[1,"born",1980]', '[1,"club","B"]', '[2,"club","B"]', '[0,"club","B"]', None])
def test_every_fact_of_a_player_is_stated_by_an_event_of_its_batch(make: Make, key: str | None) -> None:
    """One of the next position would stop the next append, and none of the others would ever be erased."""
    stray = name(7, key or "A", "fact")
    stray = stray if key else stray._replace(key=None, salt=None)
    facts = [name(6, '[1,"born",1980]', "fact"), stray]
    error = loading(make, crafted([([*NAMES, *facts], [PLAYER._replace(data='{"born":[6]}')])]))
    assert error.why == "name 7 is a fact of a player, and no event of the batch uses it"


def test_two_events_do_not_state_one_erased_fact(make: Make) -> None:
    erased = name(6, "A", "fact")._replace(key=None, salt=None)
    rows = [PLAYER._replace(position=at, uid=f"p-{at}", data='{"club":[6]}') for at in (1, 2)]
    assert "another event states: 6" in loading(make, crafted([([*NAMES, erased], rows)])).why
    assert load_lines(make(), crafted([([*NAMES, erased], rows[:1])])).head.position == 1


def test_a_result_states_no_fact_of_a_player(make: Make) -> None:
    facts = [name(6, '[2,"event","A"]', "fact")]
    assert "data" in loading(make, crafted([([*NAMES, *facts], amend('{"event":[6]}'))])).why


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"recorded": LAST + 1}, "the time at which the batch was recorded is not valid"),
        ({"recorded": True}, "the time at which the batch was recorded is not valid"),
        ({"recorded": "2024"}, "the time at which the batch was recorded is not valid"),
        ({"recorded": 0.5}, "the time at which the batch was recorded is not valid"),
        ({"recorded": 4_000_000_000_000_000}, "recorded in the future: 2096-10-02"),
        ({"recorded": -1}, "recorded at 1969-12-31T23:59:59.999999Z, before the batch before it: 1970-01-01"),
        ({"source": 2}, "its source is not the name of a source: 2"),
        ({"source": 99}, "its source is not the name of a source: 99"),
        ({"source": "a.csv"}, "its source is not the name of a source: 'a.csv'"),
        ({"source": True}, "its source is not the name of a source: True"),
    ],
)
def test_a_batch_that_no_append_writes_is_refused(make: Make, facts: dict[str, object], why: str) -> None:
    error = loading(make, crafted([(NAMES, [game()]), ([], [game(2)])], **facts))
    assert why in error.why
    assert error.line == 9


OLDER: dict[str, tuple[list[Name], Row, str]] = {
    "a label": ([name(6, "(erased 2)")], game(), "name 6: player is the label of an erased name"),
    "a long name": ([name(6, "x" * 201)], game(), "name 6: player has 201 characters, more than 200"),
    "a turned name": ([name(6, "ann\u202e")], game(), "name 6: player holds a mark that turns the direction"),
    "a long uid": ([], game(uid="x" * 201), "position 1: uid has 201 characters, more than 200"),
    "a hidden uid": ([], game(uid="g\u200b1"), "position 1: uid holds an invisible character"),
}  # fmt: skip


@pytest.mark.parametrize(("names", "row", "remark"), OLDER.values(), ids=OLDER)
def test_what_only_older_versions_recorded_is_admitted_with_a_remark(
    make: Make, names: list[Name], row: Row, remark: str
) -> None:
    copy = make()
    (said,) = load_lines(copy, crafted([([*NAMES, *names], [row])])).remarks
    assert said.startswith(remark)
    assert said.endswith("; an older version recorded it, and it is kept")
    assert verify(copy).remarks == (said,)


@pytest.mark.parametrize("salt", [5, 1.5, True, [1], {}, 2**70, "a\0b"])
def test_a_salt_is_text(make: Make, salt: Any) -> None:
    odd = Name(6, "player", "cy", salt, commitment("player", "cy", salt), 1)
    error = loading(make, crafted([([*NAMES, odd], [game()])]))
    assert (error.line, error.why[:30]) == (8, "the salt of name 6 is not text")


@pytest.mark.parametrize("erased_first", [False, True])
def test_a_player_called_as_an_erased_one_is_shown_is_no_part_of_a_new_log(make: Make, erased_first: bool) -> None:
    """Nobody could look up the one and not the other."""
    number, other = (6, 7) if erased_first else (7, 6)
    gone = Name(number, "player", None, None, "a" * 64, 1)
    names = sorted([gone, name(other, f"(erased {number})")])
    error = loading(make, crafted([([*NAMES, *names], [game()])]))
    assert error.line == 9
    assert error.why.startswith(f"name {other} is (erased {number}), the label of name {number}, which was erased: ")
    assert "erase name" in error.why


def test_the_label_of_an_erased_note_may_be_a_name_that_an_older_version_recorded(make: Make) -> None:
    gone = Name(6, "note", None, None, "a" * 64, 1)
    copy = make()
    (said,) = load_lines(copy, crafted([([*NAMES, gone, name(7, "(erased 6)")], [game()])])).remarks
    assert said.startswith("name 7: player is the label of an erased name")


def test_a_key_is_named_once(make: Make) -> None:
    key = name(6, "k", "key")
    bound = crafted([([*NAMES, key], [game()]), ([], [game(2)])])
    assert load_lines(make(), bound).bound
    again = key._replace(id=7, batch=2)
    error = loading(make, crafted([([*NAMES, key], [game()]), ([again], [game(2)])]))
    assert (error.line, error.why) == (11, "the key of the log differs from the one that the digests cover")


def test_a_correction_may_refer_to_an_earlier_batch(make: Make) -> None:
    copy = make()
    load_lines(copy, crafted([(NAMES, [game()]), ([], [correction(2, "void", 1)])]))
    assert verify(copy).batches == 2
    error = loading(make, crafted([(NAMES, [MERGE]), ([], [correction(2, "void", 1)])]))
    assert (error.line, error.why) == (10, "cannot void position 1: it is a merge")


VALUES: list[Any] = [
    None, True, 0, 1, -1, 2, 3, 2**31, 2**63, 0.0, -0.0, 0.5, 1.0, 1e-9, 1e300, "", "a", "\x1b", "2024-03-02",
    "{}", "null", '{"x":1}', '{"x":1.0}', '{"x":1e5}', '{"x":true,"y":"ö"}', '{"b":1,"a":1}', '{"home":"a"}', [], {},
]  # fmt: skip


def test_a_game_is_admitted_quickly_only_if_its_constructor_takes_it(make: Make) -> None:
    """Games take a way of their own past the constructor: whatever it lets by, the constructor makes the same of."""
    from ratingcore.log import validation

    random, quick = Random(12), 0
    for _ in range(20_000):
        row = game(data=random.choice(VALUES[19:27]) if random.random() < 0.5 else None)
        for field in random.sample(Row._fields, random.choice((0, 1, 1, 2))):
            row = row._replace(**{field: random.choice(VALUES)})
        plain = validation._are_plain([row], {1}, {2, 3})
        assert validation._are_plain([game(), row, game(2)], {1}, {2, 3}) == plain
        if not plain:
            continue
        quick += 1
        data = json.loads(row.data or "{}")
        event = GamePlayed(
            uid=row.uid, pool="1", played=row.played, a=str(row.a), b=str(row.b), score=row.score, order=row.order,
            data=data,
        )  # fmt: skip
        again = Row(
            1, event.uid, "game", int(event.pool), event.played, event.order, int(event.a), int(event.b), event.score,
            None, canonical(dict(event.data)) if event.data else None,
        )  # fmt: skip
        assert repr(again[1:]) == repr(tuple(row[1:]))
    assert quick > 3000


def test_a_name_is_admitted_quickly_only_if_it_is_admitted_by_itself() -> None:
    """Players take a way of their own, many at once: with one that is odd among them, each is looked at."""
    from ratingcore.log import validation

    random, quick = Random(12), 0
    keys = [*VALUES, "ann", "Zo\u00eb", " ann", "ann ", "(erased 3)", "(ann)", "a\nb", "x" * 201, "x" * 200]
    for _ in range(5_000):
        odd = Name(3, "player", "bo", "00", "0" * 64, 1)
        for field in random.sample(Name._fields, random.choice((0, 1, 1, 2))):
            odd = odd._replace(**{field: random.choice(keys)})
        names = [Name(1, "player", "ann", "00", "1" * 64, 1), odd, Name(4, "pool", "ann", "00", "1" * 64, 1)]
        together, alone = (validation.Validation("k", lambda positions: iter(())) for _ in range(2))
        left = together._without_plain(names)
        found, expected = (list(filter(None, map(one.name, some))) for one, some in ((together, left), (alone, names)))
        quick += len(left) == 1
        assert found == expected
        assert (together._ids, together._keys, together.remarks) == (alone._ids, alone._keys, alone.remarks)
    assert quick > 1000
