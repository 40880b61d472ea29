"""Clients that are generated from the contract: they compile, and record, list and correct."""

import asyncio
import compileall
import subprocess
import sys
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import httpx
import pytest
from ratingcore_service.front import Front

from tests.service.asking import Bearer
from tests.service.contract import FILE


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a client for Python."""
    folder = tmp_path_factory.mktemp("generated")
    command = [Path(sys.executable).with_name("openapi-python-client"), "generate", "--path", FILE, "--meta", "none"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    left_out = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("WARNING")]
    assert left_out == [f"WARNING parsing GET /api/v1/{file} within default." for file in ("backup", "export")]
    return folder


def test_a_client_for_python_records_lists_and_corrects(
    generated: Path, app: Front, bearer: Bearer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compileall.compile_dir(generated, quiet=1)
    monkeypatch.syspath_prepend(generated)
    invalidate_caches()
    client, models = import_module("ratingcore_client"), import_module("ratingcore_client.models")

    def operation(name: str) -> Any:
        return import_module(f"ratingcore_client.api.default.{name}").asyncio

    async def used() -> None:
        token = bearer()["authorization"].removeprefix("Bearer ")
        door = client.AuthenticatedClient("http://club.example", token=token)
        door.set_async_httpx_client(
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://club.example",
                headers={"Authorization": f"Bearer {token}"},
            )
        )  # fmt: skip
        game = models.Game(
            uid="g-new", pool="generated", played="2024-05-02", a="Ann", b="Bo", score=1.0, kind=models.GameKind.GAME
        )
        sent = await operation("post_events")(client=door, body=models.EventsSent(events=[game]))
        assert (sent.accepted, sent.uids) == (1, ["g-new"])
        listed = await operation("get_pools_pool_list")("generated", client=door, method="elo")
        assert [(row.player, row.rating, row.games) for row in listed.rows] == [("Ann", 1510.0, 1), ("Bo", 1490.0, 1)]
        void = models.Void(uid="g-new", why="not played", what=models.VoidWhat.VOID)
        await operation("post_corrections")(client=door, body=void, if_match=sent.head)
        gone = await operation("get_pools_pool_list")("generated", client=door, method="elo")
        assert gone.rows == []
        refused = await operation("post_corrections")(client=door, body=void, if_match=sent.head)
        assert isinstance(refused, models.Problem)

    asyncio.run(used())
