"""Lists and histories as rows of tables for readers of SQL."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ratingcore.plugin import Ints
from ratingcore.plugin.analysis import Clock, Ledger, Lines, RatingList, Replay, described_lines, extra_cells
from ratingcore.plugin.stores import canonical
from ratingcore_sql_tables.tables import End

AT_ONCE = 16_384
"""Number of lines made into rows at a time."""

_PLAIN = ("rank", "player", "rating", "games")


def current_rows(listed: RatingList, method: str) -> Iterator[tuple[Any, ...]]:
    """A row per player of a list; the method's further columns as JSON.

    Parameters
    ----------
    listed : RatingList
    method : str
        Name of the method in the table.
    """
    head = listed.provenance.digest
    for number, row in zip(listed.id.tolist(), listed, strict=True):
        further = {name: cell for name, cell in row.items() if name not in _PLAIN}
        yield (
            listed.pool, method, number, row["player"], row["rank"], row["rating"], row["games"],
            canonical(further) if further else None, listed.known_at, head,
        )  # fmt: skip


def history_rows(
    ledger: Ledger,
    replay: Replay,
    method: str,
    ends: Mapping[int, End],
    uids: Callable[[Sequence[int]], list[str]],
) -> Iterator[tuple[Any, ...]]:
    """A row per line, player by player.

    Parameters
    ----------
    ledger : Ledger
        Ledger of the replay.
    replay : Replay
    method : str
        Name of the method in the table.
    ends : mapping of int to End
        Last earlier line of each player, by id, from which the new lines continue.
    uids : callable
        Returns the uids of events at positions.
    """
    pool, ids = replay.view.pool, replay.view.timeline.players.id[: replay.view.n_players]
    last = np.zeros(len(ids), dtype=np.int64)
    if ends:
        start, waiting = replay.start.copy(), np.zeros(len(ids))
        for row in np.unique(ledger.player).tolist():
            end = ends.get(int(ids[row]))
            if end is not None:
                start[row] = np.nan if end.rating is None else end.rating
                waiting[row], last[row] = end.waiting, end.line
        ledger = ledger.resumed(start, waiting)
    ledger = ledger.take(np.argsort(ledger.player, kind="stable"))
    lines, change = described_lines(replay, ledger), ledger.change
    # codes below 0 are counted from the end
    names = np.array([*replay.view.book.keys(ids.tolist()), *reversed(lines.words.texts)], dtype=object)
    number = _numbers(ledger.player) + last[ledger.player]
    for at in range(0, len(ledger), AT_ONCE):
        some = slice(at, at + AT_ONCE)
        player = ledger.player[some]
        yield from zip(
            [pool] * len(player), [method] * len(player), ids[player].tolist(), number[some].tolist(),
            names[player].tolist(), _days(lines.played[some], replay.view.clock), _uids(lines.position[some], uids),
            names[lines.opponent[some]].tolist(), lines.score.number[some].tolist(), lines.expected[some].tolist(),
            change[some].tolist(), ledger.rating[some].tolist(), _further(replay, lines, some), strict=True,
        )  # fmt: skip


def _further(replay: Replay, lines: Lines, some: slice) -> list[str | None]:
    """Further listed columns as JSON by name; None without any."""
    part = {name: column[some] for name, column in lines.extra.items()}
    n = len(lines.played[some])
    if not part:
        return [None] * n
    return [canonical(cells) for cells in extra_cells(replay.method, part, n)]


def _numbers(player: Ints) -> Ints:
    """1, 2, 3, ... for the lines of each player."""
    place = np.arange(len(player))
    begins = np.ones(len(player), dtype=np.bool_)
    begins[1:] = player[1:] != player[:-1]
    return place - np.maximum.accumulate(np.where(begins, place, 0)) + 1


def _days(played: Ints, clock: Clock) -> list[str]:
    times, which = np.unique(played, return_inverse=True)
    texts: list[str] = np.array([clock.iso(at) for at in times.tolist()], dtype=object)[which].tolist()
    return texts


def _uids(position: Ints, uids: Callable[[Sequence[int]], list[str]]) -> list[str | None]:
    positions, which = np.unique(position, return_inverse=True)
    nowhere = int(positions[:1].tolist() == [0])
    given = [None] * nowhere + uids(positions[nowhere:].tolist())
    texts: list[str | None] = np.array(given, dtype=object)[which].tolist()
    return texts
