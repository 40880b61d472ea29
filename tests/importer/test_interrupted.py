"""An import that is cut short, wherever that is, leaves no file open."""

import bz2
import gc
import gzip
import io
import json
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import date
from inspect import CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from ratingcore.engine import open_engine
from ratingcore.errors import DeclaredMeanwhile
from ratingcore.events import GamePlayed
from ratingcore.log import SqliteLog
from ratingcore.readers import Source
from ratingcore.sqlite_library import sqlite3
from tests.guests import needs_tables

ROOT = str(Path(__file__).parents[2])
NAMES = ("played", "a", "b", "score")
ROWS = [(f"2024-03-{n % 28 + 1:02d}", f"p{n}", f"q{n % 5}", n % 3 / 2) for n in range(40)]
CSV = "\n".join([",".join(NAMES), *(",".join(map(str, row)) for row in ROWS), ""]).encode()
OBJECTS = "\n".join(json.dumps(dict(zip(NAMES, row, strict=True))) for row in ROWS).encode()
MORE = CSV.replace(b"p", b"r").replace(b"rlayed", b"played")


class Pipe(io.BytesIO):
    """Bytes that can be read only once."""

    def seekable(self) -> bool:
        return False


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("one.csv", CSV)
        archive.writestr("two.csv", MORE)


def tarred(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in (("one.csv", CSV), ("two.csv", MORE)):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def parquet(path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rows = [(date.fromisoformat(day), *rest) for day, *rest in ROWS]
    parquet.write_table(pa.table(dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))), path)


def workbook(path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (NAMES, *ROWS):
        book.active.append(row)
    book.save(path)


def database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE game (played, a, b, score)")
        db.executemany("INSERT INTO game VALUES (?, ?, ?, ?)", ROWS)
        db.commit()


FILES: dict[str, Callable[[Path], object]] = {
    "games.csv": lambda path: path.write_bytes(CSV),
    "games.jsonl": lambda path: path.write_bytes(OBJECTS),
    "games.csv.gz": lambda path: path.write_bytes(gzip.compress(CSV)),
    "games.csv.bz2": lambda path: path.write_bytes(bz2.compress(CSV)),
    "games.zip": zipped,
    "games.tar.gz": tarred,
    "pipe": lambda path: path.write_bytes(CSV),
}
TABLES = {"games.parquet": parquet, "games.xlsx": workbook, "games.sqlite": database}
KINDS = [*FILES, *(pytest.param(name, marks=needs_tables) for name in TABLES)]


@pytest.fixture(params=KINDS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / request.param
    (FILES | TABLES)[request.param](path)
    return path


def open_files() -> list[str]:
    """What this process has open."""
    if not Path("/proc/self/fd").exists():
        return [repr(one) for one in gc.get_objects() if isinstance(one, io.FileIO) and not one.closed]
    places = []
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the listing itself
            places.append(os.readlink(f"/proc/self/fd/{number}"))
    return sorted(places)


def imported(file: Path, **options: Any) -> None:
    given = Pipe(file.read_bytes()) if file.name == "pipe" else file
    if file.suffix == ".sqlite":
        options["query"] = "SELECT * FROM game"
    with open_engine(":memory:") as engine:
        engine.import_file(given, "rapid", **options)


class Interruption:
    """Interrupts a thread when so many functions of ours have been called; only counts them if the number is None.

    It waits while a file is closed, for nothing closes a file whose closing is interrupted. Generators do not count,
    since what interrupts the end of one is lost, nor does a look for the place in a file, of which `io` drops errors,
    nor what SQLite calls (`_may`, `over`), which drops them too.
    """

    def __init__(self, after: int | None) -> None:
        self.after, self.calls, self.place = after, 0, ""

    def __call__(self, frame: FrameType, event: str, value: object) -> None:
        code = frame.f_code
        closes = code.co_name in ("close", "closing", "seek", "_may", "over") or code.co_flags & CO_GENERATOR
        if closes or not code.co_filename.startswith(ROOT):
            return
        self.calls += 1
        if self.calls == self.after:
            sys.settrace(None)
            self.place = f"{code.co_filename}:{frame.f_lineno}"
            raise KeyboardInterrupt

    def meets(self, work: Callable[[], object]) -> BaseException | None:
        """What ended the work."""
        before = sys.gettrace()
        sys.settrace(self)
        try:
            work()
        except KeyboardInterrupt as error:
            return error
        finally:
            sys.settrace(before)
        return None


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Files are closed by whoever opened them, and not when garbage is collected."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("way", [{}, {"amend": True, "strict": True}], ids=["by columns", "by rows"])
def test_an_import_that_is_interrupted_anywhere_leaves_no_file_open(way: dict[str, bool], file: Path) -> None:
    """A fixed bug: the file stayed open, and its warning made another test fail that came later."""
    imported(file, **way)  # with all that is loaded when it is first used
    counting = Interruption(None)
    assert counting.meets(lambda: imported(file, **way)) is None
    before = open_files()
    for step in range(12):
        interruption = Interruption(1 + counting.calls * step // 12)
        error = interruption.meets(lambda: imported(file, **way))
        assert error is not None
        assert open_files() == before, interruption.place  # while the error still knows who was reading
        del error


class Interrupted(io.RawIOBase):
    """A file whose reading is interrupted after some calls."""

    def __init__(self, content: bytes, calls: int, error: type[BaseException]) -> None:
        self._content, self._calls, self._error = io.BytesIO(content), calls, error

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        self._calls -= 1
        if self._calls < 0:
            raise self._error
        return self._content.readinto(memoryview(into)[:100])


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("calls", [0, 1, 3, 7])
def test_a_source_closes_all_that_was_opened_of_it(calls: int, error: type[BaseException]) -> None:
    opened: list[io.BufferedReader] = []

    def again() -> Any:
        opened.append(io.BufferedReader(Interrupted(CSV, calls, error)))
        return opened[-1]

    def read_twice(source: Source, rows: Iterator[tuple[int, str]]) -> None:
        with closing(source):
            for _ in rows:
                beside = source.lines()
                assert next(beside) == (1, "played,a,b,score")

    source = Source("games.csv", again)
    with pytest.raises(error) as caught:
        read_twice(source, source.lines())
    assert caught.value.__traceback__ is not None
    assert opened
    assert all(one.closed for one in opened)
    source.close()  # once more


@pytest.mark.usefixtures("uncollected")
def test_files_that_cannot_be_recorded_are_not_kept_open_by_their_reports(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A report knows the error, which knows who was reading: a folder may have more files than can be open at once."""

    def declared_meanwhile(*given: object, **options: object) -> None:
        raise DeclaredMeanwhile("rapid", 1, "games.jsonl", "")

    for number in range(3):
        (tmp_path / f"{number}.jsonl").write_bytes(OBJECTS)
    monkeypatch.setattr("ratingcore.importer.row_import.BATCH", 1)
    with open_engine(":memory:") as engine:
        engine.record(GamePlayed(pool="rapid", played="2024-01-02", a="ann", b="bo", score=1.0))
        before = open_files()
        monkeypatch.setattr(SqliteLog, "append", declared_meanwhile)
        report = engine.import_file(tmp_path, "rapid", keep_going=True)
        assert [type(one.error) for one in report.reports] == [DeclaredMeanwhile] * 3
        assert open_files() == before
