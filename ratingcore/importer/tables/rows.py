"""Turns rows into lines, one each: a row whose event cannot be made is refused with the reason."""

from collections.abc import Callable, Iterator

from ratingcore.errors import EventError
from ratingcore.events import Instant, iso
from ratingcore.events.times import DAY
from ratingcore.importer.tables.binding import Binding
from ratingcore.importer.tables.lines import KnownLine, Line, Outcome, Refused, Unrated
from ratingcore.importer.tables.sheets import Sheet

_WESTMOST = DAY // 2
"""How far the clock of the last zone that ends a day is behind that of UTC."""


def lines(sheet: Sheet, bound: Binding, event: Callable[[list[str]], Outcome]) -> Iterator[Line]:
    """Yields each row of the sheet as a line; `event` makes the outcome from its cells."""
    tail = bound.tail
    for number, cells in sheet.rows(frozenset(bound.used)):
        if isinstance(cells, Refused):
            yield Line(number, cells)
            continue
        if tail:
            cells += tail
        outcome = outcome_of(sheet, cells, event)
        yield Line(number, outcome) if bound.known is None else known_line(sheet, bound, number, outcome, cells)


def known_line(sheet: Sheet, bound: Binding, number: int, outcome: Outcome, cells: list[str]) -> Line:
    """The line of a row with the time at which its result became known; without one, the row is refused."""
    known = bound.known
    if known is None or isinstance(outcome, Refused | Unrated):
        return Line(number, outcome)
    try:
        at = known[cells[known.index]]
    except EventError as problem:
        why = str(problem).replace("played", "known", 1)
        return Line(number, Refused(why, sheet.text(cells)))
    return known_at(number, outcome, at, sheet.text(cells))


def known_at(number: int, outcome: Outcome, at: Instant, text: str) -> Line:
    """The line of a result that became known at a time, which is not before the day on which it was played.

    A result with a time of day may be known on a day that has begun and ended in UTC: elsewhere it is that day still.
    """
    day = getattr(outcome, "played", at)
    latest = (at // DAY + 1) * DAY + (_WESTMOST if day % DAY else 0)
    if day >= latest:
        return Line(number, Refused(f"known on {iso(at)}, before it was played on {iso(day)}", text))
    return KnownLine.at(number, outcome, at)


def outcome_of(sheet: Sheet, cells: list[str], event: Callable[[list[str]], Outcome]) -> Outcome:
    """The outcome of a row; the refusal of one whose event cannot be made."""
    try:
        return event(cells)
    except EventError as problem:
        return Refused(str(problem), sheet.text(cells))
    except UnicodeEncodeError:
        return Refused("the row holds half a character", ascii(sheet.text(cells)))
