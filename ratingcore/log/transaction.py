"""The state of a log inside a transaction that appends, and the rows written last."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratingcore.events import Row
from ratingcore.log.chain import Batch, Cells, Head, head_after
from ratingcore.log.contract import Seen
from ratingcore.log.names import NameDraft
from ratingcore.log.segments import Segment

_MOST = 500
"""Number of rows in a tail."""


class Tail(NamedTuple):
    """The newest rows of a log, kept by the process that wrote them: most of its next reads are of these rows.

    Parameters
    ----------
    head : Head
        Head of the log after these rows.
    cells : tuple of cells
    """

    head: Head
    cells: tuple[Cells, ...] = ()

    def then(self, head: Head, rows: Sequence[Cells]) -> "Tail":
        """The tail after a batch; empty if the rows of the batch are not given or too many."""
        if len(rows) > _MOST or head.position != self.head.position + len(rows):
            return Tail(head)
        return Tail(head, (*self.cells, *rows)[-_MOST:])

    def rows(self, after: int, kinds: Sequence[str]) -> Iterator[Row] | None:
        """The rows after a position; None if some of them are older than the tail."""
        first = self.head.position - len(self.cells)
        if after < first:
            return None
        return (row for row in map(Row._make, self.cells[after - first :]) if not kinds or row.kind in kinds)


class Inside:
    """The state of the log inside a transaction that appends; no other writer can change it meanwhile.

    Parameters
    ----------
    last : Batch or None
        The newest batch.
    names, erasures : int
        Numbers of names in the log, and of names ever erased.
    draft : NameDraft
        The names as the transaction leaves them.
    """

    def __init__(self, last: Batch | None, names: int, erasures: int, draft: NameDraft) -> None:
        self.last, self.names, self.erasures, self.draft = last, names, erasures, draft
        self.head = head_after(last)
        self.found = dict[str, Row | None]()
        """By uid, rows that were looked up since the last write; None for those that do not exist."""
        self.tail = Tail(self.head)
        self.seals: bool | None = None
        """Whether the log has segments; None until this is looked up."""
        self.sealed = list[NDArray[np.int64]]()
        """Sorted keys of the ids in each segment written in the transaction; they are indexed when it ends."""
        self.unpacked = dict[int, Segment]()
        """Segments read in the transaction, by number."""

    @property
    def seen(self) -> Seen:
        """The state that others see once the transaction is committed."""
        return Seen(self.head, self.names, self.erasures)

    def wrote(self, batch: Batch, names: int, rows: Sequence[Cells] = ()) -> None:
        """Records a written batch and its number of new names; its rows, if given, become part of the tail."""
        self.tail = self.tail.then(head_after(batch), rows)
        self.last, self.names, self.head, self.found = batch, self.names + names, head_after(batch), {}

    def erased(self, numbers: Sequence[int], count: int) -> None:
        """Records that names were erased, `count` of them for the first time."""
        self.draft.erase(numbers)
        self.erasures += count

    def part(self) -> "Inside":
        """The state of a part of the transaction, which may be undone separately."""
        part = Inside(self.last, self.names, self.erasures, NameDraft(self.draft, self.draft.count, self.draft.salt))
        part.found, part.tail, part.seals, part.sealed = self.found, self.tail, self.seals, [*self.sealed]
        return part

    def take(self, part: "Inside") -> None:
        """Adopts the state of a part that succeeded."""
        self.last, self.names, self.erasures, self.head = part.last, part.names, part.erasures, part.head
        self.found, self.tail, self.seals, self.sealed = part.found, part.tail, part.seals, part.sealed
        self.draft.restore(part.draft.fresh)
        self.draft.erase(part.draft.gone)
