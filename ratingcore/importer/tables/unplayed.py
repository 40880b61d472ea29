"""Detects unplayed games by words in columns other than the score: a status, a remark, or any other column."""

import re
from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.events.values import name as normal
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.forfeit_remarks import first_clause, may_say_forfeit, says_forfeit
from ratingcore.importer.tables.headings import plain, word_list
from ratingcore.importer.tables.outcomes import Decided
from ratingcore.importer.tables.parsers import Group
from ratingcore.importer.tables.result_letters import NO, NOTHING, YES
from ratingcore.importer.tables.score_words import FORFEIT, NO_RESULT, RETIRED, unplayed
from ratingcore.importer.tables.word_meanings import Learner, Row
from ratingcore.readers.sheets import Sheet
from ratingcore.readers.spellings import bare_words
from ratingcore.safe_text import Filled


def is_of_unplayed(heading: str) -> bool:
    """True if a heading is of a column with words for games that were not played: `Status`, `Forfeit`.

    Examples
    --------
    >>> is_of_unplayed("Kampflos"), is_of_unplayed("Nr"), is_of_unplayed("Status")
    (True, False, True)
    """
    bare = _bare(heading)
    if (
        bare in _OF_STATUS
        or re.sub("[/.]", "", bare) in _ABBREVIATED
        or bare.endswith("status")
        or is_of_remarks(heading)
    ):
        return True
    return _flag(bare) is not None or _by_somebody(bare) != "" or (len(bare) > _SHORT and unplayed(bare) != "")


def _bare(heading: str) -> str:
    """Returns a heading as `plain` does, without the verb of a question: `is_forfeit`, `matchIsFinished`."""
    return _ASKS.sub("", plain(heading))


_ASKS = re.compile(r"(?:.* )?is (?=[a-z]+$)")


def is_of_remarks(heading: str) -> bool:
    """True if a heading means remarks on a game: `Comment`, `Bemerkung`."""
    return plain(heading) in _REMARKS


_HEADINGS_OF_REMARKS = (
    "note, notes, comment, comments, remark, remarks, bemerkung, bemerkungen, anmerkung, anmerkungen, kommentar, "
    "hinweis, remarque, remarques, commentaire, commentaires, comentario, comentarios, observacion, observaciones, "
    "commento, opmerking, opmerkingen, poznamka, poznamky, uwagi, uwaga, примечание, комментарий, megjegyzes"
)
_REMARKS = word_list(_HEADINGS_OF_REMARKS)
_OF_STATUS = word_list("state, game state, match state, zustand, etat, estado, stato, stav, stan, statut")
_FLAGS = {
    "casual": (
        word_list("unrated, casual, ungewertet, not rated, nicht gewertet"),
        word_list("rated, counts, gewertet, zahlt, comptabilise, valida, geteld"),
    ),
    "annulled": (
        word_list("deleted, removed, invalid, geloscht, ungultig, supprime, eliminado, borrado, smazano"),
        word_list("valid, gultig, valide, valido, approved, accepted, genehmigt, platny"),
    ),
    NO_RESULT: (
        word_list("unfinished, incomplete, unconfirmed, offen"),
        word_list(
            "completed, complete, finished, confirmed, verified, played, played?, game played, match played, "
            "was played, gespielt, beendet, bestatigt, joue, jugado, giocata, gespeeld, odehrano, rozegrano, spilt, "
            "spelad"
        ),
    ),
}
"""For each reason, the headings under which yes means that a game does not count, and those under which no does."""
_OF_SOMEBODY = re.compile(r"(.+) (?:by|side|team|player|von|durch|par|por|da|door)")
"""Headings of columns that name the side that did not play: `Forfeit by`."""
_MOVED = {
    *bare_words(
        "postponed rescheduled adjourned verlegt verschoben vertagt Hängepartie reporté reportée ajourné ajournée "
        "aplazado aplazada pospuesto pospuesta rinviato rinviata adiado adiada przełożony przełożona przełożone "
        "odłożony odłożona odložen odložena odloženo přeložen přeložena přeloženo отложен отложена отложено перенесён "
        "перенесена перенесено uitgesteld"
    ).split()
}
"""Words of remarks on a game that was not played on its day."""
_PLAYED = {*bare_words("nachgeholt nachgespielt played gespielt joué jouée jugada giocata jogada").split()}
"""Words beside them after which it was played in the end."""
_RUNNING = frozenset({"1h", "2h", "int", "bt"})
"""Codes of a status for a game that goes on: a half, an interruption, the break before extra time."""
_ABBREVIATED = frozenset({"wo", "ret", "rtd", "ff", "dq", "dsq", "kl"})
"""Short words with the same meaning in a remark as in a score; others, such as NA, may mean anything there."""


def _unplayed_by(column: str, text: str) -> str:
    """Returns why a game was not played, from the text of a column that may say so; empty if it was played."""
    bare, word = _bare(column), text.casefold()
    if flag := _flag(bare):
        return flag[0] if word in flag[1] else unplayed(text)
    if (why := _by_somebody(bare)) and word not in NO and word not in NOTHING:
        return why
    if word in _RUNNING and (bare in _OF_STATUS or bare.endswith("status")):
        return NO_RESULT
    if (is_of_remarks(column) or bare in _OF_STATUS) and not _is_word(text):
        return ""
    free = is_of_remarks(column) or unplayed(bare) == FORFEIT
    if free and may_say_forfeit(text):
        raise BadValue(column, text, "may mean a forfeit, or that there was none: leave out the row, or its remark")
    why = unplayed(bare) if word in YES else _first_reason(text)
    return why or (FORFEIT if free and says_forfeit(text) else "")


def _first_reason(text: str) -> str:
    """Returns why a game was not played, from a text or its first clause: `walkover (injury)`."""
    first = first_clause(text)
    return unplayed(text) or (unplayed(first) if _is_word(first) else "")


def _flag(bare: str) -> tuple[str, frozenset[str]] | None:
    """Returns the reason of a heading in `_FLAGS`, and the words by which a game does not count; None for others."""
    found = ((why, YES if bare in yes else NO) for why, (yes, no) in _FLAGS.items() if bare in yes or bare in no)
    return next(found, None)


def _by_somebody(bare: str) -> str:
    """Returns the reason in a heading of `_OF_SOMEBODY`, such as a forfeit in `forfeit by`; empty for others."""
    found = _OF_SOMEBODY.fullmatch(bare)
    return unplayed(found[1]) if found else ""


def _is_word(text: str) -> bool:
    """False for a short text, which may mean anything outside a column of scores."""
    letters = "".join(filter(str.isalpha, text.casefold()))
    return len(letters) >= _SHORT or letters in _ABBREVIATED


def _may_say_moved(remark: str) -> bool:
    """True if a remark on a game with a score says that it was postponed, and not that it was played then."""
    words = {*bare_words(remark).split()}
    return not words.isdisjoint(_MOVED) and words.isdisjoint(_PLAYED)


def score_if_played(bound: Binding, decided: Group[Decided], columns: Sequence[str]) -> Group[Decided]:
    """Returns a parser of the score that heeds columns such as `Forfeit` or `Status`, which mark unplayed games."""
    readers = [bound.required(column, normal, column) for column in columns]

    def combine(values: list[Any]) -> Decided:
        for column, text in zip(columns, values[len(decided.readers) :], strict=True):
            why = _unplayed_by(column, text)
            if why and not (why == RETIRED and bound.retired_counts):
                return why
        score = decided.combine(values[: len(decided.readers)])
        for column, text in zip(columns, values[len(decided.readers) :], strict=True):
            if is_of_remarks(column) and not isinstance(score, str) and _may_say_moved(text):
                why = "may mean that it is still to be played, or was on another day: leave out the row, or its remark"
                raise BadValue(column, text, why)
        return score

    return Group([*decided.readers, *readers], combine)


class UnplayedWords:
    """Detects unplayed games by words such as `walkover` in columns that are read for nothing else.

    Attributes
    ----------
    words_by_column : list of (int, dict of str to str)
        The places of columns with such words, and for each word the reason that it gives.
    """

    def __init__(self, sheet: Sheet, bound: Binding, columns: Collection[int]) -> None:
        self.words_by_column: list[tuple[int, dict[str, str]]] = []
        self._bound = bound
        self._apart: Collection[int] = ()
        self._met: dict[int, set[str]] = {index: set() for index in sorted(columns)}
        bound.remarks.append(self._remark)
        self._texts, bound.words = sheet.texts, self._columns
        bound.learning.add_unread(Learner(frozenset(columns), self._meet, str, str))

    def _columns(self) -> Collection[int]:
        """Returns the columns with such words, if the rows of the table do not have the texts of unused columns."""
        texts, self._texts = self._texts, None
        if texts is not None:
            for index in [*self._met]:
                all(self._take(index, some) for some in texts(index))
            self._apart = [index for index, _ in self.words_by_column]
        return self._apart

    def why(self, cells: Sequence[str]) -> str:
        """Returns why the game of a row was not played; empty if no such word is in the row."""
        return next((words[text] for index, words in self.words_by_column if (text := cells[index]) in words), "")

    def _meet(self, rows: Iterable[Row]) -> None:
        cells = [row[1] for row in rows if type(row) is tuple]
        for index in [*self._met]:
            self._take(index, {*map(itemgetter(index), cells)})

    def _take(self, index: int, texts: set[str]) -> bool:
        """Adds texts of a column; returns whether it is examined further."""
        met = self._met[index]
        fresh = texts - met
        met |= fresh
        words = {text: why for text in fresh if (why := self._reason(text))}
        before = dict(self.words_by_column).get(index)
        if before is not None:
            before |= words
        elif words:
            self.words_by_column.append((index, words))
        elif len(met) > _MOST:
            del self._met[index]
        return index in self._met

    def _reason(self, text: str) -> str:
        if not text or len(text) > _LONGEST or not _is_word(text):
            return ""
        why = _first_reason(text)
        counts = (why == RETIRED and self._bound.retired_counts) or normal(first_clause(text)).casefold() in _OF_OTHERS
        return "" if counts else why

    def _remark(self) -> str:
        """Returns a note with the columns and the words by which games count as not played."""
        columns = [
            f"{self._bound.heading(index)} is {' or '.join(sorted({text.strip() for text in words}))}"
            for index, words in self.words_by_column
        ]
        none = ",".join(f"{self._bound.heading(index)}=" for index, _ in self.words_by_column)
        form = "not played where {columns}; to take them, map it to none ({none})"
        return Filled(form, columns=", or ".join(columns), none=none) if columns else ""


_SHORT = 4
"""Number of letters up to which a text may be an abbreviation: a score `NR` means no result, a heading a number."""

_OF_OTHERS = frozenset(
    ("pending", "scheduled", "timed", "default", "defaulted", "scratched", "suspended", "suspendido", "live", "paused")
)
"""Words that are about a game in a score or a status, but may be about a payment, a setting or a player elsewhere."""
_MOST = 500
"""Number of different texts without such a word after which a column is no longer examined."""
_LONGEST = 40
"""Largest length of a text that may be such a word."""
