"""Clients who send events with one uid at the same time: one records it, and nothing is in the log twice."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import ratingcore as rc
from ratingcore.log.lookup import as_read
from tests.log import conftest
from tests.service.killing import FIRST
from tests.service.serving import Server, sent

address, places = conftest.address, conftest.places

CLIENTS = 4
"""Number of clients that send each event at the same time."""
RATES = ("--limit", "rate=1000000", "--limit", "burst=1000000")


def at_once(server: Server, token: str, bodies: Sequence[dict[str, Any]], **headers: str) -> list[tuple[int, Any]]:
    """Statuses and answers of requests that are sent at the same time, each by a client of its own."""
    start = Barrier(len(bodies))

    def ask(body: dict[str, Any]) -> tuple[int, Any]:
        start.wait()
        return sent(server, "POST", "/api/v1/events", token, body, **headers)[:2]

    with ThreadPoolExecutor(len(bodies)) as clients:
        return list(clients.map(ask, bodies))


@pytest.mark.parametrize("keyed", [False, True], ids=["uid", "key"])
def test_one_of_those_who_record_one_uid_wins(address: Callable[[str], str], tmp_path: Path, keyed: bool) -> None:
    log = address(f"at_once_{keyed}".lower())
    with rc.open(log) as engine:
        engine.record(rc.GamePlayed(uid="first", pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0))
    workers = ("--workers", "2") if "://" in log else ()
    with Server(log, tmp_path, *RATES, *workers) as server:
        token, lasting = server.token("hall", "correct"), {"first": 1.0}
        for n in range(8):
            equal, amend = n % 2 == 0, n % 4 >= 2
            game = {key: value for key, value in FIRST.items() if key != "uid" or not keyed}
            game |= {"a": f"player {n}"} if keyed else {"a": f"player {n}", "uid": f"g-{n}"}
            bodies = [
                {"events": [game | {"score": 1.0 if equal else place / 4}], "amend": amend} for place in range(CLIENTS)
            ]
            headers = {"idempotency_key": f"round {n}"} if keyed else {}
            answers = at_once(server, token, bodies, **headers)
            statuses = Counter(status for status, _ in answers)
            others = 200 if equal else 201 if amend else 409
            assert statuses == Counter([201, *[others] * (CLIENTS - 1)]), answers
            recorded = [answer for status, answer in answers if status < 300]
            assert {answer["positions"][0] for answer in recorded} == {recorded[0]["positions"][0]}
            assert sum(answer["accepted"] for answer in recorded) == (CLIENTS if amend and not equal else 1)
            newest = max(recorded, key=lambda answer: (int(answer["head"].partition(":")[0]), answer["accepted"]))
            place = [answer for _, answer in answers].index(newest)
            lasting[newest["uids"][0]] = bodies[place]["events"][0]["score"]
        server.stop()
    with rc.open(log, read_only=True) as engine:
        engine.verify()
        assert Counter(row.uid for row in engine.log.rows(kinds=("game",))) == Counter(lasting.keys())
        for uid, score in lasting.items():
            row = as_read(engine.log, uid)
            assert row is not None
            assert row.score == score
