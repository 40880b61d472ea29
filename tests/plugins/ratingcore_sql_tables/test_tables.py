"""Tables for SQL: what lists and histories say, of one head; and which tables are kept."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import ratingcore_sql_tables.catch_up as module
from ratingcore_sql_tables.catch_up import CaughtUp, NotCaughtUp, catch_up

import ratingcore as rc
from ratingcore.errors import LogUnavailable, MethodNotFound, RatingCoreError, UnknownName, WrongForm
from ratingcore.events import iso
from ratingcore.log import load_lines
from ratingcore.log.lookup import uid_at
from ratingcore.plugin import Method
from tests.log.making import game
from tests.plugins.ratingcore_sql_tables import club as made_club
from tests.plugins.ratingcore_sql_tables.club import TABLES, done, dump, of, rows, stranger

engine = made_club.engine


# what the tables say


@pytest.mark.parametrize(
    "method",
    ["elo:k=24", "elo:period=month", "elo:entry=trial(2)", "berkin-change", "adaptive-k", "glicko", "glicko2", "whr"],
)
def test_the_tables_say_what_the_list_and_the_histories_say(engine: rc.Engine, tmp_path: Path, method: str) -> None:
    (caught,) = catch_up(engine, "rapid", method)
    listed = engine.rating_list("rapid", method)
    assert caught == CaughtUp("rapid", method, engine.log.head.position, len(listed), caught.lines, "made")
    current = rows(tmp_path / "club.db", "SELECT * FROM ratings_current ORDER BY rank IS NULL, rank, player")
    for row, said in zip(current, listed, strict=True):
        further = json.loads(row["further"] or "{}")
        assert {name: row[name] for name in ("rank", "player", "rating", "games")} | further == said
        assert (row["pool"], row["method"], row["known_at"]) == ("rapid", method, listed.known_at)
        assert row["head"] == listed.provenance.digest
        assert row["player_id"] == engine.core.player_id(row["player"])
    count = 0
    for player in listed.player:
        lines = engine.history("rapid", player, method)
        kept = rows(tmp_path / "club.db", "SELECT * FROM rating_history WHERE player = ? ORDER BY line", player)
        assert [row["line"] for row in kept] == list(range(1, len(lines) + 1))
        for row, line in zip(kept, lines, strict=True):
            assert row["played"] == iso(line.played)
            assert row["uid"] == (None if line.position is None else uid_at(engine.log, line.position))
            for name in ("opponent", "score", "expected", "change", "rating"):
                cell = getattr(line, name)
                assert row[name] == (None if cell != cell else cell), (player, line, row)
            assert json.loads(row["further"] or "{}") == pytest.approx(dict(line.columns), rel=1e-12)
        count += len(lines)
    assert caught.lines == count


def test_sessions_and_methods_of_pairs_have_tables_too(engine: rc.Engine, tmp_path: Path) -> None:
    catch_up(engine, "bridge", "bridge-bayes")
    kept = rows(tmp_path / "club.db", "SELECT player, opponent, score FROM rating_history ORDER BY player")
    told = {"ann": "cy + di", "bo": "cy + di", "cy": "ann + bo", "di": "ann + bo"}
    assert {row["player"]: row["opponent"] for row in kept} == told
    (current, *_) = rows(tmp_path / "club.db", "SELECT further FROM ratings_current")
    assert "deviation" in json.loads(current["further"])


def test_the_tables_are_plain_and_have_keys_and_indexes(engine: rc.Engine, tmp_path: Path) -> None:
    catch_up(engine, "rapid", "elo", tmp_path / "tables.db")
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
    catch_up(engine, "rapid", "elo")
    assert (engine.verify([head]).head, list(engine.export())) == (head, lines)
    engine.log.backup(tmp_path / "copy.db")
    with rc.open(tmp_path / "copy.db") as copy:
        assert done(catch_up(copy)) == ["nothing new"]
    with rc.open(":memory:") as loaded:
        assert loaded.load(lines).head == head


# which are kept


def test_without_arguments_all_that_are_kept_are_brought_up_to_date(engine: rc.Engine, tmp_path: Path) -> None:
    assert catch_up(engine) == []
    catch_up(engine, "rapid", "elo")
    catch_up(engine, "rapid", "elo:k=24")
    assert done(catch_up(engine)) == ["nothing new", "nothing new"]
    engine.record(game("new", "ann", "bo", played="2024-05-01"))
    assert [(row.pool, row.method, row.done) for row in catch_up(engine)] == [
        ("rapid", "elo", "brought up to date"), ("rapid", "elo:k=24", "brought up to date"),
    ]  # fmt: skip
    assert done(catch_up(engine, pool="bridge")) == []
    (new, *_) = rows(tmp_path / "club.db", "SELECT count(*) AS n FROM rating_history WHERE uid = 'new'")
    assert new["n"] == 4


def test_one_method_has_one_name(engine: rc.Engine) -> None:
    assert [row.method for row in catch_up(engine, "rapid", " elo:k=24 ")] == ["elo:k=24"]
    for other in ("elo:k=24.0", "elo:curve=logistic,k=24", engine.registry.method("elo:k=24")):
        (row,) = catch_up(engine, "rapid", other)
        assert (row.method, row.done) == ("elo:k=24", "nothing new")


def test_a_method_without_a_pool_is_for_all_pools(engine: rc.Engine) -> None:
    failed: list[RatingCoreError] = []
    caught = catch_up(engine, method="elo", failed=failed)  # it cannot rate sessions
    assert [row.pool for row in caught] == ["rapid"]
    assert [type(error.error) for error in failed if isinstance(error, NotCaughtUp)] == [WrongForm]
    with pytest.raises(RatingCoreError, match="bridge"):
        catch_up(engine, method="elo")
    assert done(catch_up(engine)) == ["nothing new"]


def test_a_pair_whose_row_is_taken_away_goes_with_the_next_call(engine: rc.Engine, tmp_path: Path) -> None:
    catch_up(engine, "rapid", "elo")
    catch_up(engine, "rapid", "elo:k=24")
    stranger(tmp_path / "club.db", "DELETE FROM rating_tables WHERE method = 'elo'")
    engine.record(game("new", "ann", "bo"))
    catch_up(engine)
    for name in TABLES:
        assert rows(tmp_path / "club.db", f"SELECT DISTINCT method FROM {name}") == [{"method": "elo:k=24"}]


def test_what_cannot_be_is_refused_before_anything_is_written(engine: rc.Engine, tmp_path: Path) -> None:
    for error, pool, method in (
        (UnknownName, "blitz", "elo"),
        (MethodNotFound, "rapid", "eloo"),
        (UnknownName, "x", None),
    ):
        with pytest.raises(error):
            catch_up(engine, pool, method, tmp_path / "tables.db")
    assert not rows(tmp_path / "tables.db", "SELECT * FROM sqlite_master")
    with rc.open(tmp_path / "other.db") as other:
        other.record(game(1))
    (tmp_path / "text.db").write_text("no database, and long enough to be seen as none" * 40)
    for path, why in (
        ("other.db", "another log"),
        (".", "a folder"),
        ("text.db", "not a SQLite file"),
        ("no/t.db", "opened"),
    ):
        with pytest.raises(RatingCoreError, match=why):
            catch_up(engine, "rapid", "elo", tmp_path / path)
    stranger(tmp_path / "mine.db", "CREATE TABLE rating_history (mine TEXT)")
    with pytest.raises(LogUnavailable, match="its table rating_history has other columns"):
        catch_up(engine, "rapid", "elo", tmp_path / "mine.db")
    assert rows(tmp_path / "mine.db", "SELECT name FROM sqlite_master") == [{"name": "rating_history"}]


def test_a_log_in_memory_and_one_that_is_only_read_have_tables_elsewhere(engine: rc.Engine, tmp_path: Path) -> None:
    with rc.open(":memory:") as memory:
        load_lines(memory.log, engine.export())
        with pytest.raises(LogUnavailable, match="has no file for tables"):
            catch_up(memory, "rapid", "elo")
        assert done(catch_up(memory, "rapid", "elo", tmp_path / "memory.db")) == ["made"]
    with rc.open(tmp_path / "club.db", read_only=True) as reader:
        with pytest.raises(LogUnavailable, match="read-only"):
            catch_up(reader, "rapid", "elo")
        assert done(catch_up(reader, "rapid", "elo", tmp_path / "reader.db")) == ["made"]
    assert dump(tmp_path / "memory.db") == dump(tmp_path / "reader.db")


def test_a_pool_in_which_nothing_counts_any_more_has_empty_tables(engine: rc.Engine, tmp_path: Path) -> None:
    engine.record(game("only", pool="blitz"))
    catch_up(engine, "blitz", "elo")
    engine.void("only")
    (caught,) = catch_up(engine)
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
        catch_up(engine, pool, method, to)
    empty(engine)
    caught = {row.pool: row for row in catch_up(engine, to=to)}
    assert (caught["blitz"].players, caught["blitz"].lines) == (0, 0)
    assert not of(to, "blitz")["ratings_current"]
    assert not of(to, "blitz")["rating_history"]
    catch_up(engine, method=method, pool="blitz", to=tmp_path / "empty.db")
    assert of(to, "blitz") == of(tmp_path / "empty.db", "blitz")
    engine.record(game("again", "cy", "di", pool="blitz"))
    assert {row.pool: row.players for row in catch_up(engine, to=to)}["blitz"] == 2
    catch_up(engine, "blitz", method, tmp_path / "fresh.db")
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
        catch_up(engine, pool, "elo", to)
    engine.record(*(game(f"later in {pool}", "cy", "di", pool=pool) for pool in ("a pool", "blitz", "zen")))
    replay = module.replayed

    def broken(method: Method, view: Any, *args: Any, **more: Any) -> Any:
        if view.pool == "blitz":
            raise error
        return replay(method, view, *args, **more)

    monkeypatch.setattr(module, "replayed", broken)
    failed: list[RatingCoreError] = []
    before = of(to, "blitz")
    assert [row.pool for row in catch_up(engine, to=to, failed=failed)] == ["a pool", "zen"]
    (wrong,) = failed
    assert isinstance(wrong, NotCaughtUp)
    assert (wrong.pool, wrong.method, wrong.error) == ("blitz", "elo", error)
    assert str(wrong).startswith("pool blitz by elo is not brought up to date: ")
    assert of(to, "blitz") == before
    assert len(of(to, "zen")["ratings_current"]) == 4
    with pytest.raises(type(error)):
        catch_up(engine, to=to)
    monkeypatch.undo()
    assert done(catch_up(engine, to=to)) == ["nothing new", "brought up to date", "nothing new"]
    assert len(of(to, "blitz")["ratings_current"]) == 4
