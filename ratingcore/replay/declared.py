"""Declarations of pools: the results and seeds that each pool accepts, and the events that do not fit."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from attrs import evolve, frozen

from ratingcore.columns import FOREVER, View
from ratingcore.columns.cache import TimelineCache
from ratingcore.columns.method_input import unreadable_in_words
from ratingcore.columns.slices import conditions_of, pool_of
from ratingcore.errors import BadValue, BoardNotDeclared, DoesNotFit, PlanOutdated, RatingCoreError
from ratingcore.events import (
    NO_ID,
    Event,
    GamePlayed,
    Instant,
    PoolDeclared,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
)
from ratingcore.events.kinds import RESULT_FIELDS
from ratingcore.events.missing_uids import is_nameless
from ratingcore.log import Head, Log, Receipt, SqliteLog
from ratingcore.log.append import append, check_head
from ratingcore.log.lookup import bases_of, corrections_of, decoder_of
from ratingcore.log.overlay import TrialLog
from ratingcore.methods.contract import Method
from ratingcore.readers import Note
from ratingcore.replay.contract_check import unreadable_in
from ratingcore.safe_text import Filled

MethodOf = Callable[[str], Method]
"""Returns the method of a text."""

UNDECLARED = "elo"
"""Method of a pool without a declared method, if the caller gives none either."""

Result = GamePlayed | SessionPlayed

OF_BOARD = "it takes its results and seeds from pool {pool}"
OF_SLICE = "it is a slice: its results are those of pool {pool}"
"""Reasons why events cannot be recorded in a board and in a slice."""

OWN = ("game", "session", "seed")
"""Kinds of events that a board takes from another pool; a board has no such events of its own."""


def declared(log: Log, pool: str, known_at: int | None = None) -> PoolDeclared | None:
    """Returns the declaration of a pool in force at a position of the log, or None."""
    number = log.book.find("pool", pool)
    rows = [] if number is None else list(log.rows(0, known_at, ("pool",), number))
    if not rows:
        return None
    event = decoder_of(log)(rows[-1])
    assert isinstance(event, PoolDeclared), event
    return event


def official(log: Log, pool: str, at: Instant, known_at: int | None = None) -> PoolDeclared | None:
    """Returns the declaration that sets the method and policy of a pool's lists on a day; None if there is none.

    It is the last declaration, of those known at a position of the log, that had started by that day.

    Parameters
    ----------
    at : int
        Instant of the list, on the clock of the pool.
    """
    started = [event for event in questions(log, pool, known_at) if event.start <= at]
    return started[-1] if started and started[-1].method else None


def questions(log: Log, pool: str, known_at: int | None = None) -> list[PoolDeclared]:
    """Returns the declarations of a pool's method and policy that are in force, each with its first day.

    A declaration replaces earlier ones for its own day or later days.
    """
    number, decoder = log.book.find("pool", pool), decoder_of(log)
    in_force: list[PoolDeclared] = []
    for row in [] if number is None else log.rows(0, known_at, ("pool",), number):
        event = decoder(row)
        if isinstance(event, PoolDeclared) and event.method is not None:
            in_force = [*(one for one in in_force if one.start < event.start), event]
    return in_force


def boards(log: Log, known_at: int | None = None) -> dict[str, str]:
    """Returns the boards declared up to a position of the log, each with the pool whose results it takes."""
    key, found = log.book.key, dict[str, str]()
    for row in log.rows(0, known_at, ("pool",)):
        if row.pool is not None:
            found[key(row.pool)] = str(row.facts.get("of", ""))
    return {board: of for board, of in found.items() if of}


def check_board_declared(log: Log, pool: str, known_at: int) -> None:
    """Refuses a cut in the log at which a board was not declared yet, since it would be an empty pool there.

    Raises
    ------
    BoardNotDeclared
    """
    if declared(log, pool, known_at) is None and _board(log, pool, {}):
        number = log.book.number("pool", pool)
        if not any(True for _ in log.rows(0, known_at, OWN, number)):
            since = next(log.rows(known_at, None, ("pool",), number)).position
            raise BoardNotDeclared("board", pool, at=known_at, since=since)


def same_declared(log: Log, pool: str, known_at: int) -> bool:
    """True if the declarations of a pool are the same now as at a position of the log."""
    return _terms(log, pool, None) == _terms(log, pool, known_at)


def _terms(log: Log, pool: str, known_at: int | None) -> tuple[str, ...]:
    last = declared(log, pool, known_at) or PoolDeclared(pool=pool)
    return (last.fits, last.zone, last.of, last.results, *(one.question for one in questions(log, pool, known_at)))


def declared_before(log: Log, pool: str, known_at: int) -> list[PoolDeclared]:
    """Returns new declarations that restore those of a pool at a position of the log.

    They cancel methods and policies that were declared since, and declare again those in force at that position.
    """
    last, now = declared(log, pool, known_at) or PoolDeclared(pool=pool), questions(log, pool)
    before = questions(log, pool, known_at)
    if [one.question for one in now] == [one.question for one in before]:
        return [evolve(last, method=None, policy="", starting="")]
    again = [evolve(last, method=one.method, policy=one.policy, starting=one.starting) for one in before]
    starts_first = bool(before) and before[0].start <= min(one.start for one in now)
    return again if starts_first else [evolve(last, method="", policy="", starting=""), *again]


class Declarations:
    """Appends events to a log, if their pools accept them; a log without declarations is searched only once.

    Parameters
    ----------
    log : Log
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._free: Head | None = None
        """The newest head at which the log is known to have no declarations."""

    def none_at(self, head: Head) -> bool:
        """True if the log is known to have no declarations at a head, its newest one."""
        return head == self._free

    def append(
        self, events: Sequence[Event], method_of: MethodOf, *, source: str = "", expect: Head | int | None = None
    ) -> Receipt:
        """Appends events as one batch; see `Log.append`.

        Raises
        ------
        DoesNotFit
            For the first event that its pool does not accept.
        """
        if any(is_nameless(getattr(event, "uid", "")) for event in events):
            raise BadValue("uid", NO_ID, "is a placeholder for imported files, not a uid")
        free = False

        def check(head: Head) -> None:
            nonlocal free
            check_head(head, expect)
            free = self.check(self._log, head, events, method_of)

        receipt = self._log.append(events, source=source, expect=check)
        if free:
            self._free = receipt.head
        return receipt

    def check(self, log: Log, head: Head, events: Sequence[Event], method_of: MethodOf) -> bool:
        """Refuses events that their pools do not accept; see `check_fits`.

        Returns
        -------
        bool
            True if neither the log nor the events declare a pool.
        """
        declaring = any(isinstance(event, PoolDeclared) or _is_bracketed(event) for event in events)
        free = self.none_at(head) or not any_declared(log)
        if not free or declaring:
            check_fits(log, events, method_of)
        return free and not declaring


def check_fits(log: Log, events: Sequence[Event], method_of: MethodOf) -> None:
    """Refuses events that their pools do not accept, and declarations of a method that is not installed.

    Raises
    ------
    DoesNotFit
        For the first event that its pool does not accept.
    MethodNotFound, BadParameter
    """
    for event in events:
        if isinstance(event, PoolDeclared) and not log.find([event.uid]):
            for text in filter(None, (event.fits, event.method)):
                method_of(text)
    for at, (pool, fits, why) in misfits(log, events, method_of).items():
        if not log.find([events[at].uid]):  # events that are in the log already stay duplicates
            raise DoesNotFit(_uid(events[at]), pool, fits, why)


def check_later_results(log: Log, events: Sequence[Event], since: int, verb: str, method_of: MethodOf) -> None:
    """Refuses planned declarations that do not accept a result recorded after position `since`.

    Raises
    ------
    PlanOutdated
        For the first such result.
    """
    for event in events:
        number = log.book.find("pool", event.pool) if isinstance(event, PoolDeclared) and event.fits else None
        if number is not None:
            rows = list(log.rows(since, None, ("game", "session"), number))
            for at in misfits(log, [event, *map(decoder_of(log), rows)], method_of):
                row = rows[at - 1]
                raise PlanOutdated(verb, since, row.position, row.kind, row.uid)


def any_declared(log: Log) -> bool:
    """True if any pool of a log was ever declared."""
    return any(True for _ in log.rows(0, None, ("pool",)))


def misfits(log: Log, events: Sequence[Event], method_of: MethodOf) -> dict[int, tuple[str, str, str]]:
    """Returns the events that their pools do not accept.

    Each index maps to the pool, the method whose results it accepts (empty if another rule applies), and the reason.

    Parameters
    ----------
    events : sequence of Event
        A declaration applies to the events after it. An amendment is checked as the amended result.
    """
    if not any(isinstance(event, PoolDeclared) or _is_bracketed(event) for event in events) and not any_declared(log):
        return {}
    fits: dict[str, str] = {}
    boards: dict[str, str] = {}
    refused: dict[int, tuple[str, str, str]] = {}
    by_method: dict[tuple[str, str], list[tuple[int, Result]]] = {}
    seen: dict[str, Result] = {}
    amending = any(isinstance(event, ResultAmended) for event in events)
    trial: TrialLog | None = None  # has the events before a board: one of them may be the first of its pool
    tried = 0
    again = _counting_again(log, events)
    for number, event in enumerate(events):
        if _is_bracketed(event) and (why := _slice_of(log, str(getattr(event, "pool", "")))):
            refused[number] = str(getattr(event, "pool", "")), "", why
            continue
        if isinstance(event, PoolDeclared):
            if event.of and tried < number:
                trial = trial or TrialLog(log)
                append(trial, events[tried:number])
                tried = number
            _check_board(trial or log, event)
            fits[event.pool], boards[event.pool] = event.fits, event.of
            continue
        if isinstance(event, RatingSeeded) and (of := _board(log, event.pool, boards)):
            refused[number] = event.pool, "", Filled(OF_BOARD, pool=of)
            continue
        if number in again and (of := _board(log, again[number], boards)):
            refused[number] = again[number], "", Filled(OF_BOARD, pool=of)
            continue
        result = _result(log, event, seen) if isinstance(event, ResultAmended) else event
        if not isinstance(result, GamePlayed | SessionPlayed):
            continue
        if amending:
            seen[event.of if isinstance(event, ResultAmended) else event.uid] = result
        if of := _board(log, result.pool, boards):
            refused[number] = result.pool, "", Filled(OF_BOARD, pool=of)
            continue
        if result.pool not in fits:
            found = declared(log, result.pool)
            fits[result.pool] = "" if found is None else found.fits
        if fits[result.pool]:
            by_method.setdefault((result.pool, fits[result.pool]), []).append((number, result))
    for (pool, text), results in by_method.items():
        reasons = _unreadable(method_of(text), [result for _, result in results])
        refused |= {results[index][0]: (pool, text, why) for index, why in reasons.items()}
    return dict(sorted(refused.items()))


def _is_bracketed(event: Event) -> bool:
    return "[" in (getattr(event, "pool", None) or "")


def _slice_of(log: Log, pool: str) -> str:
    """Returns the reason for a refusal if a text names a slice of an existing pool; else an empty text."""
    with suppress(RatingCoreError):
        part = pool_of(log.book, pool)[1]
        return "" if part is None else Filled(OF_SLICE, pool=part.pool)
    return ""


def _board(log: Log, pool: str, known: dict[str, str]) -> str:
    """Returns the pool from which a board takes its results; empty if the pool is not a board."""
    if pool not in known:
        found = declared(log, pool)
        known[pool] = "" if found is None else found.of
    return known[pool]


def _counting_again(log: Log, events: Sequence[Event]) -> dict[int, str]:
    """Returns the indices of events that take back a correction, each with the later pool of the result or seed."""
    voids = {number: event.of for number, event in enumerate(events) if isinstance(event, ResultVoided)}
    taken = log.find([*voids.values()]) if voids and boards(log) else {}
    bases = bases_of(log, (row for row in taken.values() if row.kind in ("void", "amend")))
    then, found = corrections_of(TrialLog.supposing(log, events) if bases else log), dict[int, str]()
    for number, uid in voids.items():
        read = then.read(bases[taken[uid].position]) if uid in taken and taken[uid].position in bases else None
        if read is not None and read.kind in OWN and read.pool is not None:
            found[number] = log.book.key(read.pool)
    return found


def _has_results(log: Log, pool: str) -> bool:
    """True if a pool has its own results or seeds, not counting those that were voided or moved to another pool."""
    number, now = log.book.find("pool", pool), corrections_of(log)
    if number is None:
        return False
    moved = log.rows_at(at for at, changes in now.changes.items() if changes.get("pool") == number)
    reads = map(now.read, chain(log.rows(0, None, OWN, number), moved))
    return any(read is not None and read.pool == number for read in reads)


def _check_board(log: Log, event: PoolDeclared) -> None:
    """Refuses a new pool that is spelt like a slice, and a board that is declared wrongly.

    A board must be of an existing pool that is not a board, and must have no results or seeds of its own.

    Raises
    ------
    BadValue, UnknownName
    """
    if "[" in event.pool and event.pool.endswith("]") and log.book.find("pool", event.pool) is None:
        raise BadValue("pool", event.pool, "is spelt like a slice of a pool: name it without brackets")
    if not event.of:
        return
    conditions_of(event.results)
    log.book.number("pool", event.of)
    if event.of == event.pool or _board(log, event.of, {}):
        raise BadValue("of", event.of, "is a board: name the pool whose results it takes")
    if _has_results(log, event.pool):
        why = "has results or seeds of its own, so it cannot be a board: take them back, or use another name"
        raise BadValue("pool", event.pool, why)


@frozen
class LeftOffLists(Note):
    """Note on results that the method of their pool leaves out of its lists, with their number by reason."""

    method: str
    pool: str
    results: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        results = ", ".join(unreadable_in_words(reason, count) for reason, count in self.results)
        return f"{self.method}, the method of pool {self.pool}, leaves out of its lists: {results}"


def unlisted(log: Log, events: Sequence[Event], method_of: MethodOf) -> list[Note]:
    """Returns notes on results that the method declared for their pool leaves out of lists.

    Parameters
    ----------
    events : sequence of Event
        Recorded events; only results matter.
    """
    pools: dict[str, list[PoolDeclared]] = {}
    by_method: dict[tuple[str, str], list[Result]] = {}
    for event in events:
        if not isinstance(event, GamePlayed | SessionPlayed):
            continue
        if event.pool not in pools:
            pools[event.pool] = questions(log, event.pool)
        started = [one for one in pools[event.pool] if one.start <= event.played]
        if started and started[-1].method:
            by_method.setdefault((event.pool, started[-1].method), []).append(event)
    notes: list[Note] = []
    for (pool, text), results in by_method.items():
        with suppress(RatingCoreError):  # no note if the method is no longer installed
            method, view = method_of(text), _alone(results)
            notes += unlisted_of(method, view, pool, [(1, len(results))])
    return notes


def unlisted_of(method: Method, view: View, pool: str, spans: Sequence[tuple[int, int]]) -> list[Note]:
    """Returns a note on the results at some positions that a method leaves out of lists; no note if there are none.

    Parameters
    ----------
    spans : sequence of (int, int)
        First and last position of each range.
    """
    why = unreadable_in(method, view)
    more = {int(at): reason for reason, found in view.left_out(method.needs).items() for at in found}
    counts = Counter(reason for at, reason in (more | why).items() if any(first <= at <= last for first, last in spans))
    return [LeftOffLists(method.name, pool, tuple(counts.most_common()))] if counts else []


def _unreadable(method: Method, results: Sequence[Result]) -> dict[int, str]:
    """Returns the reasons why a method cannot read results, by index."""
    return {position - 1: why for position, why in unreadable_in(method, _alone(results)).items()}


def _alone(results: Sequence[Result]) -> View:
    """Returns a view of a new log that holds only these results, in this order."""
    log = SqliteLog(":memory:", clock=lambda: 0, salt=lambda: "")
    log.append(
        [evolve(result, uid=f"{number}", pool="p", played=int(result.played)) for number, result in enumerate(results)]
    )
    return _view(log, "p")


def unreadable_results(log: Log, pool: str, method: Method) -> dict[int, str]:
    """Returns why a method cannot read results of a pool, by position; does not use the caches of the log."""
    return unreadable_in(method, _view(log, pool))


def _view(log: Log, pool: str) -> View:
    timeline = TimelineCache(None, log.book.number("pool", pool)).at_head(log)
    return View(log, timeline, pool, FOREVER, log.book)


def _result(log: Log, amendment: ResultAmended, seen: Mapping[str, Result]) -> Event | None:
    """Returns a result as an amendment changes it; None if the amendment is not of a result."""
    now: Event | None = seen.get(amendment.of)
    if now is None:
        row = log.find([amendment.of]).get(amendment.of)
        read = None if row is None else corrections_of(log).read(row)
        try:
            now = None if read is None else decoder_of(log)(read)
        except RatingCoreError:  # a merge has seated a player on both sides
            return None
    if not isinstance(now, GamePlayed | SessionPlayed):
        return None
    typed: dict[str, Any] = {key: value for key, value in amendment.changes.items() if key in RESULT_FIELDS}
    facts: dict[str, Any] = {key: value for key, value in amendment.changes.items() if key not in RESULT_FIELDS}
    try:
        return evolve(now, data=dict(now.data) | facts, **typed)
    except RatingCoreError:  # no valid result: the log refuses such an amendment itself
        return None


def _uid(event: Event) -> str:
    return event.of if isinstance(event, ResultAmended) else event.uid
