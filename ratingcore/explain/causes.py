"""Why an event reads otherwise: the corrections that speak of it in the end, each with its actor, reason and times."""

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
    """A log, as far as its corrections are told."""

    def batches(self, after: int = 0) -> Iterator[Any]: ...
    def rows(
        self, after: int = 0, to: int | None = None, kinds: Sequence[str] = (), pool: int | None = None
    ) -> Iterator[Row]: ...
    def rows_at(self, positions: Iterable[int]) -> Iterator[Row]: ...


def _read_only(fields: Mapping[str, Change]) -> Mapping[str, Change]:
    return MappingProxyType(dict(fields))


@frozen
class Correction:
    """What the log learnt of an event after it: a correction, or, late, the event itself.

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
        What reads otherwise since: fields of the event, or the player as whom one counts. Where a player is asked
        for, the score of a game is his.
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
        told = ", ".join(f"{name} {_short(was)} -> {_short(now)}" for name, (was, now) in self.fields.items())
        return f"{self.says} {self.uid[:8]}" + (f" ({told})" if told else "")


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
            Whether merges of the other players of an event are told too.
        """
        said = _Said(list(self._log.rows(0, high, CORRECTIONS)))
        merges = said.merges if player is None or others else said.group(player)
        merged = any(low < row.position <= high for row in merges)
        told: dict[int, tuple[Correction, ...]] = {}
        for event in self._log.rows_at(positions if merged else said.about.keys() & set(positions)):
            found = list(self._of_event(event, said, low, high, player))
            if merged:
                ids = _players(event, said, low, high)
                if player is not None:
                    me = said.root(high, player)
                    ids = ids | {player} if others else {one for one in ids if said.root(high, one) == me}
                found += (correction for one in sorted(ids) for correction in self._of_player(one, said, low, high))
            if found:
                each = {correction.position: correction for correction in found}
                told[event.position] = tuple(each[at] for at in sorted(each))
        return told

    def late(self, position: int, uid: str) -> Correction:
        """The event itself as what was learnt late."""
        return Correction("recorded late", uid, position, self._recorded(position))

    def _of_event(self, event: Row, said: "_Said", low: int, high: int, player: int | None) -> Iterator[Correction]:
        """What was said of an event, one correction after the other."""

        def sits(number: int | None) -> bool:
            both = () if number is None or player is None else (low, high)
            return any(said.root(end, number or 0) == said.root(end, player or 0) for end in both)

        def seen(row: Row, other: Row) -> Row:
            """The row, its score from where the player sits; where he does not, from where the other row has him."""
            seat = next((one for one in (row, other) if sits(one.a) or sits(one.b)), row)
            theirs = row.score is not None and sits(seat.b) and not sits(seat.a)
            return row._replace(score=1.0 - (row.score or 0.0)) if theirs else row

        rows = said.about.get(event.position, [])
        for n, row in enumerate(rows):
            if not low < row.position <= high:
                continue
            was, now = (Corrections.of(rows[:m]).read(event) for m in (n, n + 1))
            if was is None and now is None and row.kind == "amend":  # of an event that counts for nothing just then
                was, now = event, Corrections.of([row]).read(event) or event
            if was is not None and now is not None:
                yield self._told(row, said.verb(row), self._differing(seen(was, now), seen(now, was)))
            elif was is not None or now is not None:
                yield self._told(row, "voided" if now is None else "revived", {})

    def _of_player(self, player: int, said: "_Said", low: int, high: int) -> Iterator[Correction]:
        """Merges, and what took them back, that let a player count as someone else."""
        was = said.root(low, player)
        for row in said.group(player):
            if low < row.position <= high:
                now = said.root(row.position, player)
                if now != was:
                    yield self._told(row, said.verb(row), {"player": (self._name(was), self._name(now))})
                was = now

    def _told(self, row: Row, says: str, fields: Mapping[str, Change]) -> Correction:
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


class _Said:
    """All corrections up to a position, by what they are about in the end."""

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
        """The first word about what a correction speaks of in the end."""
        while row.ref in self._by:
            row = self._by[row.ref]
        return row

    def verb(self, row: Row) -> str:
        """What became of an amendment or a merge."""
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
        """Corrections of merges, by every player whom they may concern."""
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
        """As whom a player counts for a reader of the log up to a position."""
        return Corrections.of(row for row in self.group(player) if row.position <= position).root(player)


def _players(event: Row, said: _Said, low: int, high: int) -> set[int]:
    """Ids of all who sit in an event, as it reads at either end."""
    ids: set[int] = set()
    rows = said.about.get(event.position, [])
    for end in (low, high):
        read = Corrections.of(row for row in rows if row.position <= end).read(event) or event
        ids |= {number for number in (read.a, read.b) if number is not None}
        if read.kind == "session":
            ids |= {player for players, _ in read.facts["sides"] for player in players}
    return ids


def _fields(row: Row) -> dict[str, Any]:
    known = {name: getattr(row, name) for name in _TYPED if getattr(row, name) is not None}
    if row.kind in ("seed", "player") and "a" in known:
        known["player"] = known.pop("a")
    return known | row.facts


def _spelt(value: Any) -> str:
    if value is None:
        return "(none)"
    return f"{value:g}" if isinstance(value, float) and value == round(value, 4) else str(value)


def _short(value: Any) -> str:
    """A value in a cell of a table: of a session of forty sides the first ones."""
    text = _spelt(value)
    return text if len(text) <= _LONG else f"{text[: _LONG - 3]}..."
