"""The check of all caches of a log: columns and checkpoints recomputed from its rows, and what differs dropped."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
from attrs import frozen

from ratingcore.columns.cache import ColumnFolder, check_columns
from ratingcore.columns.history import zoned
from ratingcore.columns.sealed_file import CacheKey, Damaged
from ratingcore.columns.view import View
from ratingcore.errors import RatingCoreError
from ratingcore.events import Instant
from ratingcore.log import Log
from ratingcore.methods.contract import Method
from ratingcore.methods.state import State
from ratingcore.replay.checkpoint import Checkpoint, facts_of, resumable, taken, whole
from ratingcore.replay.checkpoint_store import StateFile, StateFolder
from ratingcore.replay.fold import fold, run_of
from ratingcore.replay.readable_view import fitting


@frozen
class CheckedCaches:
    """Result of a check of caches.

    Parameters
    ----------
    pools : int
        Pools whose columns were recomputed.
    checkpoints : int
        Checkpoints that were recomputed.
    damaged : tuple of str
        What was not what the rows of the log give, and was dropped.
    """

    pools: int = 0
    checkpoints: int = 0
    damaged: tuple[str, ...] = ()


def check_caches(
    log: Log,
    places: Callable[[int], Iterable[tuple[str, Path, Path]]],
    view: Callable[[int, str, int], View],
    method_of: Callable[[str], Method | None],
) -> CheckedCaches:
    """Recomputes the columns and checkpoints of every pool, and drops those that differ.

    Parameters
    ----------
    places : callable
        From the id of a pool, the zones that it has had, each with the folders of its columns and its checkpoints.
    view : callable
        From the id of a pool, a zone and a position of the log, the view of its first events, made from rows alone.
    method_of : callable
        The installed method of an identity; None if there is none.
    """
    pools, count = 0, 0
    damaged: list[str] = []
    numbers = [log.number_of("pool", name) for name in log.keys_of("pool")]
    for pool, (zone, of_columns, of_states) in ((number, place) for number in numbers for place in places(number)):
        source = zoned(log, zone)
        key = CacheKey(source.key)
        columns = ColumnFolder(of_columns, key)
        try:
            pools += check_columns(columns, pool, source)
        except Damaged as damage:
            damaged.append(f"the columns in {columns.path}: {damage}")
            columns.drop()
        states = _States(StateFolder(of_states, key), log)
        count += states.check(partial(view, pool, zone), method_of)
        damaged += states.damaged
    return CheckedCaches(pools, count, tuple(damaged))


class _States:
    """The checkpoints of a pool, by method and knowledge: those of one kind are recomputed in one run."""

    def __init__(self, folder: StateFolder, log: Log) -> None:
        self._folder = folder
        self.damaged: list[str] = []
        self._alike: dict[tuple[str, int], list[tuple[StateFile, Checkpoint]]] = defaultdict(list)
        for file in folder.all():
            try:
                identity, checkpoint = folder.read(file)
                if log.digest_at(checkpoint.known_at) == checkpoint.digest:
                    self._alike[identity, checkpoint.known_at].append((file, checkpoint))
            except (Damaged, OSError) as damage:
                self._drop(file, str(damage))

    def _drop(self, file: StateFile, why: str) -> None:
        self.damaged.append(f"a checkpoint in {file.path.parent}: {why}")
        self._folder.drop(file)

    def check(self, view: Callable[[int], View], method_of: Callable[[str], Method | None]) -> int:
        """Recompute all; returns how many there were."""
        count = 0
        for (identity, position), some in self._alike.items():
            method = method_of(identity)
            if method is None:  # nobody can use it, so nobody has to believe it
                continue
            count += len(some)
            true = _recomputed(method, view(position), [checkpoint for _, checkpoint in some])
            for (file, checkpoint), made in zip(some, true, strict=True):
                if made is None or not _same(checkpoint, made):
                    self._drop(file, f"{file.path.name} is not what the rows of the log give")
        return count


def _recomputed(method: Method, known: View, some: list[Checkpoint]) -> list[Checkpoint | None]:
    """Checkpoints of a method as the rows of the log give them; None where they give none."""
    known = fitting(method, known)
    cuts = [known.cut(checkpoint.through) for checkpoint in some]
    if not resumable(method):
        return [_whole(method, cut) for cut in cuts]
    # what is said of players after the last result counts for those who asked for a later day, who are most: one run
    # gives all of theirs, and each of the others takes a run of its own
    at_end = [facts_of(method, known, checkpoint.through) == checkpoint.facts for checkpoint in some]
    ends = _ends(method, known, sorted({c.through for c, there in zip(some, at_end, strict=True) if there}))
    return [
        ends.get(cut.through) if there else _ends(method, cut, [cut.through]).get(cut.through)
        for cut, there in zip(cuts, at_end, strict=True)
    ]


def _ends(method: Method, view: View, ends: list[Instant]) -> dict[Instant, Checkpoint]:
    """The states of a run after everything played through some instants."""
    made: dict[Instant, Checkpoint] = {}

    def see(at: Instant, state: State) -> None:
        made[at] = taken(method, view, at, state, view.cut(at).played_counts())

    if ends:
        with suppress(RatingCoreError):  # what the method cannot rate now has no state
            run_of(method, view).stand(ends, see)
    return made


def _whole(method: Method, cut: View) -> Checkpoint | None:
    with suppress(RatingCoreError):
        replay = fold(method, cut)
        return whole(method, cut, replay.state, cut.played_counts(), replay.at)
    return None


def _same(one: Checkpoint, other: Checkpoint) -> bool:
    shapes = [{name: c.state[name].shape for name in c.state.names} for c in (one, other)]
    if shapes[0] != shapes[1] or (one.results, one.date, one.facts) != (other.results, other.date, other.facts):
        return False
    counted = one.games is None or other.games is None or np.array_equal(one.games, other.games)
    return counted and all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state.names)
