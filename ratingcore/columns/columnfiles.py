"""Column files: raw and little-endian, one per column, with a manifest that says what they were made from."""

import os
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ratingcore.columns import plain_files
from ratingcore.columns.cache_key import CHUNK, CacheKey, Damaged
from ratingcore.columns.manifest import ColumnFile, Manifest, Pack, parsed
from ratingcore.columns.mapped import Mapped
from ratingcore.columns.stamp import Stamp

_LIMIT = 2**26
"""Bytes of a manifest, which has a digest for every four million bytes of columns."""

SMALL = 2**18
"""Bytes up to which a column goes into the file of the short ones: to open a file of its own costs more than to read
it. So do all columns of games together, up to as many bytes; such a file is written anew when games are added."""

Columns = Mapping[str, NDArray[Any]]
Files = dict[str, ColumnFile]
"""File of each column, by the name of the column."""

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows has no flock: there a cache is always written anew
    fcntl = None  # type: ignore[assignment]  # stands for "not available"

GROWS = fcntl is not None
"""Whether files can be added to: only where writers can keep one another out."""


class ColumnFolder:
    """A folder of columns in generations; within one a column only grows or moves to a new file.

    So whoever has mapped a file goes on reading what it read. No link is followed, and names come from patterns, so
    nothing outside the folder is opened or deleted, whatever a manifest says.

    Parameters
    ----------
    path : path
    key : CacheKey
    """

    def __init__(self, path: Path, key: CacheKey) -> None:
        self.path = path
        self.key = key

    def manifest(self, pool: int) -> Manifest | None:
        """The manifest; None if there is none, or one of another format, or it cannot be read.

        Raises
        ------
        Damaged
            If it is not what was written with the key of this log.
        """
        if not plain_files.is_folder(self.path):
            return None
        try:
            return parsed(plain_files.content(self.path / "manifest.json", _LIMIT), pool, self.key)
        except OSError:
            return None

    def mapped(self, manifest: Manifest, *, stamped: bool = True) -> Mapped:
        """The columns mapped into memory and checked; all files are read if the stamp is not to be asked.

        Raises
        ------
        Damaged
            If they are not what was written.
        OSError
            If they cannot be read.
        """
        stamp = Stamp(self.path / "stamp.json", self.key)
        return Mapped(self.path / manifest.generation, manifest, self.key, stamp, stamp.read() if stamped else {})

    def make(self) -> None:
        """Make the folder if it is missing; `Damaged` if something else is in its place."""
        self.path.mkdir(parents=True, exist_ok=True)
        if not plain_files.is_folder(self.path):
            raise Damaged("a link is in the place of its folder")

    def _place(self, generation: str) -> Path:
        """The folder of a generation, which a stranger may have replaced by a link to another place."""
        place = self.path / generation
        if not plain_files.is_folder(self.path) or not plain_files.is_folder(place):
            raise Damaged(f"{generation} is no folder")
        return place

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
            little = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<"))
            with plain_files.fresh(self._place(generation) / file) as new:
                new.write(little.data)
            files[name] = ColumnFile(little.dtype.str, len(column), file, len(column), self.key.chunks(little.data))
        return files

    def pack(self, generation: str, columns: Columns) -> tuple[Files, Pack]:
        """Write columns into new files: short ones into one file together, each of the others into its own."""
        short = {name: column for name, column in columns.items() if column.nbytes <= SMALL}
        files = self.fill(generation, {name: column for name, column in columns.items() if name not in short})
        little = {
            name: np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<")) for name, column in short.items()
        }
        places = {name: (column.dtype.str, len(column)) for name, column in little.items()}
        file = f"pack-{uuid.uuid4().hex[:12]}"
        pack = Pack(file, places, ())
        content = bytearray(pack.size)
        for name, place in pack.places():
            content[place.start : place.end] = little[name].tobytes()
        with plain_files.fresh(self._place(generation) / file, stored=False) as new:
            new.write(content)
        return files, evolve(pack, digests=self.key.chunks(content))

    def extend(self, generation: str, files: Files, columns: Columns) -> Files:
        """Write columns behind those that are there; `Damaged` if what they would follow on was changed."""
        return {name: self._extended(generation, files[name], column) for name, column in columns.items()}

    def _extended(self, generation: str, known: ColumnFile, column: NDArray[Any]) -> ColumnFile:
        more = np.ascontiguousarray(column, dtype=known.kind)
        with plain_files.opened(self._place(generation) / known.name, os.O_RDWR) as file:
            file.seek(known.size - known.size % CHUNK)
            digests = self.key.grown(known.digests, file.read(known.size % CHUNK), more.data)
            file.truncate(known.size)  # a killed process may have left more
            file.seek(known.size)
            file.write(more.data)
            file.flush()
            os.fsync(file.fileno())
        length = known.written + len(column)
        return evolve(known, length=length, written=length, digests=digests)

    def publish(self, manifest: Manifest) -> None:
        """Put a manifest in the place of the old one and delete the files that it does not name."""
        place = self._place(manifest.generation)
        part = self.path / f"manifest.{uuid.uuid4().hex}.part"
        try:
            with plain_files.fresh(part, stored=bool(manifest.files)) as file:
                file.write(manifest.text(self.key).encode())
            os.replace(part, self.path / "manifest.json")
        finally:
            part.unlink(missing_ok=True)
        named = {manifest.pack.name, *(file.name for file in manifest.files.values())}
        for old in place.iterdir():
            if old.name not in named:
                _remove(old)
        for old in self.path.iterdir():
            if old.name not in {"manifest.json", "stamp.json", "lock", manifest.generation}:
                _remove(old)

    def clear(self, generation: str) -> None:
        """Delete the files of a generation."""
        _remove(self.path / generation)

    def drop(self) -> None:
        """Delete the manifest, without which the other files count for nothing."""
        with suppress(OSError), self.locked() as mine:
            if mine:  # else another process is writing one
                _remove(self.path / "manifest.json")

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """Hold the folder while writing; False if another process does, or it is no place to write to."""
        if not plain_files.is_folder(self.path):
            yield False
            return
        with ExitStack() as stack:
            try:
                file = stack.enter_context(plain_files.opened(self.path / "lock", os.O_RDWR | os.O_CREAT))
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                mine = True
            except (BlockingIOError, Damaged):
                mine = False
            yield mine


def _remove(path: Path) -> None:
    """Delete a file, a link (not what it leads to) or a folder with all that is in it."""
    if plain_files.is_folder(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def prefixed(prefix: str, columns: Iterable[tuple[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Columns by the name of their table and their own."""
    return {f"{prefix}.{name}": column for name, column in columns}
