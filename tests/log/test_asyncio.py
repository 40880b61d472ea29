"""Fifty clients of a site under asyncio, over every store: calls in threads, and one thread that waits for news."""

import asyncio

import ratingcore as rc
from tests.log.conftest import Store

CLIENTS = 50


def test_fifty_clients_record_and_read_while_one_thread_waits_for_news(log: Store) -> None:
    engine, told = rc.Engine(log), [0]

    async def client(number: int) -> tuple[int, bool]:
        game = rc.GamePlayed(pool="p", played="2024-03-02", a="ann", b=f"guest {number}", score=1.0)
        receipt = await asyncio.to_thread(engine.record, game)
        listed = await asyncio.to_thread(engine.rating_list, "p", "elo")
        return receipt.accepted, f"guest {number}" in listed

    async def listen() -> None:
        while told[-1] < CLIENTS:
            head = await asyncio.to_thread(engine.log.wait, told[-1], 1.0)
            if head is not None:
                told.append(head.position)

    async def serve() -> list[tuple[int, bool]]:
        listening = asyncio.create_task(listen())
        answers = await asyncio.gather(*map(client, range(CLIENTS)))
        await asyncio.wait_for(listening, 60)
        return answers

    assert asyncio.run(serve()) == [(1, True)] * CLIENTS
    assert told == sorted(set(told))
    assert engine.verify().head.position == CLIENTS
