"""All corrections up to a position of the log, by the event or the merge that each of them leads back to."""

from bisect import insort
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ratingcore.events import Row
from ratingcore.events.corrections import Corrections, Groups
from ratingcore.events.succession import Succession


class Turn(NamedTuple):
    """A correction of a merge by which players count as someone else: as whom before it, and as whom after it."""

    row: Row
    was: int
    now: int
    players: list[int]


class CorrectionHistory:
    """Corrections by what they lead back to, through every chain.

    Parameters
    ----------
    rows : list of Row
        All corrections up to a position, in order.
    """

    def __init__(self, rows: list[Row]) -> None:
        self.about: dict[int, list[Row]] = {}
        """Corrections of each event, by its position."""
        self.merges: list[Row] = []
        """Merges, and corrections of them."""
        self._ends: dict[int, tuple[Row, bool]] = {}
        """The amendment, merge or void at the start of each chain, and whether the number of steps to it is odd."""
        self._at: dict[int, Corrections] = {}
        for row in rows:
            before = None if row.ref is None else self._ends.get(row.ref)
            end, odd = (row, False) if before is None else (before[0], not before[1])
            self._ends[row.position] = end, odd
            if end.kind == "merge":
                self.merges.append(row)
            elif end.ref is not None:
                self.about.setdefault(end.ref, []).append(row)

    def verb(self, row: Row) -> str:
        """What a correction did to an amendment or a merge: an odd number of steps takes it back."""
        done = {"amend": "amended", "merge": "merged"}
        if row.kind in done:
            return done[row.kind]
        end, odd = self._ends[row.position]
        noun = {"amend": "amendment", "merge": "merge"}.get(end.kind, end.kind)
        return f"{noun} taken back" if odd else f"{done.get(end.kind, end.kind)} again"

    @cached_property
    def _together(self) -> dict[int, int]:
        """One of all whom merges, taken back or not, connect with a player; of players who are connected."""
        groups = Groups()
        for row in self.merges:
            if row.kind == "merge" and row.a is not None and row.b is not None:
                groups.merge(row.a, row.b)
        return groups.roots()

    @cached_property
    def _by_group(self) -> dict[int, list[Row]]:
        """Corrections of merges, by the one whom `_together` gives."""
        groups: dict[int, list[Row]] = {}
        for row in self.merges:
            keep = self._ends[row.position][0].a
            if keep is not None:
                groups.setdefault(self._together.get(keep, keep), []).append(row)
        return groups

    def group(self, player: int) -> list[Row]:
        """Corrections of merges that may concern a player."""
        return self._by_group.get(self._together.get(player, player), [])

    def root(self, position: int, player: int) -> int:
        """The player as whom someone counts, by the log up to a position."""
        if position not in self._at:
            self._at[position] = Corrections.of(row for row in self.merges if row.position <= position)
        return self._at[position].root(player)

    def turns(self, players: Iterable[int]) -> Iterator[Turn]:
        """The turns of players, of each player in order.

        The work grows with the number of corrections of merges and of turns; where a merge is taken back, all merges of
        the same people that stand are gone through again.
        """
        together: dict[int, list[int]] = {}
        for player in players:
            together.setdefault(self._together.get(player, player), []).append(player)
        for group, members in together.items():
            yield from _turns(self._by_group.get(group, []), members)


def _turns(rows: list[Row], players: list[int]) -> Iterator[Turn]:
    """The turns of players, in order, by the corrections of merges of one group."""
    succession, merges = Succession(rows), {row.position: row for row in rows if row.kind == "merge"}
    groups, standing = Groups(), list[int]()
    under = {player: [player] for player in players}
    """Players by the one as whom they count."""
    for row in rows:
        for position, stands in succession.take(row):
            merge = merges.get(position)
            if merge is None or merge.a is None or merge.b is None:
                continue
            if position == row.position:
                standing.append(position)
                was = groups.merge(merge.a, merge.b)
                moved = under.pop(was, None) if was is not None else None
                if moved and was is not None:
                    now = groups.root(merge.a)
                    yield Turn(row, was, now, moved)
                    under.setdefault(now, []).extend(moved)
                continue
            if stands:
                insort(standing, position)
            else:
                standing.remove(position)
            groups = Groups()
            for at in standing:
                groups.merge(merges[at].a or 0, merges[at].b or 0)
            roots, before, under = groups.roots(), under, {}
            for was, members in before.items():
                apart: dict[int, list[int]] = {}
                for player in members:
                    apart.setdefault(roots.get(player, player), []).append(player)
                for now, some in apart.items():
                    under.setdefault(now, []).extend(some)
                    if now != was:
                        yield Turn(row, was, now, some)
