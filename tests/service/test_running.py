"""A served log: the command, its processes, and what those who keep it running ask."""

import asyncio
import gc
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import uvicorn
from click.testing import CliRunner
from ratingcore_service import running
from ratingcore_service.front import Front
from ratingcore_service.settings import Settings

from ratingcore.cli.main import cli
from ratingcore.registry import Registry
from tests.service.asking import Applied, Bearer, ask, get
from tests.service.serving import PATIENCE, Server, awaited, children, sent


def asked(url: str) -> tuple[int, bytes]:
    """Status and body of an answer."""
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.status, answer.read()


def test_a_log_is_served_until_the_process_is_told_to_stop(club: str, tmp_path: Path) -> None:
    with Server(club, tmp_path, "--method", "rapid=elo:k=40", "--limit", "seconds=60") as server:
        url = server.address
        assert awaited(lambda: asked(f"{url}/live")) == (200, b"alive\n")
        assert asked(f"{url}/ready") == (200, b"ready\n")
        listed = json.loads(asked(f"{url}/api/v1/pools/rapid/list")[1])
        assert "k=40.0" in listed["method"]
        assert server.stop() == 128 + signal.SIGTERM
        line = json.loads(server.said.read_text().splitlines()[-1])
    assert (line["method"], line["route"], line["status"], line["head"]) == (
        "GET", "/api/v1/pools/{pool}/list", 200, listed["head"],
    )  # fmt: skip


def test_requests_that_are_not_http_do_not_fill_the_disk(club: str, tmp_path: Path) -> None:
    """A fixed bug: a line of the server's log for each, without end."""
    with Server(club, tmp_path) as server:
        for text in (
            b"HELO\r\n\r\n",
            b"GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
        ):
            for _ in range(20):
                with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
                    line.sendall(text)
                    assert line.recv(4096).startswith(b"HTTP/1.1 ")
        lines = [line for line in server.said.read_text().splitlines() if not line.startswith("{")]
    assert 0 < len(lines) <= 4, lines


def test_a_warning_of_the_server_says_how_many_were_left_out() -> None:
    now = 0.0
    sparse = running.Sparse(lambda: now)

    def written(text: str, level: int = logging.WARNING) -> str | None:
        record = logging.LogRecord("uvicorn.error", level, "", 0, text, (), None)
        return record.getMessage() if sparse.filter(record) else None

    assert [written("not HTTP") for _ in range(1001)] == ["not HTTP", *[None] * 1000]
    assert written("of another kind") == "of another kind"
    assert [written("a fault", logging.ERROR) for _ in range(2)] == ["a fault"] * 2
    now = running.MINUTE
    assert written("not HTTP") == "not HTTP (1,000 more since the last line)"
    now *= 2
    assert written("not HTTP") == "not HTTP"


def test_a_log_that_cannot_be_opened_is_reported_and_no_address(tmp_path: Path) -> None:
    """A fixed bug: the address was printed first, as if the log were served."""
    (tmp_path / "club.db").write_text("not a log")
    command = [sys.executable, "-m", "ratingcore", "serve", str(tmp_path / "club.db"), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a SQLite file" in done.stderr


def test_the_signal_that_ends_it_is_the_failure_of_no_plugin(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All plugins were loaded, to find the one to be blamed: a second of CPU for each stop."""

    def run(*given: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    monkeypatch.setattr("ratingcore_service.running.run", run)
    monkeypatch.setattr(Registry, "blamed", lambda *given: pytest.fail("a plugin is looked for"))
    assert CliRunner().invoke(cli, ["serve", club]).exit_code == 128 + signal.SIGTERM


def test_its_end_by_the_keyboard_is_not_an_error(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C, which the documents give as its end, printed `error: interrupted`."""

    def run(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ratingcore_service.running.run", run)
    ended = CliRunner().invoke(cli, ["serve", club])
    assert (ended.exit_code, ended.output) == (128 + signal.SIGINT, "")


def test_a_process_that_dies_is_started_again_and_all_end_together(club: str, tmp_path: Path) -> None:
    with Server(club, tmp_path, "--workers", "2", "--read-only") as server:
        url = server.address
        assert awaited(lambda: asked(f"{url}/live"))
        first = awaited(lambda: children(server.pid, 2))
        os.kill(first[0], signal.SIGKILL)
        again = awaited(lambda: children(server.pid, 2, without=first[0]))
        assert first[1] in again
        assert asked(f"{url}/api/v1/pools/rapid/list")[0] == 200
        assert server.stop() == 0
        assert not any(Path(f"/proc/{child}").exists() for child in again)


def test_a_service_that_only_this_machine_reaches_answers_to_its_names_alone(club: str, tmp_path: Path) -> None:
    with Server(club, tmp_path) as server:
        for _ in range(2):  # the second answer is remembered
            assert sent(server, "GET", "/api/v1/pools/rapid/list", Host="localhost")[0] == 200
            assert sent(server, "GET", "/api/v1/pools/rapid/list", Host=f"[::1]:{server.port}")[0] == 200
            assert sent(server, "GET", "/api/v1/pools/rapid/list", Host="evil.example")[0] == 400


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process holds")
def test_a_job_ends_with_the_service_and_holds_none_of_its_sockets(club: str, tmp_path: Path) -> None:
    with Server(club, tmp_path, "--limit", "job_wait=0.01") as server:
        token, ask = server.token("hall", "officer"), {"scenario": "thesis-1:players=2000,rounds=500"}
        made = sent(server, "POST", "/api/v1/jobs", token, {"job": "simulate", "ask": ask})
        assert made[0] == 202, made
        (job,) = awaited(lambda: children(server.pid, 1))
        assert awaited(lambda: b"simulate" in Path(f"/proc/{job}/cmdline").read_bytes())
        held = {os.readlink(one) for one in Path(f"/proc/{job}/fd").iterdir()}
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
        assert not held & {f"socket:[{line[9]}]" for line in lines if line[9].isdigit()}
        server.kill()
        assert awaited(
            lambda: not Path(f"/proc/{job}").exists() or "(zombie)" in Path(f"/proc/{job}/status").read_text()
        )
    with Server(club, tmp_path, "--port", str(server.port)) as again:
        assert asked(f"{again.address}/ready")[0] == 200


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--workers", "2"], "only one process can write to a file"),
        (["--host", "0.0.0.0"], "the log has no token"),
        (["--limit", "seconds=soon"], "--limit is not NAME=NUMBER"),
        (["--limit", "second=1"], "must be one of"),
        (["--limit", "seconds=0"], "is not a number above 0"),
        (["--language", "xx"], "no pages in the language xx"),
    ],
)
def test_a_service_that_cannot_be_is_refused(club: str, options: list[str], why: str) -> None:
    made = CliRunner().invoke(cli, ["serve", club, *options])
    assert made.exit_code != 0
    assert why in made.output


def test_it_is_ready_once_the_lists_are_made(applied: Applied) -> None:
    app = applied(warm=True)
    first = get(app, "/ready")
    assert first.status_code in (200, 503)
    assert awaited(lambda: app.service._warming is not None and get(app, "/ready").status_code == 200)


def test_it_lives_without_a_log(tmp_path: Path, applied: Applied) -> None:
    app = applied(str(tmp_path / "no" / "where.db"))
    assert get(app, "/live").text == "alive\n"
    assert get(app, "/ready").status_code in (404, 503)


def test_measures_are_for_this_machine_and_for_whoever_has_a_token(app: Front) -> None:
    for _ in range(3):
        get(app, "/api/v1/pools/rapid/list")
    text = get(app, "/metrics").text
    assert 'ratingcore_requests_total{route="/api/v1/pools/{pool}/list",status="200"} 1.0' in text
    assert "ratingcore_remembered_total 2.0" in text
    assert get(app, "/metrics", {"X-Forwarded-For": "198.51.100.7"}).status_code == 401


def test_the_seconds_of_appends_are_measured(app: Front, bearer: Bearer) -> None:
    """Nothing was ever noted under their name."""
    game = {"kind": "game", "pool": "rapid", "played": "2024-04-01", "a": "ann", "b": "bo", "score": 1.0}
    ask(app, "POST", "/api/v1/events", bearer(), json={"events": [game]})
    assert "ratingcore_append_seconds_count 1.0" in get(app, "/metrics").text


def test_every_limit_has_a_meaning_in_the_settings() -> None:
    said = (Settings.__doc__ or "").partition("Parameters")[2]
    assert [name for name in Settings.__attrs_attrs__ if name.name not in said] == []  # type: ignore[attr-defined]  # attrs


@pytest.mark.parametrize("words", [["--help"], ["list", "CLUB"], ["serve", "--help"]])
def test_no_other_command_imports_a_server(club: str, words: list[str]) -> None:
    code = (
        "import sys\nfrom ratingcore.cli.main import cli\n"
        f"cli({[club if word == 'CLUB' else word for word in words]!r}, standalone_mode=False)\n"
        "print(sorted({'starlette', 'uvicorn', 'msgspec.json', 'jinja2', 'ratingcore_service.app'} & {*sys.modules}))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.splitlines()[-1] == "[]"


def test_without_the_extra_the_command_says_what_to_install(club: str) -> None:
    code = (
        "import sys\nsys.modules['starlette'] = None\nfrom ratingcore.cli.main import main\n"
        f"sys.argv = ['ratingcore', 'serve', {club!r}]\nmain()"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert made.returncode == 2
    assert "serve needs a package that is not installed: starlette" in made.stderr
    assert made.stderr.endswith('[service]"\n')


def test_a_log_that_is_missing_is_made_and_hints_name_its_file(tmp_path: Path) -> None:
    """The hints named a club.db that was not there, and a token could not be made before the first page was asked."""
    log = tmp_path / "our league.db"
    with Server(str(log), tmp_path) as server:
        assert awaited(lambda: asked(f"{server.address}/ready")) == (200, b"ready\n")
        line = "ratingcore token add &#39;our league.db&#39; secretary --scope officer"
        assert line in asked(f"{server.address}/")[1].decode()
        assert line in asked(f"{server.address}/desk/")[1].decode()
        assert f"token add '{log}' secretary --scope officer" in server.said.read_text()
        assert server.token("secretary", "officer").startswith("rc_")


def test_what_was_loaded_is_collected_as_garbage_no_more(app: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    """With numba loaded, each full collection halted all requests for 110 ms, often several times a page."""
    spared: list[bool] = []
    monkeypatch.setattr(running, "spare_modules", lambda: spared.append(True))
    server = running.Server(uvicorn.Config(app), app)
    for counter in (0, 1, 10, 20, 30):
        asyncio.run(server.on_tick(counter))
    assert len(spared) == 1, "once, as soon as no more modules are loaded"
    monkeypatch.undo()
    try:
        running.spare_modules()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
