"""Asks an application without a server."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import httpx
from ratingcore_service.front import Front
from starlette.types import ASGIApp

Bearer = Callable[..., dict[str, str]]
"""Makes the headers of somebody with a new token."""
Applied = Callable[..., Front]
"""Makes applications, of the small league unless it is given another log, with settings by name."""


def ask(app: ASGIApp, method: str, url: str, headers: Mapping[str, str] | None = None, **sent: Any) -> httpx.Response:
    """The answer to one request."""

    async def asked() -> httpx.Response:
        door = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=door, base_url="http://club.example") as client:
            return await client.request(method, url, headers=headers, **sent)

    return asyncio.run(asked())


def get(app: ASGIApp, url: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
    """The answer to a GET."""
    return ask(app, "GET", url, headers)
