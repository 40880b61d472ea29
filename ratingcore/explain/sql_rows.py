"""Lists and histories as rows of tables that others read with SQL."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ratingcore.events import canonical, iso
from ratingcore.explain.lines import Lines
from ratingcore.lists.people import People
from ratingcore.lists.rating_list import RatingList
from ratingcore.log.derived import End
from ratingcore.replay.record import Replay
from ratingcore.tables.arrays import Ints

AT_ONCE = 16_384
"""Lines made into rows at a time."""

_PLAIN = ("rank", "player", "rating", "games")


def current_rows(listed: RatingList, method: str) -> Iterator[tuple[Any, ...]]:
    """A row a player of a list; the method's further columns as JSON.

    Parameters
    ----------
    listed : RatingList
    method : str
        What the method is called in the table.
    """
    head = listed.provenance.digest
    for number, row in zip(listed.id.tolist(), listed, strict=True):
        further = {name: cell for name, cell in row.items() if name not in _PLAIN}
        yield (
            listed.pool, method, number, row["player"], row["rank"], row["rating"], row["games"],
            canonical(further) if further else None, listed.known_at, head,
        )  # fmt: skip


def history_rows(
    found: Lines,
    replay: Replay,
    method: str,
    ends: Mapping[int, End],
    people: People,
    uids: Callable[[Sequence[int]], list[str]],
) -> Iterator[tuple[Any, ...]]:
    """A row a line, player by player.

    Parameters
    ----------
    found : Lines
    replay : Replay
        What the lines are of.
    method : str
        What the method is called in the table.
    ends : mapping of int to End
        Where the earlier lines of players end, by id; these go on from there.
    people : People
    uids : callable
        Gives the uids of events at positions.
    """
    pool, ids = replay.view.pool, replay.view.timeline.players.id[: replay.view.n_players]
    start, waiting, last = replay.start.copy(), np.zeros(len(ids)), np.zeros(len(ids), dtype=np.int64)
    for row in np.unique(found.player).tolist():
        end = ends.get(int(ids[row]))
        if end is not None:
            start[row] = np.nan if end.rating is None else end.rating
            waiting[row], last[row] = end.waiting, end.line
    change, rating = found.running(start, waiting)
    names = np.array([*people.keys(ids), *reversed(found.words)], dtype=object)  # a word is found from the end
    line = _numbers(found.player) + last[found.player]
    for at in range(0, len(found), AT_ONCE):
        some = slice(at, at + AT_ONCE)
        player = found.player[some]
        yield from zip(
            [pool] * len(player), [method] * len(player), ids[player].tolist(), line[some].tolist(),
            names[player].tolist(), _days(found.played[some]), _uids(found.position[some], uids),
            names[found.opponent[some]].tolist(), found.score[some].tolist(), found.expected[some].tolist(),
            change[some].tolist(), rating[some].tolist(), strict=True,
        )  # fmt: skip


def _numbers(player: Ints) -> Ints:
    """1, 2, 3, ... for the lines of each player."""
    place = np.arange(len(player))
    begins = np.ones(len(player), dtype=np.bool_)
    begins[1:] = player[1:] != player[:-1]
    return place - np.maximum.accumulate(np.where(begins, place, 0)) + 1


def _days(played: Ints) -> list[str]:
    times, which = np.unique(played, return_inverse=True)
    texts: list[str] = np.array([iso(at) for at in times.tolist()], dtype=object)[which].tolist()
    return texts


def _uids(position: Ints, uids: Callable[[Sequence[int]], list[str]]) -> list[str | None]:
    known, which = np.unique(position, return_inverse=True)
    nowhere = int(known[:1].tolist() == [0])
    texts: list[str | None] = np.array([None] * nowhere + uids(known[nowhere:].tolist()), dtype=object)[which].tolist()
    return texts
