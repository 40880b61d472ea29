"""An exception that is injected into a thread, as task queues do for time limits, leaves no transaction open."""

import ctypes
import gc
import random
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest

import ratingcore as rc
from ratingcore.errors import PluginFails
from ratingcore.log import turns
from ratingcore.log.sqlite.log import SqliteLog
from tests.log.making import game


class TimeIsUpError(BaseException):
    """What is injected."""


def interrupted(work: Callable[[], object], after: float) -> BaseException:
    """What ends work in a thread, into which an exception is injected after some seconds."""
    ended: list[BaseException] = []

    def run() -> None:
        try:
            while True:
                work()
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    time.sleep(after)
    while thread.is_alive():
        injected = ctypes.py_object(TimeIsUpError)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), injected)
        thread.join(0.2)
    return ended.pop()  # else it would know itself, by the frame of `run`, with every file that was open


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # files that it may leave open
@pytest.mark.parametrize("kind", ["record", "import", "erase"])
def test_what_is_interrupted_at_any_moment_leaves_no_transaction_open(
    kind: str, tmp_path: Path, address: Callable[[str], str]
) -> None:
    """A later write of another thread ended in "cannot start a transaction within a transaction".

    Out of PostgreSQL came "cannot exit pipeline mode while busy" for what was injected.
    """
    chance = random.Random(kind)
    file = tmp_path / "games.csv"
    file.write_text("a,b,score,played\nann,bo,1,2024-03-02\n")
    with rc.open(address("club"), timeout=5) as engine:
        number = iter(range(10**9))

        def record() -> None:
            engine.record(game(f"i-{next(number)}", f"p{next(number)}", "bo"))

        def add() -> None:
            file.write_text(f"a,b,score,played\nann,q{next(number)},1,2024-03-02\n")
            engine.import_file(file, "rapid")

        def erase() -> None:
            name = f"e{next(number)} lee"
            engine.record(game(f"e-{name}", name, "bo"))
            engine.erase(name)

        until = time.monotonic() + 1
        rounds = 0
        while time.monotonic() < until:
            work = {"record": record, "import": add, "erase": erase}[kind]
            ended = interrupted(work, chance.uniform(0.0005, 0.01))
            # a reader that raises it is named, as one that calls sys.exit is
            assert isinstance(ended.__cause__ if isinstance(ended, PluginFails) else ended, TimeIsUpError)
            del ended  # as long as it is kept, so are the frames that it went through, and what is open in them
            assert engine.record(game(f"after-{rounds}", "ann", "bo")).accepted == 1
            rounds += 1
        assert engine.verify().head == engine.log.head
    gc.collect()  # a file that nobody could close is warned of here, and not in a test that comes later


def interrupted_at(moment: int, work: Callable[[], object]) -> bool:
    """Works in a thread, into which an exception is injected at one moment of a turn; whether there is such a moment.

    Python raises what is injected where a function begins, and behind a call of one in C.
    """
    left = [moment]

    def watch(frame: FrameType, event: str, _: object) -> None:
        of_turns = frame.f_code.co_filename == turns.__file__ or frame.f_code.co_name == "_turn"
        if of_turns and event in ("call", "c_return"):
            left[0] -= 1
            if left[0] < 0:
                sys.setprofile(None)
                raise TimeIsUpError

    def run() -> None:
        sys.setprofile(watch)
        with suppress(TimeIsUpError):
            work()
        sys.setprofile(None)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return left[0] < 0


def test_what_is_injected_at_any_moment_of_a_turn_loses_none(address: Callable[[str], str]) -> None:
    """A turn that came, or was to be given on, in that very moment was lost, and all others waited in vain."""
    with rc.open(address("club"), timeout=1) as engine:
        number = iter(range(10**9))

        def record() -> object:
            return engine.record(game(f"i-{next(number)}", "ann", "bo")).accepted

        moments = 0
        while interrupted_at(moments, record):
            assert record() == 1
            moments += 1
        assert moments >= 8


@pytest.mark.parametrize("begin", ["BEGIN IMMEDIATE", "BEGIN"])
def test_a_transaction_that_was_left_open_is_undone_by_whoever_comes_next(begin: str, tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "club.db", timeout=1) as log:
        log.append([game("1", "ann", "bo")])
        with log._connections.alone() as db:
            db.execute(begin)
        log._connections.db.execute("BEGIN")  # this thread reads with another connection
        with log.reading():
            assert log.head.position == 1
        assert log.append([game("2", "ann", "bo")]).accepted == 1
