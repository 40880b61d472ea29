"""Fields of results and of their members, beyond players and scores, as the columns of numbers that methods need."""

import threading
from collections.abc import Iterator
from math import isfinite, nan

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints, Need, frozen_array
from ratingcore.columns.log_history import LogHistory
from ratingcore.columns.timeline import Timeline
from ratingcore.errors import BadField, MissingField

Value = str | int | float


@frozen(eq=False)
class FieldColumn:
    """A field of results: a code per result that indexes the distinct values, 0 where the field is absent."""

    position: Ints
    code: NDArray[np.int32]
    values: tuple[Value, ...]

    def at(self, positions: Ints) -> NDArray[np.int32]:
        """The codes of results at these positions."""
        if len(self.position) == len(positions) and np.array_equal(self.position, positions):
            return self.code
        if not len(self.position):
            return np.zeros(len(positions), dtype=np.int32)
        place = np.minimum(np.searchsorted(self.position, positions), len(self.position) - 1)
        return np.where(self.position[place] == positions, self.code[place], 0).astype(np.int32)


class FieldBook:
    """Fields of the results of a pool as first recorded, read once and then only extended.

    Values are numbered in the order in which the log learnt them, from results or amendments, so that a value
    keeps its number when more is recorded. Threads may share a book: while one of them reads, the others wait.
    """

    def __init__(self) -> None:
        self._columns: dict[str, _Growing] = {}
        self._lock = threading.Lock()

    def column(self, log: LogHistory, pool: int, field: str, to: int) -> FieldColumn:
        """A field as seen by a reader of the first `to` events."""
        with self._lock:
            column = self._columns.setdefault(field, _Growing())
            if column.to < to:
                column.grow(log, pool, field, to)
            n = int(np.searchsorted(column.position[: column.n], to, "right"))
            return FieldColumn(column.position[:n], column.code[:n], tuple(column.codes))


class _Growing:
    """A field of results up to a position of the log, in arrays with room to grow."""

    def __init__(self) -> None:
        self.to = 0
        self.n = 0
        self.position = np.empty(0, dtype=np.int64)
        self.code = np.empty(0, dtype=np.int32)
        self.codes: dict[Value, int] = {}

    def grow(self, log: LogHistory, pool: int, field: str, to: int) -> None:
        # Values are numbered in the order of the log, in which results and amendments alternate: both are read side by
        # side. The sentinel at the end stops the inner loop.
        amended = iter([*_amended_values(log, field, self.to, to), (to + 1, None)])
        at_next, value_next = next(amended)
        position: list[int] = []
        codes = self.codes

        def numbers() -> Iterator[int]:
            nonlocal at_next, value_next
            for at, value in log.fields(pool, field, self.to, to):
                while at_next < at:
                    if value_next is not None:
                        codes.setdefault(value_next, len(codes) + 1)
                    at_next, value_next = next(amended)
                position.append(at)
                yield codes.setdefault(value, len(codes) + 1)

        code = np.fromiter(numbers(), dtype=np.int32)
        for value in (value_next, *(value for _, value in amended)):
            if value is not None:
                codes.setdefault(value, len(codes) + 1)
        self._append(np.array(position, dtype=np.int64), code)
        self.to = to

    def _append(self, position: NDArray[np.int64], code: NDArray[np.int32]) -> None:
        n = self.n + len(position)
        if n > len(self.position):
            room = max(n, 2 * len(self.position) if self.n else n)
            self.position, self.code = np.resize(self.position, room), np.resize(self.code, room)
        self.position[self.n : n], self.code[self.n : n] = position, code
        self.n = n


def _amended_values(log: LogHistory, field: str, after: int, to: int) -> Iterator[tuple[int, Value | None]]:
    """Values of a field that amendments add to a pool, each with the position of the amendment."""
    for row in log.rows(after, to, ("amend",)):
        changes = row.facts["set"]
        if field in changes:
            yield row.position, changes[field]
        elif "pool" in changes and row.ref is not None:
            target = next(iter(log.rows_at([row.ref])))
            yield row.position, target.facts.get(field) if target.kind in {"game", "session"} else None


class ResultFields:
    """The fields of a timeline's results, read on first use."""

    def __init__(self, log: LogHistory, timeline: Timeline, book: FieldBook) -> None:
        self._log = log
        self._timeline = timeline
        self._book = book
        self._changes = {at: to for at, to in timeline.corrections.changes.items() if at <= timeline.known_at}
        moved = sorted(at for at, to in self._changes.items() if "pool" in to)
        self._moved = {row.position: row.facts for row in log.rows_at(moved)} if moved else {}
        self._columns: dict[str, FieldColumn] = {}

    def codes(self, field: str, positions: Ints) -> tuple[NDArray[np.int32], tuple[Value, ...]]:
        """Returns the code of each result, and the values of the codes: code 1 is the first value."""
        if field not in self._columns:
            self._columns[field] = self._read(field)
        column = self._columns[field]
        return column.at(positions), column.values

    def _read(self, field: str) -> FieldColumn:
        column = self._book.column(self._log, self._timeline.pool, field, self._timeline.known_at)
        changed = self._amended(field)
        if not changed:
            return column
        values = {value: number for number, value in enumerate(column.values, 1)}
        amended = np.array(sorted(changed), dtype=np.int64)
        given = [changed[at] for at in amended.tolist()]
        number = np.array([0 if v is None else values.setdefault(v, len(values) + 1) for v in given], dtype=np.int32)
        place = np.searchsorted(column.position, amended)
        there = np.zeros(len(amended), dtype=bool)
        inside = place < len(column.position)
        there[inside] = column.position[place[inside]] == amended[inside]
        code = column.code.copy()
        code[place[there]] = number[there]
        new, place = ~there, place[~there]
        position = np.insert(column.position, place, amended[new]) if len(place) else column.position
        return FieldColumn(position, np.insert(code, place, number[new]) if len(place) else code, tuple(values))

    def _amended(self, field: str) -> dict[int, Value | None]:
        """Values that replace those in a field's column, by position: amended ones, and those from another pool."""
        here = {at: self._moved[at].get(field) for at in self._moved}
        return here | {at: to[field] for at, to in self._changes.items() if field in to}

    def column(self, need: Need, positions: Ints, method: str) -> Floats:
        """A needed field as numbers aligned with results at these positions.

        Raises
        ------
        MissingField
            If the field is absent at one of them and the need has no default.
        BadField
            If the need cannot read a value.
        """
        codes, values = self.codes(need.name, positions)
        if not values and need.default is not None:
            n = len(positions)
            return frozen_array(np.full(n, need.default) if need.default else np.zeros(n))  # zeros are free
        table = np.full(len(values) + 1, nan if need.default is None else need.default)
        bad: dict[int, str] = {}
        for number, value in enumerate(values, 1):
            try:
                table[number] = as_number(need, number, value)
            except ValueError as error:
                bad[number] = str(error)
        if need.leaves_out:
            table[list(bad)] = nan
        elif need.default is None or bad:
            self._refuse(need, codes, values, bad, positions, method)
        return frozen_array(table[codes])

    def left_out(self, need: Need, positions: Ints) -> dict[str, Ints]:
        """Returns the positions of the results that a need leaves out, by the value of their field."""
        codes, values = self.codes(need.name, positions)
        why = {0: f"no {need.name}"} if need.default is None else {}
        why |= {code: f"{need.name} {value}" for code, value in enumerate(values, 1) if not _allowed(need, value)}
        there = {reason: positions[codes == code] for code, reason in why.items()}
        return {reason: at for reason, at in there.items() if len(at)}

    def absent(self, need: Need) -> bool:
        """True if no result has a needed field, and the field has a default."""
        return need.default is not None and not self.codes(need.name, np.empty(0, dtype=np.int64))[1]

    def unreadable(self, need: Need, positions: Ints, sizes: Ints | None = None) -> dict[str, Ints]:
        """Positions of the results that a need cannot read, by reason: the field is absent, or its value unreadable.

        A field of members must have a number for each member of its result; `sizes` is as for `of_members`.
        """
        if self.absent(need):
            return {}
        codes, values = self.codes(need.name, positions)
        unreadable: dict[str, Ints] = {}
        if need.default is None and not codes.all():
            unreadable[f"no {without_side(need.name)}"] = positions[codes == 0]
        if sizes is None:
            wrong = np.isin(codes, [code for code, value in enumerate(values, 1) if not _allowed(need, value)])
        else:
            wrong = np.zeros(len(codes), dtype=np.bool_)
            for r in np.flatnonzero(codes).tolist():
                wrong[r] = not _allowed_for_members(need, values[int(codes[r]) - 1], int(sizes[r]))
        if wrong.any():
            unreadable[f"unreadable {without_side(need.name)}"] = positions[wrong]
        return unreadable

    def of_members(self, need: Need, positions: Ints, sizes: Ints, method: str) -> Floats:
        """A needed field of members as numbers, aligned with the members.

        Parameters
        ----------
        sizes : (n,) int
            Number of members of each result.

        Raises
        ------
        MissingField, BadField
        """
        if self.absent(need):
            return frozen_array(np.full(int(sizes.sum()), need.default))
        codes, values = self.codes(need.name, positions)
        _check_present(need, codes, positions, method)
        start = np.concatenate([[0], np.cumsum(sizes)])
        column = np.full(int(start[-1]), 0.0 if need.default is None else need.default)
        for r in np.flatnonzero(codes).tolist():
            value = values[int(codes[r]) - 1]
            try:
                column[start[r] : start[r + 1]] = _numbers(value, int(sizes[r]))
            except ValueError as error:
                raise BadField(method, need.name, value, f"position {int(positions[r])}", str(error)) from None
        return frozen_array(column)

    def _refuse(
        self, need: Need, codes: NDArray[np.int32], values: tuple[Value, ...], bad: dict[int, str], positions: Ints,
        method: str,
    ) -> None:  # fmt: skip
        _check_present(need, codes, positions, method)
        wrong = np.isin(codes, list(bad))
        if wrong.any():
            first = int(np.argmax(wrong))
            code = int(codes[first])
            raise BadField(method, need.name, values[code - 1], f"position {int(positions[first])}", bad[code])


def _check_present(need: Need, codes: NDArray[np.int32], positions: Ints, method: str) -> None:
    if need.default is None and (codes == 0).any():
        at = int(positions[int(np.argmax(codes == 0))])
        raise MissingField(method, need.name, "result", f"position {at}")


def without_side(name: str) -> str:
    """Returns the name of a field for messages: a field of one side loses its suffix `_a` or `_b`.

    Examples
    --------
    >>> without_side("points_a"), without_side("first_line")
    ('points', 'first_line')
    """
    return name[:-2] if name.endswith(("_a", "_b")) else name


def _allowed(need: Need, value: Value) -> bool:
    try:
        return need.allows(as_number(need, 1, value))
    except ValueError:
        return False


def _allowed_for_members(need: Need, value: Value, n: int) -> bool:
    try:
        return all(map(need.allows, _numbers(value, n)))
    except ValueError:
        return False


def as_number(need: Need, code: int, value: Value) -> float:
    """Returns the number for a value of a needed field, for a label its code; `ValueError` names the allowed values."""
    if need.labels:
        return float(code)
    if need.words:
        if str(value) not in need.words and need.other is not None:
            return need.other
        if str(value) not in need.words:
            raise ValueError(f"must be one of {', '.join(need.words)}")
        return need.words[str(value)]
    try:
        number = float(value)
    except ValueError:
        raise ValueError("must be a number") from None
    if not isfinite(number):
        raise ValueError("must be a finite number")
    return number


def _numbers(value: Value, n: int) -> list[float]:
    """Numbers separated by spaces, one per member; `2/3` is allowed."""
    words = str(value).split()
    if len(words) != n:
        raise ValueError(f"must have {n} numbers, one for each player in the order of the sides, not {len(words)}")
    numbers = []
    for word in words:
        above, _, below = word.partition("/")
        try:
            number = float(above) / float(below or 1)
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"must have numbers like 1, 0.5 or 2/3, not {word}") from None
        if not isfinite(number):
            raise ValueError(f"must have finite numbers, not {word}")
        numbers.append(number)
    return numbers
