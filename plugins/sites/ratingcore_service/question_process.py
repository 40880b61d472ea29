"""The process that answers long questions: the routes without a server, see `ratingcore_service.process_pool`."""

import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from typing import IO, Any

from starlette.responses import Response
from starlette.routing import Match
from starlette.routing import Route as Address

from ratingcore_service import pages
from ratingcore_service.access import ANYBODY, Caller
from ratingcore_service.app import ROUTES, asked_of, error_response, query_of
from ratingcore_service.bounded_process import resident
from ratingcore_service.process_pool import Made, Wanted
from ratingcore_service.routing import Asked, Scope, decoded, sent_path
from ratingcore_service.service import Service
from ratingcore_service.settings import Settings

IDLE = 60
"""Seconds without a question after which it ends."""
LOGS = 8
"""Largest number of logs that it has open."""


def answers(address: str, settings: Settings) -> Callable[[Wanted], Response]:
    """Returns the function that answers questions in this process."""
    service = Service(address, settings)
    table = [(Address(route.path, bool, methods=[route.method]), route) for route in ROUTES if route.question]

    def answer(wanted: Wanted) -> Response:
        scope: dict[str, Any] = {"type": "http", "path": wanted.path, "method": wanted.method, "root_path": ""}
        engine = service.desk.engine
        more = [(Address(route.path, bool), route) for route in pages.of_plugins(engine)]
        matches = ((address.matches(scope), route) for address, route in [*more, *table])
        found, route = next((found, route) for (match, found), route in matches if match is Match.FULL)
        query = query_of(wanted.query, route.query, settings)
        body = decoded(wanted.body, route.body) if wanted.body else None
        text = wanted.query.decode("latin-1")
        caller = Caller(scope=Scope.READ) if wanted.trusted else ANYBODY
        asked = Asked(
            service, route, caller, found["path_params"], query, body, {}, wanted.root,
            sent_path(wanted.path) + (f"?{text}" if text else ""),
        )  # fmt: skip
        try:
            return asked_of(engine, asked)
        except Exception as error:
            return error_response(service, wanted.root, wanted.path, error)

    return answer


def main() -> None:
    """Answers the questions on stdin, until they end, none comes for a while, or this process has grown too large."""
    given, made = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # stray output must not mix with the answers
    if hasattr(os, "nice"):
        os.nice(19)  # the server goes first where they share cores
    settings = pickle.load(given)
    of_log = lru_cache(LOGS)(lambda log: answers(log, settings))
    while (wanted := _next(given)) is not None:
        began = time.process_time()
        response = of_log(wanted.log)(wanted)
        seconds = time.process_time() - began
        pickle.dump(Made(response.status_code, response.raw_headers, bytes(response.body), seconds), made)
        made.flush()
        if resident() > settings.memory_bytes:
            return


def _next(given: IO[bytes]) -> Wanted | None:
    """Returns the next question; None after the last. If none comes for long, the alarm ends the process."""
    if hasattr(signal, "alarm"):
        signal.alarm(IDLE)
    try:
        wanted: Wanted = pickle.load(given)
        return wanted
    except EOFError:
        return None
    finally:
        if hasattr(signal, "alarm"):
            signal.alarm(0)


if __name__ == "__main__":
    main()
