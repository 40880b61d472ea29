"""Parses the score and the free facts of a row."""

from collections.abc import Callable

from ratingcore.events import Fact
from ratingcore.importer.tables.binding import Binding, Group, Reader
from ratingcore.importer.tables.lines import Unrated
from ratingcore.importer.tables.numbers import fact, number, required
from ratingcore.importer.tables.scores import NO_RESULT, home, score, score_of_points

POINTS = ("points_a", "points_b")
DATA_FIELDS = ("boards", "event", "handicap", "home", "importance", *POINTS, "round", "season", "unit")
"""Fields of a result's `data` that are read from columns of these names even without a mapping."""

TYPED = frozenset({"a", "b", "score", "played", "order", "uid", "pool"})
"""Fields that an event has attributes for; every other one goes into `data`."""

Facts = dict[str, Fact]
Decided = tuple[float, Facts] | Unrated
"""The score and the facts it was derived from; or why there is no score."""


def score_from_words(bound: Binding) -> Group[Decided]:
    """Reader of the score from the score column."""
    read = number(bound.decimal)
    reader = bound.required("score", lambda text: score(text, read))

    def combine(scores: list[float | Unrated]) -> Decided:
        (point,) = scores
        return point if isinstance(point, Unrated) else (point, {})

    return Group([reader], combine)


def score_from_points(bound: Binding) -> Group[Decided]:
    """Reader of the score from the points of both sides."""
    readers = [bound.required(name, required(name, bound.decimal)) for name in POINTS]

    def combine(points: list[int | float | None]) -> Decided:
        a, b = points
        if a is None or b is None:
            return NO_RESULT
        given: Facts = {"points_a": a, "points_b": b}
        return score_of_points(a, b), given

    return Group(readers, combine)


def free_facts(bound: Binding, scored_by_points: bool) -> Group[Facts]:
    """Reader of the `data` of a row, without the points where the score is derived from them."""
    taken = TYPED.union(POINTS) if scored_by_points else TYPED
    names, readers = [], []
    for name in sorted({*DATA_FIELDS, *bound.mapped} - taken):
        reader = _reader(bound, name)
        if reader is not None:
            names.append(name)
            readers.append(reader)

    def combine(values: list[Fact | None]) -> Facts:
        return {name: value for name, value in zip(names, values, strict=True) if value is not None}

    return Group(readers, combine)


def _reader(bound: Binding, name: str) -> Reader[Fact | None] | None:
    own = (name,) if name in DATA_FIELDS else ()
    return bound.optional(name, _fact_of(name, bound.decimal), *own)


def _fact_of(name: str, decimal: str) -> Callable[[str], Fact | None]:
    if name in POINTS:
        return required(name, decimal)
    if name == "home":
        return home
    return fact(name, decimal)
