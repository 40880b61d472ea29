"""Tests hold on any machine, and share a browser."""

import gc
import os
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from jinja2 import ChoiceLoader, Environment

from ratingcore.methods import kernels
from ratingcore.registry import registry

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # how long an example takes is not what tests are about

HERE = Path(__file__).parent
LONG = (
    "tests/browser/", "tests/hosts/", "tests/plugins/ratingcore_postgres/", "tests/service/", "tests/stories/",
)  # fmt: skip
"""Folders of modules with few tests that take long, since they start services, databases, browsers and processes."""
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores, since some tests wait for servers and disks."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


def pytest_configure() -> None:
    """Keeps what thousands of services and engines of one process would make anew: compiled templates, entry points.

    Kernels are compiled where a test needs them compiled; elsewhere a process of tests ends before that pays.
    """
    compiled: dict[tuple[object, ...], Any] = {}
    compile_, announced = Environment.compile, registry._announced

    def once(environment: Environment, source: Any, *names: str) -> Any:
        if not isinstance(environment.loader, ChoiceLoader):
            return compile_(environment, source, *names)
        packages = (getattr(each, "package_name", None) for each in environment.loader.loaders)
        key = (source, names, environment.globals.get("language"), *packages)  # compiling translates constants
        if key not in compiled:
            compiled[key] = compile_(environment, source, *names)
        return compiled[key]

    points = cache(lambda path: announced())
    Environment.compile = once  # type: ignore[assignment,method-assign]  # for the length of this process
    registry._announced = lambda: points((*sys.path,))
    kernels.REPAYS_COMPILING = kernels.REPAYS_IMPORT


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collects without searching for garbage, since what is collected stays; compiles the files of tests before.

    In a fresh checkout workers compile them together, each beginning with its share. Otherwise each of them would
    compile all files at the same time as the others, for half a minute.
    """
    gc.disable()
    try:
        worker = getattr(session.config, "workerinput", None)
        if worker is not None and session.config.args == session.config.getini("testpaths"):
            files = sorted(HERE.rglob("test_*.py"))
            for path in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
                with suppress(Exception, pytest.skip.Exception):  # the collection itself says what is wrong
                    import_module(".".join(path.relative_to(HERE.parent).with_suffix("").parts))
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Has workers begin with long modules, and end with those of one test: no worker then waits long for the others."""
    if hasattr(config, "workerinput"):
        size = Counter(item.path for item in items)
        items.sort(key=lambda item: (not item.nodeid.startswith(LONG), -size[item.path]))


def pytest_collection_finish() -> None:
    """Keeps what was collected out of every later search for garbage, which would take seconds each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser, for the tests of a module; where there is none, they are skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}: apt-get install chromium")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield chromium
        chromium.close()
