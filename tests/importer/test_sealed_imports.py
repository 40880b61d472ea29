"""Large tables whose games are sealed give what the same games give as rows, to the bit."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import ratingcore as rc
from ratingcore.errors import LogError
from ratingcore.importer import columnar, game_columns, game_writer, known_columns
from ratingcore.importer.row_import import Import
from ratingcore.log import Log, sealed_rows, segments, stored_rows
from ratingcore.log.sealed_log import SealedLog
from tests.log.conftest import Hand

POOL = "blitz"
Pair = list[tuple[rc.Engine, Any]]
Opened = Callable[[str], rc.Engine]
METHODS = ("elo", "glicko2", "berkin")
LEAST, STEP = 256, 16
"""Games of a segment at least, a sixteenth of what they are elsewhere, and minutes between two of them."""


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are large early, so that a test need not make large ones."""
    for module in (columnar, game_writer):
        monkeypatch.setattr(module, "SEALED", LEAST)
    for part in (segments, sealed_rows, stored_rows, game_writer):
        monkeypatch.setattr(part, "LEAST", LEAST)
    monkeypatch.setattr(game_columns, "BATCH", 32)


def table(seed: int = 1, games: int = 2 * LEAST + 44, first: int = 0) -> pl.DataFrame:
    """Games of an archive, nearly in order of time."""
    random = Random(seed)
    start = datetime(2024, 1, 1, tzinfo=UTC)
    rows = []
    for number in range(first, first + games):
        a, b = random.sample(range(60), 2)
        b = 3 if {a, b} == {1, 2} else b  # who may be one person
        played = start + timedelta(minutes=STEP * number, seconds=random.randrange(90 * STEP))
        rows.append(
            (f"{(number * 7919) % 10**8:08d}", played, f"pl-{a:02d}", f"pl-{b:02d}", random.choice((0.0, 0.5, 1.0)))
        )
    return pl.DataFrame(rows, ["id", "played", "a", "b", "score"], orient="row")


@pytest.fixture
def opened(address: Callable[[str], str], tmp_path: Path) -> Iterator[Opened]:
    """Opens logs of one store by their names."""
    with ExitStack() as engines:
        yield lambda name: engines.enter_context(rc.open(address(name), columns=tmp_path / f"{name}.columns"))


@pytest.fixture
def pair(opened: Opened) -> Pair:
    """A log with sealed games, and one with the same games in rows, each with the report of its import."""
    made = []
    for name, as_rows, count in (("sealed", False, 2), ("rows", True, 0)):
        engine = opened(name)
        report = engine.import_file(table(), POOL, name="archive", as_rows=as_rows)
        assert report.accepted == 2 * LEAST + 44
        assert sealed(engine) == count
        made.append((engine, report))
    return made


def sealed(engine: rc.Engine) -> int:
    """The number of segments in a log."""
    log = engine.log
    assert isinstance(log, SealedLog)
    return sum(log.sealed(batch) is not None for batch in log.batches())


def alike(pair: Pair, **cut: object) -> None:
    """Lists, histories and events of both logs are the same."""
    (one, _), (other, _) = pair
    assert events(one) == events(other)
    for method in METHODS:
        mine, theirs = (engine.rating_list(POOL, method, **cut) for engine, _ in pair)
        assert repr(list(mine)) == repr(list(theirs)), method  # floats to the bit
    assert [str(line) for line in one.explain(POOL, "pl-03", "elo")] == [
        str(line) for line in other.explain(POOL, "pl-03", "elo")
    ]


def events(engine: rc.Engine) -> list[object]:
    """The rows of a log; corrections have an id by its key, which is another in every log."""
    return [row if row.kind == "game" else row._replace(uid="") for row in engine.log.rows()]


def uid(number: int) -> str:
    return f"{(number * 7919) % 10**8:08d}"


CHANGES: dict[str, Callable[[rc.Engine, Any], object]] = {
    "nothing": lambda engine, report: None,
    "a void": lambda engine, report: engine.void(uid(190), why="not played"),
    "a void and its void": lambda engine, report: engine.void(engine.void(uid(190)).uids[0]),
    "an amendment": lambda engine, report: engine.amend(uid(310), {"score": 0.5, "a": "pl-07", "b": "somebody new"}),
    "late games": lambda engine, report: engine.record(
        rc.GamePlayed(uid="late", pool=POOL, played="2023-05-05", a="pl-01", b="pl-02", score=1.0),
        rc.GamePlayed(uid="later", pool=POOL, played="2024-01-03", a="pl-05", b="fresh", score=0.0),
    ),
    "a merge": lambda engine, report: engine.merge("pl-01", "pl-02", why="one person"),
    "the file again": lambda engine, report: engine.import_file(table(), POOL, name="archive"),
    "more games": lambda engine, report: engine.import_file(table(2, LEAST + 5, 10**4), POOL, name="more"),
    "undone": lambda engine, report: engine.apply(engine.plan.undo(report)),
    "erasure": lambda engine, report: engine.erase("pl-09"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_comes_later_means_the_same(pair: Pair, change: str) -> None:
    before = pair[0][0].log.head.position
    for engine, report in pair:
        CHANGES[change](engine, report)
    alike(pair)
    alike(pair, known_at=before)
    alike(pair, known_at=3 * LEAST // 2)
    alike(pair, through="2024-01-03")
    assert pair[0][0].verify()


def test_a_file_that_comes_again_is_counted_and_a_corrected_one_corrects(pair: Pair) -> None:
    again = [engine.import_file(table(), POOL, name="archive") for engine, _ in pair]
    assert [(report.accepted, report.duplicates) for report in again] == [(0, 2 * LEAST + 44)] * 2
    corrected = table().with_columns(score=pl.when(pl.col("id") == uid(250)).then(0.25).otherwise("score"))[:-3]
    for engine, _ in pair:
        engine.import_file(corrected, POOL, name="archive", reissue="archive")
    alike(pair)
    assert len(list(pair[0][0].log.rows(0, None, ("amend",)))) == 1
    assert len(list(pair[0][0].log.rows(0, None, ("void",)))) == 3


@pytest.mark.parametrize("change", sorted(CHANGES.keys() - {"the file again"}))
def test_a_file_that_comes_again_in_another_order_is_known_whatever_came_between(pair: Pair, change: str) -> None:
    """Sealed games that came again were looked up one by one, in twice the time of the first import."""
    for engine, report in pair:
        CHANGES[change](engine, report)
    again = [engine.import_file(table().sample(fraction=1.0, shuffle=True, seed=5), POOL) for engine, _ in pair]
    assert [*again[0].rows] == [*again[1].rows]
    assert again[0].warnings == again[1].warnings
    assert events(pair[0][0]) == events(pair[1][0])
    assert pair[0][0].verify()


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are read in parts of few games, and committed after each of the first ones."""
    monkeypatch.setattr(known_columns, "MOST", LEAST + 6)
    monkeypatch.setattr(columnar, "COMMITTED", LEAST)
    monkeypatch.setattr(known_columns, "SEALED", LEAST)
    monkeypatch.setattr(known_columns, "BATCH", 32)


def imported(engine: rc.Engine, games: pl.DataFrame, **said: Any) -> Pair:
    return [(engine, engine.import_file(games, POOL, name="archive", **said))]


LONG = 5 * LEAST


@pytest.mark.usefixtures("in_parts")
def test_an_import_that_is_interrupted_goes_on_where_it_was_committed(opened: Opened) -> None:
    """An import that was killed lost everything."""

    def stop(read: int) -> None:
        if read > 3 * LEAST:
            raise KeyboardInterrupt

    (whole, _) = imported(opened("whole"), table(games=LONG), as_rows=True)[0]
    with opened("cut") as engine:
        with pytest.raises(KeyboardInterrupt):
            engine.import_file(table(games=LONG), POOL, name="archive", progress=stop)
        there = engine.log.head.position
        assert LEAST < there < 3 * LEAST
        before = sealed(engine)
        report = engine.import_file(table(games=LONG), POOL, name="archive")
        assert (report.accepted, report.duplicates, report.read) == (LONG - there, there, LONG)
        assert report.positions == [(there + 1, LONG)]
        assert sealed(engine) > before > 0
        assert events(engine) == events(whole)
        assert engine.verify()
        assert repr(list(engine.rating_list(POOL, "elo"))) == repr(list(whole.rating_list(POOL, "elo")))


@pytest.mark.usefixtures("in_parts")
def test_the_new_games_of_a_file_that_has_grown_are_sealed(opened: Opened) -> None:
    """They were recorded one by one, and the whole file was read so if most of it was new."""
    logs = [imported(opened(str(as_rows)), table(games=375), as_rows=as_rows)[0][0] for as_rows in (False, True)]
    before = sealed(logs[0])
    changed = pl.when(pl.col("id") == uid(44)).then(0.25).otherwise("score")
    grown = table(games=LONG).with_columns(score=changed)
    reports = [
        engine.import_file(grown, POOL, name="archive", as_rows=as_rows)
        for engine, as_rows in zip(logs, (False, True), strict=True)
    ]
    assert sealed(logs[0]) > before + 1
    assert [*reports[0].rows] == [*reports[1].rows]
    assert (reports[0].refused, reports[0].warnings) == (reports[1].refused, reports[1].warnings)
    assert events(logs[0]) == events(logs[1])
    assert logs[0].verify()


@pytest.mark.usefixtures("in_parts")
@pytest.mark.parametrize("known", [0, 312])
def test_rows_from_one_that_takes_a_closer_look_are_read_one_by_one(opened: Opened, known: int) -> None:
    odd = table(games=LONG).with_columns(b=pl.when(pl.col("id") == uid(LONG - 9)).then(pl.lit("bye")).otherwise("b"))
    logs = []
    for as_rows in (False, True):
        engine = opened(str(as_rows))
        if known:
            engine.import_file(table(games=known), POOL, name="archive", as_rows=as_rows)
        logs.append((engine, engine.import_file(odd, POOL, name="archive", as_rows=as_rows)))
    (one, report), (other, expected) = logs
    assert sealed(one) > 1
    assert [*report.rows] == [*expected.rows]
    assert (report.read, report.accepted, report.warnings) == (expected.read, expected.accepted, expected.warnings)
    assert report.positions == expected.positions
    assert events(one) == events(other)
    assert one.verify()


@pytest.mark.usefixtures("in_parts")
@pytest.mark.parametrize("pool", [POOL, "other"])
def test_others_record_something_while_an_import_is_between_two_commits(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, pool: str
) -> None:
    took, done = Import.take, list[int]()

    def meanwhile(file: Import, attempt: Import, *, whole: bool) -> None:
        took(file, attempt, whole=whole)
        if not done:
            done.append(file.done)
            game = rc.GamePlayed(uid="x", pool=pool, played="2024-01-01", a="pl-01", b="fresh", score=1.0)
            opened("log").record(game)

    monkeypatch.setattr(Import, "take", meanwhile)
    (engine, report) = imported(opened("log"), table(games=LONG))[0]
    assert (report.accepted, report.read) == (LONG, LONG)
    at = done[0]
    assert report.positions == [(1, at), (at + 2, LONG + 1)]
    mine = [row.uid for row in engine.log.rows()]
    assert mine == [*map(uid, range(at)), "x", *map(uid, range(at, LONG))]
    assert engine.verify()


@pytest.mark.parametrize("damage", ["score = uid", "a = b, b = a", "last = last - 1"])
def test_nothing_is_imported_beside_a_damaged_segment(
    opened: Opened, stranger: Callable[[Log], Hand], damage: str
) -> None:
    with opened("log") as engine:
        engine.import_file(table(), POOL, name="archive")
        head = engine.log.head
        with closing(stranger(engine.log)) as hand, hand.unguarded():
            hand(f"UPDATE segment SET {damage} WHERE number = 2")
    with opened("log") as engine:
        with pytest.raises(LogError):
            engine.import_file(table(games=LONG), POOL, name="archive")
        assert engine.log.head == head
        with pytest.raises(LogError):
            engine.verify()


def test_games_that_a_segment_cannot_hold_become_rows(opened: Opened) -> None:
    tables = {
        "ids with blanks": table().with_columns(id=pl.col("id") + " x"),
        "rounds": table().with_columns(round=pl.lit("3")),
        "too few": table(games=LEAST - 1),
    }
    for name, games in tables.items():
        with opened(name) as engine:
            assert engine.import_file(games, POOL, name=name).accepted == len(games)
            assert sealed(engine) == 0, name
            assert engine.verify()


NAMELESS: dict[str, Callable[[rc.Engine, Any], object]] = {
    "nothing": CHANGES["nothing"],
    "a void": lambda engine, report: engine.void(engine.log.rows_at([190]).__next__().uid, why="not played"),
    "the file again": lambda engine, report: engine.import_file(nameless(), POOL, name="archive"),
    "a part of it under another name": lambda engine, report: engine.import_file(nameless()[190:], POOL, name="x"),
    "a corrected file": lambda engine, report: engine.import_file(
        nameless().with_columns(score=pl.when(pl.int_range(pl.len()) == 380).then(0.25).otherwise("score"))[:-3],
        POOL, name="archive", reissue="archive",
    ),
    "a game of it once more": lambda engine, report: engine.record(
        rc.GamePlayed(pool=POOL, played=nameless()["played"][440], a="pl-01", b="pl-59", score=1.0)
    ),
    "a file with ids": lambda engine, report: engine.import_file(table(2, 60, 10**4), POOL, name="more"),
    "erasure, and the file again": lambda engine, report: (
        engine.erase("pl-09"), engine.import_file(nameless()[:30], POOL, name="archive"),
    ),
}  # fmt: skip


def nameless() -> pl.DataFrame:
    """Games without ids, of which some pairs met twice at one time, within a segment and across two."""
    games = table().drop("id")
    return pl.concat([games[:320], games[310:380], games[379:380], games[380:]])


@pytest.mark.parametrize("change", NAMELESS)
def test_games_without_ids_are_sealed_and_mean_the_same(opened: Opened, change: str) -> None:
    answers = list[object]()
    for name, as_rows in (("sealed", False), ("rows", True)):
        with opened(name) as engine:
            report = engine.import_file(nameless(), POOL, name="archive", as_rows=as_rows)
            assert (sealed(engine) > 0) != as_rows
            before = engine.log.head.position
            NAMELESS[change](engine, report)
            assert engine.verify()
            lists = [
                repr(list(engine.rating_list(POOL, method, known_at=at))) for method in METHODS for at in (None, before)
            ]
            ids = [row.uid for row in engine.log.rows()]
            assert len({*ids}) == len(ids)
            assert {*engine.log.find(ids[::20])} == {*ids[::20]}
            for uid in ids[250:253]:
                at_once = [row.uid for row in engine.log.rows() if row.uid.startswith(uid[:23])]
                assert [row.uid for row in engine.log.rows_between(uid[:23], f"{uid[:22]}.")] == sorted(at_once)
            answers.append((report.notes, report.accepted, lists, [row._replace(uid="") for row in engine.log.rows()]))
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("in_parts")
@pytest.mark.parametrize("change", NAMELESS)
@pytest.mark.parametrize("odd", [False, True])
def test_games_without_ids_that_come_again_are_known(opened: Opened, change: str, odd: bool) -> None:
    """Sealed games without ids were recognised one by one, in ten times the time of the first import."""
    games = pl.concat([nameless().sample(fraction=1.0, shuffle=True, seed=3), nameless()[:3]])
    games = games.with_columns(score=pl.when(pl.int_range(pl.len()) % 97 == 0).then(0.125).otherwise("score"))
    if odd:
        games = games.with_columns(
            b=pl.when(pl.int_range(pl.len()) == len(games) - 9).then(pl.lit("bye")).otherwise("b")
        )
    logs = list[tuple[rc.Engine, Any]]()
    for as_rows in (False, True):
        engine = opened(str(as_rows))
        NAMELESS[change](engine, engine.import_file(nameless(), POOL, name="archive", as_rows=as_rows))
        logs.append((engine, engine.import_file(games, POOL, name="archive", as_rows=as_rows)))
    (one, report), (other, expected) = logs
    assert report.rows.counts() == expected.rows.counts()
    if not odd:  # else rows before and after this part have notes of their own
        assert {*report.warnings} == {*expected.warnings}
    contents = [sorted(repr(row._replace(uid="", position=0)) for row in engine.log.rows()) for engine in (one, other)]
    assert contents[0] == contents[1]
    assert one.verify()


@pytest.mark.parametrize("made", [table, nameless])
def test_a_dry_run_does_not_look_up_sealed_games_one_by_one(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, made: Callable[[], pl.DataFrame]
) -> None:
    """A dry run of a file that came again made a row of each game, as its trial is no log with segments."""
    engine, games, looked_up = opened("log"), made(), list[int]()
    engine.import_file(games, POOL, name="archive")
    find = SealedLog._find_sealed

    def counted(log: SealedLog, uids: list[str]) -> Any:
        looked_up.append(len(uids))
        return find(log, uids)

    monkeypatch.setattr(SealedLog, "_find_sealed", counted)
    report = engine.import_file(games, POOL, name="archive", dry_run=True)
    assert report.rows.counts() == {"known": len(games)}
    assert sum(looked_up) < len(games) / 2


def test_an_id_that_comes_twice_in_a_table_leaves_it_to_the_rows(opened: Opened) -> None:
    games = table()
    twice = pl.concat([games, games[130:131]])
    with opened("club") as engine:
        report = engine.import_file(twice, POOL, name="archive")
        assert (report.accepted, report.duplicates) == (len(games), 1)
        assert sealed(engine) == 0
        assert engine.verify()


def test_a_log_of_another_pool_seals_a_new_one(opened: Opened) -> None:
    with opened("club") as engine:
        engine.record(rc.GamePlayed(uid=uid(0), pool="club", played="2024-01-01", a="pl-00", b="pl-01", score=1.0))
        games = table(first=1)
        assert engine.import_file(games, POOL, name="archive").accepted == len(games)
        assert sealed(engine) > 0
        clash = table(3, first=10**4).with_columns(
            id=pl.when(pl.col("id") == uid(10**4 + 190)).then(pl.lit(uid(9))).otherwise("id")
        )
        report = engine.import_file(clash, "third", name="clash")
        assert report.accepted == len(clash) - 1
        assert engine.verify()
        other = table(4, first=2 * 10**4)
        assert engine.import_file(other, "fourth", name="other").accepted == len(other)
        assert {*engine.log.find([uid(2 * 10**4 + 160), uid(77), uid(0)])} == {uid(2 * 10**4 + 160), uid(77), uid(0)}
        assert engine.verify()
