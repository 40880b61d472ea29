"""Names by need: few are looked up by index, many in one pass, none twice, and an erased one is never kept."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ratingcore.log import SqliteLog, stored_names
from ratingcore.log.stored_names import AT_ONCE, StoredNames, alphabet
from ratingcore.sqlite_library import sqlite3
from tests.log.making import game, games


class Counted:
    """Runs the statements of a log, and counts them."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log
        self.statements: list[str] = []

    def __call__(self, sql: str, values: Any = ()) -> list[Any]:
        self.statements.append(sql)
        return self._log._all(sql, values)

    def taken(self) -> int:
        """How many statements there were since this was last asked."""
        count = len(self.statements)
        self.statements.clear()
        return count


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    with SqliteLog(tmp_path / "club.db") as log:
        log.append(games(1, 2000), source="a.csv")
        yield log


@pytest.fixture
def query(log: SqliteLog) -> Counted:
    return Counted(log)


@pytest.fixture
def book(log: SqliteLog, query: Counted) -> StoredNames:
    book, look = StoredNames(query), log.look()
    book.saw(look.names, look.erasures)
    return book


def test_opening_reads_no_name(book: StoredNames, query: Counted, log: SqliteLog) -> None:
    assert book.count == len(log.book.names())
    assert query.taken() == 0


def test_a_name_is_looked_up_once(book: StoredNames, query: Counted, log: SqliteLog) -> None:
    for _ in range(3):
        number = book.find("player", "p7")
        assert number == log.book.find("player", "p7")
        assert book.key(number or 0) == "p7"
    assert query.taken() == 1
    assert book.find("player", "nobody") is book.find("pool", "p7") is None


def test_many_are_read_in_one_pass_and_far_ones_by_id(book: StoredNames, query: Counted, log: SqliteLog) -> None:
    names = log.book.names()
    numbers = [name.id for name in names][::-1]
    assert book.keys(numbers) == [name.key for name in names][::-1]
    assert query.taken() == 1
    assert book.commitments(numbers) == [name.digest for name in names][::-1]
    assert query.taken() == 1
    assert book.keys(numbers[:-1]) == [name.key for name in names][:0:-1]
    assert query.taken() == 0
    few = StoredNames(query)
    assert few.keys([1, 2000, 1]) == [names[0].key, names[1999].key, names[0].key]
    assert query.taken() == 1


def test_a_pass_over_all_names_shows_the_erased_as_labels(query: Counted, log: SqliteLog) -> None:
    keys = [name.key for name in log.book.names()]
    with log.writing():
        log.erase([6, 7])
    late = StoredNames(query)
    assert late.keys(range(1, len(keys) + 1)) == [*keys[:5], "(erased 6)", "(erased 7)", *keys[7:]]
    assert late.erased == {6, 7}


def test_names_that_are_held_need_no_more_statements(book: StoredNames, query: Counted, log: SqliteLog) -> None:
    names = log.book.names()
    for numbers in (np.array([3, 9]), np.arange(1, book.count + 1)):
        book.hold(numbers)
        assert query.taken() == 1
        assert book.keys(numbers.tolist()) == [names[number - 1].key for number in numbers]
        book.hold(numbers)
        assert query.taken() == 0
    log.append([game("x", "new", "p1")])
    look = log.look()
    book.saw(look.names, look.erasures)
    book.hold(np.array([1, book.count]))
    assert query.taken() == 1
    assert book.key(book.count) == "new"
    assert query.taken() == 0


@pytest.mark.parametrize("many", [AT_ONCE, AT_ONCE + 1])  # by their keys, or with all other names
def test_keys_that_are_expected_are_looked_up_together(
    book: StoredNames, query: Counted, log: SqliteLog, many: int
) -> None:
    with log.writing():
        log.erase([log.book.number("player", "p2")])
    gone, *keys = (f"p{n}" for n in range(2, many + 1))
    assert set(book.known("player", [*keys, *keys, gone, "nobody"])) == {*keys}
    assert query.taken() == 1
    assert all(book.find("player", key) for key in keys)
    assert query.taken() == 0


def test_erased_names_go_with_the_next_look(book: StoredNames, query: Counted, log: SqliteLog) -> None:
    one, two = (book.find("player", key) or 0 for key in ("p1", "p2"))
    with log.writing():
        log.erase([one, two])
    look = log.look()
    book.saw(look.names, look.erasures)
    assert book.keys([one, two]) == [f"(erased {one})", f"(erased {two})"]
    assert book.find("player", "p1") is None
    assert book.erased == {one, two}
    assert book.name(one).kind == "player"
    assert book.find("player", f"(erased {one})") == one
    log.append([game("again", "p1", "p3")])
    assert book.find("player", "p1") == log.look().names


def test_a_name_that_was_read_before_it_was_erased_is_not_kept(book: StoredNames, log: SqliteLog) -> None:
    """A reader may have an older view of the file than whoever has noticed the erasure."""
    number = log.book.find("player", "p9") or 0
    row = log._all("SELECT id, kind, key, digest FROM name WHERE id = ?", (number,))
    with log.writing():
        log.erase([number])
    look = log.look()
    book.saw(look.names, look.erasures)
    book._take(row)
    assert book.key(number) == f"(erased {number})"
    assert book.exactly("player", "p9") is None


def test_how_many_names_the_first_events_brought(book: StoredNames, log: SqliteLog) -> None:
    count = book.count
    log.append([game("x", "new", "p1")])
    assert [book.count_at(position) for position in (0, 1999, 2000, 2001)] == [0, count, count, count + 1]
    assert len(book.names()) == count + 1


# in alphabetical order


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_names, "MANY", 3)
    monkeypatch.setattr(stored_names, "STEP", 7)


def players(log: SqliteLog) -> np.ndarray:  # type: ignore[type-arg]  # of whole numbers
    return np.array([name.id for name in log.book.names() if name.kind == "player"])


@pytest.mark.usefixtures("few")
def test_places_sort_players_as_their_keys_do(book: StoredNames, query: Counted, log: SqliteLog) -> None:
    numbers = players(log)[::-1]
    places = book.places(numbers)
    assert places is not None
    taken = query.taken()
    assert taken == -(-len(numbers) // 7) + 1
    key_of = {name.id: name.key or "" for name in log.book.names()}
    keys = [key_of[number] for number in numbers.tolist()]
    assert [keys[at] for at in np.argsort(places)] == sorted(keys)
    book.hold(numbers)
    assert book.keys(numbers.tolist()) == keys
    assert book.places(numbers[:5]) is not None
    assert query.taken() == 0
    assert book.places(numbers[:2]) is None  # few names are compared
    assert book.places(np.array([1, *numbers])) is None  # a pool has no place among the players


@pytest.mark.usefixtures("few")
def test_new_names_get_places_when_they_are_asked_for(book: StoredNames, log: SqliteLog) -> None:
    assert book.places(players(log)) is not None
    log.append([game("late", a="a new player", b="p1")])
    look = log.look()
    numbers = players(log)
    book.saw(look.names, look.erasures)
    places = book.places(numbers)
    assert places is not None
    assert book.keys([int(numbers[places.argmin()])]) == ["a new player"]


@pytest.mark.usefixtures("few")
def test_an_erased_name_has_no_place_and_takes_the_others_along(
    book: StoredNames, query: Counted, log: SqliteLog
) -> None:
    numbers = players(log)
    assert book.places(numbers) is not None
    gone = log.book.find("player", "p7")
    assert gone is not None
    with log.writing():
        log.erase([gone])
    look = log.look()
    book.saw(look.names, look.erasures)
    query.taken()
    assert book.places(numbers) is None
    assert book.keys([gone]) == [f"(erased {gone})"]
    fresh = StoredNames(query)
    fresh.saw(look.names, 0)  # which does not know yet that it is gone
    assert fresh.places(numbers) is None
    query.taken()
    assert fresh.places(numbers) is None
    assert query.taken() == 0


KEYS = ["bo", "ann", "Zoë", "é", "李", "ann 2", "😀", "~", "an", "ñ", None]


def queries(keys: list[str | None]) -> Callable[..., list[Any]]:
    """Runs statements on the names of a pool and of players, whose ids count from 2."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE name (id INTEGER PRIMARY KEY, kind TEXT, key TEXT)")
    db.executemany(
        "INSERT INTO name VALUES (?, ?, ?)", [(1, "pool", "p"), *((n, "player", k) for n, k in enumerate(keys, 2))]
    )
    return lambda sql, values: db.execute(sql, values).fetchall()


@pytest.mark.parametrize("step", [1, 3, 100_000])
def test_keys_are_in_order_of_their_letters_with_their_ids(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_names, "STEP", step)
    read = alphabet(queries(KEYS), 12)
    assert read is not None
    known = {number: key for number, key in enumerate(KEYS, 2) if key is not None}
    assert read.ids.tolist() == sorted(known, key=known.__getitem__)
    assert read.keys() == known


def test_names_that_came_later_are_left_out() -> None:
    read = alphabet(queries(KEYS), 3)
    assert read is not None
    assert read.keys() == {2: "bo", 3: "ann"}


def test_a_log_without_players_has_an_empty_alphabet() -> None:
    read = alphabet(queries([]), 1)
    assert read is not None
    assert read.keys() == {}


def test_keys_that_cannot_be_told_apart_make_no_alphabet() -> None:
    assert alphabet(queries(["ann", "b\x1fo"]), 3) is None


def test_names_with_several_blanks_are_read_once(log: SqliteLog) -> None:
    since = list[int]()

    def query(sql: str, values: Any = ()) -> list[Any]:
        since.extend(values[:1] if "LIKE" in sql else ())
        return log._all(sql, values)

    book = StoredNames(query)
    for key in ("Ann  Lee", "Bo  Lee"):
        log.append([game(key.replace(" ", ""), key, "p1")])
        look = log.look()
        book.saw(look.names, look.erasures)
        assert [*book.with_blanks().values()] == [*log.book.with_blanks().values()]
        assert book.spaced()[key.replace("  ", " ")] == key
    assert since == [0, book.count - 1, book.count - 1, book.count]
    with log.writing():
        log.erase([log.book.number("player", "Ann  Lee")])
        assert [*log.draft.with_blanks().values()] == ["Bo  Lee"]
    book.saw(look.names, log.look().erasures)
    assert [*book.with_blanks().values()] == ["Bo  Lee"]
