"""A log in Datasette: views are pages with facets, hidden tables stay closed, hostile names are inert."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ratingcore as rc
from ratingcore.cli.main import cli

pytest.importorskip("datasette", reason="Datasette is not installed: pip install '.[datasette]'")

from datasette.app import Datasette  # type: ignore[import-untyped]
from ratingcore_datasette import SETTINGS, metadata

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A log of two pools and a correction, and a file of tables of its ratings."""
    club, tables = tmp_path / "club.db", tmp_path / "tables.db"
    with rc.open(str(club)) as engine:
        for number, (pool, a) in enumerate((("rapid", "ann"), ("rapid", HOSTILE), ("blitz", "ann"))):
            engine.record(rc.GamePlayed(pool=pool, played="2024-03-02", a=a, b="bo", score=1.0, uid=f"g-{number}"))
        engine.void("g-1", why="not played")
    done = CliRunner().invoke(cli, ["catch-up", str(club), "--method", "elo", "--to", str(tables)])
    assert done.exit_code == 0, done.stderr
    return [club, tables]


def asked(files: list[Path], *paths: str) -> list[Any]:
    """What Datasette answers, of one process."""

    async def ask() -> list[Any]:
        server = Datasette([str(file) for file in files], metadata=metadata(files), settings=dict(SETTINGS))
        await server.invoke_startup()
        return [await server.client.get(path) for path in paths]

    return asyncio.run(ask())


def test_views_have_facets_and_filters(files: list[Path]) -> None:
    games, events, narrowed = asked(files, "/club/games.json", "/club/events.json", "/club/games.json?pool=blitz")
    found = {result["value"]: result["count"] for result in games.json()["facet_results"]["pool"]["results"]}
    assert found == {"rapid": 2, "blitz": 1}
    kinds = {result["value"]: result["count"] for result in events.json()["facet_results"]["kind"]["results"]}
    assert kinds == {"game": 3, "void": 1}
    assert narrowed.json()["filtered_table_rows_count"] == 1


def test_tables_of_ratings_are_pages_and_take_sql(files: list[Path]) -> None:
    listed, counted = asked(
        files, "/tables/ratings_current.json", "/tables.json?sql=select+count(*)+from+rating_history"
    )
    assert {result["value"] for result in listed.json()["facet_results"]["pool"]["results"]} == {"rapid", "blitz"}
    assert counted.status_code == 200


def test_boards_have_lists_like_pools_and_a_page_that_says_what_they_take(files: list[Path], tmp_path: Path) -> None:
    club, tables = files[0], tmp_path / "of_boards.db"
    with rc.open(str(club)) as engine:
        engine.record(rc.GamePlayed(pool="rapid", played="2024-03-05", a="cy", b="bo", score=1.0, data={"judge": "j1"}))
        engine.declare("first", of="rapid", results="judge=j1", method="elo")
    assert CliRunner().invoke(cli, ["catch-up", str(club), "--method", "elo", "--to", str(tables)]).exit_code == 0
    boards, listed = asked(
        [club, tables], "/club/boards.json?_shape=array", "/of_boards/ratings_current.json?pool=first"
    )
    assert boards.json() == [{"board": "first", "pool": "rapid", "results": "judge=j1", "method": "elo"}]
    assert listed.json()["filtered_table_rows_count"] == 2


def test_salts_and_sql_of_a_log_are_closed(files: list[Path]) -> None:
    paths = ("/club/name.json", "/club/log.json", "/club.json?sql=select+salt+from+name")
    assert [answer.status_code for answer in asked(files, *paths)] == [403, 403, 403]


def test_names_are_shown_and_never_run(files: list[Path]) -> None:
    for answer in asked(files, "/club/games", "/club/events", "/tables/ratings_current"):
        assert answer.status_code == 200
        assert HOSTILE not in answer.text


def test_a_log_that_is_no_file_is_refused_with_a_way_out() -> None:
    done = CliRunner().invoke(cli, ["datasette", ":memory:"])
    assert done.exit_code != 0
