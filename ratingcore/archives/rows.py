"""Turns rows into lines, one each: a row whose event cannot be made is refused with the reason."""

from collections.abc import Callable, Iterator

from ratingcore.archives.binding import Binding
from ratingcore.archives.lines import Line, Outcome, Refused
from ratingcore.archives.sheets import Sheet
from ratingcore.errors import EventError


def lines(sheet: Sheet, bound: Binding, event: Callable[[list[str]], Outcome]) -> Iterator[Line]:
    """Yields each row of the sheet as a line; `event` makes the outcome from its cells."""
    tail = bound.tail
    for number, cells in sheet.rows(frozenset(bound.used)):
        if isinstance(cells, Refused):
            yield Line(number, cells)
            continue
        if tail:
            cells += tail
        try:
            outcome = event(cells)
        except EventError as problem:
            outcome = Refused(str(problem), sheet.text(cells))
        except UnicodeEncodeError:
            outcome = Refused("the row holds half a character", ascii(sheet.text(cells)))
        yield Line(number, outcome)
