"""Visitors of a site: threads that send results and look at lists, and keep every answer."""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.service.serving import first_line

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(site: str, **settings: str) -> Iterator[int]:
    """A process that serves a site, by the name of its module, with these variables of the environment; its port."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'plugins'}", "OPENBLAS_NUM_THREADS": "1"} | settings
    process = subprocess.Popen(
        [sys.executable, "-m", site], stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    )
    with process:
        try:
            port = int(first_line(process))
            _answering(port)
            yield port
        finally:
            process.kill()


def _answering(port: int) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            asked(port, "GET", "/nowhere")
            return
        except OSError:
            assert time.monotonic() < end, "the site does not answer"
            time.sleep(0.02)


def asked(port: int, method: str, path: str, told: object = None) -> tuple[int, Any]:
    """Status and body of an answer."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        line.request(method, path, None if told is None else json.dumps(told), {"Content-Type": "application/json"})
        answer = line.getresponse()
        body = answer.read()
        return answer.status, json.loads(body) if answer.getheader("Content-Type", "").startswith(
            "application/json"
        ) else body
    finally:
        line.close()


def together(works: list[Callable[[], None]]) -> None:
    """Runs works in threads; what one of them raises is raised."""
    errors: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "a visitor still waits"
    if errors:
        raise errors[0]
