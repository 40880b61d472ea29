"""Further fields of results and players as numbers, the way a method's needs ask for them."""

from collections.abc import Callable, Iterable
from math import isfinite, nan

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ratingcore.errors import BadField, MissingField
from ratingcore.events import Row
from ratingcore.tables.arrays import Floats, Ints, frozen_array
from ratingcore.tables.needs import Need
from ratingcore.tables.source import Source
from ratingcore.tables.timeline import Timeline

Value = str | int | float


@frozen(eq=False)
class FieldColumn:
    """A field of results: a code a result into the distinct values, 0 where it is absent."""

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


def read_field(log: Source, pool: int, field: str, to: int) -> FieldColumn:
    """A field of the results of a pool, as it was first recorded."""
    codes: dict[Value, int] = {}
    position: list[int] = []

    def number() -> Iterable[int]:
        for at, value in log.fields(pool, field, 0, to):
            position.append(at)
            yield codes.setdefault(value, len(codes) + 1)

    code = np.fromiter(number(), dtype=np.int32)
    return FieldColumn(np.array(position, dtype=np.int64), code, tuple(codes))


class ResultFields:
    """The fields of a timeline's results, read when they are first asked for."""

    def __init__(self, log: Source, timeline: Timeline) -> None:
        self._log = log
        self._timeline = timeline
        changed = timeline.corrections.changes
        rows = log.rows_at(at for at in changed if at <= timeline.known_at) if changed else ()
        read = (timeline.corrections.read(row) for row in rows)
        self._amended = {row.position: row for row in read if row is not None and row.kind in {"game", "session"}}
        self._known: dict[str, FieldColumn] = {}

    def codes(self, field: str, positions: Ints) -> tuple[NDArray[np.int32], tuple[Value, ...]]:
        """Code of each result and the values the codes stand for (1 is the first)."""
        if field not in self._known:
            self._known[field] = self._read(field)
        column = self._known[field]
        return column.at(positions), column.values

    def _read(self, field: str) -> FieldColumn:
        column = read_field(self._log, self._timeline.pool, field, self._timeline.known_at)
        if not self._amended:
            return column
        code = dict(zip(column.position.tolist(), column.code.tolist(), strict=True))
        values = {value: number for number, value in enumerate(column.values, 1)}
        for at, row in self._amended.items():
            value = row.facts.get(field)
            code[at] = 0 if value is None else values.setdefault(value, len(values) + 1)
        at_positions = np.array(sorted(code), dtype=np.int64)
        return FieldColumn(at_positions, np.array([code[at] for at in sorted(code)], dtype=np.int32), tuple(values))

    def column(self, need: Need, positions: Ints, method: str) -> Floats:
        """A needed field as numbers aligned with results at these positions.

        Raises
        ------
        MissingField
            If the field is absent at one of them and the need has no default.
        BadField
            If a value is not one the need can read.
        """
        codes, values = self.codes(need.name, positions)
        if not values and need.default is not None:
            n = len(positions)
            return frozen_array(np.full(n, need.default) if need.default else np.zeros(n))  # untouched zeros are free
        table = np.full(len(values) + 1, nan if need.default is None else need.default)
        bad: dict[int, str] = {}
        for number, value in enumerate(values, 1):
            try:
                table[number] = _number(need, number, value)
            except ValueError as error:
                bad[number] = str(error)
        if need.default is None or bad:
            self._refuse(need, codes, values, bad, positions, method)
        return frozen_array(table[codes])

    def _refuse(
        self, need: Need, codes: NDArray[np.int32], values: tuple[Value, ...], bad: dict[int, str], positions: Ints,
        method: str,
    ) -> None:  # fmt: skip
        if need.default is None and (codes == 0).any():
            at = int(positions[int(np.argmax(codes == 0))])
            raise MissingField(method, need.name, "result", f"position {at}")
        wrong = np.isin(codes, list(bad)) if bad else np.zeros(len(codes), dtype=bool)
        if wrong.any():
            first = int(np.argmax(wrong))
            code = int(codes[first])
            raise BadField(method, need.name, values[code - 1], f"position {int(positions[first])}", bad[code])


def _number(need: Need, code: int, value: Value) -> float:
    if need.labels:
        return float(code)
    if need.words:
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


def player_column(
    need: Need, rows: Iterable[Row], row_of: NDArray[np.int32], names: Callable[[int], str], method: str, n: int
) -> Floats:
    """A needed field of players as numbers aligned with the state; the last description stands.

    Parameters
    ----------
    rows : iterable of Row
        Descriptions as they read now, in order of (played, position), players already counted as
        the ones they are.
    """
    stands: dict[int, Value] = {}
    for row in rows:
        value = row.facts.get(need.name)
        at = int(row_of[row.a]) if row.a is not None and row.a < len(row_of) else -1
        if value is not None and 0 <= at < n:
            stands[at] = value
    column = np.full(n, nan if need.default is None else need.default)
    labels: dict[Value, int] = {}
    for at, value in stands.items():
        try:
            column[at] = _number(need, labels.setdefault(value, len(labels) + 1), value)
        except ValueError as error:
            raise BadField(method, need.name, value, f"player {names(at)}", str(error)) from None
    if need.default is None and len(stands) < n:
        raise MissingField(method, need.name, "player", f"player {names(min(set(range(n)) - stands.keys()))}")
    return frozen_array(column)
