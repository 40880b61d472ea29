"""Checks corrections before they are appended: no player may be in a result twice, and a retry repeats nothing."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count
from typing import cast

from attrs import evolve

from ratingcore.columns import View
from ratingcore.errors import Conflict, HaveMet, OnePlayer, PlayedThemselves
from ratingcore.events import Event, ResultAmended, Row
from ratingcore.events.corrections import Corrections, Groups
from ratingcore.events.rounds import is_of_round, order_on_day
from ratingcore.events.rows import players_of_row
from ratingcore.events.values import new_uid
from ratingcore.log import Log
from ratingcore.log.lookup import corrections_of, decoder_of, row_of
from ratingcore.log.overlay import TrialLog

Views = Callable[[str], View]
"""Function that returns the view of a pool, given by name, with everything that the log knows."""


def numbered_uids(own_uid: str | None) -> Iterator[str]:
    """Yields uids for the events of one correction: `UID`, `UID-2`, `UID-3`, ...; for None, `UID` is random."""
    own_uid = own_uid or new_uid()
    yield own_uid
    yield from (f"{own_uid}-{number}" for number in count(2))


def row_with_uid(log: Log, uid: str | None) -> Row | None:
    """Returns the row with a uid; None if the log does not have it."""
    return None if uid is None else log.find([uid]).get(uid)


def recorded_under(
    log: Log, own_uid: str | None, kind: str, differs: Callable[[Row], str], why: str, by: str
) -> tuple[Event, ...]:
    """Returns the events of the correction already recorded under this uid, with new `why` and `by`; empty without one.

    Parameters
    ----------
    differs : callable
        Returns the field in which the recorded row differs from the intended correction; empty if it is the same.

    Raises
    ------
    Conflict
        If something else was recorded under the uid.
    """
    first = row_with_uid(log, own_uid)
    if first is None:
        return ()
    field = "kind" if first.kind != kind else differs(first)
    if field:
        raise Conflict(first.uid, first.position, field)
    event, events = decoder_of(log), []
    for position, uid in enumerate(numbered_uids(own_uid), first.position):
        row = row_with_uid(log, uid)
        if row is None or row.position != position or row.kind != kind:
            break
        events.append(evolve(event(row), why=why, by=by))  # type: ignore[arg-type]  # corrections have both
    return tuple(events)


def self_contained(log: Log, event: ResultAmended, row: Row, now: Corrections) -> ResultAmended:
    """Adds the other player to an amendment of one seat, if an append would otherwise refuse it as a self-pairing.

    An append checks an amendment against the row as first recorded, so an earlier amendment of the other seat has to
    be repeated.
    """
    seat = next(iter({"a", "b"} & event.changes.keys()), "")
    other = "b" if seat == "a" else "a"
    if row.kind != "game" or not seat or other in event.changes:
        return event
    recorded = row_with_uid(log, event.uid)
    changed = recorded.facts.get("set", {}) if recorded else now.changes.get(row.position, {})
    if other not in changed:
        return event
    # `row` may have its corrections applied, but an append checks the seat as first recorded
    if log.book.find("player", str(event.changes[seat])) != getattr(row_of(log, row.uid), other):
        return event
    book = log.book
    if changed[other] in book.erased:  # the label of an erased name cannot be used as a name
        return event
    return evolve(event, changes={**event.changes, other: book.key(changed[other])})


def ordered_by_round(log: Log, event: ResultAmended, row: Row, now: Corrections) -> ResultAmended:
    """Adds the new order on the day to an amendment of the round, if the result's order came from its old round."""
    if row.kind not in ("game", "session") or "round" not in event.changes or "order" in event.changes:
        return event
    if recorded := row_with_uid(log, event.uid):  # a retry
        order = recorded.facts.get("set", {}).get("order")
        return event if order is None else evolve(event, changes={**event.changes, "order": order})
    reads = now.read(row) or row
    if reads.played is None or not is_of_round(reads.order, reads.played, reads.facts):
        return event
    facts = {name: value for name, value in {**reads.facts, **event.changes}.items() if value is not None}
    order = order_on_day(cast("int", event.changes.get("played", reads.played)), facts)
    return event if order == reads.order else evolve(event, changes={**event.changes, "order": order})


def check_possible(log: Log, view: Views, events: Sequence[Event], verb: str, uid: str = "") -> None:
    """Refuses corrections after which a player would be in a result twice.

    It checks the results that the corrections change; if they restore a merge, also the results of its players.

    Parameters
    ----------
    uid : str
        The event to name in errors; if empty, errors name the refused event, or the other player of a merge.

    Raises
    ------
    PlayedThemselves, BadCorrection
    """
    trial = TrialLog.supposing(log, events)
    now, then = corrections_of(log), corrections_of(trial)
    refs = {row.ref for row in trial.rows(log.head.position) if row.ref is not None}
    touched = refs
    if not refs.isdisjoint(now.positions):  # not always, since `touched` compares all corrections of the log
        touched = now.touched(then)
    rows = list(trial.rows_at(touched))
    restored = [(row.a, row.b) for row in rows if row.kind == "merge" and row.position not in then.void]
    if restored and any(then.root(player) != then.root(root) for player, root in now.roots.items()):
        rows = list(trial.rows(0, None, ("game", "session")))  # other merges end, so views do not show who met whom
    elif restored:
        pairs = [(a, b) for a, b in restored if a is not None and b is not None]
        check_never_met(log, view, pairs, verb, uid, ignored=touched)
    for row in rows:
        twice = _self_pairing(row, then) if row.kind in ("game", "session") else None
        if twice is not None and _self_pairing(row, now) is None:
            one, two = trial.book.keys(twice)
            if one == two:
                raise PlayedThemselves(one)
            raise OnePlayer(
                row.uid, verb, f"{one} and {two} count as one player", "unmerge them first", one=one, two=two
            )


def _self_pairing(row: Row, corrections: Corrections) -> tuple[int, int] | None:
    """Returns the ids of two players of a result who count as one; None if there are none."""
    read, by_root = corrections.read(row), dict[int, int]()
    for player in [] if read is None else players_of_row(read):
        root = corrections.root(player)
        if root in by_root:
            return by_root[root], player
        by_root[root] = player
    return None


def check_never_met(
    log: Log, view: Views, pairs: Sequence[tuple[int, int]], verb: str, uid: str = "", ignored: Collection[int] = ()
) -> None:
    """Refuses to merge pairs of players if a pair counts as one already, or if two players to be merged have met.

    Each result is checked once for all pairs, except results at the positions `ignored`. Without a `uid`, errors name
    the second player of a pair.
    """
    groups, key = Groups(), log.book.key
    for player, root in corrections_of(log).roots.items():
        groups.merge(root, player)
    for a, b in pairs:
        if groups.merge(a, b) is None:
            why = f"{key(a)} and {key(b)} count as one player already"
            raise OnePlayer(uid or key(b), verb, why, one=key(a), two=key(b))
    roots = groups.roots()
    for pool in log.book.keys_of("pool"):
        met = view(pool).self_pairing_after(roots, ignored)
        if met is not None:
            one, two = map(key, met if len(pairs) > 1 else pairs[0])
            through_others = "would become one player, but " if len(pairs) > 1 else ""
            why = f"{one} and {two} {through_others}have met in pool {pool}"
            raise HaveMet(uid or two, verb, why, one=one, two=two, pool=pool)
