"""Rows that say something else than the log, and fields that a file says nothing of."""

from ratingcore.events import GamePlayed
from ratingcore.importer.contradictions import MissingColumns
from ratingcore.importer.recorded_notes import ColumnsKept


def game(order: int = 0, **data: object) -> GamePlayed:
    return GamePlayed(pool="p", played="2024-03-02", a="ann", b="bo", score=1.0, order=order, data=data)


def test_a_row_is_completed_by_what_its_file_has_no_column_for() -> None:
    missing = MissingColumns(["score", "round"])
    completed = missing.completed(game(event="Cup"), game(order=2, event="Open", round=3, site="Brno"))
    assert (dict(completed.data), completed.order) == ({"event": "Cup", "site": "Brno"}, 2)
    assert missing.notes() == [ColumnsKept((("order", 1), ("site", 1)))]


def test_a_file_that_holds_all_there_is_completes_nothing() -> None:
    missing = MissingColumns(None)
    whole = game()
    assert missing.completed(whole, game(order=2, site="Brno")) is whole
    assert missing.notes() == []
