"""Pools that are declared while a file is read, over every store: its rows are refused, and never come in twice."""

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.engine import plans
from ratingcore.errors import DeclaredMeanwhile, NoOffset
from ratingcore.events import Row, instant
from ratingcore.importer import files
from ratingcore.importer.file_choice import choose
from ratingcore.importer.files import import_files
from ratingcore.importer.row_import import BATCH
from ratingcore.importer.settings import Settings
from ratingcore.readers import Document, Game, Item, Reader, Source, Who
from tests.importer.test_local_times import HEADER, PRAGUE, played, table
from tests.log.conftest import Store

NEW_YORK = [instant(text) for text in ("2024-03-01", "2024-03-03T00:00:00.000001Z", "2024-07-02T23:00Z")]


@pytest.fixture(autouse=True)
def row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """By columns, a table is read and written in one transaction, and nobody can declare anything meanwhile."""
    monkeypatch.setattr(files, "import_by_columns", lambda *given: False)


@pytest.fixture
def engine(log: Store) -> rc.Engine:
    """An engine over each of the stores, with a club in Prague that has no results."""
    engine = rc.Engine(log)
    engine.declare("club", zone="Europe/Prague")
    return engine


def declaring(engine: rc.Engine, at: int = 1, **said: str) -> Callable[[int], None]:
    """What is told of progress, and declares the pool anew when so many rows are read."""

    def progress(read: int) -> None:
        if read >= at:
            engine.declare("club", **said)

    return progress


@pytest.mark.parametrize("options", [{}, {"strict": True}, {"reissue": True}])
def test_a_zone_declared_while_a_file_is_read_refuses_it_and_it_comes_in_once(
    engine: rc.Engine, options: dict[str, Any]
) -> None:
    meanwhile = declaring(engine, zone="America/New_York")
    with pytest.raises(DeclaredMeanwhile, match=r"club was declared anew at position 2, while games\.csv") as raised:
        engine.import_file(table(), pool="club", progress=meanwhile, **options)
    assert "import it again and give its zone, which was Europe/Prague" in raised.value.hint
    assert engine.log.head.position == 2
    assert engine.import_file(table(), pool="club", **options).accepted == 3
    assert played(engine) == NEW_YORK
    assert engine.import_file(table(), pool="club", **options).duplicates == 3
    engine.verify()


def test_rows_that_were_taken_before_the_declaration_stay_and_need_the_zone_then(engine: rc.Engine) -> None:
    days = "".join(f"2024-03-{1 + n % 28:02}T19:00,ann,player {n},1-0\n" for n in range(BATCH + 10))
    with pytest.raises(DeclaredMeanwhile, match=f"position {BATCH + 2}"):
        engine.import_file(
            table(HEADER + days), pool="club", progress=declaring(engine, BATCH + 1, zone="America/New_York")
        )
    assert len(played(engine)) == BATCH
    with pytest.raises(NoOffset):
        engine.import_file(table(HEADER + days), pool="club")
    again = engine.import_file(table(HEADER + days), pool="club", zone="Europe/Prague")
    assert (again.accepted, again.duplicates) == (10, BATCH)


def test_a_pool_that_begins_with_a_zone_meanwhile_refuses_times_at_midnight(log: Store) -> None:
    engine, text = rc.Engine(log), HEADER + "2024-03-03T00:00Z,ann,bo,1-0\n"
    meanwhile = declaring(engine, zone="Europe/Prague")
    with pytest.raises(DeclaredMeanwhile) as raised:
        engine.import_file(table(text), pool="club", progress=meanwhile)
    assert raised.value.hint == "import it again"
    for accepted in (1, 0):
        assert engine.import_file(table(text), pool="club").accepted == accepted
    assert played(engine) == [instant("2024-03-03T00:00:00.000001Z")]


def test_a_method_declared_while_a_file_is_read_refuses_rows_that_are_none_of_its_results(log: Store) -> None:
    engine, days = rc.Engine(log), HEADER + "2024-03-01,ann,bo,1-0\n"
    with pytest.raises(DeclaredMeanwhile) as raised:
        engine.import_file(table(days), pool="club", progress=declaring(engine, fits="elo-margin"))
    assert "rows that the pool does not take are refused" in raised.value.hint
    report = engine.import_file(table(days), pool="club")
    assert (report.accepted, len(report.refused)) == (0, 1)


def test_a_declaration_that_changes_no_row_lets_a_file_in(engine: rc.Engine) -> None:
    def other(read: int) -> None:
        engine.declare("other", zone="Asia/Tokyo")
        engine.declare("club", fits="elo")
        engine.declare("club", fits="")

    assert engine.import_file(table(), pool="club", progress=other).accepted == 3
    assert played(engine) == PRAGUE
    days = HEADER + "2024-04-01,ann,bo,1-0\n"  # a day stands in every zone
    meanwhile = declaring(engine, zone="America/New_York")
    assert engine.import_file(table(days), pool="club", progress=meanwhile).accepted == 1


@pytest.mark.parametrize("disturbed", [False, True])
def test_declarations_are_looked_at_again_only_where_somebody_else_appended(
    engine: rc.Engine, disturbed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = "".join(f"2024-03-{1 + n % 28:02}T19:00,ann,player {n},1-0\n" for n in range(2 * BATCH + 10))
    read, looks = engine.log.rows, 0

    def rows(after: int = 0, to: int | None = None, *said: Any) -> Iterator[Row]:
        nonlocal looks
        looks += to is not None and said == (("pool",),)
        return read(after, to, *said)

    def game(rows_read: int) -> None:
        if disturbed and rows_read == 2 * BATCH:
            engine.record(rc.GamePlayed(pool="club", played="2024-03-01", a="cy", b="di", score=1.0))

    monkeypatch.setattr(engine.log, "rows", rows)
    assert engine.import_file(table(HEADER + times), pool="club", progress=game).accepted == 2 * BATCH + 10
    assert looks == (1 if disturbed else 0)


def test_a_document_is_read_by_the_declarations_before_it(log: Store) -> None:
    engine = rc.Engine(log)
    engine.declare("club", zone="Europe/Prague")

    def read(source: Source, options: Any) -> Iterator[Item]:
        for number, name in enumerate(("spring", "autumn"), 1):
            yield Document((name,), name)
            yield Game(number, ("1",), Who(None, "ann"), Who(None, "bo"), 1.0, instant("2024-03-02T19:00"))
            if number == 2:
                engine.declare("club", zone="America/New_York")

    reader = Reader("two", "two tournaments of a file", "document", lambda sample: 90, read=read)
    choice = choose([table()], {"two": reader}, reader="two")
    (report,) = import_files(log, engine.registry.method, choice, Settings(pool="club"))
    assert isinstance(report.error, NoOffset)
    assert "times from before its zone was America/New_York" in report.error.hint
    assert played(engine) == PRAGUE[1:2]


def test_two_who_declare_a_zone_and_a_method_at_once_keep_both(log: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = rc.Engine(log)
    other = Thread(target=engine.declare, args=("club",), kwargs={"zone": "Europe/Prague"})
    read = plans.declared

    def slowly(*asked: Any) -> rc.PoolDeclared | None:
        found = read(*asked)
        if not other.ident:
            other.start()
            other.join(0.2)  # as far as it comes
        return found

    monkeypatch.setattr(plans, "declared", slowly)
    engine.declare("club", fits="elo")
    other.join()
    said = engine.core.declared("club")
    assert said is not None
    assert (said.fits, said.zone) == ("elo", "Europe/Prague")
