"""Index of the ids of sealed games: sorted runs of 64-bit keys, made from the segments and merged by size.

A key is the hash of an id, followed by the number of its segment; the position of the game is found in the segment.
Runs are stored in chunks, so that looking up a few ids reads only a few chunks.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratingcore.log.segments import HASH_BITS

Keys = NDArray[np.int64]
Query = Callable[[str, Sequence[object]], list[Any]]
"""Runs a statement, with `?` for values, and returns its rows."""

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
_LOWS = "SELECT low FROM uid_run WHERE run = ? ORDER BY low"
_KEYS = "SELECT keys FROM uid_run WHERE run = ? AND low = ?"


def keys_of(hashes: Keys, number: int) -> Keys:
    """Keys of the ids of a segment, sorted."""
    return np.sort(hashes << NUMBER_BITS | number)


def hashes_of(keys: Keys) -> Keys:
    """The distinct hashes of sorted keys, in order."""
    hashed = keys >> NUMBER_BITS
    return hashed[np.diff(hashed, prepend=-1) > 0]


def with_hash(keys: Keys, hashes: Keys) -> Keys:
    """The keys whose hash is among `hashes`; both are sorted, and the hashes are distinct."""
    start, end = np.searchsorted(keys, hashes << NUMBER_BITS), np.searchsorted(keys, _last(hashes), "right")
    count = end - start
    some: Keys = keys[np.repeat(end - np.cumsum(count), count) + np.arange(int(count.sum()))]
    return some


def slices(keys: Keys, size: int) -> Iterator[Keys]:
    """Yields sorted keys in parts of about `size` keys; all keys with the same hash are in one part."""
    start = 0
    while start < len(keys):
        last = keys[min(start + size, len(keys)) - 1] >> NUMBER_BITS
        stop = int(np.searchsorted(keys, _last(last), "right"))
        yield keys[start:stop]
        start = stop


def shared(keys: Keys) -> Keys:
    """The different keys, out of sorted ones, of hashes that occur in several segments."""
    keys = keys[np.diff(keys, prepend=-1) > 0]
    alike = np.diff(keys >> NUMBER_BITS) == 0
    return keys[np.concatenate((alike, [False])) | np.concatenate(([False], alike))] if len(keys) else keys


def within(keys: Keys, first: int, stop: int) -> Keys:
    """The keys, out of sorted ones, whose hash is from `first` to before `stop`."""
    return keys[np.searchsorted(keys, first << NUMBER_BITS) : np.searchsorted(keys, _last(stop - 1), "right")]


def found(query: Query, hashes: Keys) -> Keys:
    """The keys with one of some hashes in all runs; the hashes are sorted and distinct."""

    def parts(run: int) -> Iterator[Keys]:
        for keys in _few(query, run, hashes) if len(hashes) <= _FEW else _many(query, run, hashes):
            first, last = int(keys[0]) >> NUMBER_BITS, int(keys[-1]) >> NUMBER_BITS
            yield with_hash(keys, hashes[np.searchsorted(hashes, first) : np.searchsorted(hashes, last, "right")])

    return _of_runs(query, parts)


def between(query: Query, first: int, stop: int) -> Keys:
    """The keys of all runs whose hash is from `first` to before `stop`."""

    def parts(run: int) -> Iterator[Keys]:
        return (within(keys, first, stop) for _, keys in _chunks(query, run, first, stop - 1))

    return _of_runs(query, parts)


def _of_runs(query: Query, parts: Callable[[int], Iterable[Keys]]) -> Keys:
    """The parts of all runs together; they are read again if another process merges runs meanwhile."""
    runs = _runs(query)
    while True:
        found = [part for run in runs for part in parts(run)]
        before, runs = runs, _runs(query)
        if runs == before:  # the number of a run is never that of an earlier one
            return np.concatenate(found) if found else np.empty(0, np.int64)


def _runs(query: Query) -> list[int]:
    return [run for (run,) in query("SELECT DISTINCT run FROM uid_run ORDER BY run", ())]


def _last(hashed: Any) -> Any:
    """The largest key that a hash, or each of several, can have."""
    return hashed << NUMBER_BITS | (1 << NUMBER_BITS) - 1


def _chunks(query: Query, run: int, first: int, last: int) -> list[tuple[int, Keys]]:
    """The chunks of a run that may have hashes from `first` to `last`, each with its first key."""
    sql = """SELECT low, keys FROM uid_run WHERE run = ? AND low <= ?
        AND low >= (SELECT coalesce(max(low), 0) FROM uid_run WHERE run = ? AND low <= ?)"""
    rows = query(sql, (run, _last(last), run, first << NUMBER_BITS))
    return [(low, np.frombuffer(body, _KIND)) for low, body in rows]


def _few(query: Query, run: int, hashes: Keys) -> list[Keys]:
    """The chunks of a run that may have one of a few hashes."""
    chunks, end = dict[int, Keys](), -1
    for one in hashes.tolist():
        if _last(one) > end:  # else it is in a chunk that was read for a smaller hash
            some = dict(_chunks(query, run, one, one))
            chunks |= some
            end = max((int(keys[-1]) for keys in some.values()), default=end)
    return list(chunks.values())


def _many(query: Query, run: int, hashes: Keys) -> Iterator[Keys]:
    """The chunks of a run that may have one of many hashes, found in one pass over the first keys of all chunks."""
    rows = query(_LOWS, (run,))
    low = np.array(rows, np.int64).reshape(-1)
    start = np.searchsorted(hashes, low >> NUMBER_BITS)
    end = np.searchsorted(hashes, np.append(low[1:] >> NUMBER_BITS, 1 << HASH_BITS), "right")
    for one in low[end > start].tolist():
        for (body,) in query(_KEYS, (run, one)):
            yield np.frombuffer(body, _KIND)


def ranges(parts: Sequence[Keys]) -> Iterator[tuple[int, int, Keys]]:
    """Yields ranges of hashes, half-open, with all keys of some sorted parts in the range, sorted."""
    ends = np.linspace(0, 1 << HASH_BITS, sum(map(len, parts)) // _AT_ONCE + 2).astype(np.int64)
    cuts = [[*np.searchsorted(keys, ends[:-1] << NUMBER_BITS).tolist(), len(keys)] for keys in parts]
    for place, (first, stop) in enumerate(pairwise(ends.tolist())):
        some = [keys[cut[place] : cut[place + 1]] for keys, cut in zip(parts, cuts, strict=True)]
        yield first, stop, np.sort(np.concatenate([np.empty(0, np.int64), *some]))


def are_in_order(query: Query) -> bool:
    """True if the keys of each run are sorted, and each chunk is filed under its first key."""
    for run in _runs(query):
        before = 0
        for (low,) in query(_LOWS, (run,)):
            ((body,),) = query(_KEYS, (run, low))
            if type(low) is not int or type(body) is not bytes or len(body) % 8 or not body:
                return False
            keys = np.frombuffer(body, _KIND)
            if low != keys[0] or low < before or (keys[1:] < keys[:-1]).any():
                return False
            before = int(keys[-1])
    return True


def add(
    query: Query,
    run_statement: Callable[[str, Sequence[object]], object],
    insert: Callable[[str, Iterable[Sequence[object]]], object],
    keys: Keys,
) -> None:
    """Adds sorted keys as a run, merged with earlier runs that are not much longer.

    Parameters
    ----------
    query, run_statement : callable
        Runs a statement that reads, or one that writes.
    insert : callable
        Inserts rows into a table.
    keys : (n,) int64
    """
    newest = 0
    for run, size in query("SELECT run, sum(length(keys)) / 8 FROM uid_run GROUP BY run ORDER BY run DESC", ()):
        newest = max(newest, run)
        if size > min(2 * len(keys), LARGEST - len(keys)):
            continue
        again = query("SELECT keys FROM uid_run WHERE run = ? ORDER BY low", (run,))
        run_statement("DELETE FROM uid_run WHERE run = ?", (run,))
        keys = np.concatenate([np.frombuffer(body, _KIND) for (body,) in again] + [keys])
        keys.sort(kind="stable")  # merges sorted parts
    places = range(0, len(keys), _CHUNK)
    insert("uid_run", ((newest + 1, int(keys[at]), keys[at : at + _CHUNK].tobytes()) for at in places))
