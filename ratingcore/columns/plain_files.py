"""Plain files of a cache: opened without following a link, so that nothing outside its folder is read or written."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ratingcore.columns.cache_key import Damaged

# O_NONBLOCK: a pipe that somebody put there must not stop us; systems without a flag have nothing like it to open
_PLAIN = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


def is_folder(path: Path) -> bool:
    """Whether a path is a folder itself, not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


@contextmanager
def opened(path: Path, flags: int = os.O_RDONLY) -> Iterator[IO[bytes]]:
    """Yields a plain file, opened.

    Raises
    ------
    Damaged
        If it is a link, a folder or a device, or has another name elsewhere.
    OSError
        If it cannot be opened.
    """
    try:
        descriptor = os.open(path, flags | _PLAIN, 0o666)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise Damaged(f"{path.name} is no plain file") from None
        raise
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
            raise Damaged(f"{path.name} is no plain file")
    except BaseException:
        os.close(descriptor)
        raise
    with os.fdopen(descriptor, "rb" if flags == os.O_RDONLY else "r+b") as file:
        yield file


@contextmanager
def fresh(path: Path, *, stored: bool = True) -> Iterator[IO[bytes]]:
    """Yields a new file to write to; `FileExistsError` if something is there.

    Parameters
    ----------
    stored : bool
        Whether to wait until the file is on the disk. A file whose digest is checked whenever it is read need not be:
        after a power cut it is made again.
    """
    with opened(path, os.O_RDWR | os.O_CREAT | os.O_EXCL) as file:
        yield file
        if stored:
            file.flush()
            os.fsync(file.fileno())


def content(path: Path, limit: int) -> bytes:
    """The bytes of a plain file; `Damaged` if there are more than a cache ever writes."""
    with opened(path) as file:
        read = file.read(limit + 1)
    if len(read) > limit:
        raise Damaged(f"{path.name} is too long")
    return read
