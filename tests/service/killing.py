"""Kills a service under eight writers, and checks that what was acknowledged is in the log, each once.

By hand: `python -m tests.service.killing club.db 200`
"""

import compileall
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from random import Random

from attrs import Factory, define, evolve
from ratingcore_service.access import open_tokens
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

import ratingcore as rc
from tests.service.serving import GONE, PATIENCE, ROOT, Server, sent

WRITERS = 8
FIRST = {"kind": "game", "uid": "first", "pool": "rapid", "played": "2024-03-01", "a": "ann", "b": "bo", "score": 1.0}


@define
class Club:
    """What the writers share."""

    server: Server
    over: threading.Event = Factory(threading.Event)
    head: str = ""
    """The newest head that anybody was told."""
    failures: list[str] = Factory(list)
    answers: int = 0
    """Requests that were acknowledged."""
    wins: int = 0
    """Corrections among them."""

    def wait_for_answers(self, count: int) -> None:
        """Waits until so many more requests were acknowledged."""
        enough = self.answers + count
        self.wait(lambda: self.answers >= enough)

    def wait(self, enough: Callable[[], bool]) -> None:
        """Waits until writers have come as far as that."""
        until = time.monotonic() + PATIENCE
        while not enough():
            assert not self.failures, self.failures
            assert time.monotonic() < until, "the writers come no further"
            time.sleep(0.02)


@define
class Writer:
    """Sends results, and now and then a correction that others may have decided on too; tries again until answered."""

    club: Club
    name: str
    token: str
    recorded: dict[str, list[str]] = Factory(dict)
    """By what was sent, the uids that were answered."""
    won: list[str] = Factory(list)
    """Heads on which a correction of theirs was recorded."""
    lost: int = 0
    seen: int = 0
    trying: str = ""

    def run(self) -> None:
        chance, n = Random(self.name), 0
        try:
            while not self.club.over.is_set():
                n += 1
                time.sleep(chance.uniform(0.0, 0.2))  # so that a head stays the newest for a moment
                if n % 3:
                    self._record(f"{self.name}-{n}", chance)
                else:
                    self._correct(f"{self.name}-{n}", chance.choice([0.0, 0.5, 1.0]))
        except Exception as error:
            self.club.failures.append(f"{self.name}: {error!r}")

    def _record(self, key: str, chance: Random) -> None:
        games = [
            FIRST | {"a": self.name, "b": f"guest {chance.randrange(20)}", "data": {"sent": f"{key}-{part}"}}
            for part in range(chance.randrange(1, 4))
        ]
        for game in games:
            del game["uid"]
        status, answer = self._sent("/api/v1/events", {"events": games}, key)
        if status:
            assert status in (200, 201), answer
            self.recorded[key] = answer["uids"]
            self.club.answers += 1

    def _correct(self, key: str, score: float) -> None:
        head = self.club.head
        body = {"what": "amend", "uid": "first", "changes": {"score": score}, "why": head}
        status, answer = self._sent("/api/v1/corrections", body, key, If_Match=head)
        assert status in (0, 200, 201, 412), answer
        if status in (200, 201):
            self.won.append(head)
            self.club.wins += 1
        self.lost += status == 412

    def _sent(self, path: str, body: object, key: str, **headers: str) -> tuple[int, dict[str, list[str]]]:
        """The answer to a request that is sent until it has one; 0 if there was none before the end."""
        self.trying = key
        while True:
            try:
                status, answer, given = sent(
                    self.club.server, "POST", path, self.token, body, Idempotency_Key=key, **headers
                )
            except GONE:
                status = 503
            if status not in (429, 503):
                break
            if self.club.over.is_set():
                return 0, {}
            time.sleep(0.05)
        self.trying = ""
        head = given.get("ratingcore-head")
        if head:
            position = int(head.partition(":")[0])
            assert status == 200 or position > self.seen, f"a head went back: {self.seen} to {position}"
            self.seen, self.club.head = max(self.seen, position), head
        return status, answer


@define
class Tally:
    """What a run of kills came to."""

    kills: int
    acknowledged: int
    lost: int
    twice: int
    won: int
    refused: int
    blows: Counter[str] = Factory(Counter)


Blow = Callable[[Server, Random], None]
"""What befalls a service that serves, and does when it is over."""


def kill(server: Server, chance: Random) -> None:
    """Kills it, and starts it again."""
    server.kill()
    server.start()


@contextmanager
def full(server: Server, size: int) -> Iterator[None]:
    """Within, no file of the service grows beyond so many bytes."""
    import resource  # not on Windows

    _compile_all()
    _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, hard))
    yield
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))


@cache
def _compile_all() -> None:
    """Writes the bytecode of all modules: on a full disk, Python up to 3.13 leaves half a file behind, for ever."""
    for folder in ("ratingcore", "plugins"):
        compileall.compile_dir(ROOT / folder, quiet=2)


def killed(
    log: str, folder: Path, kills: int, seed: int = 0, blows: Sequence[Blow] = (kill,),
    beside: Sequence[Callable[[Club, str], None]] = (), options: Sequence[str] = (),
) -> Tally:  # fmt: skip
    """Kills the service of a log so many times while writers write, and looks at what is in the log afterwards.

    Other blows than kills may befall it, and others may write beside the writers, each with a token.
    """
    tokens = folder / "tokens"
    chance, club = Random(seed), Club(Server(log, folder, "--tokens", str(tokens), *options))
    with rc.open(log) as engine:
        engine.record(rc.GamePlayed(**{name: value for name, value in FIRST.items() if name != "kind"}))  # type: ignore[arg-type]  # by name
        club.head = str(engine.log.head)
        given = open_tokens(engine, Settings(tokens=tokens))
    names = [f"writer {n}" for n in range(WRITERS)]
    writers = [Writer(club, name, given.add(name, Scope.OFFICER)) for name in names]
    befell: Counter[str] = Counter()
    works = [writer.run for writer in writers] + [
        partial(_beside, work, club, given.add(f"beside {n}", Scope.OFFICER)) for n, work in enumerate(beside)
    ]
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    with club.server:
        for thread in threads:
            thread.start()
        try:
            for _ in range(kills):
                club.wait_for_answers(chance.randrange(1, 20))
                time.sleep(chance.uniform(0.0, 0.1))
                blow = chance.choice(blows)
                blow(club.server, chance)
                befell[getattr(blow, "__name__", "")] += 1
                if befell.total() % 100 == 0:
                    print(f"{befell.total()} of {kills} blows, {club.answers} requests acknowledged", flush=True)
            club.wait(lambda: club.wins > 0)
        finally:
            club.over.set()
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "a writer still waits"
    assert not club.failures, club.failures
    return evolve(_tally(log, writers, kills), blows=befell)


def _beside(work: Callable[[Club, str], None], club: Club, token: str) -> None:
    try:
        while not club.over.is_set():
            work(club, token)
    except Exception as error:
        club.failures.append(repr(error))


def _tally(log: str, writers: list[Writer], kills: int) -> Tally:
    with rc.open(log, read_only=True) as engine:
        engine.verify()
        rows = [(row, event) for row, event in engine.events()]
    there = Counter(str(event.data["sent"]) for _, event in rows if isinstance(event, rc.GamePlayed) and event.data)
    uids = {row.uid for row, _ in rows}
    decided = Counter(event.why for _, event in rows if isinstance(event, rc.ResultAmended))
    acknowledged = {
        (key, part): uid for one in writers for key, all in one.recorded.items() for part, uid in enumerate(all)
    }
    sent_keys = {f"{key}-{part}" for key, part in acknowledged} | {
        f"{one.trying}-{part}" for one in writers if one.trying for part in range(3)
    }
    assert set(there) <= sent_keys, "nothing is in the log that nobody sent"
    won = [head for one in writers for head in one.won]
    assert len(won) == len(set(won)), "two won on one head"
    assert set(won) <= set(decided)
    return Tally(
        kills,
        acknowledged=len(acknowledged) + len(won),
        lost=sum(there[f"{key}-{part}"] == 0 or uid not in uids for (key, part), uid in acknowledged.items()),
        twice=sum(count > 1 for count in (*there.values(), *decided.values())),
        won=len(won),
        refused=sum(one.lost for one in writers),
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(killed(sys.argv[1], Path(place), int(sys.argv[2])))
