"""A name that another process erases goes from answers, uploads, jobs and files of a service that keeps running."""

import http.client
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ratingcore as rc
from tests.log import conftest
from tests.service.serving import PATIENCE, Server, awaited, sent

address, places = conftest.address, conftest.places

NAME = "zoe quill"
ROWS = f"played,a,b,score\n2024-04-02,{NAME},bo,1\n"


@pytest.fixture
def log(address: Callable[[str], str]) -> str:
    """The address of a log with the name, in each store."""
    place = address("league")
    with rc.open(place) as engine:
        engine.record(
            *(rc.GamePlayed(pool="rapid", played="2024-04-01", a=NAME, b=rival, score=1.0) for rival in ("bo", "cy"))
        )
    return place


def test_an_erasure_by_another_process_empties_what_a_service_keeps(log: str, tmp_path: Path) -> None:
    with Server(log, tmp_path, "--tokens", str(tmp_path / "tokens")) as server:
        token = server.command("token", "add", log, "hall", "--scope", "officer", "--tokens", str(tmp_path / "tokens"))
        kept = _kept(server, token)
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        line.request("GET", "/api/v1/changes")
        stream = line.getresponse()
        assert stream.readline() == b"retry: 3000\n"
        assert len(_holding(tmp_path / "tokens.files")) >= 2

        server.command("erase", log, NAME, "--yes")

        while (text := stream.readline()) != b"event: erased\n":
            assert text, "the stream ended"
        assert json.loads(stream.readline().removeprefix(b"data: ")) == {"erasures": 1}
        line.close()
        answers = {path: sent(server, "GET", path, token, If_None_Match=tag) for path, tag in kept.items()}
        assert {path: answer[0] for path, answer in answers.items()} == {
            path: 404 if "uploads" in path or "jobs" in path else 200 for path in kept
        }
        assert not any(NAME in str(answer[1]) for answer in answers.values())
        assert server.stop() == 143
    assert _holding(tmp_path) == []


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)  # files are beside the service, whatever the store
def test_what_was_kept_before_an_erasure_goes_when_the_service_starts_again(log: str, tmp_path: Path) -> None:
    server = Server(log, tmp_path, "--tokens", str(tmp_path / "tokens"))
    token = server.command("token", "add", log, "hall", "--scope", "officer", "--tokens", str(tmp_path / "tokens"))
    with server:
        _kept(server, token)
    with server:
        assert sent(server, "GET", "/api/v1/pools", token)[0] == 200
        assert _holding(tmp_path / "tokens.files") != []
    server.command("erase", log, NAME, "--yes")
    with server:
        assert sent(server, "GET", "/api/v1/pools", token)[0] == 200
        assert _holding(tmp_path) == []


def _kept(server: Server, token: str) -> dict[str, str]:
    """Addresses at which the service shows the name, each with its validator, if any: answers, an upload and a job."""
    paths = ["/api/v1/pools/rapid/list", "/api/v1/pools/rapid/list?known_at=2", "/rapid/"]
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    line.request("POST", "/api/v1/uploads?name=april.csv&pool=rapid", ROWS, {"Authorization": f"Bearer {token}"})
    paths.append(json.loads(line.getresponse().read())["address"])
    line.close()
    ask = {"pool": "rapid", "old": "elo:k=24", "new": "elo:k=32", "start": "beginning"}
    status, job, _ = sent(server, "POST", "/api/v1/jobs", token, {"job": "backdate", "ask": ask})
    assert status == 202, job
    done: dict[str, Any] = awaited(lambda: _done(server, token, job["address"]))
    paths.append(done["results"][0])
    awaited(lambda: NAME in str(sent(server, "GET", paths[3], token)[1]))
    tags = {}
    for path in paths:
        status, answer, headers = sent(server, "GET", path, token)
        assert status == 200, answer
        assert NAME in str(answer), path
        tags[path] = headers.get("etag", "none")
        sent(server, "GET", path)  # as everybody asks it, so that it is remembered
    return tags


def _done(server: Server, token: str, path: str) -> dict[str, Any] | None:
    state: dict[str, Any] = sent(server, "GET", path, token)[1]
    assert state["state"] in ("waiting", "running", "done"), state
    return state if state["state"] == "done" else None


def _holding(folder: Path) -> list[str]:
    """Files below a folder that hold the name."""
    found = (file for file in folder.rglob("*") if file.is_file())
    return [str(file) for file in found if NAME.encode() in file.read_bytes()]
