"""An erased name leaves the tables for SQL."""

from pathlib import Path

from ratingcore_sql_tables.catch_up import catch_up

import ratingcore as rc
from ratingcore.erasure import Erasure, ErasureRequest
from tests.log.making import game
from tests.log.test_erasure import found
from tests.plugins.ratingcore_sql_tables import club as made_club
from tests.plugins.ratingcore_sql_tables.club import TABLES, done, dump, rows, stranger

engine = made_club.engine


def test_an_erased_name_leaves_the_tables_in_the_file_of_the_log(engine: rc.Engine, tmp_path: Path) -> None:
    catch_up(engine, "rapid", "elo")
    catch_up(engine, "bridge", "bridge-bayes")
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
    assert done(catch_up(engine)) == ["nothing new", "nothing new"]
    for pool, method in (("rapid", "elo"), ("bridge", "bridge-bayes")):
        catch_up(engine, pool, method, tmp_path / "fresh.db")
    assert dump(tmp_path / "fresh.db") == dump(tmp_path / "club.db")


def test_what_an_erased_player_was_called_leaves_the_tables(engine: rc.Engine, tmp_path: Path) -> None:
    """A fixed bug: the further cells kept the name for ever, and `catch-up` found nothing new."""
    for player in ("ann", "bo"):
        engine.rename(player, 'Bogna "B." Święcicka')
    engine.rename("cy", "Cyryl Nowak")
    catch_up(engine, "rapid", "elo")
    catch_up(engine, "rapid", "elo", tmp_path / "tables.db")
    assert "club.db" in str(found(tmp_path, "Święcicka"))
    assert engine.erase("ann").namesakes == ("bo",)
    assert found(tmp_path, "Święcicka") == ["tables.db"]
    assert done(catch_up(engine)) == ["nothing new"]
    catch_up(engine, to=tmp_path / "tables.db")
    assert found(tmp_path, "Święcicka") == found(tmp_path, "ann") == []
    engine.erase("Cyryl Nowak" if engine.log.book.find("player", "Cyryl Nowak") else "cy")
    assert found(tmp_path, "Nowak") == ["tables.db"]
    catch_up(engine, to=tmp_path / "tables.db")
    assert found(tmp_path, "Nowak") == []
    catch_up(engine, "rapid", "elo", tmp_path / "fresh.db")
    assert dump(tmp_path / "club.db") == dump(tmp_path / "fresh.db") == dump(tmp_path / "tables.db")


def test_tables_are_emptied_where_nobody_can_relabel_them(engine: rc.Engine, tmp_path: Path) -> None:
    """The plugin that keeps the tables may not be installed where a player is erased."""
    engine.rename("ann", "Bogna Święcicka")
    for pool, method in (("rapid", "elo"), ("bridge", "bridge-bayes")):
        catch_up(engine, pool, method)
    result = Erasure.of(engine.log, ErasureRequest("ann")).applied(engine.log)
    assert result.emptied == ("ratings_current", "rating_history")
    assert "tables that are empty until the next catch-up: ratings_current, rating_history" in result.left()
    assert found(tmp_path, "ann") == found(tmp_path, "Święcicka") == []
    assert done(catch_up(engine)) == ["made again: rows were changed"] * 2
    assert "(erased 2)" in {row["player"] for row in rows(tmp_path / "club.db", "SELECT player FROM ratings_current")}
    assert engine.erase("bo").emptied == ()


def test_tables_that_hold_the_shown_name_alone_are_emptied_too(engine: rc.Engine, tmp_path: Path) -> None:
    """An older version relabelled the keys of players, and left what they are called."""
    engine.rename("ann", "Bogna Święcicka")
    catch_up(engine, "rapid", "elo")
    tables = ("ratings_current", "rating_history")
    label = (f"UPDATE {table} SET player = '(erased 2)' WHERE player_id = 2" for table in tables)
    stranger(tmp_path / "club.db", *label)
    assert Erasure.of(engine.log, ErasureRequest("ann")).applied(engine.log).emptied == tables
    assert found(tmp_path, "Święcicka") == []


def test_names_that_an_older_version_left_go_with_the_next_call(engine: rc.Engine, tmp_path: Path) -> None:
    engine.rename("ann", "Bogna Święcicka")
    catch_up(engine, "rapid", "elo")
    engine.erase("ann")
    stranger(
        tmp_path / "club.db",
        """UPDATE ratings_current SET further = '{"called":"Bogna Święcicka"}' WHERE player_id = 2""",
        "UPDATE rating_tables SET erased = 1",
    )
    assert done(catch_up(engine)) == ["nothing new"]
    assert found(tmp_path, "Święcicka") == []


def test_an_erased_name_leaves_the_tables_in_another_file_with_the_next_call(engine: rc.Engine, tmp_path: Path) -> None:
    engine.record(game("x", "ann", "Zo\u00eb"), game("y", "bo", "Zo\u00eb"))
    for pool, method in (("rapid", "elo"), ("bridge", "bridge-bayes")):
        catch_up(engine, pool, method, tmp_path / "tables.db")
    for name in ("ann", "Zo\u00eb"):
        assert "tables.db" in found(tmp_path, name)
        engine.erase(name)
        assert found(tmp_path, name) == ["tables.db"]
        assert done(catch_up(engine, to=tmp_path / "tables.db")) == ["nothing new", "nothing new"]
        assert found(tmp_path, name) == []
    for pool, method in (("rapid", "elo"), ("bridge", "bridge-bayes")):
        catch_up(engine, pool, method, tmp_path / "fresh.db")
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
            catch_up(engine, "rapid", "elo")
            catch_up(engine, "bridge", "bridge-bayes")
            engine.erase(name)
            catch_up(engine, "rapid", "elo", tmp_path / f"fresh {name}.db")
            catch_up(engine, "bridge", "bridge-bayes", tmp_path / f"fresh {name}.db")
            assert dump(tmp_path / "club.db") == dump(tmp_path / f"fresh {name}.db")
        told = rows(tmp_path / "club.db", "SELECT DISTINCT opponent FROM rating_history")
        assert {row["opponent"] for row in told} == {
            "seed", "seeds", "(erased 2)", "(erased 3)", "(erased 4)", "(erased 4) + seeds", "(erased 2) + (erased 3)",
        }  # fmt: skip
