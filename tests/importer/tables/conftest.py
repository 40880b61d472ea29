"""Small files, and what reading them gives."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ratingcore.importer.tables import FieldMap, read_results

HEADER = "a,b,score,played\n"

Write = Callable[..., Path]
Read = Callable[..., list[Any]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file of text or bytes, packed on request."""

    def write(content: str | bytes, name: str = "games.csv", packed: bool = False) -> Path:
        raw = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(raw) if packed else raw)
        return path

    return write


@pytest.fixture
def read(write: Write) -> Read:
    """Read the results in a text, mapped by an option text, a mapping, or not at all."""

    def read(content: str | bytes, fields: str | FieldMap | None = None, **more: object) -> list[Any]:
        mapping = FieldMap.parse(fields) if isinstance(fields, str) else fields
        path = write(content, **more)
        return list(read_results(path, pool="club", fields=mapping))

    return read
