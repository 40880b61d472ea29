"""Refuses rows that are not one more game, by a column such as `count`, `Replaces` or `Action`."""

from collections.abc import Callable, Sequence
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.cells import number_parser
from ratingcore.importer.tables.headings import plain, word_list
from ratingcore.importer.tables.outcomes import Decided
from ratingcore.importer.tables.parsers import Group
from ratingcore.importer.tables.result_letters import NO, NOTHING
from ratingcore.readers.sheets import Sheet
from ratingcore.safe_text import Filled

_HEADINGS = word_list(
    "count, n, times, games, games played, game count, num games, n games, no of games, nr of games, nb games, "
    "number of games, number of times, quantity, qty, frequency, freq, multiplicity, repeats, anzahl, anzahl spiele, "
    "anzahl partien, "
    "nombre de parties, nb parties, numero de partidas, numero di partite, aantal, aantal partijen, pocet, "
    "pocet partii, liczba partii, количество, антал, antal, antall"
)

_OF_OTHER_ROWS = word_list(
    "replaces, replaced by, corrects, corrected by, correction of, correction to, supersedes, superseded by, reverses, "
    "reversal of, cancels, ersetzt, ersetzt durch, korrigiert, korrektur von, korrektur zu, storniert, storno von, "
    "remplace, corrige, correction de, reemplaza, sustituye, corrige a, sostituisce, vervangt, nahrazuje, opravuje, "
    "zastępuje, заменяет"
)
"""Headings of columns in which a row names another one that it corrects."""
_OF_ACTIONS = word_list("action, operation, op, change, change type, aktion, vorgang, akce, operacja, действие")
_CORRECTING = word_list(
    "delete, deleted, del, remove, removed, update, updated, upd, edit, edited, change, changed, correct, corrected, "
    "correction, cancel, reverse, reversal, undo, storno, geloscht, loschen, geandert, andern, korrektur, supprimer, "
    "supprime, modifier, modifie, borrar, eliminar, smazat, usunieto, удалить, удалено"
)

_NO_GAME = (
    "makes the row a correction of another one: leave both out and give the right result, or, if the column is about "
    "something else, map it to none ({column}=)"
)
_ONE_GAME = (
    "is not one game, and a row is one result: give each game a row of its own, or, if the column is about something "
    "else, map it to none ({column}=)"
)


def columns_of_counts(sheet: Sheet, bound: Binding) -> list[str]:
    """Returns the columns by which a row may not be one game; a column `n` may number the rows instead."""
    found = bound.called(lambda heading: plain(heading) in _HEADINGS | _OF_OTHER_ROWS | _OF_ACTIONS)
    return [one for one in found if one not in bound.kept and not (plain(one) == "n" and _numbers_rows(sheet, one))]


def _numbers_rows(sheet: Sheet, column: str) -> bool:
    """True if a column counts the rows up by one, or if the rows can be read only once."""
    if sheet.once:
        return True
    texts = [*sheet.cells(column)]
    first = int(texts[0]) if texts and texts[0].isdecimal() else 0
    return len(texts) > 1 and texts == [str(first + place) for place in range(len(texts))]


def score_of_one_game(bound: Binding, decided: Group[Decided], columns: Sequence[str]) -> Group[Decided]:
    """Returns a parser of the score that refuses rows of more than one game, of none, and corrections of other rows."""
    number = number_parser(bound.decimal)
    read = {column: number if plain(column) in _HEADINGS else _correction(column) for column in columns}
    readers = [bound.required(column, read[column], column) for column in columns]

    def combine(values: list[Any]) -> Decided:
        result = decided.combine(values[: len(decided.readers)])
        for column, count in zip(columns, values[len(decided.readers) :], strict=True):
            if count not in (None, "", 1) and not isinstance(result, str):
                why = _NO_GAME if isinstance(count, str) else _ONE_GAME
                raise BadValue(column, count, Filled(why, column=column))
        return result

    return Group([*decided.readers, *readers], combine)


def _correction(column: str) -> Callable[[str], str]:
    """Returns a parser of texts that make a row a correction of another row; all others are empty."""
    of_actions = plain(column) in _OF_ACTIONS
    return lambda text: text if plain(text) in _CORRECTING or not (of_actions or text.casefold() in _NONE) else ""


_NONE = NOTHING | NO
