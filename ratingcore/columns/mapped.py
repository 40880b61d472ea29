"""Columns of files, checked against the digests of a manifest when they are opened and when the files change."""

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.columns import plain_files
from ratingcore.columns.cache_key import CacheKey, Damaged
from ratingcore.columns.manifest import ColumnFile, Manifest, Pack
from ratingcore.columns.stamp import Seen, Stamp, seen, settled


class Mapped:
    """The files of a manifest: long columns mapped into memory, short ones read, and with them their digests.

    A long file is read from beginning to end and held against its digests, unless the stamp says that this was done
    since the machine started, and that nobody has written to the file since.

    Parameters
    ----------
    folder : path
        Of the generation.
    manifest : Manifest
    key : CacheKey
    stamp : Stamp
        Where it is written how the files look once they are checked.
    stamped : mapping of str to (int, Seen)
        What it says of them now.

    Raises
    ------
    Damaged
        If a file is not what was written.
    OSError
        If a file cannot be read.
    """

    def __init__(
        self, folder: Path, manifest: Manifest, key: CacheKey, stamp: Stamp, stamped: Mapping[str, tuple[int, Seen]]
    ) -> None:
        if not plain_files.is_folder(folder):
            raise Damaged(f"{folder.name} is no folder")
        self._folder = folder
        self._key = key
        self._stamp = stamp
        self._files = tuple(manifest.files.values())
        self._whole: dict[str, NDArray[Any]] = {}
        """All that is written of each file."""
        self._paths: dict[str, str] = {}
        self._inode: dict[str, Seen] = {}
        self._trusted: dict[str, Seen | None] = {}
        """How each file looked when it was checked; None where a write since then might not show."""
        self._unstamped = False
        for file in self._files:
            self._map(file)
        read = self._check(stamped)
        self.stamped = bool(self._files) and not read
        """Whether there are mapped files, and none had to be read."""
        self.columns = self._unpacked(manifest.pack) | {
            name: self._whole[file.name][: file.length].view(np.ndarray) for name, file in manifest.files.items()
        }

    def _unpacked(self, pack: Pack) -> dict[str, NDArray[Any]]:
        """The short columns, in memory of our own: whoever writes to the file later does not reach them."""
        content = plain_files.content(self._folder / pack.name, pack.size)
        if len(content) != pack.size or self._key.chunks(content) != pack.digests:
            raise Damaged(f"{pack.name} was changed")
        return {
            name: np.frombuffer(content, place.kind, place.length, place.start)
            if place.length
            else np.empty(0, place.kind)
            for name, place in pack.places()
        }

    def _map(self, file: ColumnFile) -> None:
        with plain_files.opened(self._folder / file.name) as opened:
            look = seen(os.fstat(opened.fileno()))
            if look[2] < file.size:
                raise Damaged(f"{file.name} is cut off")
            empty = np.empty(0, dtype=file.kind)
            mapped = np.memmap(opened, dtype=file.kind, mode="r", shape=(file.written,)) if file.written else empty
        self._whole[file.name] = mapped
        self._paths[file.name] = os.fspath(self._folder / file.name)
        self._inode[file.name] = look[:2]

    def check(self) -> None:
        """See that the files are still what was mapped; only those that were written to are read again.

        Raises
        ------
        Damaged
        """
        self._check({})
        self.vouch()

    def vouch(self) -> None:
        """Stamp the files that were checked: whoever opens them next need neither read nor doubt them."""
        if self._unstamped:
            written = {file.name: file.written for file in self._files}
            self._stamp.write({name: (written[name], look) for name, look in self._trusted.items() if look})
            self._unstamped = False

    def _check(self, stamped: Mapping[str, tuple[int, Seen]]) -> bool:
        """Check the files that changed; returns whether one had to be read."""
        read = False
        for file in self._files:
            now, look = time.time_ns(), self._look(file)
            if look is None and file.name not in self._trusted:
                raise Damaged(f"{file.name} was taken away")
            if look is None or look == self._trusted.get(file.name):
                continue
            if stamped.get(file.name) == (file.written, look):
                self._trusted[file.name] = look
                continue
            self._settle(file)
            look = self._look(file) or look
            if look[2] < file.size or self._key.chunks(self._whole[file.name].data) != file.digests:
                raise Damaged(f"{file.name} was changed")
            read = True
            certain = settled(look, now) and self._look(file) == look
            self._trusted[file.name] = look if certain else None
            self._unstamped |= certain
        return read

    def _settle(self, file: ColumnFile) -> None:
        """Have what others wrote through a mapping stored: from then on their next write changes the file's times."""
        with suppress(OSError), plain_files.opened(self._folder / file.name) as opened:
            os.fsync(opened.fileno())

    def _look(self, file: ColumnFile) -> Seen | None:
        """How a file looks now; None if it is no longer there, so that nobody can change what is mapped of it."""
        try:
            look = seen(os.lstat(self._paths[file.name]))
        except OSError:
            return None
        return look if look[:2] == self._inode[file.name] else None
