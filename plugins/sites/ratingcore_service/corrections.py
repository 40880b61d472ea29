"""Corrections: the fields of each kind, their forms at the desk, and the routes that preview and record them."""

from typing import Annotated, Any

import msgspec
from attrs import evolve, frozen
from msgspec import Meta, Struct
from msgspec.structs import asdict

from ratingcore import Engine, Plan, Side
from ratingcore.plugin.analysis import row_of
from ratingcore_service import wire
from ratingcore_service.access import Caller, check_method, check_pools, check_whole_log
from ratingcore_service.log_events import Moved, moved
from ratingcore_service.problems import NotAllowed, NothingChosen
from ratingcore_service.recording import SessionSide, check_fields, check_own, check_readings, check_rows
from ratingcore_service.routing import COSTLY, PAGE, Asked, Reply, Route, Scope
from ratingcore_service.validation import refusal
from ratingcore_service.writing import expected, own_uid

Why = Annotated[str, Meta(min_length=1, max_length=2000, description="The reason, which everybody can read.")]
Value = wire.Fact | dict[str, wire.Points] | list[SessionSide]


class _Correction(Struct, tag_field="what", forbid_unknown_fields=True, kw_only=True):
    """A correction; sending it again with the same `own_uid` records nothing twice."""

    own_uid: wire.Uid | None = None


class _Reasoned(_Correction, kw_only=True):
    """A correction with a reason."""

    why: Why


class _OfEvent(_Reasoned, kw_only=True):
    """A correction of one event."""

    uid: wire.Uid


class Void(_OfEvent, tag="void", kw_only=True):
    """An event counts as never recorded; voiding a void or an amendment undoes it."""


class VoidAll(_Reasoned, tag="void_all", kw_only=True):
    """All events from a source, or at some positions, count as never recorded; void ones are left alone.

    With both, only events from the source at these positions.
    """

    source: Annotated[wire.Name | None, Meta(description="The name of a source, or a pattern with * and ?.")] = None
    positions: Annotated[
        list[tuple[wire.Number, wire.Number]] | None,
        Meta(description="First and last positions.", examples=[[[41, 80]]]),
    ] = None


class Revive(_OfEvent, tag="revive", kw_only=True):
    """An event that was voided counts again."""


class Amend(_OfEvent, tag="amend", kw_only=True):
    """Fields of a result get other values; null removes a field."""

    changes: Annotated[dict[str, Value], Meta(min_length=1, max_length=wire.MOST_FIELDS)]


class Merge(_Reasoned, tag="merge", kw_only=True):
    """Two records are one person: results of `other` count for `keep`."""

    keep: wire.Name
    other: wire.Name


class Unmerge(_OfEvent, tag="unmerge", kw_only=True):
    """A merge counts as never recorded."""


class Split(_Reasoned, tag="split", kw_only=True):
    """One record is two people: `into` played what is recorded for `player` from a day on, or in some games."""

    player: wire.Name
    into: wire.Name
    since: wire.Moment | None = None
    games: list[wire.Uid] = []
    pools: list[wire.Name] | None = None


class Rename(_Correction, tag="rename", kw_only=True):
    """A player is shown by another name."""

    player: wire.Name
    called: wire.Name
    pool: wire.Name | None = None
    at: wire.Moment | None = None


class Declare(_Correction, tag="declare", kw_only=True):
    """A pool is rated by another rule: from a day on, beginning with its ratings then, or from the first result.

    With `restated`, lists of that day and later rate all results by the new rule.
    """

    pool: wire.Name
    method: wire.Method
    starting: wire.Moment | None = None
    restated: bool = False


class Undeclare(_Correction, tag="undeclare", kw_only=True):
    """The newest declaration of a pool is taken back: the one before it is declared again."""

    uid: wire.Uid


Correction = Void | VoidAll | Revive | Amend | Merge | Unmerge | Split | Rename | Declare | Undeclare
Corrections = Correction | Annotated[list[Correction], Meta(min_length=1, max_length=100)]


class PreviewQuery(wire.Query, kw_only=True):
    """Query of a preview: the pool in which ratings would change; by default, that of the correction."""

    pool: wire.Name | None = None
    method: wire.Method | None = None


class Corrected(wire.Headed, kw_only=True):
    """The events that a correction recorded, or that the log had already."""

    accepted: int
    uids: list[str]


class Preview(Moved, kw_only=True):
    """The players whose ratings corrections would change, and notes on results that would count twice."""

    notes: list[wire.Noted]


@frozen
class Form:
    """The form of a correction at the desk: its heading, what it does, and its fields."""

    heading: str
    about: str
    fields: tuple[str, ...]


FORMS = {
    "void": Form("Take a result back", "It counts as never recorded; everybody can read why.", ("uid", "why")),
    "void_all": Form("Take a whole file back",
                     "A file, or what was typed: it counts as never recorded; everybody can read why.",
                     ("positions", "source", "why")),
    "revive": Form("Count a result again", "One that was taken back.", ("uid", "why")),
    "amend": Form("Correct a result", "Change its fields; everybody can read why.",
                  ("uid", "why")),
    "merge": Form("Join two records of one person", "Results of both count for one of them.", ("keep", "other", "why")),
    "unmerge": Form("Undo a join", "Each of the two names counts for itself again.", ("uid", "why")),
    "split": Form("Divide a record of two people", "Results from a day on go to another name.",
                  ("player", "into", "since", "why")),
    "rename": Form("Show a player by another name", "No rating changes.", ("player", "called")),
    "undeclare": Form("Take a rule back", "The rule before it applies again.", ("uid",)),
}  # fmt: skip
"""By tag."""
LABELS = {
    "uid": "Its number in the log, or its uid", "why": "Why; everybody can read it",
    "keep": "The name that stays", "other": "The other name of the same person", "player": "Player",
    "into": "The name that gets the results", "since": "From which day on", "called": "The name to show",
    "positions": "Its positions in the log, such as 41-80", "source": "Or the name of its source, such as games*.csv",
    "pool": "Pool", "played": "Day", "a": "First player", "b": "Second player", "score": "Result of the first player",
    "home": "At home, or with White",
    "points_a": "Points of the first player", "points_b": "Points of the second player",
    "order": "Order on its day",
}  # fmt: skip
"""The label of each field of a form."""


async def correct(asked: Asked) -> Reply:
    """Records corrections, all or none, as they were decided on the head of If-Match.

    They are planned in the transaction that records them, and refused if something that they depend on has changed
    since that head. Other new events do not matter.
    """
    head = expected(asked)
    assert head is not None, "the route needs one"

    def append(engine: Engine) -> Corrected:
        plan = planned(engine, asked).decided_at(head)
        receipt = engine.apply(evolve(plan, source=f"{asked.caller.name} {plan.source}".strip()))
        return Corrected(head=str(receipt.head), accepted=receipt.accepted, uids=[event.uid for event in plan])

    made = await asked.service.writer.record(append)
    return Reply(made, 201 if made.accepted else 200)


def preview(engine: Engine, asked: Asked) -> Preview:
    """Previews corrections without recording them: whose ratings would change, and which results would count twice."""
    pool = asked.query.pool
    check_pools(asked.caller, [] if pool is None else [pool])
    check_method(engine, asked.caller, asked.query.method)
    plan = planned(engine, asked)
    movers = moved(engine, plan, pool, asked.method(pool or ""))
    return Preview(**asdict(movers), notes=list(map(wire.noted, plan.notes)))


def planned(engine: Engine, asked: Asked) -> Plan:
    """Returns the corrections of a request as one plan; each is planned as if the ones before it were recorded."""
    whole: Plan | None = None
    _check(engine, asked)
    for place, one in enumerate(_sent(asked)):
        uid = one.own_uid or own_uid(engine, asked, place)
        plan = _planned(engine if whole is None else engine.what_if(whole), one, asked.caller.name, uid)
        whole = plan if whole is None else whole.then(plan)
    assert whole is not None, "a request has at least one correction"
    check_readings(engine, asked.caller, whole)
    return whole


def _sent(asked: Asked) -> list[Correction]:
    return asked.body if isinstance(asked.body, list) else [asked.body]


def _check(engine: Engine, asked: Asked) -> None:
    """Refuses corrections that the caller may not make, judged by the current log.

    Raises
    ------
    NotAllowed, Decided
    """
    for place, one in enumerate(_sent(asked)):
        _check_pools(engine, asked.caller, one)
        if asked.caller.scope < Scope.OFFICER:
            if not isinstance(one, Void | Amend):
                raise NotAllowed("officer", "results that it recorded itself")
            check_own(engine, asked.caller, one.uid, one.own_uid or own_uid(engine, asked, place))


def _check_pools(engine: Engine, caller: Caller, one: Correction) -> None:
    """Refuses a correction outside the pools of a token; corrections of players need a token for all pools."""
    if not caller.pools:
        return
    if isinstance(one, Declare):
        check_pools(caller, [one.pool])
        check_method(engine, caller, one.method)
        return
    if not isinstance(one, Void | VoidAll | Revive | Amend | Undeclare):
        check_whole_log(caller)
        return
    check_rows(engine, caller, _chosen(engine, one).rows if isinstance(one, VoidAll) else [row_of(engine.log, one.uid)])
    moved_to = one.changes.get("pool") if isinstance(one, Amend) else None
    check_pools(caller, [str(moved_to)] if moved_to else [])


def _chosen(engine: Engine, one: VoidAll) -> Any:
    """Returns the events that a `VoidAll` takes back."""
    if one.source is None and not one.positions:
        raise NothingChosen()
    return engine.plan.chosen(one.source, one.positions)


def _planned(engine: Engine, one: Correction, by: str, uid: str | None) -> Plan:
    """Plans a correction: calls the method of `engine.plan` named by its tag, with its fields."""
    if isinstance(one, VoidAll):
        return engine.plan.void_all(_chosen(engine, one), why=one.why, by=by, own_uid=uid)
    given = {**asdict(one), "own_uid": uid} | ({} if isinstance(one, Rename | Declare | Undeclare) else {"by": by})
    if isinstance(one, Amend):
        check_fields("changes", one.changes)
        given["changes"] = {name: _changed(name, value) for name, value in one.changes.items()}
    plan: Plan = getattr(engine.plan, str(one.__struct_config__.tag))(**given)
    return plan


def _changed(name: str, value: Any) -> Any:
    """Converts the new value of a field for the engine; refuses an invalid `played`."""
    if name == "played":
        try:
            return msgspec.convert(value, wire.Played)
        except msgspec.ValidationError as error:
            raise refusal(error, value, "changes/played") from None
    return tuple(Side(side.players, side.score) for side in value) if isinstance(value, list) else value


ROUTES = (
    Route("POST", "/api/v1/corrections", correct, Corrected, wire.Query, Corrections, Scope.CORRECT, PAGE,
          (404, 409), 201, (200,), head=True, key=True, own_pools=True),
    Route("POST", "/api/v1/corrections/preview", preview, Preview, PreviewQuery, Corrections, Scope.CORRECT, COSTLY,
          (404, 409), own_pools=True),
)  # fmt: skip
