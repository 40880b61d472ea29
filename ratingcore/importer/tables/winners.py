"""The score of games from a column that says who won: the winner's name, or the heading of their column."""

from ratingcore.errors import BadValue
from ratingcore.events.values import name as normal
from ratingcore.importer.tables.cells import NO_RESULT, RETIRED, score
from ratingcore.importer.tables.headings import WON, meanings, plain
from ratingcore.importer.tables.rows import Binding, Decided, Group


def names_winner(a: str, score: str) -> bool:
    """Whether a column for the score says who won: by its heading, or since it is that of the players who did."""
    return score == a != "" or meanings(score, WON) == {"winner"}


def score_from_winner(bound: Binding) -> Group[Decided]:
    """Parser of the score from a column that names the winner, or the heading of its column; else a score word.

    A column `score` beside it, such as 6-4 6-3 or 3-1, is read for draws and for games that were not played.
    """
    heads = [{*plain(bound.column(side)).split()} for side in ("a", "b")]
    beside = ("score",) * bound.owns("score")
    readers = [bound.required(field, normal) for field in ("score", "a", "b")]
    readers += [bound.required("sets", normal, *beside)] if beside else []

    def combine(texts: list[str]) -> Decided:
        winner, *sides = texts[:3]
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
        for text in texts[3:]:
            other = _word_of(text)
            if other == RETIRED and bound.retired_counts:
                continue
            if isinstance(other, str) or other == 0.5:
                return other if isinstance(other, str) else (other, {})
            if other is not None and other != said:
                raise BadValue("score", text, f"is no win of {winner}")
        return said if isinstance(said, str) else (said, {})

    return Group(readers, combine)


def _no_number(text: str) -> None:
    """A number says nothing of who won: 1 may be the first of two, or 1 of 0 and 1."""


def _word_of(text: str) -> float | str | None:
    """What a word for a score says; None of other texts, and of none."""
    try:
        return score(text, _no_number) if text else None
    except BadValue:
        return None
