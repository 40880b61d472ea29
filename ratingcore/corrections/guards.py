"""Checks of a correction before it is appended: who would sit twice in a result, and what was recorded before."""

from collections.abc import Callable, Iterator
from itertools import count

from attrs import evolve

from ratingcore.errors import BadCorrection, Conflict, PlayedThemselves
from ratingcore.events import Event, ResultAmended, Row
from ratingcore.events.corrections import Corrections
from ratingcore.events.values import new_uid
from ratingcore.log import Log
from ratingcore.log.overlay import OverlayLog


def numbered_uids(own_uid: str | None) -> Iterator[str]:
    """Uids of the events of one correction: `UID`, `UID-2`, `UID-3`, ...; made up for None."""
    own_uid = own_uid or new_uid()
    yield own_uid
    yield from (f"{own_uid}-{number}" for number in count(2))


def players_of_row(row: Row) -> list[int]:
    """Ids of all who sit in a result, or whom a seed or a description is about."""
    if row.kind == "session":
        return [player for players, _ in row.facts["sides"] for player in players]
    return [player for player in (row.a, row.b) if player is not None]


def row_under(log: Log, uid: str | None) -> Row | None:
    """The row with a uid; None if the log has none."""
    return None if uid is None else log.find([uid]).get(uid)


def recorded_under(
    log: Log, own_uid: str | None, kind: str, differs: Callable[[Row], str], why: str, by: str
) -> tuple[Event, ...]:
    """Returns the events that a correction recorded under this uid, with this reason; none if it was not recorded.

    Parameters
    ----------
    differs : callable
        Names the field in which the recorded row is another correction than the one meant; empty if it is the same.

    Raises
    ------
    Conflict
        If something else was recorded under the uid.
    """
    first = row_under(log, own_uid)
    if first is None:
        return ()
    field = "kind" if first.kind != kind else differs(first)
    if field:
        raise Conflict(first.uid, first.position, field)
    event, events = log.decoder(), []
    for position, uid in enumerate(numbered_uids(own_uid), first.position):
        row = row_under(log, uid)
        if row is None or row.position != position or row.kind != kind:
            break
        events.append(evolve(event(row), why=why, by=by))  # type: ignore[arg-type]  # corrections have both
    return tuple(events)


def self_contained(log: Log, event: ResultAmended, row: Row, now: Corrections) -> ResultAmended:
    """Names both players when naming one would look like a self-pairing.

    An append checks an amendment against the row as first recorded, so a seat that was amended earlier is repeated
    here.
    """
    seat = next(iter({"a", "b"} & event.changes.keys()), "")
    other = "b" if seat == "a" else "a"
    recorded = row_under(log, event.uid)
    changed = recorded.facts.get("set", {}) if recorded else now.changes.get(row.position, {})
    if row.kind != "game" or not seat or other in event.changes or other not in changed:
        return event
    # `row` may be given as it reads now; what the append looks at is the seat as it was first recorded
    if log.id_of("player", str(event.changes[seat])) != getattr(log.row_of(row.uid), other):
        return event
    book = log.names_book
    if changed[other] in book.erased:  # the label of an erased name cannot be used as a name
        return event
    return evolve(event, changes={**event.changes, other: book.key(changed[other])})


def check_apart(trial: OverlayLog, row: Row, verb: str, reading: Corrections | None = None) -> None:
    """Refuse a correction after which a player would sit twice in a result; `reading` are those of the trial."""
    now, key = reading or trial.corrections(), trial.names_book.key
    read = now.read(row)
    seated: dict[int, int] = {}
    for player in [] if read is None else players_of_row(read):
        root = now.root(player)
        if root in seated:
            one, two = key(seated[root]), key(player)
            if one == two:
                raise PlayedThemselves(one)
            raise BadCorrection(row.uid, verb, f"{one} and {two} count as one player", "unmerge them first")
        seated[root] = player
