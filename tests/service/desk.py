"""A browser at the desk of an application."""

import re
from html import unescape

import httpx
from ratingcore_service.access import COOKIE, open_tokens
from ratingcore_service.front import Front
from ratingcore_service.routing import Scope
from ratingcore_service.settings import Settings

from tests.plugins.ratingcore_pages.leagues import HOSTILE
from tests.service.asking import ask

OURS = {"sec-fetch-site": "same-origin"}


class Desk:
    """A browser at the desk of an application, that is signed in."""

    def __init__(self, app: Front) -> None:
        self.app = app
        tokens = open_tokens(app.service.desk.engine, Settings())
        caller = tokens.caller(tokens.add("secretary", Scope.ERASE))
        assert caller is not None
        self.headers = {"cookie": f"{COOKIE}={tokens.sign_in(caller)}", **OURS}

    def get(self, url: str) -> str:
        answer = ask(self.app, "GET", url, self.headers)
        assert answer.status_code == 200, answer.text
        assert HOSTILE not in answer.text
        return answer.text

    def send(self, url: str, page: str, **fields: str) -> httpx.Response:
        """Sends the form of a page that leads to an address, with its hidden fields."""
        form = re.search(rf'<form[^>]*action="{re.escape(url)}".*?</form>', page, re.DOTALL)
        assert form is not None, page
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0]))
        hidden = {name: unescape(value) for name, value in hidden.items()}
        return ask(self.app, "POST", url, self.headers, data={**hidden, **fields})

    def bring(self, name: str, text: str | bytes, **fields: str) -> httpx.Response:
        page = self.get("/desk/file")
        form = re.findall(r'name="form" value="([^"]*)"', page)[0]
        return ask(
            self.app, "POST", "/desk/file", self.headers, data={"form": form, **fields}, files={"file": (name, text)}
        )


def head(app: Front) -> int:
    return app.service.desk.engine.log.head.position
