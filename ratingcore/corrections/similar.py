"""Finds keys of players that differ in their spelling only."""

from collections.abc import Mapping
from typing import NamedTuple

from ratingcore.log import Log
from ratingcore.spelling import folded


class Similar(NamedTuple):
    """Two keys of players that may be one person, and how many results each has."""

    keep: str
    other: str
    results: int
    other_results: int


def similar(log: Log, results: Mapping[int, int]) -> list[Similar]:
    """Pairs of keys that are the same without case, accents, blanks and order, the one with more results first.

    Parameters
    ----------
    results : mapping of int to int
        How many results players have, by id.
    """
    roots, groups = log.corrections().roots, dict[str, list[tuple[int, str]]]()
    for name in log.names():
        if name.kind == "player" and name.key is not None and name.id not in roots:
            groups.setdefault(folded(name.key), []).append((results.get(name.id, 0), name.key))
    pairs = []
    for _, group in sorted(groups.items()):
        (most, keep), *others = sorted(group, key=lambda one: (-one[0], one[1]))
        pairs += [Similar(keep, other, most, count) for count, other in others]
    return pairs
