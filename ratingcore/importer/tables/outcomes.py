"""Makes the outcome of each row of a table."""

from collections.abc import Callable, Iterator

from ratingcore.errors import Absent, BadValue, EventError
from ratingcore.events import Event, Fact, Instant, iso
from ratingcore.events.bounds import POINTS
from ratingcore.events.times import DAY
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import DATA_FIELDS, home_unless_neutral
from ratingcore.importer.tables.parsers import Group, Parser
from ratingcore.importer.tables.score_words import FORFEIT, NO_GAME
from ratingcore.readers import Made, Outcome, Reason, Refused, Unrated
from ratingcore.readers.sheets import Sheet
from ratingcore.safe_text import Filled

_WESTMOST = DAY // 2
"""Time from the end of a day in UTC to its end in the westernmost time zone."""


Making = Callable[[list[str]], Event | str]
"""Turns the cells of a row into an event, or returns the reason why the row is unrated."""


def row_outcomes(sheet: Sheet, bound: Binding, make: Making) -> Iterator[Outcome]:
    """Yields the outcome of each row of a sheet."""
    tail = bound.tail
    for row in bound.learning.before(sheet.rows(bound.columns_read()), list):
        if isinstance(row, Refused):
            yield row
            continue
        line, cells = row
        if tail:
            cells += tail
        yield outcome_of(sheet, bound, line, cells, make)
    yield from bound.notes()


def outcome_of(sheet: Sheet, bound: Binding, line: int, cells: list[str], make: Making) -> Outcome:
    """Returns the outcome of a row, with the time at which its result became known if the mapping asks for it."""
    field = "played"
    try:
        event = make(cells)
        if isinstance(event, str):
            return Unrated(line, event)
        if bound.known is None:
            return Made(line, event)
        field = "known"
        known = bound.known[cells[bound.known.index]]
    except Absent as problem:
        return Unrated(line, problem.reason)
    except EventError as problem:
        if bound.has_day_above(problem, line, cells):
            return outcome_of(sheet, bound, line, cells, make)
        if bound.is_total(cells):
            return Unrated(line, NO_GAME)
        if field == "played":
            bound.days.miss(problem)
        if isinstance(problem, BadValue) and problem.what == "played":
            problem.what = field
        return Refused(line, Reason.of(problem), sheet.text(cells))
    except UnicodeEncodeError:
        return Refused(line, "the row has an incomplete character", ascii(sheet.text(cells)))
    return became_known(line, event, known, sheet.text(cells))


def became_known(line: int, event: Event, at: Instant, text: str) -> Outcome:
    """Returns a result that became known at a time, or a refusal if that is before the day of play.

    For a result with a time of day, a day counts until it has ended in every time zone, half a day after UTC.
    """
    day = getattr(event, "played", at)
    latest = (at // DAY + 1) * DAY + (_WESTMOST if day % DAY else 0)
    if day >= latest:
        return Refused(
            line, Filled("known on {known}, before it was played on {day}", known=iso(at), day=iso(day)), text
        )
    return Made(line, event, int(at))  # a time without an offset is in UTC, like all recorded times


TYPED = frozenset({"a", "b", "score", "played", "order", "uid", "pool"})
"""Fields that are attributes of a game rather than part of its `data`."""

Facts = dict[str, Fact]
Decided = tuple[float, Facts] | str
"""The score and the facts it was derived from, or the reason why there is no score."""


def free_facts(bound: Binding, scored_by_points: bool) -> Group[Facts]:
    """Returns the parser of a row's `data`, without the points if the score is derived from them."""
    found = bound.free(DATA_FIELDS, (*POINTS, "points") if scored_by_points else ())
    known = "home" in found or "home" in bound.mapped
    ground: Parser[Fact | None] | None = (
        None if known else bound.optional("neutral", home_unless_neutral, *bound.kept & {"neutral"})
    )
    if ground is not None:
        found["home"] = ground

    def combine(values: list[Fact | None]) -> Facts:
        facts = {name: value for name, value in zip(found, values, strict=True) if value is not None}
        if -1 in map(facts.get, POINTS):
            raise Absent("points", -1, "mean that a side did not play", FORFEIT)
        return facts

    return Group(list(found.values()), combine)
