"""Finds results between two names that are merged into one player: no rating list can count them."""

from collections.abc import Iterator

import numpy as np

from ratingcore.log.protocol import Log


def between_one_person(log: Log, after: int = 0) -> Iterator[int]:
    """Positions of results behind a position, as recorded, in which one player sits twice by a merge."""
    if after >= log.head.position or next(iter(log.rows(0, None, ("merge",))), None) is None:
        return
    roots = log.corrections().roots
    if not roots:
        return
    root = np.arange(max(log.names_book.count, *roots) + 1)
    root[list(roots)] = list(roots.values())
    for pool in log.keys_of("pool"):
        games = log.games(log.number_of("pool", pool), after, log.head.position)
        yield from games.position[root[games.a] == root[games.b]].tolist()
    for row in log.rows(after, None, ("session",)):
        members = [int(root[player]) for players, _ in row.facts["sides"] for player in players]
        if len(set(members)) < len(members):
            yield row.position


def warning(log: Log, after: int) -> str:
    """A sentence about such results behind a position; empty if there are none."""
    positions = sorted(between_one_person(log, after))
    if not positions:
        return ""
    results = "1 result is" if len(positions) == 1 else f"{len(positions)} results are"
    return (
        f"{results} between two names that are merged into one player, and counts in no list: the first at position "
        f"{positions[0]}; unmerge them, or amend the name"
    )
