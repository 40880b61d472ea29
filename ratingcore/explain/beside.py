"""What a method lists beside the rating, line by line: columns of a ledger's lines, as numbers and as cells."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ratingcore.columns.arrays import Floats
from ratingcore.lists.cells import Cell, cell
from ratingcore.methods.contract import Method
from ratingcore.replay.ledger import BEFORE, RESULT, SEED, SETTLED, TRACKED, Ledger
from ratingcore.replay.record import Replay


def beside_lines(replay: Replay, ledger: Ledger) -> dict[str, Floats]:
    """What is listed of the player of each line beside the rating, after the line; NaN where it is not known.

    Of a replay with a `Watch`, or of the track of a whole-pool method. A result of a periodic method has what stood
    after its period, because no single result of it makes a deviation.
    """
    moves, sown, track, source = replay.moves, replay.sown, replay.track, ledger.source
    tracked = {} if track is None else {name: column for name, column in track.columns.items() if name != "rating"}
    names = dict.fromkeys([*tracked, *(moves.beside_after if moves is not None else ())])
    columns = {name: np.full(len(ledger), np.nan) for name in names}
    at = {kind: np.flatnonzero(ledger.kind == kind) for kind in (RESULT, BEFORE, SEED, SETTLED, TRACKED)}
    for name, column in columns.items():
        if name in tracked:
            column[at[TRACKED]] = tracked[name][source[at[TRACKED]]]
        if moves is None or name not in moves.beside_after:
            continue
        column[at[RESULT]] = moves.beside_after[name][source[at[RESULT]]]
        column[at[BEFORE]] = moves.beside_before[name][source[at[BEFORE]]]
        column[at[SEED]] = sown.beside[name][source[at[SEED]]]
        for line in at[SETTLED].tolist():
            settled = moves.after[int(source[line])].beside
            column[line] = settled[name][ledger.player[line]] if name in settled else np.nan
    return columns


def cells_beside(method: Method, columns: Mapping[str, Floats], lines: int) -> list[dict[str, Cell]]:
    """Columns as a row of cells a line: codes as words, None for what is not known."""
    labels = {column.name: column.labels for column in method.columns() if column.labels}
    worded = {name: _worded(column, labels.get(name, ())) for name, column in columns.items()}
    return [{name: column[line] for name, column in worded.items()} for line in range(lines)]


def _worded(column: Floats, labels: Sequence[str]) -> list[Cell]:
    if not labels:
        return [cell(number) for number in column.tolist()]
    return [None if code != code else labels[int(code)] for code in column.tolist()]


def heading(name: str, taken: Collection[str], otherwise: str) -> str:
    """The name of a column in rows that may have one of that name already.

    Examples
    --------
    >>> heading("deviation", ("played", "rating"), "after"), heading("played", ("played", "rating"), "after")
    ('deviation', 'played_after')
    """
    return f"{name}_{otherwise}" if name in taken else name
