"""The stamp on files that were checked: until the machine starts again, they need not be read to be trusted."""

import json
import os
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ratingcore.columns.cache_key import CacheKey, Damaged
from ratingcore.columns.plain_files import content, fresh

Seen = tuple[int, ...]
"""Device, inode, size, and when content and entry of a file last changed: no write leaves all of them as they were,
but for writes through a mapping of its memory: of a file that was stored before, the first of them changes the times,
except where the file system lives in memory."""

YOUNG = 50_000_000
"""Nanoseconds within which two writes may leave the same times: a file younger than that is not trusted by them."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_LIMIT = 2**20


def seen(stat: os.stat_result) -> Seen:
    """What is seen of a file without reading it."""
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns


def settled(found: Seen, now: int | None = None) -> bool:
    """Whether a write from now on would show."""
    return (time.time_ns() if now is None else now) - max(found[3:]) > YOUNG


def boot() -> str:
    """What names this start of the machine; empty where the system does not tell, and then nothing is stamped."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""


class Stamp:
    """The stamp of a folder: how files looked when they were checked, and how much of them.

    Parameters
    ----------
    path : path
    key : CacheKey
    """

    def __init__(self, path: Path, key: CacheKey) -> None:
        self._path = path
        self._key = key

    def read(self) -> dict[str, tuple[int, Seen]]:
        """Items checked and look, by file; nothing if there is no stamp since the machine started."""
        try:
            facts = json.loads(content(self._path, _LIMIT))
            if facts.pop("check") != self._key.of_facts(facts) or not facts["boot"] or facts["boot"] != boot():
                return {}
            return {name: (written, tuple(look)) for name, [written, *look] in facts["files"].items()}
        except (OSError, Damaged, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return {}

    def write(self, files: Mapping[str, tuple[int, Seen]]) -> None:
        """Stamp files that were checked; does nothing where that is not possible."""
        facts = {"boot": boot(), "files": {name: [written, *look] for name, (written, look) in files.items()}}
        if not facts["boot"]:
            return
        part = self._path.with_name(f"{self._path.name}.{uuid.uuid4().hex}.part")
        with suppress(OSError):
            try:
                with fresh(part, stored=False) as file:
                    file.write(json.dumps({**facts, "check": self._key.of_facts(facts)}).encode())
                os.replace(part, self._path)
            finally:
                part.unlink(missing_ok=True)
