"""Reads the score of games from a column of scores, or from the points of both sides."""

from collections.abc import Callable, Iterable
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.importer.tables.cells import (
    FORFEIT,
    NO_RESULT,
    POINTS,
    Number,
    Thousands,
    points_parser,
    score_of_points,
    unplayed,
)
from ratingcore.importer.tables.rows import Binding, Decided, Facts, Group
from ratingcore.importer.tables.score_columns import Scored
from ratingcore.importer.tables.word_meanings import Learner, Row


def score_from_column(bound: Binding, field: str) -> Group[Decided]:
    """Returns the parser of the score from one column, which holds points of both sides if `field` is `points`."""

    def combine(scores: list[Scored]) -> Decided:
        (one,) = scores
        if isinstance(one, tuple):
            return score_of_points(*one), dict(zip(POINTS, one, strict=True))
        return one if isinstance(one, str) else (one, {})

    return Group([bound.scores(field)], combine)


def score_from_points(bound: Binding) -> Group[Decided]:
    """Returns the parser of the score from two columns, the points of each side."""
    readers = [bound.required(name, _points_or_why(points_parser(name, bound.decimal))) for name in POINTS]

    def combine(points: list[int | float | str | None]) -> Decided:
        a, b = points
        why = [one for one in points if isinstance(one, str)]
        if why:
            return next((one for one in why if one != NO_RESULT), NO_RESULT)
        if a is None or b is None or isinstance(a, str) or isinstance(b, str):
            return NO_RESULT
        if -1 in points:
            return FORFEIT
        given: Facts = {"points_a": a, "points_b": b}
        return score_of_points(a, b), given

    def remark() -> str:
        """Returns how ambiguous texts were read: decimals that may be thousands, and 0-0 where a game has one point."""
        if thousands.first and bound.decimal == "." and not bound.decimal_given:
            first = thousands.first
            return f"numbers with a decimal point: {first} is {float(first):g}, not {first.replace('.', '')}"
        facts = [one[1] for one in found.values() if isinstance(one, tuple)]
        pairs: set[tuple[Any, Any]] = {(one["points_a"], one["points_b"]) for one in facts}
        if pairs >= {(0, 0), (0.5, 0.5)} and all(a + b in (0, 1) for a, b in pairs):
            return "points of both sides, 0-0 as a draw: give a game that nobody played another score, such as -"
        return ""

    thousands = Thousands(bound.decimal)

    def meet(rows: Iterable[Row]) -> None:
        some = [row[1] for row in rows if type(row) is tuple]
        for reader in readers:
            for text in {cells[reader.index] for cells in some}:
                thousands.meet(text)

    def learn() -> str:
        bound.check_thousands(thousands)
        return ""

    bound.learning.add(Learner(frozenset(reader.index for reader in readers), meet, learn, str))
    bound.remarks.append(remark)
    found = Group(readers, combine)
    return found


def _points_or_why(read: Number) -> Callable[[str], int | float | str | None]:
    """Returns a parser of a side's points that also accepts a word such as `w/o` for a game that was not played."""

    def points(text: str) -> int | float | str | None:
        try:
            return read(text)
        except BadValue:
            if why := unplayed(text):
                return why
            raise

    return points
