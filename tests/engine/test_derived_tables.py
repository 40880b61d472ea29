"""Tables for SQL: what lists and histories say, of one head, and what is added equals what is made anew."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest
from attrs import frozen

import ratingcore as rc
from ratingcore.errors import (
    LogUnavailable,
    MethodError,
    MethodNotFound,
    NotCaughtUp,
    RatingCoreError,
    UnknownName,
    WrongForm,
)
from ratingcore.events import DAY, instant, iso
from ratingcore.explain import derived_tables
from ratingcore.explain.derived_tables import CatchUp, CaughtUp
from ratingcore.log.connection import sqlite3
from ratingcore.plugin import Cadence, Column, Forecast, Games, Method, Need, Period, Rated, State
from ratingcore.tables import FOREVER
from tests.laws.histories import POOLS, League
from tests.log import conftest
from tests.log.making import game, games
from tests.log.test_erasure import found
from tests.log.workers import Workers

forking, workers = conftest.forking, conftest.workers

TABLES = ("rating_tables", "ratings_current", "rating_history")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[rc.Engine]:
    """A season of twelve games, a seed, and a session in a pool of its own."""
    with rc.open(tmp_path / "club.db") as made:
        made.record(rc.RatingSeeded(pool="rapid", played="2024-01-01", player="ann", values={"rating": 1600.0}))
        for n in range(12):
            a, b = ("ann", "bo", "cy", "di")[n % 4], ("bo", "cy", "di", "ann", "cy")[n % 5]
            if a != b:
                made.record(game(f"g-{n}", a, b, (1.0, 0.5, 0.0)[n % 3], played=f"2024-0{1 + n // 4}-1{n % 4}"))
        sides = [rc.Side(["ann", "bo"], 54.0), rc.Side(["cy", "di"], 46.0)]
        made.record(rc.SessionPlayed(uid="s-1", pool="bridge", played="2024-03-02", sides=sides))
        yield made


def rows(path: Path, sql: str, *values: object) -> list[dict[str, Any]]:
    """What a stranger reads in the file."""
    db = sqlite3.connect(path)
    try:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(sql, values)]
    finally:
        db.close()


def dump(path: Path, *, without: tuple[str, ...] = ()) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the tables, in order of their keys."""
    order = {"rating_tables": "1, 2", "ratings_current": "1, 2, 3", "rating_history": "1, 2, 3, 4"}
    told = {}
    for name in TABLES:
        read = rows(path, f"SELECT * FROM {name} ORDER BY {order[name]}")
        told[name] = [tuple(cell for column, cell in row.items() if column not in without) for row in read]
    return told


def done(caught: list[CaughtUp]) -> list[str]:
    return [row.done for row in caught]


# what the tables say


@pytest.mark.parametrize(
    "method",
    ["elo:k=24", "elo:period=month", "elo:entry=trial(2)", "berkin-change", "adaptive-k", "glicko", "glicko2", "whr"],
)
def test_the_tables_say_what_the_list_and_the_histories_say(engine: rc.Engine, tmp_path: Path, method: str) -> None:
    (caught,) = engine.catch_up("rapid", method)
    listed = engine.rating_list("rapid", method)
    assert caught == CaughtUp("rapid", method, engine.log.head.position, len(listed), caught.lines, "made")
    current = rows(tmp_path / "club.db", "SELECT * FROM ratings_current ORDER BY rank IS NULL, rank, player")
    for row, said in zip(current, listed, strict=True):
        further = json.loads(row["further"] or "{}")
        assert {name: row[name] for name in ("rank", "player", "rating", "games")} | further == said
        assert (row["pool"], row["method"], row["known_at"]) == ("rapid", method, listed.known_at)
        assert row["head"] == listed.provenance.digest
        assert row["player_id"] == engine.player_id(row["player"])
    count = 0
    for player in listed.player:
        lines = engine.history("rapid", player, method)
        kept = rows(tmp_path / "club.db", "SELECT * FROM rating_history WHERE player = ? ORDER BY line", player)
        assert [row["line"] for row in kept] == list(range(1, len(lines) + 1))
        for row, line in zip(kept, lines, strict=True):
            assert row["played"] == iso(line.played)
            assert row["uid"] == (None if line.position is None else engine.log.uid(line.position))
            for name in ("opponent", "score", "expected", "change", "rating"):
                cell = getattr(line, name)
                assert row[name] == (None if cell != cell else cell), (player, line, row)
            assert json.loads(row["further"] or "{}") == pytest.approx(dict(line.columns), rel=1e-12)
        count += len(lines)
    assert caught.lines == count


def test_tables_of_an_earlier_version_get_the_column_of_deviations(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("rapid", "glicko")
    engine.catch_up("rapid", "elo:k=24")
    wanted = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", "ALTER TABLE rating_history DROP COLUMN further")
    assert done(engine.catch_up()) == ["made again: lines have further columns now"] * 2
    assert dump(tmp_path / "club.db") == wanted
    assert done(engine.catch_up()) == ["nothing new"] * 2


def test_sessions_and_methods_of_pairs_have_tables_too(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("bridge", "bridge-bayes")
    kept = rows(tmp_path / "club.db", "SELECT player, opponent, score FROM rating_history ORDER BY player")
    told = {"ann": "cy + di", "bo": "cy + di", "cy": "ann + bo", "di": "ann + bo"}
    assert {row["player"]: row["opponent"] for row in kept} == told
    (current, *_) = rows(tmp_path / "club.db", "SELECT further FROM ratings_current")
    assert "deviation" in json.loads(current["further"])


def test_the_tables_are_plain_and_have_keys_and_indexes(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("rapid", "elo", tmp_path / "tables.db")
    keys = {"rating_tables": 2, "ratings_current": 3, "rating_history": 4}
    for name in TABLES:
        columns = rows(tmp_path / "tables.db", f"PRAGMA table_info({name})")
        assert max(column["pk"] for column in columns) == keys[name]
        assert not rows(tmp_path / "tables.db", f"PRAGMA foreign_key_list({name})")
    plan = rows(tmp_path / "tables.db", "EXPLAIN QUERY PLAN SELECT * FROM rating_history WHERE player = 'ann'")
    assert "USING INDEX" in plan[0]["detail"]
    assert not list(tmp_path.glob("tables.db-*"))


def test_the_log_is_the_same_log_with_tables_in_its_file(engine: rc.Engine, tmp_path: Path) -> None:
    head, lines = engine.log.head, list(engine.export())
    engine.catch_up("rapid", "elo")
    assert (engine.verify([head]).head, list(engine.export())) == (head, lines)
    engine.backup(tmp_path / "copy.db")
    with rc.open(tmp_path / "copy.db") as copy:
        assert done(copy.catch_up()) == ["nothing new"]
    with rc.open(":memory:") as loaded:
        assert loaded.load(lines).head == head


# which are kept


def test_without_arguments_all_that_are_kept_are_brought_up_to_date(engine: rc.Engine, tmp_path: Path) -> None:
    assert engine.catch_up() == []
    engine.catch_up("rapid", "elo")
    engine.catch_up("rapid", "elo:k=24")
    assert done(engine.catch_up()) == ["nothing new", "nothing new"]
    engine.record(game("new", "ann", "bo", played="2024-05-01"))
    assert [(row.pool, row.method, row.done) for row in engine.catch_up()] == [
        ("rapid", "elo", "brought up to date"), ("rapid", "elo:k=24", "brought up to date"),
    ]  # fmt: skip
    assert done(engine.catch_up(pool="bridge")) == []
    (new, *_) = rows(tmp_path / "club.db", "SELECT count(*) AS n FROM rating_history WHERE uid = 'new'")
    assert new["n"] == 4


def test_one_method_has_one_name(engine: rc.Engine) -> None:
    assert [row.method for row in engine.catch_up("rapid", " elo:k=24 ")] == ["elo:k=24"]
    for other in ("elo:k=24.0", "elo:curve=logistic,k=24", engine.registry.method("elo:k=24")):
        (row,) = engine.catch_up("rapid", other)
        assert (row.method, row.done) == ("elo:k=24", "nothing new")


def test_a_method_without_a_pool_is_for_all_pools(engine: rc.Engine) -> None:
    failed: list[RatingCoreError] = []
    caught = engine.catch_up(method="elo", failed=failed)  # it cannot rate sessions
    assert [row.pool for row in caught] == ["rapid"]
    assert [type(error.error) for error in failed if isinstance(error, NotCaughtUp)] == [WrongForm]
    with pytest.raises(RatingCoreError, match="bridge"):
        engine.catch_up(method="elo")
    assert done(engine.catch_up()) == ["nothing new"]


def test_a_pair_whose_row_is_taken_away_goes_with_the_next_call(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("rapid", "elo")
    engine.catch_up("rapid", "elo:k=24")
    stranger(tmp_path / "club.db", "DELETE FROM rating_tables WHERE method = 'elo'")
    engine.record(game("new", "ann", "bo"))
    engine.catch_up()
    for name in TABLES:
        assert rows(tmp_path / "club.db", f"SELECT DISTINCT method FROM {name}") == [{"method": "elo:k=24"}]


def test_what_cannot_be_is_refused_before_anything_is_written(engine: rc.Engine, tmp_path: Path) -> None:
    for error, pool, method in (
        (UnknownName, "blitz", "elo"),
        (MethodNotFound, "rapid", "eloo"),
        (UnknownName, "x", None),
    ):
        with pytest.raises(error):
            engine.catch_up(pool, method, tmp_path / "tables.db")
    assert not rows(tmp_path / "tables.db", "SELECT * FROM sqlite_master")
    with rc.open(tmp_path / "other.db") as other:
        other.record(game(1))
    (tmp_path / "text.db").write_text("no database, and long enough to be seen as none" * 40)
    for path, why in (
        ("other.db", "another log"),
        (".", "a folder"),
        ("text.db", "no SQLite file"),
        ("no/t.db", "opened"),
    ):
        with pytest.raises(RatingCoreError, match=why):
            engine.catch_up("rapid", "elo", tmp_path / path)
    stranger(tmp_path / "mine.db", "CREATE TABLE rating_history (mine TEXT)")
    with pytest.raises(LogUnavailable, match="its table rating_history has other columns"):
        engine.catch_up("rapid", "elo", tmp_path / "mine.db")
    assert rows(tmp_path / "mine.db", "SELECT name FROM sqlite_master") == [{"name": "rating_history"}]


def test_a_log_in_memory_and_one_that_is_only_read_have_tables_elsewhere(engine: rc.Engine, tmp_path: Path) -> None:
    with rc.open(":memory:") as memory:
        memory.load(engine.export())
        with pytest.raises(LogUnavailable, match="has no file for tables"):
            memory.catch_up("rapid", "elo")
        assert done(memory.catch_up("rapid", "elo", tmp_path / "memory.db")) == ["made"]
    with rc.open(tmp_path / "club.db", read_only=True) as reader:
        with pytest.raises(LogUnavailable, match="read-only"):
            reader.catch_up("rapid", "elo")
        assert done(reader.catch_up("rapid", "elo", tmp_path / "reader.db")) == ["made"]
    assert dump(tmp_path / "memory.db") == dump(tmp_path / "reader.db")


def test_a_pool_in_which_nothing_counts_any_more_has_empty_tables(engine: rc.Engine, tmp_path: Path) -> None:
    engine.record(game("only", pool="blitz"))
    engine.catch_up("blitz", "elo")
    engine.void("only")
    (caught,) = engine.catch_up()
    assert (caught.players, caught.lines, caught.done) == (0, 0, "brought up to date")
    assert dump(tmp_path / "club.db")["rating_history"] == []


def _void(engine: rc.Engine) -> None:
    engine.void("only")


def _merge(engine: rc.Engine) -> None:
    engine.record(rc.PlayersMerged(keep="ann", other="bo"))


def _move(engine: rc.Engine) -> None:
    engine.amend("only", {"pool": "rapid"})


@pytest.mark.parametrize(
    "method",
    ["elo", "elo:period=month", "elo:period=days(2),entry=pooled(1,2)", "elo:period=event", "periodic", "dwz", "egf",
     "fesa", "berkin", "berkin-change", "adaptive-k", "chess-bayes", "elo:entry=trial(2)"],
)  # fmt: skip
@pytest.mark.parametrize("empty", [_void, _merge, _move])
def test_a_pool_that_is_emptied_loses_its_rows_and_gets_new_ones_later(
    engine: rc.Engine, tmp_path: Path, method: str, empty: Callable[[rc.Engine], None]
) -> None:
    """Periodic methods died with `OverflowError`: the day of their list lay before every calendar."""
    engine.record(game("only", pool="blitz"), game("other", pool="slow"))
    to = tmp_path / "tables.db"
    for pool in ("blitz", "slow"):
        engine.catch_up(pool, method, to)
    empty(engine)
    caught = {row.pool: row for row in engine.catch_up(to=to)}
    assert (caught["blitz"].players, caught["blitz"].lines) == (0, 0)
    assert not of(to, "blitz")["ratings_current"]
    assert not of(to, "blitz")["rating_history"]
    engine.catch_up(method=method, pool="blitz", to=tmp_path / "empty.db")
    assert of(to, "blitz") == of(tmp_path / "empty.db", "blitz")
    engine.record(game("again", "cy", "di", pool="blitz"))
    assert {row.pool: row.players for row in engine.catch_up(to=to)}["blitz"] == 2
    engine.catch_up("blitz", method, tmp_path / "fresh.db")
    assert of(to, "blitz") == of(tmp_path / "fresh.db", "blitz")


@pytest.mark.parametrize(
    "error", [OverflowError("date value out of range"), RatingCoreError("no"), ZeroDivisionError()]
)
def test_what_goes_wrong_with_one_pool_does_not_stop_the_others(
    engine: rc.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    engine.record(*(game(f"in {pool}", pool=pool) for pool in ("a pool", "blitz", "zen")))
    to = tmp_path / "tables.db"
    for pool in ("a pool", "blitz", "zen"):
        engine.catch_up(pool, "elo", to)
    engine.record(*(game(f"later in {pool}", "cy", "di", pool=pool) for pool in ("a pool", "blitz", "zen")))
    replay = derived_tables.replayed

    def broken(method: Method, view: Any, *args: Any, **more: Any) -> Any:
        if view.pool == "blitz":
            raise error
        return replay(method, view, *args, **more)

    monkeypatch.setattr(derived_tables, "replayed", broken)
    failed: list[RatingCoreError] = []
    before = of(to, "blitz")
    assert [row.pool for row in engine.catch_up(to=to, failed=failed)] == ["a pool", "zen"]
    (wrong,) = failed
    assert isinstance(wrong, NotCaughtUp)
    assert (wrong.pool, wrong.method, wrong.error) == ("blitz", "elo", error)
    assert str(wrong).startswith("pool blitz by elo is not brought up to date: ")
    assert of(to, "blitz") == before
    assert len(of(to, "zen")["ratings_current"]) == 4
    with pytest.raises(type(error)):
        engine.catch_up(to=to)
    monkeypatch.undo()
    assert done(engine.catch_up(to=to)) == ["nothing new", "brought up to date", "nothing new"]
    assert len(of(to, "blitz")["ratings_current"]) == 4


# what strangers do


def stranger(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    for sql in statements:
        db.execute(sql)
    db.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE ratings_current SET rating = 3000 WHERE rank = 1", "DELETE FROM ratings_current WHERE rank = 2",
        "DELETE FROM rating_history WHERE line = 2", "DROP TABLE rating_history", "DROP TABLE ratings_current",
        "UPDATE ratings_current SET player = x'00'", "UPDATE ratings_current SET player = 'me'",
    ],
)  # fmt: skip
def test_what_a_stranger_did_to_the_rows_is_made_good(engine: rc.Engine, tmp_path: Path, sql: str) -> None:
    engine.catch_up("rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", sql)
    assert done(engine.catch_up()) == ["made again: rows were changed"]
    assert dump(tmp_path / "club.db") == before
    assert done(engine.catch_up()) == ["nothing new"]


def test_tables_that_were_dropped_are_made_when_they_are_asked_for(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", *(f"DROP TABLE {name}" for name in TABLES))
    assert engine.catch_up() == []
    engine.catch_up("rapid", "elo")
    assert dump(tmp_path / "club.db") == before


def test_tables_of_another_history_are_made_again(engine: rc.Engine, tmp_path: Path) -> None:
    engine.backup(tmp_path / "old.db")
    engine.record(game("lost", "ann", "bo", played="2024-06-01"))
    engine.catch_up("rapid", "elo", tmp_path / "tables.db")
    with rc.open(tmp_path / "old.db") as restored:
        assert done(restored.catch_up(to=tmp_path / "tables.db")) == ["made again: the log has another history"]
        restored.record(game("other", "cy", "bo", played="2024-06-01"))
        restored.catch_up("rapid", "elo", tmp_path / "fresh.db")
        restored.catch_up(to=tmp_path / "tables.db")
    assert dump(tmp_path / "tables.db") == dump(tmp_path / "fresh.db")


def test_a_method_whose_formula_changed_is_made_again(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("rapid", "elo")
    before = dump(tmp_path / "club.db")
    stranger(tmp_path / "club.db", "UPDATE rating_tables SET identity = replace(identity, 'elo@1', 'elo@0')")
    assert done(engine.catch_up()) == ["made again: the method has changed"]
    assert dump(tmp_path / "club.db") == before


# what is added equals what is made anew


@frozen
class Losing(Method):
    """Every player loses a point at the end of every two days, also of those in which nobody plays."""

    name = "losing"
    cadence = Cadence.PERIODIC

    @property
    def period(self) -> Period:
        return Period.parse("days(2)")

    def columns(self) -> tuple[Column, ...]:
        return (Column("rating", 1500.0),)

    def rate(self, state: State, games: Games) -> Rated:
        rating, change = state.copy("rating"), 10.0 * (games.score - 0.5)
        np.add.at(rating, games.a, change)
        np.add.at(rating, games.b, -change)
        lost = np.full(len(rating), -1.0)
        state = state.replace(rating=rating + lost)
        return Rated(state, np.full(len(games), 0.5), (change, -change), after={"lost": lost})

    def expected(self, state: State, games: Games) -> Forecast:
        return Forecast(np.full(len(games), 0.5))


@frozen
class Aged(Losing):
    """Game by game, and who was born earlier wins more."""

    name = "aged"
    cadence = Cadence.CONTINUOUS
    needs = (Need("born", of="player", default=2000.0),)
    period = None

    def rate(self, state: State, games: Games) -> Rated:
        rating, change = state.copy("rating"), (2100.0 - games["born"][games.a]) * (games.score - 0.5)
        np.add.at(rating, games.a, change)
        return Rated(state.replace(rating=rating), np.full(len(games), 0.5), (change, np.zeros(len(games))))


class Points(League):
    """A league whose games have points, seasons and tournaments, and whose players are of different ages."""

    def event(self) -> rc.Event:
        event = super().event()
        if isinstance(event, rc.PlayerDescribed):
            return attrs.evolve(event, data={"born": 1900 + len(self._past)})
        if not isinstance(event, rc.GamePlayed):
            return event
        day = event.played // DAY
        points = {"points_a": round(event.score * 10), "points_b": round(10 - event.score * 10)}
        return attrs.evolve(event, data=points | {"season": day // 3, "home": "a", "event": f"Open {day // 2}"})


def steps(method: str, seed: int, engine: rc.Engine) -> Iterator[str]:
    """Batch after batch is recorded; the pools that can be rated then."""
    random = Random(f"{method} {seed}")
    league = Points(random)
    for _ in range(14):
        try:
            engine.record(*league.batch())
        except RatingCoreError:  # not every correction is possible
            continue
        for pool in set(POOLS) & set(engine.pools()):
            try:
                if engine.view(pool).n_players and engine.rating_list(pool, method):
                    yield pool
            except MethodError:  # not every method rates every log
                continue


@pytest.mark.parametrize(
    ("method", "added_to"),
    [
        ("elo", True), ("elo:period=days(2)", True), ("elo:period=month", True), ("adaptive-k", True),
        ("elo:period=cuts(1970-01-03;1970-01-06)", True), ("elo:preset=fide", True), ("dwz", False),
        ("elo-margin:preset=football", True), ("elo-margin:preset=nba538", True), ("periodic:period=days(3)", True),
        ("elo:entry=trial(2)", False), ("egf", False), ("egf:period=month", True), ("elo:period=event", False),
        ("berkin-change", True), ("chess-bayes", True), ("losing", True), ("aged", True),
        ("elo:period=days(2),entry=pooled(1,2)", False),
    ],
)  # fmt: skip
def test_tables_brought_up_to_date_step_by_step_equal_tables_made_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, added_to: bool
) -> None:
    begun = []
    write = derived_tables.CatchUp._write
    monkeypatch.setattr(derived_tables.CatchUp, "_write", lambda *args: begun.append(args[-1]) or write(*args))
    for seed in range(6):
        with rc.open(":memory:") as engine:
            engine.registry._methods |= {"losing": Losing, "aged": Aged}
            for number, pool in enumerate(steps(method, seed, engine)):
                engine.catch_up(pool, method, tmp_path / f"steps-{seed}.db")
                engine.catch_up(pool, method, tmp_path / f"fresh-{seed}-{number}.db")
                one, other = (of(tmp_path / name, pool) for name in (f"steps-{seed}.db", f"fresh-{seed}-{number}.db"))
                assert one == other, (seed, number, pool)
    from_a_day = [since for since in begun if since not in (None, FOREVER)]
    assert bool(from_a_day) == added_to
    assert FOREVER in begun or not added_to


def of(path: Path, pool: str) -> dict[str, list[tuple[Any, ...]]]:
    return {name: [row for row in table if row[0] == pool] for name, table in dump(path).items()}


def test_only_what_is_played_later_is_read_again(engine: rc.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.catch_up("rapid", "elo")
    asked = []
    replay = derived_tables.replayed
    monkeypatch.setattr(
        derived_tables, "replayed", lambda *args, **more: asked.append(more.get("since")) or replay(*args, **more)
    )
    engine.record(game("late", "ann", "cy", played="2024-02-20T18:30Z"))
    engine.catch_up()
    engine.record(game("elsewhere", pool="blitz"))
    engine.catch_up()
    assert asked == [instant("2024-02-20"), None]


# erasure


def test_an_erased_name_leaves_the_tables_in_the_file_of_the_log(engine: rc.Engine, tmp_path: Path) -> None:
    engine.catch_up("rapid", "elo")
    engine.catch_up("bridge", "bridge-bayes")
    before = dump(tmp_path / "club.db", without=("digest", "erased"))
    result = engine.erase("ann")
    assert found(tmp_path, "ann") == []
    label = result.labels[0]
    named = {
        name: [tuple(label if c == "ann" else f"{label} + bo" if c == "ann + bo" else c for c in row) for row in table]
        for name, table in before.items()
    }
    assert dump(tmp_path / "club.db", without=("digest", "erased")) == named
    assert result.rows == sum(row != old for name in TABLES for row, old in zip(named[name], before[name], strict=True))
    assert done(engine.catch_up()) == ["nothing new", "nothing new"]
    for pool, method in (("rapid", "elo"), ("bridge", "bridge-bayes")):
        engine.catch_up(pool, method, tmp_path / "fresh.db")
    assert dump(tmp_path / "fresh.db") == dump(tmp_path / "club.db")


def test_an_erased_name_leaves_the_tables_in_another_file_with_the_next_call(engine: rc.Engine, tmp_path: Path) -> None:
    engine.record(game("x", "ann", "Zo\u00eb"), game("y", "bo", "Zo\u00eb"))
    for pool, method in (("rapid", "elo"), ("bridge", "bridge-bayes")):
        engine.catch_up(pool, method, tmp_path / "tables.db")
    for name in ("ann", "Zo\u00eb"):
        assert "tables.db" in found(tmp_path, name)
        engine.erase(name)
        assert found(tmp_path, name) == ["tables.db"]
        assert done(engine.catch_up(to=tmp_path / "tables.db")) == ["nothing new", "nothing new"]
        assert found(tmp_path, name) == []
    for pool, method in (("rapid", "elo"), ("bridge", "bridge-bayes")):
        engine.catch_up(pool, method, tmp_path / "fresh.db")
    assert dump(tmp_path / "tables.db") == dump(tmp_path / "fresh.db")


def test_a_label_is_no_name_and_a_name_may_hold_any_sign(tmp_path: Path) -> None:
    """The players `seed`, `a + b` and `%`: none is taken for a label, a side, or a pattern."""
    with rc.open(tmp_path / "club.db") as engine:
        sides = [rc.Side(["seed", "a + b"], 54.0), rc.Side(["%", "seeds"], 46.0)]
        engine.record(
            rc.RatingSeeded(pool="rapid", played="2024-01-01", player="seed", values={"rating": 1600.0}),
            game(1, "seed", "a + b"), game(2, "%", "seeds"), game(3, "seed", "%"),
            rc.SessionPlayed(pool="bridge", played="2024-03-02", sides=sides),
        )  # fmt: skip
        for name in ("seed", "a + b", "%"):
            engine.catch_up("rapid", "elo")
            engine.catch_up("bridge", "bridge-bayes")
            engine.erase(name)
            engine.catch_up("rapid", "elo", tmp_path / f"fresh {name}.db")
            engine.catch_up("bridge", "bridge-bayes", tmp_path / f"fresh {name}.db")
            assert dump(tmp_path / "club.db") == dump(tmp_path / f"fresh {name}.db")
        told = rows(tmp_path / "club.db", "SELECT DISTINCT opponent FROM rating_history")
        assert {row["opponent"] for row in told} == {
            "seed", "seeds", "(erased 2)", "(erased 3)", "(erased 4)", "(erased 4) + seeds", "(erased 2) + (erased 3)",
        }  # fmt: skip


# other processes


@pytest.mark.parametrize("to", [None, "tables.db"])
def test_many_may_catch_up_at_once_while_another_appends(workers: Workers, tmp_path: Path, to: str | None) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as engine:
        engine.record(*games(1, 50))
        target = None if to is None else str(tmp_path / to)
        at = time.time() + 1.0
        catching = [workers.start("catch_up", str(path), target, at, 6) for _ in range(3)]
        while time.time() < at:
            time.sleep(0.01)
        for number in range(51, 120):
            engine.record(game(number, f"p{number % 9}", f"q{number % 4}"))
            time.sleep(0.005)
        said = [list(worker) for worker in catching]
        assert [len(lines) for lines in said] == [6, 6, 6]
        for lines in said:
            assert [line[0] for line in lines] == sorted(line[0] for line in lines)
            assert {line[1] for line in lines} <= {"made", "brought up to date", "nothing new"}
        assert sum(line[1] == "made" for lines in said for line in lines) == 1
        engine.catch_up("rapid", "elo", target)
        engine.catch_up("rapid", "elo", tmp_path / "fresh.db")
    assert dump(tmp_path / (to or "club.db")) == dump(tmp_path / "fresh.db")


def test_whoever_reads_sees_the_rows_of_one_head(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with rc.open(path) as engine:
        engine.record(*games(1, 50))
        engine.catch_up("rapid", "elo")
        worker = workers.start("catch_up", str(path), None, time.time(), 1000)
        db, heads = sqlite3.connect(path, isolation_level=None), set()
        number, deadline = 51, time.monotonic() + 30
        while len(heads) < 4 and time.monotonic() < deadline:
            engine.record(game(number, f"p{number % 9}", f"q{number % 4}"))
            db.execute("BEGIN")
            ((known_at, lines),) = db.execute("SELECT known_at, lines FROM rating_tables").fetchall()
            assert db.execute("SELECT DISTINCT known_at FROM ratings_current").fetchall() == [(known_at,)]
            assert db.execute("SELECT count(*) FROM rating_history").fetchone() == (lines,) == (2 * known_at,)
            db.execute("COMMIT")
            heads.add(known_at)
            number += 1
        worker.stop()
        db.close()
        assert len(heads) == 4


def test_every_pool_takes_as_many_queries_however_many_there_are(tmp_path: Path) -> None:
    """Each pool read the entries and the rows of all others: a thousand pools took minutes."""
    read = []
    for n in (20, 80):
        with rc.open(":memory:") as engine, derived_tables.tables_of(engine.log, tmp_path / f"{n}.db") as tables:
            engine.record(*(game(f"g{at}", pool=f"pool {at}") for at in range(n)))
            fetched = [0]
            everything = tables._all

            def counted(sql: str, values: Any = (), fetched: Any = fetched, everything: Any = everything) -> list[Any]:
                rows = list(everything(sql, values))
                fetched[0] += 1 + len(rows)
                return rows

            tables._all = counted  # type: ignore[method-assign]  # counts what is read
            core = engine._core
            CatchUp(core.log, core.registry, core.columns, tables).all(None, "elo")
            read.append(fetched[0])
    assert read[1] < 4.5 * read[0]
