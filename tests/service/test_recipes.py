"""Recipes of the service: each names options that exist, and is checked by the program that it is for."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]  # no types
from click import Context
from click.testing import CliRunner
from psycopg.conninfo import conninfo_to_dict
from ratingcore_postgres.address import Location
from ratingcore_service.cli import serve

import ratingcore as rc
from ratingcore.cli.main import cli
from tests.service.serving import PATIENCE, awaited

FOLDER = Path(__file__).parents[2] / "docs" / "service"


def options(text: str) -> set[str]:
    """Options of `ratingcore serve` that a recipe names."""
    lines = [line for line in text.splitlines() if "serve" in line or "CMD [" in line]
    return {
        option for line in lines for option in re.findall(r"(?<= |\")--[a-z-]+", line.partition("serve")[2] or line)
    }


@pytest.mark.parametrize("name", ["ratingcore.service", "Dockerfile", "nginx.conf"])
def test_options_of_recipes_are_those_of_the_command(name: str) -> None:
    known = CliRunner().invoke(cli, ["serve", "--help"]).output
    named = options((FOLDER / name).read_text("utf-8"))
    assert named
    assert all(option in known for option in named), named


def test_the_services_of_compose_are_made_of_what_there_is() -> None:
    text = (FOLDER / "compose.yaml").read_text("utf-8")
    whole = yaml.safe_load(text)
    ratings, db = whole["services"]["ratings"], whole["services"]["db"]
    log, *given = ratings["command"]
    known = serve.make_context("serve", [log, *given], resilient_parsing=True).params
    assert (known["host"], known["workers"], known["logs"]) == ("0.0.0.0", 2, (log,))
    at = conninfo_to_dict(Location(log).conninfo)
    assert (at["host"], at["user"], at["dbname"]) == (
        "db",
        *[db["environment"][f"POSTGRES_{name}"] for name in ("USER", "DB")],
    )
    assert f"# where LOG is {log}\n" in text
    build = FOLDER / ratings["build"]["context"]
    assert (build / ratings["build"]["dockerfile"]).is_file()
    assert (build / "pyproject.toml").is_file()
    volumes = {one.partition(":")[0] for name in ("db", "ratings") for one in whole["services"][name]["volumes"]}
    assert volumes == set(whole["volumes"])
    for line in re.findall(r"--entrypoint ratingcore ratings (.*)", text):
        command, *words = shlex.split(line.replace("$LOG", log))
        cli.get_command(Context(cli), command).make_context(command, words)  # type: ignore[union-attr]


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "ratingcore.service"
    text = (FOLDER / "ratingcore.service").read_text("utf-8")
    unit.write_text(text.replace("/opt/ratingcore/bin/ratingcore", shutil.which("true") or "/bin/true"), "utf-8")
    ran = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "ratingcore.service" not in ran.stderr, ran.stderr


def test_the_proxy_sends_streams_on_at_once_and_takes_files(tmp_path: Path) -> None:
    text = (FOLDER / "nginx.conf").read_text("utf-8")
    assert text.count("{") == text.count("}")
    stream = text.partition("location = /api/v1/changes")[2]
    assert "proxy_buffering off;" in stream
    assert "client_max_body_size 64m;" in text
    if shutil.which("nginx") is not None:
        whole = tmp_path / "nginx.conf"
        whole.write_text(f"pid {tmp_path}/pid; events {{}} http {{ include {FOLDER / 'nginx.conf'}; }}", "utf-8")
        ran = subprocess.run(["nginx", "-t", "-c", str(whole)], capture_output=True, text=True, check=False)
        assert "syntax is ok" in ran.stderr, ran.stderr


def test_what_litestream_brings_back_is_the_log(tmp_path: Path) -> None:
    """The commands are those of the page on backups."""
    if shutil.which("litestream") is None:
        pytest.skip("litestream is not installed: pip install '.[recipes]'")
    page = (FOLDER.parent / "officer" / "backups.md").read_text("utf-8")
    lines = re.findall(r"^(?:litestream|ratingcore) .*/backups/club.*|^ratingcore restore newest.*", page, re.MULTILINE)
    replicate, restore, take = (shlex.split(line, comments=True) for line in lines)
    copies = f"file://{tmp_path}/copies"
    place = {"file:///backups/club": copies, "club.db": str(tmp_path / "club.db"), "newest.db": str(tmp_path / "new")}
    with rc.open(tmp_path / "club.db") as engine:
        beside = subprocess.Popen([place.get(word, word) for word in replicate], stdout=-3, stderr=-3)
        try:
            for n in range(30):
                engine.record(
                    rc.GamePlayed(uid=f"g-{n}", pool="rapid", played="2024-03-02", a="ann", b="bo", score=1.0)
                )
            head = engine.log.head
            assert awaited((tmp_path / "copies").exists)
        finally:
            beside.terminate()  # it sends the rest before it ends
            beside.wait(PATIENCE)
    subprocess.run([place.get(word, word) for word in restore], check=True, capture_output=True, timeout=PATIENCE)
    (tmp_path / "club.db").write_bytes(b"broken")
    done = CliRunner().invoke(cli, [place.get(word, word) for word in take[1:]])
    assert done.exit_code == 0, done.output
    with rc.open(tmp_path / "club.db", read_only=True) as engine:
        assert engine.verify().head == head
