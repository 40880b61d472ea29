"""Traces corrections back to the events they concern, and finds the changes of events between two log positions."""

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from attrs import field, frozen

from ratingcore.events import CORRECTIONS, Instant, Row, iso
from ratingcore.events.corrections import Corrections, Groups, Succession, readings
from ratingcore.log import Log
from ratingcore.read_only import read_only


class MergeChange(NamedTuple):
    """A merge, or a correction of one, that makes players count under another id: `was` before it, `now` after it."""

    row: Row
    was: int
    now: int
    players: list[int]


class CorrectionHistory:
    """Groups corrections by the event they concern, directly or through a chain of corrections.

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
        """Names the effect of a correction on an amendment or a merge: an odd number of steps takes it back."""
        done = {"amend": "amended", "merge": "merged"}
        if row.kind in done:
            return done[row.kind]
        end, odd = self._ends[row.position]
        noun = {"amend": "amendment", "merge": "merge"}.get(end.kind, end.kind)
        return f"{noun} taken back" if odd else f"{done.get(end.kind, end.kind)} again"

    @cached_property
    def _together(self) -> dict[int, int]:
        """Representative of each player's group; groups are connected by merges, even by those taken back."""
        groups = Groups()
        for row in self.merges:
            if row.kind == "merge" and row.a is not None and row.b is not None:
                groups.merge(row.a, row.b)
        return groups.roots()

    @cached_property
    def _by_group(self) -> dict[int, list[Row]]:
        """Merges and their corrections, by the representative of their group in `_together`."""
        groups: dict[int, list[Row]] = {}
        for row in self.merges:
            keep = self._ends[row.position][0].a
            if keep is not None:
                groups.setdefault(self._together.get(keep, keep), []).append(row)
        return groups

    def group(self, player: int) -> list[Row]:
        """Returns the merges that may concern a player, and their corrections."""
        return self._by_group.get(self._together.get(player, player), [])

    def root(self, position: int, player: int) -> int:
        """Returns the id under which a player counts, by the log up to a position."""
        if position not in self._at:
            self._at[position] = Corrections.of(row for row in self.merges if row.position <= position)
        return self._at[position].root(player)

    def turns(self, players: Iterable[int]) -> Iterator[MergeChange]:
        """Yields every change of the id under which these players count, in order for each player.

        The work grows with the number of merges, of their corrections and of the changes. If a merge is taken back,
        all merges in force among the same people are processed again.
        """
        together: dict[int, list[int]] = {}
        for player in players:
            together.setdefault(self._together.get(player, player), []).append(player)
        for group, members in together.items():
            yield from _turns(self._by_group.get(group, []), members)


def _turns(rows: list[Row], players: list[int]) -> Iterator[MergeChange]:
    """Yields the changes of id of some players of one group, in order, from the group's merges and corrections."""
    succession, merges = Succession(rows), {row.position: row for row in rows if row.kind == "merge"}
    groups, standing = Groups(), list[int]()
    under = {player: [player] for player in players}
    """Players by the id under which they count."""
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
                    yield MergeChange(row, was, now, moved)
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
                        yield MergeChange(row, was, now, some)


Change = tuple[object, object]
"""Value of a field before and after; None if it had none."""

_TYPED = ("pool", "played", "order", "a", "b", "score")
_NAMED = {"pool", "a", "b", "player"}
_LONG = 60
OF_MERGES = ("merged", "merge taken back", "merged again")


@frozen
class Correction:
    """A correction of an event, or the event itself if it was recorded late.

    Parameters
    ----------
    outcome : str
        The outcome for the event: voided, revived, amended, amendment taken back, amended again, merged,
        merge taken back, merged again, recorded late.
    uid : str
        Uid of the correction, or of the event itself if it was recorded late.
    position : int
    recorded : int
        When it was recorded.
    fields : mapping of name to (before, after)
        Changed fields of the event; for a merge, `player` names the player before and after. The score of a game is
        given from the side of the requested player, if there is one.
    by, why : str
        Actor and reason.
    """

    outcome: str
    uid: str
    position: int
    recorded: Instant
    fields: Mapping[str, Change] = field(factory=dict, converter=read_only, hash=False)
    by: str = ""
    why: str = ""

    def __str__(self) -> str:
        changes = ", ".join(f"{name} {_short(was)} -> {_short(now)}" for name, (was, now) in self.fields.items())
        return f"{self.outcome} {self.uid[:8]}" + (f" ({changes})" if changes else "")


def lasting(corrections: Sequence[Correction]) -> tuple[Correction, ...]:
    """Returns corrections without merges that were taken back: those after which a player counts as before them."""
    chains = list[list[Correction]]()
    """Merges, and corrections of them, each of which begins with the name at which the one before it ends."""
    for one in corrections:
        if one.outcome not in OF_MERGES:
            continue
        was, now = one.fields["player"]
        chain = next((chain for chain in chains if chain[-1].fields["player"][1] == was), None)
        if chain is None:
            chains.append([one])
            continue
        begun = next((place for place, before in enumerate(chain) if before.fields["player"][0] == now), None)
        if begun is None:
            chain.append(one)
        else:
            del chain[begun:]
        chains = [some for some in chains if some]
    left = {one.position for chain in chains for one in chain}
    return tuple(one for one in corrections if one.outcome not in OF_MERGES or one.position in left)


class Causes:
    """Reads the corrections of one log.

    Parameters
    ----------
    log : Log
    name : callable
        Returns the name behind an id.
    """

    def __init__(self, log: Log, name: Callable[[int], str]) -> None:
        self._log = log
        self._name = name

    def between(
        self, low: int, high: int, positions: Collection[int], player: int | None = None, *, others: bool = True
    ) -> dict[int, tuple[Correction, ...]]:
        """Returns the corrections after position `low` and up to `high`, by the position of the event they concern.

        Parameters
        ----------
        positions : collection of int
            Positions of the requested events.
        player : int or None
            Id of the requested player; ids merged with it count, too.
        others : bool
            Whether merges of the other players of an event are included.
        """
        history = CorrectionHistory(list(self._log.rows(0, high, CORRECTIONS)))
        merges = history.merges if player is None or others else history.group(player)
        merged = any(low < row.position <= high for row in merges)
        events = list(self._log.rows_at(positions if merged else history.about.keys() & set(positions)))
        concerned: list[set[int]] = [set()] * len(events)
        if merged:
            me = None if player is None or others else history.root(high, player)
            further = set() if player is None or not others else {player}
            concerned = [
                {one for one in ids if me is None or history.root(high, one) == me}
                for ids in (_players(event, history, low, high) | further for event in events)
            ]
        turned = self._turned(set().union(*concerned), history, low, high)
        by_event: dict[int, tuple[Correction, ...]] = {}
        for event, ids in zip(events, concerned, strict=True):
            corrections = list(self._of_event(event, history, low, high, player))
            for one in sorted(ids):
                corrections += turned.get(one, ())
            if corrections:
                each = {correction.position: correction for correction in corrections}
                by_event[event.position] = tuple(each[at] for at in sorted(each))
        return by_event

    def late(self, position: int, uid: str) -> Correction:
        """Returns the event itself as a correction, because it was recorded late."""
        return Correction("recorded late", uid, position, self._recorded(position))

    def _of_event(
        self, event: Row, history: CorrectionHistory, low: int, high: int, player: int | None
    ) -> Iterator[Correction]:
        """Yields the corrections of an event, in order."""

        def sits(number: int | None) -> bool:
            both = () if number is None or player is None else (low, high)
            return any(history.root(end, number or 0) == history.root(end, player or 0) for end in both)

        def seen(row: Row, other: Row) -> Row:
            """Returns the row with its score from the player's side, which this row or else the other one gives."""
            seat = next((one for one in (row, other) if sits(one.a) or sits(one.b)), row)
            theirs = row.score is not None and sits(seat.b) and not sits(seat.a)
            return row._replace(score=1.0 - (row.score or 0.0)) if theirs else row

        rows, now = history.about.get(event.position, []), Corrections().read(event)
        for row, reading in zip(rows, readings(event, rows), strict=True):
            was, now = now, reading
            if not low < row.position <= high:
                continue
            # a void event reads as nothing: read it as if this amendment were its only correction
            if was is None and now is None and row.kind == "amend":
                alone = Corrections.of([row]).read(event) or event
                yield self._correction(row, history.verb(row), self._differing(seen(event, alone), seen(alone, event)))
            elif was is not None and now is not None:
                yield self._correction(row, history.verb(row), self._differing(seen(was, now), seen(now, was)))
            elif was is not None or now is not None:
                yield self._correction(row, "voided" if now is None else "revived", {})

    def _turned(
        self, players: set[int], history: CorrectionHistory, low: int, high: int
    ) -> dict[int, list[Correction]]:
        """Returns, by player, the merges and undone merges that changed the id under which they count."""
        turned: dict[int, list[Correction]] = {}
        for turn in history.turns(players):
            if low < turn.row.position <= high:
                names = (self._name(turn.was), self._name(turn.now))
                correction = self._correction(turn.row, history.verb(turn.row), {"player": names})
                for player in turn.players:
                    turned.setdefault(player, []).append(correction)
        return turned

    def _correction(self, row: Row, outcome: str, fields: Mapping[str, Change]) -> Correction:
        notes = row.facts
        by, why = (self._name(notes[key]) if key in notes else "" for key in ("by", "why"))
        return Correction(outcome, row.uid, row.position, self._recorded(row.position), fields, by, why)

    def _recorded(self, position: int) -> Instant:
        return next(self._log.batches(position - 1)).recorded

    def _differing(self, was: Row, now: Row) -> dict[str, Change]:
        before, after = _fields(was), _fields(now)
        names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        pairs = {name: (self._shown(name, before.get(name)), self._shown(name, after.get(name))) for name in names}
        return {name: (one, other) for name, (one, other) in pairs.items() if one != other}  # a fact stated again

    def _shown(self, name: str, value: Any) -> object:
        """Returns a value in readable form: names for ids, days for instants."""
        if value is None:
            return None
        if name in _NAMED:
            return self._name(value)
        if name == "called" and isinstance(value, list):
            return self._name(*value)
        if name == "played":
            return iso(value)
        if name == "sides":
            return ", ".join(f"{' + '.join(map(self._name, players))} {_spelt(score)}" for players, score in value)
        if name == "values":
            return ", ".join(f"{column} {_spelt(number)}" for column, number in value.items())
        if isinstance(value, list):  # a fact of a player
            (fact,) = self._log.book.facts(value)
            return self._name(*value) if fact is None else fact
        return value


def _players(event: Row, history: CorrectionHistory, low: int, high: int) -> set[int]:
    """Returns the ids of the players of an event, as corrected up to either position."""
    ids: set[int] = set()
    rows = history.about.get(event.position, [])
    for end in (low, high):
        read = Corrections.of(row for row in rows if row.position <= end).read(event) or event
        ids |= {number for number in (read.a, read.b) if number is not None}
        if read.kind == "session":
            ids |= {player for players, _ in read.facts["sides"] for player in players}
    return ids


def _fields(row: Row) -> dict[str, object]:
    fields = {name: getattr(row, name) for name in _TYPED if getattr(row, name) is not None}
    if row.kind in ("seed", "player") and "a" in fields:
        fields["player"] = fields.pop("a")
    return fields | row.facts


def _spelt(value: object) -> str:
    if value is None:
        return "(none)"
    return f"{value:g}" if isinstance(value, float) and value == round(value, 4) else str(value)


def _short(value: object) -> str:
    """A value cut to the length of a cell."""
    text = _spelt(value)
    return text if len(text) <= _LONG else f"{text[: _LONG - 3]}..."
