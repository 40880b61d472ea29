"""The API that keeps a log: erasure, verification, export and backup."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope

import ratingcore as rc
from ratingcore.errors import ErasureUnfinished
from ratingcore.log import load_lines
from tests.service.asking import Applied, Bearer, ask, get
from tests.service.contract import CONTRACT
from tests.service.serving import PATIENCE
from tests.service.test_live import Listener

ERASURES = "/api/v1/erasures"


def test_an_erasure_leaves_the_name_in_no_answer(app: Front, bearer: Bearer, club: str) -> None:
    url = "/api/v1/pools/rapid/list"
    tag = get(app, url).headers["etag"]
    permalink = get(app, url).headers["content-location"]
    get(app, permalink)
    body = {"player": "ann", "again": "ann"}
    looked = ask(app, "POST", ERASURES, bearer(), json=body | {"dry_run": True}).json()
    assert (looked["finished"], looked["dry_run"]) == (False, True)
    assert any("ann" in line for line in looked["lines"])
    assert "ann" in get(app, url).text
    made = ask(app, "POST", ERASURES, bearer(name="officer"), json=body)
    assert (made.status_code, made.json()["finished"]) == (200, True), made.text
    for address in (url, permalink, "/rapid/"):
        again = get(app, address, {"if-none-match": tag})
        assert again.status_code == 200
        assert "ann" not in again.text.replace("planned", "")
    assert ask(app, "POST", ERASURES, bearer(), json=body).status_code == 404
    for file in Path(club).parent.glob("club.db*"):
        assert file.is_dir() or b"ann" not in file.read_bytes()


def test_facts_go_with_the_name_and_rated_ones_when_asked_for(app: Front, bearer: Bearer, club: str) -> None:
    engine = app.service.desk.engine
    facts = {"born": 1988, "club": "Ockham Rooks"}
    engine.record(rc.PlayerDescribed(pool="rapid", player="ann", played="2024-01-01", data=facts))
    number = engine.core.player_id("ann")
    page = f"/rapid/players/{number}"
    assert "Ockham Rooks" in get(app, page).text
    body = {"player": "ann", "again": "ann"}
    lines = ask(app, "POST", ERASURES, bearer(), json=body | {"dry_run": True}).json()["lines"]
    assert "  fact: club: Ockham Rooks" in lines
    assert any(line.startswith("  born at position") for line in lines)
    lines = ask(app, "POST", ERASURES, bearer(), json=body | {"dry_run": True, "rated_facts": True}).json()["lines"]
    assert "  fact: born: 1988" in lines
    made = ask(app, "POST", ERASURES, bearer(), json=body | {"rated_facts": True}).json()
    assert made["lines"][0].endswith(", with 2 facts")
    assert "Ockham Rooks" not in get(app, page).text
    for file in Path(club).parent.rglob("*"):
        assert file.is_dir() or b"Ockham Rooks" not in file.read_bytes()


def test_the_name_is_typed_twice_and_by_an_officer(app: Front, bearer: Bearer) -> None:
    typed = ask(app, "POST", ERASURES, bearer(), json={"player": "ann", "again": "anna"})
    assert (typed.status_code, typed.json()["type"]) == (422, "urn:ratingcore:BadValue")
    hall = ask(app, "POST", ERASURES, bearer(Scope.RECORD), json={"player": "ann", "again": "ann"})
    assert hall.status_code == 403


def test_an_erasure_that_is_held_up_is_to_be_asked_again(
    app: Front, bearer: Bearer, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = app.service.desk.engine

    def held_up(*given: object, **named: object) -> None:
        raise ErasureUnfinished("club.db", (1,), "another process has the file open")

    monkeypatch.setattr(engine, "erase", held_up)
    answer = ask(app, "POST", ERASURES, bearer(), json={"player": "ann", "again": "ann"})
    assert (answer.status_code, answer.json()["finished"]) == (202, False)
    assert "202" in CONTRACT["paths"][ERASURES]["post"]["responses"], "a fixed bug: the contract did not have it"
    assert answer.headers["retry-after"] == "5"


def test_digests_are_checked(app: Front, bearer: Bearer) -> None:
    checked = ask(app, "POST", "/api/v1/verification", bearer()).json()
    assert checked["head"] == str(app.service.desk.engine.log.head)
    assert checked["batches"] > 0


def test_copies_are_whole(app: Front, bearer: Bearer, tmp_path: Path) -> None:
    head = app.service.desk.engine.log.head
    lines = get(app, "/api/v1/export", bearer())
    assert lines.headers["content-disposition"] == 'attachment; filename="log.jsonl"'
    copy = rc.open(":memory:")
    assert load_lines(copy.log, lines.text.splitlines()).head == head
    file = tmp_path / "copy.db"
    file.write_bytes(get(app, "/api/v1/backup", bearer()).content)
    with rc.open(file, read_only=True) as engine:
        assert engine.log.head == head
    assert get(app, "/api/v1/export", bearer(Scope.RECORD)).status_code == 403


def test_the_file_of_a_copy_is_gone_once_it_was_sent(
    app: Front, bearer: Bearer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "copies"))
    (tmp_path / "copies").mkdir()
    assert get(app, "/api/v1/export", bearer()).status_code == 200
    assert list((tmp_path / "copies").iterdir()) == []


def test_nobody_is_told_an_erased_name_by_an_answer_that_begins_afterwards(
    app: Front, bearer: Bearer, tmp_path: Path
) -> None:
    officer, hall = bearer(name="officer"), bearer(Scope.RECORD)
    app.service.desk.engine.record(
        *(rc.GamePlayed(pool="rapid", played="2024-04-01", a="zoe quill", b=rival, score=1.0) for rival in ("bo", "cy"))
    )
    number = app.service.desk.engine.log.book.number("player", "zoe quill")
    addresses = [
        "/api/v1/pools/rapid/list", f"/api/v1/pools/rapid/players/{number}", "/api/v1/events?top=1000", "/rapid/",
        f"/rapid/players/{number}", "/log", "/api/v1/pools/rapid/players", "/api/v1/export",
    ]  # fmt: skip
    after: list[tuple[str, str]] = []
    erased = over = False

    async def read(client: httpx.AsyncClient, address: str) -> None:
        while not over:
            begins_after, headers = erased, officer if address.endswith("export") else None
            answer = await client.get(address, headers=headers)
            assert answer.status_code == 200, answer.text
            if begins_after:
                after.append((address, answer.text))
            await asyncio.sleep(0)  # what is remembered is answered without a pause

    async def write(client: httpx.AsyncClient) -> None:
        while not over:
            game = {"kind": "game", "pool": "rapid", "played": "2024-04-02", "a": "ann", "b": "bo", "score": 1.0}
            await client.post("/api/v1/events", json={"events": [game]}, headers=hall)
            await asyncio.sleep(0.02)

    async def play() -> None:
        nonlocal erased, over
        door = httpx.ASGITransport(app)
        async with (
            httpx.AsyncClient(transport=door, base_url="http://club.example") as client,
            asyncio.timeout(PATIENCE),
            asyncio.TaskGroup() as works,  # the first that fails ends all
        ):
            for address in addresses:
                works.create_task(read(client, address))
            works.create_task(write(client))
            await asyncio.sleep(0.3)
            body = {"player": "zoe quill", "again": "zoe quill"}
            while (await client.post(ERASURES, json=body, headers=officer)).status_code == 202:
                await asyncio.sleep(0.05)  # readers were at the file
            erased = True
            while {address for address, _ in after} < set(addresses):
                await asyncio.sleep(0.05)
            over = True

    asyncio.run(play())
    assert [address for address, text in after if "zoe" in text or "quill" in text] == []
    assert all(b"zoe quill" not in file.read_bytes() for file in tmp_path.rglob("club.db*") if file.is_file())


def test_an_erasure_among_streams_uploads_and_jobs_leaves_no_file_with_the_name(
    applied: Applied, bearer: Bearer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    app, officer = applied(seconds=PATIENCE, rate=1000.0, burst=10_000.0, job_wait=0.01), bearer(name="officer")
    rows = "played,a,b,score\n2024-04-01,zoe quill,bo,1\n"
    app.service.desk.engine.record(rc.GamePlayed(pool="rapid", played="2024-04-01", a="zoe quill", b="cy", score=1.0))
    erased = asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield rows.encode()
        await erased.wait()
        yield b"2024-04-02,zoe quill,bo,0\n"

    async def until(pattern: str, count: int) -> None:
        while len(list(tmp_path.rglob(pattern))) < count:
            await asyncio.sleep(0.01)

    async def play() -> list[int]:
        door = httpx.ASGITransport(app)
        async with (
            httpx.AsyncClient(transport=door, base_url="http://club.example", headers=officer) as client,
            asyncio.timeout(PATIENCE),
            asyncio.TaskGroup() as works,
        ):

            async def upload(text: str | AsyncIterator[bytes]) -> httpx.Response:
                return await client.post("/api/v1/uploads?name=april.csv&pool=rapid", content=text)

            async def begin(job: str, **asked: str) -> str:
                answer = await client.post("/api/v1/jobs", json={"job": job, "ask": asked})
                address: str = answer.json()["address"]
                return address

            streams = [Listener(app) for _ in range(3)]
            done = await begin("backdate", pool="rapid", old="elo:k=24", new="elo:k=32", start="beginning")
            while (state := (await client.get(done)).json())["state"] in ("waiting", "running"):
                await asyncio.sleep(0.05)
            assert state["state"] == "done", state["error"]
            assert "zoe quill" in (await client.get(state["results"][0])).text
            kept = (await upload(rows)).json()
            assert "zoe quill" in str(kept)
            going = [await begin("simulate"), await begin("season", fixtures="a,b\nzoe quill,bo\n", pool="rapid")]
            arriving = [works.create_task(upload(rows + "\n" * 9))]
            await until("uploads/*/err", 2)  # its process reads it
            arriving.append(works.create_task(upload(slowly())))
            await until("uploads/*/file", 3)
            body = {"player": "zoe quill", "again": "zoe quill"}
            while (answer := await client.post(ERASURES, json=body)).status_code == 202:
                await asyncio.sleep(0.05)  # a job was at the file
            assert answer.status_code == 200, answer.text
            erased.set()
            game = {"kind": "game", "pool": "rapid", "played": "2024-04-02", "a": "ann", "b": "bo", "score": 1.0}
            assert (await client.post("/api/v1/events", json={"events": [game]})).status_code == 201
            for stream in streams:
                assert (await stream.next())["id"] > 0
                await stream.ended()
            await asyncio.wait(arriving)
            gone = [(await client.get(address)).status_code for address in (done, *going, kept["address"])]
            read, came_in = (task.result().status_code for task in arriving)
            assert read in (201, 404)  # it may have been read before the name was erased
            return [*gone, came_in]

    assert asyncio.run(play()) == [404] * 5
    assert [str(file) for file in tmp_path.rglob("*") if file.is_file() and b"zoe quill" in file.read_bytes()] == []
    assert "zoe" not in "".join(capfd.readouterr())
