"""The application of several logs, each at its own path with its own tokens; a log is opened on first use."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ratingcore.errors import BadValue, RatingCoreError
from ratingcore_service import problems
from ratingcore_service.app import make
from ratingcore_service.front import Front, known_host
from ratingcore_service.measures import LIVE
from ratingcore_service.problems import BadHost, NotFound, response
from ratingcore_service.remembered import safe
from ratingcore_service.service import Service
from ratingcore_service.settings import Settings

OWN = ("live", "ready")
"""Addresses by which operators check the process, and which no log can have."""


def named(addresses: tuple[str, ...]) -> dict[str, str]:
    """Returns the logs by path: files of a folder and several logs by their names, a single log at the top.

    Raises
    ------
    BadValue
        If a folder has no log, or two logs have one name.

    Examples
    --------
    >>> named(("club.db",)), named(("a/club.db", "b/league.db"))
    ({'': 'club.db'}, {'club': 'a/club.db', 'league': 'b/league.db'})
    """
    found: dict[str, str] = {}
    for address in addresses:
        folder = "://" not in address and Path(address).is_dir()
        logs = sorted(map(str, Path(address).glob("*.db"))) if folder else [address]
        if not logs:
            raise BadValue("folder", address, "holds no logs, which are files named *.db")
        for log in logs:
            name = "" if len(addresses) == 1 and not folder else Path(log).stem
            if name in OWN:
                raise BadValue("log", log, "has the name of an address of the service: rename it, or serve it alone")
            if name in found:
                raise BadValue("log", log, f"has the same name as another log: {found[name]}")
            found[name] = log
    return found


class SeveralLogs:
    """The application of several logs: `/NAME/` is the application of a log, and `/` lists them.

    Parameters
    ----------
    logs : mapping of str to str
        Addresses by name.
    settings : mapping
        Settings that all of them share.
    """

    def __init__(self, logs: Mapping[str, str], settings: Mapping[str, Any]) -> None:
        self._logs, self._given = logs, settings
        self.settings = Settings.of(settings)
        self._fronts: dict[str, Front] = {}

    @property
    def services(self) -> list[Service]:
        """The services that have been opened."""
        return [front.service for front in self._fronts.values()]

    def start(self) -> None:
        """Opens the logs that may have webhooks to deliver; the others are served even if one cannot be opened."""
        for name, address in self._logs.items():
            if "://" in address or Path(f"{address}.service").exists():
                try:
                    self._front(name).start()
                except RatingCoreError as error:
                    problems.log.warning("/%s cannot be served: %s", name, error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return  # `running` closes the logs
        root = scope.get("root_path", "")
        name, slash, _ = scope["path"].removeprefix(root).lstrip("/").partition("/")
        if name in self._logs and slash:
            await self._front(name)({**scope, "root_path": f"{root}/{name}"}, receive, send)
        elif name in self._logs:
            await _sent(Response(status_code=308, headers={"Location": f"{root}/{quote(name)}/"}))(scope, receive, send)
        elif name in OWN:
            await LIVE(scope, receive, send)
        elif not known_host(dict(scope["headers"]).get(b"host", b""), self.settings):
            await _sent(response(BadHost()))(scope, receive, send)
        elif name or self.settings.private:
            await _sent(response(NotFound(f"log at /{name}")))(scope, receive, send)
        else:
            await _sent(Response(self._page(root), media_type="text/html; charset=utf-8"))(scope, receive, send)

    def _front(self, name: str) -> Front:
        if name not in self._fronts:
            beside = next(iter(self.services), None)
            self._fronts[name] = make(self._logs[name], self._given, beside)
        return self._fronts[name]

    def _page(self, root: str) -> str:
        rows = "".join(f'<li><a href="{root}/{quote(name)}/">{escape(name)}</a></li>' for name in self._logs)
        title, language = escape(self.settings.title), self.settings.language
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        body = f"<body><main><h1>{title}</h1><ul>{rows}</ul></main></body>"
        return f'<!doctype html><html lang="{language}"><head>{head}</head>{body}</html>'


def _sent(answer: Response) -> Response:
    """Adds the common headers to a response."""
    answer.raw_headers = safe(answer.raw_headers)
    return answer
