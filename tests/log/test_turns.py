"""Turns: given in the order in which they were asked for, to one thread at a time, and given up in time."""

import signal
import threading
import time
from threading import Lock

import pytest

from ratingcore.log.turns import Turns


def waiting(turns: Turns, count: int) -> None:
    """Waits until so many threads wait for their turn."""
    end = time.monotonic() + 10
    while len(turns._waiting) < count:
        assert time.monotonic() < end
        time.sleep(0.001)


def test_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    turns, order, mine = Turns(), list[int](), Lock()
    assert turns.take(mine, 0)

    def work(number: int) -> None:
        ticket = Lock()
        assert turns.take(ticket, 10)
        order.append(number)
        turns.give(ticket)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for number, thread in enumerate(threads):
        thread.start()
        waiting(turns, number + 1)
    turns.give(mine)
    for thread in threads:
        thread.join()
    assert order == list(range(8))


def test_one_thread_at_a_time_has_the_turn() -> None:
    turns, inside, most = Turns(), list[int](), list[int]()

    def work(number: int) -> None:
        for _ in range(200):
            ticket = Lock()
            assert turns.take(ticket, 10)
            inside.append(number)
            most.append(len(inside))
            inside.remove(number)
            turns.give(ticket)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 800
    assert set(most) == {1}


def test_who_gives_up_waiting_is_passed_over() -> None:
    turns, mine, late = Turns(), Lock(), Lock()
    assert turns.take(mine, 0)
    assert not turns.take(late, 0.01)
    assert not turns._waiting
    turns.give(late)
    assert not turns.take(Lock(), 0), "who has no turn gives none"
    turns.give(mine)
    turns.give(mine)
    assert turns.take(Lock(), 0)


def test_who_is_interrupted_while_waiting_is_passed_over() -> None:
    """Else the turn would be given to somebody who has gone, and all others would wait for ever."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored
    turns, mine, ticket = Turns(), Lock(), Lock()
    assert turns.take(mine, 0)

    def interrupt() -> None:
        waiting(turns, 1)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # ends the wait, as Ctrl-C does

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            turns.take(ticket, 10)
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()
    turns.give(ticket)
    turns.give(mine)
    assert turns.take(Lock(), 0)
