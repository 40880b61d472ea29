"""Rows that come again after what they stand for was voided: they count nowhere, until the voids are taken back."""

from collections.abc import Collection

from ratingcore.log import Log

_MOST = 10
"""Spans of positions that are named at most."""


def voided_rows(log: Log, positions: Collection[int]) -> str:
    """A sentence about rows that stand for events which count as never recorded, with the command to take that back.

    Parameters
    ----------
    log : Log
    positions : collection of int
        Of the events that rows stand for.

    Returns
    -------
    str
        Empty if none of them is voided.
    """
    if not positions:
        return ""
    asked, taken_back = set(positions), log.corrections().void
    gone = asked & taken_back
    voids = [row.position for row in log.rows(0, None, ("void",)) if row.ref in gone and row.position not in taken_back]
    if not voids:
        return ""
    rows = "1 row is" if len(gone) == 1 else f"{len(gone)} rows are"
    them = "it counts" if len(gone) == 1 else "they count"
    return f"{rows} in the log, but voided there, so {them} nowhere; to bring back: {_command(log, gone, voids)}"


def _command(log: Log, gone: set[int], voids: list[int]) -> str:
    if len(gone) == 1:
        (row,) = log.rows_at(list(gone))
        return f"revive {row.uid}"
    spans: list[tuple[int, int]] = []
    for at in sorted(voids):
        if spans and at == spans[-1][1] + 1:
            spans[-1] = spans[-1][0], at
        else:
            spans.append((at, at))
    if len(spans) > _MOST:
        return "revive UID, each; log --kind void tells the voids"
    return f"void --positions {','.join(str(low) if low == high else f'{low}-{high}' for low, high in spans)}"
