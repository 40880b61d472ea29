"""Streams of news: every new head, whoever appended; the newest for the slow."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ratingcore_service import head_watch
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope
from starlette.types import Message

import ratingcore as rc
from ratingcore.log import Receipt
from tests.service.asking import Applied, Bearer, ask

CHANGES = "/api/v1/changes"


class Listener:
    """A reader of a stream, who may be slow, and who hangs up."""

    def __init__(self, app: Front, query: str = "", headers: dict[str, str] | None = None) -> None:
        self.app, self.status = app, 0
        self.came: asyncio.Queue[bytes] = asyncio.Queue()
        self.reads = asyncio.Event()
        self.reads.set()
        self.hung_up = asyncio.Event()
        self.scope = {
            "type": "http", "method": "GET", "path": CHANGES, "query_string": query.encode(), "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in (headers or {}).items()],
            "client": ("127.0.0.1", 1), "scheme": "http", "server": ("club.example", 80), "http_version": "1.1",
        }  # fmt: skip
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        async def receive() -> Message:
            await self.hung_up.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            await self.reads.wait()
            self.status = message.get("status", self.status)
            if message.get("body"):
                self.came.put_nowait(message["body"])

        await self.app(self.scope, receive, send)

    async def next(self) -> dict[str, Any]:
        """The next head."""
        while True:
            text = (await asyncio.wait_for(self.came.get(), 20)).decode()
            if text.startswith("id: "):
                lines = dict(line.split(": ", 1) for line in text.strip().split("\n"))
                position, digest = lines["id"].split(":")
                news = json.loads(lines["data"])
                assert news["head"] == f"{position}:{digest}"
                return {"id": int(position), "event": lines["event"], **news}

    async def ended(self) -> None:
        self.hung_up.set()
        await asyncio.wait_for(self.task, 20)


def run(play: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(play(), 60))


def game(uid: str, pool: str = "rapid") -> rc.GamePlayed:
    return rc.GamePlayed(uid=uid, pool=pool, played="2024-04-01", a="ann", b="bo", score=1.0)


def _recorded(uid: str, engine: rc.Engine) -> Receipt:
    return engine.record(game(uid))


async def streams(app: Front, count: int) -> None:
    while len(app.service.head_watch.streams) != count:
        await asyncio.sleep(0.01)


def test_a_stream_says_what_this_process_and_others_append(app: Front, club: str) -> None:
    async def play() -> None:
        listener = Listener(app)
        await streams(app, 1)
        receipt = await app.service.writer.record(lambda engine: engine.record(game("n-1"), game("n-2", "blitz")))
        news = await listener.next()
        head = receipt.head
        assert news == {
            "id": head.position, "event": "head", "head": str(head), "pools": ["blitz", "rapid"], "accepted": 2
        }  # fmt: skip
        with rc.open(club) as other:
            other.void("n-1")
            assert (await listener.next())["pools"] == ["rapid"]
        await listener.ended()
        await streams(app, 0)

    run(play)


def test_who_comes_back_is_told_what_was_missed_and_others_nothing(app: Front) -> None:
    async def play() -> None:
        now = app.service.desk.engine.log.head.position
        back, here = Listener(app, headers={"last-event-id": str(now - 1)}), Listener(app, f"after={now}")
        assert (await back.next())["id"] == now
        await streams(app, 2)
        assert here.came.qsize() == 1  # how long to wait before coming back
        await back.ended()
        await here.ended()

    run(play)


@pytest.mark.parametrize("seen", ["43", f"42:{'0' * 64}", "an id of another service"])
def test_who_has_seen_what_a_restored_log_lacks_is_told(app: Front, seen: str) -> None:
    """Fixed: the stream was silent until the log had as many events again."""

    async def play() -> None:
        head = app.service.desk.engine.log.head
        back = Listener(app, headers={"last-event-id": seen})
        news = await back.next()
        assert (news["event"], news["head"]) == ("restored", str(head))
        await back.ended()
        receipt = await app.service.writer.record(lambda engine: engine.record(game("n-1")))
        here = Listener(app, headers={"last-event-id": str(head)})
        assert (await here.next())["head"] == str(receipt.head)
        await here.ended()

    run(play)


def test_a_stream_of_one_pool_hears_of_no_other(app: Front) -> None:
    async def play() -> None:
        engine = app.service.desk.engine
        engine.record(game("b-1", "blitz"))
        listener = Listener(app, "pool=rapid")
        await streams(app, 1)
        await app.service.writer.record(lambda engine: engine.record(game("b-2", "blitz")))
        receipt = await app.service.writer.record(lambda engine: engine.record(game("n-1")))
        news = await listener.next()
        assert (news["id"], news["pools"]) == (receipt.head.position, ["rapid"])
        nowhere = Listener(app, "pool=chess")
        await asyncio.wait_for(nowhere.task, 20)
        assert nowhere.status == 404
        await listener.ended()

    run(play)


def test_a_result_is_news_of_the_boards_on_its_pool() -> None:
    with rc.open(":memory:") as engine:
        cup = rc.GamePlayed(pool="rapid", played="2024-04-01", a="ann", b="bo", score=1.0, data={"event": "cup"})
        engine.record(cup, game("g2", "blitz"))
        engine.declare("cup", of="rapid", results="event=cup", method="elo")
        head = engine.record(game("g3")).head.position
        assert sorted(head_watch.pools_of(engine, head - 1, head)) == ["cup", "rapid"]
        head = engine.record(game("g4", "blitz")).head.position
        assert sorted(head_watch.pools_of(engine, head - 1, head)) == ["blitz"]


def test_a_slow_reader_gets_the_newest_and_holds_up_nobody(app: Front) -> None:
    async def play() -> None:
        slow, quick = Listener(app), Listener(app)
        await streams(app, 2)
        slow.reads.clear()
        heads = []
        for n in range(5):
            receipt = await app.service.writer.record(partial(_recorded, f"n-{n}"))
            heads.append(receipt.head.position)
            assert (await quick.next())["id"] == heads[-1]
        slow.reads.set()
        seen = [(await slow.next())["id"]]
        while seen[-1] != heads[-1]:
            seen.append((await slow.next())["id"])
        assert len(seen) <= 2
        await slow.ended()
        await quick.ended()

    run(play)


def test_a_line_without_news_stays_open_by_comments(app: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_watch, "BEAT", 0.05)

    async def play() -> None:
        listener = Listener(app)
        assert await asyncio.wait_for(listener.came.get(), 20) == b"retry: 3000\n\n"
        assert await asyncio.wait_for(listener.came.get(), 20) == b": still here\n\n"
        await listener.ended()

    run(play)


def test_who_asks_for_the_headers_of_a_stream_holds_none(app: Front) -> None:
    """A request by HEAD was never answered whole, and took one of the streams that a caller may have."""
    assert ask(app, "HEAD", CHANGES).headers["content-type"].startswith("text/event-stream")
    assert not app.service.head_watch.streams


def test_there_are_as_many_streams_as_there_may_be(applied: Applied) -> None:
    app = applied(streams=1)

    async def play() -> None:
        first = Listener(app)
        await streams(app, 1)
        second = Listener(app)
        await asyncio.wait_for(second.task, 20)
        assert second.status == 503
        await first.ended()
        third = Listener(app)
        await streams(app, 1)
        app.service.head_watch.close()  # the server ends: streams end by themselves
        await asyncio.wait_for(third.task, 20)
        assert third.status == 200

    run(play)


def test_in_a_private_service_a_token_hears_of_its_pools(bearer: Bearer, applied: Applied) -> None:
    app = applied(private=True)

    async def play() -> None:
        rapid = bearer(Scope.READ, "rapid", ("rapid",))
        for query, headers, status in (("", {}, 401), ("", rapid, 403), ("pool=blitz", rapid, 403)):
            listener = Listener(app, query, headers)
            await asyncio.wait_for(listener.task, 20)
            assert listener.status == status
        listener = Listener(app, "pool=rapid", rapid)
        await streams(app, 1)
        await listener.ended()
        assert listener.status == 200

    run(play)


def test_a_log_in_memory_has_news_too(applied: Applied) -> None:
    app = applied(":memory:")

    async def play() -> None:
        listener = Listener(app, "after=0")
        await streams(app, 1)
        await app.service.writer.record(lambda engine: engine.record(game("n-1")))
        assert (await listener.next())["id"] == 1
        assert (await app.service.desk.stamp()).position == 1
        await listener.ended()

    run(play)


def test_an_import_of_many_events_counts_for_every_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_watch, "FEW", 3)
    with rc.open(tmp_path / "club.db") as engine:
        engine.record(game("b", "blitz"))
        assert list(head_watch.pools_of(engine, 0, 1)) == ["blitz"]
        engine.record(*(game(f"n-{n}") for n in range(5)))
        assert list(head_watch.pools_of(engine, 1, 6)) == ["blitz", "rapid"]
        engine.record(rc.GamePlayed(pool="blitz", played="2024-04-01", a="zoe", b="cy", score=1.0))
        engine.merge("ann", "zoe")  # of every pool
        assert list(head_watch.pools_of(engine, 7, 8)) == ["blitz", "rapid"]
