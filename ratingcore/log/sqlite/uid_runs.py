"""Index of the ids of sealed games: sorted runs of 64-bit keys, made from the segments and merged by size.

A key is the hash of an id, followed by the number of its segment; the position of the game is found in the segment.
Runs are stored in chunks, so that looking up a few ids reads only a few chunks.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ratingcore.log.segments import HASH_BITS
from ratingcore.log.sqlite.connection import Connection

Keys = NDArray[np.int64]

NUMBER_BITS = 63 - HASH_BITS
"""Number of bits for the number of a segment."""
_CHUNK = 2**13
LARGEST = 2**26
"""Largest number of keys in a merged run, since all keys are in memory during a merge."""
_AT_ONCE = 2**18
"""Number of keys that are compared with the segments at once."""
_FEW = 64
"""Largest number of ids that are looked up one by one, instead of in one pass over the first keys of all chunks."""
_KIND = np.dtype("<i8")


def keys_of(hashes: Keys, number: int) -> Keys:
    """Keys of the ids of a segment, sorted."""
    return np.sort(hashes << NUMBER_BITS | number)


def hashes_of(keys: Keys) -> Keys:
    """The distinct hashes of sorted keys, in order."""
    hashed = keys >> NUMBER_BITS
    return hashed[np.diff(hashed, prepend=-1) > 0]


def with_hash(keys: Keys, hashes: Keys) -> Keys:
    """The keys whose hash is among `hashes`; both are sorted, and the hashes are distinct."""
    start, end = (np.searchsorted(keys, hashes + later << NUMBER_BITS) for later in (0, 1))
    count = end - start
    some: Keys = keys[np.repeat(end - np.cumsum(count), count) + np.arange(int(count.sum()))]
    return some


def slices(keys: Keys, size: int) -> Iterator[Keys]:
    """Yields sorted keys in parts of about `size` keys; all keys with the same hash are in one part."""
    start = 0
    while start < len(keys):
        last = keys[min(start + size, len(keys)) - 1] >> NUMBER_BITS
        stop = int(np.searchsorted(keys, last + 1 << NUMBER_BITS))
        yield keys[start:stop]
        start = stop


def shared(keys: Keys) -> Keys:
    """The keys, out of sorted ones, that have the same hash as another key."""
    alike = np.diff(keys >> NUMBER_BITS) == 0
    return keys[np.concatenate((alike, [False])) | np.concatenate(([False], alike))] if len(keys) else keys


def found(db: Connection, hashes: Keys) -> Keys:
    """The keys with one of some hashes in all runs; the hashes are sorted and distinct."""
    runs = [run for (run,) in db.execute("SELECT DISTINCT run FROM uid_run")]
    parts = [with_hash(keys, some) for run in runs for keys, some in _chunks(db, run, hashes)]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def between(db: Connection, first: int, stop: int) -> Keys:
    """The keys of all runs whose hash is from `first` to before `stop`."""
    low, end = first << NUMBER_BITS, min(stop << NUMBER_BITS, 2**63 - 1)
    sql = """SELECT keys FROM uid_run WHERE run = ?1 AND low < ?3
        AND low >= (SELECT coalesce(max(low), 0) FROM uid_run WHERE run = ?1 AND low <= ?2)"""
    runs = db.execute("SELECT DISTINCT run FROM uid_run").fetchall()
    bodies = [body for (run,) in runs for (body,) in db.execute(sql, (run, low, end))]
    keys = np.frombuffer(b"".join(bodies), _KIND)
    return keys[(keys >= low) & (keys >> NUMBER_BITS < stop)]


def _chunks(db: Connection, run: int, hashes: Keys) -> Iterator[tuple[Keys, Keys]]:
    """The chunks of a run that may have some hashes, each with those hashes."""
    for low in _few(db, run, hashes) if len(hashes) <= _FEW else _many(db, run, hashes):
        ((body,),) = db.execute("SELECT keys FROM uid_run WHERE run = ? AND low = ?", (run, low))
        keys = np.frombuffer(body, _KIND)
        first, last = int(keys[0]) >> NUMBER_BITS, int(keys[-1]) >> NUMBER_BITS
        yield keys, hashes[np.searchsorted(hashes, first) : np.searchsorted(hashes, last, "right")]


def _few(db: Connection, run: int, hashes: Keys) -> list[int]:
    """The first keys of the chunks that may have one of a few hashes."""
    before = "SELECT coalesce(max(low), 0) FROM uid_run WHERE run = ? AND low <= ?"
    between = "SELECT low FROM uid_run WHERE run = ? AND low >= ? AND low < ?"
    lows = set[int]()
    for one in hashes.tolist():
        (start,) = db.execute(before, (run, one << NUMBER_BITS)).fetchone()
        lows.update(low for (low,) in db.execute(between, (run, start, one + 1 << NUMBER_BITS)))
    return sorted(lows)


def _many(db: Connection, run: int, hashes: Keys) -> list[int]:
    """The first keys of the chunks that may have one of many hashes, found in one pass over all chunks."""
    rows = db.execute("SELECT low FROM uid_run WHERE run = ? ORDER BY low", (run,)).fetchall()
    low = np.array(rows, np.int64).reshape(-1)
    start = np.searchsorted(hashes, low >> NUMBER_BITS)
    end = np.searchsorted(hashes, np.append(low[1:] >> NUMBER_BITS, 1 << HASH_BITS), "right")
    return low[end > start].tolist()  # type: ignore[no-any-return]  # of int64


def ranges(parts: Sequence[Keys]) -> Iterator[tuple[int, int, Keys]]:
    """Yields ranges of hashes, half-open, with all keys of some sorted parts in the range, sorted."""
    ends = np.linspace(0, 1 << HASH_BITS, sum(map(len, parts)) // _AT_ONCE + 2).astype(np.int64)
    cuts = [[*np.searchsorted(keys, ends[:-1] << NUMBER_BITS).tolist(), len(keys)] for keys in parts]
    for place, (first, stop) in enumerate(pairwise(ends.tolist())):
        some = [keys[cut[place] : cut[place + 1]] for keys, cut in zip(parts, cuts, strict=True)]
        yield first, stop, np.sort(np.concatenate([np.empty(0, np.int64), *some]))


def are_in_order(db: Connection) -> bool:
    """True if the keys of each run are sorted, and each chunk is filed under its first key."""
    before = None, 0
    for run, low, body in db.execute("SELECT run, low, keys FROM uid_run ORDER BY run, low"):
        if type(low) is not int or type(body) is not bytes or len(body) % 8 or not body:
            return False
        keys = np.frombuffer(body, _KIND)
        if low != keys[0] or (before[0] == run and low < before[1]) or (keys[1:] < keys[:-1]).any():
            return False
        before = run, int(keys[-1])
    return True


def add(db: Connection, keys: Keys) -> None:
    """Adds sorted keys as a run, merged with earlier runs that are not much longer."""
    sizes = "SELECT run, sum(length(keys)) / 8 FROM uid_run GROUP BY run ORDER BY run DESC"
    newest = 0
    for run, size in db.execute(sizes).fetchall():
        newest = max(newest, run)
        if size > min(2 * len(keys), LARGEST - len(keys)):
            continue
        again = db.execute("SELECT keys FROM uid_run WHERE run = ? ORDER BY low", (run,)).fetchall()
        db.execute("DELETE FROM uid_run WHERE run = ?", (run,))
        keys = np.concatenate([np.frombuffer(body, _KIND) for (body,) in again] + [keys])
        keys.sort(kind="stable")  # merges sorted parts
    rows = ((newest + 1, int(keys[at]), keys[at : at + _CHUNK].tobytes()) for at in range(0, len(keys), _CHUNK))
    db.executemany("INSERT INTO uid_run VALUES (?, ?, ?)", rows)
