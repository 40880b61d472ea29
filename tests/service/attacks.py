"""Attacks on a service, by hand: `python -m tests.service.attacks starve`."""

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from random import Random

import ratingcore as rc
from bench.worlds import log_of, world
from tests.service.serving import GONE, PATIENCE, Server, awaited, sent

CALLERS = 50
DEAREST = "codeforces"
"""The method whose lists take the most work; the pool declares it, so that anybody may ask by it."""
LIST, READY = "/api/v1/pools/world/list", "/ready"


def starve(games: int = 60_000, seconds: float = 20.0) -> dict[str, float]:
    """How slow a remembered list and `/ready` become while fifty callers ask the dearest question of all.

    Every caller asks at a cut of their own, and again as soon as they are answered.

    Returns
    -------
    dict of str to float
        Seconds that 99 of 100 answers take, by address; quiet, and under the callers.
    """
    path = log_of(world(games, 2000))
    with rc.open(str(path)) as engine:
        engine.declare("world", method=DEAREST)
        engine.rating_list("world")
    with Server(str(path), path.parent, "--limit", "seconds=10") as server:
        assert awaited(lambda: sent(server, "GET", LIST)[0] == 200)
        found = {f"{name} quiet": slowest(server, name, seconds) for name in (LIST, READY)}
        words = [sys.executable, "-m", "tests.service.attacks", "callers", str(server.port), str(games)]
        callers = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            time.sleep(5.0)
            found |= {f"{name} under attack": slowest(server, name, seconds) for name in (LIST, READY)}
        finally:
            callers.terminate()
            print("the callers were answered", callers.communicate()[0].strip())
    return found


def slowest(server: Server, path: str, seconds: float, every: float = 0.02) -> float:
    """The time within which 99 of 100 answers come, asked one after another; each is to be 200."""
    line, took, until = http.client.HTTPConnection("127.0.0.1", server.port), list[float](), time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        line.request("GET", path)
        answer = line.getresponse()
        answer.read()
        took.append(time.monotonic() - began)
        assert answer.status == 200, answer.status
        time.sleep(every)
    return sorted(took)[len(took) * 99 // 100]


def callers(port: int, games: int) -> None:
    """Fifty callers who ask without a pause, until they are ended."""
    answers: Counter[int] = Counter()

    def call(number: int) -> None:
        chance = Random(number)
        while True:
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            try:
                line.request("GET", f"{LIST}?method={DEAREST}&known_at={chance.randint(games // 2, games)}")
                answer = line.getresponse()
                answer.read()
                answers[answer.status] += 1
            except GONE:
                answers[0] += 1
            finally:
                line.close()

    def ended(*_: object) -> None:
        print(dict(answers), flush=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, ended)
    for number in range(CALLERS):
        threading.Thread(target=call, args=(number,), daemon=True).start()
    while True:
        signal.pause()


ATTACKS: dict[str, Callable[..., object]] = {"starve": starve}

if __name__ == "__main__":
    name, *words = sys.argv[1:]
    if name == "callers":
        callers(*map(int, words))
    for what, figure in ATTACKS[name](*map(int, words)).items():
        print(f"{what}: {figure}")
