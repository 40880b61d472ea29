"""Corrections of an event between two positions of the log, each with its actor, reason and time."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

from attrs import field, frozen

from ratingcore.events import CORRECTIONS, Instant, Row, iso
from ratingcore.events.corrections import Corrections

Change = tuple[Any, Any]
"""What a field read before, and after; None for nothing."""

_TYPED = ("pool", "played", "order", "a", "b", "score")
_NAMED = {"pool", "a", "b", "player"}
_LONG = 60


class Recorded(Protocol):
    """A batch of the log: where it ends, and when the log learnt it."""

    @property
    def last(self) -> int: ...
    @property
    def recorded(self) -> Instant: ...


class Source(Protocol):
    """The part of a log from which corrections are read."""

    def batches(self, after: int = 0) -> Iterator[Any]: ...
    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]: ...
    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]: ...


def _read_only(fields: Mapping[str, Change]) -> Mapping[str, Change]:
    return MappingProxyType(dict(fields))


@frozen
class Correction:
    """A correction of an event, or the event itself where the log learnt it late.

    Parameters
    ----------
    says : str
        What became of the event: voided, revived, amended, amendment taken back, amended again, merged,
        merge taken back, merged again, recorded late.
    uid : str
        Of the correction; of the event itself if it was recorded late.
    position : int
    recorded : int
        When the log learnt it.
    fields : mapping of name to (before, after)
        What changed: fields of the event, or the player as whom someone counts. The score of a game is seen from
        the player who is asked for, if one is.
    by, why : str
        Actor and reason.
    """

    says: str
    uid: str
    position: int
    recorded: Instant
    fields: Mapping[str, Change] = field(factory=dict, converter=_read_only, hash=False)
    by: str = ""
    why: str = ""

    def __str__(self) -> str:
        changes = ", ".join(f"{name} {_short(was)} -> {_short(now)}" for name, (was, now) in self.fields.items())
        return f"{self.says} {self.uid[:8]}" + (f" ({changes})" if changes else "")


class Causes:
    """Reads the corrections of one log.

    Parameters
    ----------
    log : Source
    name : callable
        The name behind an id.
    """

    def __init__(self, log: Source, name: Callable[[int], str]) -> None:
        self._log = log
        self._name = name

    def between(
        self, low: int, high: int, positions: Collection[int], player: int | None = None, *, others: bool = True
    ) -> dict[int, tuple[Correction, ...]]:
        """Corrections after position `low` and up to `high`, by the position of the event they are about.

        Parameters
        ----------
        positions : collection of int
            Of the events that are asked for.
        player : int or None
            Id of the player who is asked for, under whatever name.
        others : bool
            Whether merges of the other players of an event are included.
        """
        history = _History(list(self._log.rows(0, high, CORRECTIONS)))
        merges = history.merges if player is None or others else history.group(player)
        merged = any(low < row.position <= high for row in merges)
        by_event: dict[int, tuple[Correction, ...]] = {}
        for event in self._log.rows_at(positions if merged else history.about.keys() & set(positions)):
            corrections = list(self._of_event(event, history, low, high, player))
            if merged:
                ids = _players(event, history, low, high)
                if player is not None:
                    me = history.root(high, player)
                    ids = ids | {player} if others else {one for one in ids if history.root(high, one) == me}
                corrections += (
                    correction for one in sorted(ids) for correction in self._of_player(one, history, low, high)
                )
            if corrections:
                each = {correction.position: correction for correction in corrections}
                by_event[event.position] = tuple(each[at] for at in sorted(each))
        return by_event

    def late(self, position: int, uid: str) -> Correction:
        """The event itself, as one that the log learnt late."""
        return Correction("recorded late", uid, position, self._recorded(position))

    def _of_event(
        self, event: Row, history: "_History", low: int, high: int, player: int | None
    ) -> Iterator[Correction]:
        """Corrections of an event, in order."""

        def sits(number: int | None) -> bool:
            both = () if number is None or player is None else (low, high)
            return any(history.root(end, number or 0) == history.root(end, player or 0) for end in both)

        def seen(row: Row, other: Row) -> Row:
            """The row with the score of the side on which the player sits, in this row or else in the other."""
            seat = next((one for one in (row, other) if sits(one.a) or sits(one.b)), row)
            theirs = row.score is not None and sits(seat.b) and not sits(seat.a)
            return row._replace(score=1.0 - (row.score or 0.0)) if theirs else row

        rows = history.about.get(event.position, [])
        for n, row in enumerate(rows):
            if not low < row.position <= high:
                continue
            was, now = (Corrections.of(rows[:m]).read(event) for m in (n, n + 1))
            # while the event is void it reads as nothing: it is read as if this amendment were its only correction
            if was is None and now is None and row.kind == "amend":
                was, now = event, Corrections.of([row]).read(event) or event
            if was is not None and now is not None:
                yield self._correction(row, history.verb(row), self._differing(seen(was, now), seen(now, was)))
            elif was is not None or now is not None:
                yield self._correction(row, "voided" if now is None else "revived", {})

    def _of_player(self, player: int, history: "_History", low: int, high: int) -> Iterator[Correction]:
        """Merges, and undone merges, that changed as whom a player counts."""
        was = history.root(low, player)
        for row in history.group(player):
            if low < row.position <= high:
                now = history.root(row.position, player)
                if now != was:
                    yield self._correction(row, history.verb(row), {"player": (self._name(was), self._name(now))})
                was = now

    def _correction(self, row: Row, says: str, fields: Mapping[str, Change]) -> Correction:
        notes = row.facts
        by, why = (self._name(notes[key]) if key in notes else "" for key in ("by", "why"))
        return Correction(says, row.uid, row.position, self._recorded(row.position), fields, by, why)

    def _recorded(self, position: int) -> Instant:
        batch: Recorded = next(iter(self._log.batches(position - 1)))
        return batch.recorded

    def _differing(self, was: Row, now: Row) -> dict[str, Change]:
        before, after = _fields(was), _fields(now)
        names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        return {name: (self._shown(name, before.get(name)), self._shown(name, after.get(name))) for name in names}

    def _shown(self, name: str, value: Any) -> Any:
        """A value as people read it: names for ids, days for instants."""
        if value is None:
            return None
        if name in _NAMED:
            return self._name(value)
        if name == "played":
            return iso(value)
        if name == "sides":
            return ", ".join(f"{' + '.join(map(self._name, players))} {_spelt(score)}" for players, score in value)
        if name == "values":
            return ", ".join(f"{column} {_spelt(number)}" for column, number in value.items())
        return value


class _History:
    """All corrections up to a position, by the event or merge that each chain of corrections leads back to."""

    def __init__(self, rows: list[Row]) -> None:
        self._by = {row.position: row for row in rows}
        self.about: dict[int, list[Row]] = {}
        self.merges: list[Row] = []
        for row in rows:
            end = self._end(row)
            if end.kind == "merge":
                self.merges.append(row)
            elif end.ref is not None:
                self.about.setdefault(end.ref, []).append(row)

    def _end(self, row: Row) -> Row:
        """The amendment, merge or void at the start of a chain of corrections."""
        while row.ref in self._by:
            row = self._by[row.ref]
        return row

    def verb(self, row: Row) -> str:
        """What a correction did to an amendment or a merge: an odd number of steps takes it back."""
        done = {"amend": "amended", "merge": "merged"}
        if row.kind in done:
            return done[row.kind]
        depth, end = 0, row
        while end.ref in self._by:
            end, depth = self._by[end.ref], depth + 1
        noun = {"amend": "amendment", "merge": "merge"}.get(end.kind, end.kind)
        return f"{noun} taken back" if depth % 2 else f"{done.get(end.kind, end.kind)} again"

    @cached_property
    def _groups(self) -> dict[int, list[Row]]:
        """Corrections of merges, by every player they may concern."""
        together: dict[int, set[int]] = {}
        for row in self.merges:
            if row.kind == "merge" and row.a is not None and row.b is not None:
                group = together.get(row.a, {row.a}) | together.get(row.b, {row.b})
                together |= dict.fromkeys(group, group)
        groups: dict[int, list[Row]] = {}
        for row in self.merges:
            keep = self._end(row).a
            for player in together[keep] if keep is not None else ():
                groups.setdefault(player, []).append(row)
        return groups

    def group(self, player: int) -> list[Row]:
        """Corrections of merges that may concern a player."""
        return self._groups.get(player, [])

    def root(self, position: int, player: int) -> int:
        """The player as whom someone counts, by the log up to a position."""
        return Corrections.of(row for row in self.group(player) if row.position <= position).root(player)


def _players(event: Row, history: _History, low: int, high: int) -> set[int]:
    """Ids of the players of an event, as it reads at either position."""
    ids: set[int] = set()
    rows = history.about.get(event.position, [])
    for end in (low, high):
        read = Corrections.of(row for row in rows if row.position <= end).read(event) or event
        ids |= {number for number in (read.a, read.b) if number is not None}
        if read.kind == "session":
            ids |= {player for players, _ in read.facts["sides"] for player in players}
    return ids


def _fields(row: Row) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in _TYPED if getattr(row, name) is not None}
    if row.kind in ("seed", "player") and "a" in fields:
        fields["player"] = fields.pop("a")
    return fields | row.facts


def _spelt(value: Any) -> str:
    if value is None:
        return "(none)"
    return f"{value:g}" if isinstance(value, float) and value == round(value, 4) else str(value)


def _short(value: Any) -> str:
    """A value cut to the length of a cell."""
    text = _spelt(value)
    return text if len(text) <= _LONG else f"{text[: _LONG - 3]}..."
