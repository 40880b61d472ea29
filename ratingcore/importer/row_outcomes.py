"""Stores the outcomes of a file's rows as columns, because a file may have millions of rows."""

import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self, get_args, overload

import numpy as np
from numpy.typing import NDArray

from ratingcore.readers import Reason

What = Literal["taken", "known", "corrects", "voided", "unrated", "refused", "left"]
"""Kinds of outcomes of a row."""


def column_of(lines: Sequence[int] | NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Numbers as an array; those of a range are not made one by one."""
    return np.arange(lines.start, lines.stop, lines.step) if isinstance(lines, range) else np.array(lines, np.int64)


class RowOutcome(NamedTuple):
    """The outcome of a row of a file.

    Attributes
    ----------
    line : int
        Line on which the row begins. Several rows may begin on one line.
    what : str
        `taken`: it is new to the log, or counts again after it was taken back. `known`: the log has it. `corrects`: it
        amends the recorded event. `voided`: the log has it, but void, and it stays void. `unrated`: it has no result
        that counts. `refused`: it cannot be recorded, or contradicts the log. `left`: it is left out, because the log
        has its game from elsewhere or in a later issue, or because an earlier row reports it from the other side.
    reason : str
        Reason why it is `unrated`, `refused` or `left`.
    fields : tuple of str
        Fields that it corrects.
    position : int
        Position of the event that is `known`, that it `corrects` or contradicts, or that is `voided`; else 0.
    void : int
        Position of the void that took back a `voided` event; else 0.
    """

    line: int
    what: What
    reason: str = ""
    fields: tuple[str, ...] = ()
    position: int = 0
    void: int = 0


class _Detail(NamedTuple):
    """Facts shared by many rows."""

    what: What
    reason: str
    fields: tuple[str, ...]


class RowOutcomes(Sequence[RowOutcome]):
    """Outcomes of the rows of a file; each is made on demand.

    Examples
    --------
    >>> import ratingcore as rc
    >>> engine = rc.open(":memory:")
    >>> games = [{"played": "2024-03-02", "a": "ann", "b": "bo", "score": score} for score in ("1-0", "bye")]
    >>> rows = engine.plan.import_file(games, "rapid").rows
    >>> rows.counts()
    {'taken': 1, 'unrated': 1}
    >>> [(row.line, row.reason) for row in rows.only("unrated")], rows[0].what
    ([(2, 'bye')], 'taken')
    """

    def __init__(self) -> None:
        # rows are kept in runs: on consecutive lines, with one outcome, and with consecutive events or none
        self._starts, self._size = array("q"), 0
        """Index of the first row of each run, and the number of rows."""
        self._lines, self._kinds, self._positions = array("q"), array("i"), array("q")
        """Those of the first row of each run."""
        self._details: dict[_Detail, int] = {}
        self._counts: list[int] = []
        self._voids: dict[int, int] = {}

    def add(
        self,
        what: What,
        lines: Sequence[int] | NDArray[np.integer[Any]],
        *,
        reason: str = "",
        fields: Iterable[str] = (),
        positions: Sequence[int] | NDArray[np.integer[Any]] = (),
    ) -> None:
        """Adds rows with the same outcome, and the positions of their events in the log, if given."""
        number, rows = self._number(_Detail(what, reason, tuple(fields))), column_of(lines)
        events = column_of(positions) if len(positions) else np.zeros(len(rows), np.int64)
        self._append(rows, np.full(len(rows), number, np.int32), events)
        self._counts[number] += len(rows)

    def _append(self, lines: NDArray[np.int64], kinds: NDArray[np.int32], positions: NDArray[np.int64]) -> None:
        new = (np.diff(lines) != 1) | (np.diff(kinds) != 0) | (np.diff(positions) != (positions[:-1] != 0))
        starts = np.concatenate((np.zeros(min(len(lines), 1), np.int64), np.flatnonzero(new) + 1))
        self._starts.frombytes((starts + self._size).tobytes())
        self._lines.frombytes(lines[starts].tobytes())
        self._kinds.frombytes(kinds[starts].tobytes())
        self._positions.frombytes(positions[starts].tobytes())
        self._size += len(lines)

    def _columns(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """Returns the line of each row, the index of its detail, and the position of its event, or 0."""
        starts, kinds = np.array(self._starts, np.int64), np.array(self._kinds, np.int32)
        counts = np.diff(starts, append=self._size)
        within = np.arange(self._size) - np.repeat(starts, counts)
        lines, positions = (np.repeat(np.array(one, np.int64), counts) for one in (self._lines, self._positions))
        return lines + within, np.repeat(kinds, counts), positions + within * (positions != 0)

    def _number(self, detail: _Detail) -> int:
        number = self._details.setdefault(detail, len(self._details))
        if number == len(self._counts):
            self._counts.append(0)
        return number

    def extend(self, other: "RowOutcomes") -> None:
        """Adds the rows of another file, or of another part of this one."""
        numbers = np.array([self._number(detail) for detail in other._details], np.int32)
        self._starts.frombytes((np.array(other._starts, np.int64) + self._size).tobytes())
        self._lines.extend(other._lines)
        self._kinds.frombytes(numbers[np.array(other._kinds, np.int64)].tobytes())
        self._positions.extend(other._positions)
        self._size += other._size
        for number, count in zip(numbers.tolist(), other._counts, strict=True):
            self._counts[number] += count
        self._voids |= other._voids

    def by_line(self, refused: Iterable[tuple[int, Reason, str]] = ()) -> Self:
        """Returns the rows and some refused ones, in the order of their lines."""
        made = type(self)()
        made.extend(self)
        for line, reason, _ in refused:
            recorded = reason.facts.get("position")
            made.add("refused", [line], reason=reason, positions=[int(str(recorded))] if recorded else [])
        made._keep(np.argsort(made._columns()[0], kind="stable"))
        return made

    def _keep(self, places: NDArray[np.int64]) -> None:
        """Keeps only the rows at some places, in this order."""
        lines, kinds, positions = self._columns()
        self._starts, self._size = array("q"), 0
        self._lines, self._kinds, self._positions = array("q"), array("i"), array("q")
        self._append(lines[places], kinds[places], positions[places])

    def take_out(self, positions: Iterable[int]) -> list[tuple[int, int]]:
        """Removes the rows known by their events at some positions; returns their lines, each with the position."""
        wanted, (lines, kinds, every) = np.fromiter(positions, np.int64), self._columns()
        whats = [number for number, one in enumerate(self._details) if one.what in ("known", "voided")]
        out = np.isin(every, wanted) & np.isin(kinds, whats)
        found = list(zip(lines[out].tolist(), every[out].tolist(), strict=True))
        for number in kinds[out].tolist():
            self._counts[number] -= 1
        self._keep(np.flatnonzero(~out))
        return found

    def note_voids(self, voids: Mapping[int, int]) -> None:
        """Notes the void of each event that was taken back."""
        self._voids |= voids

    @property
    def nbytes(self) -> int:
        """Size of the columns in bytes."""
        columns = self._starts, self._lines, self._kinds, self._positions
        return sum(len(column) * column.itemsize for column in columns)

    # reading

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, which: int) -> RowOutcome: ...
    @overload
    def __getitem__(self, which: slice) -> list[RowOutcome]: ...
    def __getitem__(self, which: int | slice) -> RowOutcome | list[RowOutcome]:
        if isinstance(which, slice):
            return [self[at] for at in range(*which.indices(len(self)))]
        at = range(len(self))[which]
        return self._row(at, list(self._details))

    def _row(self, at: int, details: Sequence[_Detail]) -> RowOutcome:
        run = bisect_right(self._starts, at) - 1
        detail, within = details[self._kinds[run]], at - self._starts[run]
        position = self._positions[run] and self._positions[run] + within
        void = self._voids.get(position, 0) if detail.what == "voided" else 0
        return RowOutcome(self._lines[run] + within, *detail, position, void)

    def __iter__(self) -> Iterator[RowOutcome]:
        details = list(self._details)
        return (self._row(at, details) for at in range(len(self)))

    def only(self, *what: What) -> Iterator[RowOutcome]:
        """The rows with one of these outcomes."""
        details = list(self._details)
        wanted = [number for number, detail in enumerate(details) if detail.what in what]
        for at in np.flatnonzero(np.isin(self._columns()[1], wanted)).tolist():
            yield self._row(at, details)

    def count_of(self, *what: What, reason: bool | None = None) -> int:
        """Number of rows with one of these outcomes, with or without a reason if requested."""
        found = zip(self._counts, self._details, strict=True)
        return sum(n for n, one in found if one.what in what and (reason is None or bool(one.reason) == reason))

    def counts(self) -> dict[What, int]:
        """Number of rows by outcome."""
        return {what: count for what in get_args(What) if (count := self.count_of(what))}

    @property
    def positions(self) -> list[int]:
        """Positions of the events in the log that rows match or contradict, in order."""
        found: list[int] = np.unique(self._columns()[2]).tolist()
        return found[1:] if found[:1] == [0] else found

    def among(self, positions: Sequence[int]) -> set[int]:
        """Returns which of some positions are those of a row's event."""
        wanted = np.array(positions, np.int64)
        return set(wanted[np.isin(wanted, self._columns()[2])].tolist())

    def lines_by_reason(self, *what: What) -> dict[str, list[int]]:
        """The lines of rows with one of these outcomes, by reason."""
        found: dict[str, list[int]] = {}
        for number, one in enumerate(self._details):
            if one.what in what and one.reason:
                found.setdefault(one.reason, []).extend(self._lines_of(number))
        return found

    def lines_by_fields(self) -> dict[tuple[str, ...], list[int]]:
        """The lines of correcting rows, by the fields they correct."""
        details = enumerate(self._details)
        return {one.fields: self._lines_of(number) for number, one in details if one.what == "corrects"}

    def _lines_of(self, number: int) -> list[int]:
        lines, kinds, _ = self._columns()
        some: list[int] = lines[kinds == number].tolist()
        return some

    @property
    def digest(self) -> str:
        """A digest of the outcomes, without reasons and positions that differ between logs."""
        details = [
            ((one.what, one.reason if one.what == "unrated" else "", one.fields), count)
            for one, count in zip(self._details, self._counts, strict=True)
        ]
        different = sorted({one for one, count in details if count})
        place = np.array([different.index(one) if count else 0 for one, count in details], np.int64)
        lines, numbers, _ = self._columns()
        kinds = place[numbers]
        order = np.lexsort((kinds, lines))
        digest = hashlib.sha256(repr(different).encode("utf-8", "surrogatepass"))
        digest.update(kinds[order].tobytes())
        digest.update(lines[order].tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowOutcomes) and sorted(self) == sorted(other)

    __hash__ = None  # type: ignore[assignment]  # rows are added
