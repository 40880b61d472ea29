"""Reads the score of games from a column of scores, or from the points of both sides."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.events.bounds import POINTS
from ratingcore.importer.tables.both_sides import points_behind
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import Number, Thousands, points_parser
from ratingcore.importer.tables.headings import WON, meanings
from ratingcore.importer.tables.outcomes import Decided, Facts
from ratingcore.importer.tables.parsers import Group, name_in
from ratingcore.importer.tables.score_columns import Scored, points_in
from ratingcore.importer.tables.score_words import FORFEIT, NO_RESULT, plain_score, score_of_points, unplayed
from ratingcore.importer.tables.word_meanings import Learner, Row
from ratingcore.safe_text import Filled


def score_from_column(bound: Binding, field: str) -> Group[Decided]:
    """Returns the parser of the score from one column, which holds points of both sides if `field` is `points`."""

    def combine(scores: list[Scored]) -> Decided:
        (one,) = scores
        if isinstance(one, tuple):
            return score_of_points(*one), dict(zip(POINTS, one, strict=True))
        return one if isinstance(one, str) else (one, {})

    return Group([bound.scores(field)], combine)


def score_behind_sides(bound: Binding) -> Group[Decided]:
    """Returns the parser of the score from the points behind the names of both sides, as in `Ann - Bo 2:1`."""

    def combine(points: list[Any]) -> Decided:
        (one,) = points
        return one if isinstance(one, str) else (score_of_points(*one), dict(zip(POINTS, one, strict=True)))

    return Group([bound.required("points", points_behind)], combine)


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
        if -1 in points and not below:
            return FORFEIT
        if a < b and of_winners:
            raise BadValue(bound.column("points_a"), f"{a:g}", Filled(_FEWER, points=f"{b:g}", column=winner))
        given: Facts = {"points_a": a, "points_b": b}
        return score_of_points(a, b), given

    def remark() -> str:
        """Returns how ambiguous texts were read: decimals that may be thousands, and 0-0 where a game has one point."""
        if thousands.first and bound.decimal == "." and not bound.decimal_given:
            first = thousands.first
            form = "numbers with a decimal point: {first} is {number}, not {bare}"
            return Filled(form, first=first, number=f"{float(first):g}", bare=first.replace(".", ""))
        facts = [one[1] for one in found.values() if isinstance(one, tuple)]
        pairs: set[tuple[Any, Any]] = {(one["points_a"], one["points_b"]) for one in facts}
        if pairs >= {(0, 0), (0.5, 0.5)} and all(a + b in (0, 1) for a, b in pairs):
            return "points of both sides, 0-0 as a draw: give a game that nobody played another score, such as -"
        return ""

    winner = bound.column("a")
    of_winners = "winner" in meanings(winner, WON)
    thousands, below, forfeited = Thousands(bound.decimal), False, False

    def meet(rows: Iterable[Row]) -> None:
        nonlocal below
        some = [row[1] for row in rows if type(row) is tuple]
        for reader in readers:
            for text in {cells[reader.index] for cells in some}:
                thousands.meet(text)
                below = below or (text[:1] == "-" and _BELOW.fullmatch(text) is not None)

    def learn() -> str:
        nonlocal forfeited
        bound.check_thousands(thousands)
        changed = below and forfeited
        forfeited = not below and FORFEIT in found.values()
        found.clear()
        return "-1" if changed else ""

    bound.learning.add(Learner(frozenset(reader.index for reader in readers), meet, learn, str))
    bound.remarks.append(remark)
    found = Group(readers, combine)
    return found


def score_from_sets(bound: Binding, columns: Sequence[str]) -> Group[Decided]:
    """Returns the parser of the score from columns with the points of each set; the sets won are the points."""
    readers = [bound.required("score", name_in)]
    readers += [bound.required(column, name_in, column) for column in columns[1:]]

    def combine(texts: list[str]) -> Decided:
        won = [0, 0]
        for column, text in zip(columns, texts, strict=True):
            if why := unplayed(text):
                return why
            points = points_in(plain_score(text)) if text else (0, 0)
            if points is None:
                raise BadValue(column, text, "is not the points of a set such as 11-7")
            won[0] += points[0] > points[1]
            won[1] += points[0] < points[1]
        if won[0] == won[1]:
            if not any(texts):
                return NO_RESULT
            raise BadValue("score", " ".join(texts), "has equally many sets for both sides, so nobody won")
        return score_of_points(*won), dict(zip(POINTS, won, strict=True))

    bound.remarks.append(lambda: Filled("sets that both sides won, from {columns}", columns=", ".join(columns)))
    return Group(readers, combine)


_FEWER = "is less than {points}, but {column} names the winner: map the score to that column if the points are right"
_BELOW = re.compile("-(?:[2-9]|[1-9][0-9]+)")
"""Points below -1, beside which -1 is no sign of a forfeit."""


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
