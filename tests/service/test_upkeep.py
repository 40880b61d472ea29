"""The API that keeps a log: erasure, verification, export and backup."""

import asyncio
from pathlib import Path

import httpx
import pytest
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope

import ratingcore as rc
from ratingcore.errors import ErasureUnfinished
from ratingcore.log import load_lines
from tests.service.asking import Bearer, ask, get
from tests.service.serving import PATIENCE

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
    number = app.service.desk.engine.log.number_of("player", "zoe quill")
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
