"""What was answered is given again, for as long as it is still the answer, and with what every answer has."""

import asyncio
import gzip
import json
from threading import Event
from typing import Any

import httpx
import pytest
from ratingcore_service import app as app_module
from ratingcore_service.front import Front, _path

import ratingcore as rc
from tests.service.asking import Applied, ask, get

LIST = "/api/v1/pools/rapid/list"
SAFE = ("content-security-policy", "x-content-type-options", "referrer-policy", "cross-origin-opener-policy")


def _record(club: str) -> None:
    with rc.open(club) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-04-01", a="ann", b="cy", score=1.0))


def _hits(app: Front) -> int:
    lines = app.service.measures.text().decode().splitlines()
    return int(float(next(line.split()[1] for line in lines if line.startswith("ratingcore_remembered_total"))))


def test_the_same_question_is_answered_from_memory(app: Front) -> None:
    first, again = get(app, LIST), get(app, LIST)
    assert (first.content, _hits(app)) == (again.content, 1)
    assert {name: first.headers[name] for name in ("etag", "content-location", "ratingcore-head")} == {
        name: again.headers[name] for name in ("etag", "content-location", "ratingcore-head")
    }


def test_what_others_write_is_seen_at_once(app: Front, club: str) -> None:
    before, cut = get(app, LIST), get(app, f"{LIST}?known_at=42")
    _record(club)
    after = get(app, LIST)
    assert after.json()["head"] != before.json()["head"]
    assert after.headers["etag"] != before.headers["etag"]
    hits = _hits(app)
    assert get(app, f"{LIST}?known_at=42").content == cut.content
    assert _hits(app) == hits + 1


def test_requests_of_one_turn_of_the_event_loop_share_a_look_at_the_log(app: Front, club: str) -> None:
    async def asked() -> str:
        answer = await client.get(LIST)
        return str(answer.json()["head"])

    async def in_turn() -> list[str]:
        heads = [await asked()]
        heads += await asyncio.gather(asked(), asked())
        _record(club)
        await asyncio.sleep(0)
        return [*heads, *await asyncio.gather(asked(), asked())]

    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://club.example")
    before, *same, later, latest = asyncio.run(in_turn())
    assert same == [before, before]
    assert later == latest != before


def test_of_those_who_ask_for_a_stale_answer_one_has_it_made(
    app: Front, club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    get(app, LIST)
    _record(club)
    made, go, ask_engine = [0], Event(), app_module.asked_of

    def slowly(*given: Any) -> Any:
        made[0] += 1
        assert go.wait(20)
        return ask_engine(*given)

    async def together() -> list[int]:
        first = asyncio.create_task(client.get(LIST))
        while not made[0]:
            await asyncio.sleep(0.01)
        others = [asyncio.create_task(client.get(LIST)) for _ in range(100)]  # more than one caller may have waiting
        await asyncio.sleep(0)
        go.set()
        return [answer.status_code for answer in await asyncio.gather(first, *others)]

    monkeypatch.setattr(app_module, "asked_of", slowly)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://club.example")
    hits = _hits(app)
    assert asyncio.run(together()) == [200] * 101
    assert (made, _hits(app) - hits) == ([1], 100)


@pytest.mark.parametrize("remembered", [True, False])
def test_a_client_that_has_the_answer_is_not_sent_it_again(club: str, remembered: bool, applied: Applied) -> None:
    one, other = applied(), applied()
    tag = get(one, LIST).headers["etag"]
    answer = get(one if remembered else other, LIST, {"If-None-Match": tag})
    assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    _record(club)
    assert get(one, LIST, {"If-None-Match": tag}).status_code == 200


def test_only_answers_at_a_cut_of_the_log_may_be_kept(app: Front) -> None:
    kept = {
        query: get(app, LIST + query).headers["cache-control"] for query in ("", "?known_at=42", "?through=2024-03-05")
    }
    assert kept == {
        "": "public, no-cache",
        "?known_at=42": "public, no-cache",
        "?through=2024-03-05": "public, no-cache",
    }


def test_a_body_is_packed_for_those_who_take_it(app: Front) -> None:
    for _ in range(2):  # made, then remembered
        packed = get(app, LIST, {"Accept-Encoding": "gzip"})
        plain = get(app, LIST, {"Accept-Encoding": "identity"})
        assert (packed.headers["content-encoding"], plain.headers.get("content-encoding")) == ("gzip", None)
        assert packed.json() == plain.json()
        refused = get(app, LIST, {"Accept-Encoding": "gzip;q=0, identity"})
        assert "content-encoding" not in refused.headers, "it was packed for those who refuse it by the weight 0"
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) == len(plain.content)
    entry = app.service.remembered.get(("", LIST, b""))
    assert entry is not None
    assert json.loads(gzip.decompress(entry.packed[1])) == plain.json()


def test_every_answer_has_the_headers_that_keep_browsers_safe(app: Front) -> None:
    tag = get(app, LIST).headers["etag"]
    answers = [
        get(app, LIST), get(app, LIST, {"If-None-Match": tag}), get(app, "/rapid/"), get(app, "/nothing/at/all"),
        get(app, f"{LIST}?top=x"), ask(app, "DELETE", LIST), get(app, "/style.css"),
    ]  # fmt: skip
    for answer in answers:
        assert [name for name in SAFE if len(answer.headers.get_list(name)) != 1] == [], answer.url


def test_an_erased_name_is_in_no_answer_and_no_validator_stays(app: Front, club: str) -> None:
    urls = [LIST, f"{LIST}?known_at=42", "/rapid/"]
    tags = [get(app, url).headers["etag"] for url in urls]
    with rc.open(club) as engine:
        engine.erase("ann")
    for url, tag in zip(urls, tags, strict=True):
        answer = get(app, url, {"If-None-Match": tag})
        assert answer.status_code == 200
        assert "ann" not in answer.text.replace("channel", "")
    assert all(b"ann" not in entry.whole[1] for entry in app.service.remembered._entries.values())


def test_an_answer_that_came_too_late_is_there_for_whoever_asks_next(
    applied: Applied, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = applied(seconds=0.05)
    get(app, "/ready")  # the log is open
    engine, slow = app.service.desk.engine, Event()
    listed = engine.rating_list

    def waiting(*asked: Any, **named: Any) -> rc.RatingList:
        assert slow.wait(60)
        return listed(*asked, **named)

    async def asked() -> list[int]:
        door = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=door, base_url="http://club.example") as client:
            first = await client.get(LIST)
            slow.set()
            while app.service.queue.waiting:
                await asyncio.sleep(0.01)
            return [first.status_code, (await client.get(LIST)).status_code]

    monkeypatch.setattr(engine, "rating_list", waiting)
    assert asyncio.run(asked()) == [503, 200]
    assert _hits(app) == 1


def test_a_reader_may_wait_for_what_they_wrote(applied: Applied) -> None:
    app = applied(at_least_seconds=0.05)
    assert get(app, f"{LIST}?at_least=42").status_code == 200
    late = get(app, f"{LIST}?at_least=43")
    assert (late.status_code, late.json()["type"]) == (503, "urn:ratingcore:NotYet")
    assert int(late.headers["retry-after"]) >= 1
    game = {"kind": "game", "pool": "rapid", "played": "2024-03-12", "a": "ann", "b": "bo", "score": 1.0}
    for at_least, status in ((42, 200), (43, 503)):  # a question with a body waits too
        body = {"events": [game], "pool": "rapid"}
        assert ask(app, "POST", f"/api/v1/what-if?at_least={at_least}", json=body).status_code == status


def test_what_is_remembered_has_a_limit(applied: Applied) -> None:
    app = applied(remembered_bytes=20_000)
    for top in range(1, 20):
        get(app, f"{LIST}?top={top}")
    assert 0 < app.service.remembered.size <= 20_000
    assert app.service.remembered.get(("", LIST, b"top=19")) is not None
    assert app.service.remembered.get(("", LIST, b"top=1")) is None


def test_another_name_of_the_host_is_refused_where_names_are_set(applied: Applied) -> None:
    app = applied(allowed_host=("club.example",))
    assert get(app, LIST).status_code == 200
    assert get(app, LIST, {"Host": "evil.example:80"}).json()["type"] == "urn:ratingcore:BadHost"


@pytest.mark.parametrize("hosts", [("club.example", "evil.example"), ("evil.example", "club.example")])
def test_a_request_that_names_two_hosts_is_refused(applied: Applied, hosts: tuple[str, str]) -> None:
    """The last one decided, whatever a proxy before the service made of the first."""
    app = applied(allowed_host=("club.example",))
    get(app, LIST)

    async def sent() -> int:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://club.example") as client:
            return (await client.get(LIST, headers=[("Host", host) for host in hosts])).status_code

    assert asyncio.run(sent()) == 400


def test_what_does_not_exist_is_not_confirmed(app: Front) -> None:
    """Fixed: 304 was the answer to `If-None-Match: *`, whether or not there was a pool or a list of the name."""
    for url, status in ((LIST, 304), (LIST.replace("rapid", "nobody"), 404), (f"{LIST}?method=nothing", 422)):
        assert get(app, url, {"if-none-match": "*"}).status_code == status


def test_a_slash_that_is_missing_leads_to_no_other_host(app: Front) -> None:
    """It led to the name and the scheme of the request, which behind a proxy for HTTPS are those of the proxy."""
    for url, there in (
        ("/rapid?top=3", "/rapid/?top=3"), ("/%5cevil.example", "/%5Cevil.example/"), ("/2024%2f25", "/2024%2F25/")
    ):  # fmt: skip
        answer = get(app, url, {"host": "evil.example"})
        assert (answer.status_code, answer.headers["location"]) == (307, there)
    assert _path(b"https://club.example//evil.example/") == b"/evil.example/"


def test_mounted_below_a_path_links_lead_back_there(applied: Applied) -> None:
    from starlette.applications import Starlette

    site = Starlette()
    site.mount("/ratings", applied())
    answer = get(site, f"/ratings{LIST}?top=2")
    assert answer.headers["content-location"].startswith("/ratings/api/v1/")
    assert get(site, answer.json()["next"]).json()["rows"][0]["rank"] == 3
    assert 'href="/ratings/style.css"' in get(site, "/ratings/rapid/").text
