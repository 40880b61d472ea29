"""The base of stores: a class that has what appending needs is a log with head, names and a context."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ratingcore.events import Row
from ratingcore.log import EMPTY
from ratingcore.log.base_log import BaseLog
from ratingcore.log.chain import Batch, Name
from ratingcore.log.names import NameDraft
from tests.log.making import Clock, empty_book, game


class Smallest(BaseLog):
    """The least that appending needs from a store."""

    def __init__(self) -> None:
        self.now, self.book = Clock(), empty_book()
        self.batches: list[Batch] = []
        self.rows: list[Row] = []
        self.key, self.closed = "4b", False

    @property
    def draft(self) -> NameDraft:
        return self.book

    def writing(self) -> AbstractContextManager[None]:
        return nullcontext()

    def last_batch(self) -> Batch | None:
        return self.batches[-1] if self.batches else None

    def find(self, uids: Sequence[str]) -> dict[str, Row]:
        return {row.uid: row for row in self.rows if row.uid in uids}

    def write(self, batch: Batch, names: Sequence[Name], rows: Sequence[tuple[Any, ...]]) -> None:
        self.batches.append(batch)
        self.rows += map(Row._make, rows)

    def close(self) -> None:
        self.closed = True


def test_a_store_that_keeps_batches_and_rows_has_head_names_and_receipts() -> None:
    with Smallest() as log:
        assert log.head == EMPTY
        for events in ([game("g-1")], [game("g-2", a="cy"), game("g-3")]):
            receipt = log.append(events, source="round")
            assert receipt.head == log.head
            assert receipt.accepted == len(events)
        assert [name.key for name in log.book.names()] == ["rapid", "ann", "bo", "round", "4b", "cy"]
        assert (log.book.find("player", "bo"), log.book.find("player", "di")) == (3, None)
    assert log.closed


def test_a_restored_batch_is_the_one_that_was_written() -> None:
    log, copy = Smallest(), Smallest()
    log.append([game("g-1")])
    copy.restore(log.batches[0], log.book.names(), log.rows)
    assert (copy.head, copy.book.names(), copy.rows) == (log.head, log.book.names(), log.rows)
