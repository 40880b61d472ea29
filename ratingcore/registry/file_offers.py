"""Checks what plugins offer for files: readers, writers and kinds of tables."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from ratingcore.readers import Reader, Writer
from ratingcore.readers.sheets import SheetKind
from ratingcore.registry.offers import FILE_NAME, NAME, ascii_of, check_typeable, kind_named, list_of


def readers_of(given: object) -> dict[str, Any]:
    """Checks the return value of `ratingcore_readers`, and returns readers by name."""
    if not isinstance(given, Mapping):
        raise TypeError(f"ratingcore_readers returned {kind_named(given)}, not a dictionary of readers")
    for name, reader in given.items():
        check_typeable("reader", name, FILE_NAME)
        if not (callable(reader) or isinstance(reader, Reader)):
            raise TypeError(f"the reader {name} is {kind_named(reader)}, neither a Reader nor a function")
        if isinstance(reader, Reader) and reader.name != name:
            raise ValueError(f"the reader {reader.name} is offered as {name}")
    return dict(given)


def writers_of(given: object) -> dict[str, Writer]:
    """Checks the return value of `ratingcore_writers`, and returns writers by name."""
    return _by_name(given, "ratingcore_writers", Writer, "writer", "writers", NAME)


def sheets_of(given: object) -> dict[str, SheetKind]:
    """Checks the return value of `ratingcore_sheets`, and returns kinds of tables by name."""
    return _by_name(given, "ratingcore_sheets", SheetKind, "kind of tables", "kinds of tables", FILE_NAME)


Offer = TypeVar("Offer", Writer, SheetKind)


def _by_name(
    given: object, hook: str, kind: type[Offer], what: str, several: str, pattern: re.Pattern[str]
) -> dict[str, Offer]:
    offered: dict[str, Offer] = {}
    for one in list_of(given, hook, several):
        if not isinstance(one, kind):
            raise TypeError(f"{ascii_of(one)} is not a {kind.__name__}")
        check_typeable(what, one.name, pattern)
        if one.name in offered:
            raise ValueError(f"two {several} are named {one.name}")
        offered[one.name] = one
    return offered
