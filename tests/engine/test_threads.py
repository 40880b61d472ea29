"""One engine, any thread: what many do at once could have been done one after the other, and nothing is lost."""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.errors import LogUnavailable
from ratingcore.log import load_lines
from tests.engine.linearizable import POOL, Done, faults, play, together
from tests.log import conftest
from tests.log.making import game, uids, writer

Open = Callable[[], rc.Engine]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Open]:
    """Opens engines on one file, which do not wait for the disk."""
    with ExitStack() as engines:

        def opened() -> rc.Engine:
            engine = engines.enter_context(rc.open(tmp_path / "club.db"))
            writer(engine.log).execute("PRAGMA synchronous = OFF")
            return engine

        yield opened


places = conftest.places


@pytest.fixture(
    params=[
        "memory",
        "one engine",
        "three engines",
        *(f"{many} in {store}" for store in conftest.INSTALLED for many in ("one engine", "three engines")),
    ]
)
def engines(request: pytest.FixtureRequest, club: Open, tmp_path: Path) -> Iterator[list[rc.Engine]]:
    """The engines that threads share."""
    if request.param == "memory":
        yield [rc.open(":memory:")]
        return
    many = 1 if request.param.startswith("one") else 3
    store = request.param.partition(" in ")[2]
    if not store:
        yield [club() for _ in range(many)]
        return
    address = request.getfixturevalue("places")(store).address(conftest.schema_of("club", request.node.nodeid))
    with ExitStack() as opened:
        yield [opened.enter_context(rc.open(address, columns=tmp_path / "columns")) for _ in range(many)]


@pytest.mark.parametrize("seed", range(3))
def test_what_threads_record_list_and_correct_could_have_happened_one_after_the_other(
    engines: list[rc.Engine], seed: int
) -> None:
    history = play(engines, threads=8, steps=25, seed=seed)
    assert not faults(history.done)
    first = engines[0]
    assert set(uids(first.log)) == history.uids
    heads = [rc.Head(one.after, one.digest) for one in history.done if one.after]
    for engine in engines:
        assert engine.verify(heads).head.position == len(history.uids)
    for position, digest in history.lists.items():
        assert first.rating_list(POOL, "elo:k=24", known_at=position).digest == digest


APPENDS = [Done(0, 0, 3, 0, 2, "two"), Done(1, 1, 6, 2, 3, "three")]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ([Done(2, 4, 5, 2, 2, "two")], ""),
        ([Done(2, 4, 5, 3, 3, "three")], ""),
        ([Done(2, 7, 8, 2, 2, "two")], "goes back"),
        ([Done(0, 4, 5, 0, 0, "")], "goes back"),
        ([Done(2, 4, 5, 1, 1, "one")], "no append left"),
        ([Done(2, 4, 5, 3, 3, "two")], "no append left"),
        ([Done(2, 4, 5, 2, 4, "lost")], "does not follow"),
        ([Done(2, 7, 8, 4, 5, "gap")], "does not follow"),
        ([Done(2, 0, 1, 3, 3, "three")], "nobody had begun"),
    ],
)
def test_the_checker_finds_what_cannot_have_happened(more: list[Done], what: str) -> None:
    found = faults([*APPENDS, *more])
    assert any(what in fault for fault in found) if what else not found


def test_nothing_is_lost_in_memory() -> None:
    """A fixed bug: eight threads lost every fifth result without an error."""
    engine = rc.open(":memory:")

    def record(thread: int) -> None:
        for n in range(300):
            engine.record(game(f"{thread}-{n}", f"p{thread}", f"q{n}"))

    together([lambda thread=thread: record(thread) for thread in range(8)])
    assert engine.log.head.position == 2400
    assert engine.verify().batches == 2400
    assert len(engine.rating_list(POOL, "elo")) == 308


@pytest.mark.parametrize("store", ["memory", "file"])
def test_an_engine_made_once_serves_every_request_of_a_server(store: str, club: Open) -> None:
    """A fixed bug: an engine made where a module is loaded answered no request of another thread."""
    engine = rc.open(":memory:") if store == "memory" else club()
    engine.record(game("first"))

    def request(number: int) -> object:
        if number % 3 == 0:
            return engine.record(game(f"g-{number}", f"p{number % 7}"))
        if number % 3 == 1:
            return engine.rating_list(POOL, "elo").player
        return engine.history(POOL, "ann", "elo"), engine.explain(POOL, "bo", "elo"), list(engine.events())

    for start in range(0, 120, 8):  # a thread a request, as servers do that start one for each
        together([lambda number=number: request(number) for number in range(start, start + 8)])
    assert engine.log.head.position == 1 + 40
    assert engine.verify().batches == 41
    if store == "file":
        gc.collect()
        log: Any = engine.log
        assert len(log._connections._readers) == 1, "connections of threads that have ended are open"


def test_rows_may_be_handed_from_thread_to_thread(club: Open) -> None:
    engine = club()
    engine.record(*(game(n, f"p{n}") for n in range(5000)))
    events, seen = iter(engine.events()), []

    def take(count: int) -> None:
        for _ in range(count):
            row, event = next(events)
            seen.append((row.position, event.uid))
            if row.position % 1000 == 0:
                engine.record(game(f"later-{row.position}"))

    for count in (1, 100, 3000, 1899):
        together([lambda count=count: take(count)])
    assert seen == [(n + 1, str(n)) for n in range(5000)]
    assert engine.log.head.position == 5005


def test_a_thread_that_is_still_reading_sees_what_it_recorded_itself(club: Open) -> None:
    engine = club()
    engine.record(*(game(n) for n in range(100)))
    rows = iter(engine.events())
    next(rows)
    receipt = engine.record(game("new"))
    assert engine.log.head == receipt.head
    assert engine.rating_list(POOL, "elo").known_at == 101


# transactions that end badly


def test_a_thread_that_dies_in_a_transaction_leaves_nothing_and_holds_up_nobody(engines: list[rc.Engine]) -> None:
    engine = engines[0]
    engine.record(game("first"))
    log, key = engine.log, engine.log.key

    def fails() -> None:
        with log.writing():
            log.adopt("another")
            log.erase([2])
            raise ZeroDivisionError

    def ends() -> None:
        transaction = log.writing()
        transaction.__enter__()
        log.adopt("another")

    for work in (fails, ends):
        thread = threading.Thread(target=_suppressed(work))
        thread.start()
        thread.join()
        gc.collect()
        assert (log.key, log.book.key(2)) == (key, "ann")
        engine.record(game(f"after {work.__name__}"))
    assert engine.verify().head.position == 3


def _suppressed(work: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        try:
            work()
        except ZeroDivisionError:
            return

    return run


def test_names_of_a_transaction_are_seen_by_nobody_else_until_it_is_committed(club: Open) -> None:
    source, copy = rc.open(":memory:"), club()
    for n in range(3):
        source.record(game(n, f"p{n}"))
    lines, seen = list(source.export()), []

    def lines_read_slowly() -> Iterator[str]:
        yield from lines[:-1]  # a batch is written when the next one begins
        assert copy.log.book.find("player", "p0") == 2
        together([lambda: seen.append((copy.log.book.find("player", "p0"), copy.log.head.position))])
        yield lines[-1]

    load_lines(copy.log, lines_read_slowly())
    assert seen == [(None, 0)]
    assert copy.log.book.find("player", "p0") == 2


def test_an_erased_name_is_gone_from_every_engine_and_thread(club: Open) -> None:
    engine, other = club(), club()
    engine.record(game("first"))
    held = other.rating_list(POOL, "elo")
    assert held.player == ("ann", "bo")
    together([lambda: engine.erase("ann")])
    assert other.rating_list(POOL, "elo").player == ("(erased 2)", "bo")
    assert other.log.book.find("player", "ann") is None
    assert engine.rating_list(POOL, "elo").player == ("(erased 2)", "bo")


# closing


def test_a_closed_engine_says_so_in_every_thread(club: Open) -> None:
    engine = club()
    engine.record(*(game(n) for n in range(100)))
    made, rows = engine.rating_list(POOL, "elo"), iter(engine.events())
    next(rows)
    engine.close()
    engine.close()
    errors: list[str] = []

    def ask() -> None:
        for question in (
            lambda: engine.record(game("late")),
            lambda: engine.rating_list(POOL, "elo"),
            lambda: engine.log.head,
            lambda: list(engine.events()),
            engine.pools,
            engine.verify,
        ):
            with pytest.raises(LogUnavailable, match="it was closed") as raised:
                question()
            errors.append(raised.value.hint or "")

    with pytest.raises(LogUnavailable, match="it was closed"):
        list(rows)
    ask()
    together([ask])
    assert set(errors) == {"open it again"}
    assert made.player == ("ann", "bo")  # what was made before can still be looked at
    assert len(made.digest) == 64


def test_closing_waits_for_whoever_is_writing(club: Open) -> None:
    engine = club()
    inside, go = threading.Event(), threading.Event()

    def write() -> None:
        with engine.log.writing():
            inside.set()
            go.wait(5)
            engine.log.adopt("k" * 32)

    thread = threading.Thread(target=write)
    thread.start()
    inside.wait(5)
    closing = threading.Thread(target=engine.close)
    closing.start()
    go.set()
    thread.join()
    closing.join()
    assert club().log.key == "k" * 32


# what a question asks of the file


def counted(engine: rc.Engine, question: Callable[[], object]) -> list[str]:
    """The statements that a question runs."""
    log: Any = engine.log
    statements: list[str] = []
    log._connections.db.set_trace_callback(statements.append)
    try:
        question()
    finally:
        log._connections.db.set_trace_callback(None)
    return statements


@pytest.mark.parametrize("method", ["elo", "elo:period=month"])
def test_a_question_takes_one_look(club: Open, method: str) -> None:
    engine = club()
    engine.record(*(game(n, f"p{n % 50}", f"p{n % 50 + 1}") for n in range(1000)))
    engine.explain(POOL, "p7", method)
    assert len(counted(engine, lambda: engine.rating_list(POOL, method).player)) == 1
    assert len(counted(engine, lambda: engine.explain(POOL, "p7", method))) == 4


def test_what_another_engine_appends_is_read_and_nothing_else(club: Open) -> None:
    one, other = club(), club()
    one.record(*(game(n, f"p{n}", f"q{n}") for n in range(2000)))
    other.rating_list(POOL, "elo")
    for n in range(3):
        one.record(game(f"one {n}", f"p{n}", f"new {n}"))
        statements = counted(other, lambda: other.rating_list(POOL, "elo").player)
        asked = [sql for sql in statements if sql != "PRAGMA user_version"]  # four microseconds: are there segments?
        assert len(asked) <= 7  # one of them asks whether a zone of the pool was declared meanwhile
        assert not [sql for sql in statements if "FROM name" in sql and "WHERE" not in sql]
        other.record(game(f"other {n}", f"new {n}", f"p{n}"))
    assert other.verify().head == one.log.head
