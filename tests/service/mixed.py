"""Readers, listeners, writers and an officer at one service for a while: what they are answered, by status.

By hand: `python -m tests.service.mixed club.db 60`; or an address of PostgreSQL, with workers as third word.
"""

import http.client
import itertools
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from attrs import Factory, define

import ratingcore as rc
from tests.service.serving import PATIENCE, Server

READERS, LISTENERS, WRITERS = 8, 8, 2
FINE = frozenset({200, 201, 202, 204, 304})
PAGES = (
    "/api/v1/pools/rapid/list", "/api/v1/pools/rapid/list?known_at=2", "/api/v1/pools/rapid/players/2",
    "/api/v1/pools/rapid/players/2/history", "/api/v1/events", "/api/v1/pools/rapid/versus?a=2&b=3", "/rapid/",
    "/rapid/players/2", "/log", "/api/v1/pools/rapid/list?through=2024-03-01", "/style.css",
)  # fmt: skip
GAME = {"kind": "game", "pool": "rapid", "played": "2024-03-02", "a": "ann", "b": "bo", "score": 1.0}
ROWS = "played,a,b,score\n2024-04-02,ann,bo,1\n"


@define
class Load:
    """A load on a service, and what came of it."""

    server: Server
    token: str
    answers: Counter[int] = Factory(Counter)
    """How many answers had a status."""
    wrong: list[str] = Factory(list)
    """Answers other than 2xx, 304, and 503 with a time to come again."""
    heads: Counter[str] = Factory(Counter)
    """How many heads listeners were told, by what they listen with."""
    over: threading.Event = Factory(threading.Event)

    def run(self, work: Callable[[str], None], who: str) -> None:
        """Does some work until it is over; an answer that never came is wrong too."""
        try:
            work(who)
        except Exception as error:
            self.wrong.append(f"{who}: {error!r}")

    def read(self, who: str) -> None:
        """Reads pages and answers, now and then one that the client has."""
        chance, tags = Random(who), dict[str, str]()
        for line in self._turns():
            path = chance.choice(PAGES)
            given = {"If-None-Match": tags[path]} if path in tags and chance.random() < 0.5 else {}
            tags[path] = self._asked(line, "GET", path, **given)[1].get("etag", "")

    def write(self, who: str) -> None:
        """Records games, and takes some back."""
        for n, line in enumerate(self._turns(), 1):
            uid, key = f"{who}-{n}", {"Authorization": f"Bearer {self.token}"}
            self._asked(line, "POST", "/api/v1/events", {"events": [GAME | {"uid": uid}]}, **key)
            if not n % 5:
                body = {"what": "void", "uid": uid, "why": "slip"}
                self._asked(line, "POST", "/api/v1/corrections/preview", body, **key)
            time.sleep(0.05)

    def officer(self, who: str) -> None:
        """Uploads files and begins jobs, and looks how far they are."""
        key = {"Authorization": f"Bearer {self.token}"}
        for line in self._turns():
            made, _ = self._asked(line, "POST", "/api/v1/uploads?name=april.csv&pool=rapid", ROWS, **key)
            job, _ = self._asked(line, "POST", "/api/v1/jobs", {"job": "simulate", "ask": {}}, **key)
            for address in (made.get("address"), job.get("address")):
                if address:
                    self._asked(line, "GET", address, **key)
            if made.get("address"):
                self._asked(line, "DELETE", made["address"], **key)
            time.sleep(1.0)

    def listen(self, who: str) -> None:
        """Hears of each new head."""
        for line in self._turns():
            line.request("GET", "/api/v1/changes")
            stream = line.getresponse()
            self.answers[stream.status] += 1
            while not self.over.is_set() and (text := stream.readline()):
                self.heads[who] += text == b"event: head\n"
            line.close()

    def _turns(self) -> Iterator[http.client.HTTPConnection]:
        while not self.over.is_set():
            line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
            for _ in itertools.takewhile(lambda _: not self.over.is_set(), range(50)):
                yield line
            line.close()

    def _asked(
        self, line: http.client.HTTPConnection, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[dict[str, Any], dict[str, str]]:
        text = body if body is None or isinstance(body, str) else json.dumps(body)
        line.request(method, path, text, headers)
        answer = line.getresponse()
        said, given = answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        self.answers[answer.status] += 1
        if answer.status not in FINE and not (answer.status == 503 and given.get("retry-after")):
            self.wrong.append(f"{method} {path}: {answer.status} {said[:300]!r}")
        readable = "json" in given.get("content-type", "") and answer.status < 300
        return (json.loads(said) if readable else {}), given


def mixed(log: str, folder: Path, seconds: float, workers: int = 1) -> Load:
    """What so many seconds of load come to."""
    tokens = str(folder / "tokens")
    with rc.open(log) as engine:
        games = (rc.GamePlayed(pool="rapid", played="2024-03-01", a=a, b="bo", score=1.0) for a in ("ann", "cy", "di"))
        engine.record(*games)
    limits = [word for name in ("rate", "burst", "cpu_rate", "streams_each") for word in ("--limit", f"{name}=1000000")]
    server = Server(log, folder, "--tokens", tokens, "--workers", str(workers), *limits)
    token = server.command("token", "add", log, "officer", "--scope", "officer", "--tokens", tokens)
    with server:
        load = Load(server, token)
        works = [(load.read, READERS), (load.write, WRITERS), (load.officer, 1), (load.listen, LISTENERS)]
        threads = [
            threading.Thread(target=load.run, args=(work, f"{work.__name__} {n}"), daemon=True)
            for work, count in works
            for n in range(count)
        ]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        load.over.set()
        for thread in threads[:-LISTENERS]:
            thread.join(PATIENCE)
        server.stop()  # which ends the streams
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "somebody still waits"
    return load


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        made = mixed(sys.argv[1], Path(place), float(sys.argv[2]), int((*sys.argv, 1)[3]))
        print(dict(made.answers), f"heads told: {sum(made.heads.values())}", *made.wrong[:20], sep="\n")
