"""Column files: raw and little-endian, one per column, with a manifest that says what they were made from."""

import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.atomic_file import atomic_file
from ratingcore.events import canonical

FORMAT = 2
"""Version of the files; another one is rebuilt."""

Columns = Mapping[str, NDArray[Any]]
Files = dict[str, list[Any]]
"""Name of a column to kind, length and file."""

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows has no flock: there a cache is always written anew
    fcntl = None  # type: ignore[assignment]  # stands for "not available"

GROWS = fcntl is not None
"""Whether files can be added to: only where writers can keep one another out."""


class ColumnFolder:
    """A folder of columns in generations; within one a column only grows or moves to a new file.

    So whoever has mapped a file goes on reading what it read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def manifest(self, pool: int) -> dict[str, Any] | None:
        """The manifest; None if it is missing, damaged, of another format or of another pool."""
        try:
            manifest = json.loads((self.path / "manifest.json").read_text())
            if not isinstance(manifest, dict) or manifest.pop("check", None) != _check(manifest):
                return None
        except (OSError, ValueError, RecursionError):
            return None
        return manifest if manifest["format"] == FORMAT and manifest["pool"] == pool else None

    def columns(self, manifest: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
        """The columns mapped into memory; `OSError` or `ValueError` if a file is missing or too short."""
        place = self.path / manifest["generation"]
        return {name: _mapped(place / file, kind, length) for name, (kind, length, file) in manifest["files"].items()}

    def fresh_generation(self) -> str:
        """A new folder for a generation of files."""
        generation = uuid.uuid4().hex[:12]
        (self.path / generation).mkdir()
        return generation

    def fill(self, generation: str, columns: Columns) -> Files:
        """Write columns into new files, under names that no reader can have open."""
        files: Files = {}
        for name, column in columns.items():
            file = f"{name.partition('.value.')[0]}-{uuid.uuid4().hex[:12]}"
            _fill(self.path / generation / file, column)
            files[name] = [column.dtype.newbyteorder("<").str, len(column), file]
        return files

    def extend(self, generation: str, files: Files, columns: Columns) -> Files:
        """Write columns behind those that are there."""
        longer: Files = {}
        for name, column in columns.items():
            kind, length, file = files[name]
            _extend(self.path / generation / file, np.ascontiguousarray(column, dtype=kind), length)
            longer[name] = [kind, length + len(column), file]
        return longer

    def publish(self, manifest: Mapping[str, Any]) -> None:
        """Put a manifest in the place of the old one and delete the files that it does not name."""
        generation = manifest["generation"]
        with atomic_file(self.path / "manifest.json", f"manifest.{generation}.{os.getpid()}") as fresh:
            fresh.write_text(json.dumps({**manifest, "check": _check(manifest)}))
        named = {file for _, _, file in manifest["files"].values()}
        for old in (self.path / generation).iterdir():
            if old.name not in named:
                old.unlink(missing_ok=True)
        for old in self.path.iterdir():
            if old.is_dir() and old.name != generation:
                self.clear(old.name)
            elif old.name.startswith("manifest.") and old.suffix != ".json":  # of a process that was killed
                old.unlink(missing_ok=True)

    def clear(self, generation: str) -> None:
        """Delete the files of a generation."""
        shutil.rmtree(self.path / generation, ignore_errors=True)

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """Hold the folder while writing; False if another process does."""
        with (self.path / "lock").open("w") as file:
            if fcntl is not None:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    yield False
                    return
            yield True


def _fill(path: Path, column: NDArray[Any]) -> None:
    with path.open("wb") as file:
        file.write(np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<")).data)
        file.flush()
        os.fsync(file.fileno())


def _extend(path: Path, column: NDArray[Any], length: int) -> None:
    with path.open("r+b") as file:
        file.truncate(length * column.itemsize)  # a killed process may have left more
        file.seek(0, os.SEEK_END)
        file.write(column.data)
        file.flush()
        os.fsync(file.fileno())


def _check(manifest: Mapping[str, Any]) -> str:
    """Digest of a manifest, by which a damaged one is noticed."""
    return hashlib.sha256(canonical(dict(manifest)).encode()).hexdigest()


def _mapped(path: Path, kind: str, length: int) -> NDArray[Any]:
    if length == 0:
        return np.empty(0, dtype=kind)
    mapped = np.memmap(path, dtype=kind, mode="r", shape=(length,))
    return mapped.view(np.ndarray)


def prefixed(prefix: str, columns: Iterable[tuple[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Columns by the name of their table and their own."""
    return {f"{prefix}.{name}": column for name, column in columns}
