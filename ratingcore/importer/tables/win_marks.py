"""Reads the score of games from columns that mark who won, drew and lost, such as `W`, `D` and `L`, or draws alone."""

from typing import Any

from ratingcore.errors import BadValue
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.headings import MARKS, plain, word_list
from ratingcore.importer.tables.outcomes import Decided
from ratingcore.importer.tables.parsers import Group, name_in
from ratingcore.importer.tables.result_letters import NO, NOTHING, YES
from ratingcore.importer.tables.score_words import NO_RESULT
from ratingcore.importer.tables.winners import word_of
from ratingcore.safe_text import Filled

_DRAWS = word_list(
    "draw, drawn, is draw, was drawn, was it a draw, tie, tied, is tie, was it a tie, "
    "remis, unentschieden, nul, nulle, match nul, partie nulle, "
    "empate, tablas, pareggio, patta, gelijk, gelijkspel, remiza, ничья, uafgjort, uavgjort, oavgjort, tasapeli, "
    "dontetlen, nerozhodne, 引き分け, 平局"
)


def is_of_draws(heading: str) -> bool:
    """True if a heading means that the column marks drawn games: `Draw`, `Remis`.

    Examples
    --------
    >>> is_of_draws("Drawn"), is_of_draws("Was it a tie?"), is_of_draws("Draw size")
    (True, True, False)
    """
    return plain(heading).rstrip("?") in _DRAWS


def score_of_marks(bound: Binding, decided: Group[Decided]) -> Group[Decided]:
    """Returns a parser of the score that heeds columns in which draws and losses are marked.

    A column of wins alone has a 0 for draws as well as for losses, and a place in the column of winners says nothing
    about draws. In all other tables a row in which a mark contradicts the score is refused.
    """
    score = plain(bound.column("score"))
    sets = [marks for marks in MARKS if marks[0] == score]
    drawn = bound.called(lambda one: any(plain(one) == draw for _, draw, _ in sets))
    lost = bound.called(lambda one: any(plain(one) == loss for _, _, loss in sets))
    of_wins = bool(drawn or lost)
    drawn = drawn if of_wins else bound.called(is_of_draws)
    if not drawn and not lost:
        return decided
    readers = [bound.required(column, name_in, column) for column in (*drawn, *lost)]
    of_winners, count = bound.column("a") == bound.column("score"), len(decided.readers)

    def combine(values: list[Any]) -> Decided:
        given = decided.combine(values[:count])
        if isinstance(given, str) and given != NO_RESULT:
            return given
        marks = {
            column: text
            for column, text in zip((*drawn, *lost), values[count:], strict=True)
            if _is_marked(column, text, of_wins)
        }
        draw = next((column for column in drawn if column in marks), "")
        won = not isinstance(given, str) and given[0] > 0
        if of_wins:
            columns = [bound.column("score"), *drawn, *lost]
            if won + (draw != "") + any(column in marks for column in lost) > 1:
                marked = [*(columns[:1] if won else ()), *marks]
                form = "must be marked in only one of {columns}"
                raise BadValue("score", ", ".join(marked), Filled(form, columns=", ".join(columns)))
            if marks:
                return 0.5 if draw else 0.0, {}
            if lost and not won and not isinstance(given, str):
                raise BadValue("score", "", Filled("must be marked in one of {columns}", columns=", ".join(columns)))
        elif draw and (isinstance(given, str) or (of_winners and not given[1])):
            return 0.5, {}
        elif draw and given[0] != 0.5:
            form = "is that of a draw: the other columns give {score}"
            raise BadValue(draw, marks[draw], Filled(form, score=f"{given[0]:g}"))
        return given

    return Group([*decided.readers, *readers], combine)


def _is_marked(column: str, text: str, of_wins: bool) -> bool:
    """True if a cell has a mark; beside marks of wins, other numbers are refused, since they count games."""
    word = text.casefold()
    if word in YES or word_of(text) == 0.5:
        return True
    if of_wins and word[:1].isdigit() and word not in NO | NOTHING:
        raise BadValue(column, text, "is not a mark, and a row is one result: give each game a row of its own")
    return False
