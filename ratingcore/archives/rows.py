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
        yield Line(number, outcome_of(sheet, cells, event))


def outcome_of(sheet: Sheet, cells: list[str], event: Callable[[list[str]], Outcome]) -> Outcome:
    """The outcome of a row; the refusal of one whose event cannot be made."""
    try:
        return event(cells)
    except EventError as problem:
        return Refused(str(problem), sheet.text(cells))
    except UnicodeEncodeError:
        return Refused("the row holds half a character", ascii(sheet.text(cells)))
