"""An erased name leaves the tables for SQL."""

from pathlib import Path

from ratingcore_sql_tables.catch_up import catch_up

import ratingcore as rc
from tests.log.making import game
from tests.log.test_erasure import found
from tests.plugins.ratingcore_sql_tables import club as made_club
from tests.plugins.ratingcore_sql_tables.club import TABLES, done, dump, rows

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
