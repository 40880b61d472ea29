"""Imports while others record, over every store: nothing that comes in between stands in their way."""

from io import BytesIO
from pathlib import Path
from threading import Event, Thread

from ratingcore.engine import Engine
from ratingcore.events import GamePlayed
from ratingcore.registry import Registry
from tests.importer.test_documents import results
from tests.importer.tournaments import READER, bytes_of
from tests.log.conftest import Store


def test_documents_and_tables_are_issued_again_beside_a_recorder(log: Store, tmp_path: Path) -> None:
    """Most of them failed: what was recorded between their last look and their batch was another history."""
    registry = Registry.installed()
    registry.readers["cross"] = READER
    engine, over, table = Engine(log, registry), Event(), tmp_path / "league.csv"

    def record() -> None:
        while not over.wait(0.001):
            engine.record(GamePlayed(pool="club", played="2024-03-01", a="eve", b="fay", score=1.0))

    recorder = Thread(target=record)
    recorder.start()
    try:
        for score in ("1", "0", "0.5") * 2:
            document = BytesIO(bytes_of(f"1 ann bo {score}", "2 cy di 1", name="spring", issued=""))
            engine.import_file(document, "club", reader="cross")
            table.write_text(f"uid,played,a,b,score\nt-1,2024-03-02,ann,cy,{score}\n")
            engine.import_file(table, "club", reissue=True)
    finally:
        over.set()
        recorder.join()
    ours = [game[1:4] for game in results(engine) if "eve" not in game]
    assert sorted(ours) == [("ann", "bo", 0.5), ("ann", "cy", 0.5), ("cy", "di", 1.0)]
