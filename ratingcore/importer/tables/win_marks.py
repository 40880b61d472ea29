"""Reads the score of games from columns that mark who won, drew and lost, such as `W`, `D` and `L`."""

from typing import Any

from ratingcore.errors import BadValue
from ratingcore.events.values import name as normal
from ratingcore.importer.tables.cells import NO_RESULT
from ratingcore.importer.tables.headings import plain
from ratingcore.importer.tables.rows import Binding, Decided, Group
from ratingcore.importer.tables.unplayed import YES

_SETS = (
    "w d l, w t l, s u n, s r n, v n d, v n p, g n p, v e d, g e p, w g v, z r p, v r p, в н п, v o f, "
    "win draw loss, wins draws losses, won drawn lost, win tie loss, wins ties losses, won tied lost, "
    "sieg unentschieden niederlage, siege unentschieden niederlagen, gewonnen unentschieden verloren, "
    "sieg remis niederlage, gewonnen remis verloren, victoire nul defaite, gagne nul perdu, "
    "victoria empate derrota, ganada empatada perdida, ganado empatado perdido, gano empato perdio, "
    "vittoria pareggio sconfitta, vinta patta persa, vitoria empate derrota, winst gelijk verlies, "
    "gewonnen gelijk verloren, vyhra remiza prohra, wygrana remis porazka, wygrana remis przegrana, "
    "победа ничья поражение, выигрыш ничья проигрыш"
)
_MARKS = [tuple(words.strip().split()) for words in _SETS.split(",")]
"""Headings of columns that mark games won, drawn and lost; a heading counts only beside another one of its set."""


def columns_of_marks(bound: Binding) -> tuple[list[str], list[str]]:
    """Returns the columns that mark draws and losses, if the column of the score marks the games that were won."""
    score = plain(bound.column("score"))
    sets = [marks for marks in _MARKS if marks[0] == score]
    drawn, lost = ({marks[place] for marks in sets} for place in (1, 2))
    return bound.called(lambda one: plain(one) in drawn), bound.called(lambda one: plain(one) in lost)


def score_of_marks(bound: Binding, decided: Group[Decided], drawn: list[str], lost: list[str]) -> Group[Decided]:
    """Returns a parser of the score from marks; a row with several marks is refused, and so is a 0 without a mark.

    A column of wins alone has a 0 for draws as well as for losses.
    """
    readers = [bound.required(column, normal, column) for column in (*drawn, *lost)]
    count = len(decided.readers)

    def combine(values: list[Any]) -> Decided:
        given = decided.combine(values[:count])
        if isinstance(given, str) and given != NO_RESULT:
            return given
        marks = [text.casefold() in YES for text in values[count:]]
        is_drawn, is_lost = any(marks[: len(drawn)]), any(marks[len(drawn) :])
        won = not isinstance(given, str) and given[0] > 0
        if won + is_drawn + is_lost > 1:
            columns = [bound.column("score"), *drawn, *lost]
            raise BadValue("score", "", f"is given twice: the row has marks in several of {', '.join(columns)}")
        if is_drawn or is_lost:
            return 0.5 if is_drawn else 0.0, {}
        if lost and not won and not isinstance(given, str):
            raise BadValue("score", "", f"is not marked: the row has no win, and no loss in {', '.join(lost)}")
        return given

    return Group([*decided.readers, *readers], combine)
