"""Notes on doubtful names of new players: nearly those of others, of pairs, or numbers that a spreadsheet rounded."""

import re
from collections.abc import Sequence

from attrs import frozen

from ratingcore.corrections.similar_names import near_others, newcomers
from ratingcore.importer.name_notes import NearNames
from ratingcore.importer.notes import NAMES
from ratingcore.log import Log
from ratingcore.readers import Note
from ratingcore.safe_text import counted

_PAIR = re.compile(r"\S (?:/|\+) \S")
_MAYBE_PAIR = re.compile(r"[^\W\d_]\.?(?:/| & )[^\W\d_]")
"""Signs that clubs, too, have in their names: `SG Alder/Birch`, `Hill & Dale`."""
_ROUNDED = re.compile(r"\A[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]{1,3}\Z")


@frozen
class PairsAsPlayers(Note):
    """Reports new names that are probably of two people, but count as one player: their number, and the first few."""

    count: int
    names: tuple[str, ...]

    def __str__(self) -> str:
        names = counted(
            self.count, "name is probably of two people, but counts", "names are probably of two people each, but count"
        )
        return f"{names} as one player: {_listed(self)}"


@frozen
class RoundedNumbers(Note):
    """Reports new players whose name is a number rounded by a spreadsheet, so that several people may have one name."""

    count: int
    names: tuple[str, ...]

    def __str__(self) -> str:
        names = counted(self.count, "name is a number", "names are numbers")
        return f"{names} that a spreadsheet has rounded, and may be of several people: {_listed(self)}"


def _listed(note: PairsAsPlayers | RoundedNumbers) -> str:
    return "; ".join([*note.names, *["..."] * (note.count > len(note.names))])


def doubtful_newcomers(log: Log, before: int) -> list[Note]:
    """Returns notes on the names of players who are new since a position.

    A slash without blanks, or an ampersand, is taken for a pair only if at least half of the new names have one.
    """
    new, others = newcomers(log, before)
    near = near_others(new, others, {})
    notes: list[Note] = [NearNames(tuple(near))] if near else []
    pairs = _with(_PAIR, "/+", new)
    maybe = _with(_MAYBE_PAIR, "/&", new)
    pairs += maybe if 2 * len(maybe) >= len(new) > 1 else []
    rounded = _with(_ROUNDED, "eE", new)
    notes += [PairsAsPlayers(len(pairs), tuple(sorted(pairs)[:NAMES]))] if pairs else []
    return notes + ([RoundedNumbers(len(rounded), tuple(sorted(rounded)[:NAMES]))] if rounded else [])


def _with(form: re.Pattern[str], signs: str, names: Sequence[str]) -> list[str]:
    """Returns the names that match a pattern with one of these signs; names without any sign are skipped quickly."""
    every = "\n".join(names)
    return [one for one in names if form.search(one)] if any(sign in every for sign in signs) else []
