"""Kills whoever delivers to a webhook, and checks that every event arrived, in order, a message with one id.

By hand: `python -m tests.service.webhook_kills 1000`
"""

import os
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from ratingcore_service.service_store import ServiceStore
from ratingcore_service.webhooks import Hooks, deliver

import ratingcore as rc
from ratingcore.errors import RatingCoreError
from tests.service.test_webhooks import Address

SOON = 0.05
"""Seconds in which a process may have delivered nothing yet, or several messages."""


def delivering(path: Path) -> None:
    """Delivers until it is killed."""
    with rc.open(path) as engine:
        hooks = Hooks(ServiceStore.of(engine))
        while True:
            for hook in hooks.all():
                with suppress(RatingCoreError):
                    deliver(engine, hooks, hook)
            time.sleep(0.001)


def trial(kills: int, folder: Path, seed: int = 1) -> tuple[int, int]:
    """How many events were recorded, and how many messages came more than once."""
    chance, path, address = Random(seed), folder / "club.db", Address()
    with rc.open(path) as engine:
        Hooks(ServiceStore.of(engine)).add(address.url, 0, private=True)
    for kill in range(kills):
        with rc.open(path) as engine:
            for n in range(chance.randrange(1, 4)):
                game = rc.GamePlayed(uid=f"{kill}-{n}", pool="p", played="2024-03-02", a="ann", b="bo", score=1.0)
                engine.record(game)
        _killed(path, chance.uniform(0.0, SOON))
    _killed(path, None, address)
    with rc.open(path) as engine:
        end = engine.log.head.position
    arrived: dict[int, str] = {}
    for message, headers in zip(address.taken, address.headers, strict=True):
        for event in message["data"]["events"]:
            known = arrived.setdefault(event["position"], headers["webhook-id"])
            assert known == headers["webhook-id"], "one id each"
    assert list(arrived) == list(range(1, end + 1)), "all of them, first in order"
    address.server.shutdown()
    return end, len(address.taken) - len(set(arrived.values()))


def _killed(path: Path, seconds: float | None, address: Address | None = None) -> None:
    """Delivers in a process of its own that is killed after a while, or once nothing has come for a second."""
    child = os.fork()
    if not child:
        delivering(path)
    if seconds is not None:
        time.sleep(seconds)
    while address is not None:
        count = len(address.taken)
        time.sleep(1.0)
        if len(address.taken) == count:
            break
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
        events, again = trial(count, Path(name))
        print(f"{count:,} kills: {events:,} events arrived in order, none lost; {again:,} messages came again")
