"""Writes a log as lines of JSON: the export, also under a new key with new uids."""

from collections.abc import Callable, Iterator
from typing import Any

from ratingcore.events import NO_ID, Row, canonical
from ratingcore.log.base_log import random_salt
from ratingcore.log.chain import commitment, digest_of
from ratingcore.log.contract import Log
from ratingcore.log.facts import EMPTY, Batch, Head, Name
from ratingcore.log.identity import PREFIXES, Uids, is_derived
from ratingcore.log.verify import verify

FORMAT = 1
"""Version of the lines; rises when an older ratingcore could not load them."""


def export_lines(log: Log) -> Iterator[str]:
    """Yields a log as lines of JSON: a header, then each batch with its names and rows."""
    head = log.head
    yield canonical({"ratingcore": FORMAT, "key": log.key, "head": [head.position, head.digest]})
    names = iter(log.names())
    name = next(names, None)
    for batch in log.batches():
        if batch.first > head.position:  # appended since the header was written
            return
        yield canonical({"batch": list(batch)})
        while name is not None and name.batch <= batch.first:
            yield canonical({"name": list(name)})
            name = next(names, None)
        for row in log.rows(batch.first - 1, batch.last):
            yield canonical({"row": list(row)})


BEFORE = "before"
"""Field of a published list: the digests of its head in the logs that this one was made from, oldest first."""


class Renewal:
    """A log under a new key; iterating gives the lines of its export.

    Every event keeps its position, and every name its id and commitment: so corrections refer to the same events, every
    rating is the same to the last digit, and every published list keeps its seal. Uids that were derived with the key
    of the log are derived again; ids that people or files gave stay. All digests of the
    chain change, from the first of these uids on. An event that publishes a list notes the digest that its head
    had before. A log that does not verify is refused: under new digests nothing could tell what was changed in it.

    Parameters
    ----------
    log : Log
    list_uid : callable
        Uid of the event that publishes a list, from the key of the log, the id of the pool and the name of the list.

    Attributes
    ----------
    uids : dict of str to str
        The new uid of each event that has another one, by the old one; filled while iterating.

    Raises
    ------
    BrokenChain, UnsoundLog
        If the log does not verify.
    """

    def __init__(self, log: Log, list_uid: Callable[[str, int, str], str]) -> None:
        self.uids: dict[str, str] = {}
        self._log = log
        self._key = random_salt()
        self._uids = Uids(self._key)
        self._list_uid = list_uid
        verified = verify(log)
        self._end = verified.head.position
        self._names: dict[int, list[Name]] = {}
        names = [name for name in log.names() if name.batch <= self._end]
        for name in names:
            new = self._of_this_key(name) if name.kind == "key" else name
            self._names.setdefault(name.batch, []).append(new)
        newest = next(log.batches(self._end - 1), None)
        if newest is not None and not verified.bound:  # in the newest batch, so that every other name keeps its id
            entry = Name(len(names) + 1, "key", None, None, "", newest.first)
            self._names.setdefault(newest.first, []).append(self._of_this_key(entry))
        self._digests: dict[int, str] = {0: EMPTY.digest}
        """The new digests, by position: those at which a published list was made."""
        lists = [row for row in log.rows(0, self._end, ("list",)) if self._publishes(row)]
        self._lists = {row.position for row in lists}
        self._wanted = {row.facts["known_at"] for row in lists}

    def __iter__(self) -> Iterator[str]:
        head = EMPTY
        for batch, _ in self._batches():  # the header names the head, so all digests are made before the first line
            head = Head(batch.last, batch.digest)
        yield canonical({"ratingcore": FORMAT, "key": self._key, "head": [head.position, head.digest]})
        for batch, rows in self._batches():
            yield canonical({"batch": list(batch)})
            yield from (canonical({"name": list(name)}) for name in self._names.get(batch.first, ()))
            yield from (canonical({"row": list(row)}) for row in rows)

    def _batches(self) -> Iterator[tuple[Batch, list[Row]]]:
        """The batches with their new rows and digests."""
        naming = self._uids.naming({})
        before = EMPTY.digest
        for batch in self._log.batches():
            if batch.last > self._end:  # appended since
                return
            names = self._names.get(batch.first, ())
            rows = []
            for row in self._log.rows(batch.first - 1, batch.last):
                rows.append(self._row(row, naming))
                if row.position in self._wanted:  # a list that was published in the same batch may know it
                    self._digests[row.position] = digest_of(before, batch, names, rows)
            before = digest_of(before, batch, names, rows)
            yield batch._replace(digest=before), rows

    def _of_this_key(self, name: Name) -> Name:
        """The entry by which the digests cover the key of this log."""
        salt = random_salt()
        return name._replace(key=self._key, salt=salt, digest=commitment(name.kind, self._key, salt))

    def _row(self, row: Row, naming: Callable[[tuple[Any, ...]], str]) -> Row:
        if row.kind in PREFIXES and is_derived(row):
            new = row._replace(uid=naming((row.position, NO_ID, *row[2:])))
        elif row.position in self._lists:
            new = self._carried(row)
        else:
            return row
        self.uids[row.uid] = new.uid
        return new

    def _carried(self, row: Row) -> Row:
        """The event of a published list, with the digest that its head has now."""
        facts = row.facts
        before = f"{facts[BEFORE]} {facts['digest']}" if BEFORE in facts else facts["digest"]
        facts |= {"digest": self._digests[facts["known_at"]], BEFORE: before}
        return row._replace(uid=self._list_uid(self._key, row.pool or 0, facts["name"]), data=canonical(facts))

    def _publishes(self, row: Row) -> bool:
        """Whether an event publishes a list; another may only look like one."""
        facts = row.facts
        return (
            row.pool is not None
            and row.uid == self._list_uid(self._log.key, row.pool, facts["name"])
            and isinstance(facts.get("known_at"), int)
            and 0 <= facts["known_at"] < row.position
            and facts.get("digest") == self._log.digest_at(facts["known_at"])
        )
