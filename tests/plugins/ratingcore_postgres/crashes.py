"""Writers that are killed, and servers that are killed in mid-append; by request with other numbers.

`python -m tests.plugins.ratingcore_postgres.crashes 200 30` kills 200 writers and 30 servers.
"""

import random
import sys
import time

from ratingcore_postgres.log import PostgresLog

from ratingcore.log import Head, verify
from tests.log.jobs import batch_of, ends_of
from tests.log.making import told, uids
from tests.log.workers import Worker, Workers
from tests.plugins.ratingcore_postgres.server import Server, running

BATCHES = 200_000
ENDS = ends_of(3000)


class Acknowledged:
    """What writers were told of batches that are the same every time, in the order of the batches."""

    def __init__(self) -> None:
        self.heads: list[Head] = []
        self.begun = self.done = -1
        self.in_append = 0

    def hear(self, word: str, number: int, *facts: object) -> None:
        if word == "begun":
            self.begun = number
            return
        self.done = number
        accepted, position, digest = facts
        if accepted:
            assert (accepted, position) == (len(batch_of(number)), ENDS[number + 1])
        if number == len(self.heads):  # of one that was there unacknowledged, only the end is known
            self.heads.append(Head(ENDS[number + 1], str(digest) if accepted else ""))

    def ended(self) -> None:
        """Somebody was killed; what was begun and not acknowledged may be there or not."""
        self.in_append += self.begun > self.done
        self.begun = self.done = -1

    def holds(self, log: PostgresLog, *, thorough: bool) -> None:
        assert log.head.position in ENDS[len(self.heads) : len(self.heads) + 2]
        if thorough:
            verify(log, [head for head in self.heads if head.digest])

    def ends(self, log: PostgresLog) -> int:
        """All that was acknowledged is there as it was, and a retry repeats nothing; how many events there are."""
        found = verify(log, [head for head in self.heads if head.digest])
        kept = ENDS.index(log.head.position)
        assert found.batches == kept >= len(self.heads)
        events = [event for number in range(kept) for event in batch_of(number)]
        assert uids(log) == [event.uid for event in events]
        assert told(log) == events
        before = log.head
        for number in range(0, kept, 7):
            receipt = log.append(batch_of(number), source=f"batch {number}")
            assert (receipt.accepted, receipt.duplicates, receipt.head) == (0, len(batch_of(number)), before)
        assert log.append(batch_of(kept)).accepted == len(batch_of(kept))
        return len(events)


def writers_killed(workers: Workers, address: str, kills: int) -> int:
    """Kill writers in mid-append again and again; how many events came through."""
    chance, acknowledged = random.Random(1), Acknowledged()
    rounds = 0
    while acknowledged.in_append < kills:
        rounds += 1
        assert rounds < 4 * kills + 20, "too few kills hit an append"
        _until_killed(workers.start("append_from", address, len(acknowledged.heads)), acknowledged, chance)
        acknowledged.ended()
        with PostgresLog(address, read_only=True) as log:
            _when_free(log)
            acknowledged.holds(log, thorough=rounds % 16 == 0)
    with PostgresLog(address) as log:
        return acknowledged.ends(log)


def _until_killed(writer: Worker, acknowledged: Acknowledged, chance: random.Random) -> None:
    deadline = None
    for word, number, *facts in writer:
        acknowledged.hear(word, number, *facts)
        if word == "begun":
            deadline = deadline or time.monotonic() + chance.random() * 0.05
            if time.monotonic() >= deadline:
                time.sleep(chance.random() * 0.006)
                writer.kill()


def _when_free(log: PostgresLog) -> None:
    """Waits until the server has noticed that the writer is gone: until then its transaction may be committed yet."""
    end = time.monotonic() + 30
    sql = """SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ratingcore'
        AND pid <> pg_backend_pid() AND state <> 'idle' AND query LIKE %s"""
    while log._database.one(sql, (f'%"{log._database.log}"%',))[0]:
        assert time.monotonic() < end, "the server still works for a dead writer"
        time.sleep(0.005)


def servers_killed(workers: Workers, server: Server, kills: int) -> int:
    """Kill the server in mid-append again and again, while a writer goes on; how many events came through."""
    chance, acknowledged, address = random.Random(2), Acknowledged(), server.address("killed")
    PostgresLog(address).close()
    for number in range(kills):
        writer = workers.start("append_from", address, len(acknowledged.heads))
        end = time.monotonic() + 60
        alive = iter(writer)
        for word, *facts in alive:
            acknowledged.hear(word, *facts)
            if word == "begun" and acknowledged.done >= 0 and chance.random() < 0.1:
                break
            assert time.monotonic() < end
        time.sleep(chance.random() * 0.004)
        server.kill()
        for word, *facts in alive:  # what it was told before the server was gone
            if word != "gone":
                acknowledged.hear(word, *facts)
        acknowledged.ended()
        server.start()
        with PostgresLog(address, read_only=True) as log:
            acknowledged.holds(log, thorough=number % 4 == 0)
    with PostgresLog(address) as log:
        return acknowledged.ends(log)


def main() -> None:
    """Kill as many as the command line says."""
    writers, servers = map(int, sys.argv[1:3])
    with running(fsync="on", full_page_writes="on") as server, Workers() as workers:
        events = writers_killed(workers, server.address("club"), writers)
        print(f"{writers} writers killed in mid-append: {events:,} events, none lost, torn or twice", flush=True)
        events = servers_killed(workers, server, servers)
        print(f"{servers} servers killed: {events:,} events, none lost, torn or twice")


if __name__ == "__main__":
    main()
