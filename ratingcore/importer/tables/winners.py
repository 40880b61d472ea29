"""The score of games from a column that names the winner, or the heading of the winner's column."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from ratingcore.errors import BadValue, ScoresInDoubt
from ratingcore.events.values import name as normal
from ratingcore.importer.tables.cells import FORFEIT, NO_RESULT, RETIRED, plain_score, score, score_of_points
from ratingcore.importer.tables.headings import WON, meanings, plain
from ratingcore.importer.tables.rows import POINTS, Binding, Decided, Group, score_from_column
from ratingcore.importer.tables.score_columns import points_in
from ratingcore.importer.tables.word_meanings import Learner, Row
from ratingcore.readers import Refused


def names_winner(a: str, score: str) -> bool:
    """True if a column for the score names the winner: by its heading, or as the column of winning players."""
    return score == a != "" or meanings(score, WON) == {"winner"}


def score_from_winner(bound: Binding) -> Group[Decided]:
    """Parser of the score from a column that names the winner, or the heading of its column; else a score word.

    A column `score` beside it, such as 6-4 6-3 or 3-1, is read for draws and for games that were not played. If
    `points` are mapped beside it, 3-1 gives points too: those of `a` first or, if this fits more rows, the winner's.
    """
    heads = [{*plain(bound.column(side)).split()} for side in ("a", "b")]
    by_points = "points" in bound.mapped
    beside = ("points",) if by_points else ("score",) * bound.owns("score")
    readers = [bound.required(field, normal) for field in ("score", "a", "b")]
    readers += [bound.required("points" if by_points else "sets", normal, *beside)] if beside else []

    first = before = ""
    """Side whose points are written first: `a` or `winner`; empty if the scores are not points."""
    most, against_a, against_winner = 0.0, 0, 0
    one_of_points = ""

    def meet(rows: Iterable[Row]) -> None:
        nonlocal most, against_a, against_winner, one_of_points
        for row in rows:
            if isinstance(row, Refused):
                continue
            texts = [reader[row[1][reader.index]] for reader in readers]
            points = points_in(plain_score(texts[3]))
            if points is None:
                continue
            most, one_of_points = max(most, *points), one_of_points or texts[3]
            with suppress(BadValue):
                said = won(*texts[:3])
                if points[0] != points[1] and said in (0.0, 1.0):
                    against_a += said != score_of_points(*points)
                    against_winner += points[0] < points[1]

    def learn() -> str:
        nonlocal first, before
        if most > 1:
            first = "winner" if against_a > against_winner else "a"
        changed = one_of_points if before not in ("", first or "none") else ""
        before = first or ("none" if one_of_points else "")
        found.clear()
        return changed

    def remark() -> str:
        return f"points of both sides{', the winner first' if first == 'winner' else ''}" if first else ""

    if by_points:
        bound.learning.add(Learner(frozenset(reader.index for reader in readers), meet, learn, remark))

    def won(winner: str, *sides: str) -> float | str:
        words = {*plain(winner).split()}
        named = [winner == side for side in sides]
        if winner not in sides and words:
            named = [words <= head for head in heads]
        said: float | str
        if named[0] != named[1]:
            said = float(named[0])
        elif words & {"tie", "tied"}:
            said = 0.5
        elif (word := _word_of(winner)) is not None or not winner:
            said = NO_RESULT if word is None else word
        else:
            raise BadValue("score", winner, "names neither side, and is no score word")
        return said

    def combine(texts: list[str]) -> Decided:
        winner, said = texts[0], won(*texts[:3])
        points = points_in(plain_score(texts[3])) if first else None
        if points is not None:
            if -1 in points:
                return FORFEIT
            if not winner and (first == "a" or points[0] == points[1]):
                said = score_of_points(*points)
            of_sides = points[::-1] if first == "winner" and said == 0.0 else points
            return said if isinstance(said, str) else (said, dict(zip(POINTS, of_sides, strict=True)))
        for text in texts[3:]:
            other = _word_of(text)
            if other == RETIRED and bound.retired_counts:
                continue
            if isinstance(other, str) or other == 0.5:
                return other if isinstance(other, str) else (other, {})
            if other is not None and other != said:
                raise BadValue("score", text, f"is no win of {winner}")
        return said if isinstance(said, str) else (said, {})

    found = Group(readers, combine)
    return found


def score_beside_winner(bound: Binding, path: str, winner: str) -> Group[Decided]:
    """Parser of the score from a column `score`, in a table whose column `winner` names the winner.

    A row in which they contradict each other is refused; if more than a few do, such as where the points are the
    winner's first, `learn` raises `ScoresInDoubt`.
    """
    scores = score_from_column(bound, "score")
    readers = [bound.required(name, normal, column) for name, column in (("winner", winner), ("a", "a"), ("b", "b"))]
    (of_scores,) = scores.readers
    met = Counter[tuple[str, bool]]()

    def meet(rows: Iterable[Row]) -> None:
        for row in rows:
            if not isinstance(row, Refused):
                who, a, b = (reader[row[1][reader.index]] for reader in readers)
                if who in (a, b):
                    met[row[1][of_scores.index], who == a] += 1

    def learn() -> str:
        against = Counter[str]()
        for (text, won), count in met.items():
            with suppress(BadValue):
                decided = scores.combine([of_scores[text]])
                if isinstance(decided, tuple) and decided[0] != won:
                    against[text] += count
        if against.total() > max(1, _FEW * met.total()):
            most = max(against, key=against.__getitem__)
            why = f"{against.total()} of its scores, such as {most!r}, are not those of the {winner}: none is taken"
            advice = "map the score to the column that counts"
            points = {} if points_in(plain_score(most)) is None else {"score": winner, "points": "score"}
            raise ScoresInDoubt(path, why, advice, points=points)
        return ""

    def combine(texts: list[Any]) -> Decided:
        given, who, a, b = texts
        decided = scores.combine([given])
        if isinstance(decided, tuple) and who in (a, b) and decided[0] != (who == a):
            raise BadValue("winner", who, f"is not who won by the score, which gives {a} {decided[0]:g}")
        return decided

    every = [of_scores, *readers]
    bound.learning.add(Learner(frozenset(reader.index for reader in every), meet, learn, str))
    return Group(every, combine)


_FEW = 0.05
"""Share of rows that may be slips."""


def _no_number(text: str) -> None:
    """A number does not name a winner: 1 may be the first of two, or 1 of 0 and 1."""


def _word_of(text: str) -> float | str | None:
    """The meaning of a score word; None for other texts, or without a text."""
    try:
        return score(text, _no_number) if text else None
    except BadValue:
        return None
