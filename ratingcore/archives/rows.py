"""Rows to lines: whatever cannot be an event is refused with the reason, and nothing is lost."""

from collections.abc import Callable, Iterator

from ratingcore.archives.binding import Binding
from ratingcore.archives.lines import Line, Outcome, Refused
from ratingcore.archives.sheets import Sheet
from ratingcore.errors import EventError


def lines(sheet: Sheet, bound: Binding, event: Callable[[list[str]], Outcome]) -> Iterator[Line]:
    """Every row of the sheet as a line; `event` says what a row is."""
    tail = bound.tail
    for number, cells in sheet.rows(frozenset(bound.used)):
        if cells.__class__ is Refused:
            yield Line(number, cells)  # type: ignore[arg-type]  # its class was asked for
            continue
        if tail:
            cells += tail  # type: ignore[operator]  # a row of cells
        try:
            outcome = event(cells)  # type: ignore[arg-type]  # a row of cells
        except EventError as problem:
            outcome = Refused(str(problem), sheet.text(cells))  # type: ignore[arg-type]  # a row of cells
        yield Line(number, outcome)
