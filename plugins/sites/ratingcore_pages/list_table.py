"""The table of a list: rows as texts with curves of the last year, the largest changes, and the choice of rows."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any
from unicodedata import normalize
from urllib.parse import urlencode

import numpy as np
from attrs import field, frozen

from ratingcore import Engine, RatingList
from ratingcore.plugin.analysis import described_lines
from ratingcore_pages.answers import YEAR, PoolAnswers, places_of, scored
from ratingcore_pages.curves import spark
from ratingcore_pages.words import number

FACTS = ("title", "federation", "born", "club")
"""Facts of players that a list shows, if known."""
CHOSEN = ("federation", "sex", "club", "born")
"""Facts by which a list is filtered; `born` selects players born in a year or later."""
WATCHED = 500_000
"""Number of seats in results up to which a list shows each player's curve of the last year."""
MOVERS = 5
"""Number of players with the largest gains, and with the largest losses, that a page names."""
MONTHS = 12
_USUAL = {"rank", "player", "called", "rating", "games", "rank_before", "rank_change", "rating_change"}
"""Columns that the table of a list always has, or shows within other columns."""


@frozen
class Table:
    """Rows of a list as texts, each column with its number of decimals."""

    further: tuple[tuple[str, str], ...]
    """Further columns, and the CSS class of their cells: ` n` for numbers, ` day` for days."""
    rows: tuple[dict[str, Any], ...]
    years: bool = False
    """Whether rows have a curve of the last year."""
    places: int = 0
    """Decimals of ratings and their changes."""

    @classmethod
    def of(
        cls,
        listed: RatingList,
        first: int = 0,
        end: int | None = None,
        extra: Mapping[int, Mapping[str, Any]] | None = None,
    ) -> "Table":
        """Makes the table of some rows of a list, with the values of `extra` added by id."""
        places, numbers = places_of(listed), listed.id.tolist()[first:end]
        more: list[Mapping[str, Any]] = [{} if extra is None else extra.get(one, {}) for one in numbers]
        facts = tuple(fact for fact in FACTS if any(fact in one for one in more))
        days = [("last", " day")] if any("last" in one for one in more) else []
        further = (
            *((fact, " n" if fact == "born" else "") for fact in facts),
            *((name, " n" if _numeric(listed.values[name]) else "") for name in listed.columns if name not in _USUAL),
            *days,
        )
        empty: dict[str, Any] = dict.fromkeys((*facts, "year", "last"))

        rows = []
        names = names_of(listed)[first:end]
        for row, named, one, besides in zip(islice(listed, first, end), names, numbers, more, strict=True):
            cells = {
                name: number(cell, places.get(name)) if isinstance(cell, float) else cell for name, cell in row.items()
            }
            added = {"id": one, "name": named, "change": row.get("rating_change")}
            rows.append(empty | {**besides} | cells | added)
        return cls(further, tuple(rows), any("year" in one for one in more), places.get("rating", 0))


def _numeric(column: Any) -> bool:
    return not isinstance(column, tuple) or any(isinstance(cell, int | float) for cell in column)


def player_cells(answers: PoolAnswers, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Returns further cells of some players by id: facts, day of the last result, and the curve of the year before it.

    In a pool of more than `WATCHED` seats, it returns only the facts.
    """
    keys = dict(zip(answers.listed.id.tolist(), answers.listed.player, strict=True))
    found: dict[int, dict[str, Any]] = {}
    for one in numbers:
        facts = answers.facts.get(keys[one], {})
        found[one] = {fact: str(facts[fact])[: 4 if fact == "born" else None] for fact in FACTS if fact in facts}
    if int(answers.listed.games.sum()) > WATCHED:
        return found
    rows = np.array(sorted(answers.row_of[one] for one in numbers), dtype=np.int64)
    made = answers.solved or "lines" in vars(answers)
    lines = answers.lines if made else described_lines(answers.replay, answers.replay.ledger(rows))
    player = lines.ledger.player
    order = np.argsort(player, kind="stable")
    starts, ends = (np.searchsorted(player[order], rows, side) for side in ("left", "right"))
    results, rating, played = scored(lines)[order], lines.ledger.rating[order], lines.played[order]
    for row, start, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True):
        of = found[int(answers.ids[row])]
        with_result = np.flatnonzero(results[start:end])
        if not len(with_result):
            continue
        last = int(played[start + with_result[-1]])
        of["last"] = answers.day(last)[:10]
        rated = start + np.flatnonzero(~np.isnan(rating[start:end]))
        months = last - YEAR + np.arange(MONTHS + 1) * (YEAR // MONTHS)
        at = np.searchsorted(played[rated], months, "right") - 1
        at[-1] = len(rated) - 1
        if curve := spark(rating[rated[at[at >= 0]]].tolist(), MONTHS + 1):
            of["year"] = curve
    return found


def movers(listed: RatingList) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns the largest gains and the largest losses of a list with changes: id, name and change."""
    if "rating_change" not in listed.columns:
        return [], []
    change = np.array([row if row is not None else np.nan for row in listed.values["rating_change"]], dtype=np.float64)
    change[listed.rank == 0] = np.nan
    order = np.argsort(-change, kind="stable")
    order = order[np.isfinite(change[order])]
    names = names_of(listed)

    def row(at: int) -> dict[str, Any]:
        return {"id": int(listed.id[at]), "name": names[at], "change": float(change[at])}

    up = [row(at) for at in order[:MOVERS].tolist() if change[at] > 0]
    return up, [row(at) for at in order[::-1][:MOVERS].tolist() if change[at] < 0]


@frozen
class Choice:
    """The choice of players of a list to show, and their order.

    Parameters
    ----------
    letter : str
        The first letter of their names, without accents; empty for all.
    facts : mapping of str to str
        Facts that they must have, by name; the names are from `CHOSEN`.
    sort : str
        A column as for `Engine.with_columns`; empty for the order of places.
    """

    letter: str = ""
    facts: Mapping[str, str] = field(factory=dict)
    sort: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the choice that are set, as fields of an address."""
        return {name: text for name, text in {**self.facts, "letter": self.letter, "sort": self.sort}.items() if text}

    def query(self, question: Mapping[str, str], **changed: str) -> str:
        """Returns a query string: a question, and this choice with some fields changed.

        Examples
        --------
        >>> Choice("B", {"sex": "w"}).query({"through": "2024-03-31"}, letter="", sort="games")
        '?through=2024-03-31&sex=w&sort=games'
        >>> Choice("B").query({}, letter="")
        ''
        """
        fields = {name: text for name, text in {**question, **self.fields, **changed}.items() if text}
        return f"?{urlencode(fields)}" if fields else ""

    def turned(self, column: str) -> str:
        """Returns the `sort` for the link of a column's heading: reversed if the list is sorted by that column."""
        if not column or self.sort != column:
            return column
        return column.removeprefix("-") if column.startswith("-") else f"-{column}"

    def of(self, engine: Engine, listed: RatingList) -> RatingList:
        """Returns the chosen rows of a list, in the chosen order.

        Raises
        ------
        BadValue
            If the list has no such column, or no player has such a fact.
        """
        if self.letter:
            fits = [initial(name) == self.letter for name in names_of(listed)]
            listed = listed.taken(np.flatnonzero(fits), self.letter)
        where = [
            f'{name}{">=" if name == "born" else "="}"{text.replace(chr(34), 2 * chr(34))}"'
            for name, text in self.facts.items()
            if text
        ]
        by_name, sort = self.sort.removeprefix("-") == "player", self.sort or None
        if where or (sort and not by_name):
            listed = engine.with_columns(listed, where=where, sort=None if by_name else sort)
        if by_name:
            names = [normalize("NFD", name).casefold() for name in names_of(listed)]
            rows = sorted(range(len(names)), key=names.__getitem__, reverse=self.sort.startswith("-"))
            listed = listed.taken(np.array(rows, dtype=np.int64), self.sort)
        return listed


EVERYBODY = Choice()


def names_of(listed: RatingList) -> list[str]:
    """Returns the names of a list's players for people: the visible name, or else the key."""
    return [called or key for called, key in zip(listed.called or listed.player, listed.player, strict=True)]


def initial(name: str) -> str:
    """Returns the first letter of a name, in upper case and without an accent; empty if it begins with no letter.

    Examples
    --------
    >>> initial("Čapek"), initial("élise"), initial("3 of us")
    ('C', 'E', '')
    """
    first = normalize("NFD", name.strip())[:1].upper()
    return first if first.isalpha() else ""


def letters(listed: RatingList) -> list[str]:
    """Returns the first letters of the names of a list, in alphabetical order."""
    return sorted({initial(name) for name in names_of(listed)} - {""})


def choices(answers: PoolAnswers) -> dict[str, list[str]]:
    """Returns the distinct values of each fact by which a list can be filtered."""
    every = [answers.facts.get(key, {}) for key in answers.listed.player]
    found = {fact: sorted({str(one[fact]) for one in every if fact in one}) for fact in CHOSEN}
    found["born"] = sorted({text[:4] for text in found["born"]})
    return {fact: texts for fact, texts in found.items() if len(texts) > 1}
