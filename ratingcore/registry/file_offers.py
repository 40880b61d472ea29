"""What a plugin offers for files, checked like the rest: readers, writers and kinds of tables."""

from collections.abc import Mapping
from typing import Any

from ratingcore.readers import Reader, Writer
from ratingcore.readers.sheets import SheetKind
from ratingcore.registry.offers import FILE_NAME, NAME, ascii_of, check_typeable, kind_named, list_of


def readers_of(given: object) -> dict[str, Any]:
    """Readers by name, of what `ratingcore_readers` returned."""
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
    """Writers by name, of what `ratingcore_writers` returned."""
    offered: dict[str, Writer] = {}
    for writer in list_of(given, "ratingcore_writers", "writers"):
        if not isinstance(writer, Writer):
            raise TypeError(f"{ascii_of(writer)} is no Writer")
        check_typeable("writer", writer.name, NAME)
        if writer.name in offered:
            raise ValueError(f"two writers are named {writer.name}")
        offered[writer.name] = writer
    return offered


def sheets_of(given: object) -> dict[str, SheetKind]:
    """Kinds of tables by name, of what `ratingcore_sheets` returned."""
    offered: dict[str, SheetKind] = {}
    for kind in list_of(given, "ratingcore_sheets", "kinds of tables"):
        if not isinstance(kind, SheetKind):
            raise TypeError(f"{ascii_of(kind)} is no SheetKind")
        check_typeable("kind of tables", kind.name, FILE_NAME)
        if kind.name in offered:
            raise ValueError(f"two kinds of tables are named {kind.name}")
        offered[kind.name] = kind
    return offered
