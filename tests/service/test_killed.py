"""A service that is killed under writers loses nothing that it acknowledged; two of one log in a database agree."""

import http.client
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from threading import Barrier, Thread
from typing import Any

import pytest

import ratingcore as rc
from tests.hosts.visitors import together
from tests.log import conftest
from tests.service.killing import FIRST, full, kill, killed
from tests.service.serving import GONE, PATIENCE, Server, sent

address, places = conftest.address, conftest.places


def test_what_was_acknowledged_is_in_the_log_once_after_kills(address: Callable[[str], str], tmp_path: Path) -> None:
    tally = killed(address("killed"), tmp_path, 2)
    assert (tally.lost, tally.twice) == (0, 0)
    assert tally.acknowledged > tally.won > 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the files of another process")
def test_a_full_disk_and_a_clock_that_goes_back_lose_nothing_and_end(tmp_path: Path) -> None:
    log = str(tmp_path / "club.db")
    with rc.open(log) as engine:
        engine.record(rc.GamePlayed(uid="first", pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0))
    server, chance = Server(log, tmp_path), Random(1)
    token = server.token("hall")

    def write(n: int) -> int:
        return sent(server, "POST", "/api/v1/events", token, _game(n))[0]

    with server:
        assert write(1) == 201
        with full(server, 0):
            assert [write(2), sent(server, "GET", "/api/v1/pools/rapid/list")[0]] == [503, 200]
        assert write(2) == 201
        server.wrong = -48 * 3600.0
        kill(server, chance)
        assert [write(2), write(3)] == [200, 201]
    with rc.open(log, read_only=True) as engine:
        recorded = [batch.recorded for batch in engine.log.batches()]
        assert engine.verify().head.position == len(recorded) == 4
    assert recorded == sorted(recorded)


def test_a_service_that_is_told_to_end_ends_streams_jobs_and_writes_and_closes_the_log(tmp_path: Path) -> None:
    log = str(tmp_path / "club.db")
    with rc.open(log) as engine:
        engine.record(rc.GamePlayed(uid="first", pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0))
    acknowledged: list[str] = []

    def write(server: Server, token: str, writer: int) -> None:
        with suppress(*GONE):
            for n in count():
                status, made, _ = sent(server, "POST", "/api/v1/events", token, _game(1000 * writer + n))
                if status != 201:
                    assert status == 503, made
                    return
                acknowledged.extend(made["uids"])

    limits = [f"{name}=100000" for name in ("rate", "burst", "cpu_rate", "streams_each")]
    with Server(log, tmp_path, *(word for limit in limits for word in ("--limit", limit))) as server:
        token = server.token("hall")
        lines = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE) for _ in range(200)]
        for line in lines:
            line.request("GET", "/api/v1/changes")
        streams = [line.getresponse() for line in lines]
        assert {stream.readline() for stream in streams} == {b"retry: 3000\n"}
        status, job, _ = sent(server, "POST", "/api/v1/jobs", token, {"job": "simulate", "ask": {}})
        assert (status, job["state"]) == (202, "running")
        writers = [Thread(target=write, args=(server, token, n), daemon=True) for n in range(4)]
        for writer in writers:
            writer.start()
        while len(acknowledged) < 8:
            assert any(writer.is_alive() for writer in writers)
            time.sleep(0.01)
        assert server.stop() == 143
        for writer in writers:
            writer.join(PATIENCE)
        assert all(stream.read().endswith(b"\n") for stream in streams)
        for line in lines:
            line.close()
    assert sorted(path.name for path in tmp_path.glob("club.db-*")) == []
    assert [process for process in Path("/proc").glob("[0-9]*") if _works_in(process, tmp_path)] == []
    with rc.open(log, read_only=True) as engine:
        assert {*acknowledged} <= {row.uid for row in engine.log.rows()}


def _works_in(process: Path, folder: Path) -> bool:
    with suppress(OSError):  # it has ended meanwhile
        return (process / "cwd").resolve(strict=True).is_relative_to(folder)
    return False


@pytest.mark.parametrize("address", ["ratingcore_postgres"], indirect=True)
def test_two_services_of_a_log_in_a_database_agree(address: Callable[[str], str], tmp_path: Path) -> None:
    log = address("two")
    with rc.open(log) as engine:
        engine.declare("rapid", method="elo:k=24")
        engine.record(rc.GamePlayed(uid="first", pool="rapid", played="2024-03-01", a="ann", b="bo", score=1.0))
    one, other = Server(log, tmp_path), Server(log, tmp_path)
    token = one.token("hall")
    with one, other:
        for n in range(10):  # what one has recorded the other knows by the time a reader asks for it
            status, made, _ = sent(one, "POST", "/api/v1/events", token, _game(n))
            assert status == 201, made
            position = made["positions"][0]
            status, listed, _ = sent(other, "GET", f"/api/v1/pools/rapid/list?at_least={position}")
            assert (status, listed["head"]) == (200, made["head"])
        assert _winners(one, other, token, made["head"]) == [201, *[412] * 7]
        assert _heard(other, one, token)
        number = token.split("_")[1]
        one.command("token", "revoke", log, number)
        assert [sent(server, "POST", "/api/v1/events", token, _game(99))[0] for server in (one, other)] == [401, 401]


def _game(n: int) -> dict[str, Any]:
    return {"events": [{**FIRST, "uid": f"g-{n}", "a": f"player {n}"}]}


def _winners(one: Server, other: Server, token: str, head: str) -> list[int]:
    """What eight who correct on one head at the same time, half of them through each service, are answered."""
    start, statuses = Barrier(8), list[int]()

    def correct(server: Server, n: int) -> None:
        start.wait(PATIENCE)
        body = {"what": "amend", "uid": "first", "changes": {"score": n / 10}, "why": "slip"}
        statuses.append(sent(server, "POST", "/api/v1/corrections", token, body, If_Match=head)[0])

    together([partial(correct, (one, other)[n % 2], n) for n in range(8)])
    return sorted(statuses)


def _heard(listening: Server, writing: Server, token: str) -> bool:
    """Whether a stream of one service says what the other recorded."""
    line = http.client.HTTPConnection("127.0.0.1", listening.port, timeout=30)
    line.request("GET", "/api/v1/changes")
    stream = line.getresponse()
    assert stream.readline() == b"retry: 3000\n"
    _, made, _ = sent(writing, "POST", "/api/v1/events", token, _game(50))
    while not (text := stream.readline()).startswith(b"data: "):
        assert text, "the stream ended"
    line.close()
    return bool(json.loads(text[6:])["head"] == made["head"])
