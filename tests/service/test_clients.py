"""Clients that are generated from the contract: they compile, and that for Python records, lists and corrects."""

import asyncio
import compileall
import os
import shutil
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


PROGRAM = """
import type { components, paths } from "./api";

type Listed = paths["/api/v1/pools/{pool}/list"]["get"]["responses"]["200"]["content"]["application/json"];

export const sent: components["schemas"]["EventsSent"] = {
  amend: true,
  events: [{ kind: "game", uid: "g-1", pool: "rapid", played: "2024-03-02", a: "user:17", b: "user:23", score: 1 }],
};
export const correction: components["schemas"]["Amend"] = {
  what: "amend", uid: "g-1", changes: { score: 0.5 }, why: "the scoresheet",
};

export function shown(listed: Listed): string[] {
  return listed.rows.map((row) => `${row.rank} ${row.player} ${row.rating?.toFixed(1)}`);
}
"""


def test_a_client_for_typescript_compiles_a_program_that_records_lists_and_corrects(tmp_path: Path) -> None:
    """Fields with a default were to be given, so that a game without facts did not compile."""
    if shutil.which("npm") is None:
        pytest.skip("there is no node")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "openapi-typescript@7", "typescript@5"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode:
        pytest.skip(f"npm gives no generator: {done.stderr[-200:]}")
    tools = tmp_path / "node_modules" / ".bin"
    (tmp_path / "program.ts").write_text(PROGRAM)
    subprocess.run([tools / "openapi-typescript", FILE, "-o", "api.ts"], cwd=tmp_path, capture_output=True, check=True)
    compiled = subprocess.run(
        [tools / "tsc", "--strict", "--skipLibCheck", "--noEmit", "program.ts"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert compiled.returncode == 0, compiled.stdout


def test_a_client_for_java_has_types_for_rows_of_lists(tmp_path: Path) -> None:
    generator = Path(sys.executable).with_name("openapi-generator-cli")
    if shutil.which("java") is None or not generator.exists():
        pytest.skip("there is no java, or no openapi-generator-cli")
    only = "models=Listed:ListRow,apis=Default,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false"
    command = [generator, "generate", "-i", FILE, "-g", "java", "--library", "native", "-o", tmp_path]
    command += ["--global-property", only]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(generator.parent), os.environ["PATH"]]),
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # it runs for seconds
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    models = tmp_path / "src" / "main" / "java" / "org" / "openapitools" / "client"
    assert "List<ListRow> getRows()" in (models / "model" / "Listed.java").read_text()
    assert "BigDecimal getRating()" in (models / "model" / "ListRow.java").read_text()
    assert "public Listed getPoolsPoolList(" in (models / "api" / "DefaultApi.java").read_text()
