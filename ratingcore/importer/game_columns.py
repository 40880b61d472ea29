"""Games of a table as columns, part by part: read from texts with the parsers of rows, or chosen from typed columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from operator import eq
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ratingcore.columns.games import Floats, Ints
from ratingcore.errors import EventError, NoOffset
from ratingcore.events import GamePlayed
from ratingcore.events.canonical_json import json_of
from ratingcore.events.rounds import order_on_day
from ratingcore.events.times import Timed
from ratingcore.events.values import NO_ID, Fact, contrary_points
from ratingcore.importer.local_times import LocalTimes
from ratingcore.importer.row_import import BATCH
from ratingcore.importer.row_outcomes import column_of
from ratingcore.importer.tables import FieldMap
from ratingcore.importer.tables.fieldmap import FromColumn
from ratingcore.importer.tables.json_documents import Numbered
from ratingcore.importer.tables.outcomes import outcome_of
from ratingcore.importer.tables.parsers import CACHE_LIMIT, Group
from ratingcore.importer.tables.results import GameParsers
from ratingcore.importer.tables.sheets import cells_of_object
from ratingcore.importer.tables.winners import names_winner
from ratingcore.log.segments import texts
from ratingcore.readers import Refused, Unrated
from ratingcore.readers.sheets import Rows, Sheet, TypedRows

ROWS = 25_000
"""Rows of one batch."""
_FIELDS = ("played", "a", "b", "score")


class NotPlain(Exception):
    """Raised if rows must be read one by one, because some row is not a game or needs a closer look."""


class Names:
    """The different names of players in a table, in the order in which they appear."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self.places: dict[str, int] = {}
        """Places among the names, by name, or by another spelling of one."""

    def meet(self, names: Iterable[str]) -> None:
        """Adds those of some names that are new."""
        new = [name for name in dict.fromkeys(names) if name not in self.places]
        self.places.update(zip(new, range(len(self.all), len(self.all) + len(new)), strict=True))
        self.all += new


@frozen(eq=False)
class SomeRows:
    """Some games of a table.

    Parameters
    ----------
    lines : sequence of int
        Line on which each begins.
    played : (n,) int64
    names : list of str
        Different names of players. Parts of a table share one list, which grows as names appear in it.
    a, b : (n,) int
        Places of the players among the names.
    score : (n,) float64
    uids : (n,) bytes, list of str, or None
        Ids of the rows, or their placeholders, if the file has them; bytes if all are ASCII without blanks.
    order : sequence of int or None
        Places on the day, if the table has them.
    facts : list of mappings or None
        Further facts, if the table has any; equal ones are the same object.
    others : sequence of Unrated or Refused
        Rows among them that are not games.
    pool : str
        Pool of the games, if it may differ from part to part.
    """

    lines: Sequence[int]
    played: Ints
    names: list[str]
    a: Ints
    b: Ints
    score: Floats
    uids: NDArray[np.bytes_] | list[str] | None = None
    order: Sequence[int] | None = None
    facts: list[Mapping[str, Fact]] | None = None
    others: Sequence[Unrated | Refused] = ()
    pool: str = ""

    def games(self, pool: str) -> Iterator[tuple[int, GamePlayed]]:
        """The rows as events."""
        cells = (column.tolist() for column in (self.played, self.a, self.b, self.score))
        uids, order = self.ids() or repeat(NO_ID), self.order or repeat(0)
        facts: Iterable[Mapping[str, Fact]] = self.facts or repeat({})
        for line, played, a, b, score, uid, turn, data in zip(self.lines, *cells, uids, order, facts, strict=False):
            one, other = self.names[a], self.names[b]
            game = GamePlayed(pool=pool, played=played, a=one, b=other, score=score, uid=uid, order=turn, data=data)
            yield line, game

    def only(self, some: NDArray[np.bool_]) -> "SomeRows":
        """Some of the games, without names that only others have, and without rows that are not games."""
        a, b, names = self.a[some], self.b[some], self.names
        used = np.unique(np.concatenate((a, b)))
        if len(used) < len(names):
            place = np.zeros(len(names), np.int64)
            place[used] = np.arange(len(used))
            a, b, names = place[a], place[b], [names[at] for at in used.tolist()]
        which = np.flatnonzero(some).tolist()
        uids = [self.uids[at] for at in which] if isinstance(self.uids, list) else self.uids
        return evolve(
            self,
            lines=column_of(self.lines)[some].tolist(),
            played=self.played[some],
            names=names,
            a=a,
            b=b,
            score=self.score[some],
            uids=uids[some] if isinstance(uids, np.ndarray) else uids,
            order=None if self.order is None else [self.order[at] for at in which],
            facts=None if self.facts is None else [self.facts[at] for at in which],
            others=(),
        )

    def ids(self) -> list[str]:
        """The ids of the rows as texts; empty if the file has none."""
        return texts(self.uids) if isinstance(self.uids, np.ndarray) else self.uids or []

    def different_facts(self) -> tuple[list[Mapping[str, Fact]], Ints]:
        """Returns the different sets of further facts, and for each game the index of its set."""
        if self.facts is None:
            return [{}], np.zeros(len(self.lines), np.int64)
        some = {id(one): one for one in self.facts}
        place = dict(zip(some, range(len(some)), strict=True))
        return [*some.values()], np.fromiter(map(place.__getitem__, map(id, self.facts)), np.int64, len(self.facts))

    def texts(self) -> list[str | None]:
        """Returns the further facts of each game in canonical JSON; None for a game without any."""
        facts, which = self.different_facts()
        spelt = [json_of(one) if one else None for one in facts]
        return list(map(spelt.__getitem__, which.tolist()))


def parts_of_texts(sheet: Sheet, parsers: GameParsers, pool: str, times: LocalTimes) -> Iterator[SomeRows]:
    """Yields the games of a table of texts: first parts with `BATCH` games together, then parts of `ROWS` rows.

    Raises
    ------
    NotPlain
        Also if the file has objects that are sessions.
    """
    used, reader, size = parsers.bound.columns_read(), _TextReader(sheet, parsers, pool, times), BATCH
    rows = sheet.rows(used)
    if sheet.objects is not None:
        rows = _of_objects(sheet.objects(), sheet.layout, used, parsers.bound.learning.examined)
    games = 0
    while some := list(islice(rows, size)):
        parsers.bound.learning.learn(some)
        part = reader.part(some)
        games += len(part.lines)
        yield part
        size = BATCH - games if games < BATCH else ROWS


def first_batch(parts: Iterator[SomeRows]) -> list[SomeRows]:
    """Takes the parts with the first `BATCH` games: the first batch when rows are read one by one."""
    first, games = list[SomeRows](), 0
    while games < BATCH and (part := next(parts, None)) is not None:
        first.append(part)
        games += len(part.lines)
    return first


def _of_objects(
    objects: Iterator[Numbered], layout: tuple[str, ...], used: frozenset[int], examined: frozenset[int]
) -> Rows:
    for row in objects:
        if isinstance(row, Refused):
            yield row
            continue
        if row[1].get("sides") is not None:
            raise NotPlain
        yield cells_of_object(*row, layout, used, examined)


class _TextReader:
    """Reads rows of texts, a column at a time."""

    def __init__(self, sheet: Sheet, parsers: GameParsers, pool: str, times: LocalTimes) -> None:
        self._sheet, self._parsers, self._pool, self._times = sheet, parsers, pool, times
        self._names = Names()
        self._facts: dict[Any, Mapping[str, Fact]] = {}
        """Facts of games, by their texts; if the score comes from points, they include the facts read with it."""
        self._by_score = False

    def part(self, rows: Sequence[Any]) -> SomeRows:
        """Returns rows as columns; each row comes with its line."""
        try:
            return self._of_cells(rows, [])
        except (EventError, UnicodeEncodeError, _NoCells):
            fit, others, bound, game = [], [], self._parsers.bound, self._parsers.reader()
            for row in rows:
                outcome: Any = row
                if not isinstance(row, Refused):
                    cells = [*row[1], *bound.tail]
                    outcome = outcome_of(self._sheet, bound, row[0], cells, game)
                    row = row[0], cells[: len(row[1])]  # a day may have been filled in
                if isinstance(outcome, Refused | Unrated):
                    others.append(outcome)
                else:
                    fit.append(row)
            return self._of_cells(fit, others)

    def _of_cells(self, rows: Sequence[Any], others: Sequence[Unrated | Refused]) -> SomeRows:
        if Refused in set(map(type, rows)):
            raise _NoCells
        if self._parsers.unplayed.words_by_column:
            reasons = [self._parsers.unplayed.why(cells) for _, cells in rows]
            others = [*others, *(Unrated(row[0], why) for row, why in zip(rows, reasons, strict=True) if why)]
            rows = [row for row, why in zip(rows, reasons, strict=True) if not why]
        parsers, count = self._parsers, len(rows)
        columns: list[Sequence[str]] = list(zip(*(cells for _, cells in rows), strict=True))
        columns = (columns or [()] * self._sheet.width) + [[text] * count for text in parsers.bound.tail]
        scores = _keys(parsers.decided, columns, count)
        decided = list(map(parsers.decided.__getitem__, scores))
        if str in set(map(type, decided)):
            unrated = [Unrated(row[0], why) for row, why in zip(rows, decided, strict=True) if isinstance(why, str)]
            others = [*others, *unrated]
            return self._of_cells([row for row, why in zip(rows, decided, strict=True) if type(why) is tuple], others)
        where = parsers.where
        if where is not None and set(map(where.__getitem__, columns[where.index])) - {self._pool}:
            raise NotPlain
        a, b = (list(map(side.__getitem__, columns[side.index])) for side in (parsers.a, parsers.b))
        if "" in a or "" in b or any(map(eq, a, b)):
            raise _NoCells
        played = list(map(parsers.day.__getitem__, columns[parsers.day.index]))
        facts = self._further(_keys(parsers.free, columns, count), scores, decided)
        settled, uids = self._settled(played, rows), self._uids(columns)
        order = self._order(columns, played, facts or [])
        score = np.fromiter((one[0] for one in decided), np.float64, count) + 0.0
        lines, names = [line for line, _ in rows], self._names
        # names come last: those of rows that cannot be read would be added to the log with the next part
        names.meet(chain.from_iterable(zip(a, b, strict=True)))
        one, other = (np.fromiter(map(names.places.__getitem__, side), np.int64, count) for side in (a, b))
        return SomeRows(lines, settled, names.all, one, other, score, uids, order, facts, others)

    def _settled(self, played: Sequence[int], rows: Sequence[Any]) -> Ints:
        settled: dict[int, int] = {}
        if not set(map(type, played)) <= {int}:
            try:
                settled = {at: self._times.settled(self._pool, at) for at in set(played) if isinstance(at, Timed)}
            except NoOffset as error:
                raise NotPlain from error
        made = np.array(
            [settled[at] if isinstance(at, Timed) else at for at in played] if settled else played, np.int64
        )
        given = np.array([isinstance(at, Timed) for at in played]) if settled else np.zeros(len(made), bool)
        self._times.meet_all([line for line, _ in rows], made, given)
        return made

    def _order(
        self, columns: Sequence[Sequence[str]], played: Sequence[int], facts: Sequence[Mapping[str, Fact]]
    ) -> list[int] | None:
        read, order = self._parsers.order, list[int]()
        if any("round" in one for one in dict(zip(map(id, facts), facts, strict=True)).values()):
            order = list(map(order_on_day, played, facts))
        if read is not None:
            places = map(str.strip, columns[read.index])
            given = order or repeat(0)
            order = [read.read(text) if text else turn for text, turn in zip(places, given, strict=False)]
        for extreme in {min(order), max(order)} if order else ():
            GamePlayed(pool="p", played=0, a="a", b="b", score=0.5, order=extreme)
        return order if any(order) else None

    def _uids(self, columns: Sequence[Sequence[str]]) -> list[str] | None:
        read = self._parsers.uid
        uids = [] if read is None else [read.read(text.strip()) for text in columns[read.index]]
        if not any(uids):
            return None
        if not all(uids) or len(set(uids)) < len(uids):
            raise NotPlain
        return uids

    def _further(
        self, keys: Sequence[Any], scores: Sequence[Any], decided: Sequence[Any]
    ) -> list[Mapping[str, Fact]] | None:
        free, known = self._parsers.free, self._facts
        outcomes = dict(zip(scores, decided, strict=True))
        if not self._by_score and (
            any(given for _, given in outcomes.values()) or any("points_a" in free[key] for key in dict.fromkeys(keys))
        ):
            self._by_score = True
            known.clear()
        if self._by_score:
            keys = list(zip(keys, scores, strict=True))
        for key in dict.fromkeys(keys):
            if key not in known:
                score, given = outcomes[key[1]] if self._by_score else (0.5, {})
                data = {**free[key[0]], **given} if self._by_score else free[key]
                if contrary_points(score, data):
                    raise NotPlain
                known[key] = GamePlayed(pool="p", played=0, a="a", b="b", score=score, data=data).data
        facts = list(map(known.__getitem__, keys))
        if len(known) > CACHE_LIMIT:
            self._facts = {}
        return facts if any(facts) else None


def _keys(group: Group[Any], columns: Sequence[Sequence[str]], count: int) -> Sequence[Any]:
    """Returns for each row the texts that a group of parsers reads together."""
    picked = [columns[parser.index] for parser in group.readers]
    return [()] * count if not picked else picked[0] if len(picked) == 1 else list(zip(*picked, strict=True))


class _NoCells(Exception):
    """Raised if some rows are not games, so that each row must be read separately."""


def typed_rows(sheet: Sheet, fields: FieldMap, unused: list[str], size: int = 0) -> Iterator[TypedRows | None] | None:
    """Returns the rows of a table of plain games with typed columns: first a part of `BATCH` rows, then larger parts.

    None if the table has other fields or settings, or a column without a type or of a wrong one.

    Parameters
    ----------
    unused : list of str
        Columns not read for any field of a result.
    size : int
        Number of rows at a time after the first ones; 0 for the usual one.
    """
    if sheet.typed is None or fields.date is not None or fields.pool is not None or fields.nobody is not None:
        return None
    if fields.meant is not None:
        return None
    columns: dict[str, str] = {}
    own = {*sheet.columns} - fields.spent
    for field in (*_FIELDS, "uid"):
        names = (field, "id") if field == "uid" else (field,)
        source = fields.fields.get(field) or next((FromColumn(one) for one in names if one in own), None)
        if isinstance(source, FromColumn) and source == FromColumn(source.column):
            columns[field] = source.column
        elif field != "uid" or source is not None:
            return None
    if {*columns.values()} != {name for name in sheet.columns if name} - {*unused}:
        return None
    if columns["a"] == columns["b"] or names_winner(columns["a"], columns["score"]):
        return None
    return sheet.typed.games(columns, BATCH, size or ROWS)
