"""Parquet read by columns: what comes of it is what the ordinary way gives, name by name and uid by uid."""

import os
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest
from pyarrow import compute, parquet

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import BadFile, BadValue, ColumnNotFound, RatingCoreError
from ratingcore.events import GamePlayed, Row
from ratingcore.events.values import NO_ID
from ratingcore.importer import Import, ImportReport, Settings, game_columns, import_rows
from ratingcore.importer.columnar import import_columns
from ratingcore.importer.tables import Line
from ratingcore.log.identity import Identity, Uids

DAY = 86_400_000_000
MARCH = 19_783 * DAY


def games(count: int, seed: int = 1, players: int = 40, days: int = 9, shuffled: bool = False) -> pa.Table:
    """Games of few players in few days, so that many meet again at the same time; names in several spellings."""
    random = np.random.default_rng(seed)
    spelt = [f"Zoë {n}" if n % 3 else f"Zoe\u0308 {n}" for n in range(players)] + [f" Zoë {n} " for n in range(players)]
    a = random.integers(0, 2 * players, count)
    b = (a + random.integers(1, players, count)) % players
    played = MARCH + DAY * (np.arange(count) * days // count)
    if shuffled:
        random.shuffle(played)
    names = np.array(spelt)
    return pa.table({
        "played": pa.array(played, pa.timestamp("us")), "a": names[a], "b": names[b],
        "score": random.choice([0.0, 0.5, 1.0, 0.3, 1e-7], count),
    })  # fmt: skip


def written(folder: Path, table: pa.Table) -> Path:
    parquet.write_table(table, folder / "games.parquet", row_group_size=777)
    return folder / "games.parquet"


def by_columns(engine: Engine, table: object, pool: str, *said: Any, **more: Any) -> ImportReport:
    return import_columns(engine.log, engine.registry.method, table, pool, *said, **more)


def slowly(engine: Engine, table: pa.Table) -> None:
    """Imports a table the ordinary way."""
    rows = table.to_pydict()
    played, uids = table["played"].cast(pa.int64()).to_pylist(), rows.get("uid", [NO_ID] * len(table))
    cells = list(zip(played, rows["a"], rows["b"], rows["score"], uids, strict=True))

    def event(played: int, a: str, b: str, score: float, uid: str) -> GamePlayed:
        return GamePlayed(pool="rapid", played=played, a=a.strip(), b=b.strip(), score=score, uid=str(uid).strip())

    file = Import(engine.log, engine.registry.method, Settings(), "games.parquet")
    import_rows(file, lambda: [Line(n, event(*row)) for n, row in enumerate(cells, 1)])


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows go the ordinary way, and batches and transactions are small."""
    monkeypatch.setattr(game_columns, "BATCH", 100)
    monkeypatch.setattr("ratingcore.importer.rows.BATCH", 100)
    monkeypatch.setattr(game_columns, "ROWS", 250)


def rows_of(engine: Engine) -> list[Row]:
    return list(engine.log.rows())


def names_of(engine: Engine) -> list[tuple[str, str | None]]:
    return [(name.kind, name.key) for name in engine.log.names_book.names() if name.kind != "key"]


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("count", [1, 100, 101, 2_000])
@pytest.mark.usefixtures("small")
def test_rows_names_uids_and_lists_are_those_of_the_ordinary_way(tmp_path: Path, count: int, shuffled: bool) -> None:
    table, told = games(count, shuffled=shuffled), list[int]()
    with rc.open(tmp_path / "slow.db") as slow, rc.open(tmp_path / "quick.db") as quick:
        for engine in (slow, quick):  # uids are made with the key of a log
            with engine.log.writing():
                engine.log.adopt("0" * 64)
        slowly(slow, table)
        report = by_columns(quick, written(tmp_path, table), "rapid", progress=told.append)
        assert (report.read, report.accepted, report.head) == (count, count, quick.log.head)
        assert told[-1] == count
        assert rows_of(quick) == rows_of(slow)
        assert names_of(quick) == names_of(slow)
        assert quick.verify().head.position == count
        one, other = (engine.rating_list("rapid", "elo") for engine in (quick, slow))
        assert one.digest == other.digest


@pytest.mark.usefixtures("small")
def test_games_that_go_back_in_time_get_the_uids_of_the_ordinary_way(tmp_path: Path) -> None:
    """In order, uids are indexed at the end; what goes back may meet any of them, so they are indexed before that."""
    table = pa.concat_tables([games(1_300), games(900, seed=2), games(2_500, seed=3, days=1)])
    with rc.open(tmp_path / "slow.db") as slow, rc.open(tmp_path / "quick.db") as quick:
        for engine in (slow, quick):
            with engine.log.writing():
                engine.log.adopt("0" * 64)
        slowly(slow, table)
        assert by_columns(quick, written(tmp_path, table), "rapid").accepted == 4_700
        assert rows_of(quick) == rows_of(slow)
        assert quick.verify().head.position == 4_700


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("before", [0, 900])
@pytest.mark.usefixtures("small")
def test_a_row_that_is_no_game_undoes_the_import_which_can_be_made_again(
    tmp_path: Path, before: int, shuffled: bool
) -> None:
    table = games(1_500, shuffled=shuffled)
    cells = {name: table[name].to_pylist() for name in table.column_names}
    cells["score"][1_340] = 7.0
    with rc.open(tmp_path / "club.db") as engine:
        engine.log.append([GamePlayed(pool="blitz", played=MARCH, a="ann", b="bo", score=1.0) for _ in range(before)])
        head, names = engine.log.head, names_of(engine)
        with pytest.raises(BadFile, match="row 1341 "):
            by_columns(engine, written(tmp_path, pa.table(cells)), "rapid")
        assert (engine.log.head, names_of(engine)) == (head, names)
        assert by_columns(engine, written(tmp_path, table), "rapid").accepted == 1_500
        assert engine.verify().head.position == before + 1_500


KILLED = """
import os, signal, sys
import ratingcore as rc
from ratingcore.importer import game_columns, rows
from ratingcore.importer.columnar import import_columns
from ratingcore.log.sqlite import log as sqlite
from ratingcore.log.sqlite import many_rows

path, log, moment = sys.argv[1:]
rows.BATCH = game_columns.BATCH = 100
game_columns.ROWS = 250
sqlite._LOADING = sqlite._SORTING = 16  # pages go into the write-ahead log long before the transaction ends

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def progress(read):
    if moment == str(read):
        die()
    if moment == "commit":  # the last of the statements
        engine.log._db.set_trace_callback(lambda sql: die() if sql == "COMMIT" else None)

rename = many_rows._rename
def renamed(db, name, *rest):
    if moment == "indexed" and name == many_rows._APART:  # the index is made
        die()
    rename(db, name, *rest)
many_rows._rename = renamed

with rc.open(log) as engine:
    import_columns(engine.log, engine.registry.method, path, "rapid", progress=progress)
    die()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing kills like this here")
@pytest.mark.parametrize("shuffled", [False, True])
def test_an_import_that_is_killed_leaves_the_log_without_it_or_whole(
    tmp_path: Path, shuffled: bool, small: None
) -> None:
    table = games(1_500, shuffled=shuffled)
    file = written(tmp_path, table)
    with rc.open(tmp_path / "slow.db") as slow:
        with slow.log.writing():
            slow.log.adopt("0" * 64)
        slowly(slow, table)
        whole = rows_of(slow), names_of(slow)
    for moment in ["100", "350", "1350", "1500", "commit", "done", *(["indexed"] * (not shuffled))]:
        log = tmp_path / f"{moment}.db"
        with rc.open(log) as engine, engine.log.writing():
            engine.log.adopt("0" * 64)
        ended = subprocess.run([sys.executable, "-c", KILLED, str(file), str(log), moment], env=os.environ, check=False)
        assert ended.returncode == -signal.SIGKILL
        with rc.open(log) as engine:
            if moment == "done":
                assert engine.log.head.position == 1_500
                with pytest.raises(BadValue, match="has results in the log already"):
                    by_columns(engine, file, "rapid")
            else:
                assert (engine.log.head.position, names_of(engine)) == (0, [])
                assert by_columns(engine, file, "rapid").accepted == 1_500
            assert (rows_of(engine), names_of(engine)) == whole
            engine.verify()


@pytest.mark.usefixtures("small")
def test_the_same_file_the_ordinary_way_is_known(tmp_path: Path) -> None:
    table = games(700)
    with rc.open(tmp_path / "club.db") as engine:
        by_columns(engine, written(tmp_path, table), "rapid")
        head = engine.log.head
        slowly(engine, table)
        assert engine.log.head == head


@pytest.mark.usefixtures("small")
def test_an_export_loads_into_the_same_head(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine, rc.open(":memory:") as other:
        by_columns(engine, written(tmp_path, games(700)), "rapid")
        other.load(engine.export())
        assert other.log.head == engine.log.head


WRONG: list[tuple[str, Any, str]] = [
    ("score", 1.5, "score that is not a number from 0 to 1"),
    ("score", float("nan"), "score that is not a number from 0 to 1"),
    ("score", None, "has no score"),
    ("a", None, "has no a"),
    ("a", "  ", "nobody can be called"),
    ("a", "ann\u202e", "nobody can be called"),
    ("a", "(erased 7)", "nobody can be called"),
    ("b", "same", "played themselves"),
    ("played", -(10**17), "outside the years"),
]


@pytest.mark.parametrize(("field", "value", "why"), WRONG)
@pytest.mark.parametrize("at", [3, 340])
@pytest.mark.usefixtures("small")
def test_the_first_row_that_is_no_game_is_named(tmp_path: Path, field: str, value: Any, why: str, at: int) -> None:
    table = games(500)
    cells = {name: table[name].to_pylist() for name in table.column_names}
    cells["played"] = table["played"].cast(pa.int64()).to_pylist()
    cells[field][at] = cells["a"][at].strip() if value == "same" else value
    with rc.open(tmp_path / "club.db") as engine:
        with pytest.raises(BadFile, match=f"row {at + 1} .*{why}"):
            by_columns(engine, written(tmp_path, pa.table(cells)), "rapid")
        assert engine.log.head.position == 0
        engine.verify()


def test_what_cannot_be_read_by_columns_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, games(10))
    refused: list[tuple[type[RatingCoreError], str, Any, dict[str, str]]] = [
        (ColumnNotFound, "white", file, {"a": "white"}),
        (BadValue, "is none of played, a, b, score", file, {"home": "a"}),
        (BadFile, "holds string", file, {"played": "a"}),
        (
            BadFile,
            "row 1 has another score than can be read, in the column a of string: .* string: ",
            file,
            {"score": "a"},
        ),
        (BadFile, "no Parquet file", __file__, {}),
        (BadFile, "missing: there is no such file$", tmp_path / "missing", {}),
        (BadFile, "missing: there is no such file$", str(tmp_path / "missing"), {}),
        (BadFile, "is a directory$", tmp_path, {}),
    ]
    with rc.open(tmp_path / "club.db") as engine:
        for kind, why, path, columns in refused:
            with pytest.raises(kind, match=why):
                by_columns(engine, path, "rapid", columns)
        with pytest.raises(ColumnNotFound) as refused_by:
            by_columns(engine, file, "rapid", {"a": "white"})
        assert refused_by.value.hint.startswith('map fields to columns: columns={"a": "white", ')
        by_columns(engine, file, "rapid")
        with pytest.raises(BadValue, match="has results in the log already"):
            by_columns(engine, file, "rapid")
    with pytest.raises(BadValue, match="is no log in a file"):
        by_columns(rc.open(":memory:"), file, "rapid")


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("column", ["uid", "id", "nr"])
@pytest.mark.usefixtures("small")
def test_ids_of_games_are_read_as_the_ordinary_way_reads_them(tmp_path: Path, column: str, shuffled: bool) -> None:
    table = games(800, shuffled=shuffled)
    spelt = [f' "Zoë\\{n}" ' if n % 50 == 7 else f"game {n}" for n in range(800)]
    uids = pa.array(range(800)) if column == "id" else pa.array(spelt)
    given = table.append_column(column, uids).append_column("round", pa.array(range(800)))
    with rc.open(tmp_path / "slow.db") as slow, rc.open(tmp_path / "quick.db") as quick:
        slowly(slow, table.append_column("uid", uids))
        report = by_columns(quick, written(tmp_path, given), "rapid", {"uid": "nr"} if column == "nr" else None)
        assert report.unused_columns == ["round"]
        assert rows_of(quick) == rows_of(slow)
        assert quick.verify().head.position == 800


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize(("at", "as_of"), [(50, 40), (230, 140), (340, 120), (700, 40), (650, 640)])
@pytest.mark.usefixtures("small")
def test_an_id_that_comes_twice_is_told_and_nothing_is_written(
    tmp_path: Path, at: int, as_of: int, shuffled: bool
) -> None:
    uids = [f"game {n}" for n in range(800)]
    uids[at] = uids[as_of]
    table = games(800, shuffled=shuffled).append_column("uid", pa.array(uids))
    with rc.open(tmp_path / "club.db") as engine:
        with pytest.raises(BadFile, match=f"uid.* game {as_of}$") as refused:
            by_columns(engine, written(tmp_path, table), "rapid")
        assert "each game has an id of its own" in refused.value.hint
        assert engine.log.head.position == 0


@pytest.mark.parametrize("at", [40, 340])
@pytest.mark.parametrize("before", [1, 900])
@pytest.mark.usefixtures("small")
def test_an_id_that_the_log_has_is_told(tmp_path: Path, at: int, before: int) -> None:
    table = games(500).append_column("uid", pa.array([f"game {n}" for n in range(500)]))
    with rc.open(tmp_path / "club.db") as engine:
        engine.log.append([
            GamePlayed(pool="blitz", played=MARCH, a="ann", b="bo", score=1.0, uid=f"game {at + 5_000 * n}")
            for n in range(before)
        ])  # fmt: skip
        with pytest.raises(BadFile, match=f"uid.* game {at}$"):
            by_columns(engine, written(tmp_path, table), "rapid")
        assert engine.log.head.position == before


@pytest.mark.parametrize("at", [40, 340])
@pytest.mark.parametrize(
    ("uid", "why"),
    [(None, "has no uid"), (" ", "is no name"), ("(no id)", "missing id"), ("x" * 201, "201 characters")],
)
@pytest.mark.usefixtures("small")
def test_an_id_that_no_game_can_have_is_refused_with_its_row(tmp_path: Path, uid: Any, why: str, at: int) -> None:
    uids = [f"game {n}" for n in range(500)]
    uids[at] = uid
    table = games(500).append_column("uid", pa.array(uids))
    with rc.open(tmp_path / "club.db") as engine, pytest.raises(BadFile, match=f"row {at + 1} .*{why}"):
        by_columns(engine, written(tmp_path, table), "rapid")


@pytest.mark.parametrize("at", [0, 40, 340, 499])
@pytest.mark.usefixtures("small")
def test_a_score_written_as_text_is_told_with_its_row_column_and_what_reads_it(tmp_path: Path, at: int) -> None:
    table = games(500).drop(["score"])
    result = ["1", "0.5", "0"] * 200
    result[at] = "1/2"
    file = written(tmp_path, table.append_column("result", pa.array(result[:500])))
    with rc.open(tmp_path / "club.db") as engine:
        why = f"row {at + 1} has another score than can be read, in the column result of string: .*'1/2'"
        with pytest.raises(BadFile, match=why) as refused:
            by_columns(engine, file, "rapid", {"score": "result"})
        assert "import_file reads texts such as 1-0 and 1/2" in refused.value.hint
        assert engine.import_file(file, pool="rapid", fields={"score": "result"}).refused == []


def test_days_written_as_text_are_refused_with_what_to_do(tmp_path: Path) -> None:
    table = games(10)
    days = pa.array(["2024-03-02"] * 10)
    with rc.open(tmp_path / "club.db") as engine:
        with pytest.raises(BadFile, match="column played holds string, not days or times") as refused:
            by_columns(engine, written(tmp_path, table.set_column(0, "played", days)), "rapid")
        assert "column.cast('date32')" in refused.value.hint
        assert by_columns(engine, table.set_column(0, "played", days.cast("date32")), "rapid").accepted == 10


@pytest.mark.usefixtures("small")
def test_names_that_a_log_has_keep_their_ids(tmp_path: Path) -> None:
    table = games(900)
    known = sorted(set(table["a"].to_pylist()))[::3]
    before = [GamePlayed(pool="blitz", played=MARCH, a=name.strip(), b="bo", score=1.0) for name in known]
    with rc.open(tmp_path / "slow.db") as slow, rc.open(tmp_path / "quick.db") as quick:
        for engine in (slow, quick):
            with engine.log.writing():
                engine.log.adopt("0" * 64)
            engine.log.append(before)
        slowly(slow, table)
        by_columns(quick, written(tmp_path, table), "rapid")
        assert [row[2:] for row in rows_of(quick)] == [row[2:] for row in rows_of(slow)]
        assert names_of(quick) == names_of(slow)
        quick.record(GamePlayed(pool="rapid", played=MARCH, a="new", b=known[0].strip(), score=1.0))
        assert quick.verify().head.position == len(known) + 901


@pytest.mark.usefixtures("small")
def test_an_import_within_a_transaction_is_part_of_it(tmp_path: Path) -> None:
    def undone(engine: Engine) -> None:
        with engine.log.writing():
            by_columns(engine, games(700), "rapid")
            raise KeyError

    with rc.open(tmp_path / "club.db") as engine:
        with pytest.raises(KeyError):
            undone(engine)
        assert (engine.log.head.position, names_of(engine)) == (0, [])
        with engine.log.writing():
            by_columns(engine, games(700), "rapid")
            engine.log.append([GamePlayed(pool="rapid", played=MARCH, a="Zoë 1", b="new", score=1.0)])
        assert engine.verify().head.position == 701


def test_a_file_without_rows_brings_nothing(tmp_path: Path) -> None:
    with rc.open(tmp_path / "club.db") as engine:
        assert by_columns(engine, written(tmp_path, games(10).slice(0, 0)), "rapid").accepted == 0


@pytest.mark.parametrize("kind", [pa.date32(), pa.timestamp("s"), pa.timestamp("ns", "Europe/Paris"), pa.int64()])
def test_days_and_times_of_every_kind_are_the_same_instants(tmp_path: Path, kind: pa.DataType) -> None:
    table = games(20)
    when = table["played"].cast(kind) if kind != pa.int64() else table["played"].cast(pa.int64())
    if kind == pa.timestamp("ns", "Europe/Paris"):
        when = table["played"].cast(pa.timestamp("us", "UTC")).cast(kind)
    with rc.open(tmp_path / "club.db") as engine:
        by_columns(engine, written(tmp_path, table.set_column(0, "played", when)), "rapid")
        assert [row.played for row in rows_of(engine)] == table["played"].cast(pa.int64()).to_pylist()


@pytest.mark.parametrize(
    "made", [lambda table: table, lambda table: table.to_reader(30), polars.DataFrame, pa.Table.to_pandas]
)
@pytest.mark.usefixtures("small")
def test_a_table_in_memory_is_read_like_the_file_of_its_rows(tmp_path: Path, made: Any) -> None:
    table = games(700)
    with rc.open(tmp_path / "file.db") as one, rc.open(tmp_path / "table.db") as other:
        for engine in (one, other):
            with engine.log.writing():
                engine.log.adopt("0" * 64)
        by_columns(one, written(tmp_path, table), "rapid")
        assert by_columns(other, made(table), "rapid").accepted == 700
        assert [row[1:] for row in rows_of(one)] == [row[1:] for row in rows_of(other)]
        with pytest.raises(BadValue, match="neither a Parquet file nor a table of columns"):
            by_columns(other, [{"a": "ann"}], "blitz")


MIDNIGHT = datetime(2024, 3, 1, 19), datetime(2024, 3, 2), datetime(2024, 3, 2, 20, 30), datetime(2024, 7, 1, 20)
"""Times of New York, and a day: the first and the last are midnight UTC, that of summer an hour earlier."""


@pytest.mark.parametrize("declared", [{}, {"zone": "America/New_York"}, {"zone": "America/New_York", "fits": "elo"}])
@pytest.mark.parametrize("kind", [None, "America/New_York", "UTC"])
@pytest.mark.usefixtures("small")
def test_a_pool_that_was_declared_reads_times_as_the_ordinary_way_does(
    tmp_path: Path, declared: dict[str, str], kind: str | None
) -> None:
    """Its names come first; the others are indexed at the end all the same."""
    table, whole = games(1_300, days=1), pa.array([MIDNIGHT[n % 4] for n in range(1_300)], pa.timestamp("us"))
    played = (
        whole if kind is None else compute.assume_timezone(whole, "America/New_York").cast(pa.timestamp("us", kind))
    )
    table = table.set_column(0, "played", played)
    zone = None if declared else "America/New_York"
    with rc.open(tmp_path / "slow.db") as slow, rc.open(tmp_path / "quick.db") as quick:
        for engine in (slow, quick):
            with engine.log.writing():
                engine.log.adopt("0" * 64)
            engine.declare("rapid", own_uid="d", **declared)  # type: ignore[arg-type]  # said above
        slow.import_file(table, pool="rapid", zone=zone)
        assert by_columns(quick, table, "rapid", zone=zone).accepted == 1_300
        assert rows_of(quick) == rows_of(slow)
        assert quick.import_file(table, pool="rapid", zone=zone).duplicates == 1_300
        on = (len(quick.rating_list("rapid", "elo", through=day)) for day in ("2024-02-29", "2024-03-01"))
        assert list(on) == ([0, 40] if declared else [0, 0])
        quick.verify()


@pytest.mark.parametrize("at", [5, 450])
@pytest.mark.usefixtures("small")
def test_a_row_that_a_declared_pool_does_not_take_undoes_the_import(tmp_path: Path, at: int) -> None:
    table = games(700)
    scores = [0.5] * 700
    scores[at - 1] = 0.3
    table = table.set_column(3, "score", pa.array(scores))
    with rc.open(tmp_path / "club.db") as engine:
        engine.declare("rapid", fits="chess-bayes")
        why = f"row {at}: neither win, draw nor loss: pool rapid takes what chess-bayes can read"
        with pytest.raises(BadFile, match=why):
            by_columns(engine, table, "rapid")
        assert engine.log.head.position == 1
        engine.declare("rapid", fits="")
        assert by_columns(engine, table, "rapid").accepted == 700


def test_uids_of_games_at_once_are_those_of_each(tmp_path: Path) -> None:
    uids, random = Uids("00ff"), np.random.default_rng(2)
    played, low = random.integers(-9, 9, 500) * 86_400_000_000, random.integers(3, 9, 500)
    high = low + random.integers(1, 9, 500) + (random.integers(0, 2, 500) << 30)
    cells = zip(played.tolist(), low.tolist(), high.tolist(), strict=True)
    each = [uids.uid(Identity("game", 7, at, one, other), 0) for at, one, other in cells]
    assert uids.of_games(7, played, low, high) == each
