"""A league's site mounts the service in three lines: in Starlette, FastAPI and Django."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.asgi import get_asgi_application  # type: ignore[import-untyped]  # Django has no types
from fastapi import FastAPI
from ratingcore_service import application
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from tests.plugins.ratingcore_pages.leagues import file_of_league
from tests.service.asking import ask, get

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.hosts.django_settings")


def in_starlette(log: str) -> ASGIApp:
    return Starlette(routes=[Mount("/ratings", application(log))])


def in_fastapi(log: str) -> ASGIApp:
    site = FastAPI()
    site.mount("/ratings", application(log))
    return site


def in_django(log: str) -> ASGIApp:
    return Starlette(routes=[Mount("/ratings", application(log)), Mount("/", get_asgi_application())])


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "club.db"
    path.write_bytes(file_of_league())
    return str(path)


@pytest.mark.parametrize("mounted", [in_starlette, in_fastapi, in_django])
def test_a_site_mounts_the_service_below_its_own_pages(mounted: Callable[[str], ASGIApp], log: str) -> None:
    site = mounted(log)
    listed = get(site, "/ratings/api/v1/pools/rapid/list?top=2")
    assert listed.status_code == 200
    assert listed.headers["content-location"].startswith("/ratings/api/v1/pools/rapid/list?")
    assert get(site, listed.json()["next"]).json()["rows"][0]["rank"] == 3
    assert get(site, listed.headers["content-location"]).content == listed.content
    page = get(site, "/ratings/rapid/")
    assert 'href="/ratings/' in page.text
    assert 'href="/rapid' not in page.text
    again = get(site, "/ratings/rapid/", {"if-none-match": page.headers["etag"]})
    assert again.status_code == 304
    refused = ask(site, "POST", "/ratings/api/v1/events", json={"events": []})
    assert refused.json()["type"] == "urn:ratingcore:TokenNeeded"
    assert get(site, "/elsewhere").status_code == 404


def test_a_page_of_django_is_next_to_the_service(log: str) -> None:
    site = in_django(log)
    assert get(site, "/hello").text == "hello"
    assert get(site, "/ratings/rapid/").status_code == 200
