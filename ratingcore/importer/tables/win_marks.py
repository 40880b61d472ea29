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
"""Headings of columns that mark games won, drawn and lost. A heading counts only if another one of its set is there."""


def columns_of_marks(bound: Binding) -> tuple[list[str], list[str]]:
    """Returns the columns that mark draws and those that mark losses, if the column of the score marks wins."""
    score = plain(bound.column("score"))
    sets = [marks for marks in _MARKS if marks[0] == score]
    drawn, lost = ({marks[place] for marks in sets} for place in (1, 2))
    return bound.called(lambda one: plain(one) in drawn), bound.called(lambda one: plain(one) in lost)


def score_of_marks(bound: Binding, decided: Group[Decided], drawn: list[str], lost: list[str]) -> Group[Decided]:
    """Returns a parser of the score from marks.

    It refuses a row with several marks. It also refuses a row with a 0 for the win and no other mark: the game may have
    been drawn or lost.
    """
    columns = [bound.column("score"), *drawn, *lost]
    readers = [bound.required(column, normal, column) for column in columns[1:]]
    count = len(decided.readers)

    def combine(values: list[Any]) -> Decided:
        given = decided.combine(values[:count])
        if isinstance(given, str) and given != NO_RESULT:
            return given
        marks = [text.casefold() in YES for text in values[count:]]
        is_drawn, is_lost = any(marks[: len(drawn)]), any(marks[len(drawn) :])
        won = not isinstance(given, str) and given[0] > 0
        if won + is_drawn + is_lost > 1:
            marked = [column for column, mark in zip(columns, [won, *marks], strict=True) if mark]
            raise BadValue("score", ", ".join(marked), f"must be marked in only one of {', '.join(columns)}")
        if is_drawn or is_lost:
            return 0.5 if is_drawn else 0.0, {}
        if lost and not won and not isinstance(given, str):
            raise BadValue("score", "", f"must be marked in one of {', '.join(columns)}")
        return given

    return Group([*decided.readers, *readers], combine)
