"""Tables that are imported by columns, over every store: events, batches and digests hold, and nothing comes twice."""

import io

import pytest

import ratingcore as rc
from ratingcore.importer import files, game_columns
from ratingcore.importer.columnar import import_by_columns
from tests.log.conftest import Store

ROWS = [f"2024-03-{1 + n // 40:02d},ann {n % 7},bo {n % 5},{n % 3},1,{n % 4}" for n in range(900)]
TABLE = "\n".join(["played,a,b,points_a,points_b,order", *ROWS])


def test_a_table_is_imported_by_columns_into_every_store(log: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_columns, "BATCH", 100)
    monkeypatch.setattr(game_columns, "ROWS", 250)
    ways: list[bool] = []
    monkeypatch.setattr(files, "import_by_columns", lambda *given: ways.append(import_by_columns(*given)) or ways[-1])
    engine = rc.Engine(log)
    engine.record(rc.GamePlayed(pool="other", played="2024-01-01", a="bo 1", b="new", score=1.0))
    report = engine.import_file(io.BytesIO(TABLE.encode()), "club")
    assert (report.accepted, ways) == (900, [True])
    games = [event for _, event in engine.events(after=1)]
    assert [
        (game.a, game.b, game.order, game.data["points_a"]) for game in games if isinstance(game, rc.GamePlayed)
    ] == [(f"ann {n % 7}", f"bo {n % 5}", n % 4, n % 3) for n in range(900)]
    assert len(list(log.batches())) == 6
    engine.verify()
    with rc.open(":memory:") as other:
        monkeypatch.setattr(files, "import_by_columns", lambda *given: False)
        other.import_file(io.BytesIO(TABLE.encode()), "club")
        assert other.rating_list("club", "elo").digest == engine.rating_list("club", "elo").digest
    assert engine.import_file(io.BytesIO(TABLE.encode()), "club").duplicates == 900
