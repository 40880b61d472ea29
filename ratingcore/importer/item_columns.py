"""Imports the items of a stream, whose games are written as columns, without making an event of each.

The first items become events, and so do all items that need a closer look: in a log with erased names or declared
pools, in a file imported before, or with an id that the log has. Uids, names and reports are the same either way.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, cast

import numpy as np

from ratingcore.errors import RatingCoreError
from ratingcore.events import DAY, GamePlayed
from ratingcore.events.bounds import EARLIEST, LATEST, check_new, check_uid
from ratingcore.events.missing_uids import is_nameless, scope_of, within
from ratingcore.events.rounds import order_on_day
from ratingcore.events.values import Fact, Facts
from ratingcore.gc_pause import uncollected
from ratingcore.importer.contradictions import Numbered
from ratingcore.importer.event_maker import EventMaker
from ratingcore.importer.game_columns import ROWS, NotPlain, SomeRows
from ratingcore.importer.recorded_games import has_derived
from ratingcore.importer.report import ImportReport
from ratingcore.importer.row_import import BATCH, FurtherEvents, Import, Rows, finished
from ratingcore.log.append import UidTaken, uids_of
from ratingcore.log.base_log import BaseLog
from ratingcore.log.chain import Batch, Head, Receipt, games_digest, head_after
from ratingcore.readers import Game, Item, Made, Outcome, Session, Who
from ratingcore.replay.declared import any_declared
from ratingcore.safe_text import are_plain

Numbering = Iterator[tuple[int, Item]]
"""Items with their numbers in the file, from 1."""

Outcomes = Callable[[Iterable[tuple[int, Item]]], Iterator[Outcome]]
"""Makes the outcomes of items; sets aside notes and facts about players."""

_MOST = 1_000_000
"""Largest number of players whose keys are remembered."""


def import_items(
    file: Import, items: Numbering, outcomes: Outcomes, maker: EventMaker, further: FurtherEvents
) -> ImportReport:
    """Appends the games and other events of a stream to a log, part by part; see `import_rows`."""
    rows = Rows(file)
    with uncollected():
        rows.append(_Parts(file, rows, outcomes, maker).ordinary(items), further)
    return finished(file, rows)


class _Parts:
    """Imports a stream part by part: writes a part as columns, or yields its events."""

    def __init__(self, file: Import, rows: Rows, outcomes: Outcomes, maker: EventMaker) -> None:
        self._file, self._rows, self._outcomes = file, rows, outcomes
        self._games = _Games(maker, file)
        self._writing = _Writing(file) if isinstance(file.log, BaseLog) else None

    def ordinary(self, items: Numbering) -> Iterator[Numbered]:
        """Yields a batch for each part: its events, or an empty one if the part was written as columns."""
        size, sure = BATCH, BATCH
        while part := list(islice(items, size)):
            if size == BATCH or not self._written(part):
                yield list(self._file.part(self._outcomes(part), sure))
            else:
                yield ()
            self._file.settings.progress(self._file.report.read)
            size, sure = ROWS, 0
        self._file.report.notes += self._file.met.notes()

    def _written(self, items: Sequence[tuple[int, Item]]) -> bool:
        """Writes the games of a part as columns, and reports its other items; False if the part must become events."""
        writing = None if self._rows.matching.waits else self._writing
        games = [item for item in items if type(item[1]) is Game]
        others = [item for item in items if type(item[1]) is not Game]
        if writing is None or not games or any(isinstance(item, Session | Made | GamePlayed) for _, item in others):
            return False
        try:
            parts, odd = self._games.parts(cast("list[tuple[int, Game]]", games), self._outcomes)
            receipts = writing.write(parts) if parts else []
        except (NotPlain, UidTaken):
            return False
        report = self._file.report
        for outcome in chain(self._outcomes(others), odd):
            assert not isinstance(outcome, Made), "it is not an event"
            report.note(outcome)
        for part, receipt in zip(parts, receipts, strict=True):
            report.read += len(part.lines)
            self._rows.took(part.lines, receipt, nameless=any(map(is_nameless, part.uids or ())))
        return True


class _Games:
    """Reads games as columns."""

    def __init__(self, maker: EventMaker, file: Import) -> None:
        self._maker, self._file = maker, file
        self._who: dict[Who, str] = _Names(maker)
        self._fields: set[str] = set()
        """Names of facts that passed the check before."""

    def parts(self, games: Sequence[tuple[int, Game]], outcomes: Outcomes) -> tuple[list[SomeRows], list[Outcome]]:
        """Returns the games as columns, pool by pool, and the outcomes of games that cannot be recorded.

        Raises
        ------
        NotPlain
        """
        odd: list[Outcome] = []
        try:
            return self._by_pool([game for _, game in games]), odd
        except (NotPlain, RatingCoreError, TypeError):
            fit = list[Game]()
            for game, outcome in zip(games, outcomes(games), strict=True):
                if isinstance(outcome, Made):
                    fit.append(game[1])
                else:
                    odd.append(outcome)
        try:
            return self._by_pool(fit), odd
        except (RatingCoreError, TypeError) as error:
            raise NotPlain from error

    def _by_pool(self, games: Sequence[Game]) -> list[SomeRows]:
        if not games:
            return []
        tables = {id(game.tables): game.tables for game in games}
        pools = {number: self._maker.pool(table) for number, table in tables.items()}
        some: dict[str, list[Game]] = defaultdict(list)
        if len({*pools.values()}) == 1:
            some[next(iter(pools.values()))] = [*games]
        else:
            for game in games:
                some[pools[id(game.tables)]].append(game)
        return [self._columns(pool, of_pool) for pool, of_pool in some.items()]

    def _columns(self, pool: str, games: Sequence[Game]) -> SomeRows:
        lines, keys, one, other, score, played, order, data, _ = zip(*games, strict=True)
        if {*map(type, played), *map(type, order)} != {int} or {*map(type, score)} != {float} or "[" in pool:
            raise NotPlain
        times, shares, turns = np.array(played, np.int64), np.array(score) + 0.0, np.array(order, np.int64)
        a, b = (list(map(self._who.__getitem__, side)) for side in (one, other))
        names = dict.fromkeys(chain.from_iterable(zip(a, b, strict=True)))
        place = dict(zip(names, range(len(names)), strict=True))
        low, high = (np.fromiter(map(place.__getitem__, side), np.int64, len(games)) for side in (a, b))
        wrong = (times < EARLIEST) | (times > LATEST) | ~((shares >= 0.0) & (shares <= 1.0)) | (low == high)
        if wrong.any() or (np.abs(turns) >= 2**31).any():
            raise NotPlain
        self._file.times.meet_all(lines, times, np.zeros(len(games), np.bool_))
        facts, every = self._facts(data), list(order)
        if not turns.all() and any("round" in one for one in {id(one): one for one in facts}.values()):
            every = [turn or order_on_day(at, one) for turn, at, one in zip(order, played, facts, strict=True)]
        return SomeRows(
            lines, times, list(names), low, high, shares, self._uids(keys), every if any(every) else None,
            facts if any(facts) else None, pool=pool,
        )  # fmt: skip

    def _uids(self, keys: Sequence[tuple[str, ...]]) -> list[str]:
        """Ids of games, or their placeholders."""
        if () in keys:
            raise NotPlain
        reader = self._maker.reader
        uid = {key: key[0] if len(key) == 1 and ":" in key[0] else within(scope_of(reader, key)) for key in {*keys}}
        given = [one for key, one in uid.items() if one is key[0]]
        if not are_plain(given):
            for one in given:
                check_uid(one)
        return list(map(uid.__getitem__, keys))

    def _facts(self, given: Sequence[Facts]) -> list[Facts]:
        """Returns the checked facts of games; games that share an object still do."""
        checked = {number: self._checked(one) for number, one in {id(one): one for one in given}.items()}
        return list(map(checked.__getitem__, map(id, given)))

    def _checked(self, given: Facts) -> Mapping[str, Fact]:
        for name, value in given.items():
            if name not in self._fields:
                break
            if isinstance(value, str):
                if not (value.isascii() and value.isprintable()) or value != value.strip():
                    break
            elif type(value) is not int or not -(2**63) <= value < 2**63:
                break
        else:
            return given
        game = GamePlayed(pool="p", played=0, a="a", b="b", score=0.5, uid="u", data=self._maker.stripped(given))
        check_new(game)
        if "points_a" in game.data:
            raise NotPlain
        self._fields |= game.data.keys()
        return game.data


class _Names(dict[Who, str]):
    """Keys of players by their names and ids in the file."""

    def __init__(self, maker: EventMaker) -> None:
        super().__init__()
        self._maker = maker

    def __missing__(self, who: Who) -> str:
        key = self._maker.key(who)
        if len(self) >= _MOST:
            self.clear()
        self[who] = key
        return key


class _Writing:
    """Writes games as columns into a log, each part of the file in one transaction."""

    def __init__(self, file: Import) -> None:
        self._file, self._log = file, cast(Any, file.log)
        self._seen = Head(0, "")
        """Head up to which the log is known to have nothing that needs a closer look."""
        self._derived = False
        """Whether the log may have events recorded without ids, to which ids in the file may belong."""

    def write(self, parts: Sequence[SomeRows]) -> list[Receipt]:
        """Writes the games pool by pool, all or none.

        Raises
        ------
        NotPlain, UidTaken
        """
        log = self._log
        with log.writing():
            self._look(parts)
            receipts = [self._wrote(part) for part in parts]
        self._seen = receipts[-1].head
        for part in parts:
            self._note(part)
        return receipts

    def _look(self, parts: Sequence[SomeRows]) -> None:
        """Raises `NotPlain` if something in the log needs a closer look."""
        log, file = self._log, self._file
        if file.imported_before or log.book.erased:
            raise NotPlain
        if log.head != self._seen:
            if any_declared(log):
                raise NotPlain
            self._derived = has_derived(log)
        if self._derived and any(not is_nameless(uid) for part in parts for uid in part.ids()):
            raise NotPlain

    def _wrote(self, part: SomeRows) -> Receipt:
        log, draft, last = self._log, self._log.draft, self._log.last_batch()
        head, before = head_after(last), draft.count
        first, stop = head.position + 1, head.position + len(part.lines)
        draft.begin(first)
        pool, ids = draft.getter("pool")(part.pool), np.array(draft.numbers("player", part.names), np.int64)
        source = self._file.source or self._file.report.source
        origin = draft.getter("source")(source) if source else None
        if not draft.bound and log.key:
            draft.add("key", log.key)
        names, recorded = draft.since(before), max(int(log.now()), last.recorded if last else -(2**62))
        a, b = ids[part.a], ids[part.b]
        uids = uids_of(log).of_scopes(part.ids(), np.minimum(a, b), np.maximum(a, b))
        if len({*uids}) < len(uids):
            raise NotPlain
        cells = [column.tolist() for column in (a, b, part.score)]
        columns = [uids, part.played.tolist(), part.order or [0] * len(uids), *cells, part.texts()]
        digest = games_digest(head.digest, first, stop, recorded, origin, names, pool, columns)
        log.write_games(Batch(first, stop, recorded, origin, digest), names, pool, columns)
        return Receipt(Head(stop, digest), len(uids), 0)

    def _note(self, part: SomeRows) -> None:
        """Examines rows for mistakes."""
        met = self._file.met
        met.add_ids(part.ids(), part.names, part.a, part.b)
        if part.facts is not None or (part.played % DAY != 0).any():
            facts, which = part.different_facts()
            lines, orders = np.array(part.lines), np.array(part.order or 0, np.int64)
            pools, orders = (np.broadcast_to(one, len(lines)) for one in (hash(part.pool), orders))
            players = np.column_stack((part.a, part.b))
            met.meetings.add(lines, pools, part.played, part.names, players, orders, facts, which)
