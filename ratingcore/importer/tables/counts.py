"""Refuses rows that stand for several games by a column such as `count`: a row is one result."""

from collections.abc import Sequence
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import number_parser
from ratingcore.importer.tables.headings import plain, word_list
from ratingcore.importer.tables.outcomes import Decided
from ratingcore.importer.tables.parsers import Group
from ratingcore.readers.sheets import Sheet
from ratingcore.spelling import Filled

_HEADINGS = word_list(
    "count, n, times, games, games played, game count, num games, n games, no of games, nr of games, nb games, "
    "number of games, number of times, frequency, freq, multiplicity, repeats, anzahl, anzahl spiele, anzahl partien, "
    "nombre de parties, nb parties, numero de partidas, numero di partite, aantal, aantal partijen, pocet, "
    "pocet partii, liczba partii, количество, антал, antal, antall"
)

_ONE_GAME = (
    "is not one game, and a row is one result: give each game a row of its own, or, if the column is about something "
    "else, map it to none ({column}=)"
)


def columns_of_counts(sheet: Sheet, bound: Binding) -> list[str]:
    """Returns the columns by which a row may stand for several games; a column `n` may number the rows instead."""
    found = bound.called(lambda heading: plain(heading) in _HEADINGS)
    return [one for one in found if one not in bound.kept and not (plain(one) == "n" and _numbers_rows(sheet, one))]


def _numbers_rows(sheet: Sheet, column: str) -> bool:
    """True if a column counts the rows up by one, or if the rows can be read only once."""
    if sheet.once:
        return True
    texts = [*sheet.cells(column)]
    first = int(texts[0]) if texts and texts[0].isdecimal() else 0
    return len(texts) > 1 and texts == [str(first + place) for place in range(len(texts))]


def score_of_one_game(bound: Binding, decided: Group[Decided], columns: Sequence[str]) -> Group[Decided]:
    """Returns a parser of the score that refuses rows of more than one game, or of none."""
    number = number_parser(bound.decimal)
    readers = [bound.required(column, number, column) for column in columns]

    def combine(values: list[Any]) -> Decided:
        result = decided.combine(values[: len(decided.readers)])
        for column, count in zip(columns, values[len(decided.readers) :], strict=True):
            if count not in (None, 1) and not isinstance(result, str):
                raise BadValue(column, count, Filled(_ONE_GAME, column=column))
        return result

    return Group([*decided.readers, *readers], combine)
