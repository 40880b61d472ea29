"""What anybody may ask: by whom it is paid, how much at a time, and what ends when nobody waits for it."""

import asyncio
import subprocess
import sys
import threading
from typing import Any

import httpx
import pytest
from ratingcore_service.access import open_tokens
from ratingcore_service.problems import GivenUp
from ratingcore_service.process_pool import Ticket, Wanted
from ratingcore_service.rates import Rates
from ratingcore_service.remembered import Entry
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

import ratingcore as rc
from tests.service.asking import Applied, ask, get

LIST = "/api/v1/pools/rapid/list"
GAME = {"kind": "game", "uid": "g", "pool": "rapid", "played": "2024-04-01", "a": "x", "b": "y", "score": 1}
OTHER = f"{LIST}?method=glicko2&known_at=20"


def test_a_long_question_is_answered_by_a_process_as_a_thread_answers_it(applied: Applied) -> None:
    short, long = applied(), applied(short_events=1, seconds=120.0)
    for url in (OTHER, f"{LIST}?method=nothing", "/rapid/players/2?known_at=20", "/rapid/methods?through=2024-03-05"):
        known, found = get(short, url), get(long, url)
        assert (found.status_code, found.text) == (known.status_code, known.text)
        assert dict(found.headers) == {**known.headers, "etag": found.headers.get("etag", "")} or not found.is_success
    supposed = {"pool": "rapid", "events": [GAME]}
    both = [ask(app, "POST", "/api/v1/what-if", json=supposed).json() for app in (short, long)]
    assert both[0] == both[1]
    (process,) = long.service.queue.processes._idle
    long.service.queue.forget()  # as after an erasure
    assert process.poll() is not None
    assert get(long, f"{OTHER}&top=1").status_code == 200, "another process is started"


def test_work_that_nobody_waits_for_any_more_ends(applied: Applied) -> None:
    app = applied(short_events=1, seconds=0.05)  # no process starts in that time
    answer = get(app, OTHER)
    assert (answer.status_code, answer.json()["type"]) == (503, "urn:ratingcore:GivenUp")
    app.service.queue._waiters.shutdown(wait=True)  # its thread has heard that the process ended
    assert app.service.queue.processes._idle == []
    assert app.service.queue.processes._working == set()


@pytest.mark.parametrize("limits", [{}, {"short_events": 1}])
def test_an_answer_is_compressed_in_the_thread_that_has_it(
    applied: Applied, monkeypatch: pytest.MonkeyPatch, limits: dict[str, Any]
) -> None:
    """A fixed fault: the event loop compressed it, and all others waited, for 12 ms a megabyte."""
    threads, of = list[str](), Entry.of
    monkeypatch.setattr(Entry, "of", lambda *given: (threads.append(threading.current_thread().name), of(*given))[1])
    app = applied(**limits)
    for _ in range(2):
        assert get(app, OTHER, {"accept-encoding": "gzip"}).status_code == 200
    (name,) = threads
    assert name.startswith("process" if limits else "reader")


SLEEPS = """
import sys, time
time.sleep(1.0)
until = time.process_time() + 0.1
while time.process_time() < until:
    pass
print("done", file=sys.stderr, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not report the CPU time of a process")
def test_a_question_that_was_given_up_costs_the_cpu_time_that_it_took(applied: Applied) -> None:
    """A fixed bug: it cost the time that had passed, on a busy machine several times as much."""
    processes, ticket, pipe = applied().service.queue.processes, Ticket(), subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPS], stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    ) as process:
        processes._idle.append(process)
        said = process.stderr
        assert said is not None
        threading.Thread(target=lambda: (said.readline(), ticket.end())).start()
        with pytest.raises(GivenUp):
            processes.answer(Wanted("", "GET", LIST, b"", b"", "", False), ticket)
    assert 0.05 < ticket.seconds < 1.0


def test_a_question_to_a_small_log_that_took_long_is_one_that_can_be_ended_next_time(applied: Applied) -> None:
    """A fixed bug: however long, such questions had threads, which went on when nobody waited for them any more."""
    app = applied(short_seconds=1e-9, seconds=0.2, rate=1e6, burst=1e6)
    assert get(app, f"{LIST}?method=glicko2").status_code in (200, 503)
    app.service.queue._threads.shutdown(wait=True)
    answer = get(app, f"{LIST}?method=glicko2:tau=0.4")
    assert (answer.status_code, answer.json()["type"]) == (503, "urn:ratingcore:GivenUp"), "no thread has it"
    app.service.queue._waiters.shutdown(wait=True)
    assert app.service.queue.processes._working == set()


def test_a_process_ends_when_whoever_asked_has_gone(applied: Applied) -> None:
    app = applied(short_events=1, seconds=600.0)

    async def asked() -> None:
        messages: asyncio.Queue[Any] = asyncio.Queue()
        messages.put_nowait({"type": "http.disconnect"})
        path, _, query = OTHER.partition("?")
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": [],
                 "client": ("192.0.2.1", 1)}  # fmt: skip

        async def send(message: Any) -> None:
            assert message.get("status", 503) == 503

        await app(scope, messages.get, send)

    asyncio.run(asked())
    app.service.queue._waiters.shutdown(wait=True)
    assert app.service.queue.processes._idle == []


def test_a_caller_has_two_questions_at_a_time_and_ready_waits_for_none(
    applied: Applied, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, go, began = applied(readers=8, rate=1e6, burst=1e6), threading.Event(), list[str]()
    engine = app.service.desk.engine
    listed = engine.rating_list

    def waiting(*given: Any, **more: Any) -> Any:
        began.append(given[1])
        assert go.wait(60)
        return listed(*given, **more)

    async def asked() -> list[int]:
        door = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=door, base_url="http://club.example") as client:
            questions = [asyncio.create_task(client.get(f"{LIST}?method=elo:k={k}")) for k in range(10, 16)]
            while len(began) < 2:
                await asyncio.sleep(0.01)
            assert (await client.get("/ready")).status_code == 200
            assert (await client.get("/desk/")).status_code == 200
            assert len(began) == 2
            go.set()
            return [answer.status_code for answer in await asyncio.gather(*questions)]

    monkeypatch.setattr(engine, "rating_list", waiting)
    assert asyncio.run(asked()) == [200] * 6


def test_what_a_question_took_is_paid_afterwards(applied: Applied) -> None:
    app = applied(cpu_rate=1e-6, cpu_burst=1e-6)  # whatever it takes, it is more
    assert get(app, LIST).status_code == 200
    refused = get(app, f"{LIST}?top=1")
    assert (refused.status_code, refused.json()["type"]) == (429, "urn:ratingcore:TooOften")
    assert [get(app, url).status_code for url in (LIST, "/ready", "/desk/")] == [200, 200, 200]


def test_who_has_used_more_than_they_have_waits_for_the_rest() -> None:
    now = 0.0
    rates = Rates(rate=0.5, burst=5.0, clock=lambda: now)
    rates.charge("ann", 7.0)
    assert rates.short("ann", 0.0) == 4.0
    rates.charge("ann", 1.0)
    assert rates.short("ann", 0.0) == 6.0
    now = 6.0
    assert (rates.short("ann", 0.0), rates.short("bo", 0.0)) == (0.0, 0.0)


ABSURD = ("glicko2:tau=1e-300", "elo:scale=1e-320", "elo-mmr:limit=1e-300", "trueskill-through-time:deviation=1e-300")


def test_a_method_whose_numbers_leave_the_range_of_computers_is_the_fault_of_who_asks(applied: Applied) -> None:
    app = applied(rate=1e6, burst=1e6, cpu_rate=1e6)
    for asked, method in [(applied(short_events=1, seconds=120.0), ABSURD[0]), *((app, one) for one in ABSURD)]:
        answer = get(asked, f"{LIST}?method={method}")
        assert (answer.status_code, "too large or too small" in answer.json().get("detail", "")) == (422, True), method
    assert get(app, f"{LIST}?method=whr:w2=1e-300").json()["type"] == "urn:ratingcore:BadParameter"
    for path in ("/rapid/?", "/rapid/players/2?", f"{LIST}/order?", f"{LIST}/diff?against=2&"):
        assert get(app, f"{path}method={ABSURD[1]}").status_code == 422, path
    body = {"pool": "rapid", "events": [GAME], "method": ABSURD[1]}
    assert ask(app, "POST", "/api/v1/what-if", json=body).status_code == 422


def test_a_day_in_a_far_year_is_no_work_for_anybody(applied: Applied) -> None:
    """Two lists of daily periods through the year 9999 took both reading threads of a small log for minutes."""
    app = applied()
    for path in (f"{LIST}?method=elo:period=days(1)&", "/rapid/?", "/api/v1/pools/rapid/players/2/history?"):
        assert get(app, f"{path}through=9999-12-31").status_code == 422
    assert get(app, f"{LIST}?method=elo:period=months(1)&through=2199-12-31").status_code == 200


def test_a_process_that_has_become_too_large_gives_back_what_it_holds(applied: Applied) -> None:
    large, small = applied(short_events=1, seconds=120.0), applied(short_events=1, seconds=120.0, memory_bytes=1)
    for url in (LIST, OTHER, "/rapid/players/2"):
        assert get(small, url).text == get(large, url).text
        assert not small.service._pages
        assert not small.service.desk.engine.core.columns._caches
        small.service._relieved = 0.0  # as a minute later
    assert large.service.desk.engine.core.columns._caches
    (kept,), (ended,) = (app.service.queue.processes._idle for app in (large, small))
    assert (kept.poll(), ended.wait(60)) == (None, 0)
    assert get(small, f"{OTHER}&top=1").status_code == 200, "another process is started"


def test_anybody_asks_by_the_methods_of_the_log_and_a_token_by_any(applied: Applied, club: str) -> None:
    with rc.open(club) as engine:
        engine.declare("rapid", method="elo:k=20 then elo:k=30 from 2024-03-05")
        engine.publish(engine.rating_list("rapid", "glicko"), "once")
        token = open_tokens(engine, Settings()).add("reader", Scope.READ)
    app = applied(offered="declared", methods={"blitz": "elo:k=11"})
    asked = {name: get(app, f"{LIST}?method={name}") for name in
             ("elo:k=20 then elo:k=30 from 2024-03-05", "elo:k=30", "glicko", "elo:k=11", "glicko2")}  # fmt: skip
    assert [answer.status_code for answer in asked.values()] == [200, 200, 200, 200, 403]
    refused = asked["glicko2"].json()
    assert (refused["type"], "elo:k=11" in refused["hint"]) == ("urn:ratingcore:NotOffered", True)
    assert get(app, f"{LIST}?method=glicko2", {"authorization": f"Bearer {token}"}).status_code == 200
    game = {"kind": "game", "pool": "rapid", "played": "2024-03-09", "a": "bo", "b": "cy", "score": 0.5}
    body = {"pool": "rapid", "events": [game], "method": "glicko2"}
    assert ask(app, "POST", "/api/v1/what-if", json=body).status_code == 403
    page = get(app, "/rapid/methods").text
    assert ("?method=elo%3Ak%3D11" in page, "?method=glicko2" in page) == (True, False)
