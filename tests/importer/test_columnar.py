"""Plain games are read by columns: report, rows, names and uids are those of the ordinary way, or it is taken."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest
from attrs import evolve
from pyarrow import compute, parquet

import ratingcore as rc
from ratingcore.engine import Engine
from ratingcore.errors import NoOffset, RatingCoreError
from ratingcore.events import GamePlayed, Row
from ratingcore.importer import files, game_columns
from ratingcore.importer.columnar import import_by_columns
from ratingcore.importer.remarks import TableRemarks
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_import import Import
from ratingcore.importer.settings import Settings
from ratingcore.importer.tables import FieldMap
from ratingcore.log.derived_uids import Identity, Uids
from ratingcore.log.segments import texts
from ratingcore.readers.sheets import Rows, Sheet, Typed, TypedRows
from tests.guests import needs_tables

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


def changed(table: pa.Table, field: str, at: int, value: Any) -> pa.Table:
    """A table with another value in one cell."""
    cells = table[field].to_pylist()
    cells[at] = value
    kind = pa.string() if isinstance(value, str) and field == "score" else table[field].type
    cells = [str(cell) for cell in cells] if kind == pa.string() and field == "score" else cells
    return table.set_column(table.column_names.index(field), field, pa.array(cells, kind))


def written(folder: Path, table: pa.Table) -> Path:
    parquet.write_table(table, folder / "games.parquet", row_group_size=777)
    return folder / "games.parquet"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows go the ordinary way, and batches and transactions are small."""
    monkeypatch.setattr(game_columns, "BATCH", 100)
    monkeypatch.setattr("ratingcore.importer.row_import.BATCH", 100)
    monkeypatch.setattr(game_columns, "ROWS", 250)


@contextmanager
def opened(path: Path, *before: GamePlayed, **declared: str) -> Iterator[Engine]:
    """A log whose uids are made with a key that is always the same."""
    with rc.open(path) as engine:
        with engine.log.writing():
            engine.log.adopt("0" * 64)
        if before:
            engine.log.append(before)
        if declared:
            engine.declare("rapid", own_uid="d", **declared)
        yield engine


def rows_of(engine: Engine) -> list[Row]:
    return list(engine.log.rows())


def names_of(engine: Engine) -> list[tuple[str, str | None]]:
    return [(name.kind, name.key) for name in engine.log.book.names() if name.kind != "key"]


def taken(engine: Engine, table: object, **said: Any) -> ImportReport | tuple[type, str]:
    """The report of an import but the head, whose batches are others; or why there is none."""
    try:
        return evolve(engine.import_file(table, "rapid", **said), head=None)
    except RatingCoreError as error:
        return type(error), str(error)


def alike(
    folder: Path, table: object, *before: GamePlayed, declared: dict[str, str] | None = None, **said: Any
) -> bool:  # fmt: skip
    """Imports a table with columns and without; asserts that all is the same, and says whether they were read."""
    ways: list[bool] = []

    def spied(*given: Any) -> bool:
        ways.append(import_by_columns(*given))
        return ways[-1]

    with (
        pytest.MonkeyPatch.context() as patch,
        opened(folder / "slow.db", *before, **declared or {}) as slow,
        opened(folder / "quick.db", *before, **declared or {}) as quick,
    ):
        for dry_run in (True, False):
            patch.setattr(files, "import_by_columns", lambda *given: False)
            expected = taken(slow, table, dry_run=dry_run, **said)
            patch.setattr(files, "import_by_columns", spied)
            assert taken(quick, table, dry_run=dry_run, **said) == expected
            assert rows_of(quick) == rows_of(slow)
        assert names_of(quick) == names_of(slow)
        quick.verify()
        again = taken(quick, table, **said)
        if isinstance(expected, ImportReport) and isinstance(again, ImportReport):
            assert again.accepted == 0
        if expected and rows_of(quick):
            assert quick.rating_list("rapid", "elo").digest == slow.rating_list("rapid", "elo").digest
    return any(ways)


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("count", [1, 100, 101, 2_000])
@pytest.mark.usefixtures("small")
def test_rows_names_uids_lists_and_reports_are_those_of_the_ordinary_way(
    tmp_path: Path, count: int, shuffled: bool
) -> None:
    assert alike(tmp_path, written(tmp_path, games(count, shuffled=shuffled)))


@pytest.mark.usefixtures("small")
def test_games_that_go_back_in_time_get_the_uids_of_the_ordinary_way(tmp_path: Path) -> None:
    """In order, uids are indexed at the end; what goes back may meet any of them, so they are indexed before that."""
    assert alike(tmp_path, pa.concat_tables([games(1_300), games(900, seed=2), games(2_500, seed=3, days=1)]))


@pytest.mark.parametrize("at", [3, 340])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("score", 1.5), ("score", float("nan")), ("score", None), ("score", "1/2"), ("a", None), ("a", "  "),
        ("a", "ann\u202e"), ("a", "(erased 7)"), ("b", "same"), ("played", None), ("played", datetime(1066, 10, 14)),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("small")
def test_a_row_that_is_no_game_is_refused_as_the_ordinary_way_does(
    tmp_path: Path, field: str, value: Any, at: int
) -> None:
    """If its types do not fit, a table is read by columns of texts, and only what is not a game row by row."""
    table = games(500)
    assert alike(tmp_path, changed(table, field, at, table["a"][at].as_py().strip() if value == "same" else value))


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("column", ["uid", "id", "nr"])
@pytest.mark.usefixtures("small")
def test_ids_of_games_are_read_as_the_ordinary_way_reads_them(tmp_path: Path, column: str, shuffled: bool) -> None:
    spelt = [f' "Zoë\\{n}" ' if n % 50 == 7 else f"game {n}" for n in range(800)]
    uids = pa.array(range(800)) if column == "id" else pa.array(spelt)
    table = games(800, shuffled=shuffled).append_column(column, uids).append_column("of no use", pa.array(range(800)))
    assert alike(tmp_path, written(tmp_path, table), fields={"uid": "nr"} if column == "nr" else None)


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize(
    ("at", "uid"),
    [
        (50, "game 40"), (230, "game 140"), (700, "game 40"), (650, "game 640"), (40, None), (340, " "),
        (340, "of zoë 1"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("small")
def test_an_id_that_takes_a_closer_look_gets_it(tmp_path: Path, at: int, uid: str | None, shuffled: bool) -> None:
    uids: list[str | None] = [f"game {n}" for n in range(800)]
    uids[at] = uid
    table = games(800, shuffled=shuffled)
    table = changed(changed(table, "a", at, "Zoë 1"), "b", at, "Zoë 2").append_column("uid", pa.array(uids))
    assert not alike(tmp_path, table)


@pytest.mark.parametrize("at", [40, 340])
@pytest.mark.parametrize("before", [1, 900])
@pytest.mark.usefixtures("small")
def test_an_id_that_the_log_has_is_refused_as_the_ordinary_way_does(tmp_path: Path, at: int, before: int) -> None:
    table = games(500).append_column("uid", pa.array([f"game {n}" for n in range(500)]))
    there = [
        GamePlayed(pool="blitz", played=MARCH, a="ann", b="bo", score=1.0, uid=f"game {at + 5_000 * n}")
        for n in range(before)
    ]
    assert not alike(tmp_path, table, *there)


@pytest.mark.usefixtures("small")
def test_names_that_a_log_has_keep_their_ids(tmp_path: Path) -> None:
    table = games(900)
    known = sorted(set(table["a"].to_pylist()))[::3]
    before = [
        GamePlayed(uid=f"g-{n}", pool="blitz", played=MARCH, a=name.strip(), b="bo", score=1.0)
        for n, name in enumerate(known)
    ]
    assert alike(tmp_path, table, *before)


@pytest.mark.parametrize("uid", ["(no id)", "x" * 201])
@pytest.mark.usefixtures("small")
def test_an_id_that_no_log_takes_refuses_its_row(tmp_path: Path, uid: str) -> None:
    uids = [uid if n == 340 else f"game {n}" for n in range(800)]
    assert alike(tmp_path, games(800).append_column("uid", pa.array(uids)))


DAYS = [f"2024-03-{1 + n // 40:02d}" for n in range(700)]
TEXTS = {
    "played,a,b,score": (
        f"{day},ann {n % 7},bo {n % 5},{('1-0', '1/2', '0', '+/-')[n % 4]}" for n, day in enumerate(DAYS)
    ),
    "played,a,b,points_a,points_b,round,home": (
        f"{day},ann {n % 7},bo {n % 5},{n % 3},{'' if n == 444 else n % 2},{n // 40},{('a', 'none')[n % 2]}"
        for n, day in enumerate(DAYS)
    ),
    "played,a,b,score,order,pool,id": (
        f"{day},ann,bo {n % 9},1,{2**70 if n == 300 else n % 40},rapid,g{n}" for n, day in enumerate(DAYS)
    ),
    "played;a;b;score;event": (
        f"{day};ann;{'' if n == 3 else 'ann' if n == 350 else 'bo'};{7 if n in (9, 600) else 1};Größe \"{n % 3}"
        if n != 500 else "too;few" for n, day in enumerate(DAYS)
    ),
    "played,a,b,score,points_a,points_b": (f"{day},ann {n % 7},bo,1,{n % 3 + 1},0" for n, day in enumerate(DAYS)),
    "played,a,b,score,round": (
        f"{day},{'BYE' if n in (7, 333) else 'ann'},{'[deleted]' if n % 90 == 8 else 'bo'},{'HDA'[n % 3]},{n}"
        for n, day in enumerate(DAYS)
    ),
    "played,a,b,score,order": (
        f"{day},ann,bo {n % 9},{('2-1', '1-1', '0-3', 'w/o', 'abc')[4 if n in (4, 500) else n % 4]},{n}"
        for n, day in enumerate(DAYS)
    ),
    "played,a,b,points_a,points_b": (
        f"{day},ann {n % 7},bo,{n % 3 - (n == 300)},{-(n == 8)}" for n, day in enumerate(DAYS)
    ),
}  # fmt: skip


@pytest.mark.parametrize("header", TEXTS)
@pytest.mark.usefixtures("small")
def test_a_file_of_texts_is_read_by_columns_as_it_is_row_by_row(tmp_path: Path, header: str) -> None:
    """With scores from words or points, further facts, ids, forfeits, and rows that are not games."""
    file = tmp_path / "games.csv"
    file.write_text("\n".join([header, *TEXTS[header]]) + "\n")
    assert alike(tmp_path, file)


@pytest.mark.usefixtures("small")
def test_a_table_of_types_with_nobody_in_it_is_read_by_its_texts(tmp_path: Path) -> None:
    assert alike(tmp_path, written(tmp_path, changed(games(700), "b", 650, "BYE")))


@pytest.mark.parametrize("declared", [{}, {"zone": "America/New_York"}])
@pytest.mark.usefixtures("small")
def test_times_in_texts_are_of_the_zone_of_the_pool(tmp_path: Path, declared: dict[str, str]) -> None:
    file = tmp_path / "games.csv"
    times = ["2024-03-02", "2024-03-02T19:00", "2024-03-02T20:30", "2024-07-01T20:00Z"]
    rows = [f"{times[n % 4]},ann {n % 7},bo,1" for n in range(700)]
    file.write_text("\n".join(["played,a,b,score", *rows]) + "\n")
    assert alike(tmp_path, file, declared=declared) == bool(declared)


@pytest.mark.usefixtures("small")
def test_what_takes_a_closer_look_takes_the_ordinary_way(tmp_path: Path) -> None:
    rows = [f"{day},ann,bo {n % 9},1" for n, day in enumerate(DAYS)]
    tables = {
        "two pools": [
            "played,a,b,score,pool",
            *(f"{row},{'blitz' if n == 9 else 'rapid'}" for n, row in enumerate(rows)),
        ],
        "some ids": ["played,a,b,score,uid", *(f"{row},{'' if n == 9 else n}" for n, row in enumerate(rows))],
        "points": ["played,a,b,score,points_a,points_b", *(f"{row},{n % 2},0.5" for n, row in enumerate(rows))],
    }
    for name, lines in tables.items():
        (folder := tmp_path / name).mkdir()
        (folder / "games.csv").write_text("\n".join(lines) + "\n")
        assert not alike(folder, folder / "games.csv", fields={"pool": "pool"} if name == "two pools" else None)
    game = GamePlayed(uid="g", pool="rapid", played=MARCH, a="ann", b="bo", score=1.0)
    assert not alike(tmp_path, games(20), game)


def test_a_file_without_rows_brings_nothing(tmp_path: Path) -> None:
    alike(tmp_path, written(tmp_path, games(10).slice(0, 0)))


@pytest.mark.parametrize("kind", [pa.date32(), pa.timestamp("s"), pa.timestamp("ns", "Europe/Paris")])
def test_days_and_times_of_every_kind_are_the_same_instants(tmp_path: Path, kind: pa.DataType) -> None:
    table = games(20)
    zoned = kind == pa.timestamp("ns", "Europe/Paris")
    when = table["played"].cast(pa.timestamp("us", "UTC")).cast(kind) if zoned else table["played"].cast(kind)
    assert alike(tmp_path, written(tmp_path, table.set_column(0, "played", when)))


@pytest.mark.parametrize(
    ("made", "quick"),
    [
        (lambda table: table, True),
        (lambda table: table.to_reader(30), False),  # it can be read only once
        (polars.DataFrame, True),
        (pa.Table.to_pandas, True),
    ],
)
@pytest.mark.usefixtures("small")
def test_a_table_in_memory_is_read_like_the_file_of_its_rows(tmp_path: Path, made: Any, quick: bool) -> None:
    table = games(700)
    with opened(tmp_path / "file.db") as one, opened(tmp_path / "table.db") as other:
        one.import_file(written(tmp_path, table), "rapid")
        assert other.import_file(made(table), "rapid").accepted == 700
        assert [row[1:] for row in rows_of(one)] == [row[1:] for row in rows_of(other)]
        assert (len(list(other.log.batches())) < 7) == quick


MIDNIGHT = datetime(2024, 3, 1, 19), datetime(2024, 3, 2), datetime(2024, 3, 2, 20, 30), datetime(2024, 7, 1, 20)
"""Times of New York, and a day: the first and the last are midnight UTC, that of summer an hour earlier."""


@pytest.mark.parametrize("declared", [{}, {"zone": "America/New_York"}, {"zone": "America/New_York", "fits": "elo"}])
@pytest.mark.parametrize("kind", [None, "America/New_York", "UTC"])
@pytest.mark.usefixtures("small")
@needs_tables
def test_a_pool_that_was_declared_reads_times_as_the_ordinary_way_does(
    tmp_path: Path, declared: dict[str, str], kind: str | None
) -> None:
    """Its names come first; the others are indexed at the end all the same."""
    table, whole = games(1_300, days=1), pa.array([MIDNIGHT[n % 4] for n in range(1_300)], pa.timestamp("us"))
    played = (
        whole if kind is None else compute.assume_timezone(whole, "America/New_York").cast(pa.timestamp("us", kind))
    )
    table = table.set_column(0, "played", played)
    assert alike(tmp_path, table, declared=declared, zone=None if declared else "America/New_York")


def test_local_times_need_a_zone(tmp_path: Path) -> None:
    evening = games(10).set_column(0, "played", pa.array([datetime(2024, 3, 2, 20)] * 10, pa.timestamp("us")))
    assert not alike(tmp_path, evening)
    with opened(tmp_path / "club.db") as engine, pytest.raises(NoOffset):
        engine.import_file(evening, "rapid")


@pytest.mark.parametrize("at", [5, 450])
@pytest.mark.usefixtures("small")
def test_a_row_that_a_declared_pool_does_not_take_is_refused_as_the_ordinary_way_does(tmp_path: Path, at: int) -> None:
    scores = [0.5] * 700
    scores[at - 1] = 0.3
    table = games(700).set_column(3, "score", pa.array(scores))
    assert not alike(tmp_path, table, declared={"fits": "chess-bayes"})


@pytest.mark.usefixtures("small")
def test_rows_that_may_be_mistakes_are_named_as_the_ordinary_way_does(tmp_path: Path) -> None:
    table = games(600)
    table = pa.concat_tables([table, table.slice(50, 3), table.slice(550, 20)])
    table = changed(changed(table, "played", 320, datetime(1849, 1, 1)), "a", 400, "ZOE 1")
    assert alike(tmp_path, table)


@pytest.mark.usefixtures("small")
def test_an_import_within_a_transaction_is_part_of_it(tmp_path: Path) -> None:
    def undone(engine: Engine) -> None:
        with engine.log.writing():
            engine.import_file(games(700), "rapid")
            raise KeyError

    with opened(tmp_path / "club.db") as engine:
        with pytest.raises(KeyError):
            undone(engine)
        assert (engine.log.head.position, names_of(engine)) == (0, [])
        with engine.log.writing():
            engine.import_file(games(700), "rapid")
            engine.log.append([GamePlayed(pool="rapid", played=MARCH, a="Zoë 1", b="new", score=1.0)])
        assert engine.verify().head.position == 701


KILLED = """
import os, signal, sys
import ratingcore as rc
from ratingcore.importer import game_columns, row_import
from ratingcore.log.sqlite import log as sqlite
from ratingcore.log.sqlite import many_rows

path, log, moment = sys.argv[1:]
row_import.BATCH = game_columns.BATCH = 100
game_columns.ROWS = 250
sqlite._LOADING = sqlite._SORTING = 16  # pages go into the write-ahead log long before the transaction ends

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def progress(read):
    if moment == str(read):
        die()
    if moment == "commit":  # the last of the statements
        engine.log._connections.db.set_trace_callback(lambda sql: die() if sql == "COMMIT" else None)

rename = many_rows._rename
def renamed(db, name, *rest):
    if moment == "indexed" and name == many_rows._APART:  # the index is made
        die()
    rename(db, name, *rest)
many_rows._rename = renamed

with rc.open(log) as engine:
    engine.import_file(path, "rapid", progress=progress)
    die()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing kills like this here")
@pytest.mark.parametrize("shuffled", [False, True])
def test_an_import_that_is_killed_leaves_the_log_without_it_or_whole(
    tmp_path: Path, shuffled: bool, small: None
) -> None:
    file = written(tmp_path, games(1_500, shuffled=shuffled))
    with opened(tmp_path / "undisturbed.db") as engine:
        engine.import_file(file, "rapid")
        whole = rows_of(engine), names_of(engine)
    for moment in ["350", "1350", "1500", "commit", "done", *(["indexed"] * (not shuffled))]:
        log = tmp_path / f"{moment}.db"
        with opened(log):
            pass
        ended = subprocess.run([sys.executable, "-c", KILLED, str(file), str(log), moment], env=os.environ, check=False)
        assert ended.returncode == -signal.SIGKILL
        with rc.open(log) as engine:
            there = 1_500 * (moment == "done")
            assert engine.log.head.position == there
            assert engine.import_file(file, "rapid").accepted == 1_500 - there
            assert (rows_of(engine), names_of(engine)) == whole
            engine.verify()


def test_uids_of_games_at_once_are_those_of_each(tmp_path: Path) -> None:
    uids, random = Uids("00ff"), np.random.default_rng(2)
    played, low = random.integers(-9, 9, 500) * 86_400_000_000, random.integers(3, 9, 500)
    high = low + random.integers(1, 9, 500) + (random.integers(0, 2, 500) << 30)
    cells = zip(played.tolist(), low.tolist(), high.tolist(), strict=True)
    each = [uids.uid(Identity("game", 7, at, one, other), 0) for at, one, other in cells]
    assert texts(uids.of_games(7, played, low, high)) == each


def test_without_the_extra_a_file_is_read_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo ended in ModuleNotFoundError where pyarrow was not installed."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    games = tmp_path / "games.csv"
    games.write_text("a,b,score,played\nann,bo,1,2024-03-02\nbo,cy,0.5,2024-03-09\n")
    with rc.open(":memory:") as engine:
        assert engine.import_file(games, "p").accepted == 2
        assert engine.import_file(games, "p").duplicates == 2


@pytest.mark.parametrize("plain", [True, False])
def test_columns_with_types_need_no_arrow(plain: bool) -> None:
    """A kind of table gives games as arrays; one that cannot gives None, and its rows are read one by one."""

    def games(columns: Mapping[str, str], first: int, then: int) -> Iterator[TypedRows | None]:
        assert columns == {"played": "day", "a": "a", "b": "b", "score": "score"}
        place, score = np.array([[0, 1], [1, 2]]), np.array([1.0, 0.5])
        names = ["ann", " bo", "cy"]
        yield TypedRows(np.array([MARCH, MARCH + DAY]), False, False, *place, names, score) if plain else None

    def rows(used: frozenset[int]) -> Rows:
        assert not plain
        yield from ((1, ["ann", " bo", "1", "2024-03-01"]), (2, ["bo", "cy", "1/2", "2024-03-02"]))

    sheet = Sheet("games", ("a", "b", "score", "day"), rows, typed=Typed(games))
    with rc.open(":memory:") as engine:
        file = Import(engine.log, engine.registry.method, Settings(pool="rapid"), "games")
        file.remarks = TableRemarks()
        assert import_by_columns(file, sheet, FieldMap.parse("played=day"), "rapid", []) is True
        assert [(game.a, game.b, game.score, game.played) for _, game in engine.events()] == [
            ("ann", "bo", 1.0, MARCH), ("bo", "cy", 0.5, MARCH + DAY)
        ]  # fmt: skip


SECONDS = 1_693_300_000  # 2023-08-29T09:06:40Z, as `date -u -d @1693300000` has it


@needs_tables
@pytest.mark.parametrize("scale", [1, 1_000, 1_000_000])
@pytest.mark.parametrize("kind", ["csv", "parquet", "floats.parquet", "jsonl"])
@pytest.mark.usefixtures("small")
def test_times_since_1970_are_the_same_by_columns_and_by_rows(kind: str, scale: int, tmp_path: Path) -> None:
    played = [(SECONDS + 60 * n) * scale for n in range(300)]
    table = pa.table({"played": played, "a": [f"p{n}" for n in range(300)], "b": ["bo"] * 300, "score": [1.0] * 300})
    path = tmp_path / f"games.{kind}"
    if kind == "csv":
        polars.DataFrame(table).write_csv(path)
    elif kind == "jsonl":
        polars.DataFrame(table).write_ndjson(path)
    else:
        floats = table.set_column(0, "played", table["played"].cast(pa.float64()))
        parquet.write_table(floats if kind.startswith("floats") else table, path)
    found = []
    for strict in (False, True):
        with opened(tmp_path / f"{strict}.db") as engine:
            if strict:  # a pool that has results already is read row by row
                engine.record(GamePlayed(pool="rapid", played="1999-01-01", a="x", b="y", score=1.0, uid="first"))
            report = engine.import_file(path, "rapid")
            assert (report.accepted, report.refused) == (300, [])
            found.append([row.played for row in rows_of(engine) if row.kind == "game"][-300:])
    assert found == [[(SECONDS + 60 * n) * 1_000_000 for n in range(300)]] * 2


LAYOUTS = {
    "teams that a column home names": (
        "home,away,date,hgoal,vgoal", lambda n, day: f"ann {n % 7},bo,{day},{n % 3},1",
        {"a": "home", "b": "away", "played": "date", "points_a": "hgoal", "points_b": "vgoal"},
    ),
    "players that a column id names": (
        "id,b,played,score", lambda n, day: f"ann {n % 7},bo,{day},1-0", {"a": "id"},
    ),
    "winners": (
        "played,model_a,model_b,winner",
        lambda n, day: f"{day},ann {n % 7},bo,{('model_a', 'bo', 'tie', '', '7')[n % 5]}",
        {"a": "model_a", "b": "model_b", "score": "winner"},
    ),
    "titles, short and blank rows": (
        "The club\n\nplayed;a;b;score;event;round",
        lambda n, day: (
            f"{day};ann {n % 7};bo;1", f"{day};ann;bo {n % 7};0;Open", ";;;;;", f"{day};ann;cy;1;;;;", f"{day};x",
        )[n % 5],
        {},
    ),
    "headings in two languages": (
        "Date/Datum,White/Blancs,Black/Noirs,score", lambda n, day: f"{day},ann {n % 7},bo,1",
        {"a": "White", "b": "Noirs", "played": "Datum"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.usefixtures("small")
def test_mapped_columns_winners_and_layouts_are_read_by_columns_as_row_by_row(tmp_path: Path, name: str) -> None:
    header, row, mapping = LAYOUTS[name]
    file = tmp_path / "games.csv"
    file.write_text("\n".join([header, *(row(n, day) for n, day in enumerate(DAYS))]) + "\n")
    assert alike(tmp_path, file, fields=mapping)


def test_a_typed_table_reads_a_mapped_column_once_and_its_pool_where_it_is_given(tmp_path: Path) -> None:
    table = games(20)
    by_id = table.rename_columns(["id" if name == "a" else name for name in table.column_names])
    assert alike(tmp_path, written(tmp_path, by_id), fields={"a": "id"})
    (tmp_path / "pool").mkdir()
    grouped = table.append_column("pool", pa.array(["x", "y"] * 10))
    assert alike(tmp_path / "pool", written(tmp_path, grouped))
    (tmp_path / "winner").mkdir()
    won = table.drop_columns(["score"]).append_column("winner", pa.array([1.0, 2.0] * 10))
    assert alike(tmp_path / "winner", written(tmp_path, won), fields={"score": "winner"})


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_several_blanks_in_a_name_are_one(tmp_path: Path, kind: str, recorded: bool) -> None:
    """`Adler,  Otto` was a new player, nearly spelt like `Adler, Otto`; one who was recorded so keeps the name."""
    table = polars.DataFrame({
        "played": [date(2024, 3, 2), date(2024, 3, 3)], "a": ["Adler,  Otto", "Bach, Uli"],
        "b": ["Bach, Uli", "Adler, Otto"], "score": [1.0, 0.5],
    })  # fmt: skip
    path = tmp_path / f"games.{kind}"
    {"csv": table.write_csv, "parquet": table.write_parquet, "jsonl": table.write_ndjson}[kind](path)
    with rc.open(":memory:") as engine:
        if recorded:
            engine.record(rc.GamePlayed(pool="p", played="2024-03-02", a="Adler,  Otto", b="Cox, Vi", score=1.0))
        assert engine.import_file(path, "p").accepted == 2
        names = {row["player"] for row in engine.rating_list("p", "elo")}
        assert names == {"Bach, Uli", *(("Adler,  Otto", "Cox, Vi") if recorded else ("Adler, Otto",))}
        again = engine.import_file(path, "p")
        assert (again.accepted, again.duplicates) == (0, 2)
