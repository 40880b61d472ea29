"""Stores the outcomes of a file's rows as columns, because a file may have millions of rows."""

import hashlib
from array import array
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
        self._lines, self._kinds, self._positions = array("q"), array("i"), array("q")
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
        number = self._number(_Detail(what, reason, tuple(fields)))
        if len(positions):
            self._positions.frombytes(bytes(8 * (len(self) - len(self._positions))))
            self._positions.frombytes(column_of(positions).tobytes())
        self._lines.frombytes(column_of(lines).tobytes())
        self._kinds.frombytes(np.full(len(lines), number, np.int32).tobytes())
        self._counts[number] += len(lines)

    def _number(self, detail: _Detail) -> int:
        number = self._details.setdefault(detail, len(self._details))
        if number == len(self._counts):
            self._counts.append(0)
        return number

    def extend(self, other: "RowOutcomes") -> None:
        """Adds the rows of another file, or of another part of this one."""
        numbers = np.array([self._number(detail) for detail in other._details], np.int32)
        if other._positions:
            self._positions.frombytes(bytes(8 * (len(self) - len(self._positions))))
            self._positions.extend(other._positions)
        self._lines.extend(other._lines)
        self._kinds.frombytes(numbers[np.array(other._kinds, np.int64)].tobytes())
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
        made._keep(np.argsort(np.frombuffer(made._lines, np.int64), kind="stable"))
        return made

    def _keep(self, places: NDArray[np.int64]) -> None:
        """Keeps only the rows at some places, in this order."""
        if self._positions:
            self._positions = array("q", self._every_position()[places].tobytes())
        self._lines = array("q", np.array(self._lines)[places].tobytes())
        self._kinds = array("i", np.array(self._kinds)[places].tobytes())

    def _every_position(self) -> NDArray[np.int64]:
        """The position of each row's event; 0 without one."""
        every = np.zeros(len(self), np.int64)
        every[: len(self._positions)] = self._positions
        return every

    def take_out(self, positions: Iterable[int]) -> list[tuple[int, int]]:
        """Removes the rows known by their events at some positions; returns their lines, each with the position."""
        wanted, every, kinds = np.fromiter(positions, np.int64), self._every_position(), np.array(self._kinds)
        whats = [number for number, one in enumerate(self._details) if one.what in ("known", "voided")]
        out = np.isin(every, wanted) & np.isin(kinds, whats)
        found = list(zip(np.array(self._lines)[out].tolist(), every[out].tolist(), strict=True))
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
        return sum(len(column) * column.itemsize for column in (self._lines, self._kinds, self._positions))

    # reading

    def __len__(self) -> int:
        return len(self._lines)

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
        detail = details[self._kinds[at]]
        position = self._positions[at] if at < len(self._positions) else 0
        void = self._voids.get(position, 0) if detail.what == "voided" else 0
        return RowOutcome(self._lines[at], *detail, position, void)

    def __iter__(self) -> Iterator[RowOutcome]:
        details = list(self._details)
        return (self._row(at, details) for at in range(len(self)))

    def only(self, *what: What) -> Iterator[RowOutcome]:
        """The rows with one of these outcomes."""
        details = list(self._details)
        wanted = [number for number, detail in enumerate(details) if detail.what in what]
        for at in np.flatnonzero(np.isin(np.array(self._kinds), wanted)).tolist():
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
        found: list[int] = np.unique(np.array(self._positions, np.int64)).tolist()
        return found[1:] if found[:1] == [0] else found

    def among(self, positions: Sequence[int]) -> set[int]:
        """Returns which of some positions are those of a row's event."""
        wanted = np.array(positions, np.int64)
        return set(wanted[np.isin(wanted, np.array(self._positions, np.int64))].tolist())

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
        lines: list[int] = np.array(self._lines, np.int64)[np.array(self._kinds) == number].tolist()
        return lines

    @property
    def digest(self) -> str:
        """A digest of the outcomes, without reasons and positions that differ between logs."""
        details = [
            ((one.what, one.reason if one.what == "unrated" else "", one.fields), count)
            for one, count in zip(self._details, self._counts, strict=True)
        ]
        different = sorted({one for one, count in details if count})
        place = np.array([different.index(one) if count else 0 for one, count in details], np.int64)
        kinds, lines = place[np.array(self._kinds, np.int64)], np.array(self._lines, np.int64)
        order = np.lexsort((kinds, lines))
        digest = hashlib.sha256(repr(different).encode("utf-8", "surrogatepass"))
        digest.update(kinds[order].tobytes())
        digest.update(lines[order].tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowOutcomes) and sorted(self) == sorted(other)

    __hash__ = None  # type: ignore[assignment]  # rows are added
