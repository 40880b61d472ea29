"""Refuses games of pairs in tables of games, by the columns that name partners."""

from collections.abc import Sequence
from typing import Any

from ratingcore.errors import BadValue
from ratingcore.events.values import name as normal
from ratingcore.importer.tables.bound_mapping import Binding
from ratingcore.importer.tables.headings import plain, word_list
from ratingcore.importer.tables.outcomes import Decided
from ratingcore.importer.tables.parsers import Group
from ratingcore.importer.tables.result_letters import NOTHING
from ratingcore.readers.spellings import nobody
from ratingcore.safe_text import Filled

_CALLED = word_list(
    "partner, partners, partnerin, mitspieler, mitspielerin, partenaire, coequipier, coequipiere, pareja, companero, "
    "companera, compagno, compagna, parceiro, parceira, maat, spoluhrac, partnera, партнер, партнёр, makker, "
    "medspiller, medspelare, teammate, mate"
)
_SECOND = frozenset({"b", "2", "ii"})
_SINGLE = frozenset({"x", "single", "singles", "einzel", "no", "0"})

_PARTNER = (
    "is a second player of one side: give games of pairs as sessions, or map {column} to none ({column}=) to take the "
    "first players alone"
)


def is_of_partners(heading: str, sides: Sequence[str]) -> bool:
    """True if a heading means the second player of a side: `Partner`, or `Winner 2` beside `Winner`.

    Parameters
    ----------
    sides : sequence of str
        Columns of both sides.

    Examples
    --------
    >>> sides = ("Player 1", "Player 2")
    >>> [is_of_partners(one, sides) for one in ("Opp. partner", "Player 1b", "Player 2 club")]
    [True, True, False]
    """
    bare = plain(heading)
    words = bare.replace(".", " ").split()
    seconds = (bare.removeprefix(plain(side)).strip(" -.") for side in sides if side and bare.startswith(plain(side)))
    return not _CALLED.isdisjoint(words) or not _SECOND.isdisjoint(seconds)


def score_of_singles(bound: Binding, decided: Group[Decided], columns: Sequence[str]) -> Group[Decided]:
    """Returns a parser of the score that refuses rows with a partner in one of these columns."""
    readers = [bound.required(column, normal, column) for column in columns]

    def combine(values: list[Any]) -> Decided:
        for column, text in zip(columns, values[len(decided.readers) :], strict=True):
            if text.casefold() not in _SINGLE | NOTHING and not nobody(text):
                raise BadValue(column, text, Filled(_PARTNER, column=column))
        return decided.combine(values[: len(decided.readers)])

    return Group([*decided.readers, *readers], combine)
