"""What was taken back as a whole, and is new to the log when a file brings it again."""

from collections import defaultdict
from collections.abc import Sequence

from attrs import frozen

from ratingcore.events import Event, ResultAmended, ResultVoided, Row
from ratingcore.importer.differences import changes_of, fields_of
from ratingcore.log import Log
from ratingcore.log.chain import Batch, is_taken_back
from ratingcore.log.overlay import TrialLog

WHY = "brought again"
"""Why what was taken back as a whole counts again."""


@frozen
class TakenBack:
    """Events that count as never recorded, since whatever brought them was taken back as a whole.

    One that somebody voided by itself is not among them: it stays void, whatever file comes.

    Parameters
    ----------
    voids : mapping of int to tuple of str
        By position of an event, the uids of the voids against it.
    """

    voids: dict[int, tuple[str, ...]]

    @classmethod
    def of(cls, log: Log) -> "TakenBack":
        """What was taken back in a log."""
        void = log.corrections().void
        against: dict[int, list[tuple[str, bool]]] = defaultdict(list)
        batch: Batch | None = None
        for row in log.rows(0, None, ("void",)) if void else ():
            if row.ref not in void or row.position in void or row.ref is None:
                continue
            if batch is None or row.position > batch.last:
                batch = next(log.batches(row.position - 1))
            whole = batch.source is not None and is_taken_back(log.book.key(batch.source))
            against[row.ref].append((row.uid, whole))
        whole_ones = {at: voids for at, voids in against.items() if all(whole for _, whole in voids)}
        return cls({at: tuple(uid for uid, _ in voids) for at, voids in whole_ones.items()})

    def brought_again(self, log: Log, events: Sequence[Event], by: str) -> tuple[list[Event], set[str]]:
        """The corrections by which events with ids of their own count again, as a file gives them now, and their ids.

        Those that are of another kind or pool than the recorded ones are left out.
        """
        rows = log.find([event.uid for event in events]) if self.voids else {}
        again = [(event, rows[event.uid]) for event in events if event.uid in rows]
        again = [(event, row) for event, row in again if row.position in self.voids and row.kind == event.kind]
        trial = TrialLog(log)
        trial.append([one for _, row in again for one in self._revivals(row, by)])
        reading, event_of = trial.corrections(), log.decoder()
        corrections, uids = list[Event](), set[str]()
        for event, row in again:
            changes = changes_of(fields_of(event_of(reading.read(row) or row)), fields_of(event))
            if "pool" not in changes:
                uids.add(event.uid)
                corrections += self._revivals(row, by)
                corrections += [ResultAmended(of=event.uid, changes=changes, why=WHY, by=by)] if changes else []
        return corrections, uids

    def _revivals(self, row: Row, by: str) -> list[Event]:
        return [ResultVoided(of=void, why=WHY, by=by) for void in self.voids[row.position]]
