"""A league's site in Django: its own rows and the events of the log are committed together, or neither.

Run as `python -m` with the name of the module: serves with four threads on a free port, which it prints.
"""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, JsonResponse
from psycopg import IsolationLevel

settings.configure(
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "HOST": os.environ["LEAGUE_HOST"],
            "NAME": "postgres",
            "USER": "tester",
            "CONN_MAX_AGE": None,
            # as PostgreSQL has it unless its settings say otherwise, and the server of the tests says otherwise
            "OPTIONS": {"isolation_level": IsolationLevel.READ_COMMITTED},
        }
    },
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="of no use to anybody",
    USE_TZ=True,
    LOGGING={
        "version": 1,
        "handlers": {"stderr": {"class": "logging.StreamHandler"}},
        "loggers": {"django.request": {"handlers": ["stderr"], "level": "ERROR"}},
    },
)
django.setup()

from django.db import connection, models, transaction  # noqa: E402  # needs the settings
from django.urls import path  # noqa: E402  # needs the settings

import ratingcore as rc  # noqa: E402  # with what belongs to it


class Match(models.Model):
    """A match as the site knows it; `position` is that of its event in the log."""

    uid = models.TextField(unique=True)
    white = models.TextField()
    black = models.TextField()
    position = models.BigIntegerField()

    class Meta:
        app_label = "league"
        db_table = "league_match"
        managed = False


def matches(request: HttpRequest) -> JsonResponse:
    """Take a result: the match and its event; a match that is called off at the last moment leaves neither."""
    told = json.loads(request.body)
    try:
        with transaction.atomic():
            match = Match.objects.create(uid=told["uid"], white=told["white"], black=told["black"], position=0)
            with engine.within(connection) as inside:
                receipt = inside.record(
                    rc.GamePlayed(
                        pool="rapid",
                        played="2024-03-02",
                        a=match.white,
                        b=match.black,
                        score=told["score"],
                        uid=match.uid,
                    )
                )
            Match.objects.filter(pk=match.pk).update(position=receipt.head.position)
            if told.get("called_off"):
                raise CalledOff
    except CalledOff:
        return JsonResponse({"called_off": True}, status=409)
    return JsonResponse({"head": str(receipt.head)}, status=201)


class CalledOff(Exception):
    """Raised where a match turns out not to count after all."""


engine = rc.open(os.environ["LEAGUE"], columns=os.environ["LEAGUE_COLUMNS"])
"""One engine for all threads."""


def ratings(request: HttpRequest) -> JsonResponse:
    """The rating list as it is now."""
    listed = engine.rating_list("rapid", "elo:k=24")
    return JsonResponse({"known_at": listed.known_at, "digest": listed.digest, "players": len(listed)})


urlpatterns = [path("matches", matches), path("ratings", ratings)]


class FourThreads(WSGIServer):
    """A server whose requests are answered by four threads."""

    request_queue_size = 64
    threads = ThreadPoolExecutor(4)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.threads.submit(self._answer, request, client_address)

    def _answer(self, request: Any, client_address: Any) -> None:
        try:
            self.finish_request(request, client_address)
        finally:
            self.shutdown_request(request)


class Quiet(WSGIRequestHandler):
    """Tells nobody of every request."""

    def log_message(self, *told: object) -> None:
        pass


def main() -> None:
    """Serve until killed."""
    with make_server("127.0.0.1", 0, get_wsgi_application(), FourThreads, Quiet) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
