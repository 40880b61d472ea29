"""The conformance suite: what every store of a log does, whatever it is made of."""

import json
from collections.abc import Callable

import numpy as np
import pytest

from ratingcore.errors import BadCut, UnknownUid
from ratingcore.events import KINDS, canonical
from ratingcore.log import EMPTY, Head, verify
from ratingcore.log.lookup import position_at, row_of, uid_at
from ratingcore.log.overlay import TrialLog
from tests.log.conftest import Make, Store
from tests.log.making import EVERY_KIND, SESSION, START, Clock, fill, game, games, keys, state, told, uids


def test_an_empty_log_has_nothing_and_verifies(log: Store) -> None:
    assert log.head == EMPTY == Head(0, "0" * 64)
    assert list(log.batches()) == list(log.rows()) == list(log.rows_at([1])) == list(log.book.names()) == []
    assert log.digest_at(0) == EMPTY.digest
    assert position_at(log, 2**60) == 0
    assert verify(log).head == EMPTY
    assert len(log.key) == 32


def test_rows_are_found_by_a_range_of_uids(log: Store) -> None:
    log.append([game("b-2"), game("a-1"), game("b-1"), game("b")])
    assert [row.uid for row in log.rows_between("b-", "b.")] == ["b-1", "b-2"]
    assert [row.position for row in log.rows_between("a", "b")] == [2]
    assert list(log.rows_between("c", "d")) == []


def test_events_of_every_kind_come_back_as_they_were_in_one_batch_or_in_many(make: Make) -> None:
    assert {event.kind for event in EVERY_KIND} == set(KINDS)
    one, many = make(), make()
    one.append(EVERY_KIND)
    for event in EVERY_KIND:
        many.append([event])
    assert told(one) == told(many) == list(EVERY_KIND)
    assert one.head.digest != many.head.digest  # what was learnt together is part of the history


def test_games_alone_make_the_rows_they_make_among_others(make: Make) -> None:
    alone, among = make(), make()
    plays = [event for event in EVERY_KIND if event.kind == "game"]
    alone.append(plays)
    among.append([*plays, SESSION])
    assert list(alone.rows()) == list(among.rows(to=len(plays)))


def test_the_same_history_has_the_same_digest_in_every_store(memory_log: Make, sqlite_log: Make) -> None:
    stores = [memory_log(), sqlite_log()]
    for log in stores:
        log.append(EVERY_KIND[:5], source="march.csv")
        log.append(games(1, 30))
        log.append([*games(25, 35), *EVERY_KIND[:3]])  # partly there already
        log.append(EVERY_KIND[5:], source="the secretary")
    memory, file = stores
    assert state(memory) == state(file)
    for position in range(-1, memory.head.position + 3):
        assert memory.digest_at(position) == file.digest_at(position)


def test_batches_say_what_was_learnt_together(log: Store) -> None:
    log.append([game(1), game(2)], source="a.csv")
    log.append([game(3)])
    log.append([game(4), game(5)], source="a.csv")
    made = list(log.batches())
    assert [(batch.first, batch.last) for batch in made] == [(1, 2), (3, 3), (4, 5)]
    source = log.book.find("source", "a.csv")
    assert [batch.source for batch in made] == [source, None, source]
    assert [batch.recorded for batch in made] == [START, START + 1_000_000, START + 2_000_000]
    assert made[-1].digest == log.head.digest
    assert [batch.last for batch in log.batches(2)] == [3, 5]
    assert [batch.last for batch in log.batches(4)] == [5]
    assert list(log.batches(5)) == []


def test_recorded_never_decreases_even_if_the_clock_goes_back(make: Make) -> None:
    log = make(clock=Clock(START, -3_600_000_000))
    for uid in range(5):
        log.append([game(uid)])
    assert [batch.recorded for batch in log.batches()] == [START] * 5
    assert position_at(log, START - 1) == 0
    assert position_at(log, START) == 5
    assert verify(log).batches == 5


def test_a_clock_before_1970_is_a_clock_too(make: Make) -> None:
    log = make(clock=Clock(-(10**15)))
    log.append([game(1)])
    log.append([game(2)])
    assert position_at(log, -(10**15)) == 1
    assert verify(log).head == log.head


def test_rows_are_cut_by_position_kind_and_pool(log: Store) -> None:
    log.append(EVERY_KIND)
    count = len(EVERY_KIND)
    assert [row.position for row in log.rows(3)] == list(range(4, count + 1))
    assert [row.position for row in log.rows(3, 5)] == [4, 5]
    assert list(log.rows(5, 5)) == list(log.rows(7, 3)) == list(log.rows(count)) == list(log.rows(count + 9)) == []
    assert len(list(log.rows(0, count + 9))) == count
    for kind in KINDS:
        expected = [place for place, event in enumerate(EVERY_KIND, 1) if event.kind == kind]
        assert [row.position for row in log.rows(kinds=[kind])] == expected
    assert [row.kind for row in log.rows(kinds=("void", "amend"))] == ["void"] * 2 + ["amend"] * 3
    assert [row.kind for row in log.rows(kinds=("game", "session"))] == ["game", "game", "session"]
    club = log.book.find("pool", "club")
    assert [row.uid for row in log.rows(pool=club)] == ["s-1"]
    assert [row.uid for row in log.rows(3, kinds=("seed", "list"), pool=log.book.find("pool", "rapid"))] == [
        "r-1",
        "l-1",
    ]
    assert list(log.rows(pool=10**6)) == list(log.rows(kinds=["it's"])) == []


def test_rows_at_gives_each_row_once_in_order(log: Store) -> None:
    log.append(games(1, 1200))
    rows = list(log.rows())
    assert list(log.rows_at([5, 3, 3, 5, 1])) == [rows[0], rows[2], rows[4]]
    assert list(log.rows_at(iter(np.array([7, 7, 2])))) == [rows[1], rows[6]]
    assert list(log.rows_at([])) == list(log.rows_at([0, -1, 1201])) == []
    assert list(log.rows_at([*range(1200, 0, -1), *range(400, 600)])) == rows


def test_a_row_is_found_by_its_uid(log: Store) -> None:
    log.append(EVERY_KIND)
    for place, event in enumerate(EVERY_KIND, 1):
        assert row_of(log, event.uid).position == place
        assert uid_at(log, place) == event.uid
    with pytest.raises(UnknownUid, match="no event has the uid: nobody"):
        row_of(log, "nobody")


def test_games_are_columns_with_their_types(log: Store) -> None:
    log.append([*EVERY_KIND, game("g-3", "cy", "ann", 0, order=-(2**31), played="2199-12-31T23:59:59.999999Z")])
    pool = log.book.find("pool", "rapid")
    assert pool is not None
    columns = log.games(pool, 0, log.head.position)
    rows = list(log.rows(kinds=["game"], pool=pool))
    for name in columns._fields:
        assert getattr(columns, name).tolist() == [getattr(row, name) for row in rows]
        assert getattr(columns, name).flags.c_contiguous
    assert [str(column.dtype) for column in columns] == ["int64", "int64", "int32", "int32", "int32", "float64"]
    assert log.games(pool, 1, 2).position.tolist() == [2]
    assert len(log.games(pool, 2, 2).score) == len(log.games(10**6, 0, 99).a) == 0
    assert log.games(10**6, 0, 99).score.dtype == np.float64


FIELDS = ['a"b', "a\\b", "a.b", "[0]", "$", "x\ny", "\x01", "ö", "a b", "'", "?", "points_a", "1", "null", "a\u2028b"]


def test_fields_are_read_whatever_they_are_called(log: Store) -> None:
    log.append([game(place, data={field: place}) for place, field in enumerate(FIELDS, 1)])
    pool = log.book.find("pool", "rapid")
    assert pool is not None
    for place, field in enumerate(FIELDS, 1):
        assert list(log.fields(pool, field, 0, 99)) == [(place, place)]
    assert list(log.fields(pool, "points_b", 0, 99)) == []


VALUES = ["text", "", "1", "null", "ö\n\x01", 0, -1, 2**63 - 1, -(2**63), 0.1, 1e300, 5e-324, -0.0, 1.0, True, False]


def test_fields_keep_their_values_to_the_last_bit(log: Store) -> None:
    log.append([game(place, data={"x": value, "y": place}) for place, value in enumerate(VALUES)])
    log.append([SESSION, game("elsewhere", pool="blitz", data={"x": 1}), game("none")])
    pool, club = log.book.find("pool", "rapid"), log.book.find("pool", "club")
    assert pool is not None
    assert club is not None
    found = [value for _, value in log.fields(pool, "x", 0, 99)]
    assert list(map(repr, map(_plain, found))) == list(map(repr, map(_plain, VALUES)))
    assert [position for position, _ in log.fields(pool, "x", 3, 5)] == [4, 5]
    assert list(log.fields(club, "unit", 0, 99)) == [(len(VALUES) + 1, "percent")]


def _plain(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def test_floats_of_every_size_are_read_as_they_were_written(log: Store) -> None:
    bits = np.random.default_rng(1).integers(0, 2**63, 2000, dtype=np.int64)
    numbers = [float(number) for number in bits.view(np.float64) if np.isfinite(number)]
    log.append([game(place, score=number % 1.0, data={"x": number}) for place, number in enumerate(numbers)])
    pool = log.book.find("pool", "rapid")
    assert pool is not None
    assert [value for _, value in log.fields(pool, "x", 0, 10**4)] == numbers
    assert log.games(pool, 0, 10**4).score.tolist() == [number % 1.0 for number in numbers]


def test_names_have_gapless_ids_and_know_their_batch(log: Store) -> None:
    log.append([game(1), game(2, "ann", "cy")], source="a.csv")
    log.append([game(3)])
    log.append([game(4, "di", "ann")], source="a.csv")
    found = list(log.book.names())
    assert [name.id for name in found] == [1, 2, 3, 4, 5, 6, 7]
    assert [(name.kind, name.key) for name in found] == [
        *(("pool", "rapid"), ("player", "ann"), ("player", "bo"), ("player", "cy")),
        *(("source", "a.csv"), ("key", log.key), ("player", "di")),
    ]
    assert [name.batch for name in found] == [1, 1, 1, 1, 1, 1, 4]
    assert len({name.salt for name in found}) == len({name.digest for name in found}) == 7
    for name in found:
        assert log.book.find(name.kind, str(name.key)) == name.id


def test_one_word_may_name_a_pool_a_player_and_a_source(log: Store) -> None:
    log.append([game(1, "x", "y", pool="x"), EVERY_KIND[2]], source="x")
    ids = {kind: log.book.find(kind, "x") for kind in ("pool", "player", "source", "note")}
    assert ids["note"] is None
    assert len(set(ids.values())) == 4
    assert verify(log).batches == 1


def test_unicode_spellings_of_a_name_are_one_player(log: Store) -> None:
    log.append([game(1, "Zoe\u0308", "bo"), game(2, "Zo\u00eb", "bo")])
    log.append([game(3, "Zoe\u0308", "名前"), game(4, "🏓", "o'neil")])
    assert keys(log, "player") == ["Zo\u00eb", "bo", "名前", "🏓", "o'neil"]
    assert log.book.find("player", "Zoe\u0308") == log.book.find("player", "Zo\u00eb") is not None
    assert log.append([game(1, "Zo\u00eb", "bo")]).duplicates == 1
    assert verify(log).head == log.head


SECRETS = ["ann", "Zo\u00eb", "名前", "secretary", "march", "default, not played", "one person", "rapid", "typing"]


def test_nothing_that_tells_who_somebody_is_stands_in_the_hashed_rows(log: Store) -> None:
    log.append(EVERY_KIND, source="march.csv")
    names = [(name.id, name.kind, name.digest) for name in log.book.names()]
    hashed = canonical([list(log.rows()), list(log.batches()), names])
    for secret in SECRETS:
        assert secret not in hashed
        assert json.dumps(secret)[1:-1] not in hashed
    assert len(keys(log, "note")) == 5


def test_digests_are_known_at_every_position(log: Store) -> None:
    log.append(EVERY_KIND[:4])
    after_four = log.head
    log.append(EVERY_KIND[4:5])
    after_five = log.head
    log.append(EVERY_KIND[5:], source="x")
    early = [log.digest_at(position) for position in range(1, len(EVERY_KIND) + 1)]
    assert early[3] == after_four.digest
    assert early[4] == after_five.digest
    assert early[-1] == log.head.digest
    assert len(set(early)) == len(early)
    log.append(games(1, 3))
    assert [log.digest_at(position) for position in range(1, len(EVERY_KIND) + 1)] == early
    assert log.digest_at(0) == log.digest_at(-5) == EMPTY.digest
    assert log.digest_at(log.head.position + 5) == log.head.digest


def test_a_position_is_known_for_every_recorded_time(log: Store) -> None:
    for first in (1, 4, 9):
        log.append(games(first, first + 2))
    second = 1_000_000
    times = [START - 1, START, START + 1, START + second - 1, START + second, START + 2 * second, 2**62]
    assert [position_at(log, at) for at in times] == [0, 3, 3, 3, 6, 9, 9]


def test_whoever_reads_up_to_a_head_sees_the_same_whatever_comes_later(log: Store) -> None:
    log.append(EVERY_KIND)
    head = log.head
    pool = log.book.find("pool", "rapid")
    assert pool is not None

    def seen() -> tuple[object, ...]:
        games = [column.tolist() for column in log.games(pool, 0, head.position)]
        fields = list(log.fields(pool, "home", 0, head.position))
        return list(log.rows(to=head.position)), games, fields, log.digest_at(head.position)

    before = seen()
    log.append(games(1, 40, data={"home": "b"}))
    log.append([game("late", played="1900-01-01")])
    assert seen() == before


@pytest.mark.parametrize("read", ["rows", "batches"])
def test_a_reader_that_stops_half_way_does_not_stand_in_the_way(log: Store, read: str) -> None:
    for uid in range(50):
        log.append([game(uid)])
    reader = getattr(log, read)()
    next(reader)
    log.append([game("more"), game("new", "new", "player")])
    with pytest.raises(UnknownUid):
        log.append([game("not"), EVERY_KIND[5]])
    assert len(list(reader)) >= 49
    assert len(uids(log)) == 52
    assert verify(log).batches == 51


def test_a_log_is_a_context_that_closes_it(make: Callable[[], Store]) -> None:
    with make() as log:
        log.append([game(1)])
    log.close()  # twice does no harm


def test_a_look_tells_head_names_and_erasures(log: Store) -> None:
    look = log.look()
    assert (look.head, look.names, look.erasures) == (EMPTY, 0, 0)
    fill(log)
    look = log.look()
    assert (look.head, look.names, look.erasures) == (log.head, len(log.book.names()), 0)
    with log.writing():
        log.erase([2, 3])
    assert log.look().erasures == 2
    assert log.look().book.key(2) == "(erased 2)"


@pytest.mark.parametrize("text", ["a\0", "a\ud800"])
def test_a_text_that_no_store_can_hold_is_an_unknown_name_and_uid(log: Store, text: str) -> None:
    """A fixed fault: PostgreSQL refused the question, so that anybody got 500 for `/pools/p/players/~%00`."""
    log.append([game(1)])
    assert [log.book.find(kind, text) for kind in ("player", "pool")] == [None, None]
    assert log.find([text, game(1).uid]).keys() == {game(1).uid}


def test_a_look_goes_on_to_find_what_comes_later(log: Store) -> None:
    fill(log)
    look = log.look()
    log.append([game("later", "somebody new")])
    assert look.book.find("player", "somebody new") == log.book.find("player", "somebody new")
    assert look != log.look()


def test_a_what_if_looks_the_same_for_ever(log: Store) -> None:
    fill(log)
    trial = TrialLog.supposing(log, [game("supposed", "nina")])
    look = trial.look()
    log.append([game("later", "otto")])
    assert trial.look() == look
    assert look.head == trial.head
    assert look.book.find("player", "otto") is None


def test_a_head_is_read_as_it_is_printed() -> None:
    head = Head(17, "0123456789abcdef" * 4)
    assert Head.parse(str(head)) == head
    assert Head.parse(str(EMPTY)) == EMPTY


def test_twelve_digits_of_a_digest_are_enough_in_any_case() -> None:
    assert Head.parse("17: 0123456789AB ") == Head(17, "0123456789ab")


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "17", "17:", "17:0123456789a", "17:0123456789ag", "17:0123456789ab:", "0123456789ab:17"),
        *(f"{position}:0123456789ab" for position in ("x", "-1", "²", "1.5", "1 7", "9" * 5000)),
    ],
)
def test_what_is_no_anchor_is_refused(text: str) -> None:
    with pytest.raises(BadCut, match="is not POSITION:DIGEST with 12 or more hexadecimal digits"):
        Head.parse(text)
